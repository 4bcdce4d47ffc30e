"""Contact of many stations: motion, laws, wear and generalized forces."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.kinematics import (
    RADIAL,
    ROLLER,
    coordinates,
    dot,
    frame,
    frame_change,
    in_triad,
    plus,
    push,
    relative_velocity,
    row,
    times,
)
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.slots import ROWS, Slot
from fmbs.jit.tables import table
from fmbs.laws.law import IN_PYTHON, RIGID
from fmbs.laws.law_kernels import contact_load, friction_load
from fmbs.math.vector_kernels import pull, vector_rates, vector_values
from fmbs.math.vector_table import FIXED, VectorTable

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

VECTORS = 8  # of a joint: bearing's point and triad, journal's point and triad
# history of a station: approach speed, phase, bristle (2), law's memory; then the wear of its sectors and further states of
# its friction law, where there are any
APPROACH, PHASE, SLIP_C, SLIP_A, MEMORY = 0, 1, 2, 3, 4
HISTORY = 5
FREE, COMPRESSION, RESTITUTION, FOLLOWING = 0.0, 1.0, 2.0, 3.0  # phases
DEPTH, RATE, CIRCLING, SLIDING = 0, 1, 2, 3  # motion of a station: penetration and its rate, slip along t and e
# loads of a station, as the kernels of a contact law and of a friction law write them
N, N_DEPTH, N_RATE, NEW_MEMORY, STORED, MU, MU_SLIP, BRISTLE = 0, 1, 2, 3, 4, 5, 7, 11
LOADS = 13  # and then the further states of friction laws, as many as any law of the model has
FRAME = (
    32  # n, t, e, s, p of a station, see `kinematics`, and of a cam where its wall is: place on the journal, normal, clearance
)
OFFSET, NORMAL, LIMIT, BEND = 15, 18, 21, 22  # and how normal and place bend (4), and room for a point of its curve (6)
NONE = 0  # in place of a law's address


@table
class Stations:
    """Struct of arrays; station i belongs to joint[i], whose vectors start at VECTORS joint[i]."""

    joint: Integers  # (n,)
    kind: Integers  # (n,)
    offset: Array  # (n, 3) place on the journal, in its triad, m
    wall: Array  # (n, 3) normal of a wall in the bearing's triad
    clearance: Array  # (n,) m
    radius: Array  # (n,) of the journal, m
    contact: Integers  # (n,) addresses of laws, IN_PYTHON, RIGID or NONE
    contact_row: Array  # (n, k) their parameters
    friction: Integers  # (n,)
    friction_row: Array  # (n, k)
    contact_memory: Integers  # (n,) addresses of kernels of the rates of what laws remember, or NONE
    friction_memory: Integers  # (n,)
    wear: Array  # (n, sectors) depth worn off the bearing around its circumference, m
    wear_rate: Array  # (n,) depth worn off a sector per newton and metre of sliding, 1/N
    profile: Array  # curves of cams, one after the other
    profile_start: Integers  # (n,) where each begins
    profile_call: Integers  # (1,) address of their kernel, or NONE


PROFILE = Slot("profile", Stations, int, int, ROWS, ROWS)


@kernel(plain=True, part=True)
def worn(wear: Array, i: int, p: Any) -> tuple[float, float]:
    """Wear at the angle of C, atan2(p_2, p_1), and its derivative; linear between sectors."""
    sectors = wear.shape[1]
    angle = np.arctan2(p[1], p[0]) / (2.0 * np.pi) * sectors
    lower = np.floor(angle)
    k, x = int(lower) % sectors, angle - lower
    a, b = wear[i, k], wear[i, (k + 1) % sectors]
    return a + x * (b - a), (b - a) * sectors / (2.0 * np.pi)


@kernel(plain=True, part=True)
def is_worn(stations: Stations, i: int) -> bool:
    return stations.wear.shape[1] > 0 and stations.kind[i] == RADIAL


@kernel(plain=True, part=True)
def penetration(stations: Stations, i: int, distance: float, p: Any, limit: float) -> float:
    depth = distance - limit
    return float(depth - worn(stations.wear, i, p)[0]) if is_worn(stations, i) else float(depth)


@kernel(plain=True, part=True)
def station_frame(stations: Stations, i: int, u: Any, first: int) -> Any:
    offset = (stations.offset[i, 0], stations.offset[i, 1], stations.offset[i, 2])
    wall = (stations.wall[i, 0], stations.wall[i, 1], stations.wall[i, 2])
    return frame(stations.kind[i], offset, wall, stations.radius[i], u, first)


@kernel(plain=True)
def motions(stations: Stations, u: Array, du: Array, out: Array, frames: Array) -> None:
    """Penetration, its rate and the slips of every station  # out (n, 4), frames (n, FRAME)."""
    for i in range(stations.joint.size):
        first = VECTORS * stations.joint[i]
        limit = stations.clearance[i]
        if stations.kind[i] >= ROLLER:
            call(PROFILE, stations.profile_call[0], stations, i, first, u, frames)
            offset, wall, limit = triple(frames, i, OFFSET), triple(frames, i, NORMAL), frames[i, LIMIT]
            distance, n, t, e, s, p = frame(stations.kind[i], offset, wall, stations.radius[i], u, first)
        else:
            distance, n, t, e, s, p = station_frame(stations, i, u, first)
        velocity = relative_velocity(s, p, du, first)
        out[i, DEPTH] = penetration(stations, i, distance, p, limit)
        out[i, RATE], out[i, CIRCLING], out[i, SLIDING] = dot(n, velocity), dot(t, velocity), dot(e, velocity)
        for c in range(3):
            frames[i, c], frames[i, 3 + c], frames[i, 6 + c] = n[c], t[c], e[c]
            frames[i, 9 + c], frames[i, 12 + c] = s[c], p[c]


