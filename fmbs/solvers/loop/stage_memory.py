"""What contacts remember, at the stages of a collocation method: bristles, the force of a Maxwell branch, wear.

    z_i = z_0 + h sum_j a_ij z'(x_j, z_j)        x: motion of the station at the stage

is solved station by station for the memory of its law, whenever the stages have moved: Newton's method for the motion sees
memories as functions of it, with their slopes. Wear is so slow that the loads of the iteration before tell it.

The surface of a contact that would pull lets go: its force is zero and its memory follows the body until it presses again.
Steps end where that changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import (
    APPROACH,
    BRISTLE,
    CIRCLING,
    DEPTH,
    FREE,
    HISTORY,
    MEMORY,
    MU,
    MU_SLIP,
    N_DEPTH,
    N_RATE,
    NEW_MEMORY,
    NONE,
    PHASE,
    RATE,
    SLIDING,
    SLIP_A,
    SLIP_C,
    N,
    show_wear,
    wear_off,
)
from fmbs.gaps.joint_kernels import SLOPES, VALUES, act_everywhere, gap_move, loads_here
from fmbs.gaps.joint_tables import GAP_TANGENT, TANGENT
from fmbs.jit.assign_kernels import assign_table
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.laws.law_kernels import CONTACT_MEMORY, FRICTION_MEMORY, ask_contact, ask_friction
from fmbs.solvers.loop.contacts import PINS, inside, take_memory
from fmbs.solvers.loop.equations import tried
from fmbs.solvers.loop.tables import Run

Array = NDArray[np.float64]

TRIALS = 20  # of the solution for one station
HALVINGS = 45  # of a step, until the instant is known at which a surface lets go
EXACT = 1e-14
ASIDE = 1e-4  # relative: most rates are linear in the memory


@kernel(plain=True)
def start_memory(r: Run) -> None:
    """All stages as at the start of the step."""
    motion, st = r.motion, r.stages
    st.wearing[:, :, :] = 0.0
    show_wear(r.equations.gaps.stations, motion.history)
    for i in range(3):
        assign_table(st.history[i], motion.history)


@kernel(plain=True)
def stage_memory(r: Run, h: float) -> None:
    """Memories of all stages, where these are now; answers the largest change of wear, m, or NaN where there is no solution."""
    e, motion, s, st = r.equations, r.motion, r.scratch, r.stages
    stations, work, history = e.gaps.stations, e.work, r.motion.history
    change = 0.0
    for k in range(stations.joint.size):
        for c in range(HISTORY, history.shape[1]):
            for i in range(3):
                worn = history[k, c]
                for j in range(3):
                    worn += h * st.a[i, j] * st.wearing[j, k, c]
                change = max(change, abs(worn - st.history[i, k, c]))
                st.history[i, k, c] = worn
    for i in range(3):
        show_wear(stations, st.history[i])
        gap_move(e.gaps, work, st.q[i], st.v[i], work.motion)
        assign_table(st.moves[i], work.motion)
    for k in range(stations.joint.size):
        if motion.history[k, PHASE] == FREE:
            continue
        solved = True
        if stations.contact_memory[k] != NONE:
            solved = pressed(r, k, h)
        if stations.friction_memory[k] != NONE:
            solved = rubbed(r, k, h) and solved
        if not solved:
            change = np.nan
    s.answer[0] = change


@kernel(plain=True, part=True)
def contact_rate(r: Run, k: int, move: Array, memory: float) -> float:
    """Of the memory of station k's contact law."""
    stations, st = r.equations.gaps.stations, r.stages
    call(
        CONTACT_MEMORY, stations.contact_memory[k], stations.contact_row[k], move[DEPTH], move[RATE],
        r.motion.history[k, APPROACH], memory, st.rate,
    )  # fmt: skip
    return float(st.rate[1] if st.loose[k] else st.rate[0])


@kernel(plain=True, part=True)
def pressed(r: Run, k: int, h: float) -> bool:
    st, first = r.stages, r.motion.history[k, MEMORY]
    for _ in range(TRIALS):
        size = abs(first)
        for i in range(3):
            z = st.history[i, k, MEMORY]
            st.small[i, 6] = contact_rate(r, k, st.moves[i, k], z)
            aside = ASIDE * max(abs(z), h * abs(st.small[i, 6]), 1e-300)
            slope = (contact_rate(r, k, st.moves[i, k], z + aside) - st.small[i, 6]) / aside
            for j in range(3):
                st.small[j, i] = (1.0 if i == j else 0.0) - h * st.a[j, i] * slope
            st.rest[i] = st.small[i, 6]
            size = max(size, abs(z), h * abs(st.small[i, 6]))
        for i in range(3):
            st.small[i, 6] = first - st.history[i, k, MEMORY]
            for j in range(3):
                st.small[i, 6] += h * st.a[i, j] * st.rest[j]
        eliminate(st.small, 3)
        largest = 0.0
        for i in range(3):
            st.history[i, k, MEMORY] += st.small[i, 6]
            largest = max(largest, abs(st.small[i, 6]))
        if not np.isfinite(largest):
            return False
        if largest <= EXACT * size:
            return True
    return False


