"""Full matrices of some hundred rows, by LAPACK: bodies with many coordinates that all see each other, such as reduced ones.

A sparse factorisation works through such a matrix number by number, in ten times the time.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    numbers: Short  # size, info
    arguments: Integers  # addresses of size, info, data, pivots
    factor: int
    regular: Integers


class DenseStorage:
    """The whole matrix, column by column.

    lead: values that go before its own in the same array
    """

    def __init__(self, size: int, lead: int = 0) -> None:
        self._size = size
        self.values = aligned_zeros(lead + size * size)
        data, pivots, numbers = self.values[lead:], np.zeros(size, np.int32), np.array([size, 0], np.int32)
        places = numbers.ctypes.data, numbers.ctypes.data + numbers.itemsize, data.ctypes.data, pivots.ctypes.data
        regular = np.zeros(1, np.int64)
        self._table = DenseMatrix(data, pivots, numbers, np.array(places, np.int64), lapack("dgetrf"), regular)
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
    call(matrix.factor, p[0], p[0], p[2], p[0], p[3], p[1])
    matrix.regular[0] = 1 if matrix.numbers[1] == 0 else 0


@kernel(plain=True, part=True)
def take(x: Array, b: float, one: Array, c: float, two: Array, d: float, three: Array, e: float, four: Array) -> None:
    """x -= b one + c two + d three + e four."""
    for i in range(x.size):
        x[i] -= b * one[i] + c * two[i] + d * three[i] + e * four[i]


@kernel(plain=True)
def solve(matrix: DenseMatrix, x: Array) -> None:
    """x = A^-1 x, four columns at a time: for one right-hand side LAPACK takes twice as long."""
    a, n = matrix.data, matrix.pivots.size
    for k in range(n):
        p = matrix.pivots[k] - 1  # LAPACK counts from one
        if p != k:
            x[k], x[p] = x[p], x[k]
    last = n - n % 4
    for j in range(0, last, 4):
        one, two = a[j * n : (j + 1) * n], a[(j + 1) * n : (j + 2) * n]
        three, four = a[(j + 2) * n : (j + 3) * n], a[(j + 3) * n : (j + 4) * n]
        b = x[j]
        c = x[j + 1] - one[j + 1] * b
        d = x[j + 2] - one[j + 2] * b - two[j + 2] * c
        e = x[j + 3] - one[j + 3] * b - two[j + 3] * c - three[j + 3] * d
        x[j + 1], x[j + 2], x[j + 3] = c, d, e
        take(x[j + 4 :], b, one[j + 4 :], c, two[j + 4 :], d, three[j + 4 :], e, four[j + 4 :])
    for j in range(last, n):
        one = a[j * n : (j + 1) * n]
        for i in range(j + 1, n):
            x[i] -= x[j] * one[i]
    for j in range(n - 1, last - 1, -1):
        one = a[j * n : (j + 1) * n]
        x[j] /= one[j]
        for i in range(j):
            x[i] -= x[j] * one[i]
    for j in range(last - 4, -1, -4):
        one, two = a[j * n : (j + 1) * n], a[(j + 1) * n : (j + 2) * n]
        three, four = a[(j + 2) * n : (j + 3) * n], a[(j + 3) * n : (j + 4) * n]
        e = x[j + 3] / four[j + 3]
        d = (x[j + 2] - four[j + 2] * e) / three[j + 2]
        c = (x[j + 1] - four[j + 1] * e - three[j + 1] * d) / two[j + 1]
        b = (x[j] - four[j] * e - three[j] * d - two[j] * c) / one[j]
        x[j], x[j + 1], x[j + 2], x[j + 3] = b, c, d, e
        take(x[:j], b, one, c, two, d, three, e, four)
