"""The Newton matrix of the compiled driver: elimination with exchanged rows.

Small full matrices are eliminated here: a call of LAPACK would take longer than the work. Bands are factorised by LAPACK's
dgbtrf and solved here: its dgbtrs calls BLAS for every column, which takes longer than the work as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.math.calls import call
from fmbs.math.compiled import plain_kernel
from fmbs.solvers._stretch_tables import Matrix

Array = NDArray[np.float64]
Short = NDArray[np.int32]


@plain_kernel
def factorize(matrix: Matrix) -> bool:
    """P A = L U in place; False where a pivot is zero."""
    if matrix.order.size == 0:
        return factorize_full(matrix.full, matrix.pivots)
    p = matrix.arguments
    call(matrix.dgbtrf, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7])
    return matrix.info[0] == 0


@plain_kernel
def solve(matrix: Matrix, x: Array) -> None:
    """x = A^-1 x."""
    if matrix.order.size == 0:
        solve_full(matrix.full, matrix.pivots, x)
        return
    order, y = matrix.order, matrix.y
    for i in range(order.size):
        y[i] = x[order[i]]
    solve_band(matrix.data, matrix.pivots, matrix.lower, matrix.upper, y)
    for i in range(order.size):
        x[order[i]] = y[i]


@plain_kernel
def solve_band(lu: Array, pivots: Short, lower: int, upper: int, y: Array) -> None:
    """y = A^-1 y with the factors that dgbtrf leaves: column by column, U of lower + upper diagonals above L's."""
    n, reach = y.size, lower + upper
    height = reach + lower + 1
    for j in range(n):
        p = pivots[j] - 1  # counted from 1
        f = y[p]
        if p != j:
            y[p] = y[j]
            y[j] = f
        diagonal, count = j * height + reach, min(lower, n - 1 - j)
        for i in range(1, count + 1):
            y[j + i] -= f * lu[diagonal + i]
    for j in range(n - 1, -1, -1):
        diagonal, count = j * height + reach, min(reach, j)
        f = y[j] / lu[diagonal]
        y[j] = f
        for i in range(1, count + 1):
            y[j - i] -= f * lu[diagonal - i]


@plain_kernel
def factorize_full(a: Array, pivots: Short) -> bool:
    n = a.shape[0]
    for k in range(n):
        p, largest = k, abs(a[k, k])
        for i in range(k + 1, n):
            if abs(a[i, k]) > largest:
                p, largest = i, abs(a[i, k])
        if not largest > 0.0:
            return False
        pivots[k] = p
        if p != k:
            for j in range(n):
                a[k, j], a[p, j] = a[p, j], a[k, j]
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                a[i, k] /= a[k, k]
                f = a[i, k]
                for j in range(k + 1, n):
                    a[i, j] -= f * a[k, j]
    return True


@plain_kernel
def solve_full(a: Array, pivots: Short, x: Array) -> None:
    n = a.shape[0]
    for k in range(n):
        p = pivots[k]
        if p != k:
            x[k], x[p] = x[p], x[k]
    for i in range(n):
        s = x[i]
        for j in range(i):
            s -= a[i, j] * x[j]
        x[i] = s
    for i in range(n - 1, -1, -1):
        s = x[i]
        for j in range(i + 1, n):
            s -= a[i, j] * x[j]
        x[i] = s / a[i, i]
