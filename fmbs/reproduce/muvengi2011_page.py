"""The page of Muvengi2011."""

from __future__ import annotations

from typing import Any

from fmbs.reproduce.page import Page

LAWS = {
    "TwoBranch": "below eq. 3", "KelvinVoigt": "eq. 1", "Maxwell": "eq. 2", "StandardLinearSolid": "eq. 3", "Hertz": "eq. 4",
    "LankaraniNikravesh": "eq. 8", "HuntCrossley": "-", "Flores": "-", "DubowskyFreudenstein": "eq. 9", "ESDU78035": "eq. 10",
}  # fmt: skip
RIGID = ("Newton", "Poisson", "Stronge")
FORMULATIONS = {
    "generalized-alpha": "index 3, generalized-alpha",
    "Baumgarte": "index 1, Baumgarte's stabilisation, 5 1/s",
    "augmented Lagrangian": "index 1, augmented Lagrangian",
    "partitioning": "coordinate partitioning",
}
FREE = {
    "generalized-alpha": FORMULATIONS["generalized-alpha"],
    "unstabilised": "index 1, accelerations alone",
    "Baumgarte 1": "index 1, Baumgarte's stabilisation, 1 1/s",
    "Baumgarte": FORMULATIONS["Baumgarte"],
    "Baumgarte 20": "index 1, Baumgarte's stabilisation, 20 1/s",
    "augmented Lagrangian": FORMULATIONS["augmented Lagrangian"],
    "partitioning": FORMULATIONS["partitioning"],
}
RODS: dict[str, dict[str, Any]] = {
    "rigid": {},
    "E = 2.07e11": {"flexible": True, "E": 2.07e11},
    "E = 5e9": {"flexible": True, "E": 5e9},
}
PLACES = ("Cartesian", "natural", "pin twice", "rod longer than the crank by 1e-2", "rod longer than the crank by 1e-8")


def layout(page: Page) -> None:
    page.text(
        "The review prints no example of its own. Here its laws, impacts and formulations drive the slider-crank of "
        "Flores2006, "
        "with ideal joints or with clearance at the wrist pin, a four-bar linkage with clearance between coupler and rocker, "
        "and "
        "a double pendulum of rigid links. What it quotes of other papers' results counts as its statements. Numbers with ± "
        "are "
        "means and standard deviations over ensembles with pushes of 1 mN; costs are counts, so that they do not depend on the "
        "machine."
    )
    page.statements()
    page.figures()
    _continuous(page)
    _discontinuous(page)
    _formulations(page)
    _rods(page)
    page.runs()


def _pair(x: list[float], digits: str) -> str:
    return f"{x[0]:{digits}} ± {x[1]:.1g}"


def _continuous(page: Page) -> None:
    page.text("## Continuous contact (its section II.B.3 and 4)")
    rows = []
    for law, equation in LAWS.items():
        r = page.numbers["law"][law]
        rows.append(
            (law, equation, r["runs"], _pair(r["largest"], ".0f"), _pair(r["deepest"], ".3f"), _pair(r["hits"], ".1f"),
             _pair(r["lost"], ".3f"), f"{r['first']['back']:.3f}", f"{1e6 * r['first']['lasts']:.1f}", f"{r['jump']:.2f}")
        )  # fmt: skip
    page.table(
        ("law", "equation", "runs", "largest force [N]", "deepest [c]", "impacts", "energy lost [J]",
         "speed after the first impact", "it lasts [µs]", "force at touch"),
        rows,
    )  # fmt: skip
    page.text(
        "Speed after the first impact: over the one before. Force at touch: with a penetration of 1e-12 m, over the largest "
        "of the "
        "first impact. Stiffness of the linear laws: the secant of Hertz's law at a tenth of the clearance; dampers return the "
        "restitution. `HuntCrossley` and `Flores` are not in the review."
    )


