"""Beams of one interpolation and one formulation as a batch: tables for the kernels, residual, tangent, energy.

continuum   Saint-Venant-Kirchhoff material in the whole volume: the papers' element
enhanced    D = D_0 + D_nu: D_0 = diag(E, E, E, G, c G, c G) over the section, the Poisson part D_nu and the shear moduli
            (k - c) G on the axis only, with axial points reduced to where the element does not lock. Sections that stay
            plane twist with G (I_y + I_z); c = J/(I_y + I_z) makes it G J, and the shear stiffness is k G A as it should be
structural  axial, shear, torsion and bending strains of the directors, plus a section deformation energy
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import Blocks, CompiledPart, ElementBatch, Energy, Offsets
from fmbs.elements._solid_kernels import add_solid_tangent, solid_energy, solid_force, solid_tangent
from fmbs.elements._structural_kernels import (
    Structures,
    add_structural_tangent,
    structural_energy,
    structural_force,
    structural_strains,
    structural_tangent,
)
from fmbs.elements.solid_tables import solids
from fmbs.math.quadrature import gauss

if TYPE_CHECKING:
    from fmbs.elements.beam import Beam

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

FORMULATIONS = ("continuum", "enhanced", "structural")
AXIAL_POINTS = {  # Gauss points along an element
    ("hermite", "continuum"): 4, ("quadratic", "continuum"): 3, ("cubic", "continuum"): 4,
    ("hermite", "enhanced"): 3, ("quadratic", "enhanced"): 2, ("cubic", "enhanced"): 3,
    ("hermite", "structural"): 3, ("quadratic", "structural"): 2, ("cubic", "structural"): 3,
}  # fmt: skip


@dataclass(frozen=True)
class BeamKind:
    """What beams must share to be one batch."""

    interpolation: str
    formulation: str

    def build(self, parts: Sequence[Beam], offsets: Offsets) -> ElementBatch:
        points = AXIAL_POINTS[self.interpolation, self.formulation]
        kind = StructuralBeams if self.formulation == "structural" else SolidBeams
        return kind(parts, offsets, points)


class _Beams:
    """Numbering that both families share."""

    def __init__(self, beams: Sequence[Beam], offsets: Offsets) -> None:
        self._per_node = beams[0].interpolation.per_node
        self._first = np.concatenate([offsets[beam] + beam.nodes * beam.width for beam in beams])  # (elements, nodes)
        self._table: Integers = np.concatenate(_tables_of(beams))  # (elements,)
        self._damping = np.concatenate([np.full(_distinct(beam), beam.damping) for beam in beams])  # (tables,)

    def blocks(self) -> Blocks:
        return Blocks(self._first, 3 * self._per_node)

    def part(self, elements: Integers) -> Self:
        """A batch of these elements only; tables are shared."""
        few = copy(self)
        few._first, few._table = self._first[elements], self._table[elements]
        return few


def _tables_of(beams: Sequence[Beam]) -> list[Integers]:
    """Which table each element uses: one a beam where all its elements are alike, else one an element."""
    numbers, used = [], 0
    for beam in beams:
        numbers.append(np.full(beam.elements, used) if beam.line.uniform else used + np.arange(beam.elements))
        used = int(numbers[-1][-1]) + 1
    return numbers


def _distinct(beam: Beam) -> int:
    return 1 if beam.line.uniform else beam.elements


class SolidBeams(_Beams):
    """continuum and enhanced."""

    def __init__(self, beams: Sequence[Beam], offsets: Offsets, points: int) -> None:
        super().__init__(beams, offsets)
        self._solids = solids(beams, points, self._first, self._table, self._damping)

    def part(self, elements: Integers) -> Self:
        few = super().part(elements)
        few._solids = replace(self._solids, first=few._first, kind=few._table)
        return few

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        solid_force(self._solids, q, v, out)

    def add_tangent(
        self, t: float, q: Array, v: Array, stiffness: float, damping: float, slots: NDArray[np.int32], data: Array
    ) -> None:
        solid_tangent(self._solids, q, v, stiffness, damping, slots, data)

    def compiled(self) -> CompiledPart:
        return CompiledPart(self._solids, solid_force, add_solid_tangent, damped=bool(self._damping.any()))

    def energy(self, t: float, q: Array, v: Array) -> Energy:
        return Energy(*solid_energy(self._solids, q, v), 0.0)


class StructuralBeams(_Beams):
    """structural."""

    def __init__(self, beams: Sequence[Beam], offsets: Offsets, points: int) -> None:
        super().__init__(beams, offsets)
        tables = [_structural_tables(beam, points) for beam in beams]
        shape, weight, section, start, stiffness = (np.concatenate([table[k] for table in tables]) for k in range(5))
        self._structures = Structures(
            self._first, self._per_node, self._table, shape, weight, section, start, stiffness, self._damping
        )

    def part(self, elements: Integers) -> Self:
        few = super().part(elements)
        few._structures = replace(self._structures, first=few._first, kind=few._table, start=self._structures.start[elements])
        return few

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        structural_force(self._structures, q, v, out)

    def add_tangent(
        self, t: float, q: Array, v: Array, stiffness: float, damping: float, slots: NDArray[np.int32], data: Array
    ) -> None:
        structural_tangent(self._structures, q, v, stiffness, damping, slots, data)

    def compiled(self) -> CompiledPart:
        return CompiledPart(self._structures, structural_force, add_structural_tangent, damped=bool(self._damping.any()))

    def energy(self, t: float, q: Array, v: Array) -> Energy:
        return Energy(*structural_energy(self._structures, q, v), 0.0)


def _structural_tables(beam: Beam, points: int) -> tuple[Array, Array, Array, Array, Array]:
    """shape (tables, points, 5, vectors), weight and section (tables, points), start (elements, points, 9), stiffness."""
    count = _distinct(beam)
    (x, w), (xs, ws) = gauss(points), gauss(beam.interpolation.nodes.size)
    axis = np.concatenate([x, xs])
    speed = beam.reference_speed(axis)[:count]  # (tables, points)
    weight = np.concatenate([w, 0.0 * ws]) * speed
    over_section = np.concatenate([0.0 * w, ws]) * speed
    shape = beam_shape(beam, axis, speed)
    every = np.repeat(np.arange(beam.elements), axis.size)
    start = np.zeros((every.size, 9))
    each = np.tile(shape, (beam.elements, 1, 1, 1)) if count == 1 else shape
    first = beam.nodes * beam.width
    none, frames = np.zeros((every.size, 9)), np.empty((every.size, 3, 3))
    structural_strains(
        beam.initial_position(),
        first,
        beam.interpolation.per_node,
        every,
        each.reshape(-1, *shape.shape[2:]),
        none,
        start,
        frames,
    )
    constants = section_stiffness(beam)
    return shape, weight, over_section, start.reshape(beam.elements, axis.size, 9), np.tile(constants, (count, 1))


def beam_shape(beam: Beam, axis: Array, speed: Array) -> Array:  # (tables, points, 5, vectors)
    """a'/j, b, c, b'/j, c'/j at points of each table's element."""
    s = beam.interpolation.shape(axis, beam.element_length)
    j = speed[:, :, None]
    one = np.ones_like(j)
    return np.stack([s.da / j, s.b * one, s.c * one, s.db / j, s.dc / j], axis=2)


def section_stiffness(beam: Beam) -> Array:
    """EA, k_y GA, k_z GA, GJ, EI_y, EI_z and that of the section's deformation."""
    k_y, k_z = beam.section.shear_factors(beam.material.nu)
    E, G, s = beam.material.E, beam.material.G, beam.section
    return np.array([E * s.area, k_y * G * s.area, k_z * G * s.area, G * s.J, E * s.Iy, E * s.Iz, E * s.area])