@kernel(plain=True, part=True)
def rubbed(r: Run, k: int, h: float) -> bool:
    stations, st, history = r.equations.gaps.stations, r.stages, r.motion.history
    place, row = stations.friction_memory[k], stations.friction_row[k]
    for _ in range(TRIALS):
        size = max(abs(history[k, SLIP_C]), abs(history[k, SLIP_A]))
        for i in range(3):
            v_c, v_a = st.moves[i, k, CIRCLING], st.moves[i, k, SLIDING]
            z_c, z_a = st.history[i, k, SLIP_C], st.history[i, k, SLIP_A]
            call(FRICTION_MEMORY, place, row, v_c, v_a, z_c, z_a, st.rate)
            rate_c, rate_a = st.rate[0], st.rate[1]
            st.rest[2 * i], st.rest[2 * i + 1] = rate_c, rate_a
            size = max(size, abs(z_c), abs(z_a), h * abs(rate_c), h * abs(rate_a))
            aside = ASIDE * max(abs(z_c), abs(z_a), h * abs(rate_c), h * abs(rate_a), 1e-300)
            for d in range(2):
                call(FRICTION_MEMORY, place, row, v_c, v_a, z_c + (1 - d) * aside, z_a + d * aside, st.rate)
                for j in range(3):
                    same = 1.0 if i == j else 0.0
                    st.small[2 * j, 2 * i + d] = same * (1 - d) - h * st.a[j, i] * (st.rate[0] - rate_c) / aside
                    st.small[2 * j + 1, 2 * i + d] = same * d - h * st.a[j, i] * (st.rate[1] - rate_a) / aside
        for i in range(3):
            for d in range(2):
                st.small[2 * i + d, 6] = history[k, SLIP_C + d] - st.history[i, k, SLIP_C + d]
                for j in range(3):
                    st.small[2 * i + d, 6] += h * st.a[i, j] * st.rest[2 * j + d]
        eliminate(st.small, 6)
        largest = 0.0
        for i in range(3):
            for d in range(2):
                st.history[i, k, SLIP_C + d] += st.small[2 * i + d, 6]
                largest = max(largest, abs(st.small[2 * i + d, 6]))
        if not np.isfinite(largest):
            return False
        if largest <= EXACT * size:
            return True
    return False


@kernel(plain=True, part=True)
def eliminate(a: Array, n: int) -> None:
    """The solution in the last column of the n equations whose right-hand sides stand there, by Gauss with pivots."""
    last = a.shape[1] - 1
    for c in range(n):
        best = c
        for i in range(c + 1, n):
            best = i if abs(a[i, c]) > abs(a[best, c]) else best
        for j in range(c, n):
            a[c, j], a[best, j] = a[best, j], a[c, j]
        a[c, last], a[best, last] = a[best, last], a[c, last]
        for i in range(c + 1, n):
            share = a[i, c] / a[c, c]
            for j in range(c, n):
                a[i, j] -= share * a[c, j]
            a[i, last] -= share * a[c, last]
    for c in range(n - 1, -1, -1):
        for j in range(c + 1, n):
            a[c, last] -= a[c, j] * a[j, last]
        a[c, last] /= a[c, c]


@kernel(plain=True)
def stage_loads(r: Run, i: int) -> None:
    """Forces on all vectors at stage i, and how fast wear grows there."""
    e, st = r.equations, r.stages
    evaluated(r, i, VALUES)
    act_everywhere(e.gaps, e.work)
    st.wearing[i, :, :] = 0.0
    if e.gaps.stations.wear.shape[1]:
        wear_off(e.gaps.stations, e.work.u, e.work.motion, e.work.loads, 1.0, st.wearing[i])


@kernel(plain=True, part=True)
def evaluated(r: Run, i: int, order: float) -> None:
    """Laws and films at stage i."""
    e, st = r.equations, r.stages
    show_wear(e.gaps.stations, st.history[i])
    gap_move(e.gaps, e.work, st.q[i], st.v[i], e.work.motion)
    loads_here(e.gaps, e.work, e.work.motion, st.history[i], 0.0, order)
    for k in range(st.loose.size):
        if st.loose[k]:
            e.work.loads[k, N], e.work.loads[k, N_DEPTH], e.work.loads[k, N_RATE] = 0.0, 0.0, 0.0


