"""The loop: predict, Newton's iteration, contacts, accept, next step. It returns at frames, and when others want to look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.assign_kernels import assign, assign_table
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.math.path_kernels import quintic
from fmbs.solvers.loop import slots, tables
from fmbs.solvers.loop.equations import drives_on, set_time
from fmbs.solvers.loop.ledger import begin, touching
from fmbs.solvers.loop.pace import CLOSE, COARSE, CUT, FAILED, RATIO, STARTED, WHOLE, arrived, error, next_piece
from fmbs.solvers.loop.tables import Control, Equations, Inputs, Kept, Log, Memory, Method, Motion, Scratch

Array = NDArray[np.float64]

PAUSED, PASSED, STUCK = 0, 1, 2
"""Why the loop returns: others want to look, the last step passes a frame, there is no way on (memory.numbers[STATUS])."""


@kernel(plain=True)
def run(
    e: Equations, method: Method, control: Control, until: float, most: int, times: Array, series: Array,
    motion: Motion, memory: Memory, log: Log, kept: Kept, pace: Array, clock: Array, s: Scratch,
) -> int:  # fmt: skip
    """Steps from clock[0] on, `most` at most, with the drives' inputs at `times`, up to a frame at the time `until`.

    Where the last step passes `until`, clock[1] and `kept` are the time and the state before it.
    """
    t = clock[0]
    drives_on(e, times, series, t, s.near)
    begin(e, s.near, t, motion, s)
    while t < control.t_end and log.filled[0] < most and s.fine[0] == 1:
        h, end = next_piece(control, pace, t)
        if h < control.smallest and end < control.t_end:
            memory.numbers[tables.STATUS] = tables.STEP_TOO_SMALL
            return STUCK
        if e.driven and end > times[-1] + CLOSE * h:
            return PAUSED
        keep(motion, memory, log, kept)
        clock[1] = t
        outcome = attempt(e, method, control, memory, times, series, t, h, end, motion, log, pace, s)
        if s.fine[0] == 0:
            undo(motion, memory, log, kept)
            return PAUSED
        if outcome >= CUT:
            t = log.times[log.filled[0] - 1]
        t = arrived(e, control, memory, motion, pace, outcome, h, end, t)
        if t < 0.0:
            return STUCK
        if e.driven and control.step > 0.0 and outcome == FAILED:
            return PAUSED  # drives are asked at the ends of the pieces: between those of the whole step they may jump
        if outcome >= CUT:
            clock[0] = log.times[log.filled[0] - 1] = t
            if t >= until - CLOSE * h:
                return PASSED if t > until + CLOSE * h else PAUSED
    return PAUSED


@kernel(plain=True, part=True)
def attempt(
    e: Equations, method: Method, control: Control, memory: Memory, times: Array, series: Array, t: float, h: float,
    end: float, motion: Motion, log: Log, pace: Array, s: Scratch,
) -> int:  # fmt: skip
    """Try a step of size h from t to `end`; cut it where the first contact starts, and take it."""
    if not tried(e, method, memory, times, series, t, h, end, motion, s):
        return FAILED
    if control.step == 0.0:
        pace[RATIO] = error(e, method, control, h, motion, s)
        if not pace[RATIO] <= 1.0:
            return COARSE
    share = -1.0
    if e.gap_places.size:
        call(slots.FIRST, e.events[slots.AT_FIRST], e, motion, h, s)
        share = s.answer[0]
    if 0.0 <= share < method.least:
        before = log.filled[1]
        drives_on(e, times, series, t, s.near)
        contacts_start(e, method, memory, s.near, t, motion, log, s)
        if log.filled[1] > before:
            return STARTED
    if 0.0 <= share < 1.0 - method.least:
        h = max(share, method.least) * h
        end = t + h
        if not tried(e, method, memory, times, series, t, h, end, motion, s):
            return FAILED
    if touching(e, motion):
        drives_on(e, times, series, t + 0.5 * h, s.near)
    call(slots.TAKE, e.events[slots.AT_TAKE], e, method, memory, h, t, end, motion, log, s)
    if share < 0.0:
        return WHOLE
    memory.numbers[tables.CONTACTS] += 1
    contacts_start(e, method, memory, s.far, end, motion, log, s)
    return CUT


@kernel(plain=True, part=True)
def tried(e: Equations, method: Method, memory: Memory, times: Array, series: Array, t: float, h: float, end: float,
          motion: Motion, s: Scratch) -> bool:  # fmt: skip
    """The solution at the end of a step, in `s`; False where there is none."""
    drives_on(e, times, series, t, s.near)
    drives_on(e, times, series, end, s.far)
    set_time(e, end)
    call(slots.TRY, e.events[slots.AT_TRY], e, method, memory, h, motion, s)
    return bool(s.answer[0] > 0.0)


@kernel(plain=True, part=True)
def contacts_start(
    e: Equations, method: Method, memory: Memory, inputs: Inputs, t: float, motion: Motion, log: Log, s: Scratch
) -> None:
    """Contacts that start at t. inputs: the drives there."""
    set_time(e, t)
    call(slots.TOUCH, e.events[slots.AT_TOUCH], e, method, memory, inputs, motion, t, log, s)
    call(slots.GAP_INFLOW, e.calls.gap_inflow, e.gaps, e.work, motion.history, motion.q, motion.v, s.inflow)


@kernel(plain=True)
def drives_inside(e: Equations, series: Array, k: int, x: float, h: float, out: Inputs) -> None:
    """Drives at the fraction x of cell k, of width h; exact at its ends, by a quintic inside, with an error of (omega h)^6.

    series: (times, 3, varying)
    """
    if x == 0.0 or x == 1.0:
        assign_table(out.varying, series[k if x == 1.0 else k - 1])
    else:
        between(series[k - 1], series[k], h, x, out.varying)
    phases = e.phased_terms.size
    for d in range(3):
        for i in range(phases):
            out.weights[d, e.phased_terms[i]] = out.varying[d, i]
        for i in range(e.driven_rows.size):
            out.minus_c[d, e.driven_rows[i]] = out.varying[d, phases + i]


@kernel(plain=True, part=True)
def between(left: Array, right: Array, h: float, x: float, out: Array) -> None:
    """Rows of values and two derivatives  # (3, n)."""
    quintic(left[0], left[1], left[2], right[0], right[1], right[2], h, x, out[0], out[1], out[2])


