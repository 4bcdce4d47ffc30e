"""Gauss and Jordan's elimination in place, with exchanged rows, on columns that are padded to whole pieces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.jit.pieces import subtract_pieces

Array = NDArray[np.float64]
Short = NDArray[np.int32]


@kernel(plain=True, part=True)
def sweep(a: Array, size: int, count: int, pivots: Short, column: Array) -> bool:
    """[A, B; C, D] becomes [(P A)^-1, A^-1 B; -C (P A)^-1, D - C A^-1 B] with A of `count` rows; False: A is singular.

    a: `size` columns below each other, each as long as `column`, which is room for one and ends with zeros
    """
    step = column.size
    for k in range(count):
        own = k * step
        p, largest = k, abs(a[own + k])
        for i in range(k + 1, count):
            if abs(a[own + i]) > largest:
                p, largest = i, abs(a[own + i])
        if not largest > 0.0:
            return False
        pivots[k] = p
        if p != k:
            for j in range(size):
                a[j * step + k], a[j * step + p] = a[j * step + p], a[j * step + k]
        inverse = 1.0 / a[own + k]
        for i in range(size):
            column[i] = a[own + i]
            a[own + i] = 0.0
        column[k], a[own + k] = 0.0, 1.0
        for j in range(size):
            share = inverse * a[j * step + k]
            if share != 0.0:
                subtract_pieces(share, column, a[j * step : j * step + step])
                a[j * step + k] = share
    return True


@kernel(plain=True, part=True)
def exchange(pivots: Short, x: Array) -> None:
    """x = P x."""
    for k in range(pivots.size):
        p = pivots[k]
        if p != k:
            x[k], x[p] = x[p], x[k]
