"""What happened in a clearance joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.described import Described
from fmbs.core.optional import JointWithClearance, RecordedBatch
from fmbs.core.state import State
from fmbs.gaps import contact_kernels as kernels
from fmbs.results.contact_log import Impact
from fmbs.results.film_record import FilmRecord, film_record
from fmbs.results.reaction import Reaction

Array = NDArray[np.float64]

MODES = np.array(["free flight", "impact", "impact", "following contact"])


@dataclass(frozen=True)
class Clearance(Described, units={"penetration": "m", "normal_force": "N"}):
    """Per frame; joints with several places of contact have a second axis, in the order of `ends`.

    t: time of the frames, s, or their load factor

    ends: names of the places, ("A", "W") for a journal of finite length
    eccentricity: of the journal's centre (end centres), in the bearing's axes, m  # (frames, 2) or (frames, ends, 2)
    penetration: delta = |e| - c, m; negative where there is no contact
    penetration_rate: m/s
    normal_force: N, >= 0
    friction_force: along the circumference and the axis, N, on the journal  # (..., 2)
    slip: sliding velocity of the journal's surface, along the same directions, m/s  # (..., 2)
    mode: "free flight", "impact" or "following contact"
    dissipated: energy lost in contact and friction since the start, J
    impacts: all contacts of the run, in the order of their start
    wear: depth worn off the bearing around its circumference, m  # (frames, [ends,] sectors)
    film: what the oil did, None in dry joints
    limits: where the run left the range of its laws, in words
    """

    t: Array
    ends: tuple[str, ...]
    eccentricity: Array
    penetration: Array
    penetration_rate: Array
    normal_force: Array
    friction_force: Array
    slip: Array
    mode: NDArray[np.str_]
    dissipated: Array
    impacts: tuple[Impact, ...]
    wear: Array
    film: FilmRecord | None
    limits: tuple[str, ...]

    def _facts(self) -> dict[str, Any]:
        found = {"penetration": float(self.penetration.max()), "normal_force": float(self.normal_force.max())}
        return {"frames": self.t.size, "ends": self.ends, **found, "impacts": len(self.impacts), "limits": self.limits or None}

    @property
    def rests(self) -> tuple[tuple[str, float, float], ...]:
        """Where rigid surfaces (fm.impact) stayed together: end, start and end of the time, s; NaN while it lasts."""
        own = [x for x in self.impacts if not np.isnan(x.impulse) and x.t_end != x.t]
        return tuple((x.end, x.t, x.t_end) for x in own)

    def under_loads(self, loads: Array) -> Clearance:
        """Of equilibria at these load factors: what touches rests there."""
        film = None if self.film is None else replace(self.film, t=loads)
        mode = np.where(self.mode == MODES[0], MODES[0], MODES[3])
        return replace(self, t=loads, mode=mode, film=film)


def clearance(
    batch: RecordedBatch, joint: JointWithClearance, states: Sequence[State], dissipated: Array, impacts: Sequence[Impact]
) -> Clearance:
    """Evaluate recorded frames; dissipated: of all stations of the batch  # (frames, stations)."""
    mine = [i for i, (owner, _) in enumerate(batch.owners) if owner is joint]
    ends = tuple(batch.owners[i][1].end for i in mine)
    motions, loads, places, histories = [], [], [], []
    for state in states:
        batch.begin(state.t, state.q, state.v, state.history, 0.0)
        motion, load, place = batch.records(state.t, state.q, state.v)
        motions.append(motion[mine])
        loads.append(load[mine])
        places.append(place[mine])
        histories.append(state.history.reshape(len(batch.owners), -1)[mine])
    motion, load, place, history = (np.array(x) for x in (motions, loads, places, histories))
    own = tuple(impact for impact in impacts if impact.joint is joint)
    pick = (slice(None), 0) if len(mine) == 1 else (slice(None), slice(None))
    film = film_record(batch, joint, states)
    normal = load[..., kernels.N]
    depth = motion[..., kernels.DEPTH]
    return Clearance(
        t=np.array([state.t for state in states]),
        ends=ends,
        eccentricity=place[..., :2][pick],
        penetration=depth[pick],
        penetration_rate=motion[..., kernels.RATE][pick],
        normal_force=normal[pick],
        friction_force=(-normal[..., None] * load[..., kernels.MU : kernels.MU + 2])[pick],
        slip=motion[..., kernels.CIRCLING :][pick],
        mode=MODES[history[..., kernels.PHASE].astype(int)][pick],
        dissipated=dissipated[:, mine][pick],
        impacts=own,
        wear=history[..., batch.worn][pick],
        film=film,
        limits=(*_limits(joint, own, float(depth.max(initial=0.0))), *_film_limits(joint, film)),
    )


def contact_reaction(batch: RecordedBatch, joint: JointWithClearance, states: Sequence[State]) -> Reaction:
    """Force on the journal's body and moment about its marker."""
    place, wrenches = batch.joints.index(joint), []
    for state in states:
        batch.begin(state.t, state.q, state.v, state.history, 0.0)
        wrenches.append(batch.wrench(state.t, state.q, state.v)[place])
    force, moment = np.moveaxis(np.array(wrenches), 1, 0)
    return Reaction(force[:, :2], moment[:, 2]) if joint.flat else Reaction(force, moment)


def _limits(joint: JointWithClearance, impacts: Sequence[Impact], deepest: float) -> tuple[str, ...]:
    """Approach speed against 1e-5 sqrt(E/rho), penetration against clearance."""
    if joint.contact is None:
        return ()
    found = []
    fast = [impact for impact in impacts if impact.approach_speed > joint.contact.speed_limit]
    if fast:
        limit, worst = joint.contact.speed_limit, max(impact.approach_speed for impact in fast)
        found.append(
            f"{joint.label}: {len(fast)} of {len(impacts)} impacts were faster than {limit:.3g} m/s, the limit of elastic "
            f"contact laws, 1e-5 sqrt(E/rho): the first at t = {fast[0].t:.6g} s, the fastest with {worst:.3g} m/s."
        )
    if deepest > joint.clearance:
        found.append(
            f"{joint.label}: the penetration reached {deepest:.3g} m, more than the clearance of {joint.clearance:.3g} m."
        )
    law = joint.stations[0].contact
    least, most, why = law.depths
    if deepest > most or 0.0 < deepest < least:
        found.append(
            f"{joint.label}: the largest penetration in the frames is {deepest:.3g} m; {type(law).__name__} is meant for "
            f"{least:.3g} to {most:.3g} m: {why}."
        )
    return tuple(found)


def _film_limits(joint: JointWithClearance, film: FilmRecord | None) -> tuple[str, ...]:
    """Film theory ends where the film is frozen."""
    if film is None or joint.film is None:
        return ()
    thinnest = joint.film.thinnest * joint.clearance
    beyond = np.flatnonzero(film.min_thickness < thinnest)
    if not beyond.size:
        return ()
    first = film.t[beyond[0]]
    message = (
        f"{joint.label}: the film got thinner than {thinnest:.3g} m, where its theory ends, first at t = {first:.6g} s "
        f"(least gap {film.min_thickness.min():.3g} m)."
    )
    return (message,)
