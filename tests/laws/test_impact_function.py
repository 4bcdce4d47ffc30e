"""The impact function: its ramp, its derivatives, and the bounce of a mass against independent integrations."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import fmbs as fm
from tests.laws.law_cases import contact
from tests.test_bad_input import refused

K, C, H = 3e8, 90.0, 4e-6
LAW = fm.contact.ImpactFunction(stiffness=K, damping=C, full_depth=H)


def test_ramp():
    """Adams' STEP from 0 at the surface to 1 at full_depth, against its definition."""
    depth = np.array([1e-7, 1e-6, 2e-6, 3.9e-6, 4e-6, 1e-5])
    x = np.minimum(depth / H, 1.0)
    expected = K * depth**1.5 + C * (3 * x**2 - 2 * x**3) * 0.02
    assert_allclose(LAW.normal_force(depth, 0.02, 0.1), expected, rtol=1e-14)
    assert LAW.normal_force(1e-7, -1e6, 0.1) == 0.0 and LAW.normal_force(-1e-7, 0.1, 0.1) == 0.0  # never pulls


@pytest.mark.parametrize("depth", [5e-7, 3e-6, 9e-6])
def test_derivatives_and_energy(depth):
    force, by_depth, by_rate, _, stored = contact(LAW, depth, 0.03, 0.1, 0.0, 0.0, 1e-6)
    step = 1e-4 * depth
    around = [contact(LAW, depth + side * step, 0.03, 0.1, 0.0, 0.0, 1e-6)[0] for side in (-1, 1)]
    assert_allclose((around[1] - around[0]) / (2 * step), by_depth, rtol=1e-6)
    assert_allclose(contact(LAW, depth, 0.04, 0.1, 0.0, 0.0, 1e-6)[0] - force, 0.01 * by_rate, rtol=1e-9)
    assert_allclose(stored, K * depth**2.5 / 2.5, rtol=1e-14)


def bounce(law, mass, speed):
    """Speed after over speed before, in a model."""
    m = fm.Model("drop", gravity=(0, 0))
    ball = m.add(fm.PlanarBody("ball", mass=mass, inertia=1e-4, com=(0, 0), velocity=(speed, 0)))
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), ball.com, bearing_radius=0.02, clearance=1e-5, contact=law, name="hole"))
    sol = m.simulate(1e-5 / speed + 2e-3, step=2e-6)
    return sol.clearance("hole").impacts[0]


def test_bounce_against_scipy():
    mass, speed = 0.2, 0.05

    def motion(t, y):
        x = min(y[0] / H, 1.0)
        return y[1], -max(K * max(y[0], 0.0) ** 1.5 + C * (3 * x * x - 2 * x**3) * y[1], 0.0) / mass

    def leaves(t, y):
        return y[0]

    leaves.terminal, leaves.direction = True, -1
    sol = solve_ivp(motion, (0, 0.1), [1e-18, speed], rtol=1e-10, atol=1e-16, events=leaves, method="LSODA")
    found = bounce(LAW, mass, speed)
    assert_allclose(found.restitution, -sol.y[1, -1] / speed, rtol=1e-4)
    assert_allclose(found.t_end - found.t, sol.t[-1], rtol=1e-4)
    assert found.restitution < 0.98


def test_without_a_ramp_it_is_kelvin_voigt():
    """Linear, with the ramp far below the depths of the impact."""
    law = fm.contact.ImpactFunction(stiffness=2e7, exponent=1.0, damping=300.0, full_depth=1e-9)
    twin = fm.contact.KelvinVoigt(stiffness=2e7, damping=300.0)
    depth = np.array([2e-9, 1e-7, 1e-6])
    for rate in (-0.01, 0.04):
        assert_allclose(law.normal_force(depth, rate, 0.1), twin.normal_force(depth, rate, 0.1), rtol=1e-14)


def test_input():
    refused("ImpactFunction | damping = -1", fm.contact.ImpactFunction, stiffness=1.0, damping=-1.0, full_depth=1e-6)
    refused("full_depth = 0 | must be positive", fm.contact.ImpactFunction, stiffness=1.0, damping=1.0, full_depth=0.0)
