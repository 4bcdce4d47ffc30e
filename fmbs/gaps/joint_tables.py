"""Clearance joints as tables, and where their kernels write."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import FRAME, HISTORY, LOADS, VECTORS, Stations
from fmbs.gaps.film_kernels import ACTION, MOTION, Films, FilmState
from fmbs.jit.slots import INTEGERS, LINE, ROWS, Slot
from fmbs.jit.tables import table
from fmbs.math.vector_table import VectorTable

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@table
class Layout:
    """Joint j couples coordinates[starts[j] : starts[j + 1]]; local: where each coordinate of its vectors stands among them."""

    coordinates: Integers
    starts: Integers
    local: Integers
    local_starts: Integers
    calls: Integers  # (CALLS,) addresses of kernels; LIFT where a joint is on a beam, the others for the time loop


LIFT, TANGENT, WEAR, LAWS, FILMS = 0, 1, 2, 3, 4  # the last two: laws and films in Python
CALLS = 5


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
    end: Array  # and at its end, where it is known
    motion: Array  # (stations, 4)
    frames: Array  # (stations, FRAME) normal and tangents where the vectors are now, coordinates of C
    loads: Array  # (stations, LOADS + further states of friction laws)
    film: FilmState
    changes: Array  # (3, VECTORS, 3) of vectors, their rates and forces of one joint
    flat_changes: Array  # (3, 3 VECTORS) the same memory
    beside: NDArray[np.complex128]  # (3, VECTORS, 3) vectors, their rates and forces of one joint, a complex step aside
    lifted: Array  # (2, columns, 3 VECTORS) du/dq and du'/dq of one joint, transposed
    history: Array  # (stations, HISTORY + sectors + states) as laws in Python see it


class GapTables(NamedTuple):
    """The clearance joints of a model for the compiled loop.

    update: sets what changes with time
    laws, films: evaluate those that are functions in Python, with slopes where the argument is 1; None where there are none
    """

    gaps: Gaps
    work: Work
    update: Callable[[float], None] | None = None
    laws: Callable[[int], None] | None = None
    films: Callable[[int], None] | None = None


LIFT_VECTOR = Slot("lift vector", VectorTable, int, int, INTEGERS, LINE, LINE, ROWS, ROWS, ROWS)
GAP_TANGENT = Slot("gap tangent", Gaps, Work, LINE, LINE, float, float, LINE)
GAP_WEAR = Slot("gap wear", Gaps, Work, ROWS, float, LINE, LINE)


def work_of(gaps: Gaps, states: int = 0) -> Work:
    """Empty work arrays; states: further ones of friction laws."""
    vectors, stations, films = gaps.vectors.kind.size, gaps.stations.joint.size, gaps.films.joint.size
    u, du, g = np.zeros((3, vectors, 3))
    start, end, motion = np.zeros((3, stations, 4))
    film = FilmState(
        np.zeros((films, MOTION)), np.zeros((films, 6)), np.zeros((films, 6, MOTION)), np.zeros(MOTION, np.complex128),
        np.zeros(ACTION, np.complex128),
    )  # fmt: skip
    beside, changes = np.zeros((3, VECTORS, 3), np.complex128), np.zeros((3, VECTORS, 3))
    widest = int(np.diff(gaps.layout.starts).max(initial=0))
    return Work(
        u, du, g, start, end, motion, np.zeros((stations, FRAME)), np.zeros((stations, LOADS + states)), film,
        changes, changes.reshape(3, -1), beside, np.zeros((2, widest, 3 * VECTORS)),
        np.zeros((stations, HISTORY + gaps.stations.wear.shape[1] + states)),
    )  # fmt: skip
