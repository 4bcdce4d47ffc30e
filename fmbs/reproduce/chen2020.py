"""Chen2020: a press with two clearance joints at several speeds and clearances. Figs 6 to 11."""

from __future__ import annotations

from typing import Any

import numpy as np

import fmbs as fm
from fmbs.models import Press
from fmbs.reproduce.cases import PaperCase, Result, members
from fmbs.reproduce.chen2020_claims import CLAIMS
from fmbs.reproduce.chen2020_figures import draw
from fmbs.reproduce.chen2020_page import layout
from fmbs.reproduce.paper import Got, Paper
from fmbs.studies import Spread

SPEEDS = (50, 100, 150, 200)  # rpm
SIZES = (0.1, 0.2, 0.5, 1.0)  # mm
FRAMES = 1200  # a turn
READINGS: dict[str, dict[str, Any]] = {  # of what the paper does not print; the first is the model's own
    "Hertz, R = 100 mm, no gravity": {},
    "Hertz, R = 50 mm, no gravity": {"bearing_radius": 0.05},
    "Hertz, R = 200 mm, no gravity": {"bearing_radius": 0.2},
    "Hertz, R = 100 mm, gravity across": {"gravity": 9.81},
    "Hertz, R = 100 mm, gravity along": {"gravity": 9.81, "hanging": True},
    "eq. 14, R = 100 mm, no gravity": {"contact": "Chen2020"},
    "eq. 14, R = 100 mm, gravity across": {"contact": "Chen2020", "gravity": 9.81},
    "eq. 14, R = 100 mm, gravity along": {"contact": "Chen2020", "gravity": 9.81, "hanging": True},
    "eq. 14, R = 150 mm, gravity across": {"contact": "Chen2020", "bearing_radius": 0.15, "gravity": 9.81},
    "eq. 14, R = 200 mm, no gravity": {"contact": "Chen2020", "bearing_radius": 0.2},
}
CHOSEN: dict[str, dict[str, Any]] = {
    "friction full at 0.1 m/s": {"stribeck_speed": 0.1},
    "rod of half the inertia": {"rod_inertia": 0.5 * Press().rod_inertia},
}


