"""Contacts of the compiled driver: where they start in a step, how they start and end. See `contact_events`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import APPROACH, COMPRESSION, DEPTH, FREE, NONE, PHASE, RATE, move
from fmbs.gaps.joint_kernels import gap_residual
from fmbs.math.compiled import inlined, plain_kernel
from fmbs.solvers._stretch_tables import Equations, Log, Method, Motion, Scratch

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

TRIALS = 60  # of a search


@plain_kernel
def inside(e: Equations, motion: Motion, h: float, x: float, s: Scratch) -> None:
    """Motion of all stations at the fraction x of a step, on the cubic through both ends."""
    for i in range(motion.q.size):
        change = s.q[i] - motion.q[i]
        b, c = 3.0 * change - h * (2.0 * motion.v[i] + s.v[i]), h * (motion.v[i] + s.v[i]) - 2.0 * change
        s.q_mid[i] = motion.q[i] + x * (h * motion.v[i] + x * (b + x * c))
        s.v_mid[i] = motion.v[i] + x * (2.0 * b + 3.0 * x * c) / h
    move(e.gaps.vectors, e.gaps.stations, s.q_mid, s.v_mid, s.work.u, s.work.du, s.work.motion)


@plain_kernel
def crossing(
    e: Equations, motion: Motion, h: float, s: Scratch, watched: Flags, deep: float, fast: float, high: float
) -> float:
    """The end of a bracket around the first x at which deep * depth + fast * rate of a watched station is above zero.

    It is at `high`; regula falsi after Illinois, the bracket is closed from both sides.
    """
    low, f_low, f_high, side = 0.0, largest(s.work.start, watched, deep, fast), 0.0, 0
    inside(e, motion, h, high, s)
    f_high = largest(s.work.motion, watched, deep, fast)
    if f_low > 0.0:
        return 0.0
    for _ in range(TRIALS):
        if high - low < 1e-14:
            break
        x = (low * f_high - high * f_low) / (f_high - f_low)
        if not low < x < high:
            x = 0.5 * (low + high)
        inside(e, motion, h, x, s)
        f = largest(s.work.motion, watched, deep, fast)
        if f > 0.0:
            high, f_high = x, f
            f_low *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            low, f_low = x, f
            f_high *= 0.5 if side == -1 else 1.0
            side = -1
    return high


@plain_kernel
def only(i: int, watched: Flags) -> None:
    for k in range(watched.size):
        watched[k] = k == i


@plain_kernel
def largest(motion: Array, watched: Flags, deep: float, fast: float) -> float:
    best = -np.inf
    for i in range(watched.size):
        if watched[i]:
            best = max(best, deep * motion[i, DEPTH] + fast * motion[i, RATE])
    return best


@inlined
def first_contact(e: Equations, motion: Motion, h: float, s: Scratch) -> float:
    """Fraction of the step at which the first free station touches; -1 if none does."""
    stations, history, start = e.gaps.stations, motion.history, s.work.start
    move(e.gaps.vectors, stations, s.q, s.v, s.work.u, s.work.du, s.work.motion)
    end = s.work.motion
    n, any_closing, any_grazing = stations.joint.size, False, False
    for i in range(n):
        if history[i, PHASE] != FREE or stations.contact[i] == NONE:
            continue
        if start[i, DEPTH] >= 0.0 and start[i, RATE] >= 0.0:
            return 0.0
        any_closing = any_closing or end[i, DEPTH] > 0.0
        any_grazing = any_grazing or (
            start[i, RATE] > 0.0 and end[i, RATE] < 0.0 and start[i, DEPTH] + start[i, RATE] * h > 0.0
        )
    if not (any_closing or any_grazing):
        return -1.0
    closing, grazing, one = s.watched[0], s.watched[1], s.watched[2]
    for i in range(n):
        free = history[i, PHASE] == FREE and stations.contact[i] != NONE
        closing[i] = free and end[i, DEPTH] > 0.0
        into = start[i, RATE] > 0.0 and start[i, DEPTH] + start[i, RATE] * h > 0.0
        grazing[i] = free and not closing[i] and into and end[i, RATE] < 0.0
    high = 1.0
    for i in range(n):
        if grazing[i]:
            only(i, one)
            peak = crossing(e, motion, h, s, one, 0.0, -1.0, 1.0)
            inside(e, motion, h, peak, s)
            if peak < high and s.work.motion[i, DEPTH] > 0.0:
                high, any_closing = peak, True
                for k in range(n):
                    free = history[k, PHASE] == FREE and stations.contact[k] != NONE
                    closing[k] = free and s.work.motion[k, DEPTH] > 0.0
    if not any_closing:
        return -1.0
    return crossing(e, motion, h, s, closing, 1.0, 0.0, high)


@inlined
def touch(e: Equations, method: Method, motion: Motion, h: float, t: float, log: Log, s: Scratch) -> bool:
    """Contacts that start at this state; False where a force jumps, which changes accelerations at once."""
    stations, history = e.gaps.stations, motion.history
    move(e.gaps.vectors, stations, motion.q, motion.v, s.work.u, s.work.du, s.work.start)
    for i in range(s.force.size):
        s.force[i] = s.force_mid[i] = -e.weight[i]
    gap_residual(e.gaps, s.work, history, 0.0, motion.q, motion.v, s.force)
    for i in range(stations.joint.size):
        depth, rate = s.work.start[i, DEPTH], s.work.start[i, RATE]
        near = depth >= -method.landed * abs(rate) * h and rate >= 0.0
        if history[i, PHASE] == FREE and stations.contact[i] != NONE and near:
            history[i, APPROACH], history[i, PHASE] = rate, COMPRESSION
            note(log, i, 1.0, t, rate, motion.absorbed[i])
    gap_residual(e.gaps, s.work, history, 0.0, motion.q, motion.v, s.force_mid)
    before = jump = 0.0
    for i in range(s.force.size):
        before, jump = max(before, abs(s.force[i])), max(jump, abs(s.force_mid[i] - s.force[i]))
    noise = method.round_off * e.mass_scale * e.length_scale / (h * h + 1e-300)
    return jump <= max(method.small_jump * before, noise)


@inlined
def separate(e: Equations, motion: Motion, h: float, t: float, i: int, absorbed: float, log: Log, s: Scratch) -> None:
    """Note where in the step from t the contact of station i ends."""
    one = s.watched[2]
    only(i, one)
    high = crossing(e, motion, h, s, one, -1.0, 0.0, 1.0)
    inside(e, motion, h, high, s)
    note(log, i, 0.0, t + high * h, -s.work.motion[i, RATE], absorbed)


@plain_kernel
def note(log: Log, station: int, start: float, t: float, speed: float, absorbed: float) -> None:
    row = log.events[log.filled[1]]
    row[0], row[1], row[2], row[3], row[4] = station, start, t, speed, absorbed
    log.filled[1] += 1
