"""Vectors that ride on bodies: the only thing joints and forces see of a body.

A vector u(q) is a point or a direction of a body. Six kinds cover every body whose mass matrix is constant:

    FIXED   u = c                                          ground
    FRAME   u = n_1 e_1 + n_2 e_2 + n_3 e_3 of the orthonormal frame of two LINEAR directors      section of a beam
    LINEAR  u = sum_k c_k q[b_k : b_k + 3]                 natural coordinates, ANCF
    FLAT    u = sum_k c_k (q[b_k], q[b_k + 1], 0)          ANCF in the plane
    SLOPE   u = n_1 e + n_2 e_z x e + n_3 e_z, e the direction of a FLAT slope      direction of a planar beam
    PLANAR  u = p (x, y, 0) + R(theta) (s_x, s_y, 0) + s_z e_z     planar body, p = 1 for a point, 0 for a direction
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from fmbs.math.flexible_vectors import CALLS
from fmbs.math.vector_kernels import connect_vectors
from fmbs.math.vector_table import FIXED, FLAT, FRAME, LINEAR, PLANAR, SLOPE, VectorTable

if TYPE_CHECKING:
    from fmbs.core.protocols import Body, Offsets

__all__ = ["FIXED", "FLAT", "FRAME", "LINEAR", "PLANAR", "SLOPE", "Vector", "VectorPool", "VectorTable"]


@dataclass(frozen=True)
class Vector:
    """A point or direction of `body` as a function of the body's coordinates (see the module's table of kinds)."""

    body: Body | None  # None: a vector of space itself, such as a global axis
    kind: int
    coefficients: tuple[float, ...]  # FIXED: x, y, z; LINEAR, FLAT: one a block; PLANAR: p, s; FRAME: n, y, z; SLOPE: n, slope
    blocks: tuple[int, ...] = ()  # first local coordinate of each block of three (FLAT, SLOPE: of two)
    is_point: bool = False


@dataclass
class VectorPool:
    """Collects vectors, each once, and numbers them."""

    vectors: list[Vector] = field(default_factory=list)
    _numbers: dict[tuple[int, int, tuple[int, ...], tuple[float, ...]], int] = field(default_factory=dict)

    def number(self, vector: Vector) -> int:
        key = (id(vector.body), vector.kind, vector.blocks, vector.coefficients)
        if key not in self._numbers:
            self._numbers[key] = len(self.vectors)
            self.vectors.append(vector)
        return self._numbers[key]

    def table(self, offsets: Offsets) -> VectorTable:
        start = [0]
        coefficient: list[float] = []
        dof: list[int] = []
        for vector in self.vectors:
            offset = 0 if vector.kind == FIXED or vector.body is None else offsets[vector.body]
            coefficient.extend(vector.coefficients)
            blocks = (0,) * (len(vector.coefficients) - len(vector.blocks)) + vector.blocks
            dof.extend(offset + block for block in blocks)
            start.append(len(coefficient))
        table = VectorTable(
            kind=np.array([vector.kind for vector in self.vectors], dtype=np.int64),
            start=np.array(start, dtype=np.int64),
            coefficient=np.array(coefficient, dtype=np.float64),
            dof=np.array(dof, dtype=np.int64),
            calls=np.zeros(CALLS, np.int64),
        )
        connect_vectors(table)
        return table
