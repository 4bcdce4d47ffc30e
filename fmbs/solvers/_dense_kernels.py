"""Elimination with exchanged rows for small systems: a call of LAPACK would take longer than the work."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.math.compiled import plain_kernel

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@plain_kernel
def factorize(a: Array, pivots: Integers) -> bool:
    """P A = L U in place, rows exchanged; False where a pivot is zero."""
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
def solve(a: Array, pivots: Integers, x: Array) -> None:
    """x = A^-1 x."""
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