@kernel(plain=True, part=True)
def copy(source: Motion, target: Motion) -> None:
    assign(target.q, source.q)
    assign(target.v, source.v)
    assign(target.a, source.a)
    assign(target.lam, source.lam)
    assign(target.w, source.w)
    assign(target.jerk, source.jerk)
    assign(target.last_a, source.last_a)
    assign(target.last_lam, source.last_lam)
    assign_table(target.history, source.history)
    assign(target.absorbed, source.absorbed)
    assign(target.flow, source.flow)
    assign(target.total, source.total)


@kernel(plain=True, part=True)
def keep(motion: Motion, memory: Memory, log: Log, kept: Kept) -> None:
    copy(motion, kept.motion)
    assign(kept.numbers, memory.numbers)
    assign(kept.sizes, memory.sizes)
    assign(kept.filled, log.filled)


@kernel(plain=True, part=True)
def undo(motion: Motion, memory: Memory, log: Log, kept: Kept) -> None:
    """Back to what was kept, but for what has been counted."""
    copy(kept.motion, motion)
    for count in tables.COUNTS[1:]:
        kept.numbers[count] = memory.numbers[count]
    kept.numbers[tables.FACTORED] = 0
    assign(memory.numbers, kept.numbers)
    assign(memory.sizes, kept.sizes)
    assign(log.filled, kept.filled)
