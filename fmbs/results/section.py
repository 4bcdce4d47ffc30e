"""Strains, section forces and stresses along a beam."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import Offsets
from fmbs.elements._structural_kernels import structural_strains
from fmbs.elements.beam import Beam
from fmbs.elements.beam_batch import beam_shape, section_stiffness

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SectionForces:
    """At places s along a beam, in the axes of the section (1 along the normal, 2 = y, 3 = z).

    strain: Gamma = axial strain and the two shear strains  # (frames, places, 3)
    curvature: kappa = twist, bending about y, bending about z, 1/m  # (frames, places, 3)
    force: N = (EA Gamma_1, k_y GA Gamma_2, k_z GA Gamma_3), N  # (frames, places, 3)
    moment: M = (GJ kappa_1, EI_y kappa_2, EI_z kappa_3), N m  # (frames, places, 3)
    frame: section axes as columns, global components  # (frames, places, 3, 3)

    The strains are those of the directors (Simo & Vu-Quoc 1986) whatever the beam's formulation; Kelvin-Voigt stresses are not
    included.
    """

    s: Array
    strain: Array
    curvature: Array
    force: Array
    moment: Array
    frame: Array
    beam: Beam

    def axial_stress(self, y: float, z: float) -> Array:
        """sigma = E (Gamma_1 + z kappa_2 - y kappa_3) at a point of the section, Pa  # (frames, places)."""
        strain = self.strain[..., 0] + z * self.curvature[..., 1] - y * self.curvature[..., 2]
        stress: Array = self.beam.material.E * strain
        return stress

    def von_mises(self) -> Array:
        """Largest over the section's outline, Pa: axial stress there with mean shear and the torsion of a round section."""
        section, G = self.beam.section, self.beam.material.G
        shear = np.linalg.norm(self.force[..., 1:], axis=-1) / section.area
        worst = np.zeros(self.strain.shape[:2])
        for y, z in section.outline():
            torsion = G * np.abs(self.curvature[..., 0]) * np.hypot(y, z)
            worst = np.maximum(worst, np.sqrt(self.axial_stress(y, z) ** 2 + 3.0 * (shear + torsion) ** 2))
        return worst


def section_forces(beam: Beam, s: Array, q: Array, offsets: Offsets) -> SectionForces:
    """Evaluate the director strains at places s for all frames q  # (frames, n)."""
    element = np.minimum((s * beam.elements).astype(np.int64), beam.elements - 1)
    xi = s * beam.elements - element
    speed = np.array([beam.reference_speed(np.array([x]))[e, 0] for x, e in zip(xi, element, strict=True)])
    shape = np.stack([beam_shape(beam, np.array([x]), np.array([[j]]))[0, 0] for x, j in zip(xi, speed, strict=True)])
    first = beam.nodes * beam.width
    per = beam.interpolation.per_node
    none, start = np.zeros((s.size, 9)), np.zeros((s.size, 9))
    structural_strains(beam.initial_position(), first, per, element, shape, none, start, np.empty((s.size, 3, 3)))
    strains, frames = np.empty((len(q), s.size, 9)), np.empty((len(q), s.size, 3, 3))
    for k, x in enumerate(q):
        structural_strains(x, first + offsets[beam], per, element, shape, start, strains[k], frames[k])
    stiffness = section_stiffness(beam)
    gamma, kappa = strains[..., :3], strains[..., 3:6]
    axes = np.swapaxes(frames, -1, -2)
    return SectionForces(s, gamma, kappa, gamma * stiffness[:3], kappa * stiffness[3:6], axes, beam)
