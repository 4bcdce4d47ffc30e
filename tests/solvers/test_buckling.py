"""Critical load factors against closed forms."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.core.state import State
from fmbs.results.solution import Statistics
from fmbs.solvers.modes import DENSE_LIMIT

STEEL = fm.Material(E=2.1e11, nu=0.3, density=7850.0)
SQUARE = fm.Rectangle(0.01, 0.01)
EI = STEEL.E * SQUARE.Iz
ENDS = {  # k l of the two lowest modes
    "fixed-free": (np.pi / 2.0, 3.0 * np.pi / 2.0), "pinned-pinned": (np.pi, 2.0 * np.pi),
    "fixed-pinned": (4.493409458, 7.725251837), "fixed-fixed": (2.0 * np.pi, 8.986818916),
}  # fmt: skip


def column(ends: str, *, planar: bool = True, load: float = 1.0, section: fm.Section = SQUARE, **given: Any) -> fm.Model:
    """1 m along x, pressed together by a force; in the plane, or in space with a section that bends in y first."""
    m, make, z = fm.Model("column"), fm.PlanarBeam if planar else fm.Beam, () if planar else (0.0,)
    options = {"section": section, "material": STEEL, "elements": 8, **given}
    beam = m.add(make("beam", start=(0.0, 0.0, *z), end=(1.0, 0.0, *z), **options))
    near, far = m.ground.at(0.0, 0.0, *z), m.ground.at(1.0, 0.0, *z)
    axis, hinge = (1.0, 0.0, *z), {} if planar else {"axis": (0.0, 0.0, 1.0)}
    m.add(fm.Fixed(near, beam.start) if ends.startswith("fixed") else fm.Revolute(near, beam.start, **hinge))
    if ends.endswith("fixed"):
        m.add(fm.Prismatic(far, beam.end, axis=axis))
    elif ends.endswith("pinned"):
        m.add(fm.PointOnLine(far, beam.end, axis=axis))
    m.add(fm.PointForce(beam.end, (-load, 0.0, *z)))
    return m


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("load", [1.0, 1e6])
def test_euler_columns(ends: str, load: float) -> None:
    """(k l)^2 EI/l^2 to 0.1 %, the second mode to 0.2 %, whatever the size of the force that is drawn."""
    got = column(ends, load=load).buckling(2)
    exact = np.square(ENDS[ends]) * EI / load
    assert_allclose(got.factors, exact, rtol=2e-3)
    assert_allclose(got.factors[0], exact[0], rtol=1e-3)


@pytest.mark.parametrize(
    ("interpolation", "formulation"),
    [("cubic", "structural"), ("quadratic", "structural"), ("cubic", "enhanced"), ("hermite", "structural")],
)
def test_columns_in_space(interpolation: str, formulation: str) -> None:
    """Shear takes EI/GA k^2 = 0.02 %; 0.5 % is asked of elements that tend to the same limit at different speeds."""
    section = fm.Rectangle(0.01, 0.02)
    given = {"interpolation": interpolation, "formulation": formulation, "elements": 24}
    got = column("fixed-free", planar=False, section=section, **given).buckling(1)
    assert_allclose(got.factors, (np.pi / 2.0) ** 2 * STEEL.E * section.Iz, rtol=5e-3)


def test_square_column_gives_way_in_both_directions() -> None:
    """Equal factors, each with its own shape."""
    got = column("fixed-free", planar=False).buckling(2)
    assert_allclose(got.factors, (np.pi / 2.0) ** 2 * EI, rtol=1e-3)
    assert np.linalg.matrix_rank(got.shapes, tol=1e-3) == 2
    assert_allclose(np.abs(got.shapes).max(axis=0), 1.0, rtol=0.7)  # the tip's slope is pi/2 times its way


def test_shape_is_that_of_the_column() -> None:
    """1 - cos(pi x / 2 l), to 1e-4 of the tip's way."""
    m = column("fixed-free")
    got, system = m.buckling(1), m.system()
    beam, x = m["beam"], np.linspace(0.0, 1.0, 9)
    start = fm.Solution.from_states(system, [_state(system, 0.0 * got.shapes[:, 0])], Statistics())
    bent = fm.Solution.from_states(system, [_state(system, got.shapes[:, 0])], Statistics())
    way = np.array([(bent.position(beam.at(s)) - start.position(beam.at(s)))[0, 1] for s in x])
    assert_allclose(way / way[-1], 1.0 - np.cos(0.5 * np.pi * x), rtol=0, atol=1e-4)


