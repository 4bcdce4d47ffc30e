"""Bands, in LAPACK's storage: columns below each other, with room for what pivoting fills.

LAPACK calls BLAS for every column, which takes longer than the work on columns so short, and solves with all that pivoting
might have filled. Here columns go in `pieces`, and the factors are packed from the first entry of a column to its last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from fmbs.assembly.system import System
from fmbs.jit.assign_kernels import assign
from fmbs.jit.compiled import kernel
from fmbs.jit.pieces import PIECE, in_pieces, padded, subtract_pieces
from fmbs.jit.places import place
from fmbs.jit.tables import address, table
from fmbs.solvers.linear.automatic import FULL_ENOUGH
from fmbs.solvers.linear.banded import Band
from fmbs.solvers.linear.base import Sparsity
from fmbs.solvers.storage.base import FACTORIZE, SOLVE, Matrix, aligned_zeros

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]

SHORT = 2e5  # values of a band that is solved faster than a sparse matrix, however empty it is
LONGEST = 4e7  # values of one that is half full at least


@table
class BandMatrix:
    """Values in LAPACK's band storage, and its factors packed: columns below and above the diagonal."""

    data: Array
    pivots: Short  # (size,)
    order: Integers  # (size,) unknown at each place of the band
    y: Array  # (PIECE + size + PIECE,) right-hand side in that order
    lower: int  # diagonals of the band below and above
    upper: int
    below: Array  # columns of L
    below_start: Integers  # (size + 1,)
    above: Array  # columns of U
    above_start: Integers
    inverse: Array  # (size,) of U's diagonal
    column: Array  # (padded lower,)
    regular: Integers


class BandStorage:
    """A band in the order that keeps it narrow.

    lead: values that go before its own in the same array
    """

    def __init__(self, band: Band, size: int, lead: int = 0) -> None:
        self._band = band
        self.values = aligned_zeros(lead + size * band.height + PIECE)
        data = self.values[lead:]
        self._table = BandMatrix(
            data, np.zeros(size, np.int32), band.order.astype(np.int64), np.zeros(size + 2 * PIECE), band.lower, band.upper,
            aligned_zeros(size * padded(band.lower)), np.zeros(size + 1, np.int64),
            aligned_zeros(size * padded(band.lower + band.upper)), np.zeros(size + 1, np.int64), np.zeros(size),
            np.zeros(padded(band.lower)), np.zeros(1, np.int64),
        )  # fmt: skip
        calls = FACTORIZE.address(factorize, self._table), SOLVE.address(solve, self._table)
        self.matrix = Matrix(data, address(self._table), *calls, self._table.regular)

    def places(self, row: Integers, column: Integers) -> Short:
        """Of entries in the values of the matrix."""
        return self._band.places(row, column).astype(np.int32)

    def snapshot(self) -> dict[str, Any]:
        return {"matrix": self.matrix.data, "pivots": self._table.pivots}

    def restore(self, kept: dict[str, Any]) -> None:
        self.matrix.data[:], self._table.pivots[:] = kept["matrix"], kept["pivots"]
        pack(self._table)


def narrow_band(pattern: Sparsity, orders: Sequence[Integers]) -> Band | None:
    """The narrowest band of a matrix, if it is worth its zeros. orders: those that are tried."""
    size = pattern.shape[0]
    if pattern.indices.size > LONGEST:  # no band could be short enough: do not even look for it
        return None
    band = min((Band(pattern, order) for order in orders), key=lambda band: band.height)
    values = size * band.height
    return band if values <= SHORT or (band.fullness >= FULL_ENOUGH and values <= LONGEST) else None


def order_of(pattern: Sparsity, together: Integers) -> Integers:
    """Of the unknowns (Cuthill & McKee 1969). together: see `nodes_of`."""
    n = pattern.shape[0]
    graph = csr_matrix((np.ones(pattern.indices.size), pattern.indices, pattern.indptr), shape=(n, n))
    groups = csr_matrix((np.ones(n), (together, np.arange(n))))
    return np.argsort(ranks(csr_matrix(groups @ graph @ groups.T))[together], kind="stable")


def ranks(graph: csr_matrix) -> Integers:
    """Places of the nodes of a graph from one end to the other."""
    return np.argsort(scipy.sparse.csgraph.reverse_cuthill_mckee(graph, symmetric_mode=True))