def harvest(model: Press, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    """Histories of the last two turns beside the ideal ones, and per turn what is larger than they."""
    slider, angle, w = m["slider"].com, 2.0 * np.pi * sol.t / model.turn, 2.0 * np.pi / model.turn
    r, l = model.crank_length, model.rod_length
    y, root = r * np.sin(angle), np.sqrt(l**2 - (r * np.sin(angle)) ** 2)
    x0, v0 = r * np.cos(angle) + root, -w * y * (1.0 + r * np.cos(angle) / root)
    a0 = -r * w**2 * (np.cos(angle) + r * np.cos(2.0 * angle) / root + r**3 * (np.sin(2.0 * angle) / 2.0) ** 2 / root**3)
    x, v, a = sol.position(slider)[:, 0], sol.velocity(slider)[:, 0], sol.acceleration(slider)[:, 0]
    kept, steady = slice(-2 * FRAMES - 1, None), sol.t > model.turn
    found = {
        "t": (sol.t[kept] - sol.t[kept][0]) / model.turn, "x": 1e3 * (x - l)[kept], "v": v[kept], "a": a[kept],
        "x0": 1e3 * (x0 - l)[kept], "v0": v0[kept], "a0": a0[kept], "largest a0": float(np.abs(a0).max()),
        "peaks": np.abs(a[1:]).reshape(-1, FRAMES).max(axis=1), "off a": float(np.sqrt(np.mean((a - a0)[steady] ** 2))),
        "off x": float(np.abs(x - x0)[steady].max()), "off v": float(np.abs(v - v0)[steady].max()),
        "largest v": float(np.abs(v)[steady].max()), "largest x": float(np.abs(x - l)[steady].max()),
        "jerk": float(np.abs(np.diff(v - v0)[steady[1:]]).max()),
    }  # fmt: skip
    if model.joint != "ideal":
        joints = [sol.clearance(pin) for pin in model.imperfect]
        loose = joints[-1].penetration[steady] < -1e-6
        hits = [(impact.t, impact.approach_speed) for joint in joints for impact in joint.impacts if impact.t > model.turn]
        found |= {
            "depth": max(float(joint.penetration.max()) for joint in joints), "loose": float(loose.mean()),
            "flying a": float(np.abs(a[steady][loose]).max()) if loose.any() else 0.0,
            "approach": float(max((speed for _, speed in hits), default=0.0)),
            "normal": max(float(joint.normal_force[steady].max()) for joint in joints),
        }  # fmt: skip
    return found


def all_cases(quick: bool) -> list[PaperCase]:
    turns, many, few = (3, 2, 1) if quick else (4, 4, 2)

    def case(label: str, turns: int = turns, **values: Any) -> PaperCase:
        return PaperCase(label, "press", values, turns * Press(**values).turn, harvest)

    cases = [case(f"ideal, {rpm} rpm", 2, rpm=float(rpm)) for rpm in SPEEDS]
    for rpm in SPEEDS:
        cases += case(f"{rpm} rpm", rpm=float(rpm), joint="dry").ensemble(many)
    for c in SIZES[1:]:
        cases += case(f"{c:g} mm", clearance=1e-3 * c, joint="dry").ensemble(many)
    for label, values in list(READINGS.items())[1:]:
        for c in (SIZES[0], SIZES[-1]):
            cases += case(f"{c:g} mm, {label}", clearance=1e-3 * c, joint="dry", **values).ensemble(few)
    return cases + [case(label, joint="dry", **values) for label, values in CHOSEN.items()]


def numbers(got: Got) -> dict[str, Any]:
    """Everything the page says, of ensembles."""
    got = {**got, **{name.replace("100 rpm", "0.1 mm"): r for name, r in got.items() if name.startswith("100 rpm")}}
    first = next(iter(READINGS))
    for c in (SIZES[0], SIZES[-1]):
        got |= {
            f"{c:g} mm, {first}" + name.removeprefix(f"{c:g} mm"): got[name] for name in list(got) if _is(name, f"{c:g} mm")
        }
    found: dict[str, Any] = {
        "speed": {str(rpm): _of(members(got, f"{rpm} rpm")) for rpm in SPEEDS},
        "size": {f"{c:g}": _of(members(got, f"{c:g} mm")) for c in SIZES},
        "reading": {
            label: {f"{c:g}": _of(members(got, f"{c:g} mm, {label}")) for c in (SIZES[0], SIZES[-1])} for label in READINGS
        },
        "chosen": {label: _of([got[label]]) for label in CHOSEN},
        "ideal": {str(rpm): float(np.abs(got[f"ideal, {rpm} rpm"]["a"]).max()) for rpm in SPEEDS},
        "closed form": got["ideal, 100 rpm"]["largest a0"],
    }  # fmt: skip
    pairs = [(found["speed"], [str(rpm) for rpm in SPEEDS]), (found["size"], [f"{c:g}" for c in SIZES])]
    for name, (group, keys) in zip(("by speed", "by size"), pairs, strict=True):
        found[name] = {q: float(_slope(keys, [group[key][q][0] for key in keys])) for q in ("off x", "off v", "off a", "peak")}
    return found


def _is(name: str, label: str) -> bool:
    return name == label or name.startswith(f"{label} #")


def _slope(keys: list[str], values: list[float]) -> float:
    """Exponent of a power law through all."""
    return float(np.polyfit(np.log([float(key) for key in keys]), np.log(values), 1)[0])


def _of(runs: list[Result]) -> dict[str, Any]:
    """Mean and deviation over the runs; peaks over turns from the second on, and over the whole run with its start."""

    def spread(values: list[float]) -> list[float]:
        found = Spread.over(values)
        return [found.mean, found.deviation if len(values) > 1 else 0.0]

    turns = [float(peak) for r in runs for peak in r["peaks"][1:]]
    found: dict[str, Any] = {"runs": len(runs), "turns": len(turns)}
    found["peak"], found["whole"] = spread(turns), spread([float(r["peaks"].max()) for r in runs])
    found["least peak"], found["largest peak"] = min(turns), max(turns)
    for key in (
        "off x",
        "off v",
        "off a",
        "largest v",
        "largest x",
        "depth",
        "loose",
        "flying a",
        "approach",
        "normal",
        "jerk",
    ):
        found[key] = spread([float(r[key]) for r in runs])
    return found


PAPER = Paper(
    name="chen2020", title="Chen2020: a press with clearance at both ends of its rod", claims=CLAIMS, cases=all_cases,
    numbers=numbers, draw=draw, layout=layout,
)  # fmt: skip
