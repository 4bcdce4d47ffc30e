"""Tables and work arrays of the time loop."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.constraint_kernels import TermTable
from fmbs.assembly.mass_product import MassRows
from fmbs.core.state import State
from fmbs.core.status import Status
from fmbs.core.vectors import VectorTable
from fmbs.gaps.contact_kernels import HISTORY
from fmbs.gaps.joint_tables import Gaps, Work
from fmbs.jit.tables import table
from fmbs.laws.law_kernels import FRICTION_OUT
from fmbs.solvers.storage.base import Matrix

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]


@table
class Parts:
    """Elements and then forces: addresses of their tables and kernels, see `CompiledPart`."""

    elements: int  # how many are elements; of these every rank has those that touch its own coordinates

    table: Integers  # (parts,)
    force: Integers
    tangent: Integers
    target: Integers  # of the BlockTarget of elements; 0: a force, whose entries are
    start: Integers  # (parts + 1,) entries[start[k] : start[k + 1]]
    places: Short  # of these entries in the Newton matrix
    entries: Array
    is_load: Integers
    damped: Integers
    power: Integers  # 0: what is_load and damped tell is all
    viscous: Integers  # (parts,) tables with a retardation time of 1 s; 0: not elastic


@table
class Calls:
    """Addresses of kernels that have a Python caller too; those of joints with gaps are 0 without any."""

    constraint_power: int
    constraint_residual: int
    constraint_tangent: int
    constraint_rates: int
    constraint_accelerations: int
    gap_move: int
    gap_force: int
    gap_force_here: int
    gap_slopes: int
    gap_inflow: int
    gap_end: int


@table
class Equations:
    """The equations of motion as arrays."""

    vectors: VectorTable
    terms: TermTable
    mass: MassRows
    mass_indptr: Short
    mass_data: Array  # of M, column by column
    mass_places: Short  # of these in the Newton matrix
    drag: Array  # (n,) 1/s, damping proportional to mass
    damped: bool  # is there any?
    weight: Array  # (n,)
    constraint_places: Short  # of the entries of constraint_tangent
    gradient: Integers  # (entries, 3) those of them that are Phi_q: their place among them, row and column
    signs: Array  # (n + m,) 1 and -1 at random
    far: bool  # is the model so large that the last bit of positions counts in the strains?
    scale: Array  # (n,)
    per_scale: Array  # (n,) 1 / scale
    directions: Integers  # (directions, 2) coordinates whose rates tell how fast bodies turn
    elastic: bool  # does any body bend?
    mass_scale: float
    length_scale: float
    driven: bool
    phased_terms: Integers  # terms whose weights are functions of time
    driven_rows: Integers  # equations whose right-hand sides are
    flowing: bool  # is any power supplied or dissipated outside contacts?
    parts: Parts
    gaps: Gaps
    work: Work
    gap_places: Short  # of the entries of gap_slopes
    calls: Calls
    events: Integers  # (EVENTS,) addresses of what fills the slots of the loop, see `slots`; 0 where nothing does


@table
class Method:
    """Coefficients of the method and limits of Newton's iteration."""

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    error_constant: float
    newton_tolerance: float
    max_iterations: int
    factor_cost: int
    always: bool  # are velocities straightened in every step?
    coarse_turn: float
    numerical: bool  # is Newton's matrix made of differences?
    order: int
    least: float  # of a step: contacts are located, and gaps count as closed, to this


@table
class Motion:
    """What a step changes, in place: one array, and views of it."""

    all: Array
    q: Array
    v: Array
    a: Array
    lam: Array
    w: Array
    jerk: Array
    last_a: Array
    last_lam: Array
    history: Array  # (stations, numbers that each remembers)
    absorbed: Array  # (stations,) energy that flowed into each station, J
    flow: Array  # (2,) power supplied and dissipated, W
    total: Array  # (3,) their integrals since the stretch began, and what the method's damping took, J

    def put(self, state: State) -> None:
        """Begin at a state."""
        self.q[:], self.v[:], self.a[:], self.lam[:] = state.q, state.v, state.a, state.lam
        self.w[:], self.jerk[:] = state.memory
        self.history[:] = state.history.reshape(self.history.shape)
        self.absorbed[:], self.total[:] = 0.0, 0.0

    def state(self, t: float, h: float) -> State:
        """The state at t, after a step of h."""
        q, v, a, lam = (x.copy() for x in (self.q, self.v, self.a, self.lam))
        return State(t, q, v, a, lam, np.stack([self.w, self.jerk]), h, self.history.flatten())


@table
class Memory:
    """What the stepper remembers from step to step, in place."""

    matrix: Matrix
    numbers: Integers  # see below
    sizes: Array


