"""Wear, axial stops, histories, limits of the laws."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.joints.clearance_models import GAP, RADIUS, dropped, lankarani, lying

LENGTH = 0.02


def turning(acceleration: float = 1.0, sectors: int = 24, spin: float = 50.0) -> tuple[fm.Model, fm.ClearanceRevolute]:
    """A journal turned at constant speed under its weight; no friction, so it stays at the bottom."""
    wear = fm.wear.Archard(coefficient=1e-4, hardness=2e9, acceleration=acceleration, sectors=sectors)
    model = lying(spin=spin, wear=wear, contact=fm.contact.KelvinVoigt(stiffness=1e7, damping=5e3))
    return model.m, model.joint


def test_archard_volume() -> None:
    """V = k N s/H, to the start-up of the contact: N = 9.81 N over s = w R_j t."""
    m, joint = turning()
    sol = m.simulate(0.2, step=2e-4)
    c = sol.clearance(joint)
    area = 2.0 * np.pi * RADIUS / 24 * LENGTH
    volume = c.wear.sum(axis=1) * area
    work = np.concatenate([[0.0], np.cumsum((c.normal_force * np.abs(c.slip[:, 0]))[1:] * np.diff(c.t))])
    assert_allclose(volume, 1e-4 * work / 2e9, rtol=1e-5)  # what was rubbed; frames see the wall as worn at their end
    assert volume[-1] == pytest.approx(1e-4 * 9.81 * 50.0 * (RADIUS - GAP) * 0.2 / 2e9, rel=1e-2)


def test_wear_is_where_the_journal_rubs_and_feeds_back() -> None:
    """The two sectors beside the bottom take all; the journal sinks by their mean depth."""
    m, joint = turning(acceleration=2e3)
    c = m.simulate(0.2, step=2e-4).clearance(joint)
    worn = np.flatnonzero(c.wear[-1])
    assert set(worn) <= {17, 18}
    depth = c.wear[-1, 18]
    assert depth > 1e-8
    assert np.linalg.norm(c.eccentricity[-1]) == pytest.approx(GAP + depth + 9.81 / 1e7, rel=1e-3)
    assert c.normal_force[-1] == pytest.approx(9.81, rel=1e-2)


def test_joints_with_different_sectors_wear_as_they_do_alone() -> None:
    """All joints share the finest division of the model; the volume that one loses does not change."""

    def volumes(*sectors: int) -> list[float]:
        m = fm.Model("pins", gravity=(0, -9.81))
        law, worn = fm.contact.KelvinVoigt(stiffness=1e7, damping=5e3), []
        for k, count in enumerate(sectors):
            pin = m.add(fm.PlanarBody(f"pin {k}", mass=1.0, inertia=1e-3, com=(k, 0), spin=50.0))
            wear = fm.wear.Archard(coefficient=1e-4, hardness=2e9, sectors=count)
            size = {"bearing_radius": RADIUS, "clearance": GAP, "length": LENGTH}
            worn.append(m.add(fm.ClearanceRevolute(m.ground.at(k, 0), pin.com, contact=law, wear=wear, **size)))
        sol = m.simulate(0.02, step=2e-5, output_step=1e-2)
        shares = [np.asarray(sol.clearance(joint).wear)[-1] for joint in worn]
        return [float(depth.sum()) / depth.size for depth in shares]

    assert volumes(12, 48)[0] == pytest.approx(volumes(12)[0], rel=1e-3, abs=0.0)


def test_axial_stops() -> None:
    """They make a cylindrical joint a revolute one: the journal bounces between them."""
    m = fm.Model("stops")
    body = m.add(fm.RigidBody("journal", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), com=(0, 0, 0), velocity=(0, 0, 0.1)))
    joint = m.add(
        fm.ClearanceCylindrical(
            m.ground.at(0, 0, 0), body.com, axis=(0, 0, 1), bearing_radius=0.02, clearance=1e-4, length=0.04,
            axial_clearance=2e-4, contact=fm.contact.HuntCrossley(restitution=0.5, stiffness=1e10, calibrated=True),
        )
    )  # fmt: skip
    sol = m.simulate(0.012, tolerance=1e-7)
    c = sol.clearance(joint)
    assert c.ends == ("A", "W", "stop -", "stop +")
    assert [impact.end for impact in c.impacts] == ["stop +", "stop -"]
    assert c.impacts[0].t == pytest.approx(2e-3, rel=1e-9)
    assert_allclose([impact.restitution for impact in c.impacts], 0.5, atol=2e-3)


def test_a_rejected_step_leaves_no_trace() -> None:
    """Nothing is kept of a step that was thrown away: the same step again gives the same state to the last bit."""
    from copy import deepcopy

    from fmbs.solvers.linear import linear_solver
    from fmbs.solvers.start import consistent_start

    m, _ = turning(acceleration=1e3)
    system = m.system()
    linear = linear_solver("auto", system.size)
    stepper = fm.GeneralizedAlpha().start(system, linear, "exact", 1e-4, None, 1.0)
    state = stepper.prepare(consistent_start(system, linear, 1e-3).state)
    state = stepper.leap(state, 1.0, 5e-4).done.state
    history, kept = state.history.copy(), deepcopy(stepper.snapshot())
    first = stepper.leap(state, 1.0, 6e-4).done.state
    stepper.leap(first, 1.0, 1e-3)  # thrown away
    stepper.restore(kept)
    again = stepper.leap(state, 1.0, 6e-4).done.state
    assert history.any() and first.t > state.t
    assert_allclose(state.history, history, rtol=0, atol=0)
    assert_allclose(again.q, first.q, rtol=0, atol=0)
    assert_allclose(again.history, first.history, rtol=0, atol=0)


def test_limits_are_reported() -> None:
    """Faster than 1e-5 sqrt(E/rho), deeper than the clearance."""
    (fast,) = dropped(lankarani(), speed=0.2).m.simulate(5e-4, tolerance=1e-6).clearance("pin").limits
    assert "1 of 1 impacts were faster than 0.0514 m/s" in fast
    soft = dropped(fm.contact.Hertz(stiffness=1e4), speed=0.04)
    (deep,) = soft.m.simulate(0.05, tolerance=1e-6).clearance("pin").limits
    assert "more than the clearance of 5e-05 m" in deep
