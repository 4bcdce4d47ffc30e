"""Force at a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import Energy, Entries, Offsets
from fmbs.core.vectors import VectorPool, VectorTable
from fmbs.forces.load import ForceAtMarker, LoadBatch, Loads, Placed
from fmbs.math.compiled import kernel
from fmbs.math.vector_kernels import curvature_count, curvature_pattern, curvature_values, pull, vector_values

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class PointForces(LoadBatch):
    """Batch of point forces: f = -J^T F(t)."""

    @classmethod
    def build(cls, parts: Sequence[Placed], offsets: Offsets) -> Self:
        pool = VectorPool()
        pool.vectors = [marker.point for part in parts for marker, _ in part.places]  # one a force, even at a shared point
        return cls(pool.table(offsets), Loads.of(parts))

    def pattern(self) -> Entries:
        size = sum(curvature_count(self._vectors, i) for i in range(self._u.shape[0]))
        rows, cols = np.zeros((2, size), dtype=np.int64)
        _pattern(self._vectors, rows, cols)
        return Entries(rows, cols)

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        _residual(self._vectors, self._loads.at(t), q, self._u, out)

    def tangent(self, t: float, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
        _tangent(self._vectors, self._loads.at(t), q, self._u, stiffness, out)

    def energy(self, t: float, q: Array, v: Array) -> Energy:
        rates = self._rates(q, v)
        return Energy(0.0, 0.0, float((rates * self._loads.at(t)).sum()))


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


@kernel
def _residual(table: VectorTable, force: Array, q: Array, u: Array, out: Array) -> None:
    vector_values(table, q, u)
    for i in range(table.kind.size):
        pull(table, i, q, u, -force[i, 0], -force[i, 1], -force[i, 2], out)


@kernel
def _tangent(table: VectorTable, force: Array, q: Array, u: Array, stiffness: float, out: Array) -> None:
    vector_values(table, q, u)
    p = 0
    for i in range(table.kind.size):
        x, y, z = -stiffness * force[i]
        p = curvature_values(table, i, q, u, x, y, z, out, p)