FACTORED, WORN, FEWEST, EXTRA, SETTLING = 0, 1, 2, 3, 4
STEPS, ITERATIONS, FACTORIZATIONS, CONTACTS, REJECTED = COUNTS = 5, 6, 7, 8, 9  # as in `core.state.Counters`
COARSE, STIFF = 10, 11  # is this a step in which bodies turn far, and elastic ones among them?
STATUS = 12  # why the last step failed: a place in STATUSES
HIT = 13  # do rigid surfaces meet here? The loop returns, others know what follows
NUMBERS = 14
CONTRACTION, LARGEST, STEP, LAST = 0, 1, 2, 3  # LAST: time since the state before, 0 where there is none
NOISE = 4  # scaled change of q that round-off in Phi causes; 0: not known yet
TURN = 5  # of a body in one step, the largest since the stretch began, rad
SIZES = 6

STATUSES = (Status.CONVERGED, Status.DIVERGED, Status.SLOW, Status.LEAP, Status.SINGULAR, Status.NOT_FINITE,
            Status.STEP_TOO_SMALL, Status.HIDDEN_MEMORY)  # fmt: skip
CONVERGED, DIVERGED, SLOW, LEAP, SINGULAR, NOT_FINITE, STEP_TOO_SMALL, HIDDEN = range(len(STATUSES))


@table
class Control:
    """How long steps are; floats all, or another kind of table would be compiled.

    step: of equal steps, s; 0: error control, with the other limits
    """

    step: float
    start: float  # time at which the run began, s
    t_end: float
    tolerance: float
    largest: float  # step, s
    smallest: float


@table
class Inputs:
    """Weights of the terms and right-hand sides -c of the drives, each with two time derivatives."""

    weights: Array  # (3, terms)
    minus_c: Array  # (3, m)
    varying: Array  # (3, varying) those of them that depend on time


@table
class Scratch:
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
    a_mid: Array
    lam_mid: Array
    inflow: Array  # (stations,) at the start of a step, in its middle, at its end, W
    inflow_mid: Array
    inflow_new: Array
    flow: Array  # (2,) at the end of a step and in its middle
    flow_mid: Array
    error: Array  # (n,) estimated local error of q
    taken: Array  # (1,) kinetic energy that straight and calm velocities have cost in this step, J
    u: Array
    rate: Array
    acceleration: Array
    entries: Array  # of constraint_tangent
    gap_entries: Array
    force: Array
    force_mid: Array
    shared: Array  # (n,) what ranks make known to each other
    x: Array  # (n + m,)
    phi: Array
    rows: Array  # (m,)
    still: Array  # zeros
    watched: NDArray[np.bool_]  # (4, stations)
    released: Integers  # (1,)
    known: Integers  # (2,) does e.work.start belong to the motion, e.work.end to the end of the step?
    answer: Array  # (1,) of a kernel that is called by address
    fine: Integers  # (1,) have all functions in Python answered?
    place_q: Array  # where Newton's matrix is wanted, and b, g, h of it, for one that Python differences
    place_v: Array
    place_lam: Array
    place: Array  # (4,) the last: is it wanted at all?
    near: Inputs  # at the start of a step, at its end
    far: Inputs


@table
class Stages:
    """Collocation: the method, and what its stages hold; of no size in other methods."""

    c: Array  # (3,) nodes, parts of a step
    a: Array  # (3, 3) weights; the last row is the quadrature
    inverse: Array  # (3, 3) of a
    to: Array  # (3, 3) from stages to the eigenvectors of `inverse`: of one real value and of a complex pair
    back: Array  # (3, 3)
    eigen: Array  # (3,) the real value, and the pair's real and imaginary part
    weights: Array  # (3,) of the error estimate
    q: Array  # (3, n)
    v: Array
    dv: Array  # v'
    lam: Array  # (3, m)
    force: Array  # (3, n) residuals
    rates: Array  # (3, m)
    last_v: Array  # (3, n) v at the stages of the last step, less that at its start
    last_lam: Array  # (3, m)
    first: Inputs  # drives at the first two stages; those of the third are at the end of the step
    second: Inputs
    twin: Matrix  # of the complex pair, [Re, -Im; Im, Re]
    y: Array  # (2 (n + m),)
    base_places: Short  # (entries,) of the Newton matrix, and of its copies in the twin
    twin_places: Short  # (4, entries)
    factored: Array  # (1,) step of the matrices, s
    history: Array  # (3, stations, numbers that each remembers)
    wearing: Array  # as large: how fast wear grows, m/s
    moves: Array  # (3, stations, 4) motion of the stations
    loose: Integers  # (stations,) has the surface let go?
    small: Array  # (3 n, 3 n + 1) equations of a station's memory of n numbers
    bristle: Array  # (3, n) that of its friction law
    pace: Array  # (3, n) its rates at the stages
    rate: Array  # (n,) at one place
    load: Array  # (8 + further states,) of a law


@table
class Log:
    """What happened in the stretch: ends of all steps and pieces of steps, starts and ends of contacts."""

    times: Array  # (capacity,)
    events: Array  # (capacity, EVENT): station, 1 start or 0 end, time, normal speed, energy absorbed since the stretch began
    filled: Integers  # (2,): how many times, how many events