@kernel(plain=True)
def stage_slopes(r: Run, re: float, im: float, imaginary: bool, stiffness: float, damping: float) -> None:
    """Entries of Newton's matrix of all joints at the second stage, for the eigenvalue sigma = re + i im of the method.

    A memory with z' = k_x x' + k_z z changes by k_x x / (1 - k_z / sigma) there, and the load with it.
    """
    e, s, st = r.equations, r.scratch, r.stages
    stations, loads, sigma = e.gaps.stations, e.work.loads, complex(re, im)
    evaluated(r, 1, SLOPES)
    for k in range(stations.joint.size):
        if r.motion.history[k, PHASE] == FREE or loads[k, N] == 0.0:
            continue
        move = st.moves[1, k]
        if stations.contact_memory[k] != NONE:
            z = st.history[1, k, MEMORY]
            rate = contact_rate(r, k, move, z)
            aside = ASIDE * max(abs(z), abs(rate / re), 1e-300)
            fading = (contact_rate(r, k, move, z + aside) - rate) / aside
            by_memory = (raw_force(r, k, move, z + aside) - raw_force(r, k, move, z)) / aside
            share = 1.0 / (sigma * (sigma - fading))
            d, v = ASIDE * max(abs(move[DEPTH]), 1e-300), ASIDE * max(abs(move[RATE]), 1e-6)
            before, after = move[DEPTH], move[RATE]
            move[RATE] = after + v
            by_rate = (contact_rate(r, k, move, z) - rate) / v
            move[DEPTH], move[RATE] = before + d, after
            by_depth = (contact_rate(r, k, move, z) - rate) / d
            move[DEPTH] = before
            loads[k, N_RATE] += by_memory * by_rate * part_of(share, imaginary) / damping
            loads[k, N_DEPTH] += by_memory * by_depth * part_of(share / sigma, imaginary) / stiffness
        if stations.friction_memory[k] != NONE:
            bristle_slopes(r, k, move, sigma, imaginary, damping)
    call(GAP_TANGENT, e.gaps.layout.calls[TANGENT], e.gaps, e.work, st.q[1], st.v[1], stiffness, damping, s.gap_entries)


@kernel(plain=True, part=True)
def part_of(x: Any, imaginary: bool) -> float:
    return float(x.imag if imaginary else x.real)


@kernel(plain=True, part=True)
def bristle_slopes(r: Run, k: int, move: Array, sigma: Any, imaginary: bool, damping: float) -> None:
    """d mu / d slip by the bristle, whose own fading counts as the same in both directions."""
    stations, st, loads = r.equations.gaps.stations, r.stages, r.equations.work.loads
    place, row, law = stations.friction_memory[k], stations.friction_row[k], stations.friction[k]
    v_c, v_a, z_c, z_a = move[CIRCLING], move[SLIDING], st.history[1, k, SLIP_C], st.history[1, k, SLIP_A]
    call(FRICTION_MEMORY, place, row, v_c, v_a, z_c, z_a, st.rate)
    rate_c, rate_a = st.rate[0], st.rate[1]
    size = max(abs(z_c), abs(z_a), abs(rate_c / sigma.real), abs(rate_a / sigma.real), 1e-300)
    aside, v = ASIDE * size, ASIDE * max(abs(v_c), abs(v_a), 1e-6)
    call(FRICTION_MEMORY, place, row, v_c, v_a, z_c + aside, z_a, st.rate)
    fading = (st.rate[0] - rate_c) / aside
    ask_friction(law, row, v_c, v_a, v_c, v_a, z_c, z_a, 0.0, st.load)
    mu_c, mu_a = st.load[0], st.load[1]
    ask_friction(law, row, v_c, v_a, v_c, v_a, z_c + aside, z_a, 0.0, st.load)
    cc, ac = (st.load[0] - mu_c) / aside, (st.load[1] - mu_a) / aside
    ask_friction(law, row, v_c, v_a, v_c, v_a, z_c, z_a + aside, 0.0, st.load)
    ca, aa = (st.load[0] - mu_c) / aside, (st.load[1] - mu_a) / aside
    share = part_of(1.0 / (sigma * (sigma - fading)), imaginary) / damping
    for d in range(2):
        call(FRICTION_MEMORY, place, row, v_c + (1 - d) * v, v_a + d * v, z_c, z_a, st.rate)
        by_c, by_a = (st.rate[0] - rate_c) / v, (st.rate[1] - rate_a) / v
        loads[k, MU_SLIP + d] += share * (cc * by_c + ca * by_a)
        loads[k, MU_SLIP + 2 + d] += share * (ac * by_c + aa * by_a)


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
    e, motion = r.equations, r.motion
    inside(r, h, x)
    best = -np.inf
    for k in range(e.gaps.stations.joint.size):
        if e.gaps.stations.contact_memory[k] != NONE and motion.history[k, PHASE] != FREE and e.work.motion[k, DEPTH] > 0.0:
            best = max(best, switch(r, k, e.work.motion[k], memory_at(r, k, x)))
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
        take_memory(r, k)
        if e.gaps.stations.contact_memory[k] != NONE:
            move, memory = st.moves[2, k], history[k, MEMORY]
            changes = switch(r, k, move, memory)
            if st.loose[k]:
                st.loose[k] = 0 if changes > 0.0 else 1
            elif changes >= 0.0 and move[DEPTH] > 0.0:
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
            ask_friction(stations.friction[k], stations.friction_row[k], v_c, v_a, v_c, v_a, 0.0, 0.0, h, st.load)
            s.answer[0] = 1.0 if st.load[BRISTLE - MU] != 0.0 or st.load[BRISTLE - MU + 1] != 0.0 else s.answer[0]