@kernel(plain=True)
def move(
    table: VectorTable, stations: Stations, q: Array, v: Array, u: Array, du: Array, motion: Array, frames: Array
) -> None:  # fmt: skip
    """Vectors, their rates, and the motion of all stations."""
    vector_values(table, q, u)
    vector_rates(table, q, v, u, du)
    motions(stations, u, du, motion, frames)


@kernel(plain=True)
def places(stations: Stations, u: Array, out: Array) -> None:
    """Q - b of every station, in the bearing's triad  # out (n, 3)."""
    for i in range(stations.joint.size):
        first = VECTORS * stations.joint[i]
        offset = (stations.offset[i, 0], stations.offset[i, 1], stations.offset[i, 2])
        q = plus(row(u, first + 4), 1.0, in_triad(u, first + 5, offset))
        out[i, 0], out[i, 1], out[i, 2] = coordinates(plus(q, -1.0, row(u, first)), u, first + 1)


@kernel(plain=True)
def evaluate(
    stations: Stations, motion: Array, start: Array, history: Array, h: float, order: float, loads: Array
) -> bool:  # fmt: skip
    """Laws of every station that is in contact; loads of laws in Python are there already. Does any station push?

    order 1: with derivatives, also of laws that have to be differenced for them
    """
    pushing = False
    first_state = HISTORY + stations.wear.shape[1]
    for i in range(stations.joint.size):
        pressing, rubbing = stations.contact[i], stations.friction[i]
        if pressing != IN_PYTHON:
            loads[i, :MU] = 0.0
        if rubbing != IN_PYTHON:
            loads[i, MU:] = 0.0
        if pressing == RIGID:
            pushing = remembered(history, i, loads) or pushing
            continue
        if pressing == NONE or history[i, PHASE] == FREE or motion[i, DEPTH] <= 0.0:
            continue
        if pressing != IN_PYTHON:
            contact_load(
                pressing, stations.contact_row[i], motion[i, DEPTH], motion[i, RATE], history[i, APPROACH], start[i, DEPTH],
                history[i, MEMORY], h, order > 0.5, loads[i, :MU],
            )  # fmt: skip
        if rubbing != NONE and rubbing != IN_PYTHON:
            friction_load(
                rubbing, stations.friction_row[i], motion[i, CIRCLING], motion[i, SLIDING], start[i, CIRCLING],
                start[i, SLIDING], history[i, SLIP_C], history[i, SLIP_A], h, order > 0.5, history[i, first_state:],
                loads[i, MU:],
            )  # fmt: skip
        pushing = pushing or loads[i, N] != 0.0
    return pushing


