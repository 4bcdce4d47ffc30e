"""Static equilibrium against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

import fmbs as fm
from tests.literature.mechanisms import DOUBLE, double_pendulum, pointing
from tests.oracles import statics

WEIGHT = 2.0 * 9.81


def rod(angle: float, spring: bool = True) -> tuple[fm.Model, fm.PlanarBody]:
    """Pinned to the origin, 1 m, 2 kg; its tip tied to (0.3, 1.2)."""
    m = fm.Model("rod", gravity=(0.0, -9.81))
    tip = pointing(angle)
    body = m.add(fm.PlanarBody("rod", mass=2.0, inertia=2.0 / 12, com=tip / 2, angle=angle))
    m.add(fm.Revolute(m.ground.at(0.0, 0.0), body.at(0.0, 0.0), name="pin"))
    if spring:
        m.add(fm.SpringDamper(m.ground.at(0.3, 1.2), body.at(*tip), stiffness=60.0, length=0.4))
    return m, body


@pytest.mark.parametrize("start", [-1.0, 0.0, 0.3, 2.5])
def test_rod_on_spring_finds_a_stable_equilibrium(start: float) -> None:
    """There are two stable and two unstable ones (oracle: all roots of dV/dth). Angle and pin force to 1e-9."""
    m, body = rod(start)
    sol = m.equilibrium()
    stable = [e for e in statics.rod_on_spring(1.0, 2.0, 60.0, 0.4, (0.3, 1.2)) if e.stable]
    found = min(stable, key=lambda e: abs(e.angle - sol.angle(body)[-1]))
    assert_allclose(sol.angle(body)[-1], found.angle, rtol=0, atol=1e-9)
    assert_allclose(sol.reaction("pin").force[-1], found.ground_on_rod, rtol=0, atol=1e-9 * WEIGHT)


def test_load_steps_are_frames() -> None:
    """Frame k is the equilibrium under k/4 of the weight; sol.t is the load factor."""
    m, body = rod(0.3)
    sol = m.equilibrium(load_steps=4)
    assert_allclose(sol.t, [0.25, 0.5, 0.75, 1.0])
    for factor, angle, force in zip(sol.t, sol.angle(body), sol.reaction("pin").force, strict=True):
        equilibria = statics.rod_on_spring(1.0, 2.0, 60.0, 0.4, (0.3, 1.2), g=factor * 9.81)
        found = min(equilibria, key=lambda e, angle=angle: abs(e.angle - angle))
        assert found.stable
        assert_allclose(angle, found.angle, rtol=0, atol=1e-9)
        assert_allclose(force, found.ground_on_rod, rtol=0, atol=1e-9 * WEIGHT)
    assert sol.statistics.drift < 1e-12 and sol.statistics.steps == 4


def test_applied_loads_grow_with_the_load_factor() -> None:
    """A rod without weight, its tip pulled sideways by a force that equals a weight there: it hangs along their sum."""
    m, body = rod(-np.pi / 2 + 0.1, spring=False)
    m.add(fm.PointForce(body.com, (WEIGHT, 0.0)))
    sol = m.equilibrium(load_steps=2)
    assert_allclose(sol.angle(body), -np.pi / 4, rtol=0, atol=1e-9)
    assert_allclose(sol.reaction("pin").force, np.outer([0.5, 1.0], [-WEIGHT, WEIGHT]), rtol=0, atol=1e-9 * WEIGHT)


@pytest.mark.parametrize("start", [0.0, 1.0, np.pi / 2 - 1e-3, -3.0])
def test_pendulum_drawn_anywhere_falls_down(start: float) -> None:
    """Sideways it has no stiffness at all; nearly upright Newton's method alone would stop at the top."""
    m, body = rod(start, spring=False)
    sol = m.equilibrium()
    assert_allclose(sol.position(body.com)[-1], [0.0, -0.5], rtol=0, atol=1e-9)
    assert_allclose(sol.reaction("pin").force[-1], [0.0, WEIGHT], rtol=0, atol=1e-9 * WEIGHT)


def test_double_pendulum_falls_down() -> None:
    p = double_pendulum(**DOUBLE)
    sol = p.model.equilibrium()
    assert_allclose(sol.position(p.tip)[-1], [0.0, -sum(DOUBLE["lengths"])], rtol=0, atol=1e-9)
    assert not sol.v.any()


@pytest.mark.parametrize(("links", "span", "rise"), [(5, 3.0, 0.4), (12, 7.0, -2.0), (12, 11.5, 0.0), (40, 30.0, 0.0)])
def test_hanging_chain(links: int, span: float, rise: float) -> None:
    """Rigid links of 1 m and 0.8 kg, drawn as a V. Angles to 1e-9, joint forces to 1e-9 of the weight."""
    d, base = np.hypot(span, rise), np.arctan2(rise, span)
    half, odd = divmod(links, 2)
    slope = brentq(lambda x: 2 * half * np.cos(x) + odd - d, 0.0, np.pi / 2)
    angles = np.concatenate([np.full(half, base - slope), np.full(odd, base), np.full(half, base + slope)])
    points = np.vstack([[0.0, 0.0], np.cumsum(np.stack([np.cos(angles), np.sin(angles)], axis=1), axis=0)])
    m = fm.Model("chain", gravity=(0.0, -9.81))
    bodies = [
        m.add(fm.PlanarBody(f"link {i}", mass=0.8, inertia=0.8 / 12, com=(points[i] + points[i + 1]) / 2, angle=angles[i]))
        for i in range(links)
    ]
    for i, point in enumerate(points):  # the right-hand body first: reactions act on the left-hand one, as the oracle's
        right = bodies[i].at(*point) if i < links else m.ground.at(span, rise)
        left = bodies[i - 1].at(*point) if i else m.ground.at(0.0, 0.0)
        m.add(fm.Revolute(right, left, name=f"joint {i}"))
    sol, exact = m.equilibrium(), statics.hanging_chain(links, 1.0, 0.8, span, rise)
    assert_allclose([sol.angle(body)[-1] for body in bodies], exact.angles, rtol=0, atol=1e-9)
    forces = [sol.reaction(f"joint {i}").force[-1] for i in range(links + 1)]
    assert_allclose(forces, exact.forces, rtol=0, atol=1e-9 * np.abs(exact.forces).max())
