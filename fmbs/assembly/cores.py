"""Large batches of elements on all cores of a machine.

Elements share nodes with the next and the one before only, so a batch is cut into two pieces a core: first all even pieces are
evaluated, each by a thread, then all odd ones, and no two threads write to the same place.
"""

from __future__ import annotations

import os
from itertools import pairwise

import numba
import numpy as np
from numba import prange
from numpy.typing import NDArray

from fmbs.core.errors import ModelError
from fmbs.core.protocols import (
    BLOCK_TANGENT,
    FORCE,
    BatchEnergy,
    Blocks,
    BlockTarget,
    CompiledBatch,
    CompiledPart,
    ElasticBatch,
    ElementBatch,
)
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.tables import address

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

MANY = (
    10_000  # elements from which on threads gain more than waiting for each other costs, even where others use the machine too
)


def cores() -> int:
    """Threads that a large model may use: FMBS_CORES, or all there are. Workers of a sweep have one."""
    most = int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    asked = os.environ.get("FMBS_CORES", str(most))
    if not asked.isdecimal() or int(asked) < 1:
        raise ModelError(f"FMBS_CORES = {asked!r} in the environment must be a whole number of 1 or more, such as 1.")
    return min(int(asked), most)


def on_cores(batch: ElementBatch) -> ElementBatch:
    """The batch itself, or on all cores if it is large."""
    elements = len(batch.blocks().first)
    if elements < MANY or not isinstance(batch, CompiledBatch) or batch.compiled() is None or (count := cores()) < 2:
        return batch
    bounds = np.linspace(0, elements, 2 * count + 1).astype(np.int64)
    return ElementsOnCores(batch, bounds) if _apart(batch.blocks(), bounds) else batch


def _apart(blocks: Blocks, bounds: Integers) -> bool:
    """Have pieces that are evaluated together no node in common?"""
    pieces = [blocks.first[a:b] for a, b in pairwise(bounds)]
    lowest, highest = np.array([x.min() for x in pieces]), np.array([x.max() for x in pieces])
    return bool((highest[:-2] < lowest[2:]).all())


def _compiled(batch: ElementBatch) -> CompiledPart:
    part = batch.compiled() if isinstance(batch, CompiledBatch) else None
    assert part is not None
    return part


@kernel(threads=True)
def _forces(force: int, tables: Integers, q: Array, v: Array, out: Array) -> None:
    for half in range(2):
        for k in prange(tables.size // 2):
            call(FORCE, force, tables[2 * k + half], q, v, out)


@kernel(threads=True)
def _tangents(tangent: int, tables: Integers, targets: Integers, q: Array, v: Array, stiffness: float, damping: float) -> None:
    for half in range(2):
        for k in prange(tables.size // 2):
            call(BLOCK_TANGENT, tangent, tables[2 * k + half], q, v, stiffness, damping, targets[2 * k + half])


class ElementsOnCores:
    """A batch of elements whose pieces bounds[k] : bounds[k + 1] are evaluated by threads."""

    def __init__(self, batch: ElementBatch, bounds: Integers) -> None:
        self._batch, self._bounds = batch, bounds
        self._parts = [_compiled(batch.subset(np.arange(a, b))) for a, b in pairwise(bounds)]  # owners of the tables
        part, target = self._parts[0], BlockTarget(np.zeros((1, 1, 1), np.int32), np.zeros(1))
        self._tables = np.array([address(part.table) for part in self._parts])
        self._force = FORCE.address(part.force, part.table)
        self._tangent = BLOCK_TANGENT.address(part.tangent, part.table, target)

    def blocks(self) -> Blocks:
        return self._batch.blocks()

    def subset(self, elements: Integers) -> ElementBatch:
        return self._batch.subset(elements)

    def viscous(self) -> ElementBatch:
        assert isinstance(self._batch, ElasticBatch)
        return on_cores(self._batch.viscous())

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        _forces(self._force, self._tables, q, v, out)

    def add_tangent(
        self, t: float, q: Array, v: Array, stiffness: float, damping: float, slots: NDArray[np.int32], data: Array
    ) -> None:
        targets = [BlockTarget(slots[a:b], data) for a, b in pairwise(self._bounds)]
        places = np.array([address(target) for target in targets])
        _tangents(self._tangent, self._tables, places, q, v, stiffness, damping)

    def compiled(self) -> CompiledPart:
        """For the time loop."""
        return _compiled(self._batch)

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        return self._batch.energy(t, q, v)
