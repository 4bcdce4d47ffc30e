"""Muvengei2012: stick-slip friction in a clearance joint at either end of the rod. Figs 7 to 16."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

import fmbs as fm
from fmbs.models import SliderCrankLuGre
from fmbs.reproduce.cases import PaperCase, Result, members
from fmbs.reproduce.muvengei2012_claims import CLAIMS, KINETIC, SPEEDS
from fmbs.reproduce.muvengei2012_figures import TOUCHING, draw, reversals
from fmbs.reproduce.muvengei2012_page import layout
from fmbs.reproduce.paper import Got, Paper
from fmbs.studies import Spread

PLACES = {"c-cr": "crank pin", "s-cr": "wrist pin"}
FRAMES, FINE = 2400, 6000  # a turn
NEVER = 99.0  # ms, in place of the time of a reversal that there is not
MANY, FEW = 20, 4  # runs of an ensemble: where orders in time are stated, and elsewhere


def harvest(model: SliderCrankLuGre, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    """The second turn, as in the paper."""
    kept = sol.t > model.turn + 1e-12
    (pin,) = model.imperfect
    inside, force = sol.clearance(pin), sol.reaction(pin).force[kept]
    place = inside.eccentricity[kept]
    n = place / np.linalg.norm(place, axis=1, keepdims=True)
    tangential = force - np.sum(force * n, axis=1, keepdims=True) * n  # on the journal: of the crank, or of the slider
    crank = model.crank_length * np.column_stack([np.cos(angle := 2.0 * np.pi * sol.t[kept] / model.turn), np.sin(angle)])
    slider = m["slider"].com
    return {
        "ms": 1e3 * sol.t[kept], "friction": inside.friction_force[kept, 0], "normal": inside.normal_force[kept],
        "slip": inside.slip[kept, 0], "depth": inside.penetration[kept], "a": sol.acceleration(slider)[kept, 0],
        "v": sol.velocity(slider)[kept, 0], "moment": sol.reaction("motor").moment[kept], "v_s": model.stribeck_speed,
        "push": tangential[:, 0] * (1.0 if pin == "wrist pin" else -1.0),  # friction on what moves the slider, along x
        "resists": crank[:, 0] * tangential[:, 1] - crank[:, 1] * tangential[:, 0],  # about the crank's axis
        "ideal a": model.crank_length * (2.0 * np.pi / model.turn) ** 2 * (1.0 + model.crank_length / model.rod_length),
    }  # fmt: skip


def stribeck(case: PaperCase) -> dict[str, Any]:
    """Sect. 3.2.3: v_s is 1 % of the largest tangential velocity of the run, found by a run with the model's own."""
    return {"stribeck_speed": 0.01 * _largest_slip(tuple(case.parameters.items()), case.t_end)}


@cache
def _largest_slip(parameters: tuple[tuple[str, Any], ...], t_end: float) -> float:
    model = SliderCrankLuGre(**dict(parameters))
    sol = model.build().simulate(t_end, step=model.turn / 24000, output_step=model.turn / FRAMES, progress=False)
    inside = sol.clearance(model.imperfect[0])
    return float(np.abs(inside.slip[inside.normal_force > TOUCHING]).max())


def all_cases(quick: bool) -> list[PaperCase]:
    """Two turns, of which the second is kept; half of it if quick."""
    (many, few), turns = ((2, 1), 1.5) if quick else ((MANY, FEW), 2.0)
    cases: list[PaperCase] = []

    def add(label: str, runs: int, frames: int = FRAMES, **values: Any) -> None:
        turn = SliderCrankLuGre(**values).turn
        options = {"step": turn / 24000, "output_step": turn / frames}
        rule = stribeck if values.get("friction") != "none" else None
        case = PaperCase(label, "slider_crank_lugre", {"joint": "dry", **values}, turns * turn, harvest, options, rule=rule)
        cases.extend(case.ensemble(runs))

    for place, pin in PLACES.items():
        for rpm in (2000, 2500):
            add(f"{place}, {rpm}, none", few, imperfect=(pin,), friction="none", rpm=float(rpm))
        for rpm in SPEEDS:
            for mu in KINETIC:
                runs = many if (place, rpm) == ("c-cr", 2000) else few
                add(f"{place}, {rpm}, {mu:g}", runs, imperfect=(pin,), rpm=float(rpm), kinetic_friction=mu)
        for static in (0.1, 0.3):
            values: dict[str, Any] = {"rpm": 2000.0, "kinetic_friction": 0.05, "static_friction": static}
            add(f"{place}, 2000, static {static:g}", few, imperfect=(pin,), **values)
            add(f"{place}, 2000, fine {static:g}", 1, frames=FINE, imperfect=(pin,), **values)
        for law in ("LuGre", "Ambrosio"):
            add(f"{place}, 2500, fine {law}", 1, frames=FINE, imperfect=(pin,), friction=law)
    add("c-cr, 2500, steady", few, friction="LuGre steady")
    add("c-cr, 2500, no gravity", few, gravity=0.0)
    return cases


