"""Muvengi2011, a review: its contact laws, impacts, coordinates and formulations of constraints, on two mechanisms."""

from __future__ import annotations

from typing import Any

import numpy as np

import fmbs as fm
from fmbs.models import FourBar, SliderCrankPlanar, SliderCrankSpatial
from fmbs.reproduce.cases import PaperCase, Result, members
from fmbs.reproduce.muvengi2011_claims import CLAIMS
from fmbs.reproduce.muvengi2011_figures import draw
from fmbs.reproduce.muvengi2011_measures import bent, driven, dry, ideal, linkage, released, spread
from fmbs.reproduce.muvengi2011_page import FORMULATIONS, LAWS, RODS, layout
from fmbs.reproduce.paper import Got, Paper
from fmbs.reproduce.period import Period

EXPLICIT = {"method": "DOP853"}  # whose evaluations are all counted
METHODS: dict[str, Any] = {
    "generalized-alpha": fm.GeneralizedAlpha(),
    "unstabilised": fm.BaumgarteODE(alpha=1e-6, beta=1e-6, **EXPLICIT),  # type: ignore[arg-type]
    "Baumgarte 1": fm.BaumgarteODE(alpha=1.0, beta=1.0, **EXPLICIT),  # type: ignore[arg-type]
    "Baumgarte": fm.BaumgarteODE(**EXPLICIT),  # type: ignore[arg-type]
    "Baumgarte 20": fm.BaumgarteODE(alpha=20.0, beta=20.0, **EXPLICIT),  # type: ignore[arg-type]
    "augmented Lagrangian": fm.AugmentedLagrangian(**EXPLICIT),  # type: ignore[arg-type]
    "partitioning": fm.CoordinatePartitioning(**EXPLICIT),  # type: ignore[arg-type]
}
COORDINATES: dict[str, tuple[Any, dict[str, Any]]] = {  # of the same slider-crank
    "Cartesian": (SliderCrankPlanar, {}),
    "natural": (SliderCrankSpatial, {"flexible": False}),
}
NEAR = {"rod longer than the crank by 1e-2": 1e-2, "rod longer than the crank by 1e-8": 1e-8}
SIZES = (25, 50, 100)  # um, clearance
RUBS = (0.05, 0.1, 0.2)  # friction
LOOSE = (0.05, 0.5)  # mm, of the four-bar linkage
ELEMENTS = (1, 2, 4, 8, 16)


def twice(m: fm.Model) -> None:
    """The crank pin's two equations once more."""
    pin: Any = m["crank pin"]
    m.add(fm.Revolute(pin.a, pin.b, name="crank pin again"))


def all_cases(quick: bool) -> list[PaperCase]:
    return [*_formulations(quick), *_slider_cranks(quick), *_linkages(quick)]


def _options(name: str, step: float, frame: float) -> dict[str, Any]:
    method = METHODS[name]
    if name == "generalized-alpha":
        return {"integrator": method, "step": step, "output_step": frame}
    return {"integrator": method, "tolerance": 1e-6, "output_step": frame}


def _formulations(quick: bool) -> list[PaperCase]:
    cases = []
    for name in FORMULATIONS:
        for label, (kind, values) in COORDINATES.items():
            turn = kind(**values).turn
            options = _options(name, turn / 1200, turn / 200)
            cases.append(PaperCase(f"{label}, {name}", kind.name, values, turn, driven, options))
        turn = SliderCrankPlanar().turn
        options = _options(name, turn / 1200, turn / 200)
        cases.append(PaperCase(f"pin twice, {name}", "slider_crank_planar", {}, turn, driven, options, extra=twice))
        for label, longer in NEAR.items():
            values = {"rod_length": SliderCrankPlanar().crank_length * (1.0 + longer)}
            cases.append(PaperCase(f"{label}, {name}", "slider_crank_planar", values, turn, driven, options))
    for name in METHODS:
        values = {"flexible": False}
        duration = 5.0 if quick else 20.0
        cases.append(PaperCase(f"released, {name}", "double_pendulum", values, duration, released, _options(name, 1e-3, 0.05)))
    return cases


def _slider_cranks(quick: bool) -> list[PaperCase]:
    """With clearance at the wrist pin."""
    turn, (turns, many) = SliderCrankPlanar().turn, (0.5, 2) if quick else (1.0, 4)
    soft, elastic = (
        {"step": turn / 24000, "output_step": turn / 4800},
        {"step": turn / 24000, "output_step": turn / 4800},
    )
    still = {"step": turn / 1200}

    def case(
        label: str, runs: int, length: float, options: dict[str, Any], harvest: Any = dry, **values: Any
    ) -> list[PaperCase]:
        kind = {"joint": "dry", **values} if harvest is dry else values
        return PaperCase(label, "slider_crank_planar", kind, length * turn, harvest, options).ensemble(runs)

    cases = case("ideal", 2, turns, {"step": turn / 1200, "output_step": turn / 1200}, harvest=ideal)
    for law in LAWS:
        cases += case(law, many, turns, soft, contact=law)
    for law in ("Newton", "Poisson", "Stronge"):
        cases += case(law, many if law == "Newton" else 1, turns, still, contact=law)
        cases += case(f"{law}, friction", min(many, 4), turns, still, contact=law, friction="Ambrosio")
    cases += case("Newton, flexible rod", 1, 0.25, still, contact="Newton", flexible=True, E=5e9)
    for rod, beam in list(RODS.items())[1:]:
        cases += case(f"rod {rod}", min(many, 4), 0.5, elastic, **beam)
    for c in SIZES:
        if c != 50:
            cases += case(f"{c} um", many, 0.5, soft, clearance=1e-6 * c)
    for mu in RUBS:
        cases += case(f"friction {mu:g}", many, turns, soft, friction="Ambrosio", kinetic_friction=mu)
    for k in ELEMENTS:
        values = {"flexible": True, "E": 5e9, "elements": k}
        cases += case(f"{k} elements", 1, 0.5, {"step": turn / 12000, "output_step": turn / 600}, harvest=bent, **values)
    return cases


