"""Cables or planar beams as a batch: tables for the kernels, residual, tangent, energy.

Quadrature: with Gauss points the axial strain of a bent cubic locks the thinner the line is (tip of a cantilever of 8 elements,
P L^2/EI = 3: error 2.5e-5 with h/L = 1/20, 1.2e-3 with 1/200 for three points). Simpson's rule asks for two zero strains an
element instead of three and keeps the rank: 1e-5 for both, of order 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.element_batch import CompiledElements
from fmbs.core.protocols import Offsets
from fmbs.elements._line_kernels import LineTable, line_energy, line_force, line_strains, line_tangent
from fmbs.math.hermite import hermite
from fmbs.math.quadrature import gauss

if TYPE_CHECKING:
    from fmbs.elements.elastic_line import ElasticLine

Array = NDArray[np.float64]

AXIAL = np.array([0.0, 0.5, 1.0]), np.array([1.0, 4.0, 1.0]) / 6.0  # Simpson: the ends' strains count for both neighbours
BENDING = gauss(3)


@dataclass(frozen=True)
class LineKind:
    """What lines must share to be one batch."""

    dimension: int  # 3: cables, 2: planar beams

    def build(self, parts: Sequence[ElasticLine], offsets: Offsets) -> Lines:
        return Lines(parts, offsets)


class Lines(CompiledElements):
    """Lines of one dimension."""

    force, tangent, stored = staticmethod(line_force), staticmethod(line_tangent), staticmethod(line_energy)
    rows = ("first", "kind")

    def __init__(self, lines: Sequence[ElasticLine], offsets: Offsets) -> None:
        dimension = lines[0].dimension
        first = np.concatenate([offsets[line] + line.nodes * line.width for line in lines])  # (elements, 2)
        tables = [_tables(line) for line in lines]
        kinds, used = [], 0
        for line, own in zip(lines, tables, strict=True):  # one table where all elements are alike
            count = own[0].shape[0]
            kinds.append(used + (np.zeros(line.elements, np.int64) if count == 1 else np.arange(count)))
            used += count
        columns = (np.concatenate([table[k] for table in tables]) for k in range(6))
        table = LineTable(first, dimension, np.concatenate(kinds), *columns)
        super().__init__(table, 2 * dimension, damped=bool(table.damping.any()))

    def viscous(self) -> Self:
        return self.with_table(damping=np.ones_like(self.table.damping))


def line_shape(line: ElasticLine, x: Array) -> tuple[Array, Array]:
    """a'/j and a''/j^2 at points of each element (of one, where all are alike), and j  # (tables, points, 2, 4), (.., ..)."""
    count = 1 if line.line.straight else line.elements
    speed = line.reference_speed(x)[:count]
    _, slope, second = hermite(x, line.element_length)
    j = speed[:, :, None]
    return np.stack([slope / j, second / j**2], axis=2), speed


def _tables(line: ElasticLine) -> tuple[Array, Array, Array, Array, Array, Array]:
    """shape, axial, bending, start, stiffness, damping of a LineTable."""
    (xa, wa), (xb, wb) = AXIAL, BENDING
    x, axial, bending = np.concatenate([xa, xb]), np.append(wa, 0.0 * wb), np.append(0.0 * wa, wb)
    shape, speed = line_shape(line, x)
    count = shape.shape[0]
    start = np.zeros((count * x.size, 2))
    line_strains(
        line.initial_position(), line.nodes * line.width, line.dimension, np.repeat(np.arange(count), x.size),
        shape.reshape(-1, 2, 4), start,
    )  # fmt: skip
    kappa = start[:, 1].reshape(count, x.size) if not line.line.straight else np.zeros((count, x.size))
    stiffness = line.material.E * np.array([line.section.area, line.inertia])
    damping = np.full(count, line.damping)
    return shape, axial * speed, bending * speed, kappa, np.tile(stiffness, (count, 1)), damping
