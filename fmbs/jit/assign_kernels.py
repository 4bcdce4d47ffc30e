"""Copies between arrays for plain kernels, in which slices cannot be assigned: numba might want memory for an overlap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel

Array = NDArray[np.float64] | NDArray[np.int64]


@kernel(plain=True, part=True)
def assign(target: Array, source: Array) -> None:
    """target = source  # (n,)."""
    for i in range(target.size):
        target[i] = source[i]


@kernel(plain=True, part=True)
def assign_table(target: Array, source: Array) -> None:
    """target = source  # (n, k)."""
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            target[i, j] = source[i, j]
