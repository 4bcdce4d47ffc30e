"""Small full matrices, inverted here: a call of LAPACK would take longer than the work, and so would the chains of dependent
steps of triangular factors. The inverse is good enough: Newton's iteration makes up for its round-off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.assign_kernels import assign
from fmbs.jit.compiled import kernel
from fmbs.jit.pieces import padded, subtract_pieces
from fmbs.jit.tables import address, table
from fmbs.solvers.storage.base import FACTORIZE, SOLVE, Matrix

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]


@table
class FullMatrix:
    """By columns, a[j, i] is row i of column j, with zeros at the end: the matrix, then its inverse."""

    a: Array  # (size, padded size)
    pivots: Short  # (size,)
    column: Array  # (padded size,)
    x: Array
    regular: Integers


class FullStorage:
    """The whole matrix, column by column."""

    def __init__(self, size: int) -> None:
        a, (column, x) = np.zeros((size, padded(size))), np.zeros((2, padded(size)))
        self._full = FullMatrix(a, np.zeros(size, np.int32), column, x, np.zeros(1, np.int64))
        calls = FACTORIZE.address(factorize, self._full), SOLVE.address(solve, self._full)
        self.matrix = Matrix(a.ravel(), address(self._full), *calls, self._full.regular)

    def places(self, row: Integers, column: Integers) -> Short:
        """Of entries in the values of the matrix."""
        return (column * self._full.x.size + row).astype(np.int32)

    def snapshot(self) -> dict[str, Any]:
        return {"matrix": self.matrix.data, "pivots": self._full.pivots}

    def restore(self, kept: dict[str, Any]) -> None:
        self.matrix.data[:], self._full.pivots[:] = kept["matrix"], kept["pivots"]


@kernel(plain=True)
def factorize(matrix: FullMatrix) -> None:
    """(P A)^-1 in place, after Gauss and Jordan, with exchanged rows."""
    a, column, n = matrix.a, matrix.column, matrix.pivots.size
    matrix.regular[0] = 0
    for k in range(n):
        p, largest = k, abs(a[k, k])
        for i in range(k + 1, n):
            if abs(a[k, i]) > largest:
                p, largest = i, abs(a[k, i])
        if not largest > 0.0:
            return
        matrix.pivots[k] = p
        if p != k:
            for j in range(n):
                a[j, k], a[j, p] = a[j, p], a[j, k]
        inverse = 1.0 / a[k, k]
        for i in range(n):
            column[i] = a[k, i]
            a[k, i] = 0.0
        column[k], a[k, k] = 0.0, 1.0
        for j in range(n):
            share = inverse * a[j, k]
            subtract_pieces(share, column, a[j])
            a[j, k] = share
    matrix.regular[0] = 1


@kernel(plain=True)
def solve(matrix: FullMatrix, x: Array) -> None:
    """x = A^-1 x."""
    y, n = matrix.x, matrix.pivots.size
    for k in range(n):
        p = matrix.pivots[k]
        if p != k:
            x[k], x[p] = x[p], x[k]
    y[:] = 0.0
    for k in range(n):
        subtract_pieces(-x[k], matrix.a[k], y)
    assign(x, y[:n])