@kernel(plain=True, part=True)
def remembered(history: Array, i: int, loads: Array) -> bool:
    """Loads of rigid surfaces that rest on each other: the normal force is in MEMORY, friction in SLIP_C and SLIP_A."""
    loads[i, :] = 0.0
    if history[i, PHASE] == FREE or history[i, MEMORY] == 0.0:
        return False
    loads[i, N] = loads[i, NEW_MEMORY] = history[i, MEMORY]
    loads[i, BRISTLE], loads[i, BRISTLE + 1] = history[i, SLIP_C], history[i, SLIP_A]
    loads[i, MU], loads[i, MU + 1] = history[i, SLIP_C] / history[i, MEMORY], history[i, SLIP_A] / history[i, MEMORY]
    return True


@kernel(plain=True)
def wear_off(stations: Stations, u: Array, motion: Array, loads: Array, h: float, history: Array) -> None:
    """wear += h rate N |slip|, shared by the two sectors on either side of C (Archard; backward Euler in time)."""
    sectors = stations.wear.shape[1]
    for i in range(stations.joint.size):
        if stations.wear_rate[i] == 0.0 or loads[i, N] == 0.0:
            continue
        _, _, _, _, _, p = station_frame(stations, i, u, VECTORS * stations.joint[i])
        angle = np.arctan2(p[1], p[0]) / (2.0 * np.pi) * sectors
        lower = np.floor(angle)
        k, x = int(lower) % sectors, angle - lower
        depth = h * stations.wear_rate[i] * loads[i, N] * np.hypot(motion[i, CIRCLING], motion[i, SLIDING])
        history[i, HISTORY + k] += (1.0 - x) * depth
        history[i, HISTORY + (k + 1) % sectors] += x * depth


@kernel(plain=True, part=True)
def show_wear(stations: Stations, history: Array) -> None:
    """The profile that penetrations are measured from is the one of this history."""
    for i in range(stations.wear.shape[0]):
        for k in range(stations.wear.shape[1]):
            stations.wear[i, k] = history[i, HISTORY + k]


