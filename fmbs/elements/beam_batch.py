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

from fmbs.core.protocols import BatchEnergy, Blocks, CompiledPart, ElementBatch, Offsets
from fmbs.elements._solid_kernels import add_solid_tangent, solid_energy, solid_force, solid_tangent
from fmbs.elements._structural_kernels import (
    add_structural_tangent,
    structural_energy,
    structural_force,
    structural_tangent,
)
from fmbs.elements.solid_tables import solids
from fmbs.elements.structural_tables import structures
from fmbs.jit.calls import ask_for

if TYPE_CHECKING:
    from fmbs.elements.beam import Beam

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

NONE = np.zeros(0)

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

    def subset(self, elements: Integers) -> Self:
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

    def subset(self, elements: Integers) -> Self:
        few = super().subset(elements)
        few._solids = replace(self._solids, first=few._first, kind=few._table)
        return few

    def viscous(self) -> Self:
        few = copy(self)
        few._damping = np.ones_like(self._damping)
        few._solids = replace(self._solids, damping=few._damping)
        return few

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        solid_force(self._solids, q, v, out)

    def add_tangent(
        self, t: float, q: Array, v: Array, stiffness: float, damping: float, slots: NDArray[np.int32], data: Array
    ) -> None:
        solid_tangent(self._solids, q, v, stiffness, damping, slots, data)

    def compiled(self) -> CompiledPart:
        ask_for(solid_energy, self._solids, NONE, NONE)
        damped, viscous = bool(self._damping.any()), self.viscous()._solids
        return CompiledPart(self._solids, solid_force, add_solid_tangent, damped=damped, viscous=viscous)

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        return BatchEnergy(*solid_energy(self._solids, q, v), 0.0)


class StructuralBeams(_Beams):
    """structural."""

    def __init__(self, beams: Sequence[Beam], offsets: Offsets, points: int) -> None:
        super().__init__(beams, offsets)
        self._structures = structures(beams, points, self._first)

    def subset(self, elements: Integers) -> Self:
        few = super().subset(elements)
        few._structures = replace(
            self._structures, first=few._first, kind=self._structures.kind[elements], own=self._structures.own[elements]
        )
        return few

    def viscous(self) -> Self:
        few, own = copy(self), self._structures.own.copy()
        own[:, 7] = 1.0  # after the seven stiffnesses
        few._damping, few._structures = np.ones_like(self._damping), replace(self._structures, own=own)
        return few

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        structural_force(self._structures, q, v, out)

    def add_tangent(
        self, t: float, q: Array, v: Array, stiffness: float, damping: float, slots: NDArray[np.int32], data: Array
    ) -> None:
        structural_tangent(self._structures, q, v, stiffness, damping, slots, data)

    def compiled(self) -> CompiledPart:
        ask_for(structural_energy, self._structures, NONE, NONE)
        damped, viscous = bool(self._damping.any()), self.viscous()._structures
        return CompiledPart(self._structures, structural_force, add_structural_tangent, damped=damped, viscous=viscous)

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        return BatchEnergy(*structural_energy(self._structures, q, v), 0.0)
