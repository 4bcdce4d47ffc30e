"""Small full matrices, inverted here: a call of LAPACK would take longer than the work, and so would the chains of dependent
steps of triangular factors. The inverse is good enough: Newton's iteration makes up for its round-off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.assign_kernels import assign
from fmbs.jit.compiled import kernel
from fmbs.jit.pieces import PIECE, padded
from fmbs.jit.tables import address, table
from fmbs.solvers.storage.base import FACTORIZE, SOLVE, Matrix, aligned_zeros
from fmbs.solvers.storage.sweep import combine, exchange, room_of, sweep

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]


@table
class FullMatrix:
    """By columns, each with zeros at its end: the matrix, then its inverse."""

    a: Array  # (size * padded size,)
    pivots: Short  # (size,)
    room: Array
    x: Array  # (padded size,)
    regular: Integers


class FullStorage:
    """The whole matrix, column by column.

    lead: values that go before its own in the same array
    """

    def __init__(self, size: int, lead: int = 0) -> None:
        self.values = aligned_zeros(lead + size * padded(size))
        room, x = room_of(size), np.zeros(padded(size))
        self._full = FullMatrix(self.values[lead:], np.zeros(size, np.int32), room, x, np.zeros(1, np.int64))
        calls = FACTORIZE.address(factorize, self._full), SOLVE.address(solve, self._full)
        self.matrix = Matrix(self._full.a, address(self._full), *calls, self._full.regular)

    def places(self, row: Integers, column: Integers) -> Short:
        """Of entries in the values of the matrix."""
        return (column * self._full.x.size + row).astype(np.int32)

    def snapshot(self) -> dict[str, Any]:
        return {"matrix": self.matrix.data, "pivots": self._full.pivots}

    def restore(self, kept: dict[str, Any]) -> None:
        self.matrix.data[:], self._full.pivots[:] = kept["matrix"], kept["pivots"]


@kernel(plain=True)
def factorize(matrix: FullMatrix) -> None:
    """(P A)^-1 in place."""
    n = matrix.pivots.size
    matrix.regular[0] = 1 if sweep(matrix.a, matrix.x.size, n, n, matrix.pivots, matrix.room) else 0


@kernel(plain=True)
def solve(matrix: FullMatrix, x: Array) -> None:
    """x = A^-1 x."""
    height = matrix.x.size
    exchange(matrix.pivots, x)
    combine(matrix.a, 0, height, height // PIECE, x, matrix.x)
    assign(x, matrix.x[: x.size])
