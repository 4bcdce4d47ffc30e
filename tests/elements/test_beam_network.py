"""Beam networks: nodes that struts share, against fm.Beam, closed forms and a published frame; input that is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import fmbs as fm
from fmbs.assembly.system import Coefficients
from tests.conftest import require

Array = np.ndarray
STEEL = fm.Material(E=207e9, nu=0.3, density=7800.0, damping=1e-4)
BAR = fm.Rectangle(y=0.05, z=0.03)
EI = STEEL.E * BAR.Iz
CORNER = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0)]


def network(nodes: Any, struts: Any, **options: Any) -> fm.BeamNetwork:
    return fm.BeamNetwork("frame", nodes=nodes, struts=struts, **{"section": BAR, "material": STEEL, **options})


def clamped(body: fm.BeamNetwork, *nodes: int, gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> fm.Model:
    m = fm.Model("frame", gravity=gravity)
    m.add(body)
    for k in nodes:
        m.add(fm.Fixed(m.ground.at(*body.points[k]), body.node(k)))
    return m


def crooked(**options: Any) -> fm.BeamNetwork:
    """Corners, a branch, a node at which a strut goes straight on, and two sections."""
    nodes = [(0, 0, 0), (1, 0, 0), (1, 1, 0.2), (0.3, -0.4, 1.0), (2, 0, 0), (3, 0, 0)]
    given = {
        "section": {"bar": BAR, "wire": fm.Circle(0.02)},
        "tags": ["bar", "bar", "wire", "wire", "bar", "bar"],
        "elements": 2,
    }
    struts = [(0, 1), (1, 2), (0, 3), (2, 4), (1, 4), (4, 5)]
    return network(**{"nodes": nodes, "struts": struts, **given, **options})


@pytest.mark.parametrize("interpolation", ["quadratic", "cubic"])
def test_a_straight_chain_is_a_beam(interpolation: str) -> None:
    """Forces, tangents, mass and weight of fm.Beam with as many elements, to round-off, far from the drawn shape."""
    x = np.linspace(0.0, 2.0, 5)
    points = np.column_stack([x, 0.0 * x, 0.0 * x])
    chain = network(points, [(k, k + 1) for k in range(4)], interpolation=interpolation)
    beam = fm.Beam("beam", start=(0, 0, 0), end=(2, 0, 0), section=BAR, material=STEEL, elements=4, interpolation=interpolation)
    systems = []
    for part in (chain, beam):
        m = fm.Model("one", gravity=(1.0, 2.0, -9.81))
        m.add(part)
        systems.append(m.system())
    one, other = systems
    assert_allclose(one.initial_position, other.initial_position, atol=1e-15)
    rng = np.random.default_rng(3)
    q, v = one.initial_position + 0.05 * rng.standard_normal(one.size), rng.standard_normal(one.size)
    assert_allclose(one.mass_matrix.toarray(), other.mass_matrix.toarray(), atol=1e-14 * one.mass_matrix.max())
    assert_allclose(one.weight, other.weight, atol=1e-12)
    force = other.force(0.0, q, v)
    assert_allclose(one.force(0.0, q, v), force, atol=1e-12 * np.abs(force).max())
    c = Coefficients(0.7, 1.3, 0.9, 1.0, 1.0)
    matrices = [system.jacobian(0.0, q, v, np.zeros(0), c).toarray() for system in systems]
    assert_allclose(matrices[0], matrices[1], atol=1e-12 * np.abs(matrices[1]).max())


def test_tangent_energy_and_rigid_motion() -> None:
    """Exact tangents against differences, forces against the energy's slope, damping against power; none when turned."""
    system = clamped(crooked()).system()
    rng = np.random.default_rng(0)
    q, v = system.initial_position + 0.05 * rng.standard_normal(system.size), rng.standard_normal(system.size)
    c, none = Coefficients(0.7, 1.3, 0.9, 1.0, 1.0), np.zeros(0)
    exact, differences = (system.jacobian(0.0, q, v, none, c, tangent).toarray() for tangent in ("exact", "numerical"))
    assert_allclose(exact, differences, atol=1e-7 * np.abs(exact).max())
    way, h, elements = 1e-2 * rng.standard_normal(system.size), 1e-6, system.elements[0]
    slope = (elements.energy(0.0, q + h * way, 0.0 * v).stored - elements.energy(0.0, q - h * way, 0.0 * v).stored) / (2.0 * h)
    assert_allclose(system.force(0.0, q, 0.0 * v) @ way, slope, rtol=1e-6)
    power = (system.force(0.0, q, v) - system.force(0.0, q, 0.0 * v)) @ v
    assert_allclose(elements.energy(0.0, q, v).dissipated, power, rtol=1e-9)
    body = system.dofs.bodies[0]
    turned = body.displaced(system.initial_position, np.zeros(3), np.ones(3), np.array([1.0, 0.5, -2.0]))
    bent = np.abs(system.force(0.0, q, 0.0 * v)).max()
    assert np.abs(system.force(0.0, turned, 0.0 * v)).max() < 1e-11 * bent
    few = elements.subset(np.arange(3)).energy(0.0, q, v), elements.subset(np.arange(3, 12)).energy(0.0, q, v)
    assert_allclose(few[0].stored + few[1].stored, elements.energy(0.0, q, v).stored, rtol=1e-12)


