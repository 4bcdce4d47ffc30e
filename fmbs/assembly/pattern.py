"""One sparsity pattern for the Newton matrix, with the slot of every entry computed once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csc_matrix, identity, kron

from fmbs.core.protocols import Blocks, Entries
from fmbs.math.compiled import kernel

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]


class Pattern:
    """Compressed columns of an n x n matrix; entries given by (row, column) fall into slots of its data array.

    Entries come one by one (`entries`) or as full blocks of elements (`blocks`), for which only the slot of the first entry
    of each node in each column is kept. The diagonal is always stored: factorisations and preconditioners expect it.
    """

    def __init__(self, size: int, entries: Sequence[Entries], blocks: Sequence[Blocks] = ()) -> None:
        self.size = size
        pattern = csc_matrix(identity(size, dtype=bool, format="csc"))  # bool: small integers wrap round to zero
        for block in blocks:
            pattern = pattern + _block_pattern(size, block)
        for entry in entries:
            place = (entry.row, entry.column)
            pattern = pattern + csc_matrix(coo_matrix((np.ones(entry.row.size, bool), place), shape=(size, size)))
        pattern.sort_indices()
        self.indices: Short = pattern.indices.astype(np.int32, copy=False)
        self.indptr: Short = pattern.indptr.astype(np.int32, copy=False)
        self.slots = [self._find(e.row, e.column) for e in entries]
        self.block_slots = [self._find_blocks(block) for block in blocks]

    def _find(self, rows: Integers, columns: Integers) -> Short:
        slots = np.empty(rows.size, np.int32)
        find_slots(self.indptr, self.indices, rows, columns, slots)
        return slots

    def _find_blocks(self, block: Blocks) -> Short:  # (elements, columns, nodes)
        elements, nodes = block.first.shape
        columns = (block.first[:, :, None] + np.arange(block.width)).reshape(elements, -1)
        shape = (elements, columns.shape[1], nodes)
        rows = np.broadcast_to(block.first[:, None, :], shape).ravel()
        return self._find(rows, np.broadcast_to(columns[:, :, None], shape).ravel()).reshape(shape)

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


def _block_pattern(size: int, block: Blocks) -> csc_matrix:
    """Union of all element blocks: the nodes' adjacency, every pair blown up to width x width."""
    starts, numbers = np.unique(block.first, return_inverse=True)
    elements, per_element = block.first.shape
    place = (np.repeat(np.arange(elements), per_element), numbers.ravel())
    incidence = csc_matrix((np.ones(block.first.size, bool), place), shape=(elements, starts.size))
    adjacency = csc_matrix(incidence.T @ incidence)
    adjacency.data = np.ones(adjacency.nnz, bool)
    blown = kron(adjacency, np.ones((block.width, block.width), bool), format="csc")
    spread = (starts[:, None] + np.arange(block.width)).ravel().astype(np.int32)  # compact -> global coordinate
    lengths = np.zeros(size + 1, np.int32)
    lengths[spread + 1] = np.diff(blown.indptr)
    return csc_matrix((blown.data, spread[blown.indices], np.cumsum(lengths)), shape=(size, size))


@kernel
def find_slots(indptr: Short, indices: Short, rows: Integers, columns: Integers, slots: Short) -> None:
    """Position of every (row, column) in compressed columns, by bisection."""
    for p in range(rows.size):
        low, high = indptr[columns[p]], indptr[columns[p] + 1] - 1
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < rows[p]:
                low = middle + 1
            else:
                high = middle
        slots[p] = low


@kernel
def scatter(slots: Short, values: Array, data: Array) -> None:
    """data[slots] += values."""
    for p in range(slots.size):
        data[slots[p]] += values[p]


@kernel
def add_product(indptr: Short, indices: Short, data: Array, x: Array, out: Array) -> None:
    """out += A x for compressed rows; SciPy's own product spends more time on dispatch than a small model on everything."""
    for i in range(out.size):
        s = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            s += data[p] * x[indices[p]]
        out[i] += s
