"""Bushings: frequencies, large rotations, energy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.test_bad_input import refused

K = np.array([1e4, 2e4, 3e4, 50.0, 60.0, 70.0])


def test_six_frequencies_in_turned_axes():
    """omega = sqrt(k/m) and sqrt(k/J) along the axes of the bushing; damping ratios c omega/(2 k)."""
    turn = np.array([[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])
    m = fm.Model("block")
    block = m.add(fm.RigidBody("block", mass=2.0, inertia=turn.T @ np.diag([0.1, 0.2, 0.25]) @ turn))
    m.add(fm.Bushing(m.ground.at(0, 0, 0), block.com, stiffness=K, damping=1e-3 * K, axes=turn))
    modes = m.modes(6)
    expected = np.sort(np.sqrt(K / np.array([2.0, 2.0, 2.0, 0.1, 0.2, 0.25])))
    assert_allclose(modes.omega, expected, rtol=1e-9)
    assert_allclose(modes.damping, 0.5e-3 * expected, rtol=1e-9)


def test_moment_is_linear_in_the_rotation_vector():
    """A block turned by 1.5 rad about a skew axis: M = -k theta for an isotropic bushing, whatever the axis."""
    n = np.array([1.0, 2.0, -2.0]) / 3.0
    m = fm.Model("turned")
    block = m.add(fm.RigidBody("block", mass=2.0, inertia=(0.3, 0.3, 0.3), spin=1.5 * n))
    rubber = m.add(fm.Bushing(m.ground.at(0, 0, 0), block.com, stiffness=(1e3, 1e3, 1e3, 0.3, 0.3, 0.3)))
    sol = m.simulate(1.5, step=5e-3)  # phi = 1.5 sin(t)
    moment = sol.reaction(rubber).moment
    assert_allclose(moment, -0.3 * 1.5 * np.sin(sol.t)[:, None] * n, rtol=0, atol=1e-4)
    assert np.abs(sol.energy.balance).max() < 1e-4


@pytest.mark.parametrize("planar", [True, False])
def test_damped_block(planar: bool, tmp_path):
    """Off its centre: the ledger closes, and what is loaded has the same reaction."""
    m = fm.Model("block", gravity=(0, -9.81) if planar else (0, -9.81, 0))
    if planar:
        block = m.add(fm.PlanarBody("block", mass=2.0, inertia=0.1, com=(0.1, 0)))
        place = m.ground.at(0, 0), block.at(0, 0)
        stiffness = np.array([1e4, 1e4, 20.0])
    else:
        block = m.add(fm.RigidBody("block", mass=2.0, inertia=(0.1, 0.1, 0.1), com=(0.1, 0, 0)))
        place = m.ground.at(0, 0, 0), block.at(0, 0, 0)
        stiffness = np.array([1e4, 1e4, 1e4, 20.0, 20.0, 20.0])
    m.add(fm.Bushing(*place, stiffness=stiffness, damping=0.02 * stiffness, name="rubber"))
    sol = m.simulate(0.6, step=1e-3)
    assert sol.energy.dissipated[-1] == pytest.approx(0.5 * 2.0**2 * 0.981**2 / 20.0, rel=0.1)  # k phi^2/2 at rest
    assert np.abs(sol.energy.balance).max() < 1e-3
    sol.save(tmp_path / "run.h5")
    assert_allclose(fm.load(tmp_path / "run.h5").reaction("rubber").force, sol.reaction("rubber").force, rtol=0, atol=0)
    rest = m.equilibrium()
    phi = rest.rotation(block.com)[-1, 1, 0]
    assert 20.0 * np.arcsin(phi) == pytest.approx(-2.0 * 9.81 * 0.1 * np.sqrt(1.0 - phi**2), rel=1e-6)
    assert rest.reaction("rubber").force[-1][1] == pytest.approx(2.0 * 9.81, rel=1e-9)


def test_it_says_when_it_was_turned_too_far():
    m = fm.Model("far")
    block = m.add(fm.RigidBody("block", mass=2.0, inertia=(0.3, 0.3, 0.3), spin=(0, 0, 2.5)))
    m.add(fm.Bushing(m.ground.at(0, 0, 0), block.com, stiffness=(1e3, 1e3, 1e3, 0.3, 0.3, 0.3), name="rubber"))
    assert "rubber: it was turned by more than 2 rad" in m.simulate(1.5, step=5e-3).notes[0]


def test_springs_have_a_reaction():
    m = fm.Model("spring", gravity=(0, -9.81))
    block = m.add(fm.PlanarBody("block", mass=2.0, inertia=0.1, com=(0, -1)))
    spring = m.add(fm.SpringDamper(m.ground.at(0, 0), block.com, stiffness=100.0, name="spring"))
    assert_allclose(m.equilibrium().reaction(spring).force[-1], (0.0, 19.62), rtol=0, atol=1e-9)


def test_bad_input():
    m = fm.Model("m")
    block = m.add(fm.RigidBody("block", mass=1.0, inertia=(1, 1, 1)))
    a, b = m.ground.at(0, 0, 0), block.com
    refused("Bushing | stiffness = (1, 2) | give six numbers", fm.Bushing, a, b, stiffness=(1, 2))
    refused("Bushing | stiffness | not symmetric", fm.Bushing, a, b, stiffness=np.triu(np.ones((6, 6))))
    refused("rubber | damping | makes energy", fm.Bushing, a, b, stiffness=K, damping=-K, name="rubber")
    refused("Bushing | axes | perpendicular", fm.Bushing, a, b, stiffness=K, axes=np.ones((3, 3)))
    refused("Bushing | not at one place", fm.Bushing, m.ground.at(1, 0, 0), b, stiffness=K)
