"""Force that turns with its body."""

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
from fmbs.math.vector_kernels import block_values, curvature_values, pull, vector_values
from fmbs.math.vector_table import block_pattern, columns, curvature_count, curvature_pattern

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel
def _force(acting: Acting, q: Array, v: Array, out: Array) -> None:
    table, force, u = acting.vectors, acting.values, acting.u
    vector_values(table, q, u)
    for i in range(0, table.kind.size, 4):
        for k in range(3):
            f = -force[i // 4, k]
            pull(table, i, q, u, f * u[i + 1 + k, 0], f * u[i + 1 + k, 1], f * u[i + 1 + k, 2], out)


@kernel
def _slopes(acting: Acting, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    table, force, u = acting.vectors, acting.values, acting.u
    vector_values(table, q, u)
    h, none, g = np.zeros((3, 3)), np.zeros((3, 3)), np.empty(3)
    p = 0
    for i in range(0, table.kind.size, 4):
        g[:] = 0.0
        for k in range(3):
            f = -force[i // 4, k]
            h[0, 0] = h[1, 1] = h[2, 2] = f
            p = block_values(table, i, i + 1 + k, q, v, u, h, none, out, p, stiffness, 0.0)
            for c in range(3):
                g[c] += stiffness * f * u[i + 1 + k, c]
        p = curvature_values(table, i, q, u, g[0], g[1], g[2], out, p)
    out[p:] = 0.0  # the mirrored half


class FollowerForces(LoadBatch):
    """Batch of follower forces; load i acts at point 4 i along the directions 4 i + 1, 4 i + 2, 4 i + 3 of the table."""

    force, slopes = staticmethod(_force), staticmethod(_slopes)

    @classmethod
    def build(cls, parts: Sequence[Placed], offsets: Offsets) -> Self:
        pool = VectorPool()
        pool.vectors = [vector for part in parts for marker, _ in part.places for vector in (marker.point, *marker.frame)]
        return cls(pool.table(offsets), Loads.of(parts))

    def pattern(self) -> Entries:
        table = self._acting.vectors
        widths = [columns(table, i) for i in range(table.kind.size)]
        size = sum(widths[i] * widths[i - i % 4] for i in range(len(widths)) if i % 4)
        size += sum(curvature_count(table, i) for i in range(0, len(widths), 4))
        rows, cols = np.zeros((2, size), dtype=np.int64)
        _pattern(table, rows, cols)
        return Entries(np.concatenate([rows, cols]), np.concatenate([cols, rows]))  # patterns are symmetric


@dataclass(frozen=True, eq=False)
class FollowerForce(ForceAtMarker):
    """Force of fixed components in the marker's frame, which was parallel to the global axes at t = 0: Q = J^T sum_i F_i d_i.

    force: N, three components (two in the plane), or a function of t that returns them
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.marker.frame  # a cable has none and says so

    @property
    def batch(self) -> type[FollowerForces]:
        return FollowerForces


@kernel
def _pattern(table: VectorTable, rows: Integers, cols: Integers) -> int:
    p = 0
    for i in range(0, table.kind.size, 4):
        for k in range(i + 1, i + 4):
            p = block_pattern(table, i, k, rows, cols, p)
        p = curvature_pattern(table, i, rows, cols, p)
    return p
