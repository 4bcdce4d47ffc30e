"""ANCF beams in space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.cells import Surface
from fmbs.core.checks import choice
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import AtPlaces
from fmbs.core.protocols import Triplets
from fmbs.core.vectors import FRAME, LINEAR, Vector
from fmbs.elements._checks import check_flexible
from fmbs.elements.beam_batch import FORMULATIONS, BeamKind
from fmbs.elements.centre_line import CentreLine, Curve, Up
from fmbs.elements.flexible_link import FlexibleLink, LinkLayout, RigidMotion
from fmbs.elements.interpolation import INTERPOLATIONS, ShapeFunctions
from fmbs.elements.material import Material
from fmbs.elements.section import GeneralSection, Section
from fmbs.math.quadrature import gauss

Array = NDArray[np.float64]


class Beam(FlexibleLink):
    """A flexible link of ANCF elements: r(x, y, z) = sum_i (a_i + y b_i + z c_i) e_i, linear in q, so M is constant.

    start, end: global coordinates, m; or curve: points (n, 3) or a function of s in [0, 1]
    section: Rectangle, Circle, Pipe or GeneralSection; material: Material
    elements: number of them, of equal length
    interpolation: "hermite" (the papers' 24 coordinates), "quadratic" (27) or "cubic" (36)
    formulation: "structural" (Reissner's beam), "enhanced" or "continuum" (the papers'); see docs/beams.md
    up: global direction of the section's z axis; a function of s, or a table, for twisted beams
    rayleigh: (alpha, beta): damping alpha M + beta K on top of the material's, 1/s and s
    velocity, spin, about: rigid initial motion: velocity of the point `about` (default: the origin), m/s, and rad/s; what is
                           not given is completed from the joints and drives, and is zero where they ask for nothing
    """

    def __init__(
        self, name: str, *, section: Section, material: Material, elements: int, start: ArrayLike | None = None,
        end: ArrayLike | None = None, curve: Curve | None = None, up: Up = (0.0, 0.0, 1.0), interpolation: str = "cubic",
        formulation: str = "structural", velocity: ArrayLike | None = None, spin: ArrayLike | None = None,
        about: ArrayLike = (0.0, 0.0, 0.0), rayleigh: tuple[float, float] = (0.0, 0.0),
    ) -> None:  # fmt: skip
        count = check_flexible(name, section, material, elements)
        for argument, value, known in (
            ("interpolation", interpolation, INTERPOLATIONS), ("formulation", formulation, FORMULATIONS),
        ):  # fmt: skip
            choice(name, argument, value, known)
        if formulation != "structural" and isinstance(section, GeneralSection):
            raise ModelError(
                f"{name}: formulation = {formulation!r} integrates over the section's shape, which a GeneralSection does not "
                "have; use 'structural', or Rectangle, Circle or Pipe."
            )
        self.interpolation, self.formulation = INTERPOLATIONS[interpolation], formulation
        self.batch = BeamKind(interpolation, formulation)
        line = CentreLine(name, start, end, curve, (0.0, 0.0, 1.0) if up is None else up)
        motion = RigidMotion.of(name, velocity, spin, about)
        layout = LinkLayout(self.interpolation.nodes, self.interpolation.kinds)
        super().__init__(name, line, section, material, count, layout, motion, rayleigh)

    def _facts(self) -> dict[str, Any]:
        interpolation = next(name for name, kind in INTERPOLATIONS.items() if kind is self.interpolation)
        return {**super()._facts(), "interpolation": interpolation, "formulation": self.formulation}

    def arguments(self) -> dict[str, Any]:
        kinds = {"interpolation": self.interpolation.name, "formulation": self.formulation}
        return {**super().arguments(), "up": self.line.up, **kinds}

    def marker(self, s: float) -> Marker:
        return Marker(self, self.line.position(np.array([s]))[0], s)

    def aside(self, s: float, offset: Array) -> Marker:
        """The material point (0, y, z) of the section, or of what it would be if it reached there."""
        if offset[0] != 0.0:
            raise ModelError(f"{self.name}: offset = {offset} goes along the axis; change s instead, and give (0, y, z).")
        _, y, z = self.line.frame(np.array([s]))
        place = self.line.position(np.array([s]))[0] + offset[1] * y[0] + offset[2] * z[0]
        return Marker(self, place, s, offset=(float(offset[1]), float(offset[2])))

    def _drawn(self) -> Array:
        s = np.linspace(0.0, 1.0, self.node_count)
        t, y, z = self.line.frame(s)
        fields = {"r": self.line.position(s), "r_x": t, "r_y": y, "r_z": z}
        return np.stack([fields[kind] for kind in self.interpolation.kinds], axis=1)

    def mass_matrix(self) -> Triplets:
        """int rho (A a a^T + I_z b b^T + I_y c c^T) ds (x) 1: rotary inertia of the section included."""
        x, w = gauss(self.interpolation.nodes.size + 2)
        shape, section = self.interpolation.shape(x, self.element_length), self.section
        speed = self.reference_speed(x)  # (elements, points)
        rotary_y, rotary_z = section.rotary
        parts = ((section.area, shape.a), (rotary_z, shape.b), (rotary_y, shape.c))
        unit = sum(m * np.einsum("pi,pj->pij", f, f) for m, f in parts)
        blocks = self.material.density * np.einsum("ep,p,pij->eij", speed, w, unit)  # (elements, vectors, vectors)
        n = blocks.shape[1]
        rows = self.vector_starts()  # (elements, vectors)
        kept = np.flatnonzero(np.abs(unit).max(axis=0).ravel() > 0.0)
        i, j = kept // n, kept % n
        shift = np.arange(3)
        row = (rows[:, i, None] + shift).ravel()
        column = (rows[:, j, None] + shift).ravel()
        return Triplets(row, column, np.repeat(blocks[:, i, j].ravel(), 3))

    def shares(self) -> Array:
        x, w = gauss(self.interpolation.nodes.size + 2)
        share: Array = np.einsum("ep,p,pi->ei", self.reference_speed(x), w, self.interpolation.shape(x, self.element_length).a)
        return share

    def slopes(self, x: Array) -> Array:
        return self.interpolation.shape(x, self.element_length).da

    def point(self, marker: Marker) -> Vector:
        element, shape = self.shape_at(marker)
        y, z = marker.offset
        shares = shape.a + y * shape.b + z * shape.c
        keep = np.flatnonzero(np.abs(shares) > 1e-14)
        starts = self.vector_starts()[element]
        return Vector(self, LINEAR, tuple(shares[keep].tolist()), tuple(starts[keep].tolist()), is_point=True)

    def direction(self, marker: Marker, components: Array) -> Vector:
        """n in the orthonormal frame of the section's directors."""
        element, shape = self.shape_at(marker)
        assert marker.s is not None
        n = np.concatenate(self.line.frame(np.array([marker.s]))) @ components
        starts = self.vector_starts()[element]
        y, z = np.flatnonzero(np.abs(shape.b) > 1e-14), np.flatnonzero(np.abs(shape.c) > 1e-14)
        coefficients = (*n.tolist(), *shape.b[y].tolist(), *shape.c[z].tolist())
        return Vector(self, FRAME, coefficients, tuple(starts[np.concatenate([y, z])].tolist()))

    def shape_at(self, marker: Marker) -> tuple[int, ShapeFunctions]:
        """The element that holds a marker, and the shape functions there  # (vectors,)."""
        assert marker.s is not None
        element, xi = self.locate(marker.s)
        return element, self.interpolation.shape(np.array(xi), self.element_length)

    def section_forces(self, s: Array, q: Array) -> AtPlaces:
        from fmbs.elements.fields.beam_section import beam_section
        from fmbs.elements.fields.places import Places

        return beam_section(self, Places.of(self, s), q)

    def surface(self, per_element: int) -> Surface:
        from fmbs.elements.fields.surfaces import BeamSurface

        return BeamSurface(self, per_element)
