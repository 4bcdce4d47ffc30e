"""Drives: the motion they are given, its derivatives, where it counts from, and the force that it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.joints.drives import prescribed

Motion = Callable[[float], float]
TIMES = np.linspace(0.0, 2.03, 41)

# name: y, y', y''; all start at 0
FUNCTIONS: dict[str, tuple[Motion, Motion, Motion]] = {
    "sine": (np.sin, np.cos, lambda t: -np.sin(t)),
    "fast sine": (lambda t: np.sin(500 * t), lambda t: 500 * np.cos(500 * t), lambda t: -250000 * np.sin(500 * t)),
    "20 Hz": (  # its period is a likely step of differences
        lambda t: np.sin(40 * np.pi * t),
        lambda t: 40 * np.pi * np.cos(40 * np.pi * t),
        lambda t: -((40 * np.pi) ** 2) * np.sin(40 * np.pi * t),
    ),
    "parabola": (lambda t: 3 * t * t, lambda t: 6 * t, lambda t: 6.0),
    "rest, then a cubic": (
        lambda t: 100 * max(t - 0.52, 0.0) ** 3,
        lambda t: 300 * max(t - 0.52, 0.0) ** 2,
        lambda t: 600 * max(t - 0.52, 0.0),
    ),
    "undefined before -0.02": (
        lambda t: np.log(1 + 50 * t), lambda t: 50 / (1 + 50 * t), lambda t: -2500 / (1 + 50 * t) ** 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_of_time(name: str):
    """Derivatives of users' functions by differences: at any time, whatever the function does at t = 0."""
    function, rate, acceleration = FUNCTIONS[name]
    signal = prescribed("drive", 0.0, angle=function)
    got = np.array([signal(t) for t in TIMES])
    expected = np.array([(function(t), rate(t), acceleration(t)) for t in TIMES])
    assert_allclose(got[:, 0], expected[:, 0], rtol=0, atol=0)
    assert_allclose(got[:, 1], expected[:, 1], rtol=0, atol=1e-9 * np.abs(expected[:, 1]).max())
    assert_allclose(got[:, 2], expected[:, 2], rtol=0, atol=1e-7 * np.abs(expected[:, 2]).max())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_speed_of_time(name: str):
    """Integrated from t = 0, back and forth as step control asks for it."""
    function, rate, acceleration = FUNCTIONS[name]
    signal = prescribed("drive", 0.3, speed=rate)
    for t in (0.0, 0.5, 0.6, 0.55, 2.0, 0.1):
        y, first, second = signal(t)
        assert_allclose(y, 0.3 + function(t), rtol=0, atol=1e-9)
        assert_allclose(first, rate(t), rtol=1e-12)
        assert_allclose(second, acceleration(t), rtol=1e-6, atol=1e-6 * abs(rate(t)))


def test_smooth_step_is_exact():
    """Far from t = 0 and steep: nothing is smeared out."""
    step = fm.SmoothStep(0.50, 0.51, 0.0, 400.0)
    position, speed = prescribed("drive", 0.0, position=step), prescribed("drive", 0.0, speed=step)
    assert position(0.49) == (0.0, 0.0, 0.0)
    assert_allclose(position(0.505), (200.0, 1.875 * 400.0 / 0.01, 0.0), rtol=1e-10, atol=1e-5)
    assert_allclose(position(0.6), (400.0, 0.0, 0.0), rtol=1e-12, atol=1e-4)
    assert_allclose(speed(0.505)[1:], (200.0, 1.875 * 400.0 / 0.01), rtol=1e-10)
    assert_allclose(speed(0.61)[0], 400.0 * (0.005 + 0.1), rtol=1e-12)


def test_table_passes_through_its_points():
    times = np.linspace(0.0, 1.0, 11)
    signal = prescribed("drive", 0.0, angle=(times, np.sin(times)))
    assert_allclose([signal(t)[0] for t in times], np.sin(times), rtol=0, atol=1e-15)
    end, rate, _ = signal(1.0)
    assert_allclose(signal(1.5), (end + 0.5 * rate, rate, 0.0), rtol=1e-14)  # goes on at constant speed
    speed = prescribed("drive", 2.0, speed=(times, np.cos(times)))
    assert_allclose(speed(0.7)[0], 2.0 + np.sin(0.7), rtol=0, atol=1e-4)  # spline error


