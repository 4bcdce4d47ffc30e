"""Rigid bodies: inertia, weight and markers of natural coordinates against the textbook."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import fmbs as fm
from tests.conformance.cases import moved, virtual

Array = np.ndarray
MASS = 1.7
CENTRE = np.array([0.3, -0.4, 0.8])
SHAPES = {
    "general": (0.3, 0.4, 0.5),
    "thin rod": (1e-6, 0.4, 0.4),
    "flat plate": (0.2, 0.3, 0.5),  # the sum of two: no extent across the plate, so a block of M is zero
    "sphere": (0.4, 0.4, 0.4),
}


@pytest.fixture(params=SHAPES)
def inertia(request: pytest.FixtureRequest) -> Array:
    """A full tensor."""
    axes = Rotation.random(random_state=4).as_matrix()
    return axes @ np.diag(SHAPES[request.param]) @ axes.T


def rigid(inertia: Array, **motion: object) -> tuple[fm.Model, fm.RigidBody]:
    model = fm.Model("one body")
    return model, model.add(fm.RigidBody("body", mass=MASS, inertia=inertia, com=CENTRE, **motion))


def test_kinetic_energy(inertia: Array):
    """1/2 v M v = 1/2 m v.v + 1/2 w.I.w in any orientation, I turning with the body."""
    rng = np.random.default_rng(0)
    for _ in range(5):
        velocity, spin = rng.standard_normal((2, 3))
        model, body = rigid(inertia, velocity=velocity, spin=spin)
        system = model.system()
        expected = 0.5 * MASS * velocity @ velocity + 0.5 * spin @ inertia @ spin
        assert_allclose(system.kinetic_energy(system.initial_velocity), expected, rtol=1e-13)
        turned = Rotation.random(random_state=int(rng.integers(1000))).as_matrix()
        q = moved(body, system.initial_position, turned, CENTRE, np.zeros(3))
        v = virtual(body, q, velocity - np.cross(spin, CENTRE), spin)
        expected = 0.5 * MASS * velocity @ velocity + 0.5 * spin @ turned @ inertia @ turned.T @ spin
        assert_allclose(system.kinetic_energy(v), expected, rtol=1e-13)


def test_mass_matrix_is_symmetric_and_not_negative(inertia: Array):
    model, _ = rigid(inertia)
    matrix = model.system().mass_matrix.toarray()
    assert_allclose(matrix, matrix.T, rtol=0, atol=0)
    assert np.linalg.eigvalsh(matrix)[0] > -1e-15


def test_mass_matrix_does_not_depend_on_the_motion(inertia: Array):
    """The residual's inertia is M a with the same M wherever the body is."""
    model, _ = rigid(inertia, spin=(1.0, 2.0, 3.0))
    system = model.system()
    rng = np.random.default_rng(1)
    q, v, a = rng.standard_normal((3, 12))
    still = np.zeros(12)
    lam = np.zeros(6)
    change = system.residual(0.0, q, v, a, lam) - system.residual(0.0, q, v, still, lam)
    assert_allclose(change[:12], system.mass_matrix @ a, rtol=0, atol=1e-14)


def test_weight():
    """The virtual work of gravity is m g . dr of the centre of mass; a rotation about it does none."""
    gravity = np.array([1.0, -2.0, -9.81])
    model = fm.Model("weight", gravity=gravity)
    body = model.add(fm.RigidBody("body", mass=MASS, inertia=(0.3, 0.4, 0.5), com=CENTRE))
    system = model.system()
    weight = -system.force(0.0, system.initial_position, np.zeros(12))
    for shift, turn in ((np.array([0.2, -0.1, 0.5]), np.array([0.7, 0.3, -0.4])), (np.zeros(3), np.ones(3))):
        work = MASS * gravity @ (shift + np.cross(turn, CENTRE))
        assert_allclose(weight @ virtual(body, system.initial_position, shift, turn), work, rtol=1e-14, atol=1e-14)


def test_markers_move_rigidly(inertia: Array):
    """In a tumbling flight: r(t) = r_com(t) + R(t) s with an orthonormal R, and v = v_com + omega x (r - r_com)."""
    model, body = rigid(inertia, velocity=(1.0, 0.5, -0.2), spin=(2.0, -1.0, 3.0))
    arm = np.array([0.6, -0.2, 0.4])
    marker = body.at(*(CENTRE + arm))
    sol = model.simulate(0.5, step=5e-3)
    rotation, centre = sol.rotation(marker), sol.position(body.com)
    assert_allclose(rotation @ np.swapaxes(rotation, 1, 2), np.tile(np.eye(3), (len(sol), 1, 1)), rtol=0, atol=1e-10)
    assert_allclose(sol.position(marker), centre + rotation @ arm, rtol=0, atol=1e-13)
    carried = np.cross(sol.spin(marker), sol.position(marker) - centre)
    assert_allclose(sol.velocity(marker), sol.velocity(body.com) + carried, rtol=0, atol=1e-4)
    assert_allclose(sol.velocity(body.com)[-1], (1.0, 0.5, -0.2), rtol=0, atol=1e-12)


def test_angular_momentum_of_a_tumbling_body(inertia: Array):
    """R I R^T omega stays; error of order h^2."""
    model, body = rigid(inertia, spin=(2.0, -1.0, 3.0))
    sol = model.simulate(0.5, step=1e-3, integrator=fm.GeneralizedAlpha(rho_inf=1.0))
    rotation, spin = sol.rotation(body.com), sol.spin(body.com)
    momentum = np.einsum("fij,jk,flk,fl->fi", rotation, inertia, rotation, spin)
    assert_allclose(momentum, np.tile(momentum[0], (len(sol), 1)), rtol=0, atol=2e-6)


def test_diagonal_inertia_may_be_three_numbers():
    assert_allclose(fm.RigidBody("b", mass=1.0, inertia=(1, 2, 2.5)).inertia, np.diag([1, 2, 2.5]))


def test_small_and_light_bodies():
    """A grain of sand, in SI units, falls like anything else."""
    model = fm.Model("grain", gravity=(0, 0, -9.81))
    grain = model.add(fm.RigidBody("grain", mass=1e-9, inertia=np.full(3, 1e-17), spin=(100.0, 50.0, 0.0)))
    sol = model.simulate(0.1, step=1e-3)
    assert_allclose(sol.position(grain.com)[-1], (0, 0, -0.5 * 9.81 * 0.01), rtol=0, atol=1e-12)
