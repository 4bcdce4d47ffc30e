"""What is kept of Tian2010's runs, and the numbers of its page."""

from __future__ import annotations

from typing import Any

import numpy as np

import fmbs as fm
from fmbs.models import DoublePendulum, SliderCrankSpatial
from fmbs.reproduce.cases import Result, members
from fmbs.reproduce.paper import Got
from fmbs.reproduce.tian2010_claims import COUNTS, RODS, STIFFNESS, label
from fmbs.studies import Spread

FRAMES = 300  # a turn, of long runs of the slider-crank
WINDOW = 0.1  # s, at the end: Figs 22-24 show 1.9-2 s
START = 0.02  # s: a film carries nothing before its journal has moved
JOINTS = ("ideal", "dry", "lubricated")


def pendulum(model: DoublePendulum, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    tip = model.points(m)["D"]
    found = {"t": sol.t, "z": sol.position(tip)[:, 2], "v": sol.velocity(tip)[:, 2]}
    found["force"] = np.linalg.norm(sol.reaction("bearing Q").force, axis=1)
    return found | _inside(model, sol, "bearing Q")


def slider_crank(model: SliderCrankSpatial, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    found = {"t": sol.t, "a": sol.acceleration(m["slider"].com)[:, 0], "turn": model.turn}
    found["force"] = np.linalg.norm(sol.reaction("wrist pin").force, axis=1)
    return found | _inside(model, sol, "wrist pin")


def whole_run(model: SliderCrankSpatial, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    """Of 2 s: the last tenth of a second, and by turn how many impacts, how much contact and how deep."""
    found = slider_crank(model, m, sol)
    turns = int(sol.t[-1] / model.turn + 0.5)
    depth = found.pop("depth")
    by_turn = [depth[k * FRAMES : (k + 1) * FRAMES].max(axis=1) for k in range(turns)]
    found["impacts by turn"] = np.histogram(found["impacts"], bins=turns, range=(0.0, turns * model.turn))[0]
    found["contact by turn"] = np.array([(x > 0.0).mean() for x in by_turn])
    found["depth by turn"] = np.array([x.max() for x in by_turn])
    last = sol.t > sol.t[-1] - WINDOW
    for key in ("t", "a", "force", "orbit"):
        found[key] = found[key][last]
    return found


def _inside(model: Any, sol: fm.Solution, joint: str) -> dict[str, Any]:
    if model.joint == "ideal":
        return {}
    inside = sol.clearance(joint)
    orbit = inside.eccentricity / model.clearance
    return {
        "orbit": orbit,
        "depth": np.asarray(inside.penetration) / model.clearance,
        "limits": len(inside.limits),
        "tilt": float(np.linalg.norm(orbit[:, 0] - orbit[:, 1], axis=-1).max()),
        "impacts": np.array([i.t for i in inside.impacts]),
        "energy off": float(np.abs(sol.energy.balance).max() / np.max(sol.energy.kinetic)),
    }


def off(a: Result, b: Result, key: str, after: float = 0.0) -> float:
    """Largest difference over the time that both have, from `after` on, s."""
    both = (a["t"] >= after) & (a["t"] <= b["t"][-1])
    return float(np.abs(np.interp(a["t"][both], b["t"], b[key]) - a[key][both]).max())


def spread(values: list[float]) -> list[float]:
    found = Spread.over(values)
    return [found.mean, found.deviation if len(values) > 1 else 0.0]


def numbers(got: Got) -> dict[str, Any]:
    """Everything the page says."""
    return {
        "elements": _elements(got),
        "pendulum": {key: _pendulum(got, key) for key in STIFFNESS},
        "rigid": {
            joint: 1e3 * off(got[label(joint, "6.9e11")], got[f"{joint}, rigid links"], "z") for joint in ("ideal", "dry")
        },
        "crank": {key: _crank(got, key) for key in RODS},
        "swing": float(got[label("ideal", "6.9e11")]["t"][-1]),
        "thin": got["thin oil, rod 2.07e15"]["limits"],
        "contact of 70 GPa": _contact(got),
    }


def _elements(got: Got) -> dict[str, Any]:
    """Errors of z(D), mm: beside 16 elements for every arrangement, and of kinds of elements beside 32 cubic ones."""
    found: dict[str, Any] = {"arrangements": {}, "kinds": {}}
    prefixes = {"spatial": ""} | {name.split(": ")[0]: name.split(": ")[0] + ": " for name in got if ": ideal" in name}
    for arrangement, prefix in prefixes.items():
        found["arrangements"][arrangement] = {
            key: {
                str(n): 1e3 * off(got[prefix + label("ideal", key, n)], got[prefix + label("ideal", key, COUNTS[-1])], "z")
                for n in COUNTS[:-1]
            }
            for key in STIFFNESS
        }
    for name, r in got.items():
        if "structural, E" in name or "continuum, E" in name:
            kind, key, count = name.split(", ")
            best = got[f"cubic structural, {key}, 32"]
            if r is not best:
                found["kinds"].setdefault(kind, {}).setdefault(key[4:], {})[count] = [1e3 * off(r, best, "z"), r.cpu]
    return found


def _pendulum(got: Got, key: str) -> dict[str, Any]:
    ideal, dry, oil = (got[label(joint, key)] for joint in JOINTS)
    many = members(got, f"bouncing, E = {key}")
    flight = [(r["depth"].max(axis=1) <= 0.0).mean() for r in many]
    return {
        "bouncing": {
            "runs": len(many),
            "impacts": spread([float(r["impacts"].size) for r in many]),
            "touching": spread([1.0 - float(x) for x in flight]),
            "off v": spread([off(r, ideal, "v") for r in many]),
            "off z": spread([1e3 * off(r, ideal, "z") for r in many]),
            "tilt": spread([r["tilt"] for r in many]),
            "sharp": spread([_sharp(r) / _sharp(ideal) for r in many]),
            "deepest": spread([float(r["depth"].max()) for r in many]),
            "duration": float(many[0]["t"][-1]),
        },
        "dry": {
            "off z": 1e3 * off(dry, ideal, "z"),
            "off v": off(dry, ideal, "v"),
            "impacts": int(dry["impacts"].size),
            "tilt": dry["tilt"],
            "energy off": dry["energy off"],
            "late contact": float((dry["depth"][dry["t"] > 0.5 * dry["t"][-1]].max(axis=1) > 0.0).mean()),
        },
        "oil": {
            "off z": 1e3 * off(oil, ideal, "z"),
            "off v": off(oil, ideal, "v"),
            "off force": off(oil, ideal, "force", START),
            "force": float(ideal["force"].max()),
            "v": float(np.abs(ideal["v"]).max()),
            "gap": float(-oil["depth"].max()),
            "tilt": oil["tilt"],
            "limits": oil["limits"],
            "sharp": _sharp(oil) / _sharp(ideal),
        },
        "cpu": {joint: got[label(joint, key)].cpu for joint in JOINTS},
        "wall": {joint: got[label(joint, key)].wall for joint in JOINTS},
    }


def _sharp(r: Result) -> float:
    """Largest change of D's vertical acceleration over 1 ms, m/s^2."""
    t = np.arange(0.0, r["t"][-1], 1e-3)
    return float(np.abs(np.diff(np.interp(t, r["t"], r["v"]), 2)).max() / 1e-3)


def _crank(got: Got, key: str) -> dict[str, Any]:
    many, oil, ideal = members(got, f"dry, rod {key}"), got[f"lubricated, rod {key}"], got[f"ideal, rod {key}"]
    turn = ideal["turn"]
    late = oil["t"] > oil["t"][-1] - min(WINDOW, turn)
    end, steady = ideal["t"] > ideal["t"][-1] - turn, got["ideal, rod 2.07e15"]
    last = steady["t"] > steady["t"][-1] - turn
    found: dict[str, Any] = {
        "runs": len(many),
        "impacts": spread([float(r["impacts"].size) for r in many]),
        "tilt": spread([r["tilt"] for r in many]),
        "a": spread([float(np.abs(r["a"]).max()) for r in many]),
        "force": spread([float(r["force"].max()) for r in many]),
        "sharp": spread([float(np.median(np.abs(np.diff(r["a"][r["t"] > turn])))) for r in many]),
        "turns": float(many[0]["t"][-1] / turn),
        "ideal": {"a": float(np.abs(ideal["a"][end]).max()), "force": float(ideal["force"][end].max())},
        "oil": {
            "a": float(np.abs(oil["a"][late]).max()),
            "force": float(oil["force"][late].max()),
            "off a": float(np.abs(oil["a"][late]).max() / np.abs(steady["a"][last]).max()) - 1.0,
            "off force": float(oil["force"][late].max() / steady["force"][last].max()) - 1.0,
            "gap": float(-oil["depth"].max()),
            "eccentricity": float(np.linalg.norm(oil["orbit"][late], axis=-1).max()),
            "limits": oil["limits"],
            "tilt": oil["tilt"],
            "repeats": _repeats(oil),
        },
    }
    if (long := got.get(f"dry, rod {key}, 2 s")) is not None:
        found["long"] = {
            "turns": len(long["impacts by turn"]),
            "impacts": [int(x) for x in long["impacts by turn"][:12]],
            "late impacts": float(long["impacts by turn"][-16:].mean()),
            "late contact": float(long["contact by turn"][-16:].mean()),
            "late depth": float(long["depth by turn"][-16:].max()),
            "late least depth": float(long["depth by turn"][-16:].min()),
            "tilt": long["tilt"],
            "late tilt": float(np.linalg.norm(long["orbit"][:, 0] - long["orbit"][:, 1], axis=-1).max()),
            "late a": float(np.abs(long["a"]).max()),
            "late force": float(long["force"].max()),
            "repeats": _repeats(long),
            "late sharp": float(np.median(np.abs(np.diff(long["a"])))),
            "energy off": long["energy off"],
            "largest late sharp": float(np.abs(np.diff(long["a"])).max()),
        }
    return found


def _repeats(r: Result) -> float:
    """Root mean square difference of the acceleration of the last two turns over its range."""
    n = round(float(r["turn"] / (r["t"][-1] - r["t"][-2])))
    a = r["a"][-2 * n :] if len(r["a"]) >= 2 * n else None
    return float(np.sqrt(np.mean((a[n:] - a[:n]) ** 2)) / np.ptp(a)) if a is not None else -1.0


def _contact(got: Got) -> dict[str, float]:
    soft, hard = got["contact of 70 GPa"], got["bouncing, E = 6.9e11"]
    return {"force": float(soft["force"].max()), "instead": float(hard["force"].max()), "off z": 1e3 * off(soft, hard, "z")}
