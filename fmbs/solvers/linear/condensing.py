"""Groups of unknowns that only their neighbours see, as those of nodes inside of an element, eliminated before all others.

With A the block of a group, B and C what couples it to its neighbours, the rest is left with D - C A^-1 B. The neighbours of a
group couple to each other already, so that nothing fills in, and what remains is a fifth of a lattice of cubic beams.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix

from fmbs.assembly.pattern import find_slots, scatter
from fmbs.solvers.linear.base import (
    Factor,
    InertialFactor,
    LinearSolver,
    SingularMatrixError,
    Sparsity,
    finite_matrix,
    finite_solution,
)
from fmbs.solvers.linear.fill import Compressed

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Slots = NDArray[np.int32]

LARGEST, WIDEST = 40, 3  # unknowns of a group, and how many times as many neighbours it may have
WORTH = 0.2  # share of the unknowns that have to be in groups
GROWN = 1e9  # A^-1 B: beyond it a group is not safe to be eliminated by itself


class Alike(NamedTuple):
    """Groups with equal numbers of unknowns and neighbours.

    inside, around: their unknowns and neighbours  # (groups, k), (groups, b)
    own, to, back: places of A, B and C in the matrix; shares: of D in the matrix that remains, column by column
    """

    inside: Integers
    around: Integers
    own: Slots
    to: Slots
    back: Slots
    shares: Slots


def groups_alike(found: Compressed, diagonal: Array) -> list[Integers]:
    """Groups that do not see each other, those of equal size together; [] where they are not worth it.

    diagonal: of the matrix
    """
    graph, size = found.graph, found.size
    weight = np.asarray(size @ csr_matrix((np.ones(graph.nnz), graph.indices, graph.indptr), shape=graph.shape).T).ravel()
    around = weight - size
    regular = np.bincount(found.owner, diagonal == 0.0, found.first.size) == 0
    good = (size > 1) & (size <= LARGEST) & (around <= WIDEST * size) & regular
    column = np.repeat(np.arange(good.size), np.diff(graph.indptr))
    seen = good[graph.indices] & good[column] & (graph.indices < column)
    good[column[seen]] = False  # of two neighbours the first is eliminated
    if size[good].sum() < WORTH * found.owner.size:
        return []
    order = np.argsort(found.owner, kind="stable")
    begin = np.concatenate([[0], np.cumsum(size)])
    chosen = np.flatnonzero(good)
    classes = []
    for k, b in np.unique(np.stack([size[chosen], around[chosen].astype(np.int64)], axis=1), axis=0):
        some = chosen[(size[chosen] == k) & (around[chosen] == b)]
        classes.append(np.sort(order[begin[some][:, None] + np.arange(k)], axis=1))
    return classes


class PartedSolver:
    """Groups by LAPACK, one small matrix after the other, and what remains by another solver."""

    def __init__(self, classes: list[Integers], pattern: Sparsity, rest: LinearSolver) -> None:
        """classes: from `groups_alike`."""
        self._pattern, self._solver, n = pattern, rest, pattern.shape[0]
        owner = np.zeros(n, bool)
        for inside in classes:
            owner[inside] = True
        self.rest = np.flatnonzero(~owner)
        number = np.full(n, -1)
        number[self.rest] = np.arange(self.rest.size)
        around = [self._around(inside) for inside in classes]
        self._matrix, self._kept = self._remaining(number, around)
        self._alike = [self._places(inside, b, number) for inside, b in zip(classes, around, strict=True)]

    @property
    def name(self) -> str:
        return self._solver.name

    def _around(self, inside: Integers) -> Integers:  # (groups, b)
        """All rows of a group's columns but its own."""
        p = self._pattern
        count = int(p.indptr[inside[0, 0] + 1] - p.indptr[inside[0, 0]])
        rows = p.indices[p.indptr[inside[:, 0]][:, None] + np.arange(count)]
        own = (rows[:, :, None] == inside[:, None, :]).any(axis=2)
        around: Integers = rows[~own].reshape(len(inside), -1).astype(np.int64)
        return around

    def _remaining(self, number: Integers, around: list[Integers]) -> tuple[csc_matrix, Integers]:
        """The matrix that remains, without values, and the entries of the whole one that go there, in their order."""
        p, n = self._pattern, self.rest.size
        column = number[p.columns()]
        kept = np.flatnonzero((number[p.indices] >= 0) & (column >= 0))
        own = csc_matrix((np.ones(kept.size, bool), (number[p.indices[kept]], column[kept])), shape=(n, n))
        for b in around:
            rows = np.repeat(np.arange(len(b)), b.shape[1])
            at = csr_matrix((np.ones(b.size, bool), (rows, number[b].ravel())), shape=(len(b), n))
            own = csc_matrix(own + at.T @ at)
        own.sort_indices()
        matrix = csc_matrix((np.zeros(own.nnz), own.indices.astype(np.int32), own.indptr.astype(np.int32)), shape=(n, n))
        matrix.has_sorted_indices = matrix.has_canonical_format = True
        self._slots = _find(matrix.indptr, matrix.indices, number[p.indices[kept]], column[kept])
        return matrix, kept

    def _places(self, inside: Integers, around: Integers, number: Integers) -> Alike:
        p = self._pattern

        def places(rows: Integers, columns: Integers) -> Slots:
            row, column = np.broadcast_arrays(rows[:, :, None], columns[:, None, :])
            return _find(p.indptr, p.indices, row.ravel(), column.ravel()).reshape(row.shape)

        beside = number[around]
        row, column = np.broadcast_arrays(beside[:, None, :], beside[:, :, None])
        shares = _find(self._matrix.indptr, self._matrix.indices, row.ravel(), column.ravel())
        return Alike(inside, around, places(inside, inside), places(inside, around), places(around, inside), shares)

    def factorize(self, matrix: csc_matrix) -> Factor:
        finite_matrix(matrix)
        data, left = matrix.data, self._matrix.data
        left[:] = 0.0
        scatter(self._slots, data[self._kept], left)
        parts = []
        for alike in self._alike:
            try:
                inverse = np.linalg.inv(data[alike.own])
            except np.linalg.LinAlgError:
                raise SingularMatrixError("the matrix is singular: unknowns inside of an element have no stiffness") from None
            to, back = inverse @ data[alike.to], data[alike.back]
            if not np.abs(to).max(initial=0.0) < GROWN:
                raise SingularMatrixError("the matrix is all but singular inside of an element")
            scatter(alike.shares, -np.swapaxes(back @ to, 1, 2).ravel(), left)
            parts.append((alike, inverse, to, back))
        return PartedFactor(self.rest, parts, self._solver.factorize(self._matrix))


