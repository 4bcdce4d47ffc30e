"""Full matrices of some hundred rows, by LAPACK: bodies with many coordinates that all see each other, such as reduced ones.

A sparse factorisation works through such a matrix number by number, in ten times the time.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.assign_kernels import assign
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.tables import address, table
from fmbs.solvers.linear.base import Sparsity
from fmbs.solvers.storage.base import FACTORIZE, SOLVE, Matrix, aligned_zeros

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]

DENSE = 0.2  # share of entries that are not zero from which on a full matrix is faster than a sparse one
LARGEST = 2000  # unknowns: beyond, full matrices take too much room


def is_dense(pattern: Sparsity) -> bool:
    size = pattern.shape[0]
    return size <= LARGEST and bool(pattern.indices.size > DENSE * size * size)


@cache
def lapack(name: str) -> int:
    """The address of a routine, which takes all it is given by address."""
    from scipy.linalg import cython_lapack

    routines: dict[str, Any] = {**cython_lapack.__pyx_capi__}
    capsule = routines[name]
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return int(api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule)))


@table
class DenseMatrix:
    """The matrix by columns, then its factors; and addresses of LAPACK's routines and of what they are given."""

    data: Array
    pivots: Short
    x: Array
    numbers: Short  # size, 1, info
    letter: NDArray[np.uint8]  # "N": not transposed
    arguments: Integers  # addresses of size, 1, info, data, pivots, x, letter
    factor: int
    solve: int
    regular: Integers


class DenseStorage:
    """The whole matrix, column by column.

    lead: values that go before its own in the same array
    """

    def __init__(self, size: int, lead: int = 0) -> None:
        self._size = size
        self.values = aligned_zeros(lead + size * size)
        data, pivots, x = self.values[lead:], np.zeros(size, np.int32), np.zeros(size)
        numbers, letter = np.array([size, 1, 0], np.int32), np.frombuffer(b"N", np.uint8).copy()
        step = numbers.itemsize
        places = [numbers.ctypes.data + k * step for k in range(3)] + [part.ctypes.data for part in (data, pivots, x, letter)]
        self._table = DenseMatrix(
            data,
            pivots,
            x,
            numbers,
            letter,
            np.array(places, np.int64),
            lapack("dgetrf"),
            lapack("dgetrs"),
            np.zeros(1, np.int64),
        )
        calls = FACTORIZE.address(factorize, self._table), SOLVE.address(solve, self._table)
        self.matrix = Matrix(data, address(self._table), *calls, self._table.regular)

    def places(self, row: Integers, column: Integers) -> Short:
        """Of entries in the values of the matrix."""
        return (column * self._size + row).astype(np.int32)

    def snapshot(self) -> dict[str, Any]:
        return {"matrix": self.matrix.data, "pivots": self._table.pivots}

    def restore(self, kept: dict[str, Any]) -> None:
        self.matrix.data[:], self._table.pivots[:] = kept["matrix"], kept["pivots"]


@kernel(plain=True)
def factorize(matrix: DenseMatrix) -> None:
    """P L U = A in place."""
    p = matrix.arguments
    call(matrix.factor, p[0], p[0], p[3], p[0], p[4], p[2])
    matrix.regular[0] = 1 if matrix.numbers[2] == 0 else 0


@kernel(plain=True)
def solve(matrix: DenseMatrix, x: Array) -> None:
    """x = A^-1 x."""
    p = matrix.arguments
    assign(matrix.x, x)
    call(matrix.solve, p[6], p[0], p[1], p[3], p[0], p[4], p[5], p[0], p[2])
    assign(x, matrix.x)
