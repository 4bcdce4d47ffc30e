"""Gradient-deficient ANCF cable."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.vectors import LINEAR, Vector
from fmbs.elements._checks import check_flexible
from fmbs.elements.centre_line import CentreLine, Curve
from fmbs.elements.elastic_line import ElasticLine
from fmbs.elements.flexible_link import RigidMotion
from fmbs.elements.material import Material
from fmbs.elements.section import Section

Array = NDArray[np.float64]


class Cable(ElasticLine):
    """A slender link in space that stretches and bends, without shear and twist: nodes with r, r_x, 12 coordinates an element.

    U = int 1/2 EA eps^2 + 1/2 EI (kappa - kappa_0)^2 ds,   eps = |r'| - 1,   kappa = |r' x r''|/|r'|^2

    It tends to the extensible elastica. kappa is the angle that the tangent turns per reference length, kappa_0 its size in
    the drawn shape: with no torsional stiffness a bent cable rolls freely to where its natural curvature lies in the plane of
    its present one, so a curved cable resists bending in its plane only. Kelvin-Voigt damping follows the same two strains, on
    a straight cable in both planes. Rotary inertia of the section included, without that of roll.

    section: round or square (Iy = Iz), since a cable does not know its roll; material: Material
    elements: number of them, of equal length
    start, end: global coordinates, m; or curve: points (n, 3) or a function of s in [0, 1]
    rayleigh: (alpha, beta): damping alpha M + beta K on top of the material's, 1/s and s
    velocity, spin, about: rigid initial motion: velocity of the point `about` (default: the origin), m/s, and rad/s; what is
                           not given is completed from the joints and drives, and is zero where they ask for nothing
    """

    def __init__(
        self, name: str, *, section: Section, material: Material, elements: int, start: ArrayLike | None = None,
        end: ArrayLike | None = None, curve: Curve | None = None, velocity: ArrayLike | None = None,
        spin: ArrayLike | None = None, about: ArrayLike = (0.0, 0.0, 0.0),
        rayleigh: tuple[float, float] = (0.0, 0.0),
    ) -> None:  # fmt: skip
        count = check_flexible(name, section, material, elements)
        if any(abs(y - z) > 1e-9 * max(y, z) for y, z in ((section.Iy, section.Iz), section.rotary)):
            raise ModelError(
                f"{name}: section = {section!r} has Iy = {section.Iy:g}, Iz = {section.Iz:g}; a cable does not know its roll, "
                "so they must be equal, as must their rotary inertias (Circle, Pipe, square Rectangle). Use fm.Beam for others."
            )
        motion = RigidMotion.of(name, velocity, spin, about)
        line = CentreLine(name, start, end, curve, None)
        super().__init__(name, line, section, material, count, 3, motion, rayleigh)

    def direction(self, marker: Marker, components: Array) -> Vector:
        """r' at the marker, which had unit length at t = 0: the one direction that a cable carries."""
        assert marker.s is not None
        assert marker.axis is not None
        amount = float(components @ marker.axis)
        if np.linalg.norm(components - amount * marker.axis) > 1e-9 * np.linalg.norm(components):
            direction, axis = (", ".join(f"{x:.4g}" for x in n) for n in (components, marker.axis))
            raise ModelError(
                f"{self.name}: a cable has no twist: at {marker} it carries its tangent ({axis}) only, not the direction "
                f"({direction}). Use Fixed, Spherical, Distance or forces at points here, or fm.Beam, which has a frame."
            )
        starts, _, slope = self.shape_at(marker.s)
        keep = np.flatnonzero(np.abs(slope) > 1e-14)
        return Vector(self, LINEAR, tuple((amount * slope[keep]).tolist()), tuple(starts[keep].tolist()))
