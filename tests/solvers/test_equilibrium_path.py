"""Paths of equilibria: steps that find their size, turning points, what stops them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.solvers.equilibrium.predictor import extrapolated
from fmbs.solvers.equilibrium.statics import Point
from tests.oracles import reissner

Array = np.ndarray
STEEL = fm.Material(E=2.1e11, nu=0.3, density=7850.0)
RISE, SPAN, STRETCH = 0.1, 1.0, 1e5  # of the truss: m, m, N


def cantilever(load: float, elements: int = 8) -> tuple[fm.Model, fm.Beam, reissner.Cantilever]:
    """1 m, 10 x 10 mm, under P l^2/EI = load at its tip, across it; and Reissner's beam."""
    m, section = fm.Model("cantilever"), fm.Rectangle(0.01, 0.01)
    beam = m.add(fm.Beam("beam", start=(0, 0, 0), end=(1, 0, 0), section=section, material=STEEL, elements=elements))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), beam.start))
    force = load * STEEL.E * section.Iz
    m.add(fm.PointForce(beam.end, (0.0, force, 0.0)))
    stiffness = reissner.rectangle(STEEL.E, STEEL.nu, 0.01, 0.01, section.shear_factors(STEEL.nu)[0])
    return m, beam, reissner.tip_force(1.0, stiffness, (0.0, force))


def truss(load: float, kind: str = "springs") -> tuple[fm.Model, fm.Marker]:
    """von Mises' truss: two bars of EA = 1e5 N from (-1, 0) and (1, 0) to (0, 0.1), pushed down there by a force of `load`."""
    m, length = fm.Model("truss"), float(np.hypot(SPAN, RISE))
    if kind == "springs":
        apex = m.add(fm.PlanarBody("apex", mass=1.0, inertia=1.0, com=(0.0, RISE)))
        m.add(fm.Prismatic(m.ground.at(0.0, RISE), apex.com, axis=(0.0, 1.0)))
        for x in (-SPAN, SPAN):
            m.add(fm.SpringDamper(m.ground.at(x, 0.0), apex.com, stiffness=STRETCH / length, length=length))
        m.add(fm.PointForce(apex.com, (0.0, -load)))
        return m, apex.com
    section, material = fm.Rectangle(0.1, 0.1), fm.Material(E=STRETCH / 0.01, density=1000.0)  # too thick to buckle
    make, z = (fm.PlanarBeam, ()) if kind == "planar beams" else (fm.Cable, (0.0,))
    given: Any = {"section": section, "material": material, "elements": 2}
    bars = [m.add(make(f"bar {x}", start=(x, 0.0, *z), end=(0.0, RISE, *z), **given)) for x in (-SPAN, SPAN)]
    joint = fm.Revolute if kind == "planar beams" else fm.Spherical
    for bar, x in zip(bars, (-SPAN, SPAN), strict=True):
        m.add(joint(m.ground.at(x, 0.0, *z), bar.start))
    m.add(joint(bars[0].end, bars[1].end))
    if z:
        m.add(fm.PointOnLine(m.ground.at(0.0, 0.0, 0.0), bars[0].end, axis=(0.0, 1.0, 0.0)))
    m.add(fm.PointForce(bars[0].end, (0.0, -load, *z)))
    return m, bars[0].end


def push(height: Array) -> Array:
    """The force that holds the apex of the truss at a height."""
    length, drawn = np.hypot(SPAN, height), np.hypot(SPAN, RISE)
    return 2.0 * STRETCH / drawn * (drawn - length) * height / length


LIMIT = float(push(np.linspace(0.0, RISE, 100_001)).max())


@pytest.mark.parametrize("load", [0.1, 3.0, 10.0])
def test_whole_load_at_once(load: float) -> None:
    """m.equilibrium() alone: as many steps as it takes, Reissner's beam at the end to 1e-5."""
    m, beam, exact = cantilever(load)
    sol = m.equilibrium()
    assert sol.static and sol.t[-1] == 1.0 and (np.diff(sol.t) > 0.0).all()
    assert_allclose(sol.position(beam.end)[-1, :2] - (1.0, 0.0), exact.displacement, rtol=0, atol=1e-5)
    assert len(sol) == sol.statistics.steps == (1 if load < 1.0 else len(sol)) < 60


def test_every_frame_is_an_equilibrium() -> None:
    """The force in the clamp is the load factor times the load, to the 1e-8 that the stopping test asks for."""
    m, _, _ = cantilever(10.0)
    sol = m.equilibrium()
    pull = sol.reaction(sol.system.joints[0]).force[:, 1]
    assert len(sol) > 3
    assert_allclose(pull, -sol.t * 10.0 * STEEL.E * 0.01**4 / 12.0, rtol=1e-8)


def test_load_steps_keep_their_frames_and_find_what_lies_between() -> None:
    """Two load steps are too long for Newton's method: frames are there all the same, the same as those of a free path."""
    m, beam, exact = cantilever(10.0)
    sol = m.equilibrium(load_steps=2)
    assert_allclose(sol.t, [0.5, 1.0])
    assert sol.statistics.steps > 2
    assert_allclose(sol.position(beam.end)[-1, :2] - (1.0, 0.0), exact.displacement, rtol=0, atol=1e-5)


def test_tolerance_and_iterations() -> None:
    """What is returned is balanced, however loose the tolerance; few iterations make many steps."""
    m, beam, _ = cantilever(3.0)
    tips = [m.equilibrium(**given).position(beam.end)[-1] for given in ({}, {"tolerance": 0.1}, {"max_iterations": 5})]
    assert_allclose(tips[1], tips[0], rtol=0, atol=1e-7)
    assert_allclose(tips[2], tips[0], rtol=0, atol=1e-10)
    few, many = (m.equilibrium(max_iterations=n).statistics.steps for n in (50, 5))
    assert many > few


