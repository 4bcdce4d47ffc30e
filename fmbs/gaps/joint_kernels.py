"""Clearance joints as a whole: forces, tangents and power of contacts and films together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import (
    CIRCLING,
    FREE,
    MU,
    PHASE,
    RATE,
    SLIDING,
    N,
    evaluate,
    generalized_forces,
    move,
    pull_all,
    remember,
    show_wear,
    wear_off,
)
from fmbs.gaps.film_kernels import EVALUATE, EVALUATE_FILMS, FILM_FORCES, FILM_POWER, POWER, PUSH
from fmbs.gaps.joint_tables import FILMS, GAP_TANGENT, GAP_WEAR, LAWS, TANGENT, WEAR, Gaps, Work
from fmbs.gaps.tangent_kernels import tangent
from fmbs.jit.assign_kernels import assign_table
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.python_calls import PYTHON

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

VALUES, SLOPES = 0.0, 1.0  # not a flag: numba compiles a kernel anew for every constant flag or integer


@kernel(plain=True)
def gap_move(gaps: Gaps, work: Work, q: Array, v: Array, motion: Array) -> None:
    """Motion of all stations  # (stations, 4)."""
    move(gaps.vectors, gaps.stations, q, v, work.u, work.du, motion, work.frames)


@kernel(plain=True)
def act_everywhere(gaps: Gaps, work: Work) -> None:
    """Forces on all vectors from the loads of stations and films."""
    generalized_forces(gaps.stations, work.loads, work.frames, work.g)
    if gaps.films.joint.size:
        call(FILM_FORCES, gaps.films.calls[PUSH], gaps.films, gaps.stations, work.film, work.u, work.g)


@kernel(plain=True)
def gap_loads(gaps: Gaps, work: Work, start: Array, history: Array, h: float, q: Array, v: Array, order: float) -> bool:
    """Evaluate laws and films; False where nothing acts. start: motion then; order: VALUES, or SLOPES too."""
    gap_move(gaps, work, q, v, work.motion)
    return loads_here(gaps, work, start, history, h, order)


@kernel(plain=True, part=True)
def python_laws(gaps: Gaps, work: Work, history: Array, order: float) -> None:
    """Loads of stations whose laws are functions in Python."""
    if gaps.layout.calls[LAWS]:
        for i in range(work.history.shape[0]):
            for k in range(work.history.shape[1]):
                work.history[i, k] = history[i, k]
        call(PYTHON, gaps.layout.calls[LAWS], 1 if order > VALUES else 0)


@kernel(plain=True, part=True)
def loads_here(gaps: Gaps, work: Work, start: Array, history: Array, h: float, order: float) -> bool:
    """`gap_loads` where all stations have been moved to."""
    python_laws(gaps, work, history, order)
    pushing = evaluate(gaps.stations, work.motion, start, history, h, order, work.loads)
    if gaps.films.joint.size:
        call(EVALUATE_FILMS, gaps.films.calls[EVALUATE], gaps.films, gaps.stations, work.u, work.du, order, work.film)
        if gaps.layout.calls[FILMS]:
            call(PYTHON, gaps.layout.calls[FILMS], 1 if order > VALUES else 0)
    return pushing or gaps.films.joint.size > 0


@kernel(plain=True, part=True)
def open_everywhere(gaps: Gaps, history: Array) -> bool:
    """No film, and no station in contact: nothing acts, wherever they move."""
    count = gaps.films.joint.size
    for i in range(history.shape[0]):
        count += 1 if history[i, PHASE] != FREE else 0
    return count == 0


@kernel(plain=True)
def gap_force(gaps: Gaps, work: Work, history: Array, h: float, q: Array, v: Array, out: Array) -> None:
    """out += f of all joints."""
    if not open_everywhere(gaps, history) and gap_loads(gaps, work, work.start, history, h, q, v, VALUES):
        act_everywhere(gaps, work)
        pull_all(gaps.vectors, q, work.u, work.g, out)


@kernel(plain=True)
def gap_tangent(gaps: Gaps, work: Work, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    """stiffness df/dq + damping df/dv of all joints, whose laws have been evaluated."""
    act_everywhere(gaps, work)
    tangent(gaps, work, q, v, stiffness, damping, out)


@kernel(plain=True)
def gap_slopes(
    gaps: Gaps, work: Work, history: Array, h: float, q: Array, v: Array, stiffness: float, damping: float, out: Array
) -> None:
    """stiffness df/dq + damping df/dv of all joints, for the time loop."""
    if not open_everywhere(gaps, history) and gap_loads(gaps, work, work.start, history, h, q, v, SLOPES):
        call(GAP_TANGENT, gaps.layout.calls[TANGENT], gaps, work, q, v, stiffness, damping, out)
    else:
        out[:] = 0.0
        work.g[:, :] = 0.0


@kernel(plain=True)
def gap_force_here(gaps: Gaps, work: Work, q: Array, out: Array) -> None:
    """`gap_force` where `gap_slopes` has just been."""
    pull_all(gaps.vectors, q, work.u, work.g, out)


@kernel(plain=True)
def gap_power(gaps: Gaps, work: Work, out: Array) -> None:
    """N (delta' + mu . slip) of every station and what films take out of the motion, W; laws have been evaluated."""
    motion, loads = work.motion, work.loads
    for i in range(out.size):
        slip = loads[i, MU] * motion[i, CIRCLING] + loads[i, MU + 1] * motion[i, SLIDING]
        out[i] = loads[i, N] * (motion[i, RATE] + slip)
    if gaps.films.joint.size:
        call(FILM_POWER, gaps.films.calls[POWER], gaps.films, gaps.stations, work.film, work.u, work.du, work.g, out)


@kernel(plain=True)
def gap_inflow(gaps: Gaps, work: Work, history: Array, q: Array, v: Array, out: Array) -> None:
    """Power into every station at one instant, W."""
    show_wear(gaps.stations, history)
    gap_move(gaps, work, q, v, work.motion)
    inflow_here(gaps, work, history, out)


@kernel(plain=True, part=True)
def inflow_here(gaps: Gaps, work: Work, history: Array, out: Array) -> None:
    """`gap_inflow` where all stations have been moved to."""
    loads_here(gaps, work, work.motion, history, 0.0, VALUES)
    gap_power(gaps, work, out)


@kernel(plain=True)
def gap_wear(gaps: Gaps, work: Work, history: Array, h: float, q: Array, v: Array) -> None:
    """Wear of a step to (q, v), whose loads are known, and the motion of all stations in the new profile. Called by address."""
    wear_off(gaps.stations, work.u, work.motion, work.loads, h, history)
    show_wear(gaps.stations, history)
    gap_move(gaps, work, q, v, work.motion)


@kernel(plain=True)
def gap_end(gaps: Gaps, work: Work, history: Array, h: float, q: Array, v: Array, released: Integers, inflow: Array) -> None:
    """History after a step to (q, v), whose start is known, and the power that flows in there.

    released[0]: has a contact ended?
    """
    gap_move(gaps, work, q, v, work.motion)
    python_laws(gaps, work, history, VALUES)
    evaluate(gaps.stations, work.motion, work.start, history, h, VALUES, work.loads)
    released[0] = 1 if remember(work.motion, work.loads, history) else 0
    if gaps.layout.calls[WEAR]:
        call(GAP_WEAR, gaps.layout.calls[WEAR], gaps, work, history, h, q, v)
    assign_table(work.end, work.motion)
    inflow_here(gaps, work, history, inflow)
