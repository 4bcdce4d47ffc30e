"""Friction in clearance joints: Coulomb's stopping distance, Ambrosio's ramp, stick-slip on a belt, momentum in space."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import fmbs as fm
from tests.conformance.cases import rigid_motions, virtual
from tests.joints.clearance_models import block

MU, SPEED = 0.2, 0.5
LAWS = {
    "Ambrosio": (fm.friction.Ambrosio(MU, 1e-5, 1e-4), 2e-3),
    "Stribeck": (fm.friction.Stribeck(static=MU, kinetic=MU, stribeck_speed=1e-3), 2e-3),
    "LuGre": (fm.friction.LuGre(static=MU, kinetic=MU, stribeck_speed=1e-3, stiffness=1e5, damping=300.0), 2e-3),
}


@pytest.mark.parametrize(("law", "allowed"), LAWS.values(), ids=LAWS)
def test_block_stops_where_coulomb_says(law: fm.friction.FrictionLaw, allowed: float) -> None:
    """x = v^2/(2 mu g) at t = v/(mu g); what it had is dissipated."""
    sliding = block(law, SPEED)
    time, way = SPEED / (MU * 9.81), SPEED**2 / (2.0 * MU * 9.81)
    sol = sliding.m.simulate(1.2 * time, step=time / 600, output_step=time / 20)
    x, v = sol.position(sliding.body.com)[:, 0], sol.velocity(sliding.body.com)[:, 0]
    moving = sol.t < 0.95 * time
    assert_allclose(v[moving], SPEED - MU * 9.81 * sol.t[moving], atol=0.01 * SPEED)
    assert x[-1] == pytest.approx(way, rel=allowed)
    assert abs(v[-1]) < 1e-4
    lost = sol.energy.dissipated[-1]
    assert lost == pytest.approx(0.5 * 2.0 * SPEED**2, rel=2e-3)
    assert np.abs(sol.energy.balance).max() < 1e-3 * lost


def test_ambrosio_between_its_two_speeds() -> None:
    """Inside [v0, v1] the force is mu N (v - v0)/(v1 - v0): v - v0 decays exponentially, and nothing brakes below v0."""
    v0, v1 = 0.1, 1.0
    sliding = block(fm.friction.Ambrosio(MU, v0, v1), SPEED)
    sol = sliding.m.simulate(0.8, step=1e-3, output_step=0.1)
    rate = MU * 9.81 / (v1 - v0)
    expected = v0 + (SPEED - v0) * np.exp(-rate * sol.t)
    assert_allclose(sol.velocity(sliding.body.com)[:, 0], expected, rtol=5e-3)


def test_friction_tilts_the_block() -> None:
    """Friction at the bottom edges and the weight in the middle: the front corners carry more, F_f - F_r = 2 mu W H/2 / L."""
    sliding = block(fm.friction.Ambrosio(MU, 1e-5, 1e-4), SPEED)
    sol = sliding.m.simulate(0.05, step=5e-5)
    c = sol.clearance("guide")
    force = dict(zip(c.ends, c.normal_force[-400:].mean(axis=0), strict=True))
    weight = 2.0 * 9.81
    assert force["front right"] + force["rear right"] == pytest.approx(weight, rel=0.01)
    lever = MU * weight * (0.0005 + 1e-4) / 0.1
    assert force["front right"] - force["rear right"] == pytest.approx(2.0 * lever, rel=0.3)


def belt(mass: float, spring: float, speed: float, law: fm.friction.LuGre) -> tuple[fm.Model, fm.PlanarBody]:
    """A block on a belt that moves to the right, held by a spring; a light one-sided press keeps it down."""
    m = fm.Model("belt", gravity=(0.0, -9.81))
    gap = 1e-4
    strip = m.add(fm.PlanarBody("belt", mass=5.0, inertia=1.0, com=(0.0, 0.0), velocity=(speed, 0.0)))
    m.add(fm.Prismatic(m.ground.at(0.0, 0.0), strip.com, axis=(1.0, 0.0)))
    m.add(fm.TranslationDrive(m.ground.at(0.0, 0.0), strip.com, axis=(1.0, 0.0), speed=speed))
    body = m.add(fm.PlanarBody("block", mass=mass, inertia=1e-3, com=(0.0, -gap)))
    m.add(
        fm.ClearancePrismatic(
            strip.com, body.com, axis=(1.0, 0.0), clearance=gap, length=0.2, height=1e-3, friction=law, name="guide",
            contact=fm.contact.KelvinVoigt(stiffness=1e7, damping=3e3),
        )
    )  # fmt: skip
    m.add(fm.SpringDamper(m.ground.at(-10.0, -gap), body.com, stiffness=spring, length=10.0))
    return m, body


def test_stick_slip_on_a_belt() -> None:
    """LuGre: the period against Radau on the mass, its spring and one bristle under the whole weight."""
    mass, spring, speed, g = 1.0, 200.0, 0.1, 9.81
    mu_s, mu_k, v_s, s_0, s_1 = 0.4, 0.2, 0.02, 1e4, 100.0
    law = fm.friction.LuGre(static=mu_s, kinetic=mu_k, stribeck_speed=v_s, stiffness=s_0, damping=s_1)
    m, body = belt(mass, spring, speed, law)
    sol = m.simulate(1.5, step=4e-4)

    def rate(t: float, y: np.ndarray) -> list[float]:
        x, v, z = y
        slip = v - speed
        curve = mu_k + (mu_s - mu_k) * np.exp(-((slip / v_s) ** 2))
        bristle = slip - s_0 * abs(slip) / curve * z
        mu = s_0 * z + s_1 * curve / (curve + s_1 * abs(slip)) * bristle
        return [v, -spring / mass * x - mu * g, bristle]

    exact = solve_ivp(rate, (0.0, 1.5), [0.0, 0.0, 0.0], method="Radau", rtol=1e-8, atol=1e-11, dense_output=True)
    v = sol.velocity(body.com)[:, 0]
    period, expected = (_period(sol.t, x) for x in (v, exact.sol(sol.t)[1]))
    assert period == pytest.approx(expected, rel=2e-3)
    assert expected > 1.2 * 2 * np.pi / np.sqrt(spring / mass)  # it does stick: longer than the free period
    sticking = np.abs(v - speed) < 1e-3  # the bristles bend by k v/(N s_0) = 2e-4 m/s
    assert 0.2 < sticking[sol.t > 0.5].mean() < 0.9
    exchanged = np.abs(np.diff(sol.energy.work)).sum()
    assert np.abs(sol.energy.balance).max() < 1e-3 * exchanged


def _period(t: np.ndarray, v: np.ndarray) -> float:
    """Mean time between falling zero crossings after the start."""
    down = np.flatnonzero((v[:-1] > 0.0) & (v[1:] <= 0.0))
    times = t[down] + (t[1] - t[0]) * v[down] / (v[down] - v[down + 1])
    return float(np.diff(times[1:]).mean())


def test_momentum_of_two_free_bodies() -> None:
    """A spinning journal rattles in a free bearing, with friction at both ends: both momenta stay what they were."""
    m = fm.Model("free pair")
    bearing = m.add(fm.RigidBody("bearing", mass=2.0, inertia=(3e-3, 2e-3, 4e-3), com=(0.01, 0.02, 0.03), spin=(1, 2, -3)))
    journal = m.add(
        fm.RigidBody("journal", mass=0.5, inertia=(4e-4, 5e-4, 2e-4), com=(0, 0, 0), velocity=(0.3, -0.2, 0.1), spin=(5, 9, 80))
    )
    joint = m.add(
        fm.ClearanceCylindrical(
            bearing.at(0, 0, 0), journal.com, axis=(0, 0, 1), bearing_radius=0.02, clearance=2e-4, length=0.05,
            contact=fm.contact.LankaraniNikravesh(restitution=0.8, stiffness=1e9),
            friction=fm.friction.LuGre(static=0.3, kinetic=0.2, stribeck_speed=0.01),
        )
    )  # fmt: skip
    sol = m.simulate(0.005, tolerance=3e-5)
    assert {impact.end for impact in sol.clearance(joint).impacts} == {"A", "W"}
    mass, dofs = sol.system.mass_matrix, sol.system.dofs
    for shift, turn in rigid_motions(planar=False):
        momentum = np.array([
            v @ (mass @ np.concatenate([virtual(body, q[dofs.coordinates_of(body)], shift, turn) for body in m.bodies]))
            for q, v in zip(sol.q, sol.v, strict=True)
        ])  # fmt: skip
        assert_allclose(momentum, momentum[0], rtol=0, atol=1e-12 if shift.any() else 2e-7)
    exchanged = sol.energy.kinetic[0] - sol.energy.kinetic[-1]
    assert exchanged > 0.0
    assert np.abs(sol.energy.balance).max() < 5e-3 * exchanged
