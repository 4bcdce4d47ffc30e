"""What Tian2010 states about its double pendulum and slider-crank, in its order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fmbs.reproduce.claim import ABSENT, Claim, Numbers, verdict

HERE = "test_tian2010.py::test_"
STIFFNESS = {"6.9e11": (6.9e11, 4), "6.9e9": (6.9e9, 12), "6.9e8": (6.9e8, 16)}  # E, Pa, and the elements of the paper
COUNTS = tuple(count for _, count in STIFFNESS.values())
RODS = {"5e9": 5e9, "2.07e15": 2.07e15}  # Pa
SOFT, STIFF = RODS
ENOUGH = 5.0  # mm of a path of 1 m: curves of Fig. 8 that cannot be told apart


def label(joint: str, key: str, count: int | None = None) -> str:
    """Of a pendulum's case; with the paper's number of elements if none is given."""
    return f"{joint}, E = {key}, {count or STIFFNESS[key][1]} elements"


def _each(n: Numbers, group: str, key: str, form: str, unit: str = "") -> str:
    """Of the three pendulums; mean and deviation where there are both."""
    found = []
    for E in STIFFNESS:
        x = n["pendulum"][E][group][key]
        found.append(f"{x[0]:{form}} ± {x[1]:.1g}{unit}" if isinstance(x, list) else f"{x:{form}}{unit}")
    return ", ".join(found)


def _of(n: Numbers, E: str, group: str, key: str) -> float:
    x = n["pendulum"][E][group][key]
    return float(x[0] if isinstance(x, list) else x)


def _rods(n: Numbers, key: str, form: str, unit: str = "") -> str:
    values = [(rod, n["crank"][rod][key]) for rod in RODS]
    return ", ".join(f"E = {rod}: {x[0]:{form}} ± {x[1]:.1g}{unit}" for rod, x in values)


def _long(n: Numbers, key: str, form: str, unit: str = "") -> str:
    known = [(rod, n["crank"][rod].get("long")) for rod in RODS]
    return ", ".join(f"E = {rod}: {x[key]:{form}}{unit}" if x else "no run of 2 s" for rod, x in known)


def _later(judge: Callable[[Numbers], str]) -> Callable[[Numbers], str]:
    """Of the run of 2 s, which `--quick` has not."""
    return lambda n: judge(n) if all("long" in n["crank"][rod] for rod in RODS) else ABSENT


def _of_long(n: Numbers, rod: str, key: str) -> Any:
    return n["crank"][rod].get("long", {}).get(key, float("nan"))


def _by_turn(n: Numbers) -> str:
    return ", ".join(str(x) for x in n["crank"][SOFT].get("long", {}).get("impacts", ["no run of 2 s"]))


def _converged(key: str) -> Any:
    def errors(n: Numbers) -> dict[str, float]:
        found: dict[str, float] = n["elements"]["arrangements"]["spatial"][key]
        return found

    def judge(n: Numbers) -> str:
        """The paper's number is enough, and the one before it in the paper is not."""
        e, paper = errors(n), STIFFNESS[key][1]
        fewer = [count for count in COUNTS if count < paper]
        enough = e.get(str(paper), 0.0) < ENOUGH
        return verdict(enough and all(e[str(count)] > ENOUGH for count in fewer), enough)

    return judge, lambda n: "off the run with 16: " + ", ".join(f"{c} elements {x:.2f} mm" for c, x in errors(n).items())


def _fig8(key: str) -> Claim:
    judge, say = _converged(key)
    words = {"6.9e11": '4 elements "are enough"', "6.9e9": '12 "are necessary"', "6.9e8": '16 "are necessary"'}[key]
    return Claim(where="Sect. 5.1, Fig. 8", words=f"E = {key} Pa: {words}", got=say, verdict=judge,
                 test=HERE + "the_paper_has_enough_elements")  # fmt: skip


