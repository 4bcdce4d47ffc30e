"""Rigid motions of beams: no elastic force, the right inertia, free flight as of any other body."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import fmbs as fm
from fmbs.assembly.system import Coefficients
from tests.elements.beam_cases import BAR, KINDS, SHAPES, STEEL, alone, beam, moved, nodal_vectors, rigid_velocity

Array = np.ndarray
AXIAL = STEEL.E * BAR.area  # N: the scale of an elastic force
kinds = pytest.mark.parametrize("kind", KINDS, ids="-".join)
shapes = pytest.mark.parametrize("shape", SHAPES)


@kinds
@shapes
def test_rigid_motion_of_any_size_costs_no_force(kind: tuple[str, str], shape: str):
    """To round-off of EA: rotations of any angle, shifts of many lengths, any spin, with damping."""
    material = fm.Material(E=STEEL.E, nu=STEEL.nu, density=STEEL.density, damping=1e-3)
    model, part = alone(beam(kind, shape, material=material))
    system = model.system()
    q0 = system.initial_position
    rng = np.random.default_rng(0)
    for seed in range(5):
        rotation = Rotation.random(random_state=seed).as_matrix() if seed else np.eye(3)
        q = moved(part, q0, rotation, rng.uniform(-20.0, 20.0, 3))
        still = system.force(0.0, q, np.zeros(system.size))
        assert_allclose(still, 0.0, rtol=0, atol=1e-12 * AXIAL)
        spinning = system.force(0.0, q, rigid_velocity(part, q, *rng.standard_normal((2, 3))))
        assert_allclose(spinning, 0.0, rtol=0, atol=1e-12 * AXIAL)
        stored = system.element_energy(0.0, q, np.zeros(system.size)).stored
        assert 0.0 <= stored <= 1e-20 * AXIAL * part.line.length


@kinds
@shapes
def test_elastic_force_turns_with_the_beam(kind: tuple[str, str], shape: str):
    """f(R q + s) = R f(q), the energy the same, no resultant and no moment: any strain, any rotation."""
    model, part = alone(beam(kind, shape))
    system = model.system()
    rng = np.random.default_rng(1)
    still = np.zeros(system.size)
    q = system.initial_position + 0.02 * rng.standard_normal(system.size)
    force = system.force(0.0, q, still)
    scale = np.abs(force).max()
    rotation = Rotation.random(random_state=2).as_matrix()
    turned = moved(part, q, rotation, np.array([3.0, -1.0, 2.0]))
    assert_allclose(system.force(0.0, turned, still), moved(part, force, rotation, np.zeros(3)), rtol=0, atol=1e-12 * scale)
    stored = [system.element_energy(0.0, x, still).stored for x in (q, turned)]
    assert_allclose(stored[1], stored[0], rtol=1e-12)
    for shift, spin in zip([*np.eye(3), *np.zeros((3, 3))], [*np.zeros((3, 3)), *np.eye(3)], strict=True):
        assert abs(force @ rigid_velocity(part, q, shift, spin)) < 1e-11 * scale


@kinds
def test_force_is_the_slope_of_the_energy(kind: tuple[str, str]):
    """f . dq = dU by central differences: 1e-7 of the force."""
    model, _ = alone(beam(kind, "curved"))
    system = model.system()
    rng = np.random.default_rng(3)
    still = np.zeros(system.size)
    q = system.initial_position + 0.02 * rng.standard_normal(system.size)
    force = system.force(0.0, q, still)
    for _ in range(3):
        d = rng.standard_normal(system.size)
        d /= np.linalg.norm(d)
        up, down = (system.element_energy(0.0, q + h * d, still).stored for h in (1e-6, -1e-6))
        assert_allclose((up - down) / 2e-6, force @ d, rtol=0, atol=1e-7 * np.linalg.norm(force))


@kinds
@pytest.mark.parametrize("shape", ["straight", "twisted"])
def test_mass_matrix_against_exact_integrals(kind: tuple[str, str], shape: str):
    """Mass, first moment and inertia tensor of a bar, rotary inertia of the section included, for any rigid velocity."""
    model, part = alone(beam(kind, shape))
    system = model.system()
    start, end = np.array(SHAPES[shape]["start"]), np.array(SHAPES[shape]["end"])
    mass, inertia = bar_inertia(part, 0.5 * (end - start))
    rng = np.random.default_rng(4)
    for _ in range(4):
        velocity, spin = rng.standard_normal((2, 3))
        v = rigid_velocity(part, system.initial_position, velocity, spin)
        at_centre = velocity + np.cross(spin, 0.5 * (start + end))
        expected = 0.5 * mass * at_centre @ at_centre + 0.5 * spin @ inertia @ spin
        exact = shape == "straight"
        assert_allclose(
            system.kinetic_energy(v), expected, rtol=1e-13 if exact else 1e-3
        )  # a polynomial of the twisted directors


def bar_inertia(part: fm.Beam, half: Array) -> tuple[float, Array]:
    """About the centre, by Gauss points: rho int [(x.x) 1 - x x^T] dV of the drawn frames."""
    x, w = np.polynomial.legendre.leggauss(20)
    _, y, z = part.line.frame(0.5 * (x + 1.0))
    length, density = part.line.length, part.material.density
    second = sum(
        0.5 * wi * length * (BAR.area * np.outer(xi * half, xi * half) + BAR.Iz * np.outer(yi, yi) + BAR.Iy * np.outer(zi, zi))
        for xi, wi, yi, zi in zip(x, w, y, z, strict=True)
    )
    return density * BAR.area * length, density * (np.trace(second) * np.eye(3) - second)


@kinds
def test_mass_matrix_is_symmetric_and_positive(kind: tuple[str, str]):
    model, _ = alone(beam(kind, "curved"))
    matrix = model.system().mass_matrix.toarray()
    assert_allclose(matrix, matrix.T, rtol=0, atol=1e-14 * np.abs(matrix).max())
    assert np.linalg.eigvalsh(matrix)[0] > 0.0


@kinds
@shapes
def test_weight_is_mass_times_gravity(kind: tuple[str, str], shape: str):
    """Its resultant to round-off, its moment that of the centre of mass; gravity and inertia from the same functions."""
    gravity = np.array([1.0, -2.0, -9.81])
    model, part = alone(beam(kind, shape), gravity=gravity)
    system = model.system()
    q = system.initial_position
    mass = 2.0 * system.kinetic_energy(rigid_velocity(part, q, np.array([1.0, 0.0, 0.0]), np.zeros(3)))
    length = part.line.length
    assert_allclose(mass, STEEL.density * BAR.area * length, rtol=1e-13 if shape != "curved" else 2e-3)  # 3 elements of a helix
    for e in np.eye(3):
        assert_allclose(system.weight @ rigid_velocity(part, q, e, np.zeros(3)), mass * gravity @ e, rtol=1e-12)
        fall = rigid_velocity(part, q, gravity, np.zeros(3))
        turn = rigid_velocity(part, q, np.zeros(3), e)
        assert_allclose(system.weight @ turn, fall @ (system.mass_matrix @ turn), rtol=1e-12, atol=1e-10 * mass)


@kinds
@shapes
def test_free_beam_falls_without_rotating(kind: tuple[str, str], shape: str):
    """Gravity and inertia come from the same shape functions (a peer's element fails this by a factor of two)."""
    model, part = alone(beam(kind, shape, elements=2), gravity=(0.0, 0.0, -9.81))
    sol = model.simulate(0.1, step=0.01)
    change = nodal_vectors(part, sol.q[-1] - sol.q[0])
    assert_allclose(change[:, 0], np.tile([0.0, 0.0, -0.5 * 9.81 * 0.01], (part.node_count, 1)), rtol=0, atol=1e-11)
    assert_allclose(change[:, 1:], 0.0, rtol=0, atol=1e-10)


@kinds
@shapes
def test_rigid_initial_motion(kind: tuple[str, str], shape: str):
    """velocity is that of the point `about`; the rest turns about it."""
    velocity, spin, about = np.array([1.0, 2.0, -0.5]), np.array([0.3, -0.7, 2.0]), np.array([0.5, 0.4, -1.0])
    model, part = alone(beam(kind, shape, velocity=velocity, spin=spin, about=about))
    sol = model.simulate(1e-6, step=1e-6)
    for s in (0.0, 0.3, 1.0):
        marker = part.at(s)
        carried = velocity + np.cross(spin, sol.position(marker)[0] - about)
        assert_allclose(sol.velocity(marker)[0], carried, rtol=0, atol=1e-12)
        assert_allclose(sol.spin(marker)[0], spin, rtol=0, atol=1e-12)


def test_spinning_free_beam_keeps_its_momentum():
    """Tumbling without loads: linear and angular momentum stay to the tolerance of the time integration."""
    soft = fm.Material(E=2e8, nu=0.3, density=2000.0)
    part = beam(("cubic", "structural"), elements=2, material=soft, velocity=(1.0, 0.5, 0.0), spin=(2.0, -1.0, 3.0))
    model, part = alone(part)
    sol = model.simulate(0.5, step=1e-3, integrator=fm.GeneralizedAlpha(rho_inf=1.0))
    system = sol.system
    momentum = np.array([momenta(part, system.mass_matrix, q, v) for q, v in zip(sol.q, sol.v, strict=True)])
    size = np.abs(momentum[0]).max()
    assert_allclose(momentum[:, :3], momentum[:1, :3].repeat(len(sol), 0), rtol=0, atol=1e-10 * size)
    assert_allclose(momentum[:, 3:], momentum[:1, 3:].repeat(len(sol), 0), rtol=0, atol=2e-5 * size)
    assert_allclose(sol.energy.balance, 0.0, rtol=0, atol=1e-4 * sol.energy.kinetic[0])


def momenta(part: fm.Beam, mass: object, q: Array, v: Array) -> list[float]:
    """Linear and angular momentum about the origin."""
    p = mass @ v
    turns = [rigid_velocity(part, q, np.zeros(3), e) @ p for e in np.eye(3)]
    return [*(rigid_velocity(part, q, e, np.zeros(3)) @ p for e in np.eye(3)), *turns]


def test_natural_modes_of_a_moved_beam_are_the_same():
    """Tangent at rest in another place: K turns with the beam, six zero modes."""
    model, part = alone(beam(("cubic", "structural"), "curved", elements=2))
    system = model.system()
    still, none = np.zeros(system.size), np.zeros(0)
    q = moved(part, system.initial_position, Rotation.random(random_state=5).as_matrix(), np.array([1.0, 2.0, 3.0]))
    a, b = (
        np.linalg.eigvalsh(system.jacobian(0.0, x, still, none, Coefficients(stiffness=1.0)).toarray())
        for x in (system.initial_position, q)
    )
    assert_allclose(a, b, rtol=0, atol=1e-10 * a[-1])
    assert_allclose(a[:6], 0.0, rtol=0, atol=1e-10 * a[-1])
