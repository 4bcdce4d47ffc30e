"""One sparsity pattern for the Newton matrix, with the slot of every entry computed once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.math.compiled import kernel

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class Pattern:
    """Compressed columns of an n x n matrix; entries given by (row, column) fall into slots of its data array.

    The diagonal is always stored: factorisations and preconditioners expect it.
    """

    def __init__(self, size: int, segments: Sequence[tuple[Integers, Integers]]) -> None:
        diagonal = np.arange(size, dtype=np.int64)
        rows = np.concatenate([r for r, _ in segments] + [diagonal])
        cols = np.concatenate([c for _, c in segments] + [diagonal])
        keys, slots = np.unique(cols * size + rows, return_inverse=True)
        self.size = size
        self.indices = (keys % max(size, 1)).astype(np.int32)
        self.indptr = np.searchsorted(keys, np.arange(size + 1, dtype=np.int64) * size).astype(np.int32)
        lengths = np.cumsum([0] + [r.size for r, _ in segments])
        self.slots = [slots[a:b] for a, b in pairwise(lengths)]

    @cached_property
    def mirror(self) -> Integers:
        """For every slot (i, j) the slot of (j, i); patterns here are structurally symmetric."""
        numbered = csc_matrix((np.arange(self.nonzeros), self.indices, self.indptr), shape=(self.size, self.size))
        turned = csc_matrix(numbered.T)
        turned.sort_indices()
        mirrored: Integers = turned.data
        return mirrored

    @property
    def nonzeros(self) -> int:
        return int(self.indices.size)

    def matrix(self, data: Array) -> csc_matrix:
        """The matrix with these values; shares the index arrays."""
        matrix = csc_matrix((self.size, self.size))
        matrix.data, matrix.indices, matrix.indptr = data, self.indices, self.indptr
        matrix.has_sorted_indices = matrix.has_canonical_format = True
        return matrix


@kernel
def scatter(slots: Integers, values: Array, data: Array) -> None:
    """data[slots] += values."""
    for p in range(slots.size):
        data[slots[p]] += values[p]


@kernel
def add_product(indptr: NDArray[np.int32], indices: NDArray[np.int32], data: Array, x: Array, out: Array) -> None:
    """out += A x for compressed rows; SciPy's own product spends more time on dispatch than a small model on everything."""
    for i in range(out.size):
        s = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            s += data[p] * x[indices[p]]
        out[i] += s
