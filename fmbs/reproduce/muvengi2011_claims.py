"""What Muvengi2011 states about results, its own words on methods and those it quotes of other papers, in its order."""

from __future__ import annotations

from itertools import pairwise

from fmbs.reproduce.claim import ABSENT, DEVIATES, REFUTED, Claim, Numbers, verdict

HERE = "test_muvengi2011.py::test_"
RIGID = ("Newton", "Poisson", "Stronge")
LINEAR = ("TwoBranch", "KelvinVoigt", "StandardLinearSolid")
SOFT = ("rigid", "E = 2.07e11", "E = 5e9")


def _pair(x: list[float], digits: str = ".0f") -> str:
    return f"{x[0]:{digits}} ± {x[1]:.1g}"


def _lower(n: Numbers, key: str, window: int) -> list[bool]:
    """Is the peak lower with each of the flexible rods, by more than the scatter?"""
    rigid = n["rod"]["rigid"][key][window]
    return [n["rod"][rod][key][window][0] + n["rod"][rod][key][window][1] < rigid[0] - rigid[1] for rod in SOFT[1:]]


def _flexible(key: str, unit: str, digits: str = ".0f") -> dict[str, object]:
    def got(n: Numbers) -> str:
        return "; ".join(
            f"{turns} turn: " + ", ".join(f"{n['rod'][rod][key][k][0]:{digits}}" for rod in SOFT) + f" {unit}"
            for k, turns in enumerate(("0.1", "0.25", "0.5"))
        )

    def judged(n: Numbers) -> str:
        found = [holds for k in range(3) for holds in _lower(n, key, k)]
        return verdict(all(found), nearly=sum(found) >= len(found) / 2)

    return {"got": got, "verdict": judged, "test": HERE + "flexible_links_and_the_peaks"}


def _rises(values: list[list[float]]) -> bool:
    """Each mean above the one before by more than the scatter of both."""
    return all(b[0] - a[0] > a[1] + b[1] for a, b in pairwise(values))


def _listed(group: Numbers, key: str, digits: str = ".0f") -> str:
    return ", ".join(_pair(r[key], digits) for r in group.values())


def _of_friction(n: Numbers, key: str, digits: str = ".3f") -> str:
    return ", ".join(_pair(n["law"][f"{law}, friction"][key], digits) for law in RIGID)


def _more_lost(n: Numbers) -> str:
    """Beyond the scatter of both ensembles, or at least in the mean."""
    newton, *others = [n["law"][f"{law}, friction"]["lost"] for law in RIGID]
    return verdict(all(x[0] - x[1] > newton[0] + newton[1] for x in others), nearly=all(x[0] > newton[0] for x in others))


def _created(n: Numbers) -> float:
    return float(n["law"]["Newton, friction"]["created"][0])


def _factor(n: Numbers, name: str) -> float:
    r = n["free"][name]
    return float(r["factorizations"] / max(r["iterations"], 1))


def _chaos(n: Numbers) -> str:
    rows = []
    for label, r in n["linkage"].items():
        if "period" in r:
            periods = " and ".join(str(p or "none") for p in r["periods"])
            twins = f", pushed twins end {r['twins']:.0e} apart" if "twins" in r else ""
            rows.append(f"{label}: period {periods}{twins}")
    return "; ".join(rows)


def _periods(n: Numbers) -> list[int]:
    return [p for r in n["linkage"].values() if "period" in r for p in r["periods"]]


