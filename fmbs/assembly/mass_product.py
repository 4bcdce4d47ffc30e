"""M x. The rows of x, y and z of a vector differ by their place only, so that three of them are read as one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from fmbs.jit.compiled import kernel
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Places = NDArray[np.uint32]


@table
class MassRows:
    """Compressed rows: first those that stand for three, then single ones."""

    threes: int  # how many of the rows stand for the next two as well, whose columns are each one further
    row: Places  # (rows,) the first of each three, and each single one
    start: Places  # (rows + 1,)
    column: Places
    value: Array


def mass_rows(mass: csr_matrix) -> MassRows:
    """Of a matrix whose columns ascend."""
    counts, first = np.diff(mass.indptr), mass.indptr[:-1].astype(np.int64)
    rows = np.flatnonzero(counts)
    threes = _threes(mass, rows)
    single = np.ones(counts.size, bool)
    single[(threes[:, None] + np.arange(3)).ravel()] = False
    order = np.concatenate([threes, rows[single[rows]]])
    start = np.concatenate([[0], np.cumsum(counts[order])])
    places = np.repeat(first[order] - start[:-1], counts[order]) + np.arange(start[-1])
    row, begin, column = (x.astype(np.uint32) for x in (order, start, mass.indices[places]))
    return MassRows(threes.size, row, begin, column, mass.data[places])


def _threes(mass: csr_matrix, rows: Integers) -> Integers:
    """First rows of all threes, none of which overlap; rows: those that are not empty."""
    counts = np.diff(mass.indptr)
    like = np.zeros(counts.size, bool)  # is the next row the same, one column further?
    asked = rows[(rows + 1 < counts.size)]
    asked = asked[counts[asked] == counts[asked + 1]]
    length = counts[asked]
    place = np.repeat(mass.indptr[asked] - np.cumsum(length) + length, length) + np.arange(length.sum())
    further = place + np.repeat(length, length)
    differs = (mass.indices[further] != mass.indices[place] + 1) | (mass.data[further] != mass.data[place])
    like[asked] = np.bincount(np.repeat(np.arange(asked.size), length), differs, minlength=asked.size) == 0
    first = np.flatnonzero(like & ~np.concatenate([[False], like[:-1]]))  # of runs of rows that are alike
    end = np.flatnonzero(like & ~np.concatenate([like[1:], [False]])) + 1
    each = (end - first + 1) // 3
    inside = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
    found: Integers = np.repeat(first, each) + 3 * inside
    return found


@kernel(plain=True, part=True)
def add_mass_product(m: MassRows, x: Array, out: Array) -> None:
    """out += M x."""
    row, start, column, value = m.row, m.start, m.column, m.value
    for k in range(m.threes):
        a = b = c = 0.0
        for p in range(start[k], start[k + 1]):
            j, share = column[p], value[p]
            a += share * x[j]
            b += share * x[j + 1]
            c += share * x[j + 2]
        i = row[k]
        out[i] += a
        out[i + 1] += b
        out[i + 2] += c
    for k in range(m.threes, row.size):
        a = 0.0
        for p in range(start[k], start[k + 1]):
            a += value[p] * x[column[p]]
        out[row[k]] += a