def measure(r: Result) -> dict[str, float]:
    """Of one run."""
    touching = r["normal"] > TOUCHING
    mu, slip = np.abs(r["friction"][touching]) / r["normal"][touching], np.abs(r["slip"][touching])
    sliding, slow = slip > 10.0 * r["v_s"], slip < r["v_s"]
    loose, turned = r["depth"] < -1e-6, reversals(r)
    same = touching & (r["push"] * r["v"] > 0.0) & (np.abs(r["slip"]) > 10.0 * r["v_s"])
    other = touching & (r["push"] * r["v"] < 0.0) & (np.abs(r["slip"]) > 10.0 * r["v_s"])
    against, along = touching & (r["resists"] < 0.0), touching & (r["resists"] > 0.0)
    ideal = r["ideal a"]

    def mean(x: Any, where: Any) -> float:
        return float(x[where].mean()) if where.any() else 0.0

    return {
        "flight": float(loose.mean()), "flying friction": float(np.abs(r["friction"][loose]).max(initial=0.0)),
        "flying a": float(np.abs(r["a"][loose]).max(initial=0.0)) / ideal, "peak": float(np.abs(r["a"]).max()) / ideal,
        "sliding": float(np.median(mu[sliding])) if sliding.any() else 0.0, "largest": float(mu.max(initial=0.0)),
        "in sliding": float(np.mean(sliding)), "slow": float(np.mean(slow)), "reversals": float(turned.size),
        "first": float(r["ms"][turned[0]]) if turned.size else float(r["ms"][-1]),
        "friction": float(np.median(np.abs(r["friction"][touching]))), "most": float(np.abs(r["friction"]).max()),
        "share": float(np.median(np.abs(r["push"][touching]) / np.maximum(np.abs(1.013 * r["a"][touching]), 1.0))),
        "slip": float(slip.max(initial=0.0)), "v_s": float(r["v_s"]), "rms": float(np.sqrt(np.mean(r["a"] ** 2))) / ideal,
        "same": mean(r["a"] * np.sign(r["v"]), same) / ideal, "other": mean(r["a"] * np.sign(r["v"]), other) / ideal,
        "against": mean(r["moment"], against), "along": mean(r["moment"], along),
        "torque": float(np.abs(r["moment"]).max()),
        "at reversals": float(np.abs(r["a"][turned]).max(initial=0.0)) / ideal,
        "torque there": float(np.abs(r["moment"][turned]).max(initial=0.0)),
        "at zero": float(min((abs(r["ms"][k] - 32.1) for k in turned), default=NEVER)),
    }  # fmt: skip


def numbers(got: Got) -> dict[str, Any]:
    """Means and deviations over the members; how far curves of two coefficients are apart, and those of one."""
    labels = [label for label in got if " #" not in label]
    found: dict[str, Any] = {"runs": {}, "apart": {}}
    for label in labels:
        runs = [measure(r) for r in members(got, label)]
        found["runs"][label] = {"count": len(runs)}
        for key in runs[0]:
            spread = Spread.over([run[key] for run in runs])
            found["runs"][label][key] = [spread.mean, spread.deviation if len(runs) > 1 else 0.0]
    pairs = [(f"{place}, {rpm}, 0.01", f"{place}, {rpm}, 0.05") for place in PLACES for rpm in SPEEDS]
    pairs += [(f"{place}, 2500, none", f"{place}, 2500, 0.1") for place in PLACES]
    pairs += [(f"{place}, 2000, static 0.1", f"{place}, 2000, static 0.3") for place in PLACES]
    for a, b in pairs:
        first, second = ([r["a"] for r in members(got, label)][:FEW] for label in (a, b))
        found["apart"][f"{a} / {b}"] = {"between": _apart(first, second), "within": _apart(first, first)}
    pair = ["c-cr, 2000, 0.01", "c-cr, 2000, 0.05", "c-cr, 2000, 0.1"]
    firsts = [[measure(r)["first"] for r in members(got, label)] for label in pair]
    earlier = [sum(x > y for x in a for y in b) for a, b in pairwise(firsts)]
    found["earlier"] = {"agreed": earlier, "of": [len(a) * len(b) for a, b in pairwise(firsts)]}
    return found


def _apart(a: list[Any], b: list[Any]) -> float:
    """Root mean square of the difference of two runs over that of a, mean over the pairs of different members."""
    size = np.sqrt(np.mean(np.square(a)))
    found = [np.sqrt(np.mean((x - y) ** 2)) / size for i, x in enumerate(a) for j, y in enumerate(b) if a is not b or i < j]
    return float(np.mean(found)) if found else 0.0


PAPER = Paper(
    name="muvengei2012", title="Muvengei2012: stick-slip friction in a clearance joint", claims=CLAIMS, cases=all_cases,
    numbers=numbers, draw=draw, layout=layout,
)  # fmt: skip
