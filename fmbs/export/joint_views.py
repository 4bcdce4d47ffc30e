"""Clearance joints for the viewer of a page: pins in bushes, the view that follows a joint, and curves over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.optional import Drive, JointWithClearance
from fmbs.export.journals import LONGER, MOST, OUTER, JournalMotion, journal_motions, usual_magnification
from fmbs.export.packing import floats

if TYPE_CHECKING:
    from fmbs.results.solution import Solution

Array = NDArray[np.float64]

MOST_JOINTS = 8  # that a page shows
BUCKETS = 600  # of a curve: the least and the largest value of each are kept, so that no peak is lost
ANGLES = 48  # around a bush, where the pressure of its film is given


def joint_views(sol: Solution, frames: list[int], magnify: float | None) -> dict[str, Any]:
    """What the page's viewer takes of the clearance joints.

    motion: rows of each frame: the bearing's middle, its axes by columns, the ends A and W in these axes, the force on the
            journal in global axes, the mode of contact  # (frames, 22)
    pressure: of the film around the bush, of the largest one in the run  # (frames, ANGLES), none in dry joints
    """
    motions = journal_motions(sol, _gaps(sol))[:MOST_JOINTS]
    usual = float(magnify or usual_magnification(motions))
    return {
        "outer": OUTER,
        "longer": LONGER,
        "most": MOST,
        "magnify": usual,
        "joints": [_view(sol, each, frames) for each in motions],
    }


def _view(sol: Solution, motion: JournalMotion, frames: list[int]) -> dict[str, Any]:
    joint = motion.joint
    force = sol.reaction(joint).force[frames]
    force = np.pad(force, ((0, 0), (0, 3 - force.shape[1])))
    count = len(frames)
    rows = np.column_stack([
        motion.place[frames], np.swapaxes(motion.axes[frames], 1, 2).reshape(count, 9), motion.ends[frames].reshape(count, 6),
        force, motion.contact[frames],
    ])  # fmt: skip
    found: dict[str, Any] = {
        "name": joint.label, "ball": motion.ball, "radius": motion.radius, "clearance": joint.clearance,
        "half": motion.half_length, "ends": min(2, len(sol.clearance(joint).ends)), "motion": floats(rows),
        "force": max(float(np.linalg.norm(force, axis=1).max()), 1e-30), "pressure": None, "peak": 0.0,
    }  # fmt: skip
    film = sol.clearance(joint).film
    if film is not None:
        angle = 2.0 * np.pi * np.arange(ANGLES) / ANGLES
        around = np.empty((count, ANGLES))
        for row, frame in enumerate(frames):
            theta, _, pressure = film.pressure(frame)
            around[row] = np.interp(angle, theta, pressure.max(axis=1), period=2.0 * np.pi)
        found["peak"] = max(float(around.max()), 1e-30)
        found["pressure"] = floats(around / found["peak"])
    return found


def curves(sol: Solution) -> list[dict[str, Any]]:
    """Over time, from all frames: eccentricity and force of clearance joints, what drives give, kinetic energy."""
    if sol.static or len(sol) < 2:
        return []
    found = []
    for joint in _gaps(sol)[:MOST_JOINTS]:
        force = np.linalg.norm(sol.reaction(joint).force, axis=1)
        deepest = sol.clearance(joint).penetration.reshape(len(sol), -1).max(axis=1)
        if joint.gapped:
            found.append(_curve(sol, f"{joint.label}: eccentricity / clearance", 1.0 + deepest / joint.clearance))
        found.append(_curve(sol, f"{joint.label}: force [N]", force))
    for drive in [joint for joint in sol.system.joints if isinstance(joint, Drive)][:2]:
        reaction, axis, name = sol.reaction(drive), _unit(drive.axis), drive.name or type(drive).__name__
        moment = reaction.moment if reaction.moment.ndim == 1 else reaction.moment @ axis
        force = reaction.force @ axis[: reaction.force.shape[1]]
        title, values = ("moment [N m]", moment) if drive.turns else ("force [N]", force)
        found.append(_curve(sol, f"{name}: {title}", values))
    return [*found, _curve(sol, "kinetic energy [J]", sol.energy.kinetic)]


def _curve(sol: Solution, title: str, values: Array) -> dict[str, Any]:
    t = sol.t
    if len(t) > 2 * BUCKETS:
        pieces = np.array_split(np.arange(len(t)), BUCKETS)
        kept = np.unique([k for piece in pieces for k in (piece[values[piece].argmin()], piece[values[piece].argmax()])])
        t, values = t[kept], values[kept]
    return {"title": title, "t": floats(t), "values": floats(values)}


def _gaps(sol: Solution) -> list[JointWithClearance]:
    return [force for force in sol.system.forces if isinstance(force, JointWithClearance)]


def _unit(axis: Any) -> Array:
    direction: Array = np.append(np.ravel(np.asarray(axis, dtype=float)), 0.0)[:3]
    unit: Array = direction / np.linalg.norm(direction)
    return unit
