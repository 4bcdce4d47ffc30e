"""Muvengei, Kihiu, Ikua 2012: what its section 4 says of LuGre friction in a slider-crank.

The statements are listed in fmbs/reproduce/muvengei2012_claims.py, with the test of each; docs/reproductions/muvengei2012 has
them beside the numbers of full runs. Impacts make the motion sensitive: orders are asserted of ensembles only.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from fmbs.models import SliderCrankLuGre
from fmbs.reproduce.cases import members, run_cases
from fmbs.reproduce.muvengei2012 import all_cases, measure
from fmbs.studies.push import Push

CRANK, WRIST = ("crank pin",), ("wrist pin",)
KINETIC = (0.01, 0.05, 0.1)
MEMBERS = 6


@cache
def second_turn(*, member: int = 0, **values: Any) -> dict[str, Any]:
    """Friction along the circumference, normal force, slip, slider's acceleration; member: of an ensemble pushed by 1 mN."""
    model = SliderCrankLuGre(joint="dry", **values)
    m = Push(1e-3).on(model.build(), member)
    frame = model.turn / 1200
    sol = m.simulate(2.0 * model.turn, step=frame / 20, output_step=frame, progress=False)
    kept = sol.t > model.turn
    joint = sol.clearance(model.imperfect[0])
    return {
        "t": sol.t[kept], "friction": joint.friction_force[kept, 0], "normal": joint.normal_force[kept],
        "slip": joint.slip[kept, 0], "depth": joint.penetration[kept], "a": sol.acceleration(m["slider"].com)[kept, 0],
        "force": sol.reaction(model.imperfect[0]).force[kept],
    }  # fmt: skip


def ensemble(**values: Any) -> list[dict[str, Any]]:
    return [second_turn(member=k, **values) for k in range(MEMBERS)]


def coefficient(run: dict[str, Any]) -> Any:
    """|F_T| / F_N, in contact, and the slip there."""
    touching = run["normal"] > 10.0
    return np.abs(run["friction"][touching]) / run["normal"][touching], run["slip"][touching]


def sliding(run: dict[str, Any]) -> float:
    """Median coefficient where it slides."""
    mu, slip = coefficient(run)
    return float(np.median(mu[np.abs(slip) > 0.1]))


def reversals(run: dict[str, Any]) -> Any:
    """Times at which the slip changes its sign in contact."""
    touching = run["normal"] > 10.0
    turned = (np.diff(np.sign(run["slip"])) != 0.0) & touching[1:] & touching[:-1]
    return run["t"][1:][turned]


def test_free_flight() -> None:
    """Fig. 7: no friction, and with the clearance at the wrist pin no acceleration at all."""
    run = second_turn(imperfect=WRIST, friction="none", rpm=2500.0)
    loose = run["depth"] < -1e-6
    assert 0.05 < loose.mean() < 0.6
    assert np.abs(run["a"][loose]).max() < 1e-6 * np.abs(run["a"]).max()
    rubbing = second_turn(imperfect=CRANK, rpm=1500.0, kinetic_friction=0.01)
    assert (rubbing["friction"][rubbing["depth"] < 0.0] == 0.0).all()


def test_flight_with_a_loose_crank_pin_is_not_quite_free_of_acceleration() -> None:
    """Fig. 7, confirmed to 5 % of the ideal peak: the rod goes on swinging and moves the slider a little."""
    run = second_turn(imperfect=CRANK, rpm=2500.0, friction="none")
    loose = run["depth"] < -1e-6
    ideal = 0.05 * (2500.0 * np.pi / 30.0) ** 2 * (1.0 + 0.05 / 0.3)
    assert loose.any() and 0.0 < np.abs(run["a"][loose]).max() < 0.05 * ideal


def test_impacts_show_as_peaks() -> None:
    """Fig. 7: at least 1.5 times the ideal acceleration."""
    ideal = 0.05 * (2500.0 * np.pi / 30.0) ** 2 * (1.0 + 0.05 / 0.3)
    assert np.abs(second_turn(imperfect=CRANK, rpm=2500.0, friction="none")["a"]).max() > 1.5 * ideal