def strip(ratio: float, load: float = 1.0, elements: int = 8) -> tuple[fm.Model, fm.Beam, float, float]:
    """A cantilever of 1 m, 2 mm thick and `ratio` times as high, with a force at its end; the classic load, and the exact one.

    4.0126 sqrt(EI GJ)/l^2 for a strip that does not bend before (Michell, Prandtl 1899); divided by
    sqrt((1 - EI/EI_1) (1 - GJ/EI_1)) if it does, with EI_1 in its plane (see Hodges & Peters 1975).
    """
    m, section = fm.Model("strip"), fm.Rectangle(0.002, 0.002 * ratio)
    beam = m.add(fm.Beam("strip", start=(0, 0, 0), end=(1, 0, 0), section=section, material=STEEL, elements=elements))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), beam.start))
    m.add(fm.PointForce(beam.end, (0.0, 0.0, -load)))
    across, twist, up = STEEL.E * section.Iz, STEEL.G * section.J, STEEL.E * section.Iy
    classic = 4.0126 * float(np.sqrt(across * twist))
    return m, beam, classic, classic / float(np.sqrt((1.0 - across / up) * (1.0 - twist / up)))


@pytest.mark.parametrize("load", [1e-3, 1e3])
def test_lateral_buckling_of_a_strip(load: float) -> None:
    """Within 0.5 % of 4.0126 sqrt(EI GJ)/l^2 (measured: 0.05 %); the second mode, a zero of J_-1/4 too, at 10.25."""
    m, _, classic, _ = strip(30.0, load)
    got = m.buckling(2).factors * load
    assert_allclose(got[0], classic, rtol=5e-3)
    assert_allclose(got[1], classic * 10.246 / 4.0126, rtol=5e-3)


@pytest.mark.parametrize("ratio", [10.0, 20.0])
def test_bending_before_buckling_counts(ratio: float) -> None:
    """From the unloaded strip and from the equilibrium under 90 % of the classic load: the same to 0.05 %, and what the closed
    form says, which is of first order in the deflection, to 0.3 %. At that load the equilibrium ceases to be stable.
    """
    _, _, classic, exact = strip(ratio)
    load = float(strip(ratio)[0].buckling(1).factors[0])
    assert_allclose(load, exact, rtol=3e-3)
    m, *_ = strip(ratio, 0.9 * classic)
    assert_allclose(0.9 * classic * m.buckling(1, at=m.equilibrium()).factors, load, rtol=5e-4)
    strip(ratio, 0.999 * load)[0].equilibrium()  # warnings are errors
    with pytest.warns(fm.UnstableEquilibrium, match="one direction"):
        strip(ratio, 1.001 * load)[0].equilibrium()


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("load", [1.0, 1e5])
def test_beam_that_is_only_bent_does_not_buckle(planar: bool, load: float) -> None:
    """A square cantilever under a force across it. The series of its tangent has roots from P l^2/EI = 0.16 on, all false."""
    m, make, z = fm.Model("cantilever"), fm.PlanarBeam if planar else fm.Beam, () if planar else (0.0,)
    beam = m.add(make("beam", start=(0.0, 0.0, *z), end=(1.0, 0.0, *z), section=SQUARE, material=STEEL, elements=8))
    m.add(fm.Fixed(m.ground.at(0.0, 0.0, *z), beam.start))
    m.add(fm.PointForce(beam.end, (0.0, -load, *z)))
    with pytest.raises(fm.ModelError, match="no multiple of these loads"):
        m.buckling()


def test_limit_load_of_a_shallow_truss() -> None:
    """Two springs that snap through: the end of the path, to 1e-3 of the closed form; nothing beyond it."""
    m, length = fm.Model("truss"), float(np.hypot(1.0, 0.1))
    apex = m.add(fm.PlanarBody("apex", mass=1.0, inertia=1.0, com=(0.0, 0.1)))
    m.add(fm.Prismatic(m.ground.at(0.0, 0.1), apex.com, axis=(0.0, 1.0)))
    for x in (-1.0, 1.0):
        m.add(fm.SpringDamper(m.ground.at(x, 0.0), apex.com, stiffness=1e5, length=length))
    m.add(fm.PointForce(apex.com, (0.0, -1.0)))
    height = np.linspace(0.0, 0.1, 100_001)
    exact = float((2e5 * (length - np.hypot(1.0, height)) * height / np.hypot(1.0, height)).max())
    assert_allclose(m.buckling().factors, [exact], rtol=1e-3)


def test_force_that_follows_makes_a_column_flutter() -> None:
    """Beck 1952: no critical load at rest; from 20.05 EI/l^2 on the straight column flutters."""
    for load, unstable in ((19.5, False), (20.5, True)):
        m = fm.Model("Beck")
        beam = m.add(fm.PlanarBeam("beam", start=(0, 0), end=(1, 0), section=SQUARE, material=STEEL, elements=8))
        m.add(fm.Fixed(m.ground.at(0, 0), beam.start))
        m.add(fm.FollowerForce(beam.end, (-load * EI, 0.0)))
        with pytest.warns(fm.UnstableEquilibrium, match="flutters") if unstable else nullcontext():
            m.equilibrium()
        with pytest.raises(fm.ModelError, match="flutter"):
            m.buckling()


