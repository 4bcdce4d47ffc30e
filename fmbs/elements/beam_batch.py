"""Beams of one interpolation and one formulation as a batch: tables for the kernels, residual, tangent, energy.

continuum   Saint-Venant-Kirchhoff material in the whole volume: the papers' element
enhanced    D = D_0 + D_nu: D_0 = diag(E, E, E, G, c G, c G) over the section, the Poisson part D_nu and the shear moduli
            (k - c) G on the axis only, with axial points reduced to where the element does not lock. Sections that stay
            plane twist with G (I_y + I_z); c = J/(I_y + I_z) makes it G J, and the shear stiffness is k G A as it should be
structural  axial, shear, torsion and bending strains of the directors, plus a section deformation energy
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.element_batch import CompiledElements
from fmbs.core.protocols import ElementBatch, Offsets
from fmbs.elements._solid_kernels import add_solid_tangent, solid_energy, solid_force
from fmbs.elements._structural_kernels import (
    add_structural_tangent,
    structural_energy,
    structural_force,
)
from fmbs.elements.solid_tables import solids
from fmbs.elements.structural_tables import structures

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


def _tables_of(beams: Sequence[Beam]) -> list[Integers]:
    """Which table each element uses: one a beam where all its elements are alike, else one an element."""
    numbers, used = [], 0
    for beam in beams:
        numbers.append(np.full(beam.elements, used) if beam.line.uniform else used + np.arange(beam.elements))
        used = int(numbers[-1][-1]) + 1
    return numbers


def _distinct(beam: Beam) -> int:
    return 1 if beam.line.uniform else beam.elements


def _first(beams: Sequence[Beam], offsets: Offsets) -> Integers:  # (elements, nodes)
    return np.concatenate([offsets[beam] + beam.nodes * beam.width for beam in beams])


class SolidBeams(CompiledElements):
    """continuum and enhanced."""

    force, tangent, stored = staticmethod(solid_force), staticmethod(add_solid_tangent), staticmethod(solid_energy)
    rows = ("first", "kind")

    def __init__(self, beams: Sequence[Beam], offsets: Offsets, points: int) -> None:
        damping = np.concatenate([np.full(_distinct(beam), beam.damping) for beam in beams])  # (tables,)
        table = solids(beams, points, _first(beams, offsets), np.concatenate(_tables_of(beams)), damping)
        super().__init__(table, beams[0].width, damped=bool(damping.any()))

    def viscous(self) -> Self:
        return self.with_table(damping=np.ones_like(self.table.damping))


class StructuralBeams(CompiledElements):
    """structural."""

    force, tangent = staticmethod(structural_force), staticmethod(add_structural_tangent)
    stored = staticmethod(structural_energy)
    rows = ("first", "kind", "own")

    def __init__(self, beams: Sequence[Beam], offsets: Offsets, points: int) -> None:
        damped = any(beam.damping for beam in beams)
        super().__init__(structures(beams, points, _first(beams, offsets)), beams[0].width, damped=damped)

    def viscous(self) -> Self:
        own = self.table.own.copy()
        own[:, 7] = 1.0  # after the seven stiffnesses
        return self.with_table(own=own)
