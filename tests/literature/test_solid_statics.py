"""Solids against closed forms and published values: thick ring, Cook's membrane, bending, torsion."""

from __future__ import annotations

import numpy as np
import pytest

import fmbs as fm
from fmbs.elements.solid.block import block_mesh

Array = np.ndarray
STEEL = fm.Material(E=2e11, nu=0.3, density=7800.0)
INNER, OUTER, HEIGHT = 0.1, 0.2, 0.05  # m


def held(solid: fm.Solid, name: str, kind: str) -> fm.Model:
    """A set of nodes fixed to the ground, as a rigid part or on average."""
    m = fm.Model("held")
    m.add(solid)
    root = solid.interface(name, kind=kind)
    m.add(fm.Fixed(m.ground.at(*root.position), root, name="wall"))
    return m


def ring(kind: str, divisions: tuple[int, int, int]) -> fm.Solid:
    """A closed ring, from a block whose ends y- and y+ are merged."""
    mesh = block_mesh("ring", (1.0, 1.0, 1.0), divisions, kind, (0.0, 0.0, 0.0))
    r, angle = INNER + (OUTER - INNER) * mesh.points[:, 0], 2.0 * np.pi * mesh.points[:, 1]
    x = np.column_stack([r * np.cos(angle), r * np.sin(angle), HEIGHT * mesh.points[:, 2]])
    _, first, number = np.unique(np.round(x / 1e-9).astype(np.int64), axis=0, return_index=True, return_inverse=True)
    sets = {name: np.unique(number[nodes]) for name, nodes in mesh.sets.items() if not name.startswith("y")}
    return fm.Solid("ring", x[first], {name: number[c] for name, c in mesh.cells.items()}, sets=sets, material=STEEL)


@pytest.mark.parametrize(("kind", "allowed"), [("hexahedron20", 0.002), ("tetra10", 0.002), ("hexahedron27", 0.002)])
def test_thick_ring(kind: str, allowed: float):
    """Lame's ring with open ends under inner pressure (Timoshenko & Goodier 1970, art. 28): the bore widens, hoop stress."""
    solid, p = ring(kind, (2, 12, 1)), 1e6
    m = held(solid, "z-", "average")
    m.add(fm.Pressure(solid, "x-", p))
    sol = m.equilibrium()
    ratio = p * INNER**2 / (OUTER**2 - INNER**2)
    exact = ratio / STEEL.E * ((1.0 - STEEL.nu) * INNER + (1.0 + STEEL.nu) * OUTER**2 / INNER)
    bore, rim = (solid.mesh.nodes_of("ring", name) for name in ("x-", "x+"))
    widening = np.linalg.norm(solid.positions(sol.q[-1])[bore, :2], axis=1) - INNER
    assert widening.mean() == pytest.approx(exact, rel=allowed)
    fields = solid.volume().snapshot(sol.q[-1], sol.v[-1]).fields
    inside = ratio * (1.0 + (OUTER / INNER) ** 2)
    assert fields["principal_stress"][bore, 0].mean() == pytest.approx(inside, rel=0.05)
    assert fields["principal_stress"][rim, 0].mean() == pytest.approx(2.0 * ratio, rel=0.05)
    assert fields["von_mises"][bore].mean() == pytest.approx(np.sqrt(inside**2 + inside * p + p**2), rel=0.06)


@pytest.mark.parametrize(
    ("kind", "n", "allowed"), [("hexahedron", 8, 0.025), ("hexahedron20", 4, 0.025), ("tetra10", 8, 0.015)]
)
def test_cooks_membrane(kind: str, n: int, allowed: float):
    """Middle of the loaded side of Cook's panel: 23.96 for E = 1, nu = 1/3, plane stress (Simo & Rifai 1990); it is 1 thick."""
    mesh = block_mesh("panel", (1.0, 1.0, 1.0), (n, n, 1), kind, (0.0, 0.0, 0.0))
    x, y, z = mesh.points.T
    points = np.column_stack([48.0 * x, 44.0 * x + y * (44.0 * (1.0 - x) + 16.0 * x), z])
    solid = fm.Solid("panel", points, mesh.cells, sets=mesh.sets, material=fm.Material(E=1.0, nu=1.0 / 3.0, density=1.0))
    m, force = held(solid, "x-", "rigid"), 1e-5
    m.add(fm.PointForce(solid.interface("x+", kind="average"), (0.0, force, 0.0)))
    sol = m.equilibrium()
    middle = np.flatnonzero(np.linalg.norm(points[:, :2] - (48.0, 52.0), axis=1) < 1e-9)
    moved = (solid.positions(sol.q[-1]) - points)[middle, 1].mean() / force
    assert moved == pytest.approx(23.96, rel=allowed)


@pytest.mark.parametrize("kind", ["hexahedron", "hexahedron20", "tetra10"])
def test_twisted_bar(kind: str):
    """A square bar away from its ends: theta' = T / (0.1406 a^4 G) (Timoshenko & Goodier 1970, art. 109)."""
    a, length, torque = 0.1, 1.0, 1e4
    divisions = {"hexahedron": (8, 6, 6), "hexahedron20": (8, 3, 3), "tetra10": (8, 3, 3)}[kind]
    solid = fm.Solid.block("bar", size=(length, a, a), divisions=divisions, kind=kind, material=STEEL)
    m = held(solid, "x-", "average")
    m.add(fm.Torque(solid.interface("x+", kind="average"), (torque, 0.0, 0.0)))
    sol = m.equilibrium()
    x = solid.positions(sol.q[-1])
    angles = []
    for place in (0.25, 0.75):
        corner = np.flatnonzero(np.abs(solid.mesh.points - (place, a, a)).max(axis=1) < 1e-9)[0]
        before, after = (y[corner, 1:] - a / 2.0 for y in (solid.mesh.points, x))
        angles.append(np.arctan2(after[1], after[0]) - np.arctan2(before[1], before[0]))
    assert angles[1] - angles[0] == pytest.approx(0.5 * torque / (0.1406 * a**4 * STEEL.G), rel=0.03)


