"""Tables and work arrays of the compiled driver."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.constraint_kernels import TermTable
from fmbs.core.vectors import VectorTable
from fmbs.gaps.contact_kernels import HISTORY
from fmbs.gaps.joint_kernels import Gaps, Work, work_of

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]


class Equations(NamedTuple):
    """The equations of motion as arrays."""

    vectors: VectorTable
    terms: TermTable
    mass_indptr: Short
    mass_indices: Short
    mass_data: Array  # compressed rows
    weight: Array  # (n,)
    mass_places: Integers  # of the entries of M, in the order of its rows, in the full Newton matrix
    constraint_places: Integers  # of the entries of constraint_tangent
    scale: Array  # (n,)
    mass_scale: float
    length_scale: float
    driven: bool
    multipliers: int
    gaps: Gaps
    gap_places: Integers  # of the entries of gap_tangent


class Method(NamedTuple):
    """Coefficients of the method and limits of Newton's iteration."""

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    error_constant: float
    newton_tolerance: float
    max_iterations: int
    round_off: float
    largest_error: float
    factor_cost: int
    growths: int
    settling: int
    always: bool
    small_jump: float
    landed: float
    at_start: float


class Motion(NamedTuple):
    """What a step changes, in place."""

    q: Array
    v: Array
    a: Array
    lam: Array
    w: Array
    jerk: Array
    last_a: Array
    last_lam: Array
    history: Array  # (stations, HISTORY)
    absorbed: Array  # (stations,) energy that flowed into each station, J


class Memory(NamedTuple):
    """What the stepper remembers from step to step, in place."""

    matrix: Array  # (n + m, n + m): L and U
    pivots: Integers  # (n + m,)
    numbers: Integers  # see below
    sizes: Array


FACTORED, WORN, FEWEST, EXTRA, SETTLING, ITERATIONS, FACTORIZATIONS, CONTACTS = 0, 1, 2, 3, 4, 5, 6, 7
NUMBERS = 8
CONTRACTION, LARGEST, STEP, LAST, WORK, POWER = 0, 1, 2, 3, 4, 5  # LAST: time since the state before, 0 where there is none
SIZES = 6


class Inputs(NamedTuple):
    """Weights of the terms and right-hand sides -c of the drives, each with two time derivatives."""

    weights: Array  # (3, terms)
    minus_c: Array  # (3, m)


class Scratch(NamedTuple):
    """Work arrays; the first are the end of the step that is being tried."""

    q: Array
    v: Array
    a: Array
    lam: Array
    w: Array
    w_0: Array
    v_0: Array
    old_history: Array
    middle_history: Array
    q_mid: Array
    v_mid: Array
    lam_mid: Array
    inflow: Array  # (stations,) at the start of a step, in its middle, at its end, W
    inflow_mid: Array
    inflow_new: Array
    u: Array
    rate: Array
    acceleration: Array
    entries: Array  # of constraint_tangent
    gap_entries: Array
    force: Array
    force_mid: Array
    x: Array  # (n + m,)
    phi: Array
    first: Array
    second: Array
    still: Array  # zeros
    no_lam: Array  # zeros
    watched: NDArray[np.bool_]  # (3, stations)
    near: Inputs  # at the start of a step, at its end
    far: Inputs
    work: Work


class Log(NamedTuple):
    """What happened in the stretch: ends of all steps and pieces of steps, starts and ends of contacts."""

    times: Array  # (capacity,)
    events: Array  # (capacity, EVENT): station, 1 start or 0 end, time, normal speed, energy absorbed since the stretch began
    filled: Integers  # (2,): how many times, how many events


EVENT = 5


class Kept(NamedTuple):
    """What a step that does not succeed is undone with."""

    motion: Motion
    numbers: Integers
    sizes: Array
    filled: Integers


def scratch_of(e: Equations) -> Scratch:
    """Empty work arrays."""
    n, stations, terms = e.weight.size, e.gaps.stations.joint.size, e.terms.row.size
    m = e.multipliers
    (q, v, a, w, w_0, v_0, q_mid, v_mid, force, force_mid, still), (lam, lam_mid, phi, first, second, no_lam) = (
        np.zeros((11, n)), np.zeros((6, m)),
    )  # fmt: skip
    old_history, middle_history = np.zeros((2, stations, HISTORY))
    inflow, inflow_mid, inflow_new = np.zeros((3, stations))
    u, rate, acceleration = np.zeros((3, e.vectors.kind.size, 3))
    near, far = (Inputs(np.zeros((3, terms)), np.zeros((3, m))) for _ in range(2))
    return Scratch(
        q, v, a, lam, w, w_0, v_0, old_history, middle_history, q_mid, v_mid, lam_mid, inflow, inflow_mid, inflow_new, u, rate,
        acceleration, np.zeros(e.constraint_places.size), np.zeros(e.gap_places.size), force, force_mid, np.zeros(n + m), phi,
        first, second, still, no_lam, np.zeros((3, stations), bool), near, far, work_of(e.gaps),
    )  # fmt: skip


def kept_of(motion: Motion, memory: Memory, log: Log) -> Kept:
    """Room for what a step is undone with."""
    same = Motion(*(np.empty_like(x) for x in motion))
    return Kept(same, np.empty_like(memory.numbers), np.empty_like(memory.sizes), np.empty_like(log.filled))
