"""What Flores2006 states about its slider-crank, in its order."""

from __future__ import annotations

from fmbs.reproduce.claim import ABSENT, Claim, Numbers, verdict

HERE = "test_flores2006.py::test_"


def _periodic(n: Numbers, key: str) -> bool:
    return all(n[key]["members"]["periods"]) and bool(n[key]["period"]["turns"])


def _settles(n: Numbers) -> bool:
    """Turns come to be alike in every run: a transient, not chaos."""
    many = n["friction"]["members"]
    return all(last < 0.5 * first for first, last in zip(many["first"], many["last"], strict=True))


def _periods(n: Numbers, key: str) -> str:
    found = sorted({str(p or "none") for p in n[key]["members"]["periods"]})
    return f"{' and '.join(found)} turns in {n[key]['members']['count']} runs"


CLAIMS = (
    Claim(
        where="Sect. 6", words="with the clearance \"this mechanism has three degrees of freedom\"",
        got="{dry[freedoms]}, without the drive", verdict=lambda n: verdict(n["dry"]["freedoms"] == 3),
        test=HERE + "three_degrees_of_freedom",
    ),
    Claim(
        where="Sect. 6, Fig. 6a, b", words="peaks of \"a magnitude comparable to what is observed in an ideal joint\"",
        got="largest / ideal ({peak force:.0f} N): {dry[members][force][0]:.3f} ± {dry[members][force][1]:.1g}, with friction "
            "{friction[members][force][0]:.3f} ± {friction[members][force][1]:.1g}",
        verdict=lambda n: verdict(all(1.0 < n[k]["members"]["force"][0] < 2.0 for k in ("dry", "friction"))),
        test=HERE + "dry_peaks_are_comparable_to_the_ideal_force",
    ),
    Claim(
        where="Sect. 6, Fig. 6a, b", words="the \"non-smooth evolution\" of the dry reaction",
        got="total variation over the ideal one's: {dry[roughness]:.1f}, with friction {friction[roughness]:.1f}",
        verdict=lambda n: verdict(min(n["dry"]["roughness"], n["friction"]["roughness"]) > 3.0),
        test=HERE + "dry_reaction_is_not_smooth",
    ),
    Claim(
        where="Sect. 6, Fig. 6a, b", words="it suggests a response \"non-periodic and close to have a chaotic nature\"",
        got=lambda n: f"without friction periodic after a transient: {_periods(n, 'dry')}; with friction "
                      f"{_periods(n, 'friction')}, "
                      f"turns still differ by {max(n['friction']['members']['last']):.1e} at the end and by "
                      f"{min(n['friction']['members']['first']):.1e} at the start",
        verdict=lambda n: verdict(not _periodic(n, "dry") and not _settles(n)),
        test=HERE + "dry_motion_has_a_period_of_two_turns",
    ),
    Claim(
        where="Sect. 6, Fig. 6c", words="with oil \"much smoother and closer to the behaviour observed for an ideal joint\"",
        got="off the ideal force by {oil[off force]:.1e} of its peak; total variation {oil[roughness]:.4f} of the ideal one's",
        verdict=lambda n: verdict(n["oil"]["off force"] < 0.01 and abs(n["oil"]["roughness"] - 1.0) < 0.01),
        test=HERE + "lubricated_reaction_is_smooth_and_close_to_ideal",
    ),
    Claim(
        where="Sect. 6, Fig. 6c", words="with oil \"the system response [is] periodic\"",
        got="period {oil[period][turns]} turn; turns differ by {oil[period][smallest]:.0e}",
        verdict=lambda n: verdict(n["oil"]["period"]["turns"] == 1),
        test=HERE + "lubricated_response_is_periodic_like_the_ideal_one",
    ),
    Claim(
        where="Sect. 6, Fig. 6c", words="the oil \"avoids the metal-to-metal contact\"",
        got="largest eccentricity {oil[eccentricity]:.3f} c, in contact {oil[touching]:.0%} of the time",
        verdict=lambda n: verdict(n["oil"]["touching"] == 0.0 and n["oil"]["limits"] == 0),
        test=HERE + "lubricated_journal_stays_near_the_centre",
    ),
    Claim(
        where="Sect. 6, Fig. 7a, b", words="the dry reaction makes \"the crank moment fluctuate\", with visible peaks",
        got="largest / ideal ({peak moment:.1f} N m): {dry[members][moment][0]:.3f} ± {dry[members][moment][1]:.1g}, with "
            "friction {friction[members][moment][0]:.3f} ± {friction[members][moment][1]:.1g}",
        verdict=lambda n: verdict(all(n[k]["members"]["moment"][0] > 1.05 for k in ("dry", "friction"))),
        test=HERE + "dry_peaks_are_comparable_to_the_ideal_force",
    ),
    Claim(
        where="Sect. 6, Fig. 7c", words="with oil the moment is \"of the same order of magnitude\" as the ideal one",
        got="largest / ideal: {oil[moment]:.5f}", verdict=lambda n: verdict(abs(n["oil"]["moment"] - 1.0) < 0.1),
        test=HERE + "lubricated_reaction_is_smooth_and_close_to_ideal",
    ),
    Claim(
        where="Sect. 6, Fig. 7c", words="\"lower reaction moments in the lubricated model\" than with ideal joints",
        got="largest / ideal: {oil[moment]:.5f}; off the ideal curve by {oil[off moment]:.1e}",
        verdict=lambda n: verdict(n["oil"]["moment"] < 0.99, n["oil"]["moment"] < 0.999),
        test=HERE + "lubricated_moment_is_not_lower_than_ideal",
    ),
    Claim(
        where="Sect. 6, Fig. 8a, b", words="dry, \"the journal is always in contact with the bearing wall\"",
        got="in the last two turns at least {dry[members][touching]:.1%} of the time, with friction "
            "{friction[members][touching]:.1%}; last impact in turn {dry[last impact]:.1f} and {friction[last impact]:.1f}",
        verdict=lambda n: verdict(min(n[k]["members"]["touching"] for k in ("dry", "friction")) == 1.0),
        test=HERE + "dry_journal_is_always_in_contact",
    ),
    Claim(
        where="Sect. 6, Fig. 8a, b", words="\"the penetration depth, and, consequently, the contact force, varies\"",
        got="depth {dry[depth][least]:.3f} to {dry[depth][largest]:.3f} c; with friction {friction[depth][least]:.3f} to "
            "{friction[depth][largest]:.3f} c",
        verdict=lambda n: verdict(all(n[k]["depth"]["largest"] > 2.0 * n[k]["depth"]["least"] for k in ("dry", "friction"))),
        test=HERE + "dry_journal_is_always_in_contact",
    ),
    Claim(
        where="Sect. 6, Fig. 8c", words="with oil the orbit is \"very close to the bearing centre\", the film never breaks",
        got="largest eccentricity {oil[eccentricity]:.3f} c; the theory is left {oil[limits]} times",
        verdict=lambda n: verdict(n["oil"]["eccentricity"] < 0.2 and n["oil"]["limits"] == 0),
        test=HERE + "lubricated_journal_stays_near_the_centre",
    ),
    Claim(
        where="Sect. 6, Fig. 9a", words="without friction \"not periodic\": \"different cycles ... lead to different curves\"",
        got="turn k + 1 differs from turn k by {dry[period][apart][0]:.1e}, turn k + 2 by {dry[period][apart][1]:.1e} (half "
            "the step: {half step[period][apart][1]:.1e}): two curves in turn, period {dry[period][turns]}",
        verdict=lambda n: verdict(not _periodic(n, "dry")),
        test=HERE + "dry_motion_has_a_period_of_two_turns",
    ),
    Claim(
        where="Sect. 6, Fig. 9b", words="friction leads \"to better response\", \"without ensuring its periodicity\"",
        got="turns differ by {friction[period][by turn][0]:.1e} at first, {friction[period][apart][0]:.1e} at the end "
            "(without friction {dry[period][apart][0]:.1e}): a transient that decays",
        verdict=lambda n: verdict(
            n["friction"]["period"]["apart"][0] < n["dry"]["period"]["apart"][0] and not _settles(n),
            n["friction"]["period"]["apart"][0] < n["dry"]["period"]["apart"][0],
        ),
        test=HERE + "friction_makes_turns_more_alike",
    ),
    Claim(
        where="Sect. 6, Fig. 9c", words="with oil \"regular and periodic\", ideal joints \"very similar\"",
        got="acceleration off the ideal one by {oil[map]:.1e} of its range; turns differ by {oil[period][smallest]:.0e}",
        verdict=lambda n: verdict(n["oil"]["map"] < 0.01 and n["oil"]["period"]["turns"] == 1),
        test=HERE + "lubricated_response_is_periodic_like_the_ideal_one",
    ),
    Claim(
        where="Sect. 6", words="results \"in line with those of published works\"", got="the paper gives no numbers of them",
        verdict=ABSENT, reason="nothing is stated that could be computed",
    ),
    Claim(
        where="Sect. 7, abstract", words="dry joints have \"high peaks\" of force and moment, compared with oil",
        got=lambda n: f"largest force dry / oil {n['dry']['force'] / n['oil']['force']:.2f}, moment "
                      f"{n['dry']['moment'] / n['oil']['moment']:.2f}; with friction "
                      f"{n['friction']['force'] / n['oil']['force']:.2f} and "
                      f"{n['friction']['moment'] / n['oil']['moment']:.2f}",
        verdict=lambda n: verdict(all(n[k][q] > 1.1 * n["oil"][q] for k in ("dry", "friction") for q in ("force", "moment"))),
        test=HERE + "dry_peaks_are_comparable_to_the_ideal_force",
    ),
    Claim(
        where="Sect. 7", words="the oil's damping \"absorbs part of the kinetic energy\"",
        got="it takes {oil[dissipated]:.3f} J in {oil[period][of]} turns; an ideal joint {ideal[dissipated]:.0e} J",
        verdict=lambda n: verdict(n["oil"]["dissipated"] > 0.01), test=HERE + "oil_absorbs_energy",
    ),
)  # fmt: skip
