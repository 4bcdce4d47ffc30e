"""Strains, section forces and stresses along a flexible link.

They are evaluated where the element is at its best (where a beam's energy is integrated), and interpolated from there by one
polynomial an element. Between these points strains oscillate: the shear force of a quadratic beam by ten times its mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array, shown
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.optional import SectionedBody, SectionedPart
from fmbs.core.protocols import Body, Offsets

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SectionForces(Described, units={"curvature": "1/m"}):
    """At places s along a link, in the axes of the section (1 along its normal, 2 = y, 3 = z).

    strain: axial strain and the two shear strains  # (frames, places, 3)
    curvature: twist, bending about y, bending about z, 1/m  # (frames, places, 3)
    force: axial force N and the two shear forces, N  # (frames, places, 3)
    moment: torsion and the two bending moments, N m  # (frames, places, 3)
    frame: section axes as columns, global components  # (frames, places, 3, 3)

    Forces and moments are what the part beyond s does to the part before it. Beams: strains of the directors (Simo & Vu-Quoc
    1986); with them the structural forces EA Gamma_1, k GA Gamma_2, ..., EI kappa_3; the solid formulations integrate their
    stresses over the section. Cables and planar beams have no shear strain: their shear force is the one that balances the
    bending moment, M' + r' x F = 0, without rotary inertia. A planar beam's z axis is the global one; a cable, which does not
    know its roll, has its z axis where it bends about. Kelvin-Voigt stresses are not included.
    """

    s: Array
    strain: Array
    curvature: Array
    force: Array
    moment: Array
    frame: Array
    beam: SectionedBody | SectionedPart

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


def check_places(link: object, s: ArrayLike) -> Array:  # (places,)
    """A body with sections, or a piece of one, and places on it."""
    if not isinstance(link, SectionedBody | SectionedPart):
        raise ModelError(
            f"section: {shown(link)} is not flexible and has no sections; give an fm.Beam, fm.PlanarBeam or fm.Cable, a "
            "strut of an fm.BeamNetwork, or a body of your own that has the method section_forces."
        )
    places = np.atleast_1d(array("section", "s", s, "give a number or a list of numbers in [0, 1]"))
    if places.ndim != 1 or not places.size or not (places.min() >= 0.0 and places.max() <= 1.0):
        raise ModelError(
            f"section: s = {shown(s)} of {link.name!r} is not a number or a list of numbers in [0, 1]; s is the share of the "
            "length."
        )
    return places


def owner_of(link: SectionedBody | SectionedPart) -> Body:
    """The body itself, or the one that it is a piece of."""
    return link.body if isinstance(link, SectionedPart) else link


def section_forces(link: SectionedBody | SectionedPart, s: Array, q: Array, offsets: Offsets) -> SectionForces:
    """At places s for all frames q  # (frames, n)."""
    body = owner_of(link)
    return SectionForces(s, *link.section_forces(s, q[:, offsets[body] : offsets[body] + body.size]), link)
