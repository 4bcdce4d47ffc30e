"""What batches of forces between two points share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import Entries, Offsets
from fmbs.core.vectors import VectorPool, VectorTable
from fmbs.forces.acting import ActingBatch
from fmbs.jit.compiled import kernel
from fmbs.math.vector_table import block_pattern, columns, curvature_count, curvature_pattern

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel
def _pattern(table: VectorTable, rows: Integers, cols: Integers) -> int:
    p = 0
    for i in range(0, table.kind.size, 2):
        for a in (i, i + 1):
            for b in (i, i + 1):
                p = block_pattern(table, a, b, rows, cols, p)
            p = curvature_pattern(table, a, rows, cols, p)
    return p


class PairForces(ActingBatch):
    """Batch of forces between two points each: those of force i are the vectors 2 i and 2 i + 1 of the table.

    A part has `markers`, its two, and `parameters(t)`, its row of `values` at time t. The kernels `force` and `slopes`, see
    ActingBatch, write for each force and for each of its two points a: `block_values` with respect to both points, then
    `curvature_values` of a.
    """

    is_load = False

    def __init__(self, vectors: VectorTable, parts: Sequence[Any], update: Callable[[float], None] | None = None) -> None:
        super().__init__(vectors, np.array([part.parameters(0.0) for part in parts], dtype=float), update)

    @classmethod
    def build(cls, parts: Sequence[Any], offsets: Offsets) -> Self:
        pool = VectorPool()
        pool.vectors = [marker.point for part in parts for marker in part.markers]
        return cls(pool.table(offsets), parts)

    def pattern(self) -> Entries:
        table = self._acting.vectors
        counts = [columns(table, i) for i in range(table.kind.size)]
        size = sum((a + b) ** 2 for a, b in zip(counts[::2], counts[1::2], strict=True))
        size += sum(curvature_count(table, i) for i in range(table.kind.size))
        rows, cols = np.zeros((2, size), dtype=np.int64)
        _pattern(table, rows, cols)
        return Entries(rows, cols)
