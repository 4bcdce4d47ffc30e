"""What contacts remember, at the stages of a collocation method: bristles, the force of a Maxwell branch, wear.

    z_i = z_0 + h sum_j a_ij z'(x_j, z_j)        x: motion of the station at the stage

is solved station by station for the memory of its law, whenever the stages have moved: Newton's method for the motion sees
memories as functions of it, with their slopes (`stage_slopes`). Wear is so slow that the loads of the iteration before tell it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import (
    APPROACH,
    CIRCLING,
    DEPTH,
    FREE,
    HISTORY,
    MEMORY,
    N_DEPTH,
    N_RATE,
    NONE,
    PHASE,
    RATE,
    SLIDING,
    SLIP_C,
    N,
    show_wear,
    wear_off,
)
from fmbs.gaps.joint_kernels import VALUES, act_everywhere, gap_move, loads_here
from fmbs.jit.assign_kernels import assign_table
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.laws.law_kernels import CONTACT_MEMORY, FRICTION_MEMORY
from fmbs.solvers.loop.tables import Run

Array = NDArray[np.float64]

TRIALS = 20  # of the solution for one station
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
        for c in range(HISTORY, HISTORY + stations.wear.shape[1]):
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
    """Memory of station k's contact law; is there a solution?"""
    st, first = r.stages, r.motion.history[k, MEMORY]
    last = st.small.shape[1] - 1
    for _ in range(TRIALS):
        size = abs(first)
        for i in range(3):
            z = st.history[i, k, MEMORY]
            st.pace[i, 0] = contact_rate(r, k, st.moves[i, k], z)
            aside = ASIDE * max(abs(z), h * abs(st.pace[i, 0]), 1e-300)
            slope = (contact_rate(r, k, st.moves[i, k], z + aside) - st.pace[i, 0]) / aside
            for j in range(3):
                st.small[j, i] = (1.0 if i == j else 0.0) - h * st.a[j, i] * slope
            size = max(size, abs(z), h * abs(st.pace[i, 0]))
        for i in range(3):
            st.small[i, last] = first - st.history[i, k, MEMORY]
            for j in range(3):
                st.small[i, last] += h * st.a[i, j] * st.pace[j, 0]
        eliminate(st.small, 3)
        largest = 0.0
        for i in range(3):
            st.history[i, k, MEMORY] += st.small[i, last]
            largest = max(largest, abs(st.small[i, last]))
        if not np.isfinite(largest):
            return False
        if largest <= EXACT * size:
            return True
    return False


@kernel(plain=True, part=True)
def place_of(r: Run, c: int) -> int:
    """Where in a station's history number c of its friction law's memory stands: bristle, further states."""
    return SLIP_C + c if c < 2 else HISTORY + r.equations.gaps.stations.wear.shape[1] + c - 2


@kernel(plain=True, part=True)
def take_bristle(r: Run, k: int, i: int) -> None:
    """Memory of station k's friction law at stage i, in one row."""
    st = r.stages
    for c in range(st.rate.size):
        st.bristle[i, c] = st.history[i, k, place_of(r, c)]


@kernel(plain=True, part=True)
def friction_rate(r: Run, k: int, slip_c: float, slip_a: float, z: Array) -> None:
    """st.rate: of the memory z of station k's friction law."""
    stations, st = r.equations.gaps.stations, r.stages
    for c in range(2, z.size):
        st.rate[c] = z[c]
    call(FRICTION_MEMORY, stations.friction_memory[k], stations.friction_row[k], slip_c, slip_a, z[0], z[1], st.rate)


@kernel(plain=True, part=True)
def rubbed(r: Run, k: int, h: float) -> bool:
    """Memory of station k's friction law; is there a solution?"""
    st, first, n = r.stages, r.motion.history[k], r.stages.rate.size
    last = st.small.shape[1] - 1
    for i in range(3):
        take_bristle(r, k, i)
    for _ in range(TRIALS):
        size = 0.0
        for i in range(3):
            v_c, v_a, z = st.moves[i, k, CIRCLING], st.moves[i, k, SLIDING], st.bristle[i]
            friction_rate(r, k, v_c, v_a, z)
            way = 1e-300
            for c in range(n):
                st.pace[i, c] = st.rate[c]
                way = max(way, abs(z[c]), h * abs(st.rate[c]))
            size, aside = max(size, way), ASIDE * way
            for d in range(n):
                before = z[d]
                z[d] = before + aside
                friction_rate(r, k, v_c, v_a, z)
                z[d] = before
                for c in range(n):
                    slope = (st.rate[c] - st.pace[i, c]) / aside
                    for j in range(3):
                        st.small[n * j + c, n * i + d] = (1.0 if i == j and c == d else 0.0) - h * st.a[j, i] * slope
        for c in range(n):
            old = first[place_of(r, c)]
            size = max(size, abs(old))
            for i in range(3):
                st.small[n * i + c, last] = old - st.bristle[i, c]
                for j in range(3):
                    st.small[n * i + c, last] += h * st.a[i, j] * st.pace[j, c]
        eliminate(st.small, 3 * n)
        largest = 0.0
        for i in range(3):
            for c in range(n):
                st.bristle[i, c] += st.small[n * i + c, last]
                largest = max(largest, abs(st.small[n * i + c, last]))
        if not np.isfinite(largest):
            return False
        if largest <= EXACT * size:
            for i in range(3):
                for c in range(n):
                    st.history[i, k, place_of(r, c)] = st.bristle[i, c]
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