EVENT = 5


@table
class Kept:
    """The state before the last step, or what a step is undone with where a function in Python has failed."""

    motion: Motion
    numbers: Integers
    sizes: Array
    filled: Integers


@table
class Run:
    """All that the kernels take."""

    equations: Equations
    method: Method
    control: Control
    motion: Motion
    memory: Memory
    log: Log
    kept: Kept
    scratch: Scratch
    stages: Stages


def scratch_of(e: Equations, weights: Array, minus_c: Array, fine: Integers) -> Scratch:
    """Empty work arrays. weights, minus_c: the constants among the inputs; fine: see `PythonCalls`."""
    n, m, stations = e.weight.size, minus_c.shape[1], e.gaps.stations.joint.size
    q, v, a, w, w_0, v_0, q_mid, v_mid, a_mid, force, force_mid, shared, still, place_q, place_v, error = np.zeros((16, n))
    lam, lam_mid, phi, rows, place_lam = np.zeros((5, m))
    old_history, middle_history = np.zeros((2, stations, e.work.history.shape[1]))
    inflow, inflow_mid, inflow_new = np.zeros((3, stations))
    u, rate, acceleration = np.zeros((3, e.vectors.kind.size, 3))
    varying = e.phased_terms.size + e.driven_rows.size
    near, far = (Inputs(weights.copy(), minus_c.copy(), np.zeros((3, varying))) for _ in range(2))
    return Scratch(
        q, v, a, lam, w, w_0, v_0, old_history, middle_history, q_mid, v_mid, a_mid, lam_mid, inflow, inflow_mid, inflow_new,
        np.zeros(2), np.zeros(2), error, np.zeros(1), u, rate, acceleration, np.zeros(e.constraint_places.size),
        np.zeros(e.gap_places.size), force, force_mid, shared, np.zeros(n + m), phi, rows, still,
        np.zeros((4, stations), bool), np.zeros(1, np.int64), np.zeros(2, np.int64), np.zeros(1), fine, place_q, place_v,
        place_lam, np.zeros(4), near, far,
    )  # fmt: skip


def stage_memories(e: Equations) -> dict[str, NDArray[Any]]:
    """Those of the arrays of `Stages` that hold what contacts remember."""
    (stations, width), sectors = e.work.history.shape, e.gaps.stations.wear.shape[1]
    history, wearing = np.zeros((2, 3, stations, width))
    loose, moves = np.zeros(stations, np.int64), np.zeros((3, stations, 4))
    states = width - HISTORY - sectors
    n = 2 + states
    own = {"small": np.zeros((3 * n, 3 * n + 1)), "bristle": np.zeros((3, n)), "pace": np.zeros((3, n)), "rate": np.zeros(n)}
    own["load"] = np.zeros(FRICTION_OUT + states)
    return {"history": history, "wearing": wearing, "moves": moves, "loose": loose, **own}


def motion_of(e: Equations, m: int) -> Motion:
    """Room for a state with m multipliers."""
    n, stations = e.weight.size, e.gaps.stations.joint.size
    shapes = [(n,)] * 3 + [(m,)] + [(n,)] * 3 + [(m,), (stations, e.work.history.shape[1]), (stations,), (2,), (3,)]
    ends = np.cumsum([prod(shape) for shape in shapes])
    everything = np.zeros(ends[-1])
    parts = np.split(everything, ends[:-1])
    return Motion(everything, *(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))


def log_of(e: Equations, steps: int) -> Log:
    """Room for what happens in so many steps: of each station a start at both ends of a step, and an end."""
    return Log(np.empty(steps), np.empty((3 * e.gaps.stations.joint.size * steps, EVENT)), np.zeros(2, np.int64))


def kept_of(e: Equations, m: int) -> Kept:
    """Room for what a step is undone with."""
    return Kept(motion_of(e, m), np.zeros(NUMBERS, np.int64), np.zeros(SIZES), np.zeros(2, np.int64))


def no_stages(e: Equations) -> Stages:
    """Of a method without any."""
    line, rows = np.zeros(0), np.zeros((0, 0))
    inputs = Inputs(np.zeros((3, 0)), np.zeros((3, 0)), np.zeros((3, 0)))
    matrix = Matrix(line, 0, 0, 0, np.zeros(1, np.int64))
    short = np.zeros(0, np.int32)
    return Stages(
        c=line, a=rows, inverse=rows, to=rows, back=rows, eigen=line, weights=line, q=rows, v=rows, dv=rows, lam=rows,
        force=rows, rates=rows, last_v=rows, last_lam=rows, first=inputs, second=inputs, twin=matrix, y=line,
        base_places=short, twin_places=np.zeros((4, 0), np.int32), factored=line, **stage_memories(e),
    )  # fmt: skip
