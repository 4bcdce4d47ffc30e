"""Kinks and jumps of drives: found where there are some, nowhere else, and named with a remedy that works."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.math.kinks import corners, slope_jumps, value_jumps

END = 2.03
SMOOTH = {
    "sine": np.sin,
    "fast sine": lambda t: np.sin(500 * t),
    "parabola after rest": lambda t: 10 * max(t - 0.52, 0.0) ** 2,  # its acceleration jumps, its velocity does not
    "steep": lambda t: np.tanh((t - 0.5) / 1e-3),
    "smooth step": fm.SmoothStep(0.50, 0.51, 0.0, 400.0),
    "exponential": lambda t: np.exp(5 * t),
    "logarithm": lambda t: np.log(1 + 50 * t),
    "constant": lambda t: 1.0,
    "straight": lambda t: 3 * t,
    "finely tabulated": lambda t: float(np.interp(t, np.linspace(0, 3, 2001), np.sin(np.linspace(0, 3, 2001)))),
    "noise of round-off": lambda t: 1e6 + 1e-9 * t,
}


@pytest.mark.parametrize("name", SMOOTH)
def test_no_false_alarm(name: str):
    assert slope_jumps(SMOOTH[name], END) == []
    assert value_jumps(SMOOTH[name], END) == []


def test_kinks_of_functions():
    (kink,) = slope_jumps(lambda t: 2.0 * max(0.0, t - 0.3), END)
    assert_allclose(kink, (0.3, 0.0, 2.0), rtol=0, atol=1e-5)
    first, second = slope_jumps(lambda t: abs(np.sin(np.pi * t)), 1.5 + 0.7)
    assert_allclose((*first, *second), (1.0, -np.pi, np.pi, 2.0, -np.pi, np.pi), rtol=0, atol=1e-3)
    (jump,) = value_jumps(lambda t: 1.0 if t < 0.3 else 3.0, END)
    assert_allclose(jump, (0.3, 1.0, 3.0), rtol=0, atol=1e-5)


def test_functions_that_fail_have_none():
    assert slope_jumps(lambda t: 1.0 / 0.0 if t > 1.0 else t, END) == []
    assert value_jumps(lambda t: "fast", END) == []


def test_corners_of_tables():
    """Straight runs that meet; a sampled curve bends everywhere, also where two samples are equal beside a peak."""
    t = np.linspace(0.0, 1.0, 11)
    assert_allclose(corners(t, np.minimum(t / 0.3, 1.0)), [(0.3, 1 / 0.3, 0.0)], rtol=0, atol=1e-12)
    assert_allclose(corners(t, 1.0 - np.abs(2.0 * t - 1.0)), [(0.5, 2.0, -2.0)], rtol=0, atol=1e-12)
    assert_allclose(corners(np.array([0, 0.1, 1.0]), np.array([0, 100.0, 100.0])), [(0.1, 1000.0, 0.0)], rtol=1e-12)
    smooth = [np.sin(t), np.sin(np.pi * t), 3.0 * t, 0.0 * t, np.where(t < 0.5, t**2, t - 0.25)]
    smooth += [np.array([fm.SmoothStep(0.2, 0.8, 0.0, 1.0)(x) for x in t])]
    for values in smooth:
        assert corners(t, values) == []
    t = np.linspace(0.0, 1.0, 8)
    assert corners(t, np.sin(np.pi * t)) == []
    assert corners(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.25, 1.0])) == []
    assert corners(np.linspace(0, 1, 6), np.array([0.0, 1.0, 0.5, 0.0, -1.0, 0.0])) == []  # two equal slopes by chance
    assert corners(np.array([0.0, 1.0]), np.array([0.0, 1.0])) == []


def wheel(**drive: Any) -> fm.Model:
    model = fm.Model("wheel")
    disc = model.add(fm.PlanarBody("disc", mass=1.0, inertia=0.1, com=(0, 0)))
    model.add(fm.Revolute(model.ground.at(0, 0), disc.com))
    model.add(fm.RotationDrive(model.ground.at(0, 0), disc.com, name="motor", **drive))
    return model


def lift(**drive: Any) -> fm.Model:
    model = fm.Model("lift")
    cage = model.add(fm.PlanarBody("cage", mass=1.0, inertia=0.1, com=(0.5, 0)))
    model.add(fm.Prismatic(model.ground.at(0, 0), cage.com, axis=(1, 0)))
    model.add(fm.TranslationDrive(model.ground.at(0, 0), cage.com, axis=(1, 0), name="motor", **drive))
    return model


TOLD = {
    "angle": (
        wheel(angle=lambda t: 2.0 * max(0.0, t - 0.03)),
        r"wheel: motor: angle has a kink at t = 0\.03 s, where the speed jumps from 0 to 2 rad/s\. .*angle=fm.SmoothStep",
    ),
    "angle that jumps": (
        wheel(angle=lambda t: 0.05 * float(t > 0.03)),
        r"motor: angle has a kink at t = 0\.03 s, where it jumps from 0 to 0.05 rad\.",
    ),
    "speed that jumps": (
        wheel(speed=lambda t: 3.0 if t < 0.03 else 7.0),
        r"motor: speed has a kink at t = 0\.03 s, where it jumps from 3 to 7 rad/s\. .*speed=fm.SmoothStep",
    ),
    "position": (
        lift(position=lambda t: 0.5 + abs(t - 0.03) - 0.03),
        r"lift: motor: position has a kink at t = 0\.03 s, where the speed jumps from -1 to 1 m/s",
    ),
    "table of speeds": (
        wheel(speed=([0.0, 0.03, 0.5], [0.0, 6.0, 6.0])),
        r"motor: speed has a kink at t = 0\.03 s, where its slope jumps from 200 to 0 rad/s\^2\. .* up to \d.* rad/s beside",
    ),
    "table of positions": (
        lift(position=([0.0, 0.01, 0.02, 0.03, 0.04, 0.05], [0.5, 0.5, 0.5, 0.5, 0.6, 0.7])),
        r"motor: position has a kink at t = 0\.03 s, where its slope jumps from 0 to 10 m/s\.",
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_kinks_are_named(name: str):
    model, words = TOLD[name]
    with pytest.warns(fm.KinkInDrive, match=words):
        sol = model.simulate(0.1, step=0.01, energy_tolerance=None)
    assert sol.statistics.start[0].startswith("motor: ")


def test_kinks_in_kinematics():
    with pytest.warns(fm.KinkInDrive, match="motor: angle has a kink"):
        TOLD["angle"][0].kinematics([0.0, 0.1])


@pytest.mark.parametrize(
    "drive",
    [
        {"angle": fm.SmoothStep(0.03, 0.05, 0.0, 2.0)},
        {"speed": fm.SmoothStep(0.03, 0.05, 3.0, 7.0)},
        {"speed": lambda t: min(t / 0.03, 1.0)},  # the acceleration jumps: no impulse
        {"speed": 3.0},
        {"speed": (np.linspace(0, 0.5, 20), np.sin(np.linspace(0, 3, 20)))},
    ],
)
def test_remedies_and_smooth_motions_are_quiet(drive: dict[str, Any]):
    assert wheel(**drive).simulate(0.1, step=5e-4).statistics.start == ()


def test_a_kink_after_the_end_does_not_matter():
    assert wheel(angle=lambda t: 2.0 * max(0.0, t - 0.3)).simulate(0.1, step=0.01).statistics.start == ()
    assert wheel(speed=([0.0, 0.3, 0.5], [0.0, 6.0, 6.0])).simulate(0.1, step=0.01).statistics.start == ()


def test_a_large_jump_is_not_followed():
    """Named, and refused where it comes: no motion leads there."""
    with pytest.warns(fm.KinkInDrive, match="jumps from 0 to 1 rad"), pytest.raises(fm.ConvergenceError, match="far from") as e:
        wheel(angle=lambda t: float(t > 0.03)).simulate(0.1, step=1e-3, progress=False)
    assert e.value.time == pytest.approx(0.03, abs=1e-3)
    assert len(e.value.solution.t) >= 29
    assert "jump in a drive" in e.value.remedy
