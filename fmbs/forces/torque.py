"""Moment on a body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.described import Described
from fmbs.core.marker import Marker
from fmbs.core.protocols import Entries, Offsets
from fmbs.core.vectors import VectorPool, VectorTable
from fmbs.forces.acting import Acting
from fmbs.forces.load import Load, LoadBatch, Loads, check_load, check_marker, moment_components
from fmbs.jit.compiled import kernel
from fmbs.math.vector_kernels import block_values, curvature_values, pull, vector_values
from fmbs.math.vector_table import block_pattern, columns, curvature_count, curvature_pattern

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel
def _force(acting: Acting, q: Array, v: Array, out: Array) -> None:
    table, moment, u = acting.vectors, acting.values, acting.u
    vector_values(table, q, u)
    for i in range(table.kind.size):
        x, y, z = -0.5 * moment[i // 3, 0], -0.5 * moment[i // 3, 1], -0.5 * moment[i // 3, 2]
        gx, gy, gz = y * u[i, 2] - z * u[i, 1], z * u[i, 0] - x * u[i, 2], x * u[i, 1] - y * u[i, 0]
        pull(table, i, q, u, gx, gy, gz, out)


@kernel
def _slopes(acting: Acting, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    table, moment, u = acting.vectors, acting.values, acting.u
    vector_values(table, q, u)
    h, none = np.zeros((3, 3)), np.zeros((3, 3))
    p = 0
    for i in range(table.kind.size):
        x, y, z = -0.5 * moment[i // 3, 0], -0.5 * moment[i // 3, 1], -0.5 * moment[i // 3, 2]
        h[0, 1], h[0, 2], h[1, 2] = -z, y, -x
        h[1, 0], h[2, 0], h[2, 1] = z, -y, x
        p = block_values(table, i, i, q, v, u, h, none, out, p, stiffness, 0.0)
        gx, gy, gz = y * u[i, 2] - z * u[i, 1], z * u[i, 0] - x * u[i, 2], x * u[i, 1] - y * u[i, 0]
        p = curvature_values(table, i, q, u, stiffness * gx, stiffness * gy, stiffness * gz, out, p)


class Torques(LoadBatch):
    """Batch of moments; load i acts on the directions 3 i, 3 i + 1, 3 i + 2 of the table."""

    force, slopes = staticmethod(_force), staticmethod(_slopes)

    @classmethod
    def build(cls, parts: Sequence[Torque], offsets: Offsets) -> Self:
        pool = VectorPool()
        pool.vectors = [direction for part in parts for direction in part.marker.frame]
        loads = [(part.name or "Torque", part.moment, part.marker.planar) for part in parts]
        return cls(pool.table(offsets), Loads(moment_components, loads, np.ones((len(loads), 1))))

    def pattern(self) -> Entries:
        table = self._acting.vectors
        size = sum(columns(table, i) ** 2 + curvature_count(table, i) for i in range(table.kind.size))
        rows, cols = np.zeros((2, size), dtype=np.int64)
        _pattern(table, rows, cols)
        return Entries(rows, cols)


@dataclass(frozen=True, eq=False)
class Torque(Described):
    """Moment m in global axes on a body: its virtual work m . dtheta with dtheta = 1/2 sum_i d_i x dd_i of the marker's frame.

    The generalized force on each direction is 1/2 m x d_i, so that the resultant is exactly m and there is no net force. It
    keeps its direction in space while the body turns: in three dimensions that has no potential and an unsymmetric tangent.

    moment: N m, three components (one number about z on planar bodies), or a function of t that returns them
    """

    marker: Marker
    moment: Load
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        name = self.name or "Torque"
        check_marker(name, "marker", self.marker)
        _ = self.marker.frame  # a cable has none and says so
        check_load(name, moment_components, self.moment, self.marker.planar)

    @property
    def batch(self) -> type[Torques]:
        return Torques

    @property
    def markers(self) -> tuple[Marker]:
        return (self.marker,)


@kernel
def _pattern(table: VectorTable, rows: Integers, cols: Integers) -> int:
    p = 0
    for i in range(table.kind.size):
        p = block_pattern(table, i, i, rows, cols, p)
        p = curvature_pattern(table, i, rows, cols, p)
    return p
