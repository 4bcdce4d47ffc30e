"""Band matrices of M-type: LU without pivoting (stable for them), forward and transposed solution.

M[i, b + j - i] holds the entry (i, j) of a matrix with half bandwidth b; columns without coupling cost nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]


@kernel
def factorize(M: Array, b: int) -> None:
    """M becomes L and U in place; L has a unit diagonal."""
    n = M.shape[0]
    for k in range(n):
        width = min(b, n - 1 - k)
        pivot = 1.0 / M[k, b]
        row = M[k, b + 1 : b + 1 + width]
        for d in range(1, width + 1):
            ratio = M[k + d, b - d] * pivot
            if ratio != 0.0:
                M[k + d, b - d] = ratio
                other = M[k + d, b - d + 1 : b - d + 1 + width]
                for j in range(width):
                    other[j] -= ratio * row[j]


@kernel
def solve(M: Array, b: int, x: Array) -> None:
    """x becomes M^-1 x."""
    n = M.shape[0]
    for i in range(n):
        first = max(0, i - b)
        total = x[i]
        for j in range(first, i):
            total -= M[i, b + j - i] * x[j]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for d in range(1, min(b, n - 1 - i) + 1):
            total -= M[i, b + d] * x[i + d]
        x[i] = total / M[i, b]


@kernel(part=True)
def solve_transposed(M: Array, b: int, X: Array) -> None:
    """Rows of X (k, n) become M^-T X^T, several right-hand sides at once."""
    n, k = M.shape[0], X.shape[0]
    for r in range(k):
        x = X[r]
        for i in range(n):
            x[i] /= M[i, b]
            value = x[i]
            if value != 0.0:
                for d in range(1, min(b, n - 1 - i) + 1):
                    x[i + d] -= M[i, b + d] * value
        for i in range(n - 1, -1, -1):
            value = x[i]
            if value != 0.0:
                for j in range(max(0, i - b), i):
                    x[j] -= M[i, b + j - i] * value
