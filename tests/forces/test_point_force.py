"""Forces at points."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

import fmbs as fm
from tests.conformance.cases import virtual


def test_virtual_work():
    """dW = F . dr of the point for any rigid virtual motion."""
    model = fm.Model("push")
    body = model.add(fm.RigidBody("b", mass=2.0, inertia=(0.3, 0.4, 0.5), com=(0.1, 0.2, 0.3)))
    point, force = np.array([1.0, -0.5, 0.2]), np.array([3.0, 2.0, -1.0])
    model.add(fm.PointForce(body.at(*point), force))
    system = model.system()
    rng = np.random.default_rng(2)
    for _ in range(5):
        shift, turn = rng.standard_normal((2, 3))
        work = -system.force(0.0, system.initial_position, np.zeros(12)) @ virtual(body, system.initial_position, shift, turn)
        assert_allclose(work, force @ (shift + np.cross(turn, point)), rtol=0, atol=2e-14)


def test_force_of_time():
    """x'' = cos(t) / m from rest."""
    model = fm.Model("push")
    body = model.add(fm.PlanarBody("b", mass=2.0, inertia=0.1, com=(0, 0)))
    model.add(fm.PointForce(body.com, lambda t: (np.cos(t), 0.0)))
    sol = model.simulate(1.0, step=1e-3)
    assert_allclose(sol.position(body.com)[:, 0], 0.5 * (1.0 - np.cos(sol.t)), rtol=0, atol=1e-7)


def test_many_forces_on_one_body():
    """More entries at one place of the Newton matrix than a small integer counts (256 in all, with M and the diagonal)."""
    model = fm.Model("many")
    body = model.add(fm.PlanarBody("b", mass=1.0, inertia=1.0, com=(0, 0)))
    for _ in range(254):
        model.add(fm.PointForce(body.at(1, 0), (0.01, 0.0)))
    sol = model.simulate(1.0, step=1e-2)
    one = fm.Model("one")
    same = one.add(fm.PlanarBody("b", mass=1.0, inertia=1.0, com=(0, 0)))
    one.add(fm.PointForce(same.at(1, 0), (2.54, 0.0)))
    assert_allclose(sol.q, one.simulate(1.0, step=1e-2).q, rtol=0, atol=1e-9)
