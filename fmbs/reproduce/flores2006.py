"""Flores2006: slider-crank with a clearance joint, dry, dry with friction, lubricated. Figs 6 to 9."""

from __future__ import annotations

from typing import Any

import numpy as np

import fmbs as fm
from fmbs.models import SliderCrankPlanar
from fmbs.reproduce.cases import PaperCase, Result, members
from fmbs.reproduce.flores2006_claims import CLAIMS
from fmbs.reproduce.flores2006_figures import draw
from fmbs.reproduce.page import Page
from fmbs.reproduce.paper import Got, Paper
from fmbs.reproduce.period import Period
from fmbs.studies import Spread

KINDS: dict[str, dict[str, Any]] = {
    "ideal": {"joint": "ideal"},
    "dry": {"joint": "dry"},
    "friction": {"joint": "dry", "friction": "Ambrosio"},
    "oil": {"joint": "lubricated"},
}
CHOSEN: dict[str, dict[str, Any]] = {
    "oil, bearing of 10 mm": {"joint": "lubricated", "bearing_length": 0.01},
    "oil, bearing of 40 mm": {"joint": "lubricated", "bearing_length": 0.04},
    "oil, short bearing": {"joint": "lubricated", "film": "ShortBearing"},
    "friction full at 0.1 m/s": {"joint": "dry", "friction": "Ambrosio", "stribeck_speed": 0.1},
}
FRAMES = 1200  # a turn
MEMBERS = 4