def flywheel(**drive: Any) -> tuple[fm.Model, fm.RigidBody, fm.RotationDrive]:
    model = fm.Model("flywheel")
    wheel = model.add(fm.RigidBody("wheel", mass=3.0, inertia=(0.2, 0.2, 0.35)))
    hub = model.ground.at(0, 0, 0)
    model.add(fm.Revolute(hub, wheel.com, axis=(0, 0, 1)))
    return model, wheel, model.add(fm.RotationDrive(hub, wheel.com, axis=(0, 0, 1), **drive))


@pytest.mark.parametrize(
    "drive", [{"angle": lambda t: np.sin(3 * t) / 3}, {"speed": lambda t: np.cos(3 * t)}], ids=["angle", "speed"]
)
def test_driving_moment(drive: dict[str, Any]):
    """I alpha on the wheel, from the first frame on; and the start at rest was given the drive's speed."""
    model, wheel, motor = flywheel(**drive)
    sol = model.kinematics(np.linspace(0.0, 1.0, 11))
    assert_allclose(sol.spin(wheel.com)[:, 2], np.cos(3 * sol.t), rtol=0, atol=1e-9)
    assert_allclose(sol.reaction(motor).moment[:, 2], -3.0 * 0.35 * np.sin(3 * sol.t), rtol=0, atol=1e-8)
    assert_allclose(sol.statistics.moved_velocity, 1.0, rtol=1e-9)


def test_driving_force():
    """m (a + g) on a lifted weight."""
    model = fm.Model("lift", gravity=(0, 0, -9.81))
    cage = model.add(fm.RigidBody("cage", mass=3.0, inertia=(0.2, 0.2, 0.35), com=(0, 0, 0.5)))
    floor = model.ground.at(0, 0, 0)
    model.add(fm.Prismatic(floor, cage.com, axis=(0, 0, 1)))
    rope = model.add(fm.TranslationDrive(floor, cage.com, axis=(0, 0, 1), position=lambda t: 0.5 + t * t))
    sol = model.kinematics([0.0, 0.5, 1.0])
    assert_allclose(sol.position(cage.com)[:, 2], 0.5 + sol.t**2, rtol=0, atol=1e-13)
    assert_allclose(sol.reaction(rope).force[:, 2], 3.0 * (9.81 + 2.0), rtol=1e-9)


def crank(start: float, **drive: Any) -> fm.Solution:
    model = fm.Model("crank")
    arm = model.add(fm.PlanarBody("arm", mass=1.0, inertia=0.1, com=(np.cos(start), np.sin(start)), angle=start))
    pin = model.ground.at(0, 0)
    model.add(fm.Revolute(pin, arm.at(0, 0)))
    model.add(fm.RotationDrive(pin, arm.at(0, 0), **drive))
    return model.kinematics([0.0, 0.5])


@pytest.mark.parametrize("angle", [0.0, 0.04, -0.04, 0.7, 3.0, -2.0])
def test_planar_angle_counts_from_the_start_or_is_the_bodys(angle: float):
    """Both conventions, also for a body that is drawn at a small angle; nothing is moved at the start."""
    for start in (0.0, angle):
        sol = crank(angle, angle=lambda t, start=start: start + 0.4 * t)
        assert sol.statistics.moved < 1e-12
        assert_allclose(sol.q[:, 2], (angle, angle + 0.2), rtol=0, atol=1e-12)


@pytest.mark.parametrize("angle", [0.04, 0.7])
def test_planar_drive_about_minus_z(angle: float):
    for start in (0.0, -angle):
        sol = crank(angle, axis=(0, 0, -1), angle=lambda t, start=start: start + 0.4 * t)
        assert sol.statistics.moved < 1e-12
        assert_allclose(sol.q[:, 2], (angle, angle - 0.2), rtol=0, atol=1e-12)


def test_many_turns():
    """A drive that turns thirty times, in steps of a few degrees."""
    model, wheel, _ = flywheel(speed=628.3)
    sol = model.simulate(0.3, step=2e-4, output_step=0.1)
    angle = 628.3 * sol.t
    rotation = sol.rotation(wheel.com)
    assert_allclose(rotation[:, 0, 0], np.cos(angle), rtol=0, atol=1e-9)
    assert_allclose(rotation[:, 1, 0], np.sin(angle), rtol=0, atol=1e-9)
