"""What Muvengei2012 states about friction in a clearance joint, in its order. c-cr: crank pin, s-cr: wrist pin."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from fmbs.reproduce.claim import ABSENT, Claim, Numbers, verdict

HERE = "test_muvengei2012.py::test_"
SPEEDS = (1500, 2000, 2500)  # rev/min
KINETIC = (0.01, 0.05, 0.1)
BASE = "c-cr, 2500, 0.1"


def run(n: Numbers, label: str, key: str) -> list[float]:
    """Mean and deviation of an ensemble."""
    found: list[float] = n["runs"][label][key]
    return found


def said(n: Numbers, labels: list[str], key: str, form: str = ".2f") -> str:
    return ", ".join(f"{run(n, label, key)[0]:{form}} ± {run(n, label, key)[1]:.1g}" for label in labels)


def apart(n: Numbers, a: str, b: str) -> dict[str, float]:
    found: dict[str, float] = n["apart"][f"{a} / {b}"]
    return found


def ordered(n: Numbers, labels: list[str], key: str) -> tuple[bool, bool]:
    """Do the means grow, and by more than two standard errors of each pair and by 1 %?"""
    values = [(run(n, label, key), n["runs"][label]["count"]) for label in labels]
    grows, clearly = True, True
    for ((a, da), na), ((b, db), nb) in pairwise(values):
        grows &= b > a
        clearly &= b - a > max(2.0 * (da**2 / na + db**2 / nb) ** 0.5, 0.01 * abs(a))
    return grows, clearly


def by_mu(place: str, rpm: int) -> list[str]:
    return [f"{place}, {rpm}, {mu:g}" for mu in KINETIC]


def by_speed(place: str, mu: float) -> list[str]:
    return [f"{place}, {rpm}, {mu:g}" for rpm in SPEEDS]


def effect(n: Numbers, place: str, rpm: int) -> dict[str, float]:
    """Of 0.05 in place of 0.01: curves apart between the two, and within one of them."""
    return apart(n, f"{place}, {rpm}, 0.01", f"{place}, {rpm}, 0.05")


def _effects(n: Numbers, place: str) -> str:
    found = [effect(n, place, rpm) for rpm in SPEEDS]
    between = ", ".join(f"{x['between']:.0%}" for x in found)
    within = ", ".join(f"{x['within']:.0%}" for x in found)
    return f"curves of 0.01 and 0.05 differ by {between} (root mean square); runs of 0.01 alone by {within}"


def _larger(n: Numbers, place: str, low: int, high: int) -> tuple[bool, bool]:
    """Is the effect larger at the first speed; and does it stand out of the scatter of pushes?"""
    a, b = effect(n, place, low), effect(n, place, high)
    return a["between"] > 1.2 * b["between"], a["between"] > 1.2 * a["within"]


def _grow(labels: list[str], key: str) -> Any:
    def judge(n: Numbers) -> str:
        grows, clearly = ordered(n, labels, key)
        return verdict(grows and clearly, grows)

    return judge


def _both(n: Numbers, key: str, up: bool) -> tuple[bool, bool]:
    labels = by_mu("c-cr", 2000)
    return ordered(n, labels if up else labels[::-1], key)


CLAIMS = (
    Claim(
        where="Sect. 4.1, Fig. 7a", words="in free flight \"the slider moves with a constant velocity\": zero acceleration",
        got=lambda n: f"flight {run(n, BASE, 'flight')[0]:.0%} of the turn, acceleration there at most "
                      f"{run(n, BASE, 'flying a')[0]:.1%} of the ideal peak (the rod swings on); s-cr: "
                      f"{run(n, 's-cr, 2500, 0.1', 'flying a')[0]:.0e}",
        verdict=lambda n: verdict(run(n, BASE, "flying a")[0] < 1e-3, run(n, BASE, "flying a")[0] < 0.1),
        test=HERE + "flight_with_a_loose_crank_pin_is_not_quite_free_of_acceleration",
    ),
    Claim(
        where="Sect. 4.1, Fig. 7b", words="free flight shows as \"regions of zero friction force\"",
        got=lambda n: f"largest friction in flight {run(n, BASE, 'flying friction')[0]:.0e} N",
        verdict=lambda n: verdict(run(n, BASE, "flying friction")[0] == 0.0), test=HERE + "free_flight",
    ),
    Claim(
        where="Sect. 4.1, Fig. 7", words="continuous contact is \"confirmed by the purely sliding friction\"",
        got=lambda n: f"{run(n, BASE, 'in sliding')[0]:.0%} of contact slides faster than 10 v_s; median coefficient there "
                      f"{run(n, BASE, 'sliding')[0]:.4f}",
        verdict=lambda n: verdict(run(n, BASE, "in sliding")[0] > 0.5 and abs(run(n, BASE, "sliding")[0] - 0.1) < 2e-3),
        test=HERE + "continuous_contact_is_pure_sliding",
    ),
    Claim(
        where="Sect. 4.1, Fig. 7", words="impacts \"are visible in the acceleration curve as high peak values\"",
        got=lambda n: f"peak / ideal {said(n, [BASE], 'peak')}", verdict=lambda n: verdict(run(n, BASE, "peak")[0] > 1.5),
        test=HERE + "impacts_show_as_peaks",
    ),
    Claim(
        where="Sect. 4.1, Fig. 7b", words="impacts show \"in the friction force curve where the stick-slip motions are "
              "depicted\"",
        got=lambda n: f"sign changes of the slip in contact in a turn: c-cr {said(n, [BASE], 'reversals', '.1f')}, s-cr "
                      f"{said(n, ['s-cr, 2500, 0.1'], 'reversals', '.1f')}",
        verdict=lambda n: verdict(run(n, BASE, "reversals")[0] >= 1.0, run(n, "s-cr, 2500, 0.1", "reversals")[0] >= 1.0),
        test=HERE + "stick_slip_at_the_wrist_pin",
    ),
    Claim(
        where="Sect. 4.1, Fig. 8", words="from sliding to sticking the acceleration rises \"suddenly to a maximum\", and back",
        got=lambda n: f"|a| where the slip reverses, s-cr: {said(n, ['s-cr, 2500, 0.1'], 'at reversals')} of the ideal peak; "
                      f"the turn's peak is {said(n, ['s-cr, 2500, 0.1'], 'peak')}",
        verdict=lambda n: verdict(
            run(n, "s-cr, 2500, 0.1", "at reversals")[0] > 0.9 * run(n, "s-cr, 2500, 0.1", "peak")[0],
            run(n, "s-cr, 2500, 0.1", "at reversals")[0] > 1.0,
        ),
        test=HERE + "reversals_are_not_the_peaks",
    ),
    Claim(
        where="Sect. 4.1, Fig. 8", words="in pure sliding \"a very slight difference\" with and without friction",
        got=lambda n: f"friction is {run(n, 's-cr, 2500, 0.1', 'share')[0]:.0%} of the force on the slider (median, "
                      f"s-cr). Over a "
                      f"turn the curves differ by {apart(n, 'c-cr, 2500, none', 'c-cr, 2500, 0.1')['between']:.0%} (c-cr) and "
                      f"{apart(n, 's-cr, 2500, none', 's-cr, 2500, 0.1')['between']:.0%} (s-cr): impacts come at other times. "
                      "Sect. 4.2 of the paper itself finds \"greater variations\" for less of a change",
        verdict=lambda n: verdict(False, run(n, "s-cr, 2500, 0.1", "share")[0] < 0.15),
        test=HERE + "friction_is_a_small_part_of_what_moves_the_slider",
    ),
    Claim(
        where="Sect. 4.1, Fig. 8", words="sliding friction \"is more evident when s-cr joint is the real joint\"",
        got=lambda n: f"friction / force on the slider: s-cr {said(n, ['s-cr, 2500, 0.1'], 'share', '.3f')}, c-cr "
                      f"{said(n, [BASE], 'share', '.3f')}",
        verdict=_grow([BASE, "s-cr, 2500, 0.1"], "share"), test=HERE + "ensemble_orders",
    ),
    Claim(
        where="Sect. 4.1, Fig. 8", words="stiction \"is more evident in c-cr joint\"",
        got=lambda n: f"share of contact slower than v_s: c-cr {said(n, [BASE], 'slow', '.4f')}, s-cr "
                      f"{said(n, ['s-cr, 2500, 0.1'], 'slow', '.4f')}",
        verdict=_grow(["s-cr, 2500, 0.1", BASE], "slow"), test=HERE + "ensemble_orders",
    ),
    Claim(
        where="Sect. 4.1, Fig. 9", words="the tangential velocity is zero \"at t = 0.0321 s\"",
        got=lambda n: f"with c-cr the slip reverses in contact {said(n, [BASE], 'reversals', '.1f')} times a turn"
                      + (f", nearest {said(n, [BASE], 'at zero')} ms away" if run(n, BASE, "reversals")[0] > 0.0 else ""),
        verdict=lambda n: verdict(run(n, BASE, "at zero")[0] < 0.05), test=HERE + "slip_does_not_vanish_at_the_printed_time",
    ),
    Claim(
        where="Sect. 4.1, Fig. 9", words="\"there is no discontinuity of friction force and slider acceleration\" there",
        got="where the slip reverses in contact the friction is that of the bristle, which the slip moves continuously "
            "(Fig. 9 below)",
        verdict=lambda n: verdict(run(n, "s-cr, 2500, fine LuGre", "reversals")[0] > 0),
        test=HERE + "friction_passes_zero_slip_without_a_jump",
    ),
    Claim(
        where="Sect. 4.1, Figs 9, 10", words="\"the Stribeck effect is also captured\"",
        got=lambda n: f"largest coefficient {run(n, 's-cr, 2500, fine LuGre', 'largest')[0]:.3f}, sliding "
                      f"{run(n, 's-cr, 2500, fine LuGre', 'sliding')[0]:.3f}; 0.2 static, 0.1 kinetic",
        verdict=lambda n: verdict(0.12 < run(n, "s-cr, 2500, fine LuGre", "largest")[0] <= 0.2),
        test=HERE + "lugre_has_the_stribeck_effect_and_coulomb_has_not",
    ),
    Claim(
        where="Sect. 4.1, Fig. 9a", words="a modified Coulomb law \"does not capture the Stribeck effect\"",
        got=lambda n: f"largest coefficient {run(n, 's-cr, 2500, fine Ambrosio', 'largest')[0]:.4f}",
        verdict=lambda n: verdict(run(n, "s-cr, 2500, fine Ambrosio", "largest")[0] < 0.1001),
        test=HERE + "lugre_has_the_stribeck_effect_and_coulomb_has_not",
    ),
    Claim(
        where="Sect. 4.2, Fig. 11a", words="\"the larger the μ_k the larger the sliding (Coulomb) friction force\"",
        got=lambda n: f"median coefficient in sliding {said(n, by_mu('c-cr', 2000), 'sliding', '.4f')}; median force "
                      f"{said(n, by_mu('c-cr', 2000), 'friction', '.1f')} N",
        verdict=_grow(by_mu("c-cr", 2000), "friction"), test=HERE + "continuous_contact_is_pure_sliding",
    ),
    Claim(
        where="Sect. 4.2, Fig. 11a", words="transitions between sliding and sticking occur \"early when [μ_k] is high\"",
        got=lambda n: f"first reversal of the slip in the turn {said(n, by_mu('c-cr', 2000), 'first', '.1f')} ms (60 ms: "
                      "none); earlier in "
                      + ", ".join(f"{a} of {b}" for a, b in zip(n["earlier"]["agreed"], n["earlier"]["of"], strict=True))
                      + " pairs of runs of neighbouring coefficients",
        verdict=lambda n: verdict(
            all(a > 0.9 * b for a, b in zip(n["earlier"]["agreed"], n["earlier"]["of"], strict=True)),
            all(a > 0.7 * b for a, b in zip(n["earlier"]["agreed"], n["earlier"]["of"], strict=True)),
        ),
        test=HERE + "ensemble_orders",
    ),
    Claim(
        where="Sect. 4.2, Fig. 11b", words="friction along the slider's motion: acceleration \"higher at large values of μ_k\"",
        got=lambda n: "mean acceleration along the motion, in parts of the ideal peak, by μ_k: "
                      f"{said(n, by_mu('c-cr', 2000), 'same', '.3f')}",
        verdict=lambda n: verdict(all(_both(n, "same", True)), _both(n, "same", True)[0]), test=HERE + "ensemble_orders",
    ),
    Claim(
        where="Sect. 4.2, Fig. 11b", words="against it: \"lower at large values of μ_k\"",
        got=lambda n: f"mean acceleration along the motion by μ_k: {said(n, by_mu('c-cr', 2000), 'other', '.3f')}",
        verdict=lambda n: verdict(all(_both(n, "other", False)), _both(n, "other", False)[0]), test=HERE + "ensemble_orders",
    ),
    Claim(
        where="Sect. 4.2, Fig. 11c", words="friction that resists the crank: \"a large torque\" when μ_k is high",
        got=lambda n: f"mean torque then, by μ_k: {said(n, by_mu('c-cr', 2000), 'against', '.1f')} N m",
        verdict=lambda n: verdict(all(_both(n, "against", True)), _both(n, "against", True)[0]), test=HERE + "ensemble_orders",
    ),
    Claim(
        where="Sect. 4.2, Fig. 11c", words="friction that helps it: \"a smaller torque\" when μ_k is high",
        got=lambda n: f"mean torque then, by μ_k: {said(n, by_mu('c-cr', 2000), 'along', '.1f')} N m",
        verdict=lambda n: verdict(all(_both(n, "along", False)), _both(n, "along", False)[0]), test=HERE + "ensemble_orders",
    ),
    Claim(
        where="Sect. 4.2, Fig. 12", words="c-cr: \"the higher the speed ... the larger the friction forces\"",
        got=lambda n: f"median in contact {said(n, by_speed('c-cr', 0.1), 'friction', '.1f')} N at 1500, 2000, 2500 rev/min",
        verdict=_grow(by_speed("c-cr", 0.1), "friction"), test=HERE + "friction_grows_with_the_speed",
    ),
    Claim(
        where="Sect. 4.2, Fig. 14", words="the same with the clearance at s-cr",
        got=lambda n: f"median in contact {said(n, by_speed('s-cr', 0.1), 'friction', '.1f')} N",
        verdict=_grow(by_speed("s-cr", 0.1), "friction"), test=HERE + "friction_grows_with_the_speed",
    ),
    Claim(
        where="Sect. 4.2, Fig. 13", words="c-cr: the slower, the more \"elaborate\" the effect of μ_k (0.01 to 0.05)",
        got=lambda n: _effects(n, "c-cr") + " (1500, 2000, 2500 rev/min)",
        verdict=lambda n: verdict(all(_larger(n, "c-cr", 1500, 2500)), _larger(n, "c-cr", 1500, 2500)[0]),
        test=HERE + "pushes_change_the_turn_as_much_as_friction",
    ),
    Claim(
        where="Sect. 4.2, Fig. 13c", words="c-cr, 2500 rev/min: \"the curves almost overlap\"",
        got=lambda n: f"they differ by {effect(n, 'c-cr', 2500)['between']:.0%}",
        verdict=lambda n: verdict(effect(n, "c-cr", 2500)["between"] < 0.1), test=HERE + "curves_do_not_overlap",
    ),
    Claim(
        where="Sect. 4.2", words="c-cr: stiction \"is more realized at higher speeds\"",
        got=lambda n: f"share of contact slower than v_s {said(n, by_speed('c-cr', 0.1), 'slow', '.4f')}",
        verdict=_grow(by_speed("c-cr", 0.1), "slow"), test=HERE + "ensemble_orders",
    ),
    Claim(
        where="Sect. 4.2", words="c-cr, low speed: \"more chaotic by slightly increasing\" μ_k",
        got=lambda n: "no measure of chaos is named; runs of one coefficient that differ by pushes of 1 mN differ by "
                      f"{effect(n, 'c-cr', 1500)['within']:.0%} at 1500 rev/min",
        verdict=ABSENT, reason="the paper names no quantity for it",
    ),
    Claim(
        where="Sect. 4.2, Figs 14, 15", words="s-cr: sliding and stiction friction \"are more realized at higher speeds\"",
        got=lambda n: _effects(n, "s-cr") + " (1500, 2000, 2500 rev/min)",
        verdict=lambda n: verdict(
            effect(n, "s-cr", 2500)["between"]
            > 1.2 * max(effect(n, "s-cr", 1500)["between"], effect(n, "s-cr", 2500)["within"]),
            effect(n, "s-cr", 2500)["between"] > 1.2 * effect(n, "s-cr", 1500)["between"],
        ),
        test=HERE + "pushes_change_the_turn_as_much_as_friction",
    ),
    Claim(
        where="Sect. 4.2, Fig. 15a", words="s-cr, 1500 rev/min: \"the curves almost overlap\"",
        got=lambda n: f"they differ by {effect(n, 's-cr', 1500)['between']:.0%}",
        verdict=lambda n: verdict(effect(n, "s-cr", 1500)["between"] < 0.1), test=HERE + "curves_do_not_overlap",
    ),
    Claim(
        where="Sect. 4.2", words="stick-slip in c-cr \"is more sensitive to variations of the driving speeds\"",
        got=lambda n: f"reversals in a turn at 1500, 2000, 2500 rev/min: c-cr "
                      f"{said(n, by_speed('c-cr', 0.1), 'reversals', '.1f')}; "
                      f"s-cr {said(n, by_speed('s-cr', 0.1), 'reversals', '.1f')}",
        verdict=ABSENT, reason="the paper names no quantity for it",
    ),
    Claim(
        where="Sect. 4.3, Fig. 16a", words="\"the larger the value of μ_s the large the stiction frictional force\"",
        got=lambda n: f"largest coefficient, μ_s of 0.1 and 0.3: c-cr {said(n, _static('c-cr'), 'largest', '.3f')}; s-cr "
                      f"{said(n, _static('s-cr'), 'largest', '.3f')}",
        verdict=lambda n: verdict(all(all(ordered(n, _static(p), "largest")) for p in ("c-cr", "s-cr")),
                                  all(ordered(n, _static("s-cr"), "largest"))),
        test=HERE + "static_coefficient_sets_the_transitions_and_not_the_sliding",
    ),
    Claim(
        where="Sect. 4.3, Fig. 16a", words="\"the Stribeck effect is high for large values of μ_s\"",
        got=lambda n: "largest less sliding coefficient, s-cr: "
                      + ", ".join(f"{run(n, x, 'largest')[0] - run(n, x, 'sliding')[0]:.3f}" for x in _static("s-cr")),
        verdict=lambda n: verdict(
            run(n, _static("s-cr")[1], "largest")[0] - run(n, _static("s-cr")[1], "sliding")[0]
            > 1.5 * (run(n, _static("s-cr")[0], "largest")[0] - run(n, _static("s-cr")[0], "sliding")[0])
        ),
        test=HERE + "static_coefficient_sets_the_transitions_and_not_the_sliding",
    ),
    Claim(
        where="Sect. 4.3, Fig. 16b", words="entering sticking, the slider's deceleration is \"large for large values of μ_s\"",
        got=lambda n: f"|a| where the slip reverses, s-cr, in parts of the ideal peak: "
                      f"{said(n, _static('s-cr'), 'at reversals')}",
        verdict=_grow(["s-cr, 2000, static 0.1", "s-cr, 2000, static 0.3"], "at reversals"), test=HERE + "ensemble_orders",
    ),
    Claim(
        where="Sect. 4.3, Fig. 16c", words="so is the crank torque",
        got=lambda n: f"torque where the slip reverses, s-cr: {said(n, _static('s-cr'), 'torque there', '.0f')} N m",
        verdict=_grow(["s-cr, 2000, static 0.1", "s-cr, 2000, static 0.3"], "torque there"), test=HERE + "ensemble_orders",
    ),
    Claim(
        where="Sect. 4.3, Fig. 16", words="in pure sliding \"μ_s does not affect significantly the responses\": curves overlap",
        got=lambda n: f"sliding coefficient {said(n, _static('c-cr'), 'sliding', '.4f')}; over a turn the accelerations "
                      f"differ by "
                      f"{apart(n, *_static('c-cr'))['between']:.0%} (pushes alone: {apart(n, *_static('c-cr'))['within']:.0%})",
        verdict=lambda n: verdict(apart(n, *_static("c-cr"))["between"] < 0.1,
                                  abs(run(n, _static("c-cr")[1], "sliding")[0] - 0.05) < 1e-3),
        test=HERE + "static_coefficient_sets_the_transitions_and_not_the_sliding",
    ),
    Claim(
        where="Sect. 5", words="stick-slip affects the response \"in a non-linear and unpredictable manner\"",
        got=lambda n: f"pushes of 1 mN make turns differ by {effect(n, 'c-cr', 2000)['within']:.0%} (c-cr) and "
                      f"{effect(n, 's-cr', 2000)['within']:.0%} (s-cr) at 2000 rev/min",
        verdict=lambda n: verdict(max(effect(n, p, 2000)["within"] for p in ("c-cr", "s-cr")) > 0.1),
        test=HERE + "pushes_change_the_turn_as_much_as_friction",
    ),
)  # fmt: skip


def _static(place: str) -> list[str]:
    return [f"{place}, 2000, static 0.1", f"{place}, 2000, static 0.3"]
