"""Force at a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import Entries, Offsets
from fmbs.core.vectors import VectorPool, VectorTable
from fmbs.forces.acting import Acting
from fmbs.forces.load import ForceAtMarker, LoadBatch, Loads, Placed
from fmbs.jit.compiled import kernel
from fmbs.math.vector_kernels import curvature_values, pull, vector_values
from fmbs.math.vector_table import curvature_count, curvature_pattern

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel
def _force(acting: Acting, q: Array, v: Array, out: Array) -> None:
    table, force, u = acting.vectors, acting.values, acting.u
    vector_values(table, q, u)
    for i in range(table.kind.size):
        pull(table, i, q, u, -force[i, 0], -force[i, 1], -force[i, 2], out)


@kernel
def _slopes(acting: Acting, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    table, force, u = acting.vectors, acting.values, acting.u
    vector_values(table, q, u)
    p = 0
    for i in range(table.kind.size):
        x, y, z = -stiffness * force[i, 0], -stiffness * force[i, 1], -stiffness * force[i, 2]
        p = curvature_values(table, i, q, u, x, y, z, out, p)


class PointForces(LoadBatch):
    """Batch of point forces: f = -J^T F(t)."""

    force, slopes = staticmethod(_force), staticmethod(_slopes)

    @classmethod
    def build(cls, parts: Sequence[Placed], offsets: Offsets) -> Self:
        pool = VectorPool()
        pool.vectors = [marker.point for part in parts for marker, _ in part.places]  # one a force, even at a shared point
        return cls(pool.table(offsets), Loads.of(parts))

    def pattern(self) -> Entries:
        table = self._acting.vectors
        size = sum(curvature_count(table, i) for i in range(table.kind.size))
        rows, cols = np.zeros((2, size), dtype=np.int64)
        _pattern(table, rows, cols)
        return Entries(rows, cols)


@dataclass(frozen=True, eq=False)
class PointForce(ForceAtMarker):
    """Force of fixed global direction at a marker: Q = J^T F.

    force: N, three components (two in the plane), or a function of t that returns them
    """

    @property
    def batch(self) -> type[PointForces]:
        return PointForces


@kernel
def _pattern(table: VectorTable, rows: Integers, cols: Integers) -> int:
    p = 0
    for i in range(table.kind.size):
        p = curvature_pattern(table, i, rows, cols, p)
    return p
