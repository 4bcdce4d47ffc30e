"""One sparsity pattern for the Newton matrix, with the slot of every entry computed once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csc_matrix, identity

from fmbs.core.protocols import Blocks, Entries
from fmbs.jit.compiled import kernel
from fmbs.jit.places import place

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]


class Pattern:
    """Compressed columns of an n x n matrix; entries given by (row, column) fall into slots of its data array.

    Entries come as compressed columns themselves (`columns`: those of the mass matrix), one by one (`entries`) or as full
    blocks of elements (`blocks`), for which only the slot of the first entry of each node in each column is kept. The diagonal
    is always stored: factorisations and preconditioners expect it. Nothing larger than the result is made on the way.
    """

    def __init__(self, size: int, columns: csc_matrix, entries: Sequence[Entries], blocks: Sequence[Blocks] = ()) -> None:
        self.size = size
        rows, places = (np.concatenate([np.empty(0, np.int64), *(e[k] for e in entries)]) for k in range(2))
        single = csc_matrix(coo_matrix((np.ones(rows.size, bool), (rows, places)), shape=(size, size)))
        pattern = identity(size, dtype=bool, format="csc") + columns.astype(bool) + single  # small integers wrap round to zero
        pattern.sort_indices()
        self.indptr: Short = pattern.indptr.astype(np.int32, copy=False)
        self.indices: Short = pattern.indices.astype(np.int32, copy=False)
        for block in blocks:
            self._add(block)
        self.column_slots = np.empty(columns.nnz, np.int32)
        find_column_slots(self.indptr, self.indices, columns.indptr, columns.indices, self.column_slots)
        self.slots = [self._find(e.row, e.column) for e in entries]
        self.block_slots = [self._find_blocks(block) for block in blocks]

    def _add(self, block: Blocks) -> None:
        """The pattern together with all element blocks."""
        starts, around = _adjacency(block)
        node = np.full(self.size, -1, np.int32)  # that owns each coordinate
        node[starts[:, None] + np.arange(block.width)] = np.arange(starts.size, dtype=np.int32)[:, None]
        counts, none = np.zeros(self.size + 1, np.int32), np.empty(0, np.int32)
        tables = (self.indptr, self.indices, node, around.indptr, around.indices, starts, block.width)
        merge(*tables, counts, none)
        indptr = np.cumsum(counts, dtype=np.int32)
        indices = np.empty(int(indptr[-1]), np.int32)
        merge(*tables, counts, indices)
        self.indptr, self.indices = indptr, indices

    def _find(self, rows: Integers, columns: Integers) -> Short:
        slots = np.empty(rows.size, np.int32)
        find_slots(self.indptr, self.indices, rows, columns, slots)
        return slots

    def _find_blocks(self, block: Blocks) -> Short:  # (elements, columns, nodes)
        elements, nodes = block.first.shape
        slots = np.empty((elements, nodes * block.width, nodes), np.int32)
        find_block_slots(self.indptr, self.indices, block.first, block.width, slots)
        return slots

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


def _adjacency(block: Blocks) -> tuple[Integers, csc_matrix]:
    """First coordinates of the nodes, and which nodes share an element, in ascending order."""
    starts, numbers = np.unique(block.first, return_inverse=True)
    elements, per_element = block.first.shape
    place = (np.repeat(np.arange(elements), per_element), numbers.ravel())
    incidence = csc_matrix((np.ones(block.first.size, bool), place), shape=(elements, starts.size))
    around = csc_matrix(incidence.T @ incidence)
    around.sort_indices()
    return starts, around


@kernel(plain=True)
def merge(
    indptr: Short, indices: Short, node: Short, around: Short, neighbours: Short, starts: Integers, width: int,
    counts: Short, out: Short,
) -> None:  # fmt: skip
    """Columns of a pattern with the blocks of neighbouring nodes put in, one after the other; counts[j + 1] is their length.

    node: of each column, -1: none; around, neighbours: compressed lists of the nodes that share an element with each
    out: the rows; empty: count only
    """
    write = out.size > 0
    n = 0
    for j in range(node.size):
        begin = n
        p, end = indptr[j], indptr[j + 1]
        if node[j] >= 0:
            for b in range(around[node[j]], around[node[j] + 1]):
                first = starts[neighbours[b]]
                while p < end and indices[p] < first:
                    if write:
                        out[n] = indices[p]
                    n += 1
                    p += 1
                if write:
                    for i in range(width):
                        out[n + i] = first + i
                n += width
                while p < end and indices[p] < first + width:
                    p += 1
        while p < end:
            if write:
                out[n] = indices[p]
            n += 1
            p += 1
        counts[j + 1] = n - begin


@kernel(plain=True, part=True)
def find_slot(indptr: Short, indices: Short, row: int, column: int) -> int:
    """Position of (row, column) in compressed columns, by bisection."""
    low, high = int(indptr[column]), int(indptr[column + 1]) - 1
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low


@kernel(plain=True)
def find_slots(indptr: Short, indices: Short, rows: Integers, columns: Integers, slots: Short) -> None:
    """Position of every (row, column)."""
    for p in range(rows.size):
        slots[p] = find_slot(indptr, indices, rows[p], columns[p])


@kernel(plain=True)
def find_column_slots(indptr: Short, indices: Short, part_indptr: Short, part_indices: Short, slots: Short) -> None:
    """Position of every entry of a part of the matrix, compressed columns in ascending order too."""
    for j in range(part_indptr.size - 1):
        s = indptr[j]
        for p in range(part_indptr[j], part_indptr[j + 1]):
            while indices[s] < part_indices[p]:
                s += 1
            slots[p] = s


@kernel(plain=True)
def find_block_slots(indptr: Short, indices: Short, first: Integers, width: int, slots: Short) -> None:
    """Position of the first row of every node in every column of each element."""
    elements, nodes = first.shape
    for e in range(elements):
        for column in range(nodes * width):
            for k in range(nodes):
                j = first[e, column // width] + column % width
                slots[e, column, k] = find_slot(indptr, indices, first[e, k], j)


@kernel(plain=True)
def scatter(slots: Short, values: Array, data: Array) -> None:
    """data[slots] += values."""
    for p in range(slots.size):
        data[place(slots[p])] += values[p]


@kernel(plain=True)
def add_columns(indptr: Short, slots: Short, values: Array, share: float, shares: Array, factor: float, data: Array) -> None:
    """data[slots] += (share + factor shares[j]) values, for every column j."""
    for j in range(shares.size):
        weight = share + factor * shares[j]
        for p in range(place(indptr[j]), place(indptr[j + 1])):
            data[place(slots[p])] += weight * values[p]


@kernel(plain=True)
def add_product(indptr: Short, indices: Short, data: Array, x: Array, out: Array) -> None:
    """out += A x for compressed rows; SciPy's own product spends more time on dispatch than a small model on everything."""
    for i in range(out.size):
        s = 0.0
        for p in range(place(indptr[i]), place(indptr[i + 1])):
            s += data[p] * x[place(indices[p])]
        out[i] += s
