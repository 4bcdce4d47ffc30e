"""ANCF beams in space."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import nearest, not_negative, number, vector
from fmbs.core.equations import Equation
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import Triplets
from fmbs.core.vectors import FRAME, LINEAR, Vector
from fmbs.elements._checks import check_flexible
from fmbs.elements.beam_batch import FORMULATIONS, BeamKind
from fmbs.elements.centre_line import CentreLine, Curve, Up
from fmbs.elements.interpolation import INTERPOLATIONS, Shape
from fmbs.elements.material import Material
from fmbs.elements.section import GeneralSection, Section
from fmbs.math.quadrature import gauss

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class Beam:
    """A flexible link of ANCF elements: r(x, y, z) = sum_i (a_i + y b_i + z c_i) e_i, linear in q, so M is constant.

    start, end: global coordinates, m; or curve: points (n, 3) or a function of s in [0, 1]
    section: Rectangle, Circle, Pipe or GeneralSection; material: Material
    elements: number of them, of equal length
    interpolation: "hermite" (the papers' 24 coordinates), "quadratic" (27) or "cubic" (36)
    formulation: "structural" (Reissner's beam), "enhanced" or "continuum" (the papers'); see docs/beams.md
    up: global direction of the section's z axis; a function of s, or a table, for twisted beams
    rayleigh: (alpha, beta): damping alpha M + beta K on top of the material's, 1/s and s
    velocity, spin, about: rigid initial motion: velocity of the point `about` (default: the origin), m/s, and rad/s
    """

    planar: Final = False

    def __init__(
        self, name: str, *, section: Section, material: Material, elements: int, start: ArrayLike | None = None,
        end: ArrayLike | None = None, curve: Curve | None = None, up: Up = (0.0, 0.0, 1.0), interpolation: str = "cubic",
        formulation: str = "structural", velocity: ArrayLike = (0.0, 0.0, 0.0), spin: ArrayLike = (0.0, 0.0, 0.0),
        about: ArrayLike = (0.0, 0.0, 0.0), rayleigh: tuple[float, float] = (0.0, 0.0),
    ) -> None:  # fmt: skip
        self.name = name
        self.elements = check_flexible(name, section, material, elements)
        for argument, value, known in (
            ("interpolation", interpolation, INTERPOLATIONS), ("formulation", formulation, FORMULATIONS),
        ):  # fmt: skip
            if value not in known:
                raise ModelError(f"{name}: {argument} = {value!r} is unknown.{nearest(str(value), known)}")
        if formulation != "structural" and isinstance(section, GeneralSection):
            raise ModelError(
                f"{name}: formulation = {formulation!r} integrates over the section's shape, which a GeneralSection does not "
                "have; use 'structural', or Rectangle, Circle or Pipe."
            )
        self.section, self.material = section, material
        self.interpolation, self.formulation = INTERPOLATIONS[interpolation], formulation
        self.batch = BeamKind(interpolation, formulation)
        self.line = CentreLine(name, start, end, curve, up)
        self.velocity, self.spin, self.about = (
            vector(name, argument, value) for argument, value in (("velocity", velocity), ("spin", spin), ("about", about))
        )
        alpha, beta = vector(name, "rayleigh", rayleigh, 2)
        self.mass_damping = not_negative(name, "rayleigh alpha", alpha)
        self.damping = material.damping + not_negative(name, "rayleigh beta", beta)  # retardation time, s
        spans = self.interpolation.nodes.size - 1
        self._node_count = self.elements * spans + 1
        self.width = 3 * self.interpolation.per_node  # coordinates of a node
        self.nodes = np.arange(self.elements)[:, None] * spans + np.arange(spans + 1)  # (elements, nodes of each)

    @property
    def size(self) -> int:
        return self._node_count * self.width

    @property
    def element_length(self) -> float:
        return self.line.length / self.elements

    @property
    def start(self) -> Marker:
        """The marker at s = 0."""
        return self.at(0.0)

    @property
    def end(self) -> Marker:
        """The marker at s = 1."""
        return self.at(1.0)

    def at(self, s: float) -> Marker:
        """The marker on the centre line at 0 <= s <= 1 of the length."""
        if not 0.0 <= number(self.name, "s", s) <= 1.0:
            raise ModelError(f"{self.name}: at(s = {s:g}) is outside [0, 1]; s is the share of the beam's length.")
        return Marker(self, self.line.position(np.array([s]))[0], float(s))

    def node(self, k: int) -> Marker:
        """The marker at node k, 0 to `node_count` - 1."""
        if not 0 <= k < self._node_count:
            raise ModelError(f"{self.name}: node {k} does not exist; there are nodes 0 to {self._node_count - 1}.")
        return self.at(k / (self._node_count - 1))

    @property
    def node_count(self) -> int:
        return self._node_count

    def initial_position(self) -> Array:
        s = np.linspace(0.0, 1.0, self._node_count)
        t, y, z = self.line.frame(s)
        fields = {"r": self.line.position(s), "r_x": t, "r_y": y, "r_z": z}
        vectors: Array = np.stack([fields[kind] for kind in self.interpolation.kinds], axis=1)
        return vectors.ravel()

    def initial_velocity(self) -> Array:
        vectors = self.initial_position().reshape(self._node_count, -1, 3)
        vectors[:, 0] -= self.about
        motion: Array = np.cross(self.spin, vectors)
        motion[:, 0] += self.velocity
        return motion.ravel()

    def is_length(self) -> NDArray[np.bool_]:
        return np.tile(np.repeat(np.array(self.interpolation.kinds) == "r", 3), self._node_count)

    def mass_matrix(self) -> Triplets:
        """int rho (A a a^T + I_z b b^T + I_y c c^T) ds (x) 1: rotary inertia of the section included."""
        x, w = gauss(self.interpolation.nodes.size + 2)
        shape, section = self.interpolation.shape(x, self.element_length), self.section
        speed = self.reference_speed(x)  # (elements, points)
        parts = ((section.area, shape.a), (section.Iz, shape.b), (section.Iy, shape.c))
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

    def weight(self, gravity: Array) -> Array:
        return self.distributed(self.material.density * self.section.area * np.asarray(gravity))

    def distributed(self, load: Array) -> Array:
        """Generalized force of a constant load per length, N/m, on the centre line: int a_i ds (x) load."""
        x, w = gauss(self.interpolation.nodes.size + 2)
        share = np.einsum("ep,p,pi->ei", self.reference_speed(x), w, self.interpolation.shape(x, self.element_length).a)
        force = np.zeros(self.size)
        np.add.at(force, self.vector_starts()[:, :, None] + np.arange(3), share[:, :, None] * load)
        return force

    def equations(self) -> list[Equation]:
        return []

    def point(self, marker: Marker) -> Vector:
        element, shape = self.shape_at(marker)
        keep = np.flatnonzero(np.abs(shape.a) > 1e-14)
        starts = self.vector_starts()[element]
        return Vector(self, LINEAR, tuple(shape.a[keep].tolist()), tuple(starts[keep].tolist()), is_point=True)

    def direction(self, marker: Marker, components: Array) -> Vector:
        """n in the orthonormal frame of the section's directors."""
        element, shape = self.shape_at(marker)
        assert marker.s is not None
        n = np.concatenate(self.line.frame(np.array([marker.s]))) @ components
        starts = self.vector_starts()[element]
        y, z = np.flatnonzero(np.abs(shape.b) > 1e-14), np.flatnonzero(np.abs(shape.c) > 1e-14)
        coefficients = (*n.tolist(), *shape.b[y].tolist(), *shape.c[z].tolist())
        return Vector(self, FRAME, coefficients, tuple(starts[np.concatenate([y, z])].tolist()))

    def shape_at(self, marker: Marker) -> tuple[int, Shape]:
        """The element that holds a marker, and the shape functions there  # (vectors,)."""
        assert marker.s is not None
        element = min(int(marker.s * self.elements), self.elements - 1)
        xi = marker.s * self.elements - element
        return element, self.interpolation.shape(np.array(xi), self.element_length)

    def vector_starts(self) -> Integers:  # (elements, vectors)
        """First local coordinate of every nodal vector of every element."""
        inner = 3 * np.arange(self.interpolation.per_node)
        return (self.nodes[:, :, None] * self.width + inner).reshape(self.elements, -1)

    def reference_vectors(self) -> Array:  # (elements, vectors, 3)
        return self.initial_position()[self.vector_starts()[:, :, None] + np.arange(3)]

    def reference_speed(self, x: Array) -> Array:  # (elements, points)
        """|dr/dxi| of the reference shape."""
        if self.line.straight:
            return np.full((self.elements, x.size), self.element_length)
        slope = self.interpolation.shape(x, self.element_length).da
        speed: Array = np.linalg.norm(np.einsum("pi,eic->epc", slope, self.reference_vectors()), axis=2)
        return speed
