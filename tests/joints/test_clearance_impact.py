"""One journal against the wall: restitution, energy, landing, rest, chatter."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.joints.clearance_models import GAP, REFERENCE, STEEL, block, dropped, lankarani, lying

DELIVERED = REFERENCE["delivered_restitution"]
SPEED = 0.04


@pytest.mark.parametrize("asked", [0.9, 0.5])
@pytest.mark.parametrize("name", DELIVERED)
def test_delivered_restitution(name: str, asked: float) -> None:
    """The table of reference.json to 1e-3; the requested value with calibrated=True; energy to 1e-3 of what was exchanged."""
    law = getattr(fm.contact, name)
    for calibrated, expected in ((False, DELIVERED[name][str(asked)]), (True, asked)):
        drop = dropped(law(restitution=asked, materials=(STEEL, STEEL), calibrated=calibrated))
        sol = drop.m.simulate(2.2e-3, tolerance=1e-8)
        (impact,) = sol.clearance(drop.joint).impacts
        assert impact.t == pytest.approx(GAP / SPEED, rel=1e-12)
        assert impact.approach_speed == pytest.approx(SPEED, rel=1e-12)
        assert impact.restitution == pytest.approx(expected, abs=1e-3)
        kinetic = 0.5 * drop.mass * SPEED**2
        assert impact.lost == pytest.approx(kinetic * (1.0 - impact.restitution**2), rel=2e-3)
        assert np.abs(sol.energy.balance).max() < 1e-3 * kinetic
        assert sol.energy.kinetic[-1] == pytest.approx(kinetic * impact.restitution**2, rel=1e-3)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-5])
def test_contacts_are_resolved_whatever_the_tolerance(tolerance: float) -> None:
    """A tolerance of 1 mm in a gap of 50 um: the impact still takes its own steps, and restitution is right to 1 %."""
    drop = dropped(lankarani(0.9))
    sol = drop.m.simulate(2.2e-3, tolerance=tolerance)
    (impact,) = sol.clearance("pin").impacts
    assert impact.restitution == pytest.approx(0.9132, abs=0.009)
    assert sol.statistics.steps < 100


LINEAR = {
    "KelvinVoigt": fm.contact.KelvinVoigt(stiffness=1e8, damping=1e3),
    "Maxwell": fm.contact.Maxwell(stiffness=1e8, damping=1e4),
    "StandardLinearSolid": fm.contact.StandardLinearSolid(stiffness=1e8, damping=1e4, parallel_stiffness=3e7),
    "TwoBranch": fm.contact.TwoBranch(stiffness=1e8, restitution=0.7),
    "Dubowsky": fm.contact.DubowskyFreudenstein(materials=(STEEL, STEEL), restitution=0.7),
    "ESDU": fm.contact.ESDU78035(materials=(STEEL, STEEL), restitution=0.7),
    "Hertz": fm.contact.Hertz(materials=(STEEL, STEEL)),
}


@pytest.mark.parametrize("law", LINEAR.values(), ids=LINEAR)
def test_energy_of_an_impact(law: fm.contact.ContactLaw) -> None:
    """What the ledger calls lost is what the journal lacks, also where the force jumps at first touch (Kelvin-Voigt)."""
    drop = dropped(law)
    sol = drop.m.simulate(2.2e-3, tolerance=1e-8)
    (impact,) = sol.clearance("pin").impacts
    kinetic = 0.5 * drop.mass * SPEED**2
    assert np.abs(sol.energy.balance).max() < 1.5e-3 * kinetic
    assert kinetic - sol.energy.kinetic[-1] == pytest.approx(impact.lost, abs=2e-3 * kinetic)
    assert sol.clearance("pin").normal_force.min() >= 0.0


def test_kelvin_voigt_against_its_formula() -> None:
    """m d'' = -max(K d + c d', 0) by an independent integrator."""
    from scipy.integrate import solve_ivp

    K, c, m = 1e8, 1e3, 0.14
    drop = dropped(LINEAR["KelvinVoigt"], mass=m)
    (impact,) = drop.m.simulate(2.2e-3, tolerance=1e-8).clearance("pin").impacts

    def leaves(t: float, y: np.ndarray) -> float:
        return y[0] + 1e-18 * (t < 1e-6)

    leaves.terminal, leaves.direction = True, -1
    exact = solve_ivp(
        lambda t, y: [y[1], -max(K * y[0] + c * y[1], 0.0) / m], (0, 1e-3), [0.0, SPEED], events=leaves, rtol=1e-10, atol=1e-14
    )
    assert impact.separation_speed == pytest.approx(-exact.y[1, -1], rel=1e-3)
    assert impact.t_end - impact.t == pytest.approx(exact.t[-1], rel=1e-3)


def test_fixed_steps_find_the_same_impact() -> None:
    """h = 1 us, 30 steps an impact, as in the papers: landing does not depend on h."""
    drop = dropped(lankarani(0.5, calibrated=True))
    sol = drop.m.simulate(2.2e-3, step=1e-6)
    (impact,) = sol.clearance("pin").impacts
    assert impact.t == pytest.approx(GAP / SPEED, rel=1e-12)
    assert impact.restitution == pytest.approx(0.5, abs=2e-3)
    assert_allclose(np.diff(sol.t), 1e-6, rtol=1e-6)  # frames keep their spacing though steps are cut


@pytest.mark.parametrize("gap", [2e-5, 5e-4])
@pytest.mark.parametrize("speed", [1e-3, 2.0])
def test_extremes(gap: float, speed: float) -> None:
    """Very small and large gaps, slow and very fast approach."""
    drop = dropped(lankarani(0.5, calibrated=True), speed=speed, gap=gap)
    sol = drop.m.simulate(gap / speed + 5e-4 * (0.04 / speed) ** 0.2, tolerance=1e-7)
    impact = sol.clearance("pin").impacts[0]
    assert impact.t == pytest.approx(gap / speed, rel=1e-9)
    assert impact.restitution == pytest.approx(0.5, abs=5e-3)


@pytest.mark.filterwarnings("ignore::fmbs.CoarseSteps")
def test_grazing_contact_is_found() -> None:
    """A journal thrown up against gravity touches the wall with 1 nm at the top of its flight, in the middle of a step."""
    m = fm.Model("grazing", gravity=(0.0, -9.81))
    height = GAP + 1e-9
    body = m.add(fm.PlanarBody("journal", mass=1.0, inertia=1e-4, com=(0.0, 0.0), velocity=(0.0, np.sqrt(2 * 9.81 * height))))
    m.add(
        fm.ClearanceRevolute(
            m.ground.at(0, 0), body.com, bearing_radius=0.01, clearance=GAP, name="pin",
            contact=fm.contact.Hertz(stiffness=1e6),
        )
    )  # fmt: skip
    sol = m.simulate(5e-3, step=5e-3 / 2)
    impacts = sol.clearance("pin").impacts
    assert len(impacts) == 1
    assert impacts[0].approach_speed == pytest.approx(np.sqrt(2 * 9.81 * 1e-9), rel=1e-3)


@pytest.mark.parametrize("options", [{"step": 1e-4}, {"tolerance": 1e-6}], ids=str)
def test_a_journal_at_rest_stays(options: dict[str, float]) -> None:
    """Drawn on the wall: it sinks in, keeps contact from the first instant on, and carries its weight."""
    model = lying(contact=fm.contact.KelvinVoigt(stiffness=1e7, damping=5e3))
    sol = model.m.simulate(0.05, **options)
    c = sol.clearance(model.joint)
    assert len(c.impacts) == 1
    assert c.impacts[0].t == pytest.approx(0.0, abs=1e-9)
    assert np.isnan(c.impacts[0].t_end)
    assert c.normal_force[-1] == pytest.approx(9.81, rel=1e-4)
    assert_allclose(sol.reaction("pin").force[-1], [0.0, 9.81], atol=1e-3)
    assert c.mode[-1] == "following contact"


def test_bounces_come_to_rest() -> None:
    """A ball of e = 0.5 dropped by one gap: the bounces shrink until its weight holds it; the run does not stall."""
    contact = fm.contact.Flores(restitution=0.5, stiffness=1e12, calibrated=True)
    m = fm.Model("bounces", gravity=(0.0, -9.81))
    body = m.add(fm.PlanarBody("journal", mass=1.0, inertia=1e-4, com=(0.0, 0.0)))
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), body.com, bearing_radius=0.01, clearance=GAP, contact=contact, name="pin"))
    sol = m.simulate(0.05, tolerance=3e-8)
    c = sol.clearance("pin")
    speeds = np.array([impact.approach_speed for impact in c.impacts])
    assert 3 <= len(speeds) <= 30
    assert speeds[1] / speeds[0] == pytest.approx(0.5, abs=0.02)  # its weight acts in the contact too
    assert np.isnan(c.impacts[-1].t_end)
    assert c.normal_force[-1] == pytest.approx(9.81, rel=0.02)
    assert sol.statistics.steps < 3000
    assert np.abs(sol.energy.balance).max() < 1e-3 * 9.81 * GAP


