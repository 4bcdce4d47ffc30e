"""What cables and planar beams share: a line r(s) of cubic Hermite elements that stretches and bends.

Nodes have r and r_x; r = sum_i a_i(xi) e_i, linear in q, so M is constant.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import Surface
from fmbs.core.marker import Marker
from fmbs.core.optional import AtPlaces
from fmbs.core.protocols import Triplets
from fmbs.core.vectors import FLAT, LINEAR, Vector
from fmbs.elements.centre_line import CentreLine
from fmbs.elements.flexible_link import FlexibleLink, LinkLayout, RigidMotion
from fmbs.elements.line_batch import LineKind
from fmbs.elements.material import Material
from fmbs.elements.section import Section
from fmbs.math.hermite import hermite
from fmbs.math.quadrature import gauss

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

MASS_POINTS = 4  # exact on a straight line: a_i a_j has degree 6


class ElasticLine(FlexibleLink):
    """Inertia and places of a line in space or in the plane; `Cable` and `PlanarBeam` add directions."""

    def __init__(
        self, name: str, line: CentreLine, section: Section, material: Material, elements: int, dimension: int,
        motion: RigidMotion, rayleigh: tuple[float, float],
    ) -> None:  # fmt: skip
        layout = LinkLayout(np.array([0.0, 1.0]), ("r", "r_x"), dimension)
        super().__init__(name, line, section, material, elements, layout, motion, rayleigh)
        self.inertia = section.Iz  # second moment of area that bends, m^4
        self.batch = LineKind(dimension)

    def marker(self, s: float) -> Marker:
        _, value, slope = self.shape_at(s)
        vectors = self.reference_vectors[self.locate(s)[0]]  # (4, d)
        tangent = slope @ vectors
        place, axis = np.zeros(3), np.zeros(3)
        place[: self.dimension], axis[: self.dimension] = value @ vectors, tangent / np.linalg.norm(tangent)
        return Marker(self, place, s, None if self.planar else axis)

    def shape_at(self, s: float) -> tuple[Integers, Array, Array]:
        """First local coordinates of the vectors around s, with their shares in r and in the unit tangent  # (4,) each."""
        element, xi = self.locate(s)
        value, slope, _ = hermite(np.array(xi), self.element_length)
        speed = self.reference_speed(np.array([xi]))[element, 0]
        return self.vector_starts()[element], value, slope / speed

    def _drawn(self) -> Array:
        s = np.linspace(0.0, 1.0, self.node_count)
        return np.stack([self.line.position(s), self.line.tangent(s)], axis=1)

    def mass_matrix(self) -> Triplets:
        """int rho (A a a^T + I a' a'^T) ds (x) 1: the second part is the rotary inertia of the section."""
        x, w = gauss(MASS_POINTS)
        value, slope, _ = hermite(x, self.element_length)
        speed = self.reference_speed(x)  # (elements, points)
        blocks = self.section.area * np.einsum("ep,p,pi,pj->eij", speed, w, value, value)
        blocks += self.section.rotary[1] * np.einsum("ep,p,pi,pj->eij", 1.0 / speed, w, slope, slope)
        starts, shift = self.vector_starts(), np.arange(self.dimension)
        row = np.broadcast_to(starts[:, :, None, None] + shift, (self.elements, 4, 4, self.dimension))
        column = np.broadcast_to(starts[:, None, :, None] + shift, row.shape)
        return Triplets(row.ravel(), column.ravel(), np.repeat(self.material.density * blocks.ravel(), self.dimension))

    def shares(self) -> Array:
        x, w = gauss(MASS_POINTS)
        share: Array = np.einsum("ep,p,pi->ei", self.reference_speed(x), w, hermite(x, self.element_length)[0])
        return share

    def slopes(self, x: Array) -> Array:
        return hermite(x, self.element_length)[1]

    def point(self, marker: Marker) -> Vector:
        assert marker.s is not None
        starts, value, _ = self.shape_at(marker.s)
        keep = np.flatnonzero(np.abs(value) > 1e-14)
        kind = FLAT if self.planar else LINEAR
        return Vector(self, kind, tuple(value[keep].tolist()), tuple(starts[keep].tolist()), is_point=True)

    def section_forces(self, s: Array, q: Array) -> AtPlaces:
        from fmbs.elements.fields.line_section import line_section
        from fmbs.elements.fields.places import Places

        return line_section(self, Places.of(self, s), q)

    def surface(self, per_element: int) -> Surface:
        from fmbs.elements.fields.surfaces import LineSurface

        return LineSurface(self, per_element)
