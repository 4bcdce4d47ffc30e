"""Matrices without the unknowns that `groups` finds: each group is eliminated for itself, and another storage has the rest.

With A the block of a group, B and C what couples it to its boundary, the rest is left with D - C A^-1 B. Entries are assembled
right where they are used: those of a group into a block of its own, the columns of [A; C] and then those of B, all others into
what remains. The block ends as [A^-1; -C A^-1] and A^-1 B, which is all that a solution needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.assign_kernels import assign
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.pieces import PIECE, in_pieces
from fmbs.jit.places import place
from fmbs.jit.tables import address, table
from fmbs.solvers.storage.base import FACTORIZE, SOLVE, Leading, Matrix, aligned_zeros
from fmbs.solvers.storage.groups import Groups
from fmbs.solvers.storage.sweep import combine, exchange, room_of, sweep

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]


@table
class CondensedMatrix:
    """Blocks of the groups, by columns that are padded to whole pieces, and behind them the values of what remains."""

    data: Array
    start: Integers  # (groups + 1,) first value of each block
    inside_start: Integers  # (groups + 1,) first unknown of each group
    boundary: Short  # numbers among the unknowns that remain, one group after the other
    boundary_start: Integers
    shares: Short  # places in data to which [D - C A^-1 B] of each group is added, column by column
    pivots: Short  # of all groups
    whole: Array  # room for [A, B; C, 0] of the largest group, and for vectors
    room: Array
    given: Array
    out: Array
    order: Short  # unknowns of the groups, one group after the other, and those that remain
    x: Array
    matrix: Matrix  # of those that remain
    regular: Integers


class CondensedStorage:
    """The blocks of `groups` and a storage for the rest, which `remaining` makes with room for the blocks before its values."""

    def __init__(self, groups: Groups, remaining: Callable[[int], Leading]) -> None:
        self._groups, inside, boundary = groups, np.diff(groups.inside_start), np.diff(groups.boundary_start)
        self._inside, (self._height, self._upper) = inside, (-(-n // PIECE) * PIECE for n in (inside + boundary, inside))
        self._start = np.concatenate([[0], np.cumsum(inside * self._height + boundary * self._upper)])
        self._rest = remaining(int(self._start[-1]))
        order, number = np.concatenate([groups.inside, groups.rest]), groups.numbers[groups.boundary]
        height = int(self._height.max(initial=0))
        self._table = CondensedMatrix(
            self._rest.values, self._start, groups.inside_start, number.astype(np.int32), groups.boundary_start,
            self._shares(number, boundary), np.zeros(groups.inside.size, np.int32), aligned_zeros(height * height),
            room_of(height), aligned_zeros(height), aligned_zeros(height), order.astype(np.int32), np.zeros(order.size),
            self._rest.matrix, np.zeros(1, np.int64),
        )  # fmt: skip
        calls = FACTORIZE.address(factorize, self._table), SOLVE.address(solve, self._table)
        self.matrix = Matrix(self._rest.values, address(self._table), *calls, self._table.regular)

    def _shares(self, number: Integers, boundary: Integers) -> Short:
        """Places of all pairs of unknowns on each group's boundary."""
        first = np.repeat(self._groups.boundary_start[:-1], boundary**2)
        pair = np.arange(first.size) - np.repeat(np.cumsum(boundary**2) - boundary**2, boundary**2)
        size = np.repeat(boundary, boundary**2)
        row, column = number[first + pair % size], number[first + pair // size]
        shares: Short = (self._start[-1] + self._rest.places(row, column)).astype(np.int32)
        return shares

    def places(self, row: Integers, column: Integers) -> Short:
        """Of entries in the values of the matrix."""
        groups = self._groups
        group = np.maximum(groups.owner[row], groups.owner[column])
        places, inside, rest = np.empty(row.size, np.int32), group >= 0, group < 0
        own = group[inside]
        local_row, local_column = groups.local(own, row[inside]), groups.local(own, column[inside])
        left, right = np.minimum(local_column, self._inside[own]), np.maximum(local_column - self._inside[own], 0)
        places[inside] = self._start[own] + left * self._height[own] + right * self._upper[own] + local_row
        places[rest] = self._start[-1] + self._rest.places(groups.numbers[row[rest]], groups.numbers[column[rest]])
        return places

    def invert(self) -> bool:
        """For Python: factorise what has been assembled; False where it is singular."""
        factorize(self._table)
        return bool(self._table.regular[0])

    def apply(self, x: Array) -> None:
        """For Python: x = A^-1 x."""
        solve(self._table, x)

    def snapshot(self) -> dict[str, Any]:
        own = {"blocks": self.matrix.data[: self._start[-1]], "group_pivots": self._table.pivots}
        return {**own, **self._rest.snapshot()}

    def restore(self, kept: dict[str, Any]) -> None:
        self.matrix.data[: self._start[-1]], self._table.pivots[:] = kept["blocks"], kept["group_pivots"]
        self._rest.restore(kept)


@kernel(plain=True)
def factorize(c: CondensedMatrix) -> None:
    """Blocks are inverted in place, and what remains is factorised."""
    c.regular[0] = 0
    data, p = c.data, 0
    for g in range(c.start.size - 1):
        first, last, around = c.inside_start[g], c.inside_start[g + 1], c.boundary_start[g + 1] - c.boundary_start[g]
        own, size = last - first, last - first + around
        height, upper, block = in_pieces(size), in_pieces(own), data[c.start[g] : c.start[g + 1]]
        a = c.whole[: height * size]
        assign(a[: own * height], block[: own * height])
        a[own * height :] = 0.0
        for j in range(around):
            begin, from_ = (own + j) * height, own * height + j * upper
            assign(a[begin : begin + upper], block[from_ : from_ + upper])
        if not sweep(a, height, size, own, c.pivots[first:last], c.room):
            return
        assign(block[: own * height], a[: own * height])
        for j in range(around):
            begin, to = (own + j) * height, own * height + j * upper
            assign(block[to : to + upper], a[begin : begin + upper])
            for i in range(begin + own, begin + size):
                data[place(c.shares[p])] += a[i]
                p += 1
    call(FACTORIZE, c.matrix.factorize, c.matrix.kind)
    c.regular[0] = c.matrix.regular[0]


@kernel(plain=True)
def solve(c: CondensedMatrix, x: Array) -> None:
    """x = A^-1 x."""
    z, out = c.x, c.out
    y = z[c.pivots.size :]  # what remains
    for i in range(z.size):
        z[i] = x[place(c.order[i])]
    for g in range(c.start.size - 1):  # A^-1 b, and what it leaves to the boundary
        first, last, begin, end = c.inside_start[g], c.inside_start[g + 1], c.boundary_start[g], c.boundary_start[g + 1]
        own, b = last - first, z[first:last]
        height = in_pieces(own + end - begin)
        exchange(c.pivots[first:last], b)
        combine(c.data, c.start[g], height, height // PIECE, b, out)
        assign(b, out[:own])
        for i in range(begin, end):
            y[place(c.boundary[i])] += out[own + i - begin]
    call(SOLVE, c.matrix.solve, c.matrix.kind, y)
    for g in range(c.start.size - 1):  # less A^-1 B of the boundary
        first, last, begin, end = c.inside_start[g], c.inside_start[g + 1], c.boundary_start[g], c.boundary_start[g + 1]
        own, b = last - first, c.given[: end - begin]
        height, upper = in_pieces(own + end - begin), in_pieces(own)
        for i in range(begin, end):
            b[i - begin] = y[place(c.boundary[i])]
        combine(c.data, c.start[g] + own * height, upper, upper // PIECE, b, out)
        for i in range(own):
            z[first + i] -= out[i]
    for i in range(z.size):
        x[place(c.order[i])] = z[i]