def test_both_ends_and_four_corners_at_once() -> None:
    """Contacts at the same instant: a journal parallel to its wall, a block flat on its guide."""
    m = fm.Model("both", gravity=(0, 0, 0))
    body = m.add(fm.RigidBody("journal", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), com=(0, 0, 0), velocity=(0.1, 0, 0)))
    joint = m.add(
        fm.ClearanceCylindrical(
            m.ground.at(0, 0, 0), body.com, axis=(0, 0, 1), bearing_radius=0.02, clearance=1e-4, length=0.04,
            contact=fm.contact.HuntCrossley(restitution=0.7, stiffness=1e9, calibrated=True),
        )
    )  # fmt: skip
    sol = m.simulate(3e-3, tolerance=1e-7)
    first, second = sol.clearance(joint).impacts[:2]
    assert {first.end, second.end} == {"A", "W"}
    assert first.t == second.t == pytest.approx(1e-3, rel=1e-12)
    assert first.restitution == pytest.approx(0.7, abs=1e-3)
    assert np.abs(sol.spin(body.com)[-1]).max() < 1e-9  # no tilt
    flat = block(fm.friction.Ambrosio(0.1, 1e-4, 1e-3), 0.0)
    held = flat.m.simulate(0.02, step=1e-4)
    assert_allclose(held.clearance("guide").normal_force[-1].sum(), 2.0 * 9.81, rtol=0.2)
    assert len(held.clearance("guide").impacts) == 2
