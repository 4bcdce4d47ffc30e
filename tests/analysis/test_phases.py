"""Joints that lock and let go in the middle of a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm


def arms() -> tuple[fm.Model, fm.PlanarBody, fm.PlanarBody]:
    m = fm.Model("arms", gravity=(0, -9.81))
    arm = m.add(fm.PlanarBody("arm", mass=2.0, inertia=0.3, com=(0.5, 0)))
    tip = m.add(fm.PlanarBody("tip", mass=1.0, inertia=0.1, com=(1.3, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), arm.at(0, 0), name="hinge"))
    m.add(fm.Revolute(arm.at(1, 0), tip.at(1, 0), name="elbow"))
    return m, arm, tip


def test_a_brake_at_one_second(tmp_path: Path):
    """It stops the upper arm at once; the lower one keeps its moment of momentum about the elbow, which then rests."""
    m, arm, tip = arms()
    sim = m.start(step=1e-3)
    sim.run(until=1.0)
    before = sim.solution
    brake = sim.lock("hinge")
    sim.run(until=2.0)
    sim.release(brake)
    sol = sim.run(until=3.0)
    at = np.flatnonzero(np.abs(sol.t - 1.0) < 1e-9)
    assert len(at) == 2 and sim.t == 3.0  # before and after the jump
    arm_out = before.position(tip.com)[-1] - before.position(tip.at(1, 0))[-1]
    v = before.velocity(tip.com)[-1]
    momentum = 0.1 * before.spin(tip.com)[-1] + arm_out[0] * v[1] - arm_out[1] * v[0]
    assert_allclose(sol.spin(tip.com)[at[1]], momentum / (0.1 + 0.3**2), rtol=1e-9)
    energies = sol.energy.kinetic[at]
    assert_allclose(np.diff(sol.energy.dissipated[at]), energies[0] - energies[1], rtol=1e-9)
    held = (sol.t > 1.0) & (sol.t < 2.0)
    assert np.ptp(sol.angle(arm)[held]) < 1e-12 and np.ptp(sol.angle(arm)) > 2.0
    weight = -9.81 * (2.0 * sol.position(arm.com)[:, 0] + sol.position(tip.com)[:, 0])
    inertia = 1.0 * np.cross(sol.position(tip.com), sol.acceleration(tip.com)) + 0.1 * sol.a[:, 5]
    middle = np.flatnonzero(held)[200]
    assert_allclose(sol.reaction(brake).moment[middle], (inertia - weight)[middle], rtol=1e-4)
    assert np.array_equal(sol.reaction(brake).moment[sol.t < 1.0], np.zeros((sol.t < 1.0).sum()))
    assert np.abs(sol.energy.balance).max() < 1e-3 and sol.statistics.drift < 1e-11 and sol.statistics.steps == 3000
    assert "t = 1 s: 'hinge' locked" in str(sol) and "'hinge' released" in str(sol)
    again = fm.load(sol.save(tmp_path / "brake.h5"))
    assert np.array_equal(again.reaction("hinge locked").moment, sol.reaction(brake).moment)
    assert_allclose(again.drift, sol.drift, atol=1e-15)


def test_phases_without_a_change_are_one_run():
    m, _, _ = arms()
    sim = m.start(tolerance=1e-9, integrator=fm.Radau(), output_step=0.05)
    sim.run(until=0.3)
    assert_allclose(sim.run(until=0.5).q[-1], m.simulate(0.5, tolerance=1e-9, integrator=fm.Radau()).q[-1], atol=1e-7)
    assert len(np.unique(sim.solution.t)) == len(sim.solution) == 11


def test_a_cable_that_is_cut_and_a_hinge_that_breaks():
    """A weight between two springs; one is cut, its energy is gone; then it falls freely."""
    m = fm.Model("cut", gravity=(0, -9.81))
    weight = m.add(fm.PlanarBody("weight", mass=1.0, inertia=0.1, com=(0, 0)))
    m.add(fm.SpringDamper(m.ground.at(0, 1), weight.com, stiffness=100.0, length=0.9, name="upper"))
    lower = m.add(fm.SpringDamper(m.ground.at(0, -1), weight.com, stiffness=50.0, length=0.9, name="lower"))
    sim = m.start(step=1e-3)
    sim.run(until=0.2)
    stored = 0.5 * 50.0 * (sim.solution.position(weight.com)[-1, 1] + 1.0 - 0.9) ** 2
    sim.release(lower)
    sol = sim.run(until=0.4)
    at = np.flatnonzero(np.abs(sol.t - 0.2) < 1e-9)
    assert_allclose(np.diff(sol.energy.dissipated[at]), stored, rtol=1e-9)
    assert_allclose(sol.velocity(weight.com)[at[0]], sol.velocity(weight.com)[at[1]], atol=1e-9)
    sim.release("upper")
    sol = sim.run(until=0.6)
    assert_allclose(sol.acceleration(weight.com)[-1], (0.0, -9.81), atol=1e-9)
    assert np.abs(sol.energy.balance).max() < 1e-5


def test_a_latch_in_space():
    """Two bodies that fly and turn are latched: momentum and moment of momentum are kept, they move as one."""
    m = fm.Model("latch")
    a = m.add(fm.RigidBody("a", mass=1.0, inertia=(0.1, 0.2, 0.15), com=(0, 0, 0), velocity=(0.1, 0.2, 0), spin=(1, 2, 0.5)))
    b = m.add(fm.RigidBody("b", mass=2.0, inertia=(0.2, 0.1, 0.25), com=(1, 0.2, 0), velocity=(-0.1, 0, 0.3), spin=(0, -1, 2)))
    ball = m.add(fm.Spherical(a.at(0.5, 0, 0), b.at(0.5, 0, 0), name="ball"))
    sim = m.start(step=1e-3, initial_velocities="impulse")
    sim.run(until=0.5)
    sim.lock(ball)
    sol = sim.run(until=1.0)
    mass = sol.system.mass_matrix
    motions = [body.rigid_rates for body in (a, b)]
    unit = [np.concatenate([rates(q[12 * i :][:12]) for i, rates in enumerate(motions)]) for q in sol.q]
    totals = np.array([x.T @ (mass @ v) for x, v in zip(unit, sol.v, strict=True)])
    assert_allclose(totals, np.broadcast_to(totals[0], totals.shape), atol=1e-5)
    late = sol.t > 0.5
    apart = np.einsum("tji,tjk->tik", sol.rotation(a.com), sol.rotation(b.com))[late]
    assert np.abs(apart[1:] - apart[1]).max() < 1e-9 and np.abs(sol.spin(a.com) - sol.spin(b.com))[late][1:].max() < 1e-5


def test_bad_input():
    m, _, _ = arms()
    spring = m.add(fm.RotationSpringDamper(m.ground.at(0, 0), m["arm"].at(0, 0), stiffness=1.0, name="winder"))
    sim = m.start(step=1e-3)
    with pytest.raises(fm.ModelError, match="nothing has run yet"):
        _ = sim.solution
    for call, words in (
        (lambda: sim.lock("hing"), "no joint or force 'hing' in the model. Did you mean 'hinge'"),
        (lambda: sim.lock(spring), "is no ideal joint; a force lets go and does not lock"),
        (lambda: sim.release(spring), "'winder' remembers or counts something and cannot be taken out"),
        (lambda: sim.run(until=-1.0), "until = -1 must be positive"),
        (lambda: m.start(stepp=1e-3), "option of start = 'stepp' is unknown"),
    ):
        with pytest.raises(fm.ModelError, match=words):
            call()
    sim.lock("hinge")
    with pytest.raises(fm.ModelError, match="'hinge' is locked already"):
        sim.lock("hinge")
