"""A torque's resultant is exactly the given moment, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import fmbs as fm
from fmbs.assembly.system import System
from tests.conformance.cases import moved, virtual

MOMENT = np.array([0.3, -1.2, 0.7])
AXES = Rotation.random(random_state=3).as_matrix()
INERTIA = AXES @ np.diag([0.3, 0.4, 0.5]) @ AXES.T
SPIN = np.array([1.5, -2.0, 0.8])


def spinning() -> tuple[fm.Model, fm.RigidBody]:
    model = fm.Model("torque")
    body = model.add(fm.RigidBody("b", mass=2.0, inertia=INERTIA, com=(0.1, 0.2, 0.3), spin=SPIN))
    return model, body


def generalized(system: System, q: np.ndarray) -> np.ndarray:
    return -system.force(0.0, q, np.zeros(system.size))


@pytest.mark.parametrize("place", [(0.1, 0.2, 0.3), (1.0, -0.5, 0.4)], ids=["centre", "elsewhere"])
def test_virtual_work(place: tuple[float, float, float]):
    """dW = m . dtheta for any rigid virtual motion of a turned body, wherever the marker is."""
    model, body = spinning()
    model.add(fm.Torque(body.at(*place), MOMENT))
    system = model.system()
    rng = np.random.default_rng(5)
    for seed in range(5):
        turned = Rotation.random(random_state=seed).as_matrix()
        q = moved(body, system.initial_position, turned, np.zeros(3), rng.standard_normal(3))
        shift, turn = rng.standard_normal((2, 3))
        assert_allclose(generalized(system, q) @ virtual(body, q, shift, turn), MOMENT @ turn, rtol=0, atol=2e-14)


def test_virtual_work_in_the_plane():
    model = fm.Model("torque")
    body = model.add(fm.PlanarBody("b", mass=2.0, inertia=0.4, com=(0.1, 0.2), angle=0.3))
    model.add(fm.Torque(body.at(1.0, 1.0), 0.7))
    system = model.system()
    assert_allclose(generalized(system, np.array([0.5, -0.3, 1.9])), (0.0, 0.0, 0.7), rtol=0, atol=1e-15)


def test_euler_equations():
    """A free body: I alpha = m - omega x I omega, and its centre of mass is left alone."""
    model, body = spinning()
    model.add(fm.Torque(body.at(1.0, 0.0, 0.0), lambda t: MOMENT * np.cos(t)))
    sol = model.simulate(1e-3, step=1e-3)
    centre = sol.acceleration(body.com)[0]
    arms = np.eye(3)
    ends = [sol.acceleration(body.at(*np.add((0.1, 0.2, 0.3), arm)))[0] - centre for arm in arms]
    alpha = 0.5 * np.cross(arms, ends).sum(axis=0)
    expected = np.linalg.solve(INERTIA, MOMENT - np.cross(SPIN, INERTIA @ SPIN))
    assert_allclose(alpha, expected, rtol=0, atol=1e-12)
    assert_allclose(centre, 0.0, rtol=0, atol=1e-12)


def test_planar_acceleration():
    model = fm.Model("torque")
    body = model.add(fm.PlanarBody("b", mass=2.0, inertia=0.4, com=(0.1, 0.2)))
    model.add(fm.Torque(body.at(1.0, 1.0), 0.8))
    sol = model.simulate(0.5, step=1e-2)
    assert_allclose(sol.angle(body), 0.5 * 2.0 * sol.t**2, rtol=0, atol=1e-12)
    assert_allclose(sol.position(body.com), np.tile((0.1, 0.2), (len(sol), 1)), rtol=0, atol=1e-14)


def test_work_of_a_torque():
    """The energy ledger: the work of a constant torque about a fixed axis is m theta."""
    model, body = spinning()
    model.add(fm.Revolute(model.ground.at(0, 0, 0), body.at(0, 0, 0), axis=(0, 0, 1)))
    model.add(fm.Torque(body.com, (0.0, 0.0, 2.0)))
    sol = model.simulate(0.2, step=1e-3, initial_velocities="impulse")  # the hinge catches the body
    rotation = sol.rotation(body.com)[-1]
    assert_allclose(sol.energy.work[-1], 2.0 * np.arctan2(rotation[1, 0], rotation[0, 0]), rtol=1e-5)