CLAIMS = (
    *(_fig8(key) for key in STIFFNESS),
    Claim(
        where="Sect. 5.1, Figs 9, 10", words="impacts \"are more significant for the case of the flexible system\"",
        got=lambda n: f"D off the perfect path by {_each(n, 'bouncing', 'off z', '.2f', ' mm')}, its velocity by "
                      f"{_each(n, 'bouncing', 'off v', '.3f', ' m/s')}",
        verdict=lambda n: verdict(all(_of(n, E, "bouncing", "off v") > 1.3 * _of(n, "6.9e11", "bouncing", "off v")
                                      for E in ("6.9e9", "6.9e8"))),
        test=HERE + "flexible_links_show_the_impacts_more",
    ),
    Claim(
        where="Sect. 5.1, Fig. 10", words="with clearance \"some peaks on the velocity diagrams can be observed\"",
        got=lambda n: "sharpest change of D's acceleration within 1 ms over the perfect one's: "
                      + _each(n, "bouncing", "sharp", ".1f"),
        verdict=lambda n: verdict(all(_of(n, E, "bouncing", "sharp") > 1.5 for E in STIFFNESS),
                                  any(_of(n, E, "bouncing", "sharp") > 1.5 for E in STIFFNESS)),
        test=HERE + "dry_velocity_has_peaks_of_the_impacts",
    ),
    Claim(
        where="Sect. 5.1, Fig. 10", words="sharp peaks \"are more important for the case in which the bodies are flexible\"",
        got=lambda n: f"velocity off the perfect one by up to {_each(n, 'bouncing', 'off v', '.3f', ' m/s')}",
        verdict=lambda n: verdict(all(_of(n, E, "bouncing", "off v") > 1.3 * _of(n, "6.9e11", "bouncing", "off v")
                                      for E in ("6.9e9", "6.9e8"))),
        test=HERE + "flexible_links_show_the_impacts_more",
    ),
    Claim(
        where="Sect. 5.1, Fig. 11", words="\"free flight motion, impact followed by rebound, and continuous ... contact\"",
        got=lambda n: f"impacts {_each(n, 'bouncing', 'impacts', '.0f')}; in contact "
                      f"{_each(n, 'bouncing', 'touching', '.0%')}; "
                      f"in the second half of {n['swing']:g} s {_each(n, 'dry', 'late contact', '.0%')}",
        verdict=lambda n: verdict(all(_of(n, E, "bouncing", "impacts") > 5 and 0.1 < _of(n, E, "bouncing", "touching") < 1.0
                                      for E in STIFFNESS)),
        test=HERE + "dry_journal_flies_and_hits",
    ),
    Claim(
        where="Sect. 5.1, Fig. 11", words="\"journal misalignment phenomena are represented\" (dry)",
        got=lambda n: f"ends A and W up to {_each(n, 'bouncing', 'tilt', '.2f')} c apart",
        verdict=lambda n: verdict(all(_of(n, E, "bouncing", "tilt") > 0.1 for E in STIFFNESS)),
        test=HERE + "spatial_pendulum_tilts_its_journal",
    ),
    Claim(
        where="Sect. 5.1, Fig. 12", words="MSC.ADAMS shows \"a good correlation\" (E = 6.9e11, perfect and dry)",
        got=lambda n: f"rigid links in natural coordinates: D {n['rigid']['ideal']:.2f} mm off (perfect), "
                      f"{n['rigid']['dry']:.2f} mm (dry)",
        verdict=lambda n: verdict(n["rigid"]["ideal"] < 2.0 and n["rigid"]["dry"] < 5.0, n["rigid"]["ideal"] < 10.0),
        test=HERE + "stiff_links_move_as_rigid_ones",
    ),
    Claim(
        where="Sect. 5.1, Figs 13, 14", words="the lubricated case \"is closer to ... perfect cylindrical joints\"",
        got=lambda n: f"D off by {_each(n, 'oil', 'off z', '.3f', ' mm')} (dry: {_each(n, 'dry', 'off z', '.2f')}), "
                      f"velocity by "
                      f"{_each(n, 'oil', 'off v', '.4f', ' m/s')} (dry: {_each(n, 'dry', 'off v', '.3f')})",
        verdict=lambda n: verdict(
            all(_of(n, E, "oil", q) < _of(n, E, "dry", q) for E in STIFFNESS for q in ("off z", "off v"))
        ),
        test=HERE + "lubricated_pendulum_is_close_to_perfect",
    ),
    Claim(
        where="Sect. 5.1, Fig. 15", words="\"similar conclusions ... for the joint reaction forces\"",
        got=lambda n: f"off the perfect one by up to {_each(n, 'oil', 'off force', '.2f', ' N')}, of peaks of "
                      f"{_each(n, 'oil', 'force', '.1f', ' N')}",
        verdict=lambda n: verdict(all(_of(n, E, "oil", "off force") < 0.2 * _of(n, E, "oil", "force") for E in STIFFNESS),
                                  any(_of(n, E, "oil", "off force") < 0.2 * _of(n, E, "oil", "force") for E in STIFFNESS)),
        test=HERE + "lubricated_pendulum_is_close_to_perfect",
    ),
    Claim(
        where="Sect. 5.1", words="the oil \"acts like a mechanical damper\": it absorbs the \"noise\" of dry contact",
        got=lambda n: f"sharpest change over the perfect one's: oil {_each(n, 'oil', 'sharp', '.2f')}, dry "
                      f"{_each(n, 'bouncing', 'sharp', '.1f')}",
        verdict=lambda n: verdict(all(_of(n, E, "oil", "sharp") < _of(n, E, "bouncing", "sharp") for E in STIFFNESS)),
        test=HERE + "lubricated_pendulum_is_close_to_perfect",
    ),
    Claim(
        where="Sect. 5.1, Fig. 16", words="with oil \"there is no contact between journal and bearing surfaces\"",
        got=lambda n: f"least gap {_each(n, 'oil', 'gap', '.2f', ' c')}",
        verdict=lambda n: verdict(all(_of(n, E, "oil", "gap") > 0.0 for E in STIFFNESS)),
        test=HERE + "lubricated_journal_never_touches",
    ),
    Claim(
        where="Sect. 5.1, Fig. 16", words="\"some amount of journal misalignment is visible\"",
        got=lambda n: f"ends A and W up to {_each(n, 'oil', 'tilt', '.2f')} c apart",
        verdict=lambda n: verdict(all(_of(n, E, "oil", "tilt") > 0.05 for E in STIFFNESS)),
        test=HERE + "spatial_pendulum_tilts_its_journal",
    ),
    Claim(
        where="Sect. 5.1, Fig. 16", words="misalignment \"does not affect the global system responses\"",
        got=lambda n: f"D off the perfect path by {_each(n, 'oil', 'off z', '.3f', ' mm')}",
        verdict=lambda n: verdict(all(_of(n, E, "oil", "off z") < 5.0 for E in STIFFNESS)),
        test=HERE + "lubricated_pendulum_is_close_to_perfect",
    ),
    Claim(
        where="Sect. 5.1, Table 1", words="time \"increases when the ... Young's modulus and number of elements increase\"",
        got=lambda n: "processor, s, E = 6.9e11 with 4, 6.9e9 with 12, 6.9e8 with 16 elements: "
                      + "; ".join(f"{joint} " + ", ".join(f"{n['pendulum'][E]['cpu'][joint]:.1f}" for E in STIFFNESS)
                                  for joint in ("ideal", "dry", "lubricated")),
        verdict=lambda n: verdict(False, all(n["pendulum"]["6.9e8"]["cpu"][j] > n["pendulum"]["6.9e11"]["cpu"][j]
                                             for j in ("ideal", "dry", "lubricated"))),
        test=HERE + "more_elements_take_more_time",
    ),
    Claim(
        where="Sect. 5.1, Table 1", words="perfect joints cost much less than dry and lubricated ones",
        got=lambda n: "times the perfect one: dry " + ", ".join(_ratio(n, E, "dry") for E in STIFFNESS) + "; lubricated "
                      + ", ".join(_ratio(n, E, "lubricated") for E in STIFFNESS)
                      + " (the film takes the perfect joint's steps here, 500 times the paper's)",
        verdict=lambda n: verdict(
            all(n["pendulum"][E]["cpu"][j] > 3.0 * n["pendulum"][E]["cpu"]["ideal"]
                for E in STIFFNESS for j in ("dry", "lubricated")),
            all(n["pendulum"][E]["cpu"]["dry"] > 3.0 * n["pendulum"][E]["cpu"]["ideal"] for E in STIFFNESS)),
        test=HERE + "more_elements_take_more_time",
    ),
    Claim(
        where="Sect. 5.2, Figs 18, 20", words="dry contact \"exhibits some peaks\" of acceleration and force",
        got=lambda n: f"largest in {n['crank'][SOFT]['turns']:.0f} turns {_rods(n, 'a', '.0f', ' m/s²')} (ideal "
                      f"{n['crank'][STIFF]['ideal']['a']:.0f}); {_rods(n, 'force', '.0f', ' N')} (ideal "
                      f"{n['crank'][STIFF]['ideal']['force']:.0f})",
        verdict=lambda n: verdict(all(n["crank"][rod]["a"][0] > 1.5 * n["crank"][STIFF]["ideal"]["a"] for rod in RODS)),
        test=HERE + "dry_slider_crank",
    ),
    Claim(
        where="Sect. 5.2, Fig. 18", words="the acceleration \"changes more sharply for the flexible system\"",
        got=lambda n: f"median change between frames after the first turn: {_rods(n, 'sharp', '.0f', ' m/s²')}; at 1.9-2 s "
                      f"{_long(n, 'late sharp', '.0f', ' m/s²')}",
        verdict=_later(lambda n: verdict(n["crank"][SOFT]["sharp"][0] > 1.5 * n["crank"][STIFF]["sharp"][0]
                                  and not _of_long(n, SOFT, "late sharp") < _of_long(n, STIFF, "late sharp"),
                                  n["crank"][SOFT]["sharp"][0] > 1.5 * n["crank"][STIFF]["sharp"][0])),
        test=HERE + "soft_rod_rattles_often_and_stiff_rod_hits_hard",
    ),
    Claim(
        where="Sect. 5.2, Figs 19, 21", words="with oil \"closer to the case of a perfect joint\"",
        got=lambda n: "peaks off those of the stiff perfect one: " + ", ".join(
            f"E = {rod}: acceleration {n['crank'][rod]['oil']['off a']:+.1%}, force {n['crank'][rod]['oil']['off force']:+.1%}"
            for rod in RODS),
        verdict=lambda n: verdict(all(abs(n["crank"][rod]["oil"][q]) < 0.1 for rod in RODS for q in ("off a", "off force"))),
        test=HERE + "lubricated_slider_crank_is_close_to_the_stiff_ideal_one",
    ),
    Claim(
        where="Sect. 5.2, Fig. 22", words="\"journal misalignment does not take place\" (dry)",
        got=lambda n: f"ends A and W apart by up to {_rods(n, 'tilt', '.1e', ' c')} in {n['crank'][SOFT]['turns']:.0f} "
                      f"turns, in "
                      f"1.9-2 s {_long(n, 'late tilt', '.1e', ' c')}",
        verdict=_later(lambda n: verdict(all(_of_long(n, rod, "late tilt") < 0.01 for rod in RODS),
                                         any(_of_long(n, rod, "late tilt") < 0.01 for rod in RODS))),
        test=HERE + "slider_crank_does_not_tilt_by_itself",
    ),
    Claim(
        where="Sect. 5.2, Fig. 22", words="stiff: \"smoother trajectories\", local deformations of \"lower magnitude\"",
        got=lambda n: f"deepest penetration in the last 16 turns of 2 s: {_long(n, 'late depth', '.3f', ' c')}; "
                      f"sharpest change of "
                      f"the acceleration there {_long(n, 'largest late sharp', '.0f', ' m/s²')}",
        verdict=_later(lambda n: verdict(_of_long(n, STIFF, "late depth") < _of_long(n, SOFT, "late depth"))),
        test=HERE + "stiff_rod_has_the_deeper_contact",
    ),
    Claim(
        where="Sect. 5.2, Fig. 23", words="oil \"avoids contact\" (E = 2.07e15)",
        got=lambda n: ", ".join(f"E = {rod}: least gap {n['crank'][rod]['oil']['gap']:.2f} c" for rod in RODS),
        verdict=lambda n: verdict(all(n["crank"][rod]["oil"]["gap"] > 0.0 for rod in RODS)),
        test=HERE + "lubricated_slider_crank_is_close_to_the_stiff_ideal_one",
    ),
    Claim(
        where="Sect. 5.2, Fig. 24", words="eccentricity with the flexible rod \"a little larger\"",
        got=lambda n: ", ".join(f"E = {rod}: {n['crank'][rod]['oil']['eccentricity']:.4f} c" for rod in RODS),
        verdict=lambda n: verdict(
            0.0 < n["crank"][SOFT]["oil"]["eccentricity"] - n["crank"][STIFF]["oil"]["eccentricity"] < 0.1
        ),
        test=HERE + "flexible_rod_has_a_little_more_eccentricity_and_force",
    ),
    Claim(
        where="Sect. 5.2", words="dry responses \"are basically characterized as nonperiodic\"",
        got=lambda n: f"the last two turns of 2 s differ by {_long(n, 'repeats', '.1e')} of the range",
        verdict=_later(lambda n: verdict(all(_of_long(n, rod, "repeats") > 1e-3 for rod in RODS),
                                         any(_of_long(n, rod, "repeats") > 1e-3 for rod in RODS))),
        test=HERE + "two_seconds_of_the_dry_slider_crank",
    ),
    Claim(
        where="Sect. 5.2", words="with a flexible link trajectories \"tend to ... the continuous contact mode\"",
        got=lambda n: f"soft rod, impacts by turn: {_by_turn(n)}; in the last 16 {_long(n, 'late impacts', '.1f')} a turn, "
                      f"in contact {_long(n, 'late contact', '.1%')}. Pendulum: in contact "
                      f"{_each(n, 'bouncing', 'touching', '.0%')}",
        verdict=_later(lambda n: verdict(_of_long(n, SOFT, "late contact") > 0.99
                                  and _of(n, "6.9e8", "bouncing", "touching") > _of(n, "6.9e11", "bouncing", "touching"),
                                  _of_long(n, SOFT, "late contact") > 0.95)),
        test=HERE + "two_seconds_of_the_dry_slider_crank",
    ),
    Claim(
        where="Sect. 5.2", words="\"when the flexibility is neglected, the peak forces are grossly overestimated\"",
        got=lambda n: f"largest force {_rods(n, 'force', '.0f', ' N')}",
        verdict=lambda n: verdict(n["crank"][STIFF]["force"][0] > 2.0 * n["crank"][SOFT]["force"][0]),
        test=HERE + "peaks_are_overestimated_without_flexibility",
    ),
    Claim(
        where="Sect. 5.2", words="with oil \"smoother and periodic system responses\"",
        got=lambda n: ", ".join(f"E = {rod}: the last turns differ by {n['crank'][rod]['oil']['repeats']:.0e}" for rod in RODS),
        verdict=lambda n: verdict(all(n["crank"][rod]["oil"]["repeats"] < 1e-3 for rod in RODS)),
        test=HERE + "lubricated_response_is_periodic",
    ),
    Claim(
        where="Sect. 5.2, Fig. 21", words="a flexible link can \"produce higher joint reaction forces\"",
        got=lambda n: "with oil " + ", ".join(f"E = {rod}: {n['crank'][rod]['oil']['force']:.0f} N" for rod in RODS),
        verdict=lambda n: verdict(n["crank"][SOFT]["oil"]["force"] > n["crank"][STIFF]["oil"]["force"]),
        test=HERE + "flexible_rod_has_a_little_more_eccentricity_and_force",
    ),
    Claim(
        where="Sect. 5.2", words="\"numerical difficulties\" with high eccentricity or low viscosity: the theory is left",
        got="with 1e-4 Pa s the run goes on and says {thin} time(s) that the theory is left",
        verdict=lambda n: verdict(n["thin"] > 0), test=HERE + "thin_oil_is_reported",
    ),
    Claim(
        where="Sect. 5.2", words="results \"in line with those of published works\"", got="the paper gives no numbers of them",
        verdict=ABSENT, reason="nothing is stated that could be computed",
    ),
)  # fmt: skip


def _ratio(n: Numbers, E: str, joint: str) -> str:
    return f"{n['pendulum'][E]['cpu'][joint] / n['pendulum'][E]['cpu']['ideal']:.1f}"