def test_mass_and_weight() -> None:
    body = crooked()
    system = clamped(body, gravity=(0.0, 0.0, -9.81)).system()
    rates = body.rigid_rates(system.initial_position)
    inertia = rates.T @ (system.mass_matrix @ rates)
    lengths = np.linalg.norm(np.diff(body.points[body.struts], axis=1)[:, 0], axis=1)
    area = np.where(body.tags == "bar", BAR.area, fm.Circle(0.02).area)
    assert_allclose(inertia[:3, :3], 7800.0 * (lengths @ area) * np.eye(3), rtol=1e-12, atol=1e-10)
    assert_allclose(system.weight @ rates[:, :3], [0.0, 0.0, -9.81 * body.mass], atol=1e-9)
    assert np.linalg.eigvalsh(system.mass_matrix.toarray()).min() > 0.0


def test_right_angle_frame() -> None:
    """A clamped angle under a force at its free end: bending, shear and stretch of both arms by the theorem of Castigliano.

    The corner turns by P L^2/EI: it is rigid. Second-order terms are 3e-5 of the first here.
    """
    P, L, body = 1.0, 1.0, network(CORNER, [(0, 1), (1, 2)])
    m = clamped(body, 0)
    m.add(fm.PointForce(body.node(2), (P, 0.0, 0.0)))
    sol = m.equilibrium()
    moved = sol.position(body.at(*CORNER[2]))[-1] - CORNER[2]
    k, _ = BAR.shear_factors(STEEL.nu)
    across = P * L**3 / (3 * EI) + P * L**3 / EI + P * L / (k * STEEL.G * BAR.area) + P * L / (STEEL.E * BAR.area)
    assert_allclose(moved[:2], [across, -0.5 * P * L**3 / EI], rtol=5e-5)
    forces = sol.section(body.strut(0), [0.0, 0.3, 1.0])
    assert_allclose(forces.moment[-1, :, 2], -P * L, rtol=1e-4)
    assert_allclose(forces.force[-1, :, 0], P, rtol=1e-4)


def test_turned_frame_bends_the_same_way() -> None:
    """Physics does not know where the axes point: large deflections of the crooked network, drawn turned."""
    turn, tips = Rotation.from_rotvec([0.9, -1.3, 0.6]).as_matrix(), []
    for R in (np.eye(3), turn):
        plain = crooked()
        body = crooked(nodes=plain.points @ R.T, up=plain.axes[:, 2] @ R.T)
        m = clamped(body, 0)
        m.add(fm.PointForce(body.node(5), R @ (0.0, 4e4, -3e4)))
        tips.append(m.equilibrium().position(body.node(5))[-1])
    assert np.linalg.norm(tips[0] - (3.0, 0.0, 0.0)) > 0.3
    assert_allclose(tips[1], turn @ tips[0], atol=2e-6)  # the clamp holds other directors of a node that gives by 1e-7


