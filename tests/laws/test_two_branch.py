"""The spring with two branches: its work, its restitution, and a body that is pressed on for long."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.test_bad_input import refused

K = 1e8


def law(e: float, **options: object) -> fm.contact.TwoBranch:
    return fm.contact.TwoBranch(stiffness=K, restitution=e, **options)  # type: ignore[arg-type]


def test_branches() -> None:
    """K d going in, e K d coming out, between them within a hundredth of the approach speed, half way at rest."""
    depth, speed = 2e-6, 0.5
    rates = np.array([0.5, 0.005, 0.0, -0.005, -0.3])
    assert_allclose(law(0.6).normal_force(depth, rates, speed), K * depth * np.array([1.0, 1.0, 0.8, 0.6, 0.6]), rtol=1e-14)


def thrown(contact: fm.contact.ContactLaw, *, push: float = 0.0, speed: float = 0.5, t_end: float = 6e-4) -> fm.Solution:
    m = fm.Model("thrown")
    ball = m.add(fm.PlanarBody("ball", mass=0.14, inertia=1e-4, com=(0, 0), velocity=(speed, 0)))
    if push:
        m.add(fm.PointForce(ball.com, (push, 0.0)))
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), ball.com, contact=contact, bearing_radius=0.01, clearance=5e-5, name="pin"))
    return m.simulate(t_end, step=1e-7, output_step=1e-6, progress=False)


@pytest.mark.parametrize("e", [1.0, 0.9, 0.5])
def test_speed_after_an_impact(e: float) -> None:
    """The printed law gives back e of the work, so it delivers the square root of e; calibrated it delivers e."""
    for calibrated, expected in ((False, np.sqrt(e)), (True, e)):
        sol = thrown(law(e, calibrated=calibrated), t_end=3e-4)
        impact = sol.clearance("pin").impacts[0]
        assert impact.restitution == pytest.approx(expected, rel=1e-3)
        kinetic = 0.5 * 0.14 * 0.5**2
        assert impact.lost == pytest.approx((1.0 - expected**2) * kinetic, abs=2e-3 * kinetic)
        assert np.abs(sol.energy.balance).max() < 1e-3 * kinetic


def test_duration_of_an_impact() -> None:
    """Half a period of each oscillator: pi/2 sqrt(m/K) (1 + 1/sqrt(e))."""
    impact = thrown(law(0.5)).clearance("pin").impacts[0]
    exact = 0.5 * np.pi * np.sqrt(0.14 / K) * (1.0 + np.sqrt(2.0))
    assert impact.t_end - impact.t == pytest.approx(exact, rel=2e-3)


def test_pressed_on_it_comes_to_rest() -> None:
    """A steady push ends at rest between the branches, e K d <= F <= K d, and nothing chatters."""
    sol = thrown(law(0.7), push=500.0, speed=0.02, t_end=8e-3)
    joint = sol.clearance("pin")
    force, depth = np.asarray(joint.normal_force)[-100:].ravel(), np.asarray(joint.penetration)[-100:].ravel()
    assert_allclose(force, 500.0, rtol=1e-3)
    assert ((0.7 * K * depth < force * 1.001) & (force < 1.001 * K * depth)).all()
    assert np.ptp(depth) < 1e-3 * depth.mean()


def test_input() -> None:
    refused("TwoBranch | restitution = 0 | (0, 1]", law, 0.0)
    refused("TwoBranch | restitution = 1.5 | (0, 1]", law, 1.5)
    refused("TwoBranch | blend = 2 | below 1", law, 0.9, blend=2.0)
    refused("TwoBranch | stiffness = -1 | positive", fm.contact.TwoBranch, stiffness=-1.0, restitution=0.9)
    refused("TwoBranch | calibrated | True nor False", law, 0.9, calibrated="yes")