CLAIMS = (
    Claim(
        where="Abstract, sect. I", words="clearances \"seriously affect the dynamic response\"",
        got=lambda n: f"slider acceleration up to {_pair(n['law']['LankaraniNikravesh']['largest a'])} m/s², with ideal joints "
                      f"{n['ideal']['a'][-1]:.0f} m/s²; force {_pair(n['law']['LankaraniNikravesh']['largest'])} and "
                      f"{n['ideal']['force'][-1]:.0f} N",
        verdict=lambda n: verdict(n["law"]["LankaraniNikravesh"]["largest a"][0] > 2.0 * n["ideal"]["a"][-1]),
        test=HERE + "three_modes_of_motion",
    ),
    Claim(
        where="Sect. II.A (Earles and Wu, Furuhashi)", words="the gap as \"a massless imaginary link\": always in contact",
        got="an assumption, not a result; `fm.MasslessLink` is this joint, and says where contact would be lost",
        verdict=ABSENT, reason="nothing is stated that could be computed",
    ),
    Claim(
        where="Sect. II.A (Farahanchi and Shaw; Khemili and Romdhane)",
        words="three types of motion: \"a free-flight, a continuous contact motion and an impact\"",
        got=lambda n: f"in one turn flying {100 * n['law']['LankaraniNikravesh']['flying'][0]:.1f} % of the time, "
                      f"{_pair(n['law']['LankaraniNikravesh']['hits'], '.1f')} impacts, then contact that lasts",
        verdict=lambda n: verdict(
            n["law"]["LankaraniNikravesh"]["hits"][0] >= 3 and 0.01 < n["law"]["LankaraniNikravesh"]["flying"][0] < 0.5
        ),
        test=HERE + "three_modes_of_motion",
    ),
    Claim(
        where="Sect. II.A (Dubowsky and Moening; Chunmei et al.; Khemili and Romdhane)",
        words="flexible links reduce \"the peaks of impact forces\" (rods: rigid, 2.07e11, 5e9 Pa)", **_flexible("force", "N"),  # type: ignore[arg-type]
    ),
    Claim(
        where="Sect. II.A (Khemili and Romdhane)", words="with a flexible link \"the slider acceleration values ... are "
                                                         "lower\"",
        **_flexible("a", "m/s²"),  # type: ignore[arg-type]
    ),
    Claim(
        where="Sect. II.A (Khemili and Romdhane)", words="... and so is \"the driving torque at the crank\"",
        **_flexible("moment", "N m"),  # type: ignore[arg-type]
    ),
    Claim(
        where="Sect. II.A (Dubowsky and Moening; Erkaya and Uzmay)", words="less acoustical noise with flexible bodies, more "
                                                                           "with clearance",
        got="fmbs computes no sound", verdict=ABSENT, reason="sound is not modelled",
    ),
    Claim(
        where="Sect. II.A (Chunmei et al.)", words="\"the stability ... with joint clearances is far much lower\"",
        got="a push of 1 mN moves the slider by up to {pushed[ideal]:.1e} m with ideal joints, {pushed[dry]:.1e} m with "
            "clearance",
        verdict=lambda n: verdict(n["pushed"]["dry"] > 1e3 * max(n["pushed"]["ideal"], 1e-15)),
        test=HERE + "clearance_makes_a_mechanism_sensitive",
    ),
    Claim(
        where="Sect. II.A (Chang)", words="clearance \"causes periodic and chaotic responses depending on\" friction and "
                                          "clearance",
        got=_chaos,
        verdict=lambda n: verdict(len(set(_periods(n))) > 1 and 0 in _periods(n), 0 in _periods(n)),
        test=HERE + "four_bar_repeats_or_not",
    ),
    Claim(
        where="Sect. II.A (Erkaya and Uzmay)", words="with massless links vibration \"is mainly periodic\"",
        got="the mechanisms here start with the journal in the middle, where a link has no direction",
        verdict=ABSENT, reason="no mechanism here has a massless link",
    ),
    Claim(
        where="Sect. II.A (Shiau et al.)", words="some natural frequencies decrease with the clearance",
        got="a gap has no linear modes; a 3-PRS mechanism with springs in place of gaps is not modelled",
        verdict=ABSENT, reason="another mechanism and another model",
    ),
    Claim(
        where="Sect. II.A (Shiau et al.)", words="\"the contact force increases as the joint clearance ... increase[s]\"",
        got=lambda n: "largest force with 25, 50, 100 µm: "
                      + ", ".join(_pair(r["force"][-1]) for r in n["size"].values()) + " N in half a turn",
        verdict=lambda n: verdict(_rises([r["force"][-1] for r in n["size"].values()])),
        test=HERE + "larger_clearance_larger_force",
    ),
    Claim(
        where="Sect. II.A (Shiau et al.)", words="the dynamic response \"becomes larger as the joint clearances increase\"",
        got=lambda n: "largest slider acceleration with 25, 50, 100 µm: "
                      + ", ".join(_pair(r["a"][-1]) for r in n["size"].values()) + " m/s² in half a turn",
        verdict=lambda n: verdict(_rises([r["a"][-1] for r in n["size"].values()])),
        test=HERE + "larger_clearance_larger_force",
    ),
    Claim(
        where="Sect. II.A (Shiau et al.)", words="... and as \"the friction coefficient increase[s]\"",
        got=lambda n: f"largest force with 0, 0.05, 0.1, 0.2: {_listed(n['mu'], 'largest')} N in a turn",
        verdict=lambda n: verdict(_rises([r["largest"] for r in n["mu"].values()])),
        test=HERE + "friction_raises_the_force",
    ),
    Claim(
        where="Sect. II.A (Flores 2009)", words="wear \"is not uniformly distributed around the joint surface\"",
        got="work of friction below a tenth of the largest on {linkage[0.05 mm, Ambrosio][rubbed little]:.0%} of the bearing "
            "with a "
            "clearance of 0.05 mm, on {linkage[0.5 mm, Ambrosio][rubbed little]:.0%} with 0.5 mm",
        verdict=lambda n: verdict(n["linkage"]["0.05 mm, Ambrosio"]["rubbed little"] > 0.25), test=HERE + "wear_is_not_uniform",
    ),
    Claim(
        where="Sect. II.A (Mukras et al.)", words="wear predicted and measured agree",
        got="the test rig's data are not in the review", verdict=ABSENT, reason="nothing is printed to compare with",
    ),
    Claim(
        where="Sect. II.B", words="impact: \"large forces that are applied and removed in a short period of time\"",
        got="the first impact reaches {law[LankaraniNikravesh][largest][0]:.0f} N at most and lasts "
            "{law[LankaraniNikravesh][first][lasts]:.2e} s, 12 ms being a turn",
        verdict=lambda n: verdict(n["law"]["LankaraniNikravesh"]["first"]["lasts"] < 1e-2 * 0.012), test=HERE + "first_impact",
    ),
    Claim(
        where="Sect. II.B.2", words="Newton, Poisson and Stronge \"are equivalent if friction is not considered\"",
        got="the slider's paths are {alike[early]:.0e} m apart in the first tenth of a turn, {alike[x]:.0e} m in a turn, in "
            "which "
            "round-off grows; impacts {law[Newton][hits][0]:.0f}, {law[Poisson][hits][0]:.0f}, {law[Stronge][hits][0]:.0f}",
        verdict=lambda n: verdict(n["alike"]["early"] < 1e-8), test=HERE + "impact_laws_without_friction_are_one",
    ),
    Claim(
        where="Sect. II.B.2", words="with friction \"Poisson's and Stronge's models dissipate more energy than the Newton's\"",
        got=lambda n: f"lost in a turn, by Newton, Poisson, Stronge: {_of_friction(n, 'lost')} J", verdict=_more_lost,
        test=HERE + "impact_laws_with_friction",
    ),
    Claim(
        where="Sect. II.B.2", words="the assumption of a very short impact \"is not true in many cases\"",
        got="the first impact lasts {law[LankaraniNikravesh][first][lasts]:.1e} s, "
            "{law[LankaraniNikravesh][first][wait]:.1e} s pass "
            "from its start to the next; the crank presses on meanwhile: speed after over before "
            "{law[LankaraniNikravesh][first][back]:.3f} (the law alone: 0.913), with rigid surfaces "
            "{law[Newton][first][back]:.3f}",
        verdict=lambda n: verdict(
            n["law"]["LankaraniNikravesh"]["first"]["lasts"] > 0.1 * n["law"]["LankaraniNikravesh"]["first"]["wait"]
        ),
        test=HERE + "first_impact",
    ),
    Claim(
        where="Sect. II.B.2", words="discrete models \"tend to provide poor results when used directly to calculate impact "
                                    "forces\"",
        got=lambda n: f"they give impulses: {n['law']['Newton']['first']['impulse']:.3f} N s at the first impact, where the "
                      f"soft "
                      f"surface gives {n['law']['LankaraniNikravesh']['impulse']:.3f} N s; over its duration that is a mean of "
                      f"{n['law']['Newton']['first']['impulse'] / n['law']['LankaraniNikravesh']['first']['lasts']:.0f} N, "
                      f"and the "
                      f"largest force between impacts, {_pair(n['law']['Newton']['largest'])} N, is not that of an impact "
                      f"({_pair(n['law']['LankaraniNikravesh']['largest'])} N)",
        verdict=lambda n: verdict(n["law"]["Newton"]["largest"][0] < 0.8 * n["law"]["LankaraniNikravesh"]["largest"][0]),
        test=HERE + "first_impact",
    ),
    Claim(
        where="Sect. II.B.2", words="they \"do not work well with Coulomb's empirical laws of friction\"",
        got=lambda n: "a turn with a coefficient of 0.1 is computed by all three; impacts that create energy in a turn: "
                      + _of_friction(n, "created", ".1f") + "; without friction "
                      + ", ".join(f"{n['law'][law]['created'][0]:.1f}" for law in RIGID),
        verdict=lambda n: verdict(_created(n) > 0.01 * n["law"]["Newton, friction"]["hits"][0], _created(n) > 0),
        test=HERE + "impact_laws_with_friction",
    ),
    Claim(
        where="Sect. II.B.2", words="they \"are not straightforward when applied in impacts of flexible bodies\"",
        got="a rod of 5 GPa by Newton's law: it runs, with {law[Newton, flexible rod][hits][0]:.0f} impacts in a quarter of "
            "a turn; "
            "the first takes {law[Newton, flexible rod][first][impulse]:.3f} N s, that of a rigid rod "
            "{law[Newton][first][impulse]:.3f} N s, since only the rod's end is stopped; "
            "{law[Newton, flexible rod][lost][0]:.2f} J "
            "are lost, by a soft surface {rod[E = 5e9][lost][0]:.2f} J in half a turn",
        verdict=lambda n: verdict(n["law"]["Newton, flexible rod"]["lost"][0] > 2.0 * n["rod"]["E = 5e9"]["lost"][0]),
        test=HERE + "rigid_impacts_of_a_flexible_rod",
    ),
    Claim(
        where="Sect. II.B.3", words="the three linear models: F = K δ in compression, c_e K δ in restitution, c_e the "
                                    "restitution",
        got="one body would leave with the square root of c_e, 0.949 for 0.9, of its speed; here, pressed on, with "
            "{law[TwoBranch][first][back]:.3f} (Kelvin and Voigt {law[KelvinVoigt][first][back]:.3f}); it is another law "
            "than eqs 1 "
            "to 3",
        verdict=DEVIATES, test=HERE + "two_branches_return_the_root_of_the_restitution",
    ),
    Claim(
        where="Sect. II.B.3", words="linear penetration and force \"is a rough estimation\"",
        got=lambda n: "largest force with a spring of Hertz's secant at a tenth of the clearance: "
                      + ", ".join(_pair(n["law"][law]["largest"]) for law in LINEAR)
                      + f" N; Hertz's own law with hysteresis {_pair(n['law']['LankaraniNikravesh']['largest'])} N",
        verdict=lambda n: verdict(all(
            n["law"][law]["largest"][0] < 0.8 * n["law"]["LankaraniNikravesh"]["largest"][0]
            for law in LINEAR
        )),
        test=HERE + "linear_laws_are_rough",
    ),
    Claim(
        where="Sect. II.B.3 (Hunt and Crossley)", words="linear spring and damper \"do not represent the physical nature\"",
        got="force at first touch over the largest of that impact: Kelvin and Voigt {law[KelvinVoigt][jump]:.2f}, Lankarani "
            "and "
            "Nikravesh {law[LankaraniNikravesh][jump]:.0e}",
        verdict=lambda n: verdict(n["law"]["KelvinVoigt"]["jump"] > 0.01), test=HERE + "kelvin_voigt_jumps_at_first_touch",
    ),
    Claim(
        where="Sect. II.B.3, eq. 4", words="Hertz's law \"does not account for energy dissipation\"",
        got="{law[Hertz][lost][0]:.0e} J lost, {law[LankaraniNikravesh][lost][0]:.3f} J by eq. 8",
        verdict=lambda n: verdict(abs(n["law"]["Hertz"]["lost"][0]) < 0.02 * n["law"]["LankaraniNikravesh"]["lost"][0]),
        test=HERE + "hertz_loses_no_energy",
    ),
    Claim(
        where="Sect. II.B.3, eq. 8", words="valid for impacts slower than 1e-5 √(E/ρ)",
        got=lambda n: f"the limit is {n['law']['LankaraniNikravesh']['limit']:.3f} m/s; the first impacts here come at "
                      + ", ".join(f"{x:.2f}" for x in n["law"]["LankaraniNikravesh"]["fast"][:4]) + " m/s, and the run says so",
        verdict=ABSENT, reason="the law itself cannot show where it ends",
    ),
    Claim(
        where="Sect. II.B.4, eqs 9, 10", words="cylinder laws \"require an iterative scheme\"; eq. 9 prints σ₁ - σ₂",
        got=lambda n: "solved by Newton's method, eq. 9 with σ₁ + σ₂; largest force "
                      f"{_pair(n['law']['DubowskyFreudenstein']['largest'])} and {_pair(n['law']['ESDU78035']['largest'])} N, "
                      f"spheres {_pair(n['law']['LankaraniNikravesh']['largest'])} N",
        verdict=lambda n: verdict(
            abs(n["law"]["DubowskyFreudenstein"]["largest"][0] / n["law"]["ESDU78035"]["largest"][0] - 1.0) < 0.05
        ),
        test=HERE + "cylinder_laws_are_solved_for_the_force",
    ),
    Claim(
        where="Sect. II.C", words="smaller elements \"converge to the exact solution\"",
        got=lambda n: "force at the wrist pin off that with 16 elements: "
                      + ", ".join(f"{k}: {x:.1e}" for k, x in n["elements"].items()) + " of its largest",
        verdict=lambda n: verdict(
            (off := list(n["elements"].values())) == sorted(off, reverse=True) and off[-1] < 0.25 * off[0]
        ),
        test=HERE + "elements_converge",
    ),
    Claim(
        where="Sect. II.C (Gerstmayr et al.; Shabana)", words="floating frame and ANCF \"have comparable performance\"",
        got="there is no floating frame of reference here", verdict=ABSENT, reason="one of the two is not in fmbs",
    ),
    Claim(
        where="Sect. II.D", words="eq. 11 \"does not account for stiction\"",
        got="four-bar linkage, journal slower than 1e-5 m/s: {linkage[0.05 mm, Ambrosio][still][0]:.4%} of the time in "
            "contact by "
            "eq. 11, {linkage[LuGre][still][0]:.4%} with LuGre's bristles",
        verdict=lambda n: verdict(n["linkage"]["LuGre"]["still"][0] > 10.0 * n["linkage"]["0.05 mm, Ambrosio"]["still"][0]),
        test=HERE + "ambrosio_has_no_stiction",
    ),
    Claim(
        where="Sect. III.A", words="natural coordinates: \"slightly lower dependent coordinates\" than Cartesian ones",
        got="{form[Cartesian, partitioning][n]} Cartesian in the plane, {form[natural, partitioning][n]} natural in space: "
            "here "
            "bodies share no points, and each has 12",
        verdict=lambda n: verdict(n["form"]["natural, partitioning"]["n"] < n["form"]["Cartesian, partitioning"]["n"]),
        test=HERE + "natural_coordinates_are_more_in_space",
    ),
    Claim(
        where="Sect. III.B", words="eqs 17, 19, 21 give positions, velocities and accelerations of a driven system",
        got="off the closed form by {form[Cartesian, partitioning][off]:.0e} m",
        verdict=lambda n: verdict(n["form"]["Cartesian, partitioning"]["off"] < 1e-12), test=HERE + "kinematic_analysis",
    ),
    Claim(
        where="Sect. III.C", words="with accelerations alone \"for long simulations\" constraints \"begin to be violated\"",
        got="drift in the first tenth {free[unstabilised][tenths][0]:.0e} m, in the last {free[unstabilised][tenths][9]:.0e} m",
        verdict=lambda n: verdict(n["free"]["unstabilised"]["tenths"][-1] > 10.0 * n["free"]["unstabilised"]["tenths"][0]),
        test=HERE + "accelerations_alone_drift",
    ),
    Claim(
        where="Sect. III.C", words="partitioning \"satisfies all the constraints to the level of precision specified\"",
        got="drift {free[partitioning][drift]:.0e} m", verdict=lambda n: verdict(n["free"]["partitioning"]["drift"] < 1e-12),
        test=HERE + "coordinate_partitioning_has_no_drift",
    ),
    Claim(
        where="Sect. III.C", words="... but \"suffers from poor numerical efficiency\" of its iterations",
        got=lambda n: f"matrices factorised for every evaluation: {_factor(n, 'partitioning'):.1f}, Baumgarte "
                      f"{_factor(n, 'Baumgarte'):.1f}; in all {n['free']['partitioning']['factorizations']} and "
                      f"{n['free']['Baumgarte']['factorizations']}, in {n['free']['partitioning']['steps']} and "
                      f"{n['free']['Baumgarte']['steps']} steps",
        verdict=lambda n: verdict(
            n["free"]["partitioning"]["factorizations"] > 2 * n["free"]["Baumgarte"]["factorizations"]
        ),
        test=HERE + "partitioning_factorises_more",
    ),
    Claim(
        where="Sect. III.C", words="the augmented Lagrangian \"has the advantage of handling redundant constraints\"",
        got="with the crank pin given twice it is {form[pin twice, augmented Lagrangian][off]:.0e} m off; so are Baumgarte's, "
            "{form[pin twice, Baumgarte][off]:.0e} m, and partitioning, {form[pin twice, partitioning][off]:.0e} m, since "
            "fmbs leaves "
            "redundant equations out",
        verdict=lambda n: DEVIATES if n["form"]["pin twice, augmented Lagrangian"]["off"] < 1e-5 else REFUTED,
        test=HERE + "augmented_lagrangian_handles_redundant_constraints",
    ),
    Claim(
        where="Sect. III.C", words="Baumgarte's method \"gives good results in most of the applications\"",
        got="drift {free[Baumgarte][drift]:.0e} m in a run in which accelerations alone drift by "
            "{free[unstabilised][drift]:.0e} m, in "
            "its last tenth {free[Baumgarte][tenths][9]:.0e} m; the slider-crank {form[Cartesian, Baumgarte][off]:.0e} m off",
        verdict=lambda n: verdict(
            n["free"]["Baumgarte"]["tenths"][-1] < 0.1 * n["free"]["unstabilised"]["tenths"][-1]
            and n["form"]["Cartesian, Baumgarte"]["off"] < 1e-5
        ),
        test=HERE + "baumgarte_bounds_the_drift",
    ),
    Claim(
        where="Sect. III.C", words="... but \"does not help ... near kinematic singularities\"",
        got="with the rod longer than the crank by a part of 1e-2 it is "
            "{form[rod longer than the crank by 1e-2, Baumgarte][off]:.0e} m off, by 1e-8 "
            "{form[rod longer than the crank by 1e-8, Baumgarte][off]:.0e} m: it goes on in the other assembly "
            "(generalized-alpha "
            "stops, partitioning {form[rod longer than the crank by 1e-8, partitioning][off]:.0e} m)",
        verdict=lambda n: verdict(
            n["form"]["rod longer than the crank by 1e-8, Baumgarte"]["off"]
            > 1e3 * n["form"]["rod longer than the crank by 1e-2, Baumgarte"]["off"]
        ),
        test=HERE + "baumgarte_fails_at_a_singular_position",
    ),
    Claim(
        where="Sect. III.C", words="α = β = 5 is \"a good choice\", \"typical values range from 1 to 20\"",
        got="drift with 1, 5, 20 1/s: {free[Baumgarte 1][drift]:.0e}, {free[Baumgarte][drift]:.0e}, "
            "{free[Baumgarte 20][drift]:.0e} m",
        verdict=lambda n: verdict(
            max(n["free"][name]["drift"] for name in ("Baumgarte 1", "Baumgarte", "Baumgarte 20"))
            < 0.2 * n["free"]["unstabilised"]["drift"]
        ),
        test=HERE + "baumgarte_bounds_the_drift",
    ),
    Claim(
        where="Sect. IV (c)", words="models of one imperfect joint miss \"the interactions\" of several",
        got=lambda n: f"largest force at joint C of the linkage: {_pair(n['linkage']['C']['force'], '.1f')} N alone, "
                      f"{_pair(n['linkage']['B and C']['force'], '.1f')} N if B has clearance too",
        verdict=lambda n: verdict(
            abs(n["linkage"]["C"]["force"][0] - n["linkage"]["B and C"]["force"][0])
            > n["linkage"]["C"]["force"][1] + n["linkage"]["B and C"]["force"][1]
        ),
        test=HERE + "imperfect_joints_act_on_each_other",
    ),
)  # fmt: skip
