"""Unknowns that can be eliminated before a matrix is factorised: a body's own, and those of nodes inside one element.

A group couples to itself and to its boundary, unknowns that are in no group: groups do not see each other, and each is
eliminated for itself. Where two of them would, as bodies do by springs, contacts and the curvature of joints, the coordinates
of one side are held back. With them go multipliers that would be left without coordinates.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix, vstack

from fmbs.assembly.pattern import find_slots
from fmbs.assembly.system import Coefficients, System
from fmbs.solvers.linear.base import Sparsity
from fmbs.solvers.storage.band import ranks

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

LARGEST = 40  # unknowns of a group
WIDEST = 3  # boundary of a group, relative to its unknowns: what remains becomes full there
WORTH = 0.2  # share of the unknowns that have to be in groups
WORST = 1e9  # condition of a group's block of masses and constraints, scaled


class Groups:
    """Of the unknowns of a pattern that is symmetric.

    owner: group of each unknown, -1: it remains
    inside, inside_start: the unknowns of the groups, one group after the other, ascending; boundary, boundary_start: the same
    rest: unknowns that remain, ascending
    """

    def __init__(self, pattern: Sparsity, owner: Integers) -> None:
        kept, numbered = np.unique(owner[owner >= 0], return_inverse=True)
        self.owner = np.full(owner.size, -1)
        self.owner[owner >= 0] = numbered
        self.count, self._pattern, n = kept.size, pattern, owner.size
        self.inside = np.argsort(np.where(self.owner < 0, kept.size, self.owner), kind="stable")[: numbered.size]
        self.inside_start = np.concatenate([[0], np.cumsum(np.bincount(numbered, minlength=kept.size))])
        here, there = self.owner[pattern.indices], np.repeat(self.owner, np.diff(pattern.indptr))  # of rows, of columns
        outside = np.flatnonzero((there >= 0) & (here != there))
        if (here[outside] >= 0).any():
            raise ValueError("groups of unknowns that couple to each other cannot be eliminated together")
        self._keys = np.unique(there[outside] * n + pattern.indices[outside])
        self.boundary = self._keys % n
        counts = np.bincount(self._keys // n, minlength=kept.size)
        self.boundary_start = np.concatenate([[0], np.cumsum(counts)])
        self.rest = np.flatnonzero(self.owner < 0)

    @cached_property
    def numbers(self) -> Integers:
        """Of each unknown, among those of its group or among those that remain."""
        numbers = np.empty(self.owner.size, np.int64)
        numbers[self.rest] = np.arange(self.rest.size)
        numbers[self.inside] = np.arange(self.inside.size) - np.repeat(self.inside_start[:-1], np.diff(self.inside_start))
        return numbers

    def local(self, group: Integers, unknown: Integers) -> Integers:
        """Place of an unknown in the block of a group: inside, or behind that on its boundary."""
        key = np.searchsorted(self._keys, group * self.owner.size + unknown)
        size = np.diff(self.inside_start)[group]
        return np.where(self.owner[unknown] == group, self.numbers[unknown], size + key - self.boundary_start[group])

    @cached_property
    def remaining(self) -> Sparsity:
        """The pattern of what remains: the boundary of a group couples all its unknowns."""
        n, row, column = self.rest.size, self._pattern.indices, self._pattern.columns()
        both = (self.owner[row] < 0) & (self.owner[column] < 0)
        own = csc_matrix((np.ones(both.sum()), (self.numbers[row[both]], self.numbers[column[both]])), shape=(n, n))
        at = self._boundaries()
        pattern = csc_matrix(own + at.T @ at)
        pattern.sum_duplicates()
        return Sparsity(pattern)

    def along(self, together: Integers) -> Integers:
        """An order of what remains: groups are ordered from end to end, and unknowns lie in the middle of their groups."""
        at, rest = self._boundaries(), self.remaining
        whole = csr_matrix((np.ones(rest.indices.size), rest.indices, rest.indptr), shape=rest.shape)
        bare = np.bincount(at.indices, minlength=self.rest.size) == 0  # in no boundary: with its neighbours a group of its own
        sets = csr_matrix(vstack([at, whole[bare]]))
        sums, counts = sets.T @ ranks(csr_matrix(sets @ sets.T)), np.bincount(sets.indices, minlength=self.rest.size)
        middle = np.bincount(together, sums / counts) / np.bincount(together)
        order: Integers = np.lexsort((together, middle[together]))
        return order

    def _boundaries(self) -> csr_matrix:  # (groups, unknowns that remain)
        number, shape = self.numbers[self.boundary], (self.count, self.rest.size)
        return csr_matrix((np.ones(number.size), number, self.boundary_start), shape=shape)


def groups_of(system: System, pattern: Sparsity, moving: bool = True) -> Groups | None:
    """Groups that can be eliminated safely, if they are worth it. Without masses, where nothing is `moving`, bodies cannot."""
    owner, unit = _candidates(system, moving)
    _hold_back(pattern, owner, unit, system.size)
    if (owner < 0).all():
        return None
    found = Groups(pattern, owner)
    inside, boundary = np.diff(found.inside_start), np.diff(found.boundary_start)
    good = (inside <= LARGEST) & (boundary <= WIDEST * inside)
    good[good] = _regular(system, found, np.flatnonzero(good), moving)
    if inside[good].sum() < WORTH * owner.size:
        return None
    return found if good.all() else Groups(pattern, np.where((found.owner >= 0) & good[found.owner], found.owner, -1))


def condensable(system: System) -> int:
    """How many unknowns may be in groups at most."""
    return int((_candidates(system, True)[0] >= 0).sum())


def _candidates(system: System, moving: bool) -> tuple[Integers, Integers]:
    """Group of each unknown, and the unit that it is in: coordinates of a node stay together."""
    total = system.size + system.multipliers
    owner, unit, count = np.full(total, -1), np.arange(total), 0
    for batch in system.elements:
        blocks = batch.blocks()
        users = np.bincount(blocks.first.ravel(), minlength=system.size)
        for first in blocks.first.T:
            coordinates = first[:, None] + np.arange(blocks.width)
            unit[coordinates] = first[:, None]
            alone = users[first] == 1
            owner[coordinates[alone]] = count + np.flatnonzero(alone)[:, None]
        count += len(blocks.first)
    for body in system.dofs.bodies:
        if moving and body.batch is None and body.size:
            rows = system.dofs.multipliers_of(body)
            owner[system.dofs.coordinates_of(body)] = count
            owner[system.size + rows.start : system.size + rows.stop] = count
            count += 1
    return owner, unit


def _hold_back(pattern: Sparsity, owner: Integers, unit: Integers, size: int) -> None:
    """Take unknowns out of groups until these do not couple to each other."""
    row, column = pattern.indices, pattern.columns()
    here, there = owner[row], np.repeat(owner, np.diff(pattern.indptr))
    across = np.flatnonzero((here >= 0) & (here < there))
    key = here[across] * (owner.max(initial=0) + 1) + there[across]
    order = np.argsort(key, kind="stable")
    sides = unit[row[across]][order], unit[column[across]][order]
    held = np.zeros(owner.size, bool)
    for entries in np.split(np.arange(order.size), np.flatnonzero(np.diff(key[order])) + 1):
        one, other = sides[0][entries], sides[1][entries]
        still = ~(held[one] | held[other])
        one, other = np.unique(one[still]), np.unique(other[still])
        held[one if one.size < other.size else other] = True
    owner[held[unit]] = -1
    inside = np.flatnonzero((row >= size) & (column < size) & (here >= 0) & (here == there))  # Phi_q of a group's own
    bare = np.arange(owner.size) >= size
    bare[row[inside[owner[column[inside]] >= 0]]] = False
    owner[bare] = -1


def _regular(system: System, groups: Groups, asked: Integers, moving: bool) -> NDArray[np.bool_]:
    """Is the block of a group safe to be inverted by itself? Bodies without inertia are held by others only."""
    mass = 1.0 if moving else 0.0
    coefficients = Coefficients(mass=mass, stiffness=1.0 - mass, constraint=system.mass_scale if moving else 1.0)
    still, none = np.zeros(system.size), np.zeros(system.multipliers)
    matrix = system.jacobian(0.0, system.initial_position, still, none, coefficients)
    sizes, regular = np.diff(groups.inside_start)[asked], np.zeros(asked.size, bool)
    for size in np.unique(sizes):
        some = np.flatnonzero(sizes == size)
        inside = groups.inside[groups.inside_start[asked[some]][:, None] + np.arange(size)]
        row, column = np.broadcast_arrays(inside[:, :, None], inside[:, None, :])
        slots = np.empty(row.size, np.int32)
        find_slots(matrix.indptr, matrix.indices, row.ravel(), column.ravel(), slots)
        found = (matrix.indices[slots] == row.ravel()) & (slots < matrix.indptr[column.ravel() + 1])
        block = np.where(found, matrix.data[slots], 0.0).reshape(row.shape)
        regular[some] = _condition(block) < WORST
    return regular


def _condition(block: Array) -> Array:
    """Of matrices whose rows and columns are scaled; of equal ones it is worked out once  # (n, k, k) -> (n,)."""
    sums = (block * np.random.default_rng(0).random(block.shape[1:])).sum(axis=(1, 2))
    _, first, which = np.unique(sums, return_index=True, return_inverse=True)
    scaled = block[first]
    for axis in (1, 2):
        largest = np.abs(scaled).max(axis=axis, keepdims=True)
        scaled = scaled / np.where(largest > 0.0, largest, 1.0)
    conditions: Array = np.linalg.cond(scaled)[which.ravel()]
    return conditions
