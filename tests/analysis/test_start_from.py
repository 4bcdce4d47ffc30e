"""Runs that go on from a solution: the clock, bodies and contacts by name, what is new, gone or does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm

RUBBER = fm.Material(E=1e8, nu=0.3, density=1000.0)


def hanging(E: float = 1e8, elements: int = 2, foot: bool = False) -> tuple[fm.Model, Any]:
    """A strip clamped at the wall that carries a weight on a pin, with a spring."""
    m = fm.Model("hanging", gravity=(0, -9.81))
    material = fm.Material(E=E, nu=0.3, density=1000.0)
    strip = m.add(
        fm.PlanarBeam("strip", start=(0, 0), end=(1, 0), section=fm.Rectangle(0.02, 0.02), material=material, elements=elements)
    )
    weight = m.add(fm.PlanarBody("weight", mass=0.1, inertia=1e-3, com=(1, -0.2)))
    m.add(fm.Fixed(m.ground.at(0, 0), strip.start, name="wall"))
    m.add(fm.Revolute(strip.end, weight.at(1, 0), name="pin"))
    m.add(fm.SpringDamper(m.ground.at(1, 1), weight.com, stiffness=2.0, damping=0.1, length=1.0, name="spring"))
    if foot:
        last = m.add(fm.PlanarBody("foot", mass=0.05, inertia=1e-4, com=(1, -0.3)))
        m.add(fm.Revolute(weight.com, last.at(1, -0.2), name="ankle"))
    return m, weight


def test_an_equilibrium_stands_still():
    """It hangs 0.4 m deep; in half a second nothing moves by more than 1e-8."""
    m, weight = hanging()
    rest = m.equilibrium()
    sol = m.simulate(0.5, step=5e-3, start=rest)
    place = sol.position(weight.com)
    assert rest.position(weight.com)[-1, 1] < -0.4 and sol.t[0] == 0.0
    assert np.abs(place - rest.position(weight.com)[-1]).max() < 1e-8
    assert np.abs(sol.velocity(weight.com)).max() < 1e-8


@pytest.mark.parametrize("integrator", [fm.GeneralizedAlpha(), fm.Radau()], ids=["alpha", "radau"])
def test_two_halves_are_a_whole(integrator: Any):
    """Both methods begin anew with an error of their own order; the clock goes on, the joint's state too."""
    m, _ = hanging()
    options = {"step": 2e-3, "integrator": integrator}
    whole = m.simulate(0.2, **options)
    half = m.simulate(0.1, **options)
    rest, again = (m.simulate(0.2, start=start, at=at, **options) for start, at in ((half, None), (whole, 0.1)))
    tolerance = 2e-5 if isinstance(integrator, fm.GeneralizedAlpha) else 1e-8
    for second in (rest, again):
        assert (second.t[0], second.t[-1]) == (pytest.approx(0.1), 0.2) and len(second) == 51
        assert_allclose(second.q[-1], whole.q[-1], atol=tolerance)
        assert second.statistics.energy_error < 1e-4 and not second.statistics.start


def test_another_parameter():
    """From rest under E = 100 MPa with E = 80 MPa: it sinks from where it was."""
    m, weight = hanging()
    rest = m.equilibrium()
    softer, same = hanging(E=8e7)
    sol = softer.simulate(0.1, step=1e-3, start=rest)
    assert_allclose(sol.position(same.com)[0], rest.position(weight.com)[-1], atol=1e-12)
    assert sol.position(same.com)[-1, 1] < sol.position(same.com)[0, 1] - 1e-3
    stored = softer.equilibrium().energy.elastic[-1]
    assert sol.energy.elastic[0] != pytest.approx(stored) and not sol.statistics.start


def test_what_is_new_is_moved_to_what_it_is_joined_to_and_said():
    m, weight = hanging()
    rest = m.equilibrium()
    more, same = hanging(foot=True)
    sol = more.simulate(1e-2, step=1e-3, start=rest)
    foot = more["foot"]
    assert_allclose(sol.position(same.com)[0], rest.position(weight.com)[-1], atol=1e-12)
    assert_allclose(sol.position(foot.at(1, -0.2))[0], sol.position(same.com)[0], atol=1e-12)
    told = " ".join(sol.statistics.start)
    assert "new since then: body 'foot'" in told and "joint 'ankle'" in told and "new since then" in str(sol)
    less = m.simulate(2e-2, step=1e-3, start=sol)
    assert "gone since then: body 'foot'" in str(less) and less.t[0] == pytest.approx(1e-2)


