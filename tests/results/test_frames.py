"""Frames: when they are taken, how well they are interpolated, and that positions, velocities and rotations fit."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import fmbs as fm
from tests.literature.mechanisms import (
    DOUBLE,
    FOUR_BAR,
    SLOW,
    double_pendulum,
    error,
    four_bar,
    slider_crank,
    slider_crank_spatial,
)
from tests.oracles.double_pendulum import double_pendulum as double_oracle


@pytest.fixture(scope="module")
def pendulum():
    return double_pendulum(**DOUBLE)


@pytest.mark.parametrize(
    ("options", "tolerance"),
    [
        ({"step": 1e-3}, 1e-4),
        ({"tolerance": 1e-3, "integrator": fm.GeneralizedAlpha()}, 1e-3),
        ({"tolerance": 1e-3, "integrator": fm.Radau()}, 1e-3),
        ({"integrator": fm.BaumgarteODE(method="DOP853")}, 1e-6),
        ({"integrator": fm.CoordinatePartitioning(method="DOP853")}, 1e-6),
    ],
    ids=["fixed", "controlled", "Radau", "Baumgarte", "partitioning"],
)
def test_frames_come_at_the_asked_for_times(pendulum, options, tolerance: float) -> None:
    """Exactly there, between steps, and the interpolation adds less than a few hundredths of the tolerance.

    Across the constraints its error is their violation; along them it is the difference to frames at every step's end.
    """
    sol = pendulum.model.simulate(1.0, output_step=0.0137, **options)
    assert_allclose(sol.t, np.append(0.0137 * np.arange(73), 1.0), atol=0.0, rtol=1e-15)
    share = 3e-2 if sol.statistics.integrator == "Radau" else 1e-2  # its steps are eight times as long
    assert sol.statistics.drift < share * tolerance
    steps = pendulum.model.simulate(1.0, **options)
    worst = max(np.abs(run.position(pendulum.tip) - double_oracle(**DOUBLE, t=run.t).tip).max() for run in (steps, sol))
    at_steps = np.abs(steps.position(pendulum.tip) - double_oracle(**DOUBLE, t=steps.t).tip).max()
    assert worst < tolerance and worst < at_steps + share * tolerance
    exact = double_oracle(**DOUBLE, t=sol.t)
    assert error(sol.spin(pendulum.lower.com), exact.rates[:, 1]) < 2.0 * tolerance
    assert error(sol.reaction("elbow").force, exact.rod1_on_rod2) < 10.0 * tolerance


def test_no_output_step_gives_every_step(pendulum) -> None:
    fixed = pendulum.model.simulate(0.05, step=1e-3)
    assert_allclose(fixed.t, 1e-3 * np.arange(51), rtol=1e-14, atol=0.0)
    controlled = pendulum.model.simulate(0.05, tolerance=1e-4, integrator=fm.GeneralizedAlpha(1.0))
    assert_allclose(controlled.t[1:], controlled.step_times, atol=0.0, rtol=0.0)
    assert controlled.t[-1] == 0.05
    assert len(controlled) == controlled.statistics.steps + 1


@pytest.mark.parametrize(("t_end", "step", "frames"), [(0.0105, 1e-3, 12), (1e-4, 1e-3, 2), (0.15, 0.05, 4), (0.07, 0.01, 8)])
def test_t_end_is_reached_exactly(pendulum, t_end: float, step: float, frames: int) -> None:
    """Whether it is a multiple of the step, shorter than one, or a multiple that floating point misses."""
    sol = pendulum.model.simulate(t_end, step=step)
    assert sol.t[-1] == t_end and len(sol) == frames
    assert sol.statistics.steps == frames - 1


def differences(values: np.ndarray, h: float) -> np.ndarray:
    """Fourth-order central differences, two frames lost at each end."""
    return (values[:-4] - 8.0 * values[1:-3] + 8.0 * values[3:-1] - values[4:]) / (12.0 * h)


@pytest.mark.parametrize("kind", ["planar", "rigid"])
def test_velocities_and_accelerations_are_derivatives(kind: str) -> None:
    """Of any body point, not just the centre of mass: frames 1e-3 s apart, to the differences' 1e-6."""
    p = slider_crank(SLOW) if kind == "planar" else slider_crank_spatial(SLOW, redundant=False)
    h = 1e-3
    sol = p.model.kinematics(h * np.arange(200))
    point = p.rod.at(*([0.07, 0.03, 0.02][: 2 if kind == "planar" else 3]))
    v, a = sol.velocity(point), sol.acceleration(point)
    assert error(differences(sol.position(point), h), v[2:-2]) < 1e-6
    assert error(differences(v, h), a[2:-2]) < 1e-6
    R, omega = sol.rotation(point), sol.spin(point)
    assert_allclose(R @ R.transpose(0, 2, 1), np.tile(np.eye(3), (200, 1, 1)), rtol=0, atol=1e-12)
    assert_allclose(R[0], np.eye(3), rtol=0, atol=1e-14)
    rate = differences(R, h) @ R[2:-2].transpose(0, 2, 1)  # R' R^T: the skew matrix of the spin
    spin = np.stack([rate[:, 2, 1], rate[:, 0, 2], rate[:, 1, 0]], axis=1)
    assert error(spin[:, 2] if kind == "planar" else spin, omega[2:-2]) < 1e-6