def _linkages(quick: bool) -> list[PaperCase]:
    """Four-bar linkages: the clearance between coupler and follower."""
    turn, (turns, many, few) = 60.0 / FourBar().rpm, (6, 1, 1) if quick else (20, 2, 4)

    def case(label: str, runs: int, length: float, **values: Any) -> list[PaperCase]:
        options = {"step": turn / 24000, "output_step": turn / 2400}
        return PaperCase(label, "four_bar", {"joint": "dry", **values}, length * turn, linkage, options).ensemble(runs)

    cases = []
    for c in LOOSE:
        for friction in ("none", "Ambrosio"):
            cases += case(f"linkage {c:g} mm, {friction}", many, turns, clearance=1e-3 * c, friction=friction)
    cases += case("linkage, LuGre", 1, 2, friction="LuGre")
    cases += case("linkage, B and C", few, 2, imperfect=("joint B", "joint C"))
    cases += case("linkage, C", few, 2)
    return cases


def numbers(got: Got) -> dict[str, Any]:
    """Everything the page says."""
    found: dict[str, Any] = {"form": {}, "free": {}, "law": {}, "rod": {}, "size": {}, "mu": {}, "linkage": {}}
    for label, r in got.items():
        if "off" in r.data:
            group, name = ("free", label.removeprefix("released, ")) if label.startswith("released") else ("form", label)
            found[group][name] = {**r.data, "steps": r.steps}
    kept = ("Newton", "Poisson", "Stronge")
    for law in (*LAWS, *kept, *(f"{name}, friction" for name in kept), "Newton, flexible rod"):
        found["law"][law] = _dry(members(got, law))
    found["rod"] = {rod: _dry(members(got, f"rod {rod}" if beam else "LankaraniNikravesh")) for rod, beam in RODS.items()}
    found["size"] = {str(c): _dry(members(got, f"{c} um" if c != 50 else "LankaraniNikravesh")) for c in SIZES}
    found["mu"] = {
        "0": found["law"]["LankaraniNikravesh"],
        **{f"{mu:g}": _dry(members(got, f"friction {mu:g}")) for mu in RUBS},
    }
    still, pushed = members(got, "ideal")
    found["ideal"] = {key: still[key] for key in ("force", "a", "moment")}
    loose = members(got, "LankaraniNikravesh")
    found["pushed"] = {"ideal": _apart(still, pushed), "dry": _apart(loose[0], loose[1])}
    alike = [got["Newton"], got["Poisson"], got["Stronge"]]
    found["alike"] = {
        "x": max(_apart(alike[0], other) for other in alike[1:]),
        "early": max(_early(alike[0], r) for r in alike[1:]),
    }
    finest = got[f"{ELEMENTS[-1]} elements"]
    found["elements"] = {
        str(k): float(np.abs(got[f"{k} elements"]["force"] - finest["force"]).max() / finest["force"].max())
        for k in ELEMENTS[:-1]
    }
    for label in got:
        if label.startswith("linkage") and " #" not in label:
            found["linkage"][label.removeprefix("linkage").strip(" ,")] = _linkage(members(got, label))
    return found


def _dry(runs: list[Result]) -> dict[str, Any]:
    """The run itself, and what an ensemble says."""
    first = {key: x for key, x in runs[0].data.items() if key not in ("turn", "curve", "x") and "so far" not in key}
    several = ("hits", "hard", "lost", "flying", "largest", "largest a", "deepest", "rests", "created")
    over = {key: spread([r[key] for r in runs]) for key in several}
    peaks = {key: [spread([r[key][k] for r in runs]) for k in range(len(runs[0][key]))] for key in ("force", "a", "moment")}
    return {**first, **over, **peaks, "steps": runs[0].steps, "runs": len(runs), "failed": sum(bool(r.failed) for r in runs)}


def _linkage(runs: list[Result]) -> dict[str, Any]:
    first = runs[0]
    found: dict[str, Any] = {"force": spread([r["force"] for r in runs]), "runs": len(runs)}
    found |= {key: spread([r[key] for r in runs]) for key in ("flying", "hits", "still") if key in first.data}
    if len(first["turns"]) > 2:
        found["period"] = Period.of(first["turns"]).summary()
        found["periods"] = [Period.of(r["turns"]).turns for r in runs]
    if len(runs) > 1 and len(first["turns"]) > 2:
        apart = np.sqrt(np.mean((first["turns"][-1] - runs[1]["turns"][-1]) ** 2)) / np.ptp(first["turns"][-1])
        found["twins"] = float(apart)
    if "rubbed" in first.data:
        found["rubbed little"] = float((first["rubbed"] < 0.1).mean())
    return found


def _apart(a: Result, b: Result) -> float:
    """Of two runs with the same frames: the slider, m."""
    return float(np.abs(a["x"] - b["x"]).max())


def _early(a: Result, b: Result) -> float:
    """The same in the first tenth of a turn."""
    early = a["turn"] <= 0.1
    return float(np.abs(a["x"] - b["x"])[early].max())


PAPER = Paper(
    name="muvengi2011", title="Muvengi2011: contact laws, impacts, coordinates and formulations of constraints", claims=CLAIMS,
    cases=all_cases, numbers=numbers, draw=draw, layout=layout,
)  # fmt: skip
