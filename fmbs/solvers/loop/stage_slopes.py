"""Slopes of what contacts remember at the stages of a collocation method, for its Newton matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import (
    CIRCLING,
    DEPTH,
    FREE,
    MEMORY,
    MU_SLIP,
    N_DEPTH,
    N_RATE,
    NONE,
    PHASE,
    RATE,
    SLIDING,
    N,
)
from fmbs.gaps.joint_kernels import SLOPES
from fmbs.gaps.joint_tables import GAP_TANGENT, TANGENT
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.laws.law_kernels import ask_friction
from fmbs.solvers.loop.letting_go import raw_force
from fmbs.solvers.loop.stage_memory import ASIDE, contact_rate, evaluated, friction_rate, take_bristle
from fmbs.solvers.loop.tables import Run

Array = NDArray[np.float64]


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
    """d mu / d slip by the bristle and further states: pairs that fade alike in both directions, each by itself."""
    stations, st, loads = r.equations.gaps.stations, r.stages, r.equations.work.loads
    row, law, n = stations.friction_row[k], stations.friction[k], st.rate.size
    v_c, v_a, z = move[CIRCLING], move[SLIDING], st.bristle[1]
    take_bristle(r, k, 1)
    friction_rate(r, k, v_c, v_a, z)
    size = 1e-300
    for c in range(n):
        st.pace[1, c] = st.rate[c]
        size = max(size, abs(z[c]), abs(st.rate[c] / sigma.real))
    aside, v = ASIDE * size, ASIDE * max(abs(v_c), abs(v_a), 1e-6)
    ask_friction(law, row, v_c, v_a, v_c, v_a, z[0], z[1], 0.0, z[2:], st.load)
    mu_c, mu_a = st.load[0], st.load[1]
    for first in range(0, n, 2):
        z[first] += aside
        friction_rate(r, k, v_c, v_a, z)
        fading = (st.rate[first] - st.pace[1, first]) / aside
        ask_friction(law, row, v_c, v_a, v_c, v_a, z[0], z[1], 0.0, z[2:], st.load)
        cc, ac = (st.load[0] - mu_c) / aside, (st.load[1] - mu_a) / aside
        z[first], z[first + 1] = z[first] - aside, z[first + 1] + aside
        ask_friction(law, row, v_c, v_a, v_c, v_a, z[0], z[1], 0.0, z[2:], st.load)
        ca, aa = (st.load[0] - mu_c) / aside, (st.load[1] - mu_a) / aside
        z[first + 1] -= aside
        share = part_of(1.0 / (sigma * (sigma - fading)), imaginary) / damping
        for d in range(2):
            friction_rate(r, k, v_c + (1 - d) * v, v_a + d * v, z)
            by_c, by_a = (st.rate[first] - st.pace[1, first]) / v, (st.rate[first + 1] - st.pace[1, first + 1]) / v
            loads[k, MU_SLIP + d] += share * (cc * by_c + ca * by_a)
            loads[k, MU_SLIP + 2 + d] += share * (ac * by_c + aa * by_a)