def test_lee_frame() -> None:
    """Lee, Manuel & Rossow 1968: an angle hinged at both ends snaps through at 18.55 EI/l^2."""
    area, inertia, length, E = 6.0, 2.0, 120.0, 720.0
    section = fm.GeneralSection(A=area, I_y=inertia, I_z=inertia, Jt=inertia, k_y=10.0, k_z=10.0)
    nodes = [(0, 0, 0), (0, length, 0), (0.2 * length, length, 0), (length, length, 0)]
    body = network(nodes, [(0, 1), (1, 2), (2, 3)], section=section, material=fm.Material(E=E, density=1.0), elements=4)
    m = fm.Model("angle")
    m.add(body)
    for k in (0, 3):
        m.add(fm.Revolute(m.ground.at(*nodes[k]), body.node(k), axis=(0, 0, 1)))
    m.add(fm.PointForce(body.node(2), (0.0, -30.0 * E * inertia / length**2, 0.0)))
    with pytest.raises(fm.ConvergenceError) as caught:
        m.equilibrium()
    assert_allclose(30.0 * caught.value.time, 18.55, rtol=2e-3)


def test_portal_frame_vibrates() -> None:
    """Equal clamped members, l = 1: the first sway mode by the exact dynamic stiffness of beams without stretch and shear."""
    nodes = [(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)]
    slim = fm.Rectangle(0.01, 0.01)
    body = network(nodes, [(0, 1), (1, 2), (2, 3)], section=slim, elements=3)
    found = clamped(body, 0, 3).modes(6)
    stiffness = STEEL.E * slim.Iz / (STEEL.density * slim.area)
    sway = np.sqrt(sway_root() ** 4 * stiffness)
    assert np.abs(found.omega / sway - 1.0).min() < 3e-3


def sway_root() -> float:
    """beta of the antisymmetric mode: sway and corner angle of one column, half of the beam, exact dynamic stiffness."""

    def stiffness(b: float) -> Array:  # forces and moments of a beam of unit length and EI for (w, angle) of both ends
        s, c, sh, ch = np.sin(b), np.cos(b), np.sinh(b), np.cosh(b)
        shape = np.array([[0, 1, 0, 1], [b, 0, b, 0], [s, c, sh, ch], [b * c, -b * s, b * ch, b * sh]])
        force = np.array([
            [-(b**3), 0, b**3, 0], [0, b**2, 0, -(b**2)],
            [b**3 * c, -(b**3) * s, -(b**3) * ch, -(b**3) * sh], [-(b**2) * s, -(b**2) * c, b**2 * sh, b**2 * ch],
        ])  # fmt: skip
        return force @ np.linalg.inv(shape)

    def determinant(b: float) -> float:
        k = stiffness(b)
        column = k[2:, 2:].copy()
        column[0, 0] -= 0.5 * b**4  # half of the beam rides along
        column[1, 1] += k[1, 1] + k[1, 3]  # both its corners turn the same way
        return float(np.linalg.det(column))

    roots = np.linspace(1.0, 3.0, 401)
    values = np.array([determinant(b) for b in roots])
    k = int(np.flatnonzero(np.diff(np.sign(values)))[0])
    return float(roots[k] - values[k] * (roots[k + 1] - roots[k]) / (values[k + 1] - values[k]))


def test_a_falling_frame_keeps_energy_and_momentum() -> None:
    """Free, spinning, under gravity: the centre of mass falls freely, and nothing else changes the energy."""
    body = crooked(elements=1, spin=(0.0, 3.0, 20.0), velocity=(1.0, 0.0, 0.0))
    m = fm.Model("thrown", gravity=(0.0, 0.0, -9.81))
    m.add(body)
    sol = m.simulate(0.02, step=1e-3)
    rates = body.rigid_rates(sol.system.initial_position)
    momentum = np.array([rates[:, :3].T @ (sol.system.mass_matrix @ v) for v in sol.v])
    gained = body.mass * np.outer(sol.t, (0.0, 0.0, -9.81))
    assert_allclose(momentum - momentum[0], gained, atol=1e-6 * np.abs(momentum).max())
    assert not sol.system.multipliers


