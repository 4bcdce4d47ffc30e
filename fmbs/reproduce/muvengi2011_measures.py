"""What is kept of the runs of Muvengi2011's page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

import fmbs as fm
from fmbs.models import FourBar, SliderCrankPlanar
from fmbs.studies import Spread

Array = NDArray[np.float64]

WINDOWS = (0.1, 0.25, 0.5)  # turns from the start, of peaks
SECTORS = 36  # of a bearing
LONG_TENTHS = 10  # parts of a run, of the drift


def _work(sol: fm.Solution) -> dict[str, Any]:
    """What a run costs, counted: steps, right-hand sides or Newton iterations, matrices factorised."""
    s = sol.statistics
    return {"iterations": s.iterations, "factorizations": s.factorizations, "drift": float(s.drift)}


def _size(sol: fm.Solution) -> dict[str, Any]:
    system = sol.system
    return {"n": system.size, "m": system.constraints(0.0, np.asarray(system.initial_position)).size}


def driven(model: Any, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    """off: of the slider from its closed form, m."""
    angle = 2.0 * np.pi * sol.t / model.turn
    exact = model.crank_length * np.cos(angle) + np.sqrt(model.rod_length**2 - (model.crank_length * np.sin(angle)) ** 2)
    return {**_size(sol), **_work(sol), "off": float(np.abs(sol.position(m["slider"].com)[:, 0] - exact).max())}


def released(model: Any, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    """off: the energy's change over the largest kinetic energy; tenths: largest drift in each tenth of the run."""
    e = sol.energy
    total = np.asarray(e.kinetic) + np.asarray(e.potential)
    drift = np.abs(sol.drift).reshape(sol.t.size, -1).max(axis=1)[1:]
    tenths = [float(part.max()) for part in np.array_split(drift, LONG_TENTHS)]
    off = float(np.abs(total - total[0]).max() / np.max(e.kinetic))
    return {**_size(sol), **_work(sol), "off": off, "tenths": tenths, "redundant": len(sol.statistics.redundant)}


def bent(model: Any, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    """Of a flexible rod between ideal joints: the force at its end."""
    return {**_size(sol), "force": np.linalg.norm(sol.reaction("wrist pin").force, axis=1), "turn": sol.t / model.turn}


def ideal(model: SliderCrankPlanar, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    return {
        **_peaks(sol.t / model.turn, *_histories(m, sol)), "x": sol.position(m["slider"].com)[:, 0],
    }  # fmt: skip


def _histories(m: fm.Model, sol: fm.Solution) -> tuple[Array, Array, Array]:
    """Force at the wrist pin, acceleration of the slider, moment of the motor."""
    force = np.linalg.norm(sol.reaction("wrist pin").force, axis=1)
    return force, np.abs(sol.acceleration(m["slider"].com)[:, 0]), np.abs(sol.reaction("motor").moment)


def _peaks(turn: Array, force: Array, a: Array, moment: Array) -> dict[str, Any]:
    """Largest of each up to the end of every window."""
    ends = [turn <= window + 1e-9 for window in WINDOWS]
    return {name: [float(x[end].max()) for end in ends] for name, x in (("force", force), ("a", a), ("moment", moment))}


def dry(model: SliderCrankPlanar, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    """Of the slider-crank with clearance at the wrist pin, whatever its contact law."""
    inside, turn = sol.clearance("wrist pin"), sol.t / model.turn
    force, a, moment = _histories(m, sol)
    hits, rigid = inside.impacts, model.contact in ("Newton", "Poisson", "Stronge")
    depth = inside.penetration / model.clearance
    lasted = np.array([hit.t_end - hit.t for hit in hits])
    first = hits[0]
    found = {
        **_work(sol), **_peaks(turn, force, a, moment), "turn": turn, "curve": force, "x": sol.position(m["slider"].com)[:, 0],
        "largest": float(force.max()), "largest a": float(a.max()), "deepest": float(depth.max()),
        "hits": _started(hits), "hard": _started([hit for hit in hits if hit.approach_speed > 0.1]),
        "lost": float(np.asarray(inside.dissipated)[-1]), "flying": float((depth < -1e-6).mean()),
        "rests": len(inside.rests), "created": sum(bool(hit.lost < -1e-9 and hit.t_end == hit.t) for hit in hits),
        "first": {
            "t": first.t / model.turn, "approach": first.approach_speed, "lasts": float(lasted[0]), "lost": first.lost,
            "back": first.separation_speed / first.approach_speed,
            "wait": hits[1].t - first.t if len(hits) > 1 else 0.0, "impulse": float(first.impulse) if rigid else 0.0,
        },
        "shortest": float(np.nanmin(lasted)), "energy error": sol.statistics.energy_error,
        "so far at": turn[early := turn <= WINDOWS[-1] + 1e-9],
        **{f"so far {name}": np.maximum.accumulate(x[early]) for name, x in (("force", force), ("a", a), ("moment", moment))},
        "fast": [float(hit.approach_speed) for hit in hits[:8]],
    }  # fmt: skip
    if not rigid:
        found["impulse"] = _impulse(sol.t, np.asarray(inside.normal_force), first.t, first.t_end)
        law: Any = fm.models.laws.contact_law(model)
        law = law.bound("wrist pin", model.bearing_radius, model.bearing_radius - model.clearance, model.bearing_length)
        touch = float(law.normal_force(1e-12, first.approach_speed, first.approach_speed))
        found["jump"] = touch / float(inside.normal_force[(sol.t >= first.t) & (sol.t <= first.t_end)].max())
        found["limit"] = float(law.speed_limit)
    return found


def _started(hits: Sequence[Any]) -> int:
    return sum(bool(hit.approach_speed > 0.0) for hit in hits)


def _impulse(t: Array, force: Array, start: float, end: float) -> float:
    """N s, of the frames between."""
    kept = (t >= start) & (t <= end)
    return float(scipy.integrate.trapezoid(force[kept], t[kept]))


def linkage(model: FourBar, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    """Of the four-bar linkage: turns of the acceleration of C, forces at joint C, and where its bearing is rubbed."""
    turn = 60.0 / model.rpm
    a = sol.acceleration(model.points(m)["C"])[:, 0]
    frames = round(turn / (sol.t[1] - sol.t[0]))
    found = {"turns": a[1:].reshape(-1, frames), "force": float(np.linalg.norm(sol.reaction("joint C").force, axis=1).max())}
    if model.is_imperfect("joint C"):
        inside = sol.clearance("joint C")
        angle = np.arctan2(inside.eccentricity[:, 1], inside.eccentricity[:, 0])
        place = np.minimum(((angle / (2.0 * np.pi) + 0.5) * SECTORS).astype(int), SECTORS - 1)
        slip = np.abs(inside.slip[:, 0])
        rubbed = np.bincount(place, weights=inside.normal_force * slip, minlength=SECTORS)
        touching = inside.normal_force > 0.0
        found |= {
            "rubbed": rubbed / rubbed.max(), "flying": float((~touching).mean()), "hits": len(inside.impacts),
            "still": float((slip[touching] < 1e-5).mean()),
        }  # fmt: skip
    return found


def spread(values: Sequence[float]) -> list[float]:
    """Mean and standard deviation of an ensemble."""
    found = Spread.over(list(values))
    return [found.mean, found.deviation if len(values) > 1 else 0.0]
