"""The beam oracles against closed forms and published numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

from . import reissner, spatial_rod, timoshenko

REFERENCE = json.loads((Path(__file__).parents[1] / "literature" / "reference.json").read_text())


@pytest.mark.parametrize("load", ["1", "10"])
def test_reissner_without_stretch_and_shear_is_the_elastica(load: str):
    rigid = reissner.Stiffness(EA=1e12, GA=1e12, EI=1.0)
    got = reissner.tip_force(1.0, rigid, (0.0, float(load)))
    row = REFERENCE["elastica"][load]
    assert_allclose([-got.displacement[0], got.displacement[1], got.angle], list(row.values()), rtol=1e-8)


def test_reissner_small_load_is_timoshenko():
    beam = reissner.Stiffness(EA=1e3, GA=40.0, EI=2.0)
    got = reissner.tip_force(1.5, beam, (0.0, 1e-5))
    assert_allclose(got.displacement[1], 1e-5 * (1.5**3 / (3.0 * 2.0) + 1.5 / 40.0), rtol=1e-8)


def test_reissner_mirrored_and_oblique_loads():
    beam = reissner.Stiffness(EA=50.0, GA=20.0, EI=2.0)
    up, down = (reissner.tip_force(1.0, beam, (0.5, f)) for f in (3.0, -3.0))
    assert_allclose(up.displacement, down.displacement * (1, -1), rtol=1e-10)
    lever = np.array([1.0, 0.0]) + up.displacement  # moments about the clamp
    assert_allclose(up.moment, lever[0] * 3.0 - lever[1] * 0.5, rtol=1e-10)


def test_rod_in_space_is_reissner_beam_in_any_plane():
    """Forces in a plane turned about x by 0.7 rad; a moment rolls it up, whatever the other stiffnesses."""
    plane = reissner.tip_force(1.5, reissner.Stiffness(EA=50.0, GA=20.0, EI=2.0), (0.5, 3.0))
    c, s = np.cos(0.7), np.sin(0.7)
    x, y = plane.displacement[0] + 1.5, plane.displacement[1]
    exact = np.array([x, y * c, y * s])
    got = spatial_rod.tip(1.5, (50.0, 20.0, 20.0), (1.0, 2.0, 2.0), (0.5, 3.0 * c, 3.0 * s), (0, 0, 0), near=exact + 0.05)
    assert_allclose(got, exact, rtol=0, atol=1e-7)
    circle = spatial_rod.tip(2.0, (1.0, 1.0, 1.0), (7.0, 5.0, 3.0), (0, 0, 0), (0, 0, 3.0 * np.pi), near=(0, 0, 0))
    assert_allclose(circle, (0.0, 0.0, 0.0), rtol=0, atol=1e-7)


def test_reissner_tip_moment_rolls_up():
    circle = reissner.tip_moment(2.0, reissner.Stiffness(EA=1.0, GA=1.0, EI=3.0), 2.0 * np.pi * 3.0 / 2.0)
    assert_allclose(circle.displacement, (-2.0, 0.0), rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("ends", "equation"),
    [
        (("clamped", "free"), lambda b: np.cos(b) + 1.0 / np.cosh(b)),
        (("free", "free"), lambda b: np.cos(b) - 1.0 / np.cosh(b)),
        (("clamped", "clamped"), lambda b: np.cos(b) - 1.0 / np.cosh(b)),
        (("pinned", "pinned"), np.sin),
        (("clamped", "pinned"), lambda b: np.sin(b) * np.cosh(b) - np.cos(b) * np.sinh(b)),
    ],
)  # fmt: skip
def test_timoshenko_tends_to_euler_bernoulli(ends: tuple[str, str], equation):
    """(beta l)^2 sqrt(EI/rho A)/l^2 with the textbooks' frequency equations."""
    grid = np.arange(1.0, 20.0, 0.1)
    values = [equation(b) for b in grid]
    roots = [brentq(equation, grid[i], grid[i + 1]) for i in range(len(grid) - 1) if values[i] * values[i + 1] < 0.0][:3]
    thin = timoshenko.Beam(length=1.7, EI=2.0, GA=1e9, mass=0.8, inertia=1e-9)
    assert_allclose(timoshenko.bending(thin, ends, 3), np.square(roots) * np.sqrt(2.0 / 0.8) / 1.7**2, rtol=1e-6)


def test_timoshenko_pinned_beam_in_closed_form():
    """Modes sin(n pi x/l), cos(n pi x/l): a quadratic in om^2 (Timoshenko 1921)."""
    b = timoshenko.Beam(length=1.2, EI=3.0, GA=60.0, mass=0.9, inertia=0.02)
    expected = []
    for n in (1, 2, 3):
        k = n * np.pi / b.length
        # (GA k^2 - m om^2) (EI k^2 + GA - I om^2) = GA^2 k^2
        quadratic = [b.mass * b.inertia, -(b.mass * (b.EI * k**2 + b.GA) + b.inertia * b.GA * k**2), b.GA * b.EI * k**4]
        expected.append(np.sqrt(np.roots(quadratic).real.min()))
    assert_allclose(timoshenko.bending(b, ("pinned", "pinned"), 3), expected, rtol=1e-9)