def harvest(model: SliderCrankPlanar, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    """The slider's acceleration of all turns, and histories of the last two."""
    slider, pin = m["slider"].com, np.linalg.norm(sol.reaction("wrist pin").force, axis=1)
    a, moment = sol.acceleration(slider)[:, 0], sol.reaction("motor").moment
    kept = slice(-2 * FRAMES - 1, None)
    found = {
        "turns": a[1:].reshape(-1, FRAMES), "t": (sol.t[kept] - sol.t[kept][0]) / model.turn, "force": pin[kept],
        "moment": moment[kept], "velocity": sol.velocity(slider)[kept, 0], "acceleration": a[kept],
        "dissipated": float(np.asarray(sol.energy.dissipated)[-1] - np.asarray(sol.energy.dissipated)[0]),
        "freedoms": sol.system.size - sol.system.constraints(0.0, sol.system.initial_position).size + 1,
    }  # fmt: skip
    if model.joint != "ideal":
        inside = sol.clearance("wrist pin")
        found["orbit"] = inside.eccentricity[kept] / model.clearance
        found["depth"] = inside.penetration[kept] / model.clearance
        found["limits"] = len(inside.limits)
        found["impacts"] = np.array([impact.t / model.turn for impact in inside.impacts])
    return found


def all_cases(quick: bool) -> list[PaperCase]:
    turn, dry, few = SliderCrankPlanar().turn, 10 if quick else 24, 2 if quick else MEMBERS

    def case(label: str, values: dict[str, Any], turns: int, **options: Any) -> PaperCase:
        return PaperCase(label, "slider_crank_planar", values, turns * turn, harvest, options)

    cases = [case("ideal", KINDS["ideal"], 3), case("oil", KINDS["oil"], 5)]
    for label in ("dry", "friction"):
        cases += case(label, KINDS[label], dry).ensemble(few)
    halved = SliderCrankPlanar(joint="dry").settings()
    halved["step"] /= 2.0
    cases.append(case("dry, half the step", KINDS["dry"], 10 if quick else 16, **halved))
    return cases + [case(label, values, 3) for label, values in CHOSEN.items()]


def numbers(got: Got) -> dict[str, Any]:
    """Everything the page says."""
    ideal = got["ideal"]
    force, moment = float(ideal["force"].max()), float(np.abs(ideal["moment"]).max())

    def of(r: Result) -> dict[str, Any]:
        found = {
            "force": float(r["force"].max()) / force, "moment": float(np.abs(r["moment"]).max()) / moment,
            "off force": float(np.abs(r["force"] - ideal["force"]).max()) / force,
            "off moment": float(np.abs(r["moment"] - ideal["moment"]).max()) / moment,
            "roughness": _roughness(r) / _roughness(ideal), "period": Period.of(r["turns"]).summary(),
            "dissipated": r["dissipated"], "freedoms": r["freedoms"],
            "map": float(np.abs(r["acceleration"] - ideal["acceleration"]).max() / np.ptp(ideal["acceleration"])),
        }  # fmt: skip
        if "orbit" in r.data:
            found["eccentricity"] = float(np.linalg.norm(r["orbit"], axis=1).max())
            found["touching"] = float((r["depth"] > 0.0).mean())
            found["depth"] = {"least": float(r["depth"].min()), "largest": float(r["depth"].max())}
            found["impacts"] = int((r["impacts"] > len(r["turns"]) - 2).sum())
            found["last impact"] = float(r["impacts"].max()) if r["impacts"].size else 0.0
            found["limits"] = r["limits"]
        return found

    found: dict[str, Any] = {"peak force": force, "peak moment": moment, **{label: of(got[label]) for label in KINDS}}
    found["half step"] = of(got["dry, half the step"])
    found["chosen"] = {label: of(got[label]) for label in CHOSEN}
    for label in ("dry", "friction"):
        runs = [of(r) for r in members(got, label)]
        forces, moments = (Spread.over([run[key] for run in runs]) for key in ("force", "moment"))
        found[label]["members"] = {
            "count": len(runs), "force": [forces.mean, forces.deviation], "moment": [moments.mean, moments.deviation],
            "periods": [run["period"]["turns"] for run in runs], "touching": min(run["touching"] for run in runs),
            "first": [run["period"]["by turn"][0] for run in runs], "last": [run["period"]["by turn"][-1] for run in runs],
            "repeats": [run["period"]["smallest"] for run in runs],
        }  # fmt: skip
    return found


def _roughness(r: Result) -> float:
    """Total variation of the reaction force over its largest value."""
    return float(np.abs(np.diff(r["force"])).sum() / r["force"].max())


def layout(page: Page) -> None:
    page.text(
        "Model `slider_crank_planar`, 5000 rpm, c = 0.05 mm at the wrist pin. Figures show the last two turns of each run, as "
        "the paper's do after its first transient. Dry runs are {dry[period][of]} turns long."
    )
    page.statements()
    page.figures()
    page.text(
        "## Does the dry motion repeat?\n\nTurn k of the slider's acceleration is compared with turn k + p, p = 1, 2, ... : "
        "root "
        "mean square of the difference over the range of the acceleration, mean over the last quarter of the turns. The "
        "period is the smallest p with less than 1e-3."
    )
    shown = {"dry": "dry", "half step": "dry, half the step", "friction": "dry with friction", "oil": "oil", "ideal": "ideal"}
    rows = []
    for key, label in shown.items():
        period = page.numbers[key]["period"]
        apart = [f"{x:.1e}" for x in period["apart"][:4]] + ["-"] * (4 - len(period["apart"]))
        rows.append((label, period["of"], *apart, period["turns"] or "none found"))
    page.table(("motion", "turns", "k + 1", "k + 2", "k + 3", "k + 4", "period [turns]"), rows)
    page.text(
        "Difference of turn k + 1 from turn k by itself, every fourth: without friction "
        + ", ".join(f"{x:.1e}" for x in page.numbers["dry"]["period"]["by turn"][::4])
        + "; with friction "
        + ", ".join(f"{x:.1e}" for x in page.numbers["friction"]["period"]["by turn"][::4])
        + "."
    )
    rows = []
    for key, label in (("dry", "dry"), ("friction", "dry with friction")):
        many = page.numbers[key]["members"]
        force, moment = many["force"], many["moment"]
        spread = (f"{force[0]:.3f} ± {force[1]:.1g}", f"{moment[0]:.3f} ± {moment[1]:.1g}")
        repeats = ", ".join(f"{x:.0e}" for x in many["repeats"])
        rows.append((label, many["count"], *spread, ", ".join(str(p or "none") for p in many["periods"]), repeats))
    page.text("Ensembles, in which every body is pushed by 1 mN in a direction of its own:")
    page.table(
        ("motion", "runs", "largest force / ideal", "largest moment / ideal", "periods", "smallest difference over p"), rows
    )
    page.text(
        "## Deviations\n\nThe paper prints neither the bearing's length nor the speeds of the friction law; 20 mm and "
        "0.001-0.01 m/s are chosen here. Its figures have no numbers in the text, so heights of peaks are not compared with "
        "any. What was chosen matters little:"
    )
    rows = [(label, f"{r['eccentricity']:.3f}", f"{r['force']:.3f}") for label, r in page.numbers["chosen"].items()]
    page.table(("chosen", "largest eccentricity [c]", "largest force / ideal"), rows)
    page.runs()


PAPER = Paper(
    name="flores2006", title="Flores2006: slider-crank with a dry and a lubricated clearance joint", claims=CLAIMS,
    cases=all_cases, numbers=numbers, draw=draw, layout=layout,
)  # fmt: skip
