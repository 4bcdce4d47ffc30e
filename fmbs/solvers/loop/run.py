"""The loop: predict, Newton's iteration, contacts, accept, next step. It returns at frames, and when others want to look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.assign_kernels import assign, assign_table
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.math.path_kernels import quintic
from fmbs.solvers.loop import slots, tables
from fmbs.solvers.loop.contacts import rigid_closing, rigid_near, touching
from fmbs.solvers.loop.equations import drives_on, set_time, tried
from fmbs.solvers.loop.ledger import begin
from fmbs.solvers.loop.pace import CLOSE, COARSE, CUT, FAILED, RATIO, STARTED, WHOLE, arrived, error, next_piece
from fmbs.solvers.loop.tables import Equations, Inputs, Run

Array = NDArray[np.float64]

PAUSED, PASSED, STUCK = 0, 1, 2
"""Why the loop returns: others want to look, the last step passes a frame, there is no way on (memory.numbers[STATUS])."""


@kernel(plain=True)
def run(r: Run, until: float, most: int, times: Array, series: Array, pace: Array, clock: Array) -> int:
    """Steps from clock[0] on, `most` at most, with the drives' inputs at `times`, up to a frame at the time `until`.

    Where the last step passes `until`, clock[1] and `kept` are the time and the state before it.
    """
    e, control, memory, log, s = r.equations, r.control, r.memory, r.log, r.scratch
    t = clock[0]
    drives_on(e, times, series, t, s.near)
    begin(r, s.near, t)
    while t < control.t_end and log.filled[0] < most and s.fine[0] == 1:
        h, end = next_piece(control, pace, t)
        if h < control.smallest and end < control.t_end:
            memory.numbers[tables.STATUS] = tables.STEP_TOO_SMALL
            return STUCK
        if e.driven and end > times[-1] + CLOSE * h:
            return PAUSED
        keep(r)
        clock[1] = t
        outcome = attempt(r, times, series, t, h, end, pace)
        if s.fine[0] == 0:
            undo(r)
            return PAUSED
        if outcome == FAILED and memory.numbers[tables.STATUS] == tables.HIDDEN:
            return STUCK
        if outcome >= CUT:
            t = log.times[log.filled[0] - 1]
        t = arrived(r, pace, outcome, h, end, t)
        if t < 0.0:
            return STUCK
        if e.driven and control.step > 0.0 and outcome == FAILED:
            return PAUSED  # drives are asked at the ends of the pieces: between those of the whole step they may jump
        if outcome >= CUT:
            clock[0] = log.times[log.filled[0] - 1] = t
            if t >= until - CLOSE * h:
                return PASSED if t > until + CLOSE * h else PAUSED
        if memory.numbers[tables.HIT]:
            return PAUSED
    return PAUSED


@kernel(plain=True, part=True)
def attempt(r: Run, times: Array, series: Array, t: float, h: float, end: float, pace: Array) -> int:
    """Try a step of size h from t to `end`; cut it where the first contact starts, and take it."""
    e, control, memory, log, s = r.equations, r.control, r.memory, r.log, r.scratch
    if not tried(r, times, series, t, h, end):
        return FAILED
    if control.step == 0.0:
        pace[RATIO] = error(r, h)
        if not pace[RATIO] <= 1.0:
            return COARSE
    share, leaving = -1.0, False
    if e.gap_places.size:
        call(slots.FIRST, e.events[slots.AT_FIRST], r, t, h, times, series)
        share, leaving = s.answer[0], r.method.order > 2 and s.released[0] == 1
    least = r.method.least
    if share == -2.0:  # no step ends there
        memory.numbers[tables.STATUS] = tables.STEP_TOO_SMALL
        return FAILED
    if 0.0 <= share < least and rigid_near(r, h):
        memory.numbers[tables.HIT] = 1
        return STARTED
    if 0.0 <= share < least:
        before = log.filled[1]
        drives_on(e, times, series, t, s.near)
        contacts_start(r, s.near, t)
        if log.filled[1] > before:
            return STARTED
        if r.method.order > 2:  # something opens and closes again within the step
            memory.numbers[tables.STATUS] = tables.STEP_TOO_SMALL
            return FAILED
    if r.method.order > 2 and share > 0.0:  # the step has been taken to that place
        h = share * h
        end = t + h
    elif 0.0 <= share < 1.0 - least or (least <= share and rigid_closing(r)):
        h = max(share, least) * h
        end = t + h
        if not tried(r, times, series, t, h, end):
            return FAILED
    if touching(r):
        drives_on(e, times, series, t + 0.5 * h, s.near)
    call(slots.TAKE, e.events[slots.AT_TAKE], r, h, t, end)
    if share < 0.0 or leaving:
        return WHOLE
    memory.numbers[tables.CONTACTS] += 1
    contacts_start(r, s.far, end)
    return CUT


@kernel(plain=True, part=True)
def contacts_start(r: Run, inputs: Inputs, t: float) -> None:
    """Contacts that start at t. inputs: the drives there."""
    e, motion, s = r.equations, r.motion, r.scratch
    set_time(e, t)
    call(slots.TOUCH, e.events[slots.AT_TOUCH], r, inputs, t)
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
def keep(r: Run) -> None:
    memory, log, kept = r.memory, r.log, r.kept
    assign(kept.motion.all, r.motion.all)
    assign(kept.numbers, memory.numbers)
    assign(kept.sizes, memory.sizes)
    assign(kept.filled, log.filled)


@kernel(plain=True, part=True)
def undo(r: Run) -> None:
    """Back to what was kept, but for what has been counted."""
    memory, log, kept = r.memory, r.log, r.kept
    assign(r.motion.all, kept.motion.all)
    for count in tables.COUNTS[1:]:
        kept.numbers[count] = memory.numbers[count]
    kept.numbers[tables.FACTORED] = 0
    assign(memory.numbers, kept.numbers)
    assign(memory.sizes, kept.sizes)
    assign(log.filled, kept.filled)