def test_contacts_go_on_with_what_they_remember():
    """A weight that hangs on a pin with clearance: after an equilibrium nothing strikes, and a pressed contact stays one."""
    m = fm.Model("hangs", gravity=(0, -9.81))
    ball = m.add(fm.PlanarBody("ball", mass=0.14, inertia=1e-5, com=(0, -0.01)))
    law = fm.contact.LankaraniNikravesh(restitution=0.7, stiffness=1e10)
    pin = fm.ClearanceRevolute(m.ground.at(0, 0), ball.at(0, 0), bearing_radius=0.01, clearance=5e-5, contact=law, name="pin")
    m.add(pin)
    rest = m.equilibrium()
    sol = m.simulate(1e-3, step=1e-5, start=rest)
    assert np.abs(sol.position(ball.com) - rest.position(ball.com)[-1]).max() < 1e-12
    assert_allclose(sol.clearance("pin").normal_force, 0.14 * 9.81, rtol=1e-6)


def test_a_jump_in_velocity_is_told_or_meant():
    """A drive that is new contradicts the spin of the run before, unless the sudden start is meant."""
    m = fm.Model("wheel")
    wheel = m.add(fm.PlanarBody("wheel", mass=1.0, inertia=0.1, com=(0, 0), spin=1.0))
    m.add(fm.Revolute(m.ground.at(0, 0), wheel.com))
    before = m.simulate(0.1, step=1e-2)
    drive = m.add(fm.RotationDrive(m.ground.at(0, 0), wheel.com, angle=lambda t: t + 20.0 * t * (t - 0.1), name="motor"))
    with pytest.raises(fm.ModelError, match=r"the spin of 'wheel' from 1 to 3 rad/s.*'motor'.*initial_velocities='impulse'"):
        m.simulate(0.2, step=1e-2, start=before)
    after = m.simulate(0.2, step=1e-2, start=before, initial_velocities="impulse")
    assert_allclose(after.angle(wheel), after.t + 20.0 * after.t * (after.t - 0.1), atol=1e-9)
    assert "new since then: joint 'motor'" in str(after) and drive is m["motor"]


def test_what_does_not_fit_is_named():
    m, _ = hanging()
    sol = m.simulate(4e-3, step=1e-3)
    other = fm.Model("other")
    other.add(fm.PlanarBody("crank", mass=1.0, inertia=1.0, com=(0, 0)))
    finer, _ = hanging(elements=3)
    cases = [
        (other, {"start": sol}, r"another model: its bodies are 'strip', 'weight', those of this one 'crank'"),
        (finer, {"start": sol}, r"'strip' is a PlanarBeam of 12 coordinates there and a PlanarBeam of 16 coordinates"),
        (m, {"start": 3.0}, "start = 3.0 is not a solution"),
        (m, {"start": sol, "at": 1.0}, r"at = 1 is outside the times of start, 0 to 0.004"),
        (m, {"at": 1.0}, "at = 1.0 is a time of a solution; give that too"),
        (m, {"start": m.equilibrium(load_steps=2), "at": 0.3}, "at = 0.3 is"),
    ]
    for model, options, words in cases:
        with pytest.raises(fm.ModelError, match=words):
            model.simulate(1.0, step=1e-3, **options)
    with pytest.raises(fm.ModelError, match=r"t_end = 0.004 s is not after .* the clock goes on. Give a later t_end, such as"):
        m.simulate(4e-3, step=1e-3, start=sol)


def test_a_run_that_goes_on_survives_a_kill(tmp_path: Any):
    """The file of a run knows what it began with; a stored solution is as good a start as one in memory."""
    m, _ = hanging()
    first = m.simulate(4e-3, step=1e-3)
    first.save(tmp_path / "first.h5")
    sol = m.simulate(8e-3, step=1e-3, start=fm.load(tmp_path / "first.h5"), checkpoint=tmp_path / "run.h5")
    assert_allclose(sol.q, m.simulate(8e-3, step=1e-3, start=first).q, atol=1e-14)
    assert fm.load(tmp_path / "run.h5").t[0] == pytest.approx(4e-3)