@kernel(plain=True, part=True)
def act_change(
    stations: Stations, i: int, loads: Array, frames: Array, u: Array, du: Array, w: Array, dw: Array, g: Array
) -> None:
    """Add the changes of station i's forces, g (VECTORS, 3), when its joint's vectors change by w and their rates by dw."""
    first = VECTORS * stations.joint[i]
    n, t, e, s, p = (
        triple(frames, i, 0),
        triple(frames, i, 3),
        triple(frames, i, 6),
        triple(frames, i, 9),
        triple(frames, i, 12),
    )
    offset, wall, kind = triple(stations.offset, i, 0), triple(stations.wall, i, 0), stations.kind[i]
    if kind >= ROLLER:
        offset, wall = triple(frames, i, OFFSET), triple(frames, i, NORMAL)
    bend = (frames[i, BEND], frames[i, BEND + 1], frames[i, BEND + 2], frames[i, BEND + 3])
    depth, dn, dt, de, ds, dp = frame_change(kind, offset, wall, stations.radius[i], u, first, n, t, e, w, bend)
    if is_worn(stations, i):
        depth -= worn(stations.wear, i, p)[1] * (p[0] * dp[1] - p[1] * dp[0]) / (p[0] ** 2 + p[1] ** 2 + 1e-300)
    velocity, change = relative_velocity(s, p, du, first), relative_velocity(s, p, dw, 0)
    change = plus(plus(change, 1.0, in_triad(du, first + 5, ds)), -1.0, in_triad(du, first + 1, dp))
    rate, circling, sliding = (
        dot(n, change) + dot(dn, velocity),
        dot(t, change) + dot(dt, velocity),
        dot(e, change) + dot(de, velocity),
    )
    normal = loads[i, N_DEPTH] * depth + loads[i, N_RATE] * rate
    mu_c = loads[i, MU_SLIP] * circling + loads[i, MU_SLIP + 1] * sliding
    mu_a = loads[i, MU_SLIP + 2] * circling + loads[i, MU_SLIP + 3] * sliding
    along = plus(plus(n, loads[i, MU], t), loads[i, MU + 1], e)
    turned = plus(plus(plus(plus(dn, loads[i, MU], dt), loads[i, MU + 1], de), mu_c, t), mu_a, e)
    force = times(-loads[i, N], along)
    push(plus(times(-normal, along), -loads[i, N], turned), s, p, g, 0)
    for k in range(3):
        for c in range(3):
            g[1 + k, c] -= dp[k] * force[c]
            g[5 + k, c] += ds[k] * force[c]


@kernel(plain=True, part=True)
def generalized_forces(stations: Stations, loads: Array, frames: Array, g: Array) -> None:
    """Forces on all vectors where they are now  # g (VECTORS joints, 3)."""
    g[:, :] = 0.0
    for i in range(stations.joint.size):
        if loads[i, N] != 0.0:
            n, t, e = triple(frames, i, 0), triple(frames, i, 3), triple(frames, i, 6)
            force = times(-loads[i, N], plus(plus(n, loads[i, MU], t), loads[i, MU + 1], e))
            push(force, triple(frames, i, 9), triple(frames, i, 12), g, VECTORS * stations.joint[i])


@kernel(plain=True, part=True)
def triple(frames: Array, i: int, first: int) -> Any:
    return (frames[i, first], frames[i, first + 1], frames[i, first + 2])


@kernel(plain=True)
def pull_all(table: VectorTable, q: Array, u: Array, g: Array, out: Array) -> None:
    """out -= J^T g of all vectors."""
    for k in range(table.kind.size):
        if table.kind[k] != FIXED and (g[k, 0] != 0.0 or g[k, 1] != 0.0 or g[k, 2] != 0.0):
            pull(table, k, q, u, -g[k, 0], -g[k, 1], -g[k, 2], out)


@kernel(plain=True)
def remember(motion: Array, loads: Array, history: Array) -> bool:
    """History after a step, in place: bristles and other states, the law's memory, phases. Has a contact ended?"""
    released = False
    first_state = history.shape[1] - (loads.shape[1] - LOADS)
    for i in range(history.shape[0]):
        if history[i, PHASE] == FREE:
            continue
        history[i, SLIP_C], history[i, SLIP_A] = loads[i, BRISTLE], loads[i, BRISTLE + 1]
        history[i, MEMORY] = loads[i, NEW_MEMORY]
        for k in range(loads.shape[1] - LOADS):
            history[i, first_state + k] = loads[i, LOADS + k]
        if history[i, PHASE] == COMPRESSION and motion[i, RATE] < 0.0:
            history[i, PHASE] = RESTITUTION
        if history[i, PHASE] == RESTITUTION and motion[i, RATE] > 0.0:
            history[i, PHASE] = FOLLOWING
        if motion[i, DEPTH] <= 0.0 and motion[i, RATE] <= 0.0:
            history[i, :HISTORY] = 0.0
            history[i, first_state:] = 0.0
            released = True
    return released
