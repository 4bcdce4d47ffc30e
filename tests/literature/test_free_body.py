"""An asymmetric rigid body in natural coordinates, free of forces and under a constant moment."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.literature.mechanisms import error
from tests.oracles import rigid_body

J = np.diag([0.2, 0.3, 0.45])
AXES = rigid_body.rotation(np.array([0.8, 0.2, -0.4, 0.4]) / np.linalg.norm([0.8, 0.2, -0.4, 0.4]))
START = {"position": (0.1, 0.2, 0.3), "velocity": (1.0, 0.0, -0.5), "omega": AXES @ (1.0, 0.0, 2.0)}
TORQUE = np.array([0.1, -0.2, 0.3])


def body(torque: np.ndarray | None = None) -> tuple[fm.Model, fm.Marker]:
    """Its principal axes are not the global ones."""
    m = fm.Model("free body")
    free = m.add(
        fm.RigidBody(
            "body", mass=2.0, inertia=AXES @ J @ AXES.T, com=START["position"], velocity=START["velocity"],
            spin=START["omega"],
        )
    )  # fmt: skip
    if torque is not None:
        m.add(fm.Torque(free.com, torque))
    return m, free.com


def angular_momentum(sol: fm.Solution, com: fm.Marker) -> np.ndarray:  # (frames, 3), global axes, about the com
    R = sol.rotation(com) @ AXES
    return np.einsum("nij,jk,nlk,nl->ni", R, J, R, sol.spin(com))


@pytest.fixture(scope="module")
def free() -> tuple[fm.Solution, fm.Marker]:
    """10 s, about three turns, h = 1e-3 s, rho_inf = 1."""
    m, com = body()
    return m.simulate(10.0, step=1e-3, output_step=0.05, integrator=fm.GeneralizedAlpha(1.0)), com


def test_torque_free_body_keeps_energy_and_angular_momentum(free) -> None:
    """To 1e-6 over 10 s."""
    sol, com = free
    L = angular_momentum(sol, com)
    assert error(sol.energy.kinetic, sol.energy.kinetic[:1]) < 1e-6
    assert np.linalg.norm(L - L[0], axis=1).max() < 1e-6 * np.linalg.norm(L[0])
    assert sol.statistics.drift < 1e-12


def test_torque_free_body_follows_the_oracle_and_jacobi(free) -> None:
    """Second-order error at h = 1e-3 s: 2e-5 of rotations and spins; the centre of mass moves on a straight line."""
    sol, com = free
    p = np.array([0.8, 0.2, -0.4, 0.4]) / np.linalg.norm([0.8, 0.2, -0.4, 0.4])
    exact = rigid_body.free_body(2.0, J, sol.t, euler_parameters=p, **START)
    assert_allclose(sol.rotation(com) @ AXES, exact.R, rtol=0, atol=3e-5)
    assert error(sol.spin(com), exact.omega) < 2e-5
    assert_allclose(sol.position(com), exact.position, rtol=0, atol=1e-10)
    jacobi = rigid_body.torque_free_omega(tuple(np.diag(J)), 1.0, 2.0, sol.t)
    in_body = np.einsum("nji,nj->ni", sol.rotation(com) @ AXES, sol.spin(com))
    assert error(in_body, jacobi) < 2e-5


def test_constant_global_torque() -> None:
    """L grows by the torque times t; motion as the oracle's. 3 s at h = 1e-3 s, second-order error below 1e-4."""
    m, com = body(TORQUE)
    sol = m.simulate(3.0, step=1e-3, output_step=0.05, integrator=fm.GeneralizedAlpha(1.0))
    p = np.array([0.8, 0.2, -0.4, 0.4]) / np.linalg.norm([0.8, 0.2, -0.4, 0.4])
    exact = rigid_body.free_body(2.0, J, sol.t, torque=TORQUE, euler_parameters=p, **START)
    L = angular_momentum(sol, com)
    assert_allclose(L - L[0], np.outer(sol.t, TORQUE), rtol=0, atol=1e-4)
    assert_allclose(sol.rotation(com) @ AXES, exact.R, rtol=0, atol=1e-4)
    assert error(sol.spin(com), exact.omega) < 1e-4
    assert sol.energy.work[-1] == pytest.approx(np.ptp(sol.energy.kinetic[[0, -1]]), rel=1e-4)