def test_dense_and_sparse_agree() -> None:
    """8 elements have 225 coordinates, 40 have 1089: the same factors, up to what the mesh makes, 1e-4."""
    few, many = (strip(30.0, elements=n)[0] for n in (8, 40))
    assert few.system().size < DENSE_LIMIT < many.system().size
    assert_allclose(few.buckling(3).factors, many.buckling(3).factors, rtol=1e-3)
    assert_allclose(many.buckling(2, linear_solver="scipy").factors, many.buckling(2).factors, rtol=1e-6)


def test_strip_with_an_imperfection_gives_way_near_its_factor() -> None:
    """Southwell 1932: a small force across that grows with the load P makes w = a P / (1 - (P / critical)^2); the square, since
    the strip bends by its twist and twists by its bending. So w / P is linear in w P with the slope 1 / critical^2.
    """
    _, _, classic, exact = strip(30.0)
    m, beam, _, _ = strip(30.0, 0.95 * classic)
    m.add(fm.PointForce(beam.end, (0.0, 1e-6 * classic, 0.0)))
    sol = m.equilibrium(load_steps=20)
    way, load = sol.position(beam.end)[:, 1], 0.95 * classic * sol.t
    assert way[-1] > 5.0 * way[9]  # at 0.95 and 0.475 of it
    slope = np.polyfit((way * load)[15:], (way / load)[15:], 1)[0]  # from 0.75 on: higher modes count less
    assert_allclose(1.0 / np.sqrt(slope), exact, rtol=0.01)


@pytest.mark.parametrize(("base", "exact"), [("fixed", 2.716459), ("pinned", 1.349556)])
def test_portal_frame_sways(base: str, exact: float) -> None:
    """Equal members: k l cot(k l) = -6 with fixed and k l tan(k l) = 6 with pinned feet (Timoshenko & Gere 1961), to 0.1 %."""
    m, given = fm.Model("portal"), {"section": SQUARE, "material": STEEL, "elements": 6}
    corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]
    parts = [m.add(fm.PlanarBeam(f"part {i}", start=corners[i], end=corners[i + 1], **given)) for i in range(3)]
    foot = fm.Fixed if base == "fixed" else fm.Revolute
    m.add(foot(m.ground.at(*corners[0]), parts[0].start))
    m.add(foot(m.ground.at(*corners[3]), parts[2].end))
    for one, other in ((0, 1), (1, 2)):
        m.add(fm.Fixed(parts[one].end, parts[other].start))
        m.add(fm.PointForce(parts[one].end, (0.0, -1.0)))
    assert_allclose(m.buckling(1).factors, exact**2 * EI, rtol=1e-3)


def test_column_under_its_own_weight() -> None:
    """Greenhill 1881: rho A g l^3/EI = 7.8373; the load is gravity."""
    m = fm.Model("mast", gravity=(0.0, -9.81))
    mast = m.add(fm.PlanarBeam("mast", start=(0, 0), end=(0, 10), section=SQUARE, material=STEEL, elements=8))
    m.add(fm.Fixed(m.ground.at(0, 0), mast.start))
    weight = STEEL.density * SQUARE.area * 9.81
    assert_allclose(m.buckling(1).factors, 7.8373 * EI / (weight * 1e3), rtol=1e-3)


def test_rigid_column_on_springs() -> None:
    """Without any deformation before: P = k l, to round-off."""
    m = fm.Model("rigid")
    body = m.add(fm.PlanarBody("bar", mass=1.0, inertia=1.0, com=(0.0, 2.0)))
    m.add(fm.Revolute(m.ground.at(0.0, 0.0), body.at(0.0, 0.0)))
    for x in (-1.0, 1.0):
        m.add(fm.SpringDamper(m.ground.at(x, 2.0), body.com, stiffness=30.0, length=1.0))
    m.add(fm.PointForce(body.com, (0.0, -5.0)))
    assert_allclose(m.buckling().factors, [60.0 * 2.0 / 5.0], rtol=1e-9)


def test_prints_a_table() -> None:
    text = str(column("fixed-free", load=100.0).buckling(2))
    assert text.splitlines()[1] == "  mode  load factor" and "4.318" in text


def _state(system: Any, change: np.ndarray) -> State:
    still = np.zeros(system.size)
    return State(0.0, system.initial_position + change, still, still, np.zeros(system.multipliers), still)
