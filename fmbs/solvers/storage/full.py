"""Small full matrices, eliminated here: a call of LAPACK would take longer than the work."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.math.calls import address_of
from fmbs.math.compiled import plain_kernel, plain_part
from fmbs.math.tables import address, table
from fmbs.solvers.storage.base import Matrix

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]


@table
class FullMatrix:
    """a[j, i]: row i of column j, so that inner loops run along memory."""

    a: Array
    pivots: Short
    regular: Integers


class FullStorage:
    """The whole matrix, column by column."""

    def __init__(self, size: int) -> None:
        data = np.zeros(size * size)
        self._full = FullMatrix(data.reshape(size, size), np.zeros(size, np.int32), np.zeros(1, np.int64))
        calls = address_of(factorize, self._full), address_of(solve, self._full, data)
        self.matrix = Matrix(data, address(self._full), *calls, self._full.regular)

    def places(self, row: Integers, column: Integers) -> Short:
        """Of entries in the values of the matrix."""
        return (column * self._full.pivots.size + row).astype(np.int32)

    def snapshot(self) -> dict[str, Any]:
        return {"matrix": self.matrix.data, "pivots": self._full.pivots}

    def restore(self, kept: dict[str, Any]) -> None:
        self.matrix.data[:], self._full.pivots[:] = kept["matrix"], kept["pivots"]


@plain_part
def subtract(factor: float, column: Array, x: Array) -> None:
    """x -= factor column. Slices that begin at 0: numba allows for negative indices elsewhere, which costs the vectors."""
    if factor != 0.0:
        for i in range(x.size):
            x[i] -= factor * column[i]


@plain_kernel
def factorize(matrix: FullMatrix) -> None:
    """P A = L U in place, with exchanged rows."""
    a, n = matrix.a, matrix.pivots.size
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
        for i in range(k + 1, n):
            a[k, i] *= inverse
        for j in range(k + 1, n):
            subtract(a[j, k], a[k, k + 1 :], a[j, k + 1 :])
    matrix.regular[0] = 1


@plain_kernel
def solve(matrix: FullMatrix, x: Array) -> None:
    """x = A^-1 x."""
    a, n = matrix.a, matrix.pivots.size
    for k in range(n):
        p = matrix.pivots[k]
        if p != k:
            x[k], x[p] = x[p], x[k]
    for k in range(n):
        subtract(x[k], a[k, k + 1 :], x[k + 1 : n])
    for k in range(n - 1, -1, -1):
        x[k] /= a[k, k]
        subtract(x[k], a[k, :k], x[:k])
