"""Error control in the compiled driver: the loop of `simulate.ErrorControl`, line by line.

Drives are functions of time in Python. Their values are worked out before at the nodes of a grid, four to a step, and lie on a
quintic between them: its error, of order (omega h / 4)^6, is far below that of the step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import DEPTH, FREE, PHASE, RATE
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.solvers._stretch_kernels import begin, begin_contacts, drives, full, keep, touching, undo
from fmbs.solvers._stretch_newton import set_time
from fmbs.solvers._stretch_tables import (
    CONTACTS,
    FIRST,
    FLIGHT,
    IMPACT,
    REJECTED,
    TAKE,
    TOUCHED,
    TRY,
    Control,
    Equations,
    H,
    Inputs,
    Kept,
    Log,
    Memory,
    Method,
    Motion,
    Scratch,
)

Array = NDArray[np.float64]

FOR_PYTHON = -1.0  # a time: the open path has to look into this step


@kernel(plain=True, part=True)
def inputs_on(e: Equations, times: Array, series: Array, t: float, out: Inputs) -> None:
    """Drives at t, inside the grid."""
    cells, width = times.size - 1, times[1] - times[0]
    k = min(max(int((t - times[0]) / width), 0), cells - 1)
    x = min(max((t - times[k]) / width, 0.0), 1.0)
    drives(e, series, k + 1, x, width, out)


@kernel(plain=True, part=True)
def try_step(e: Equations, method: Method, memory: Memory, times: Array, series: Array, t: float, h: float,
             motion: Motion, s: Scratch) -> bool:  # fmt: skip
    inputs_on(e, times, series, t, s.near)
    inputs_on(e, times, series, t + h, s.far)
    call(e.events[TRY], e, method, memory, h, motion, s)
    return bool(s.answer[0] > 0.0)


@kernel(plain=True, part=True)
def local_error(e: Equations, method: Method, h: float, s: Scratch) -> float:
    """`AlphaStepper.local_error`."""
    largest = 0.0
    for i in range(s.w.size):
        largest = max(largest, abs(s.w[i] - s.w_0[i]) / e.scale[i])
    return abs(method.error_constant) * h * h * largest


@kernel(plain=True, part=True)
def coarseness(e: Equations, method: Method, h: float, motion: Motion, s: Scratch) -> float:
    """`AlphaStepper._coarseness`: local error of penetrations."""
    if not touching(e, motion):
        return 0.0
    for i in range(s.w.size):
        s.v_mid[i] = s.w[i] - s.w_0[i]
    call(e.calls.gap_move, e.gaps, e.work, s.q, s.v_mid, e.work.motion)
    start, end, largest = e.work.start, e.work.motion, 0.0
    for i in range(motion.history.shape[0]):
        if motion.history[i, PHASE] != FREE:
            size = max(start[i, DEPTH], end[i, DEPTH], abs(start[i, RATE]) * h)
            largest = max(largest, abs(end[i, RATE]) / (size + method.smallest_depth))
    return abs(method.error_constant) * h * h * largest / method.contact_error


@kernel(plain=True, part=True)
def next_time(
    e: Equations, method: Method, control: Control, memory: Memory, times: Array, series: Array, t: float,
    trial: float, last: bool, motion: Motion, log: Log, pace: Array, s: Scratch,
) -> float:  # fmt: skip
    """Try one step of size `trial`: the time after it, t itself where it was rejected, or FOR_PYTHON."""
    numbers = memory.numbers
    if not set_time(e, t + trial, s):
        return FOR_PYTHON
    if not try_step(e, method, memory, times, series, t, trial, motion, s):
        if s.fine[0] == 0:
            return FOR_PYTHON
        numbers[REJECTED] += 1
        pace[H] = 0.25 * trial
        return FOR_PYTHON if pace[H] < control.smallest else t
    error = local_error(e, method, trial, s) * control.duration / (trial * control.tolerance)
    ratio = max(error, coarseness(e, method, trial, motion, s))
    wanted = trial * min(2.0, max(0.2, control.safety / np.sqrt(max(ratio, 1e-12))))
    if not ratio <= 1.0:
        numbers[REJECTED] += 1
        pace[H] = wanted
        return t
    share, size = -1.0, trial
    if e.gap_places.size:
        s.answer[0] = -1.0
        call(e.events[FIRST], e, motion, trial, s)
        share = s.answer[0]
    if 0.0 <= share < method.least:
        before = log.filled[1]
        if not begin_contacts(e, method, memory, t, motion, log, s):
            return FOR_PYTHON
        if log.filled[1] > before:  # no step at all
            pace[FLIGHT], pace[TOUCHED] = trial, 1.0
            pace[H] = pace[IMPACT] if pace[IMPACT] > 0.0 else trial
            return t
    contact = share >= 0.0
    if contact and share < 1.0 - method.least:
        size = max(share, method.least) * trial
        if not set_time(e, t + size, s):
            return FOR_PYTHON
        if not try_step(e, method, memory, times, series, t, size, motion, s):
            pace[H] = 0.25 * trial
            return t
    if touching(e, motion):
        inputs_on(e, times, series, t + 0.5 * size, s.near)
    then = control.t_end if last and not contact else t + size
    call(e.events[TAKE], e, method, memory, size, t, then, motion, log, s)
    if s.fine[0] == 0:
        return FOR_PYTHON
    if contact:
        numbers[CONTACTS] += 1
        if not begin_contacts(e, method, memory, then, motion, log, s):
            return FOR_PYTHON
        pace[FLIGHT], pace[TOUCHED] = trial, 1.0
        pace[H] = pace[IMPACT] if pace[IMPACT] > 0.0 else trial
    elif pace[TOUCHED] > 0.0:
        pace[IMPACT], pace[H], pace[TOUCHED] = trial, wanted, 0.0
    elif pace[FLIGHT] > 0.0 and not touching(e, motion):
        pace[H] = max(pace[FLIGHT], wanted)
        pace[FLIGHT] = 0.0
    elif not last and not trial <= wanted < 1.2 * trial:  # a small gain is not worth a new factorisation
        pace[H] = wanted
    return then


@kernel(plain=True)
def paced_stretch(
    e: Equations, method: Method, control: Control, until: float, most: int, times: Array, series: Array,
    motion: Motion, memory: Memory, log: Log, kept: Kept, pace: Array, clock: Array, s: Scratch,
) -> bool:  # fmt: skip
    """Steps from clock[0] on, `most` at most, with the drives' inputs at the nodes `times`.

    It ends with the step that passes `until`, which it tells: clock[1] and `kept` are the time and the state before it.
    """
    t = clock[0]
    inputs_on(e, times, series, t, s.near)
    if not begin(e, s.near, t, motion, s):
        return False
    while control.t_end - t > 1e-12 * control.duration and log.filled[0] < most and not full(e, log):
        remaining = control.t_end - t
        pace[H] = min(pace[H], control.largest)
        last = pace[H] >= remaining * (1.0 - 1e-9)
        trial = remaining if last else min(pace[H], 0.5 * remaining)
        if (trial < control.smallest and not last) or (e.driven and t + trial > times[-1] + 1e-12 * control.duration):
            break
        keep(motion, memory, log, kept)
        clock[1], h, flight, impact, touched = t, pace[H], pace[FLIGHT], pace[IMPACT], pace[TOUCHED]
        then = next_time(e, method, control, memory, times, series, t, trial, last, motion, log, pace, s)
        if then == FOR_PYTHON:
            undo(motion, memory, log, kept)
            pace[H], pace[FLIGHT], pace[IMPACT], pace[TOUCHED] = h, flight, impact, touched
            break
        if then > t:
            t = clock[0] = then
            if t >= until:
                return True
    return False
