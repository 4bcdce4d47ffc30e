"""The Newton matrix of the compiled driver: elimination with exchanged rows.

Small full matrices are eliminated here: a call of LAPACK would take longer than the work. Bands are factorised by LAPACK's
dgbtrf and solved here: its dgbtrs calls BLAS for every column, which takes longer than the work as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.math.calls import call
from fmbs.math.compiled import plain_part
from fmbs.solvers._stretch_tables import Matrix

Array = NDArray[np.float64]
Short = NDArray[np.int32]


@plain_part
def factorize(matrix: Matrix) -> bool:
    """P A = L U in place; False where a pivot is zero."""
    if matrix.order.size == 0:
        return factorize_full(matrix.full, matrix.pivots)
    p = matrix.arguments
    call(matrix.dgbtrf, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7])
    return matrix.info[0] == 0


@plain_part
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


@plain_part
def subtract(factor: float, column: Array, x: Array) -> None:
    """x -= factor column. Slices that begin at 0: numba allows for negative indices elsewhere, which costs the vectors."""
    if factor != 0.0:
        for i in range(x.size):
            x[i] -= factor * column[i]


@plain_part
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
        below, count = j * height + reach + 1, min(lower, n - 1 - j)
        subtract(f, lu[below : below + count], y[j + 1 : j + 1 + count])
    for j in range(n - 1, -1, -1):
        diagonal, count = j * height + reach, min(reach, j)
        y[j] /= lu[diagonal]
        subtract(y[j], lu[diagonal - count : diagonal], y[j - count : j])


@plain_part
def factorize_full(a: Array, pivots: Short) -> bool:
    """a[j, i]: row i of column j, so that inner loops run along memory."""
    n = a.shape[0]
    for k in range(n):
        p, largest = k, abs(a[k, k])
        for i in range(k + 1, n):
            if abs(a[k, i]) > largest:
                p, largest = i, abs(a[k, i])
        if not largest > 0.0:
            return False
        pivots[k] = p
        if p != k:
            for j in range(n):
                a[j, k], a[j, p] = a[j, p], a[j, k]
        inverse = 1.0 / a[k, k]
        for i in range(k + 1, n):
            a[k, i] *= inverse
        for j in range(k + 1, n):
            subtract(a[j, k], a[k, k + 1 :], a[j, k + 1 :])
    return True


@plain_part
def solve_full(a: Array, pivots: Short, x: Array) -> None:
    n = a.shape[0]
    for k in range(n):
        p = pivots[k]
        if p != k:
            x[k], x[p] = x[p], x[k]
    for k in range(n):
        subtract(x[k], a[k, k + 1 :], x[k + 1 : n])
    for k in range(n - 1, -1, -1):
        x[k] /= a[k, k]
        subtract(x[k], a[k, :k], x[:k])