def _discontinuous(page: Page) -> None:
    page.text("## Discontinuous impact (its section II.B.2) beside it")
    rows = []
    for friction, laws in (("none", ("LankaraniNikravesh", *RIGID)), ("0.1", ("mu", *(f"{law}, friction" for law in RIGID)))):
        for law in laws:
            r = page.numbers["mu"]["0.1"] if law == "mu" else page.numbers["law"][law]
            name = "LankaraniNikravesh" if law == "mu" else law.split(",")[0]
            rows.append(
                (name, friction, r["runs"], _pair(r["hits"], ".0f"), _pair(r["hard"], ".0f"), _pair(r["lost"], ".3f"),
                 _pair([100 * x for x in r["flying"]], ".1f"), r["steps"], r["iterations"], r["factorizations"],
                 f"{r['drift']:.0e}", f"{r['energy error']:.0e}", f"{r['created'][0]:.1f}")
            )  # fmt: skip
    page.table(
        ("law", "friction", "runs", "impacts", "above 0.1 m/s", "energy lost [J]", "flying [%]", "steps", "iterations",
         "factorisations", "largest drift", "energy missing", "impacts that create energy"),
        rows,
    )  # fmt: skip
    page.text(
        "One turn of the slider-crank of Flores2006. Rigid surfaces bounce until flights are too short to count, so they have "
        "many weak impacts where a soft surface stays in contact. Counts are of the run that is not pushed; iterations and "
        "factorisations of rigid surfaces leave out those within impacts. Energy missing: share of the energy exchanged. An "
        "impact "
        "of rigid surfaces creates energy by Newton's law with friction, and by round-off."
    )


def _formulations(page: Page) -> None:
    page.text("## Coordinates and formulations of the constraints (its sections III.A and III.C)")
    form = page.numbers["form"]
    rows = [
        (place, text, f"{r['n']} / {r['m']}", f"{r['drift']:.1e}", f"{r['off']:.1e}", r["steps"], r["iterations"] or "-",
         r["factorizations"])
        for place in PLACES for name, text in FORMULATIONS.items() for r in (form[f"{place}, {name}"],)
    ]  # fmt: skip
    page.table(
        ("slider-crank", "formulation", "coordinates / equations", "largest drift", "off the closed form [m]", "steps",
         "evaluations", "factorisations"),
        rows,
    )  # fmt: skip
    page.text(
        "One turn, driven. Cartesian: x, y and the angle of every body (`PlanarBody`). Natural: two points and two unit "
        "vectors of "
        "every body in space (`RigidBody`). Every coordinate is driven, so that partitioning has nothing to integrate and only "
        "solves the constraints. Pin twice: the crank pin is given twice; fmbs leaves redundant equations out before any "
        "method "
        "starts. With a rod hardly longer than the crank the mechanism passes near a singular position, where it may be "
        "assembled "
        "in two ways: 0.1 m off is the other one."
    )
    free = page.numbers["free"]
    free_rows = [
        (text, f"{r['n']} / {r['m']}", f"{r['drift']:.1e}", f"{r['tenths'][0]:.0e}", f"{r['tenths'][-1]:.0e}",
         f"{r['off']:.1e}", r["steps"], r["iterations"], r["factorizations"])
        for name, text in FREE.items() for r in (free[name],)
    ]  # fmt: skip
    page.table(
        ("formulation", "coordinates / equations", "largest drift", "first tenth", "last tenth", "energy changes by", "steps",
         "evaluations", "factorisations"),
        free_rows,
    )  # fmt: skip
    page.text(
        "The double pendulum of Tian2010 with rigid links, released from rest, in natural coordinates; no energy is lost or "
        "put "
        "in. Index-1 formulations are integrated by DOP853 with a tolerance of 1e-6, generalized-alpha with steps of 1 ms. Of "
        "generalized-alpha, evaluations are Newton iterations."
    )


def _rods(page: Page) -> None:
    page.text("## Flexible links (its section II.A)")
    rows = []
    for rod, r in page.numbers["rod"].items():
        for k, window in enumerate(("0.1", "0.25", "0.5")):
            rows.append(
                (rod, window, r["runs"], _pair(r["force"][k], ".0f"), _pair(r["a"][k], ".0f"), _pair(r["moment"][k], ".0f"))
            )
    page.table(
        ("rod", "turns", "runs", "largest force [N]", "largest slider acceleration [m/s²]", "largest crank moment [N m]"), rows
    )
    page.text("The rods are undamped: after the first impacts they ring, and shake the crank.")
