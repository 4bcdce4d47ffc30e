"""Points on planes and along flexible links."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import fmbs as fm
from tests.test_bad_input import refused

STEEL = fm.Material(E=2e11, nu=0.3, density=7800.0)


def test_point_slides_down_a_plane():
    m = fm.Model("plane", gravity=(0, 0, -9.81))
    n = np.array([0.0, -np.sin(0.3), np.cos(0.3)])
    ball = m.add(fm.RigidBody("ball", mass=2.0, inertia=(0.1, 0.1, 0.1)))
    plane = m.add(fm.PointOnPlane(m.ground.at(0, 0, 0), ball.com, normal=n))
    sol = m.simulate(0.5, step=5e-3)
    assert_allclose(sol.position(ball.com) @ n, 0.0, rtol=0, atol=1e-12)
    assert_allclose(sol.position(ball.com)[-1, 1], -0.5 * 9.81 * np.sin(0.3) * np.cos(0.3) * 0.25, rtol=1e-9)
    assert_allclose(sol.reaction(plane).force, 2.0 * 9.81 * np.cos(0.3) * np.tile(n, (len(sol), 1)), rtol=0, atol=1e-9)
    flat = m.add(fm.PlanarBody("flat", mass=1.0, inertia=1.0, com=(0, 0)))
    refused("PointOnPlane | no planar", fm.PointOnPlane, m.ground.at(0, 0), flat.com, normal=(0, 1, 0))


def test_mass_that_crosses_a_beam():
    """A bead crosses a simply supported beam with 4 m/s: eight modes of Euler's beam with the moving mass by DOP853."""
    length, side, mass, speed, g = 2.0, 0.02, 1.5, 4.0, 9.81
    m = fm.Model("bridge", gravity=(0, -g))
    deck = m.add(
        fm.PlanarBeam("deck", start=(0, 0), end=(length, 0), section=fm.Rectangle(side, side), material=STEEL, elements=8)
    )
    bead = m.add(fm.PlanarBody("bead", mass=mass, inertia=1e-4, com=(0, 0), velocity=(speed, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), deck.start))
    m.add(fm.PointOnLine(m.ground.at(length, 0), deck.end, axis=(1, 0)))
    slide = m.add(fm.PointOnBeam(deck.start, bead.com, name="bead on deck"))
    sol = m.simulate(0.48, step=1e-3)

    k = np.arange(1, 9)
    rho_a, bending = 7800.0 * side**2, 2e11 * side**4 / 12.0
    weight = -rho_a * g * length / (k * np.pi) * (1.0 - (-1.0) ** k)

    def rates(t, y):  # w = sum y_k sin(k pi x/l); the bead's w'' is w_tt + 2 v w_xt + v^2 w_xx
        s, c = np.sin(k * np.pi * speed * t / length), k * np.pi / length * np.cos(k * np.pi * speed * t / length)
        bend = -((k * np.pi / length) ** 2) * s
        inertia = np.diag(np.full(8, rho_a * length / 2)) + mass * np.outer(s, s)
        stiffness = bending * (k * np.pi / length) ** 4 * length / 2
        force = weight - mass * g * s - stiffness * y[:8]
        force -= mass * s * (2.0 * speed * (c @ y[8:]) + speed**2 * (bend @ y[:8]))
        return np.concatenate([y[8:], np.linalg.solve(inertia, force)])

    done = solve_ivp(rates, (0, 0.48), np.zeros(16), method="DOP853", rtol=1e-8, atol=1e-10, t_eval=sol.t)
    middle = sol.position(deck.at(0.5))[:, 1]
    expected = np.sin(k * np.pi / 2) @ done.y[:8]
    assert np.abs(expected).max() > 5e-3
    assert_allclose(middle, expected, rtol=0, atol=0.01 * np.abs(expected).max())  # the bead's own speed changes a little
    assert_allclose(sol.coordinate(slide), speed * sol.t, rtol=0, atol=0.01)
    assert not sol.notes
    assert np.abs(sol.energy.balance).max() < 2e-4 * np.abs(sol.energy.elastic).max()


@pytest.mark.parametrize("kind", ["beam", "cable"])
def test_bead_on_an_incline(kind: str, tmp_path):
    """Stiff links: s = g sin(a) t^2 / 2, and the normal force m g cos(a)."""
    m = fm.Model("incline", gravity=(0, 0, -9.81))
    given = {"start": (0, 0, 0), "end": (1, 0, -0.3), "section": fm.Rectangle(0.02, 0.02), "material": STEEL, "elements": 3}
    link = m.add((fm.Beam if kind == "beam" else fm.Cable)("rod", **given))
    bead = m.add(fm.RigidBody("bead", mass=0.1, inertia=(1e-5, 1e-5, 1e-5), com=(0.1, 0, -0.03)))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), link.start))
    m.add(fm.Spherical(m.ground.at(1, 0, -0.3), link.end))
    slide = m.add(fm.PointOnBeam(link.at(0.1), bead.com, name="slide"))
    sol = m.simulate(0.9, step=3e-3)
    angle = np.arctan(0.3)
    inside = sol.coordinate(slide) < 0.95 * slide.length
    expected = 0.1 * slide.length + 0.5 * 9.81 * np.sin(angle) * sol.t**2
    assert_allclose(sol.coordinate(slide)[inside], expected[inside], rtol=0, atol=2e-3)
    normal = np.linalg.norm(sol.reaction(slide).force[inside], axis=1)
    assert normal.mean() == pytest.approx(0.1 * 9.81 * np.cos(angle), rel=0.02)
    assert any("beyond an end of 'rod'" in note for note in sol.notes)
    sol.save(tmp_path / "run.h5")
    again = fm.load(tmp_path / "run.h5")
    assert_allclose(again.reaction("slide").force, sol.reaction(slide).force, rtol=0, atol=0)


def test_bad_input():
    m = fm.Model("m")
    one, two = (m.add(fm.PlanarBody(name, mass=1.0, inertia=1.0, com=(x, 0))) for name, x in (("one", 0.0), ("two", 1.0)))
    refused("PointOnBeam | a = one.at(0, 0) | not a place on a flexible link | beam.at(s)", fm.PointOnBeam, one.com, two.com)