@pytest.mark.parametrize("kind", ["springs", "planar beams", "cables"])
def test_path_with_a_turning_point_ends_there(kind: str) -> None:
    """The load grows to within 1e-3 of the limit load, and no equilibrium beyond is passed off as the next one."""
    m, apex = truss(1.5 * LIMIT, kind)
    with pytest.raises(fm.ConvergenceError, match="follow='arc'") as caught:
        m.equilibrium()
    sol = caught.value.solution
    assert caught.value.status is fm.Status.NO_EQUILIBRIUM
    assert caught.value.time == sol.t[-1] and f"{sol.t[-1]:.6g}" in str(caught.value)
    assert_allclose(sol.t[-1], 1.0 / 1.5, rtol=1e-3)
    assert_allclose(push(sol.position(apex)[:, 1]), sol.t * 1.5 * LIMIT, rtol=1e-6)


@pytest.mark.parametrize("kind", ["springs", "planar beams", "cables"])
@pytest.mark.parametrize("load", [0.9, 1.5, 20.0])
def test_arc_follows_the_truss_through(kind: str, load: float) -> None:
    """Every frame on the closed form, to 1e-6 of the limit load; the whole curve with both its turning points."""
    m, apex = truss(load * LIMIT, kind)
    sol = m.equilibrium(follow="arc")
    height, force = sol.position(apex)[:, 1], sol.t * load * LIMIT
    assert sol.t[-1] == 1.0
    assert_allclose(force, push(height), rtol=0, atol=1e-6 * LIMIT)
    assert (np.diff(height) < 0.0).all()
    if load > 1.0:
        assert height[-1] < -RISE and np.diff(sol.t).min() < 0.0 < sol.t[0]
        assert force.min() < -0.8 * LIMIT  # snap-through: the truss holds back
    else:
        assert_allclose(height[-1], m.equilibrium().position(apex)[-1, 1], rtol=1e-9)


def test_lee_frame() -> None:
    """Lee, Manuel & Rossow 1968: an angle hinged at both ends, pushed near its corner, snaps back. Limit load 18.55 EI/l^2.

    The load path ends within 1e-3 of it; along the arc the point of the load comes back while it falls, to 5 % of the limit of
    -9.4 EI/l^2: frames lie where they lie.
    """
    area, inertia, length, E = 6.0, 2.0, 120.0, 720.0
    section = fm.Rectangle(float(np.sqrt(12.0 * inertia / area)), float(np.sqrt(area**3 / (12.0 * inertia))))
    given: Any = {"section": section, "material": fm.Material(E=E, density=1.0), "elements": 10}
    m = fm.Model("angle")
    column = m.add(fm.PlanarBeam("column", start=(0, 0), end=(0, length), **given))
    beam = m.add(fm.PlanarBeam("beam", start=(0, length), end=(length, length), **given))
    m.add(fm.Revolute(m.ground.at(0, 0), column.start))
    m.add(fm.Fixed(column.end, beam.start))
    m.add(fm.Revolute(m.ground.at(length, length), beam.end))
    unit = E * inertia / length**2
    m.add(fm.PointForce(beam.at(0.2), (0.0, -30.0 * unit)))
    with pytest.raises(fm.ConvergenceError) as caught:
        m.equilibrium()
    assert_allclose(30.0 * caught.value.time, 18.55, rtol=1e-3)
    sol = m.equilibrium(follow="arc")
    deflection = length - sol.position(beam.at(0.2))[:, 1]
    assert_allclose(30.0 * sol.t.min(), -9.4, rtol=0.05)
    assert np.diff(deflection).min() < 0.0  # snap-back


def test_path_beyond_a_bifurcation_warns() -> None:
    """A straight column under 1.2 of Euler's load is in equilibrium and would not stay there; with an imperfection it bends."""
    section, m = fm.Rectangle(0.01, 0.01), fm.Model("column")
    beam = m.add(fm.PlanarBeam("beam", start=(0, 0), end=(1, 0), section=section, material=STEEL, elements=4))
    m.add(fm.Fixed(m.ground.at(0, 0), beam.start))
    load = 1.2 * np.pi**2 / 4.0 * STEEL.E * section.Iz
    m.add(fm.PointForce(beam.end, (-load, 0.0)))
    with pytest.warns(fm.UnstableEquilibrium, match="one direction"):
        straight = m.equilibrium()
    assert abs(straight.position(beam.end)[-1, 1]) < 1e-9
    m.add(fm.PointForce(beam.end, (0.0, 1e-4 * load)))
    bent = m.equilibrium()
    assert bent.position(beam.end)[-1, 1] > 0.5  # the elastica's tip at 1.2: 0.65


def test_numerical_tangent_and_other_solvers() -> None:
    m, beam, _ = cantilever(3.0, elements=4)
    expected = m.equilibrium().position(beam.end)[-1]
    for given in ({"tangent": "numerical"}, {"linear_solver": "scipy"}, {"linear_solver": "dense"}, {"load_steps": 3}):
        assert_allclose(m.equilibrium(**given).position(beam.end)[-1], expected, rtol=0, atol=1e-9)


def test_guess_is_exact_for_a_cubic() -> None:
    loads = [0.0, 0.1, 0.11, 0.3, 0.4]  # 0.11 is too close to 0.1 for a step of 0.2
    path = [Point(x, np.array([x**3 - 2.0 * x, 1.0]), np.array([x**2])) for x in loads]
    guess = extrapolated(path, 0.6)
    assert_allclose(guess.q, [0.6**3 - 1.2, 1.0], rtol=1e-12)
    assert_allclose(guess.lam, [0.36], rtol=1e-12)