@pytest.mark.parametrize("kinetic", KINETIC)
def test_continuous_contact_is_pure_sliding(kinetic: float) -> None:
    """Figs 7, 11, 12: F_T = mu_k F_N, so that the larger mu_k, the larger the sliding friction."""
    assert sliding(second_turn(imperfect=CRANK, rpm=1500.0, kinetic_friction=kinetic)) == pytest.approx(kinetic, rel=1e-2)


def test_friction_is_a_small_part_of_what_moves_the_slider() -> None:
    """Fig. 8b: in pure sliding with mu_k = 0.1 about a tenth of the force on the slider is friction."""
    run = second_turn(imperfect=WRIST, rpm=2500.0, kinetic_friction=0.1)
    assert np.abs(1.013 * run["a"] - run["force"][:, 0]).max() < 1e-5 * np.abs(run["force"]).max()  # all that moves it
    touching = (run["normal"] > 10.0) & (np.abs(run["slip"]) > 0.1)
    assert np.median(np.abs(run["friction"][touching]) / np.abs(run["force"][touching, 0])) < 0.15


def test_lugre_has_the_stribeck_effect_and_coulomb_has_not() -> None:
    """Figs 9, 10: near zero slip the coefficient rises towards mu_s = 0.2; Ambrosio's stays below mu_k."""
    mu, slip = coefficient(second_turn(imperfect=WRIST, rpm=2500.0, kinetic_friction=0.1))
    assert 0.15 < mu.max() < 0.2 and abs(slip[mu.argmax()]) < 0.015
    mu, _ = coefficient(second_turn(imperfect=WRIST, rpm=2500.0, kinetic_friction=0.1, friction="Ambrosio"))
    assert mu.max() <= 0.1 + 1e-9


def test_friction_passes_zero_slip_without_a_jump() -> None:
    """Figs 9, 10: at a reversal it changes with the slip, however steeply: by sigma_1 = 400 s/m of it and no more."""
    model = SliderCrankLuGre(joint="dry", imperfect=WRIST, rpm=1500.0)
    m = model.build()
    first = m.simulate(0.1 * model.turn, step=model.turn / 24000, progress=False)
    joint = first.clearance("wrist pin")
    slip, normal, friction = joint.slip[:, 0], joint.normal_force, joint.friction_force[:, 0]
    turned = np.flatnonzero((np.diff(np.sign(slip)) != 0.0) & (normal[1:] > 100.0) & (normal[:-1] > 100.0))
    assert turned.size > 0
    jumps = np.abs(friction[turned + 1] / normal[turned + 1] - friction[turned] / normal[turned])
    assert (jumps < 1.2 * 400.0 * np.abs(slip[turned + 1] - slip[turned]) + 0.01).all()


def test_slip_does_not_vanish_at_the_printed_time() -> None:
    """Fig. 9, not confirmed: 32.1 ms. After a dozen impacts the times depend on every detail, gravity for one."""
    run = second_turn(imperfect=CRANK, rpm=2500.0, kinetic_friction=0.1)
    assert (np.abs(reversals(run) - 0.0321) > 2e-5).all()


def test_stick_slip_at_the_wrist_pin() -> None:
    """Fig. 7b, with deviation: the slip reverses in contact, at the wrist pin."""
    assert len(reversals(second_turn(imperfect=WRIST, rpm=2500.0, kinetic_friction=0.1))) >= 1


def test_reversals_are_not_the_peaks() -> None:
    """Fig. 8: where the slip reverses the acceleration is large, and it is not the largest of the turn."""
    run = second_turn(imperfect=WRIST, rpm=2500.0, kinetic_friction=0.1)
    there = np.abs(np.interp(reversals(run), run["t"], run["a"])).max()
    assert there < 0.999 * np.abs(run["a"]).max()


@pytest.mark.slow
@pytest.mark.parametrize("place", [CRANK, WRIST])
def test_friction_grows_with_the_speed(place: tuple[str, ...]) -> None:
    """Figs 12, 14: the median of what it is in contact, mean of an ensemble."""
    found = []
    for rpm in (1500.0, 2500.0):
        runs = ensemble(imperfect=place, rpm=rpm, kinetic_friction=0.1)
        found.append(np.mean([np.median(np.abs(run["friction"][run["normal"] > 10.0])) for run in runs]))
    assert found[0] < found[1]