@pytest.mark.parametrize("second", ["solid", "beam", "rigid body"])
def test_cantilever_of_two_parts(second: str):
    """A slender bar welded from a solid and another half: the deflection P l^3 / 3 EI, of a stiff half 7/8 of it."""
    side, force, half = 0.05, 100.0, (0.5, 0.05, 0.05)
    first = fm.Solid.block("first", size=half, divisions=(8, 1, 1), material=STEEL)
    m = held(first, "x-", "rigid")
    middle, tip = (0.5, side / 2.0, side / 2.0), (1.0, side / 2.0, side / 2.0)
    other: fm.Solid | fm.Beam | fm.RigidBody
    if second == "solid":
        other = fm.Solid.block("second", size=half, corner=(0.5, 0.0, 0.0), divisions=(8, 1, 1), material=STEEL)
        joined, end = other.interface("x-"), other.interface("x+", kind="average")
    elif second == "beam":
        other = fm.Beam("second", start=middle, end=tip, section=fm.Rectangle(side, side), material=STEEL, elements=2)
        joined, end = other.start, other.end
    else:
        other = fm.RigidBody("second", mass=1.0, inertia=(0.1, 0.1, 0.1), com=middle)
        joined, end = other.at(*middle), other.at(*tip)
    m.add(other)
    m.add(fm.Fixed(first.interface("x+"), joined, name="weld"))
    m.add(fm.PointForce(end, (0.0, 0.0, -force)))
    sol = m.equilibrium()
    exact = force / (3.0 * STEEL.E * side**4 / 12.0) * (0.875 if second == "rigid body" else 1.0)
    assert tip[2] - sol.position(end)[-1, 2] == pytest.approx(exact, rel=0.03)
    assert sol.reaction("weld").moment[-1, 1] == pytest.approx(-0.5 * force, rel=1e-4)


def test_quadratic_cells_converge_fast():
    """Tip of a cantilever without lateral strains at its clamp (nu = 0): at least order 3 against a fine mesh."""
    material, force = fm.Material(E=2e11, nu=0.0, density=7800.0), 1e3

    def deflection(kind: str, n: int) -> float:
        solid = fm.Solid.block("bar", size=(1.0, 0.2, 0.1), divisions=(n, 1, 1), kind=kind, material=material)
        m = held(solid, "x-", "rigid")
        end = solid.interface("x+", kind="average")
        m.add(fm.PointForce(end, (0.0, 0.0, -force)))
        return 0.05 - float(m.equilibrium().position(end)[-1, 2])

    for kind in ("hexahedron20", "hexahedron27"):
        fine = deflection(kind, 32)
        errors = [abs(deflection(kind, n) / fine - 1.0) for n in (2, 4, 8)]
        orders = np.log2(np.divide(errors[:-1], errors[1:]))
        assert errors[-1] < 1e-3 and orders[-1] > 3.0, (kind, errors, orders)


@pytest.mark.parametrize("nu", [0.3, 0.4999])
@pytest.mark.parametrize(("kind", "divisions", "allowed"), [
    ("hexahedron", (16, 2, 2), 0.04), ("hexahedron20", (8, 1, 1), 0.003), ("hexahedron27", (8, 1, 1), 0.003),
    ("tetra10", (8, 1, 1), 0.012),
])  # fmt: skip
def test_bending_up_to_incompressible(kind: str, divisions: tuple[int, int, int], allowed: float, nu: float):
    """A bar held on average at one face of one cell, Timoshenko's deflection: no locking, and no warping where it is held."""
    material, force, side = fm.Material(E=2e9, nu=nu, density=1000.0), 10.0, 0.1
    solid = fm.Solid.block("bar", size=(1.0, side, side), divisions=divisions, kind=kind, material=material)
    m = held(solid, "x-", "average")
    end = solid.interface("x+", kind="average")
    m.add(fm.PointForce(end, (0.0, 0.0, -force)))
    deflection = side / 2.0 - m.equilibrium().position(end)[-1, 2]
    exact = force / (3.0 * material.E * side**4 / 12.0) + force / (5.0 / 6.0 * material.G * side**2)
    assert deflection == pytest.approx(exact, rel=allowed)


@pytest.mark.filterwarnings("ignore::fmbs.UnstableEquilibrium")  # a moment about a fixed axis has no potential
@pytest.mark.parametrize(("kind", "elements"), [("hexahedron", 24), pytest.param("hexahedron20", 30, marks=pytest.mark.slow)])
def test_roll_up(kind: str, elements: int):
    """A moment of 2 pi EI / l bends a slender bar into a ring; its strains are 6 %."""
    side, material = 0.02, fm.Material(E=2e9, nu=0.0, density=1000.0)
    solid = fm.Solid.block("bar", size=(1.0, side, side), divisions=(elements, 1, 1), kind=kind, material=material)
    m = held(solid, "x-", "rigid")
    end = solid.interface("x+")
    m.add(fm.Torque(end, (0.0, -2.0 * np.pi * material.E * side**4 / 12.0, 0.0)))
    sol = m.equilibrium()
    assert np.linalg.norm(sol.position(end)[-1] - (0.0, side / 2.0, side / 2.0)) < 0.012
    assert sol.rotation(end)[-1][0, 0] > 0.998
