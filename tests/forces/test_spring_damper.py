"""Springs and dampers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.assembly.system import Coefficients


def on_a_spring(**spring: float) -> tuple[fm.Model, fm.RigidBody]:
    model = fm.Model("oscillator")
    body = model.add(fm.RigidBody("b", mass=2.0, inertia=(0.1, 0.1, 0.1), com=(1.5, 0, 0)))
    model.add(fm.SpringDamper(model.ground.at(0, 0, 0), body.com, **spring))
    return model, body


def test_damped_oscillation():
    """m x'' + c x' + k (x - L) = 0 in closed form."""
    model, body = on_a_spring(stiffness=200.0, damping=4.0, length=1.0)
    sol = model.simulate(1.0, step=1e-3)
    decay, omega = 1.0, np.sqrt(100.0 - 1.0)
    expected = 1.0 + 0.5 * np.exp(-decay * sol.t) * (np.cos(omega * sol.t) + decay / omega * np.sin(omega * sol.t))
    assert_allclose(sol.position(body.com)[:, 0], expected, rtol=0, atol=5e-5)
    assert_allclose(sol.energy.balance, 0.0, rtol=0, atol=2e-3 * sol.energy.elastic[0])


def test_free_length_is_the_drawn_one():
    model, body = on_a_spring(stiffness=200.0)
    sol = model.simulate(0.1, step=1e-2)
    assert_allclose(sol.position(body.com)[:, 0], 1.5, rtol=0, atol=1e-13)


@pytest.mark.parametrize("planar", [False, True])
def test_zero_length_spring_through_its_centre(planar: bool):
    """Points that coincide at the start: no direction, but a force k d and a tangent k."""
    model = fm.Model("zero length")
    if planar:
        body = model.add(fm.PlanarBody("b", mass=2.0, inertia=0.1, com=(0, 0), velocity=(1.0, 0.5)))
    else:
        body = model.add(fm.RigidBody("b", mass=2.0, inertia=(0.1, 0.1, 0.1), velocity=(1.0, 0.5, 0.0)))
    model.add(fm.SpringDamper(model.ground.at(0, 0, 0), body.com, stiffness=200.0, length=0.0))
    system = model.system()
    q, v, lam = system.initial_position, np.zeros(system.size), np.zeros(system.multipliers)
    stiffness = system.jacobian(0.0, q, v, lam, Coefficients(stiffness=1.0)).toarray()[:2, :2]
    assert_allclose(stiffness, 200.0 * np.eye(2), rtol=0, atol=1e-12)
    sol = model.simulate(1.0, step=1e-3)
    assert_allclose(sol.position(body.com)[:, 1], 0.05 * np.sin(10.0 * sol.t), rtol=0, atol=5e-5)


def test_damper_dissipates_what_the_ledger_says():
    model, _ = on_a_spring(stiffness=200.0, damping=20.0, length=1.0)
    sol = model.simulate(3.0, step=1e-3)
    assert_allclose(sol.energy.dissipated[-1], 0.5 * 200.0 * 0.25, rtol=1e-3)


def test_free_length_that_changes_with_time_does_work():
    """A mass on a spring whose free length swings: x'' = -k/m (x - l(t)), by DOP853; the ledger counts the work put in."""
    from scipy.integrate import solve_ivp

    m = fm.Model("shaker")
    ball = m.add(fm.RigidBody("ball", mass=2.0, inertia=(1.0, 1.0, 1.0), com=(1.0, 0, 0)))

    def length(t: float) -> float:
        return 1.0 + 0.1 * np.sin(3.0 * t)

    m.add(fm.SpringDamper(m.ground.at(0, 0, 0), ball.com, stiffness=50.0, length=length, damping=lambda t: 0.5))
    sol = m.simulate(2.0, step=1e-3, integrator=fm.GeneralizedAlpha(1.0))
    exact = solve_ivp(
        lambda t, y: [y[1], (-50.0 * (y[0] - length(t)) - 0.5 * y[1]) / 2.0], (0, 2), [1.0, 0.0], method="DOP853", rtol=1e-11
    ).y[0, -1]
    assert sol.position(ball.com)[-1, 0] == pytest.approx(exact, abs=3e-6)  # h^2 of the step
    assert np.abs(sol.energy.work).max() > 0.1
    assert np.abs(sol.energy.balance).max() < 1e-5 * np.abs(sol.energy.work).max()