def apart(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> float:
    """Root mean square of the difference of accelerations of two ensembles, or of one; relative, mean over pairs."""
    size = np.sqrt(np.mean([run["a"] ** 2 for run in a]))
    pairs = [(x["a"], y["a"]) for i, x in enumerate(a) for j, y in enumerate(b) if a is not b or i < j]
    return float(np.mean([np.sqrt(np.mean((x - y) ** 2)) / size for x, y in pairs]))


@pytest.mark.slow
@pytest.mark.parametrize("place", [CRANK, WRIST])
def test_pushes_change_the_turn_as_much_as_friction(place: tuple[str, ...]) -> None:
    """Figs 13, 15: what 0.05 in place of 0.01 changes at a speed cannot be told from single runs. Where pushes of 1 mN change a
    turn, they do so nearly as much as the coefficient."""
    small, more = (ensemble(imperfect=place, rpm=2000.0, kinetic_friction=mu) for mu in KINETIC[:2])
    assert apart(small, small) > 0.1
    assert apart(small, more) < 2.0 * apart(small, small)


@pytest.mark.slow
@pytest.mark.parametrize(("place", "rpm"), [(CRANK, 2500.0), (WRIST, 1500.0)])
def test_curves_do_not_overlap(place: tuple[str, ...], rpm: float) -> None:
    """Figs 13c, 15a, not confirmed: curves of 0.01 and 0.05 "almost overlap"."""
    small, more = (ensemble(imperfect=place, rpm=rpm, kinetic_friction=mu) for mu in KINETIC[:2])
    assert apart(small, more) > 0.2


@pytest.mark.slow
def test_static_coefficient_sets_the_transitions_and_not_the_sliding() -> None:
    """Fig. 16: mu_k = 0.05, 2000 rev/min; at the wrist pin, where the slip reverses in every turn."""
    runs = [
        second_turn(imperfect=WRIST, rpm=2000.0, kinetic_friction=0.05, static_friction=static) for static in (0.06, 0.1, 0.3)
    ]
    largest = [coefficient(run)[0].max() for run in runs]
    assert 0.05 < largest[0] < largest[1] < largest[2] < 0.3
    assert all(sliding(run) == pytest.approx(0.05, rel=1e-3) for run in runs)


@pytest.mark.slow
def test_ensemble_orders() -> None:
    """Sects 4.1 to 4.3, orders that the paper reads from single curves, with v_s by its rule: what holds of the means."""
    by_mu = [f"c-cr, 2000, {mu:g}" for mu in KINETIC]
    static = ["s-cr, 2000, static 0.1", "s-cr, 2000, static 0.3"]
    labels = ["c-cr, 1500, 0.1", "c-cr, 2500, 0.1", "s-cr, 2500, 0.1", *by_mu, *static]
    got = run_cases([case for case in all_cases(False) if case.base in labels and case.member < 3], 1)
    runs = {label: [measure(r) for r in members(got, label)] for label in labels}
    assert all(len(found) == 3 for found in runs.values())

    def mean(label: str, key: str) -> float:
        return float(np.mean([run[key] for run in runs[label]]))

    crank, wrist = "c-cr, 2500, 0.1", "s-cr, 2500, 0.1"
    assert mean(wrist, "share") < mean(crank, "share")  # Fig. 8, not confirmed
    assert mean(crank, "slow") < mean(wrist, "slow")  # Fig. 8, not confirmed
    assert mean(by_mu[2], "first") >= mean(by_mu[0], "first")  # Fig. 11a, not confirmed: no earlier reversal
    assert mean(by_mu[2], "same") > mean(by_mu[0], "same")  # Fig. 11b: from 0.01 to 0.1, not from 0.01 to 0.05
    assert mean(by_mu[2], "other") < mean(by_mu[0], "other")
    assert mean(by_mu[2], "against") < mean(by_mu[0], "against")  # Fig. 11c, not confirmed
    assert mean(by_mu[2], "along") > mean(by_mu[0], "along")
    assert mean("c-cr, 1500, 0.1", "slow") > mean(crank, "slow")  # sect. 4.2, not confirmed
    assert mean(static[1], "at reversals") == pytest.approx(mean(static[0], "at reversals"), rel=0.01)  # Fig. 16b
    assert mean(static[1], "torque there") < mean(static[0], "torque there")  # Fig. 16c, not confirmed