def test_markers_sets_and_files(tmp_path: Path) -> None:
    body = crooked()
    assert body.at(1, 0, 0).position.tolist() == [1.0, 0.0, 0.0]
    assert body.at(2.5, 0, 0).s == 5.5  # half way along strut 5
    assert body.nodes_of("wire").tolist() == [0, 2, 3, 4] and body.struts_of("wire").tolist() == [2, 3]
    m = clamped(body, 0)
    m.add(fm.Spherical(m.ground.at(2.5, 0.0, 0.0), body.strut(5).at(0.5)))
    m.add(fm.PointForce(body.node(3), (0.0, 0.0, -100.0)))
    sol = m.equilibrium()
    again = fm.load(sol.save(tmp_path / "frame.h5"))
    twin = again.model["frame"]
    assert_allclose(again.position(twin.node(3)), sol.position(body.node(3)))
    assert_allclose(again.section(twin.strut(2), 0.4).moment, sol.section(body.strut(2), 0.4).moment, rtol=1e-12)
    assert_allclose(twin.mass, body.mass)
    shot = body.surface(3).snapshot(sol.q[-1], sol.v[-1])
    assert shot.points.shape == shot.fields["velocity"].shape and shot.fields["von_mises"].max() > 0.0
    assert body.surface(3).cells.connectivity.max() == len(shot.points) - 1
    assert sol.to_vtk(tmp_path / "frame.pvd")


def test_from_mesh(tmp_path: Path) -> None:
    """Physical groups of gmsh by name; points that no line uses are left out; millimetres."""
    meshio = require("meshio")
    points = np.array([(0, 0, 0), (9, 9, 9), (1000, 0, 0), (1000, 1000, 0)], dtype=float)
    mesh = meshio.Mesh(
        points, [("line", np.array([(0, 2), (2, 3)]))], cell_data={"gmsh:physical": [np.array([7, 8])]},
        field_data={"legs": np.array([7, 1]), "beams": np.array([8, 1])},
    )  # fmt: skip
    mesh.cell_data["gmsh:geometrical"] = [np.array([1, 1])]
    meshio.write(tmp_path / "frame.msh", mesh, file_format="gmsh22", binary=False)
    sections = {"legs": BAR, "beams": fm.Circle(0.02)}
    body = fm.BeamNetwork.from_mesh(tmp_path / "frame.msh", section=sections, material=STEEL, scale=1e-3)
    assert body.points.tolist() == [list(map(float, x)) for x in CORNER]
    assert body.strut(0).section == BAR and body.strut(1).section == sections["beams"]
    assert body.struts_of("legs").tolist() == [0]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no struts": ({"struts": []}, "pairs of whole numbers"),
    "a node too many": ({"nodes": [*CORNER, (5, 5, 5)]}, "1 node belong to no strut, the first is 3"),
    "a number too high": ({"struts": [(0, 1), (1, 3)]}, "has the node 3; there are nodes 0 to 2"),
    "no length": ({"nodes": [CORNER[0], CORNER[1], CORNER[1]]}, "without a length"),
    "twice": ({"struts": [(0, 1), (1, 2), (1, 0)]}, "2 struts between the nodes 0 and 1"),
    "two pieces": (
        {"nodes": [*CORNER, (5, 0, 0), (6, 0, 0)], "struts": [(0, 1), (1, 2), (3, 4)]}, "2 pieces that are not connected",
    ),
    "up along a strut": ({"up": (1, 0, 0)}, "up is parallel to strut 0"),
    "no tags": ({"section": {"a": BAR}}, "give tags="),
    "a tag too few": ({"tags": ["a"]}, "1 tags for 2 struts"),
    "an unknown tag": ({"section": {"legs": BAR}, "tags": ["legs", "leg"]}, "nothing for the tag 'leg'.*legs"),
    "no section": ({"section": 3.0}, "is not a section"),
    "hermite": ({"interpolation": "hermite"}, "quadratic"),
    "not finite": ({"nodes": [(0, 0, 0), (1, 0, np.nan), (1, 1, 0)]}, "finite"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_bad_input(case: str) -> None:
    changed, message = WRONG[case]
    with pytest.raises(fm.ModelError, match=f"(?s)frame.*{message}"):
        network(**{"nodes": CORNER, "struts": [(0, 1), (1, 2)], **changed})


def test_markers_that_are_not_there() -> None:
    body = network(CORNER, [(0, 1), (1, 2)])
    for ask, message in (
        (lambda: body.at(0.5, 0.5, 0.5), "nearest node is 0 at"), (lambda: body.node(3), "nodes 0 to 2"),
        (lambda: body.strut(2), "struts 0 to 1"), (lambda: body.struts_of("legs"), "no strut has the tag 'legs'"),
        (lambda: body.strut(0).at(1.5), r"outside \[0, 1\]"),
    ):  # fmt: skip
        with pytest.raises(fm.ModelError, match=message):
            ask()
