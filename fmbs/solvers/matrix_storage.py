"""Where the compiled driver keeps its Newton matrix: a small full one, or LAPACK's band."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba.extending import get_cython_function_address
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.protocols import Blocks
from fmbs.solvers._stretch_tables import Matrix
from fmbs.solvers.linear.automatic import FULL_ENOUGH, AutomaticSolver
from fmbs.solvers.linear.banded import Band
from fmbs.solvers.linear.base import LinearSolver, Pattern
from fmbs.solvers.newton import SMALL

Integers = NDArray[np.int64]
Short = NDArray[np.int32]

SHORT_BAND = 2e5  # values of a band that is solved faster than Python calls a sparse solver, however empty it is
LONGEST_BAND = 1e7  # values of one that is half full at least


@dataclass(frozen=True)
class Storage:
    """A matrix, and where its entries go."""

    matrix: Matrix
    band: Band | None
    numbers: Short  # that LAPACK's arguments point to

    def places(self, row: Integers, column: Integers) -> Short:
        """Of entries in the values of the matrix."""
        places = column * self.matrix.pivots.size + row if self.band is None else self.band.places(row, column)
        return places.astype(np.int32)

    def slots(self, blocks: Blocks) -> Short:  # (elements, columns, nodes)
        """Of the first entry of each node in each column of each element's block; its others follow in a band."""
        elements, nodes = blocks.first.shape
        columns = (blocks.first[:, :, None] + np.arange(blocks.width)).reshape(elements, -1, 1)
        shape = (elements, columns.shape[1], nodes)
        row, column = (np.broadcast_to(x, shape).ravel() for x in (blocks.first[:, None, :], columns))
        return self.places(row, column).reshape(shape)


def storage_of(system: System, linear: LinearSolver) -> Storage | None:
    """For what `linear` would do otherwise; None where its method is better, or the user's wish."""
    size = system.size + system.multipliers
    if not system.elements and size <= SMALL and linear.name == "dense":
        return _full(size)
    if linear.name not in ("dense", "banded") and not isinstance(linear, AutomaticSolver):
        return None
    if system.nonzeros > LONGEST_BAND:  # no band could be short enough: do not even look for it
        return None
    pattern = Pattern(system.matrix(np.zeros(system.nonzeros)))
    band = Band(pattern, _groups(system, size))
    values = size * band.height
    short = values <= SHORT_BAND or (band.fullness >= FULL_ENOUGH and values <= LONGEST_BAND)
    return _banded(band, size) if short else None


def _groups(system: System, size: int) -> Integers:
    """Coordinates of a node stay together, so that an element's block goes into the matrix column by column."""
    first = np.ones(size, np.int64)
    for batch in system.elements:
        blocks = batch.blocks()
        first[(blocks.first.ravel()[:, None] + np.arange(1, blocks.width)).ravel()] = 0
    return np.cumsum(first) - 1


def _full(size: int) -> Storage:
    data, short = np.zeros(size * size), np.zeros(1, np.int32)
    none = np.zeros(0, np.int64)
    matrix = Matrix(data, data.reshape(size, size), np.zeros(size, np.int32), none, np.zeros(0), 0, 0, 0, none, short)
    return Storage(matrix, None, short)


def _banded(band: Band, size: int) -> Storage:
    numbers = np.array([size, band.lower, band.upper, band.height], np.int32)
    data, pivots, info = np.zeros(size * band.height), np.zeros(size, np.int32), np.zeros(1, np.int32)
    n, kl, ku, ldab = (numbers.ctypes.data + numbers.itemsize * k for k in range(4))
    ab, ipiv, answer = (x.ctypes.data for x in (data, pivots, info))
    dgbtrf = get_cython_function_address("scipy.linalg.cython_lapack", "dgbtrf")
    arguments = np.array([n, n, kl, ku, ab, ldab, ipiv, answer], np.int64)
    order = band.order.astype(np.int64)
    matrix = Matrix(
        data, np.zeros((0, 0)), pivots, order, np.zeros(size), band.lower, band.upper, dgbtrf, arguments, info
    )  # fmt: skip
    return Storage(matrix, band, numbers)