class PartedFactor:
    """Of groups and of what remains."""

    def __init__(self, rest: Integers, parts: list[tuple[Alike, Array, Array, Array]], factor: Factor) -> None:
        self._rest, self._parts, self._factor = rest, parts, factor

    def solve(self, b: Array) -> Array:
        if b.ndim == 2:
            return np.column_stack([self.solve(column) for column in b.T])
        x, own = b.copy(), []
        for alike, inverse, _, back in self._parts:
            y = (inverse @ b[alike.inside][..., None])[..., 0]
            own.append(y)
            np.subtract.at(x, alike.around, (back @ y[..., None])[..., 0])
        x[self._rest] = self._factor.solve(x[self._rest])
        for (alike, _, to, _), y in zip(self._parts, own, strict=True):
            x[alike.inside] = y - (to @ x[alike.around][..., None])[..., 0]
        return finite_solution(x)

    @property
    def negative(self) -> int | None:
        """Negative eigenvalues of a symmetric matrix; None where the other solver does not tell."""
        rest = self._factor.negative if isinstance(self._factor, InertialFactor) else None
        if rest is None:
            return None
        inner = sum(int((np.linalg.eigvalsh(inverse) < 0.0).sum()) for _, inverse, _, _ in self._parts)
        return inner + rest


def _find(indptr: Slots, indices: Slots, rows: Integers, columns: Integers) -> Slots:
    slots = np.empty(rows.size, np.int32)
    find_slots(indptr, indices, rows.astype(np.int64), columns.astype(np.int64), slots)
    return slots
