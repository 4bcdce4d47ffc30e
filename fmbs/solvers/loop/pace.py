"""How long the next step is: steps of equal size, or error control.

Equal steps: one that does not converge is taken in halves, quarters, ...; contacts cut pieces off. Ends of the pieces in
progress lie on a stack: what is left of a half is tried as a whole when the first part of it is done.

Error control: the local error grows with h^3; kept below tolerance * h / duration it adds up to about the tolerance at t_end,
whatever the number of steps. Contacts are resolved besides, however large the tolerance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import DEPTH, FREE, PHASE, RATE
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.solvers.loop import slots, tables
from fmbs.solvers.loop.contacts import touching
from fmbs.solvers.loop.equations import EPS
from fmbs.solvers.loop.tables import Control, Run

Array = NDArray[np.float64]

HALVINGS = 12  # of an equal step that does not converge
SAFETY = 0.9
CLOSE = 1e-9  # of a step: a rest that is shorter is none
SHORTEST = 1e-12  # step of error control, relative to the run
CONTACT_ERROR = 1e-3  # local error allowed in a penetration: an impact takes some thirty steps at least
SMALLEST_DEPTH = 1e-12  # m: errors of a penetration below it do not count

# a pace: next step of error control, s; steps before a contact and at its start, with which the next flight and the next impact
# begin; has a contact just started? error of the last step, relative to what is allowed
H, FLIGHT, IMPACT, TOUCHED, RATIO = 0, 1, 2, 3, 4
COUNT, LEVEL, ENDS = 5, 6, 7  # equal steps done; how many ends lie on the stack above the first; the ends
PACE = ENDS + HALVINGS + 1

FAILED, COARSE, STARTED, CUT, WHOLE = 0, 1, 2, 3, 4
"""Outcomes of a try: no solution, an error too large, a contact that starts before any step, and steps."""


@kernel(plain=True, part=True)
def next_piece(control: Control, pace: Array, t: float) -> tuple[float, float]:
    """Size of what comes next, s, and the time after it."""
    if control.step == 0.0:
        return next_step(control, pace, t)
    h, level = control.step, int(pace[LEVEL])
    begin = control.start + pace[COUNT] * h
    if level == 0:
        rest = control.t_end - begin
        last = rest <= h * (1.0 + CLOSE)
        pace[ENDS] = control.t_end if last else control.start + (pace[COUNT] + 1.0) * h
        if abs(t - begin) <= CLOSE * h and not (last and rest < h * (1.0 - CLOSE)):
            return h, pace[ENDS]  # the same to the last bit: the matrix of the step before is kept
    return pace[ENDS + level] - t, pace[ENDS + level]


@kernel(plain=True, part=True)
def next_step(control: Control, pace: Array, t: float) -> tuple[float, float]:
    """The same of error control."""
    rest = control.t_end - t
    pace[H] = min(pace[H], control.largest)
    if pace[H] >= rest * (1.0 - CLOSE):
        return rest, control.t_end
    h = min(pace[H], 0.5 * rest)
    return h, t + h


@kernel(plain=True, part=True)
def arrived(r: Run, pace: Array, outcome: int, h: float, end: float, t: float) -> float:
    """What follows from a try of size h to `end`, which led to t; the time to go on from, -1 where there is no way."""
    control, memory = r.control, r.memory
    if outcome in (FAILED, COARSE):
        memory.numbers[tables.REJECTED] += 1
    if control.step == 0.0:
        over = control.t_end - t <= SHORTEST * (control.t_end - control.start)
        return control.t_end if over else t if adapted(r, pace, outcome, h, end) else -1.0
    level = int(pace[LEVEL])
    if outcome == FAILED:
        if h < control.step * 0.5**HALVINGS * (1.0 + CLOSE):
            return -1.0
        pace[LEVEL] = level + 1
        pace[ENDS + level + 1] = t + 0.5 * h
    elif outcome != STARTED and end - t <= CLOSE * control.step:
        pace[COUNT if level == 0 else LEVEL] += 1 if level == 0 else -1
        return end
    return t


@kernel(plain=True, part=True)
def adapted(r: Run, pace: Array, outcome: int, h: float, end: float) -> bool:
    """The next step of error control; False where it would be too small."""
    control = r.control
    wanted = h * min(2.0, max(0.2, SAFETY * max(pace[RATIO], 1e-12) ** (-1.0 / r.method.order)))
    if outcome == FAILED:
        pace[H] = 0.25 * h
        return bool(pace[H] >= control.smallest)
    if outcome == COARSE:
        pace[H] = wanted
    elif outcome in (STARTED, CUT):
        pace[FLIGHT], pace[TOUCHED] = h, 1.0
        pace[H] = pace[IMPACT] if pace[IMPACT] > 0.0 else h
    elif pace[TOUCHED] > 0.0:
        pace[IMPACT], pace[H], pace[TOUCHED] = h, wanted, 0.0
    elif pace[FLIGHT] > 0.0 and not touching(r):
        pace[H] = max(pace[FLIGHT], wanted)
        pace[FLIGHT] = 0.0
    elif end < control.t_end and not h <= wanted < 1.2 * h:  # a small gain is not worth a new factorisation
        pace[H] = wanted
    return True


@kernel(plain=True, part=True)
def error(r: Run, h: float) -> float:
    """Of a step of size h, relative to what is allowed."""
    e, control, s = r.equations, r.control, r.scratch
    allowed = max(h * control.tolerance / (control.t_end - control.start), EPS)  # a step that rounds cannot be made better
    largest = 0.0
    for i in range(s.error.size):
        largest = max(largest, abs(s.error[i]) / e.scale[i])
    return max(largest / allowed, coarseness(r, h))


@kernel(plain=True, part=True)
def coarseness(r: Run, h: float) -> float:
    """Local error of the penetrations, relative to the part of them that is allowed.

    A tolerance relative to the model's size says nothing of a contact, which may be a millionth of it.
    """
    e, motion, s = r.equations, r.motion, r.scratch
    if not touching(r):
        return 0.0
    call(slots.GAP_MOVE, e.calls.gap_move, e.gaps, e.work, s.q, s.error, e.work.motion)
    start, end, largest = e.work.start, e.work.motion, 0.0
    for i in range(motion.history.shape[0]):
        if motion.history[i, PHASE] != FREE:
            size = max(start[i, DEPTH], end[i, DEPTH], abs(start[i, RATE]) * h)
            largest = max(largest, abs(end[i, RATE]) / (size + SMALLEST_DEPTH))
    return float(largest / CONTACT_ERROR)