def test_rotation_about_a_skew_axis() -> None:
    """A body turned by a drive: sol.rotation is the matrix of that axis and angle, sol.spin the axis times the speed."""
    axis = np.array([1.0, -2.0, 2.0]) / 3.0
    m = fm.Model("turning")
    body = m.add(fm.RigidBody("body", mass=1.0, inertia=(0.1, 0.12, 0.15), com=(0.2, 0.0, 0.1)))
    m.add(fm.Revolute(m.ground.at(0.0, 0.0, 0.0), body.at(0.0, 0.0, 0.0), axis=axis))
    m.add(fm.RotationDrive(m.ground.at(0.0, 0.0, 0.0), body.at(0.0, 0.0, 0.0), axis=axis, speed=4.0))
    sol = m.kinematics(np.linspace(0.0, 3.0, 31))
    assert_allclose(sol.rotation(body.com), Rotation.from_rotvec(np.outer(4.0 * sol.t, axis)).as_matrix(), rtol=0, atol=1e-12)
    assert_allclose(sol.spin(body.com), np.tile(4.0 * axis, (31, 1)), rtol=0, atol=1e-12)


def test_angles_are_counted_on_over_full_turns() -> None:
    p = four_bar(FOUR_BAR)
    sol = p.model.kinematics(np.linspace(0.0, 4.0, 200))
    assert_allclose(sol.angle(p.crank), FOUR_BAR.phi0 + FOUR_BAR.omega * sol.t, rtol=0, atol=1e-12)  # 24 rad
    assert_allclose(sol.spin(p.crank.com), FOUR_BAR.omega, rtol=0, atol=1e-11)
    spatial = slider_crank_spatial(SLOW, redundant=False)
    with pytest.raises(fm.ModelError, match="not a planar body"):
        spatial.model.kinematics([0.0]).angle(spatial.rod)


def test_reactions_by_name_and_by_object(pendulum) -> None:
    """They act on the body of the second marker; the markers swapped, they change sign."""
    sol = pendulum.model.simulate(0.02, step=1e-3)
    assert_allclose(sol.reaction("pin").force, sol.reaction(pendulum.pin).force, rtol=0, atol=0.0)
    with pytest.raises(fm.ModelError, match="elbow"):
        sol.reaction("elbo")
    for order, sign in ((1, 1.0), (-1, -1.0)):
        m = fm.Model("hanging", gravity=(0.0, -9.81))
        rod = m.add(fm.PlanarBody("rod", mass=2.0, inertia=1.0, com=(0.0, -1.0)))
        m.add(fm.Fixed(*(m.ground.at(0.5, 0.0), rod.at(0.5, 0.0))[::order], name="clamp"))
        clamp = m.simulate(0.01, step=1e-3).reaction("clamp")
        assert_allclose(clamp.force, np.tile([0.0, sign * 19.62], (11, 1)), rtol=0, atol=1e-9)
        assert_allclose(
            clamp.moment, -sign * 19.62 * 0.5, rtol=0, atol=1e-9
        )  # about the marker: the weight acts 0.5 m left of it


def test_markers_of_another_model_are_refused(pendulum) -> None:
    other = double_pendulum(**DOUBLE)
    sol = pendulum.model.simulate(0.01, step=1e-3)
    with pytest.raises(fm.ModelError, match="not in the solution's model"):
        sol.position(other.tip)
    with pytest.raises(fm.ModelError, match="not a marker"):
        sol.velocity("rod")
    with pytest.raises(fm.ModelError, match="no joint"):
        sol.reaction(other.pin)


def test_a_solution_describes_itself(pendulum) -> None:
    sol = pendulum.model.simulate(0.01, step=1e-3)
    assert repr(sol) == "Solution(11 frames, t = 0 ... 0.01 s, 10 steps)"
    assert sol.statistics.iterations >= 10 and sol.statistics.factorizations >= 1 and sol.statistics.wall > 0.0
