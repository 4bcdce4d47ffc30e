"""Planar bodies against the textbook and against their spatial twins."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

import fmbs as fm


def pendulum(angle: float = 0.0) -> tuple[fm.Model, fm.PlanarBody]:
    model = fm.Model("pendulum", gravity=(0, -9.81))
    body = model.add(fm.PlanarBody("rod", mass=1.3, inertia=0.2, com=(0.4, 0.3), angle=angle))
    model.add(fm.Revolute(model.ground.at(0, 0), body.at(0, 0)))
    return model, body


def test_kinetic_energy():
    model = fm.Model("one body")
    model.add(fm.PlanarBody("b", mass=2.0, inertia=0.5, com=(1, 2), velocity=(3.0, -1.0), spin=4.0))
    system = model.system()
    assert_allclose(system.kinetic_energy(system.initial_velocity), 0.5 * 2.0 * 10.0 + 0.5 * 0.5 * 16.0, rtol=1e-15)


def test_markers_move_rigidly():
    model, body = pendulum()
    sol = model.simulate(1.0, step=1e-2)
    theta = sol.angle(body)
    cos, sin = np.cos(theta), np.sin(theta)
    expected = np.column_stack([0.4 * cos - 0.3 * sin, 0.4 * sin + 0.3 * cos])
    assert np.ptp(theta) > 1.0
    assert_allclose(sol.position(body.com), expected, rtol=0, atol=1e-12)


def test_the_angle_only_names_the_start():
    model, body = pendulum()
    other, twin = pendulum(angle=0.7)
    sol, same = model.simulate(0.5, step=1e-2), other.simulate(0.5, step=1e-2)
    assert_allclose(same.position(twin.at(0.8, 0.6)), sol.position(body.at(0.8, 0.6)), rtol=0, atol=1e-12)
    assert_allclose(same.angle(twin), sol.angle(body) + 0.7, rtol=0, atol=1e-12)


def test_spatial_twin():
    """A rigid body on a revolute joint about z moves like the planar one, with the same reaction."""
    model, body = pendulum()
    space = fm.Model("in space", gravity=(0, -9.81, 0))
    twin = space.add(fm.RigidBody("rod", mass=1.3, inertia=(0.1, 0.15, 0.2), com=(0.4, 0.3, 0)))
    space.add(fm.Revolute(space.ground.at(0, 0, 0), twin.at(0, 0, 0), axis=(0, 0, 1), name="hinge"))
    sol, other = model.simulate(0.5, step=1e-3), space.simulate(0.5, step=1e-3)
    assert_allclose(other.position(twin.com)[:, :2], sol.position(body.com), rtol=0, atol=5e-6)  # h^2
    force = sol.reaction(sol.system.joints[0]).force
    assert_allclose(other.reaction("hinge").force[:, :2], force, rtol=0, atol=2e-4)
