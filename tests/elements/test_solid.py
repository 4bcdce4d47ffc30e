"""Solid: tangents, inertia, patch tests, rigid motion, interfaces, pressures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import fmbs as fm
from fmbs.assembly.system import Coefficients, System
from fmbs.elements.solid.shapes import VOLUMES
from tests.elements.solid_cases import KINDS, LAWS, RUBBER, SIZE, distorted, solid_of

Array = np.ndarray
DAMPED = fm.Material(E=2e6, nu=0.3, density=1000.0, damping=1e-3)


def system_of(solid: fm.Solid, *parts: object, gravity: tuple[float, ...] = (0.0, 0.0, 0.0)) -> System:
    model = fm.Model("model", gravity=gravity)
    for part in (solid, *parts):
        model.add(part)
    return model.system()


def elastic(system: System, q: Array, v: Array) -> Array:
    out = np.zeros(system.size)
    for batch in system.elements:
        batch.residual(0.0, q, v, out)
    return out


def stored(system: System, q: Array, v: Array) -> tuple[float, float]:
    energies = [batch.energy(0.0, q, v) for batch in system.elements]
    return sum(e.stored for e in energies), sum(e.dissipated for e in energies)


@pytest.mark.parametrize("kind", KINDS)
def test_shape_functions(kind: str):
    """One at their own node, their sum 1, and faces that look outward."""
    shape, x = VOLUMES[kind], np.random.default_rng(0).random((5, 3))
    assert_allclose(shape.value(shape.nodes), np.eye(shape.size), atol=1e-13)
    assert_allclose(shape.value(x).sum(axis=1), 1.0, atol=1e-13)
    h = 1e-6 * np.eye(3)
    for k in range(3):
        assert_allclose(shape.slope(x)[..., k], (shape.value(x + h[k]) - shape.value(x - h[k])) / 2e-6, atol=1e-8)
    for face in shape.faces:
        a, b, c = shape.nodes[face[:3]]
        assert np.cross(b - a, c - a) @ (a - shape.nodes[: shape.corners].mean(axis=0)) > 0.0


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", KINDS)
def test_forces_and_tangents(kind: str, law: str):
    """Force: derivative of the energy. Tangents: those of differences; with damping, pressures and both kinds of interfaces."""
    solid = solid_of(distorted(kind, (2, 1, 1)), DAMPED, elasticity=law, interfaces={"x-": "rigid", "x+": "average"})
    parts = [
        fm.Pressure(solid, side, p, follower=f) for side, p, f in (("y+", 3e5, True), ("x-", 2e5, True), ("z+", 1e5, False))
    ]
    system, rng = system_of(solid, *parts), np.random.default_rng(1)
    q = system.initial_position + 0.02 * rng.standard_normal(system.size)
    v, none = rng.standard_normal(system.size), np.zeros(system.multipliers)
    for c in (Coefficients(stiffness=1.0, constraint=0.0), Coefficients(damping=1.0, constraint=0.0)):
        exact, differences = (system.jacobian(0.0, q, v, none, c, tangent).toarray() for tangent in ("exact", "numerical"))
        assert_allclose(exact, differences, rtol=0, atol=1e-7 * np.abs(exact).max())
    still = elastic(system, q, 0.0 * v)
    for k in rng.integers(system.size, size=4):
        step = 1e-6 * np.eye(system.size)[k]
        slope = (stored(system, q + step, v)[0] - stored(system, q - step, v)[0]) / 2e-6
        assert slope == pytest.approx(still[k], abs=1e-6 * np.abs(still).max())
    assert stored(system, q, v)[1] == pytest.approx((elastic(system, q, v) - still) @ v, rel=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_inertia_is_exact(kind: str):
    """Mass, first and second moments of a box whatever its cells, and its weight."""
    solid = solid_of(distorted(kind))
    system = system_of(solid, gravity=(0.0, 0.0, -9.81))
    mass = RUBBER.density * SIZE.prod()
    x = solid.initial_position()
    linear = np.array([x * np.tile(e, x.size // 3) for e in np.eye(3)])  # fields x e_x, y e_y, z e_z
    assert solid.mass == pytest.approx(mass, rel=1e-13)
    assert_allclose(np.diag(linear @ (system.mass_matrix @ linear.T)), mass * SIZE**2 / 3.0, rtol=1e-12)
    assert_allclose(solid.com.position, SIZE / 2.0, rtol=1e-12)
    assert system.weight @ x == pytest.approx(-9.81 * mass * SIZE[2] / 2.0, rel=1e-12)
    assert_allclose(system.mass_matrix.toarray(), system.mass_matrix.toarray().T, atol=1e-12 * mass)
    assert np.linalg.eigvalsh(system.mass_matrix.toarray())[0] > 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_patch(kind: str):
    """In a homogeneous deformation no node inside has a force, however distorted the cells are, and the energy is exact."""
    solid = solid_of(distorted(kind))
    system = system_of(solid)
    F = np.eye(3) + 0.1 * np.random.default_rng(2).standard_normal((3, 3))
    q = (solid.initial_position().reshape(-1, 3) @ F.T).ravel()
    E = 0.5 * (F.T @ F - np.eye(3))
    density = 0.5 * RUBBER.lame * np.trace(E) ** 2 + RUBBER.G * (E * E).sum()
    assert stored(system, q, 0.0 * q)[0] == pytest.approx(density * SIZE.prod(), rel=1e-12)
    force = elastic(system, q, 0.0 * q).reshape(-1, 3)
    x = solid.initial_position().reshape(-1, 3)
    inside = ((x > 1e-9) & (x < SIZE - 1e-9)).all(axis=1) | ~solid.layout.is_point
    assert inside.any() and np.abs(force[inside]).max() < 1e-12 * np.abs(force).max()


@pytest.mark.parametrize("kind", KINDS)
def test_only_rigid_motions_are_free(kind: str):
    """Six zero eigenvalues of the stiffness of a single cell (six for the tetrahedra of a cube too), no others."""
    solid = solid_of(distorted(kind, (1, 1, 1)))
    system = system_of(solid)
    q, none = system.initial_position, np.zeros(0)
    stiffness = system.jacobian(0.0, q, 0.0 * q, none, Coefficients(stiffness=1.0)).toarray()
    values = np.abs(np.linalg.eigvalsh(stiffness))
    values.sort()
    assert values[5] < 1e-9 * values[-1] < 1e-4 * values[6]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", KINDS)
def test_rigid_motion_does_no_work(kind: str, law: str):
    """Turned bodies have no stress; those that are bent have the same, turned, and damping does not brake rotation."""
    solid = solid_of(distorted(kind), DAMPED, elasticity=law)
    system, rng = system_of(solid), np.random.default_rng(3)
    turn = Rotation.from_rotvec([1.0, -2.0, 0.5]).as_matrix()
    q = system.initial_position.reshape(-1, 3)
    shift = np.where(solid.layout.is_point[:, None], [3.0, -2.0, 5.0], 0.0)
    bent = q + 0.01 * rng.standard_normal(q.shape)
    spin = np.cross([0.3, 4.0, -2.0], q @ turn.T)
    size = np.abs(elastic(system, bent.ravel(), 0.0 * q.ravel())).max()
    assert np.abs(elastic(system, (q @ turn.T + shift).ravel(), spin.ravel())).max() < 1e-11 * size
    force = elastic(system, bent.ravel(), 0.0 * q.ravel()).reshape(-1, 3)
    turned = elastic(system, (bent @ turn.T + shift).ravel(), 0.0 * q.ravel()).reshape(-1, 3)
    assert_allclose(turned, force @ turn.T, atol=1e-10 * size)


def test_interfaces_and_saved_runs(tmp_path: Path):
    """A block that hangs on one interface and is pulled at another: reactions, frames, and the same after it was saved."""
    mesh = distorted("hexahedron", (2, 1, 1))
    solid, m = solid_of(mesh), fm.Model("hanging", gravity=(0.0, 0.0, -9.81))
    m.add(solid)
    held, pulled = solid.interface("x-"), solid.interface("x+", kind="average", at=(1.2, 0.4, 0.3))
    m.add(fm.Fixed(m.ground.at(*held.position), held, name="wall"))
    m.add(fm.PointForce(pulled, (0.0, 0.0, -200.0)))
    m.add(fm.Torque(solid.interface("x+"), (30.0, 0.0, 0.0)))
    sol = m.equilibrium()
    weight = 9.81 * solid.mass
    wall = sol.reaction("wall")
    assert_allclose(wall.force[-1], [0.0, 0.0, weight + 200.0], atol=1e-6 * weight)
    com, tip = sol.position(solid.com)[-1], sol.position(pulled)[-1]
    moment = np.cross(com - held.position, [0, 0, -weight]) + np.cross(tip - held.position, [0, 0, -200.0]) + [30.0, 0, 0]
    assert_allclose(wall.moment[-1], -moment, atol=1e-6 * weight)
    frame = sol.rotation(pulled)[-1]
    assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
    nodes = mesh.nodes_of("box", "x+")
    x = solid.positions(sol.q[-1])[nodes]
    centre = solid.interface("x+")
    assert_allclose(sol.position(centre)[-1], solid._interfaces["x+"].weights @ x, atol=1e-12)
    sol.save(tmp_path / "run.h5")
    again = fm.load(tmp_path / "run.h5")
    assert_allclose(again.position(again.model["box"].interface("x+", at=(1.2, 0.4, 0.3)))[-1], tip, atol=1e-15)


def test_markers_of_points():
    """at() finds the cell and its shape functions; a node is itself; there are no directions."""
    solid = solid_of(distorted("tetra10"))
    system = system_of(solid)
    place = np.array([0.31, 0.27, 0.44])
    q = (solid.initial_position().reshape(-1, 3) @ np.diag([1.1, 0.9, 1.0])).ravel()
    point = solid.at(*place).point
    moved = sum(c * q[b : b + 3] for c, b in zip(point.coefficients, point.blocks, strict=True))
    assert_allclose(moved, place * [1.1, 0.9, 1.0], atol=1e-12)
    assert system.size == q.size and solid.node(3).point.coefficients == (1.0,)
    with pytest.raises(fm.ModelError, match="outside the solid"):
        solid.at(2.0, 0.0, 0.0)
    with pytest.raises(fm.ModelError, match=r"without directions; take box\.interface"):
        solid.node(3).direction(np.eye(3)[0])


def test_subsets_add_up():
    """What ranks and threads share: pieces of a batch sum to the whole, also with cells on a rigid interface."""
    solid = solid_of(distorted("tetra10"), interfaces={"x-": "rigid"})
    system = system_of(solid)
    q = system.initial_position + 0.01 * np.random.default_rng(5).standard_normal(system.size)
    assert len(system.elements) == 2
    for batch in system.elements:
        whole, pieces = np.zeros(system.size), np.zeros(system.size)
        batch.residual(0.0, q, 0.0 * q, whole)
        for some in np.array_split(np.random.default_rng(6).permutation(len(batch.blocks().first)), 3):
            batch.subset(some).residual(0.0, q, 0.0 * q, pieces)
        assert_allclose(pieces, whole, atol=1e-12 * np.abs(whole).max())


def test_integrators_agree():
    """A soft bar on a hinge at an averaged interface, which has no mass of its own; differenced tangents too."""
    solid = solid_of(distorted("hexahedron", (2, 1, 1), (0.0, 0.0, 0.0)))
    m = fm.Model("hinge", gravity=(0.0, 0.0, -9.81))
    m.add(solid)
    hinge = solid.interface("x-", kind="average")
    m.add(fm.Revolute(m.ground.at(*hinge.position), hinge, axis=(0.0, 1.0, 0.0)))
    settings = [{"step": 1e-3}, {"step": 1e-3, "tangent": "numerical"}, {"tolerance": 1e-5, "integrator": fm.Radau()}]
    ends = [m.simulate(0.05, **options).position(solid.com)[-1] for options in settings]  # type: ignore[arg-type]
    assert_allclose(ends[1], ends[0], atol=1e-9)
    assert_allclose(ends[2], ends[0], atol=1e-5)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", KINDS)
def test_stress_of_a_homogeneous_deformation(kind: str, law: str):
    """Cauchy's stress at all nodes: F S F^T / J, or mu (b - 1)/J + lambda ln J / J; of any orientation."""
    solid = solid_of(distorted(kind), elasticity=law)
    F = Rotation.from_rotvec([0.7, -1.0, 0.4]).as_matrix() @ (np.eye(3) + 0.1 * np.random.default_rng(2).random((3, 3)))
    q = (solid.initial_position().reshape(-1, 3) @ F.T).ravel()
    lame, mu, J = RUBBER.lame, RUBBER.G, np.linalg.det(F)
    E = 0.5 * (F.T @ F - np.eye(3))
    if law == "neo-hookean":
        stress = (mu * (F @ F.T - np.eye(3)) + lame * np.log(J) * np.eye(3)) / J
    else:
        stress = F @ (lame * np.trace(E) * np.eye(3) + 2.0 * mu * E) @ F.T / J
    fields = solid.volume().snapshot(q, 0.0 * q).fields
    expected = stress[[0, 1, 2, 0, 1, 0], [0, 1, 2, 1, 2, 2]]
    assert_allclose(fields["stress"], np.tile(expected, (len(solid.mesh.points), 1)), atol=1e-9 * np.abs(stress).max())
    values = np.linalg.eigvalsh(stress)[::-1]
    assert_allclose(fields["principal_stress"][0], values, rtol=1e-9)
    deviator = stress - np.trace(stress) / 3.0 * np.eye(3)
    assert_allclose(fields["von_mises"], np.sqrt(1.5 * (deviator**2).sum()), rtol=1e-9)
    skin = solid.surface(4).snapshot(q, 0.0 * q)
    assert_allclose(skin.fields["von_mises"], fields["von_mises"][0], rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_pressure_all_around_has_no_resultant(kind: str):
    """Whatever the shape: forces and moments of a follower pressure on a closed surface cancel; its work is p dV."""
    solid = solid_of(distorted(kind), interfaces={"x-": "rigid"})
    parts = [fm.Pressure(solid, side, 3e5) for side in solid.sets]
    system, rng = system_of(solid, *parts), np.random.default_rng(4)
    q = system.initial_position + 0.02 * rng.standard_normal(system.size)
    force = np.zeros(system.size)
    for batch in system.batches:
        batch.residual(0.0, q, 0.0 * q, force)
    rates = solid.rigid_rates(q)
    assert_allclose(force @ rates, 0.0, atol=1e-10 * np.abs(force).max())
    swell = (q.reshape(-1, 3)).ravel()  # x' = x: the volume grows by 3 V
    faces = solid.mesh.skin[0]
    x, (places, w) = solid.positions(q)[faces.nodes], faces.shape.rule
    slope = np.einsum("pik,fic->fpkc", faces.shape.slope(places), x)
    normal = np.cross(slope[:, :, 0], slope[:, :, 1])
    volume = np.einsum("p,fpc,fpc->", w, normal, np.einsum("pi,fic->fpc", faces.shape.value(places), x)) / 3.0
    assert force @ swell == pytest.approx(3e5 * 3.0 * volume, rel=1e-10)
