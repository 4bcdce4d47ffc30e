"""Contacts: where they start in a step, how they start and end.

Inside a step q is the cubic Hermite polynomial through (q, v) at both ends (Tian2010 eq 45). A gap that closes is found on it
and the step is cut there; one that closes and opens again within a step is found at the greatest penetration.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import APPROACH, COMPRESSION, DEPTH, FREE, NONE, PHASE, RATE, SLIP_C, Stations, show_wear
from fmbs.jit.assign_kernels import assign, assign_table
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.laws.law import RIGID
from fmbs.math.path_kernels import cubic, quintic
from fmbs.solvers.loop import slots, tables
from fmbs.solvers.loop.equations import ROUND_OFF, add_saddle, forces, inertia, other_factor, set_time, solve, tried
from fmbs.solvers.loop.tables import Inputs, Log, Run

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

TRIALS = 60  # of a search
PINS = 5  # times that a step of high order is taken to end at a contact
LEAST = 5e-3  # of a step: contacts are located and gaps count as closed to this; round-off / h^2 would shake shorter pieces
SMALL_JUMP = 1e-6  # of the largest force or reaction: below it a contact starts smoothly


@kernel(plain=True, part=True)
def inside(r: Run, h: float, x: float) -> None:
    """Motion of all stations at the fraction x of a step: on the cubic through both ends, or the quintic of a method whose
    accelerations are as good as its velocities.
    """
    e, motion, s = r.equations, r.motion, r.scratch
    if r.method.order == 2:
        cubic(motion.q, motion.v, s.q, s.v, h, x, s.q_mid, s.v_mid)
    else:
        quintic(motion.q, motion.v, motion.a, s.q, s.v, s.a, h, x, s.q_mid, s.v_mid, s.a_mid)
    call(slots.GAP_MOVE, e.calls.gap_move, e.gaps, e.work, s.q_mid, s.v_mid, e.work.motion)


@kernel(plain=True, part=True)
def crossing(r: Run, h: float, watched: Flags, deep: float, fast: float, high: float) -> float:
    """The end of a bracket around the first x at which deep * depth + fast * rate of a watched station is above zero.

    It is at `high`; regula falsi after Illinois, the bracket is closed from both sides.
    """
    e = r.equations
    low, f_low, side = 0.0, largest(e.work.start, watched, deep, fast), 0
    inside(r, h, high)
    f_high = largest(e.work.motion, watched, deep, fast)
    if f_low > 0.0:
        return 0.0
    for _ in range(TRIALS):
        if high - low < 1e-14:
            break
        x = (low * f_high - high * f_low) / (f_high - f_low)
        if not low < x < high:
            x = 0.5 * (low + high)
        inside(r, h, x)
        f = largest(e.work.motion, watched, deep, fast)
        if f > 0.0:
            high, f_high = x, f
            f_low *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            low, f_low = x, f
            f_high *= 0.5 if side == -1 else 1.0
            side = -1
    return high


@kernel(plain=True, part=True)
def only(i: int, watched: Flags) -> None:
    for k in range(watched.size):
        watched[k] = k == i


@kernel(plain=True, part=True)
def largest(motion: Array, watched: Flags, deep: float, fast: float) -> float:
    best = -np.inf
    for i in range(watched.size):
        if watched[i]:
            best = max(best, deep * motion[i, DEPTH] + fast * motion[i, RATE])
    return best


@kernel(plain=True, part=True)
def is_free(stations: Stations, history: Array, i: int) -> bool:
    """May station i come into contact?"""
    return bool(history[i, PHASE] == FREE and stations.contact[i] != NONE)


@kernel(plain=True, part=True)
def any_free(stations: Stations, history: Array) -> bool:
    count = 0
    for i in range(stations.joint.size):
        count += 1 if is_free(stations, history, i) else 0
    return count > 0


@kernel(plain=True)
def first_contact(r: Run, t: float, h: float, times: Array, series: Array) -> None:
    """Answers the fraction of the step from t at which the first free station touches; -1 if none does.

    Steps of a high order end where a contact ends too: its law has a kink there; s.released tells which it is. They have been
    taken up to that very place when this returns; it answers -2 where that has failed.
    """
    s, touches = r.scratch, touching_at(r, h)
    s.released[0], s.answer[0] = 0, touches
    if r.method.order == 2:
        return
    leaves = leaving_at(r, h)
    if r.equations.events[slots.AT_LET_GO] and touching(r):
        until = touches if leaves < 0.0 else leaves if touches < 0.0 else min(leaves, touches)
        call(slots.LET_GO, r.equations.events[slots.AT_LET_GO], r, t, h, until, times, series)
        if s.answer[0] != -1.0:
            s.released[0] = 1
            return
        s.answer[0] = touches
    if leaves > 0.0 and (touches < 0.0 or leaves < touches):
        s.released[0], s.answer[0] = 1, pinned(r, t, h, times, series, leaves, s.watched[3], -1.0)
    elif touches > r.method.least:
        s.answer[0] = pinned(r, t, h, times, series, touches, s.watched[0], 1.0)


@kernel(plain=True, part=True)
def pinned(r: Run, t: float, h: float, times: Array, series: Array, x: float, watched: Flags, deep: float) -> float:
    """Take the step up to where deep * depth of a watched station has just passed zero, near the fraction x; answers where."""
    e, s, least = r.equations, r.scratch, r.method.least
    for _ in range(PINS):
        if not tried(r, times, series, t, x * h, t + x * h):
            return -2.0
        call(slots.GAP_MOVE, e.calls.gap_move, e.gaps, e.work, s.q, s.v, e.work.motion)
        over, rate = -np.inf, 0.0
        for i in range(watched.size):
            if watched[i] and deep * e.work.motion[i, DEPTH] > over:
                over, rate = deep * e.work.motion[i, DEPTH], deep * e.work.motion[i, RATE]
        room = least * abs(rate) * h
        if rate <= 0.0 or 0.0 <= over <= room:
            break
        x += (0.5 * room - over) / (rate * h)
        if not 0.0 < x <= 1.0:
            return -2.0
    return x


@kernel(plain=True, part=True)
def leaving_at(r: Run, h: float) -> float:
    """The fraction of the step at which the first contact ends, inside it; -1 if none does."""
    e, motion, s, least = r.equations, r.motion, r.scratch, r.method.least
    start, end, watched, count = e.work.start, e.work.end, s.watched[3], 0
    if s.known[1] == 0:
        call(slots.GAP_MOVE, e.calls.gap_move, e.gaps, e.work, s.q, s.v, end)
        s.known[1] = 1
    for i in range(watched.size):
        watched[i] = motion.history[i, PHASE] != FREE and start[i, DEPTH] > 0.0 and end[i, DEPTH] < 0.0
        count += 1 if watched[i] else 0
    if count == 0:
        return -1.0
    x = crossing(r, h, watched, -1.0, 0.0, 1.0)
    return x if least < x < 1.0 - least else -1.0


@kernel(plain=True, part=True)
def touching_at(r: Run, h: float) -> float:
    e, motion, s = r.equations, r.motion, r.scratch
    stations, history, start = e.gaps.stations, motion.history, e.work.start
    if not any_free(stations, history):
        return -1.0
    end = e.work.end
    call(slots.GAP_MOVE, e.calls.gap_move, e.gaps, e.work, s.q, s.v, end)
    s.known[1] = 1
    closing, grazing, one = s.watched[0], s.watched[1], s.watched[2]
    n, any_closing, high = stations.joint.size, False, 1.0
    for i in range(n):
        free = is_free(stations, history, i)
        if free and start[i, DEPTH] >= 0.0 and start[i, RATE] >= 0.0:
            return 0.0
        closing[i] = free and end[i, DEPTH] > 0.0
        into = start[i, RATE] > 0.0 and start[i, DEPTH] + start[i, RATE] * h > 0.0
        grazing[i] = free and not closing[i] and into and end[i, RATE] < 0.0
        any_closing = any_closing or closing[i]
    for i in range(n):
        if grazing[i]:
            only(i, one)
            peak = crossing(r, h, one, 0.0, -1.0, 1.0)
            inside(r, h, peak)
            if peak < high and e.work.motion[i, DEPTH] > 0.0:
                high, any_closing = peak, True
                for k in range(n):
                    closing[k] = is_free(stations, history, k) and e.work.motion[k, DEPTH] > 0.0
    if not any_closing:
        return -1.0
    return crossing(r, h, closing, 1.0, 0.0, high)


@kernel(plain=True, part=True)
def rigid_near(r: Run, h: float) -> bool:
    """Do rigid surfaces meet in the first part of a step of size h, which is too short for a step of its own?"""
    e, history, start = r.equations, r.motion.history, r.equations.work.start
    stations, found = e.gaps.stations, False
    for i in range(stations.joint.size):
        if stations.contact[i] == RIGID and history[i, PHASE] == FREE and start[i, RATE] >= 0.0:
            found = found or start[i, DEPTH] >= -2.0 * r.method.least * start[i, RATE] * h
    return found


@kernel(plain=True, part=True)
def rigid_closing(r: Run) -> bool:
    """Is it at rigid surfaces that the step is to be cut?"""
    stations, found = r.equations.gaps.stations, False
    for i in range(stations.joint.size):
        found = found or (r.scratch.watched[0, i] and stations.contact[i] == RIGID)
    return found


@kernel(plain=True)
def touch(r: Run, inputs: Inputs, t: float) -> None:
    """Contacts that start at this state, with their approach speeds; a force that jumps changes accelerations at once."""
    e, memory, motion, log, s = r.equations, r.memory, r.motion, r.log, r.scratch
    stations, history, h = e.gaps.stations, motion.history, memory.sizes[tables.STEP]
    call(slots.GAP_MOVE, e.calls.gap_move, e.gaps, e.work, motion.q, motion.v, e.work.start)
    s.known[0] = 1
    forces(r, motion.q, motion.v, s.still, s.force_mid)
    assign(s.force, s.force_mid)
    call(slots.GAP_FORCE, e.calls.gap_force, e.gaps, e.work, history, 0.0, motion.q, motion.v, s.force)
    for i in range(stations.joint.size):
        depth, rate = e.work.start[i, DEPTH], e.work.start[i, RATE]
        near = depth >= -r.method.least * abs(rate) * h and rate >= 0.0
        if is_free(stations, history, i) and near:
            if stations.contact[i] == RIGID:
                memory.numbers[tables.HIT] = 1
            else:
                history[i, APPROACH], history[i, PHASE] = rate, COMPRESSION
                note(log, i, 1.0, t, rate, motion.absorbed[i])
    call(slots.GAP_FORCE, e.calls.gap_force, e.gaps, e.work, history, 0.0, motion.q, motion.v, s.force_mid)
    inertia(r, motion.a, s.a_mid)
    size = jump = 0.0
    for i in range(s.force.size):
        size = max(size, abs(s.force[i]), abs(s.force[i] + s.a_mid[i]))
        jump = max(jump, abs(s.force_mid[i] - s.force[i]))
    noise = ROUND_OFF * e.mass_scale * e.length_scale / (h * h + 1e-300)
    if jump > max(SMALL_JUMP * size, noise):
        accelerate(r, inputs, s.force_mid)


@kernel(plain=True, part=True)
def accelerate(r: Run, inputs: Inputs, force: Array) -> None:
    """Accelerations and multipliers of this very instant: M a + Phi_q^T lam = -f, Phi_q a = -(d^2 Phi/dt^2 at a = 0)."""
    e, memory, motion, s = r.equations, r.memory, r.motion, r.scratch
    add_saddle(r, inputs, motion.q, motion.lam, 1.0, 0.0, 0.0)
    if not other_factor(memory):
        return
    assign(s.phi, inputs.minus_c[2])
    call(
        slots.CONSTRAINT_ACCELERATIONS, e.calls.constraint_accelerations, e.vectors, e.terms, inputs.weights, motion.q,
        motion.v, s.still, s.u, s.rate, s.acceleration, s.phi,
    )  # fmt: skip
    for i in range(s.phi.size):
        s.phi[i] = -s.phi[i]
    for i in range(force.size):
        s.x[i] = -force[i]
    solve(r, s.phi)
    assign(motion.a, s.x[: force.size])
    for i in range(s.phi.size):
        motion.lam[i] = e.mass_scale * s.x[force.size + i]
    forget(r)


@kernel(plain=True, part=True)
def forget(r: Run) -> None:
    """The average forgets the push of a contact: it would go on pushing, or drag behind."""
    memory, motion = r.memory, r.motion
    assign(motion.w, motion.a)
    motion.jerk[:] = 0.0
    memory.sizes[tables.LAST] = 0.0


@kernel(plain=True, part=True)
def middle(r: Run, h: float) -> None:
    """q, v, lam and the history in the middle of a step, as the recorder interpolates them."""
    motion, s = r.motion, r.scratch
    quintic(motion.q, motion.v, motion.a, s.q, s.v, s.a, h, 0.5, s.q_mid, s.v_mid, s.a_mid)
    for i in range(s.lam.size):
        s.lam_mid[i] = 0.5 * (motion.lam[i] + s.lam[i])
    for i in range(motion.history.shape[0]):
        for c in range(motion.history.shape[1]):
            old, new = s.old_history[i, c], motion.history[i, c]
            s.middle_history[i, c] = 0.5 * (old + new) if old != 0.0 and new != 0.0 else old


@kernel(plain=True)
def end_contacts(r: Run, h: float, t: float, touched: bool) -> None:
    """History after the step, and the energy that flowed into the stations; answers 1 where a contact has ended."""
    e, motion, s = r.equations, r.motion, r.scratch
    stations, history, work = e.gaps.stations, motion.history, e.work
    s.released[0] = 0
    if touched:
        assign_table(s.old_history, history)
        if e.events[slots.AT_MEMORY]:
            for k in range(stations.joint.size):
                if history[k, PHASE] != FREE:
                    take_memory(r, k)
        own = h if r.method.order == 2 else 0.0  # memories of higher order are known: as things stand
        call(slots.GAP_END, e.calls.gap_end, e.gaps, work, history, own, s.q, s.v, s.released, s.inflow_new)
        if e.events[slots.AT_MEMORY_END]:
            call(slots.MEMORY_END, e.events[slots.AT_MEMORY_END], r)
        s.known[1] = 1
        if r.method.order == 2:
            middle(r, h)
    elif e.gaps.films.joint.size:
        call(slots.GAP_INFLOW, e.calls.gap_inflow, e.gaps, work, history, s.q, s.v, s.inflow_new)
    if r.method.order == 2 and (touched or e.gaps.films.joint.size):  # else the stages tell
        for i in range(stations.joint.size):
            s.inflow_mid[i] = 0.5 * (s.inflow[i] + s.inflow_new[i])
        if touched:
            set_time(e, t + 0.5 * h)
            call(slots.GAP_INFLOW, e.calls.gap_inflow, e.gaps, work, s.middle_history, s.q_mid, s.v_mid, s.inflow_mid)
        for i in range(stations.joint.size):
            motion.absorbed[i] += h / 6.0 * (s.inflow[i] + 4.0 * s.inflow_mid[i] + s.inflow_new[i])
            s.inflow[i] = s.inflow_new[i]
    if s.released[0]:
        for i in range(stations.joint.size):
            if s.old_history[i, PHASE] != FREE and history[i, PHASE] == FREE:
                separate(r, h, t, i, motion.absorbed[i])
        s.answer[0] = 1.0
    show_wear(stations, history)  # it was that of the middle


@kernel(plain=True, part=True)
def take_memory(r: Run, k: int) -> None:
    """What station k remembers after a step is what it remembers at the last stage."""
    history = r.motion.history
    for c in range(SLIP_C, history.shape[1]):
        history[k, c] = r.stages.history[2, k, c]


@kernel(plain=True, part=True)
def touching(r: Run) -> bool:
    """Was any station in contact when the step began?"""
    e, motion = r.equations, r.motion
    count = 0
    for i in range(e.gaps.stations.joint.size):
        count += 1 if motion.history[i, PHASE] != FREE else 0
    return count > 0


@kernel(plain=True, part=True)
def separate(r: Run, h: float, t: float, i: int, absorbed: float) -> None:
    """Note where in the step from t the contact of station i ends."""
    e, log, s = r.equations, r.log, r.scratch
    one = s.watched[2]
    only(i, one)
    high = crossing(r, h, one, -1.0, 0.0, 1.0)
    inside(r, h, high)
    note(log, i, 0.0, t + high * h, -e.work.motion[i, RATE], absorbed)


@kernel(plain=True, part=True)
def note(log: Log, station: int, start: float, t: float, speed: float, absorbed: float) -> None:
    row = log.events[log.filled[1]]
    row[0], row[1], row[2], row[3], row[4] = station, start, t, speed, absorbed
    log.filled[1] += 1
