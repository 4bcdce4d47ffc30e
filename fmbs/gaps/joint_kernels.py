"""Clearance joints as a whole: forces, tangents and power of contacts and films together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import (
    CIRCLING,
    LOADS,
    MU,
    RATE,
    SLIDING,
    N,
    Stations,
    evaluate,
    generalized_forces,
    move,
    pull_all,
    remember,
)
from fmbs.gaps.film_kernels import EVALUATE, MOTION, POWER, PUSH, Films, FilmState
from fmbs.gaps.tangent_kernels import Layout, tangent
from fmbs.math.calls import call
from fmbs.math.compiled import plain_kernel
from fmbs.math.tables import table
from fmbs.math.vector_kernels import VectorTable

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

VALUES, SLOPES = 0.0, 1.0  # not a flag: numba compiles a kernel anew for every constant flag or integer


@table
class Gaps:
    """The clearance joints of a model as tables."""

    vectors: VectorTable
    stations: Stations
    films: Films
    layout: Layout


@table
class Work:
    """Where all joints are and what acts in them, written again and again."""

    u: Array  # (vectors, 3)
    du: Array
    g: Array  # forces conjugate to the vectors
    start: Array  # (stations, 4) motion at the start of the step
    motion: Array  # (stations, 4)
    loads: Array  # (stations, LOADS)
    film: FilmState


def work_of(gaps: Gaps) -> Work:
    """Empty work arrays."""
    vectors, stations, films = gaps.vectors.kind.size, gaps.stations.joint.size, gaps.films.joint.size
    u, du, g = np.zeros((3, vectors, 3))
    start, motion = np.zeros((2, stations, 4))
    film = FilmState(np.zeros((films, MOTION)), np.zeros((films, 6)), np.zeros((films, 6, MOTION)))
    return Work(u, du, g, start, motion, np.zeros((stations, LOADS)), film)


@plain_kernel
def gap_move(gaps: Gaps, work: Work, q: Array, v: Array, motion: Array) -> None:
    """Motion of all stations  # (stations, 4)."""
    move(gaps.vectors, gaps.stations, q, v, work.u, work.du, motion)


@plain_kernel
def act_everywhere(gaps: Gaps, work: Work) -> None:
    """Forces on all vectors from the loads of stations and films."""
    generalized_forces(gaps.stations, work.motion, work.loads, work.u, work.du, work.g)
    if gaps.films.joint.size:
        call(gaps.films.calls[PUSH], gaps.films, gaps.stations, work.film, work.u, work.g)


@plain_kernel
def gap_loads(gaps: Gaps, work: Work, history: Array, h: float, q: Array, v: Array, order: float) -> bool:
    """Evaluate built-in laws and films; False where nothing acts. order: VALUES, or SLOPES of films too."""
    gap_move(gaps, work, q, v, work.motion)
    pushing = evaluate(gaps.stations, work.motion, work.start, history, h, work.loads)
    if gaps.films.joint.size:
        call(gaps.films.calls[EVALUATE], gaps.films, gaps.stations, work.u, work.du, order, work.film)
    return pushing or gaps.films.joint.size > 0


@plain_kernel
def gap_force(gaps: Gaps, work: Work, history: Array, h: float, q: Array, v: Array, out: Array) -> None:
    """out += f of joints with built-in laws and films."""
    if gap_loads(gaps, work, history, h, q, v, VALUES):
        act_everywhere(gaps, work)
        pull_all(gaps.vectors, q, work.u, work.g, out)


@plain_kernel
def gap_tangent(gaps: Gaps, work: Work, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    """stiffness df/dq + damping df/dv of all joints, whose laws have been evaluated."""
    act_everywhere(gaps, work)
    tangent(
        gaps.vectors, gaps.stations, gaps.films, gaps.layout, work.motion, work.loads, work.film, q, v, work.u, work.du, work.g,
        stiffness, damping, out,
    )  # fmt: skip


@plain_kernel
def gap_slopes(
    gaps: Gaps, work: Work, history: Array, h: float, q: Array, v: Array, stiffness: float, damping: float, out: Array
) -> None:
    """stiffness df/dq + damping df/dv of joints with built-in laws and films."""
    if gap_loads(gaps, work, history, h, q, v, SLOPES):
        gap_tangent(gaps, work, q, v, stiffness, damping, out)
    else:
        out[:] = 0.0


@plain_kernel
def gap_power(gaps: Gaps, work: Work, out: Array) -> None:
    """N (delta' + mu . slip) of every station and what films take out of the motion, W; laws have been evaluated."""
    motion, loads = work.motion, work.loads
    for i in range(out.size):
        slip = loads[i, MU] * motion[i, CIRCLING] + loads[i, MU + 1] * motion[i, SLIDING]
        out[i] = loads[i, N] * (motion[i, RATE] + slip)
    if gaps.films.joint.size:
        call(gaps.films.calls[POWER], gaps.films, gaps.stations, work.film, work.u, work.du, work.g, out)


@plain_kernel
def gap_inflow(gaps: Gaps, work: Work, history: Array, q: Array, v: Array, out: Array) -> None:
    """Power into every station at one instant, W."""
    gap_move(gaps, work, q, v, work.start)
    gap_loads(gaps, work, history, 0.0, q, v, VALUES)
    gap_power(gaps, work, out)


@plain_kernel
def gap_end(gaps: Gaps, work: Work, history: Array, h: float, released: Integers) -> None:
    """History after a step whose motions at both ends are known; released[0]: has a contact ended?"""
    evaluate(gaps.stations, work.motion, work.start, history, h, work.loads)
    released[0] = 1 if remember(work.motion, work.loads, history) else 0
