"""Cables or planar beams as a batch: tables for the kernels, residual, tangent, energy.

Quadrature: with Gauss points the axial strain of a bent cubic locks the thinner the line is (tip of a cantilever of 8 elements,
P L^2/EI = 3: error 2.5e-5 with h/L = 1/20, 1.2e-3 with 1/200 for three points). Simpson's rule asks for two zero strains an
element instead of three and keeps the rank: 1e-5 for both, of order 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import BatchEnergy, Blocks, CompiledPart, Offsets
from fmbs.elements._line_kernels import LineTable, add_line_tangent, line_energy, line_force, line_strains, line_tangent
from fmbs.jit.calls import ask_for
from fmbs.math.hermite import hermite
from fmbs.math.quadrature import gauss

if TYPE_CHECKING:
    from fmbs.elements.elastic_line import ElasticLine

Array = NDArray[np.float64]

NONE = np.zeros(0)

AXIAL = np.array([0.0, 0.5, 1.0]), np.array([1.0, 4.0, 1.0]) / 6.0  # Simpson: the ends' strains count for both neighbours
BENDING = gauss(3)


@dataclass(frozen=True)
class LineKind:
    """What lines must share to be one batch."""

    dimension: int  # 3: cables, 2: planar beams

    def build(self, parts: Sequence[ElasticLine], offsets: Offsets) -> Lines:
        return Lines(parts, offsets)


class Lines:
    """Lines of one dimension."""

    def __init__(self, lines: Sequence[ElasticLine], offsets: Offsets) -> None:
        dimension = lines[0].dimension
        first = np.concatenate([offsets[line] + line.nodes * line.width for line in lines])  # (elements, 2)
        tables = [_tables(line) for line in lines]
        kinds, used = [], 0
        for line, table in zip(lines, tables, strict=True):  # one table where all elements are alike
            count = table[0].shape[0]
            kinds.append(used + (np.zeros(line.elements, np.int64) if count == 1 else np.arange(count)))
            used += count
        columns = (np.concatenate([table[k] for table in tables]) for k in range(6))
        self._lines = LineTable(first, dimension, np.concatenate(kinds), *columns)

    def blocks(self) -> Blocks:
        return Blocks(self._lines.first, 2 * self._lines.dimension)

    def subset(self, elements: NDArray[np.int64]) -> Lines:
        """A batch of these elements only; tables are shared."""
        few = copy(self)
        few._lines = replace(self._lines, first=self._lines.first[elements], kind=self._lines.kind[elements])
        return few

    def viscous(self) -> Lines:
        few = copy(self)
        few._lines = replace(self._lines, damping=np.ones_like(self._lines.damping))
        return few

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        line_force(self._lines, q, v, out)

    def add_tangent(
        self, t: float, q: Array, v: Array, stiffness: float, damping: float, slots: NDArray[np.int32], data: Array
    ) -> None:
        line_tangent(self._lines, q, v, stiffness, damping, slots, data)

    def compiled(self) -> CompiledPart:
        ask_for(line_energy, self._lines, NONE, NONE)
        damped, viscous = bool(self._lines.damping.any()), self.viscous()._lines
        return CompiledPart(self._lines, line_force, add_line_tangent, damped=damped, viscous=viscous)

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        return BatchEnergy(*line_energy(self._lines, q, v), 0.0)


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
