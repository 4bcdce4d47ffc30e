"""Where the surface of a contact lets go that would pull, and where it presses again: steps of a collocation method end there.

A surface that has let go has no force until it presses again, and its memory follows the body.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import (
    APPROACH,
    BRISTLE,
    CIRCLING,
    DEPTH,
    FREE,
    MEMORY,
    MU,
    NEW_MEMORY,
    NONE,
    PHASE,
    RATE,
    SLIDING,
)
from fmbs.jit.compiled import kernel
from fmbs.laws.law_kernels import ask_contact, ask_friction
from fmbs.solvers.loop import slots
from fmbs.solvers.loop.contacts import PINS, inside, take_memory
from fmbs.solvers.loop.equations import tried
from fmbs.solvers.loop.stage_memory import contact_rate
from fmbs.solvers.loop.tables import Run

Array = NDArray[np.float64]

HALVINGS = 45  # of a step, until the instant is known at which a surface lets go


@kernel(plain=True, part=True)
def raw_force(r: Run, k: int, move: Array, memory: float) -> float:
    """Of station k's contact law, below zero where it would pull."""
    stations, st = r.equations.gaps.stations, r.stages
    ask_contact(
        stations.contact[k], stations.contact_row[k], move[DEPTH], move[RATE], r.motion.history[k, APPROACH], move[DEPTH],
        memory, 0.0, st.load,
    )  # fmt: skip
    return float(st.load[0])


@kernel(plain=True, part=True)
def switch(r: Run, k: int, move: Array, memory: float) -> float:
    """Above zero where the surface of station k lets go, or presses again."""
    st = r.stages
    if not st.loose[k]:
        return -raw_force(r, k, move, memory)
    if r.equations.gaps.stations.contact_memory[k] == NONE:
        return raw_force(r, k, move, memory)
    contact_rate(r, k, move, memory)
    return float(st.rate[0] - st.rate[1])


@kernel(plain=True, part=True)
def memory_at(r: Run, k: int, x: float) -> float:
    """Memory of station k's contact law at the fraction x of the step: through its start and stages."""
    st, first = r.stages, r.motion.history[k, MEMORY]
    total = first
    for i in range(3):
        weight = x / st.c[i]
        for j in range(3):
            if j != i:
                weight *= (x - st.c[j]) / (st.c[i] - st.c[j])
        total += weight * (st.history[i, k, MEMORY] - first)
    return float(total)


@kernel(plain=True, part=True)
def switching(r: Run, h: float, x: float) -> float:
    """The largest `switch` of all stations at the fraction x of the step."""
    stations, motion, history = r.equations.gaps.stations, r.equations.work.motion, r.motion.history
    inside(r, h, x)
    best = -np.inf
    for k in range(stations.joint.size):
        if stations.contact[k] > NONE and history[k, PHASE] != FREE and motion[k, DEPTH] > 0.0:
            memory = memory_at(r, k, x) if stations.contact_memory[k] != NONE else 0.0
            best = max(best, switch(r, k, motion[k], memory))
    return best


@kernel(plain=True)
def let_go(r: Run, t: float, h: float, until: float, times: Array, series: Array) -> None:
    """Answers the fraction of the step, before `until`, at which the first surface lets go or presses again; -1 if none does.

    The step has been taken up to there; it answers -2 where that has failed.
    """
    s, least = r.scratch, r.method.least
    s.answer[0] = -1.0
    high = until if until > 0.0 else 1.0
    if not switching(r, h, high * (1.0 - 1e-9)) > 0.0 or switching(r, h, least) > 0.0:
        return
    low = least
    for _ in range(HALVINGS):
        x = 0.5 * (low + high)
        if switching(r, h, x) > 0.0:
            high = x
        else:
            low = x
    x = high
    for _ in range(PINS):
        if not tried(r, times, series, t, x * h, t + x * h):
            s.answer[0] = -2.0
            return
        value, before = switching(r, x * h, 1.0), switching(r, x * h, 0.99)
        slope = (value - before) / (0.01 * x)
        room = least * slope
        if not slope > 0.0 or 0.0 <= value <= room:
            break
        x += (0.5 * room - value) / slope
        if not 0.0 < x <= 1.0:
            s.answer[0] = -2.0
            return
    s.answer[0] = x


@kernel(plain=True)
def end_memory(r: Run) -> None:
    """Memories and surfaces after a step: which of them have let go?"""
    e, motion, st = r.equations, r.motion, r.stages
    history = motion.history
    for k in range(history.shape[0]):
        if history[k, PHASE] == FREE:
            st.loose[k] = 0
            continue
        if e.events[slots.AT_MEMORY]:
            take_memory(r, k)
        if e.gaps.stations.contact[k] > NONE:
            move, memory = e.work.motion[k], history[k, MEMORY]
            changes = switch(r, k, move, memory)
            if st.loose[k]:
                st.loose[k] = 0 if changes > 0.0 else 1
            elif changes > 0.0 and move[DEPTH] > 0.0:
                st.loose[k] = 1
                if e.gaps.stations.contact_memory[k] != NONE:
                    contact_rate(r, k, move, memory)
                    st.loose[k] = 1 if st.rate[0] < st.rate[1] else 0


@kernel(plain=True)
def hidden_memory(r: Run, h: float) -> None:
    """Answers 1 where a law has a memory of which it has told no rate: it would be carried to second order only."""
    e, s, st = r.equations, r.scratch, r.stages
    stations, motion, history = e.gaps.stations, e.work.motion, r.motion.history
    s.answer[0] = 0.0
    for k in range(stations.joint.size):
        if history[k, PHASE] == FREE or not motion[k, DEPTH] > 0.0:
            continue
        depth, rate, v_c, v_a = motion[k, DEPTH], motion[k, RATE], motion[k, CIRCLING], motion[k, SLIDING]
        if stations.contact[k] > NONE and stations.contact_memory[k] == NONE:
            row, approach = stations.contact_row[k], history[k, APPROACH]
            ask_contact(stations.contact[k], row, depth, rate, approach, 0.0, 0.0, h, st.load)
            s.answer[0] = 1.0 if st.load[NEW_MEMORY] != 0.0 else s.answer[0]
        if stations.friction[k] > NONE and stations.friction_memory[k] == NONE:
            st.bristle[0, :] = 0.0
            row = stations.friction_row[k]
            ask_friction(stations.friction[k], row, v_c, v_a, v_c, v_a, 0.0, 0.0, h, st.bristle[0, 2:], st.load)
            s.answer[0] = 1.0 if st.load[BRISTLE - MU :].any() else s.answer[0]