def nodes_of(system: System) -> Integers:
    """A number for each unknown, the same for the coordinates of a node: they stay together, so that an element's block goes
    into the matrix column by column.
    """
    first = np.ones(system.size + system.multipliers, np.int64)
    for batch in system.elements:
        blocks = batch.blocks()
        first[(blocks.first.ravel()[:, None] + np.arange(1, blocks.width)).ravel()] = 0
    return np.cumsum(first) - 1


@kernel(plain=True)
def factorize(band: BandMatrix) -> None:
    """P A = L U in place, packed; rows are exchanged within the band."""
    a, column, n, reach = band.data, band.column, band.pivots.size, band.lower + band.upper
    height, last = reach + band.lower + 1, 0
    band.regular[0] = 0
    for j in range(n):
        diagonal, count = j * height + reach, min(band.lower, n - 1 - j)
        p, largest = 0, abs(a[diagonal])
        for i in range(1, count + 1):
            if abs(a[diagonal + i]) > largest:
                p, largest = i, abs(a[diagonal + i])
        if not largest > 0.0:
            return
        band.pivots[j] = j + p
        last = max(last, min(j + band.upper + p, n - 1))  # column that the rows so far reach
        if p:
            for c in range(last - j + 1):
                at = diagonal + c * (height - 1)
                a[at], a[at + p] = a[at + p], a[at]
        inverse = band.inverse[j] = 1.0 / a[diagonal]
        for i in range(count):
            column[i] = inverse * a[diagonal + 1 + i]
            a[diagonal + 1 + i] = column[i]
        column[count:] = 0.0  # what lies behind the band is left as it is
        for c in range(1, last - j + 1):
            at = diagonal + c * (height - 1)
            if a[at] != 0.0:
                subtract_pieces(a[at], column, a[at + 1 : at + 1 + column.size])
    pack_columns(band)
    band.regular[0] = 1


@kernel(plain=True)
def pack(band: BandMatrix) -> None:
    """Of factors that have been read from a file."""
    reach = band.lower + band.upper
    for j in range(band.pivots.size):
        band.inverse[j] = 1.0 / band.data[j * (reach + band.lower + 1) + reach]
    pack_columns(band)


@kernel(plain=True, part=True)
def pack_columns(band: BandMatrix) -> None:
    """Columns of L and U without the zeros at their ends, but for those that fill up a piece."""
    lu, n, reach = band.data, band.pivots.size, band.lower + band.upper
    height = reach + band.lower + 1
    a = b = 0
    for j in range(n):
        diagonal = j * height + reach
        count = min(band.lower, n - 1 - j)
        column = lu[diagonal + 1 : diagonal + 1 + count]
        while count > 0 and column[count - 1] == 0.0:
            count -= 1
        room = in_pieces(count)
        assign(band.below[a : a + count], column[:count])
        band.below[a + count : a + room] = 0.0
        band.below_start[j] = a
        a += room
        count = min(reach, j)
        column = lu[diagonal - count : diagonal]
        first = 0
        while first < count and column[first] == 0.0:
            first += 1
        room = in_pieces(count - first)
        end = b + room
        band.above[b : end - (count - first)] = 0.0
        assign(band.above[end - (count - first) : end], column[first:])
        band.above_start[j] = b
        b = end
    band.below_start[n], band.above_start[n] = a, b


@kernel(plain=True)
def solve(band: BandMatrix, x: Array) -> None:
    """x = A^-1 x."""
    order, y, n = band.order, band.y, band.order.size
    start = band.below_start
    for i in range(n):
        y[PIECE + i] = x[place(order[i])]
    for j in range(n):
        here, p = PIECE + j, PIECE + place(band.pivots[j])
        f = y[p]
        if p != here:
            y[p] = y[here]
            y[here] = f
        count = start[j + 1] - start[j]
        subtract_pieces(f, band.below[start[j] : start[j] + count], y[here + 1 : here + 1 + count])
    start = band.above_start
    for j in range(n - 1, -1, -1):
        here = PIECE + j
        f = y[here] * band.inverse[j]
        x[place(order[j])] = y[here] = f
        count = start[j + 1] - start[j]
        subtract_pieces(f, band.above[start[j] : start[j] + count], y[here - count : here])
