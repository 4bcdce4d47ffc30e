"""Bands: factorised by LAPACK's dgbtrf, solved here.

Its dgbtrs calls BLAS for every column, which takes longer than the work, and reads all that pivoting might have filled. Here
the factors are packed first, each column from its first entry to its last, in `pieces`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import get_cython_function_address
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.math.assign_kernels import assign
from fmbs.math.calls import address_of, call
from fmbs.math.compiled import plain_kernel, plain_part
from fmbs.math.pieces import PIECE, padded, subtract_pieces
from fmbs.math.tables import address, table
from fmbs.solvers.linear.automatic import FULL_ENOUGH
from fmbs.solvers.linear.banded import Band
from fmbs.solvers.linear.base import Pattern
from fmbs.solvers.storage.base import Matrix

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]

SHORT = 2e5  # values of a band that is solved faster than a sparse matrix, however empty it is
LONGEST = 1e7  # values of one that is half full at least


@table
class BandMatrix:
    """Values in LAPACK's band storage, and its factors packed: columns below and above the diagonal."""

    data: Array
    pivots: Short  # (size,) counted from 1
    order: Integers  # (size,) unknown at each place of the band
    y: Array  # (PIECE + size + PIECE,) right-hand side in that order
    lower: int  # diagonals of the band below and above
    upper: int
    below: Array
    below_start: Integers  # (size + 1,)
    above: Array
    above_start: Integers
    inverse: Array  # (size,) of the diagonal
    dgbtrf: int  # address
    arguments: Integers  # (8,) addresses of its arguments
    info: Short  # (1,) what it says
    regular: Integers


class BandStorage:
    """A band in the order that keeps it narrow."""

    def __init__(self, band: Band, size: int) -> None:
        self._band = band
        self._numbers = np.array([size, band.lower, band.upper, band.height], np.int32)  # what LAPACK's arguments point to
        data, pivots, info = np.zeros(size * band.height), np.zeros(size, np.int32), np.zeros(1, np.int32)
        n, kl, ku, ldab = (self._numbers.ctypes.data + self._numbers.itemsize * k for k in range(4))
        ab, ipiv, answer = (x.ctypes.data for x in (data, pivots, info))
        self._table = BandMatrix(
            data, pivots, band.order.astype(np.int64), np.zeros(size + 2 * PIECE), band.lower, band.upper,
            np.empty(size * padded(band.lower)), np.zeros(size + 1, np.int64),
            np.empty(size * padded(band.lower + band.upper)), np.zeros(size + 1, np.int64), np.zeros(size),
            get_cython_function_address("scipy.linalg.cython_lapack", "dgbtrf"),
            np.array([n, n, kl, ku, ab, ldab, ipiv, answer], np.int64), info, np.zeros(1, np.int64),
        )  # fmt: skip
        calls = address_of(factorize, self._table), address_of(solve, self._table, data)
        self.matrix = Matrix(data, address(self._table), *calls, self._table.regular)

    def places(self, row: Integers, column: Integers) -> Short:
        """Of entries in the values of the matrix."""
        return self._band.places(row, column).astype(np.int32)

    def snapshot(self) -> dict[str, Any]:
        return {"matrix": self.matrix.data, "pivots": self._table.pivots}

    def restore(self, kept: dict[str, Any]) -> None:
        self.matrix.data[:], self._table.pivots[:] = kept["matrix"], kept["pivots"]
        pack(self._table)


def narrow_band(system: System, pattern: Pattern) -> Band | None:
    """The band of a matrix, if it is worth its zeros."""
    size = pattern.shape[0]
    if pattern.indices.size > LONGEST:  # no band could be short enough: do not even look for it
        return None
    band = Band(pattern, _groups(system, size))
    values = size * band.height
    return band if values <= SHORT or (band.fullness >= FULL_ENOUGH and values <= LONGEST) else None


def _groups(system: System, size: int) -> Integers:
    """Coordinates of a node stay together, so that an element's block goes into the matrix column by column."""
    first = np.ones(size, np.int64)
    for batch in system.elements:
        blocks = batch.blocks()
        first[(blocks.first.ravel()[:, None] + np.arange(1, blocks.width)).ravel()] = 0
    return np.cumsum(first) - 1


@plain_kernel
def factorize(band: BandMatrix) -> None:
    """P A = L U in place, packed."""
    p = band.arguments
    call(band.dgbtrf, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7])
    band.regular[0] = 1 if band.info[0] == 0 else 0
    if band.regular[0]:
        pack_columns(band)


@plain_kernel
def pack(band: BandMatrix) -> None:
    pack_columns(band)


@plain_part
def pack_columns(band: BandMatrix) -> None:
    """Columns of L and U without the zeros at their ends, but for those that fill up a piece."""
    lu, n, reach = band.data, band.pivots.size, band.lower + band.upper
    height = reach + band.lower + 1
    a = b = 0
    for j in range(n):
        diagonal = j * height + reach
        band.inverse[j] = 1.0 / lu[diagonal]
        count = min(band.lower, n - 1 - j)
        column = lu[diagonal + 1 : diagonal + 1 + count]
        while count > 0 and column[count - 1] == 0.0:
            count -= 1
        room = -(-count // PIECE) * PIECE
        assign(band.below[a : a + count], column[:count])
        clear(band.below[a + count : a + room])
        band.below_start[j] = a
        a += room
        count = min(reach, j)
        column = lu[diagonal - count : diagonal]
        first = 0
        while first < count and column[first] == 0.0:
            first += 1
        room = -(-(count - first) // PIECE) * PIECE
        end = b + room
        clear(band.above[b : end - (count - first)])
        assign(band.above[end - (count - first) : end], column[first:])
        band.above_start[j] = b
        b = end
    band.below_start[n], band.above_start[n] = a, b


@plain_part
def clear(target: Array) -> None:
    for i in range(target.size):
        target[i] = 0.0


@plain_kernel
def solve(band: BandMatrix, x: Array) -> None:
    """x = A^-1 x."""
    order, y, n = band.order, band.y, band.order.size
    start = band.below_start
    for i in range(n):
        y[PIECE + i] = x[order[i]]
    for j in range(n):
        place, p = PIECE + j, PIECE - 1 + band.pivots[j]
        f = y[p]
        if p != place:
            y[p] = y[place]
            y[place] = f
        count = start[j + 1] - start[j]
        subtract_pieces(f, band.below[start[j] : start[j] + count], y[place + 1 : place + 1 + count])
    start = band.above_start
    for j in range(n - 1, -1, -1):
        place = PIECE + j
        f = y[place] * band.inverse[j]
        x[order[j]] = y[place] = f
        count = start[j + 1] - start[j]
        subtract_pieces(f, band.above[start[j] : start[j] + count], y[place - count : place])
