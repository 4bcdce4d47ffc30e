"""Moment on a body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.marker import Marker
from fmbs.core.protocols import Energy, Entries, Offsets
from fmbs.core.vectors import VectorPool, VectorTable
from fmbs.forces.load import Load, LoadBatch, Loads, check_load, check_marker, moment_components
from fmbs.math.compiled import kernel
from fmbs.math.vector_kernels import (
    block_pattern,
    block_values,
    columns,
    curvature_count,
    curvature_pattern,
    curvature_values,
    pull,
    vector_values,
)

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class Torques(LoadBatch):
    """Batch of moments; load i acts on the directions 3 i, 3 i + 1, 3 i + 2 of the table."""

    @classmethod
    def build(cls, parts: Sequence[Torque], offsets: Offsets) -> Self:
        pool = VectorPool()
        pool.vectors = [direction for part in parts for direction in part.marker.frame]
        loads = [(part.name or "Torque", part.moment, part.marker.planar) for part in parts]
        return cls(pool.table(offsets), Loads(moment_components, loads))

    def pattern(self) -> Entries:
        size = sum(columns(self._vectors, i) ** 2 + curvature_count(self._vectors, i) for i in range(self._u.shape[0]))
        rows, cols = np.zeros((2, size), dtype=np.int64)
        _pattern(self._vectors, rows, cols)
        return Entries(rows, cols)

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        _residual(self._vectors, self._loads.at(t), q, self._u, out)

    def tangent(self, t: float, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
        _tangent(self._vectors, self._loads.at(t), q, v, self._u, stiffness, out)

    def energy(self, t: float, q: Array, v: Array) -> Energy:
        rates = self._rates(q, v)
        spin = 0.5 * np.cross(self._u, rates).reshape(-1, 3, 3).sum(axis=1)  # (n, 3)
        return Energy(0.0, 0.0, float((spin * self._loads.at(t)).sum()))


@dataclass(frozen=True, eq=False)
class Torque:
    """Moment m in global axes on a body: its virtual work m . dtheta with dtheta = 1/2 sum_i d_i x dd_i of the marker's frame.

    The generalized force on each direction is 1/2 m x d_i, so that the resultant is exactly m and there is no net force.

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


@kernel
def _residual(table: VectorTable, moment: Array, q: Array, u: Array, out: Array) -> None:
    vector_values(table, q, u)
    for i in range(table.kind.size):
        x, y, z = moment[i // 3]
        gx, gy, gz = y * u[i, 2] - z * u[i, 1], z * u[i, 0] - x * u[i, 2], x * u[i, 1] - y * u[i, 0]
        pull(table, i, q, u, -0.5 * gx, -0.5 * gy, -0.5 * gz, out)


@kernel
def _tangent(table: VectorTable, moment: Array, q: Array, v: Array, u: Array, stiffness: float, out: Array) -> None:
    vector_values(table, q, u)
    h, none = np.zeros((3, 3)), np.zeros((3, 3))
    p = 0
    for i in range(table.kind.size):
        x, y, z = -0.5 * moment[i // 3]
        h[0, 1], h[0, 2], h[1, 2] = -z, y, -x
        h[1, 0], h[2, 0], h[2, 1] = z, -y, x
        p = block_values(table, i, i, q, v, u, h, none, out, p, stiffness, 0.0)
        gx, gy, gz = y * u[i, 2] - z * u[i, 1], z * u[i, 0] - x * u[i, 2], x * u[i, 1] - y * u[i, 0]
        p = curvature_values(table, i, q, u, stiffness * gx, stiffness * gy, stiffness * gz, out, p)
