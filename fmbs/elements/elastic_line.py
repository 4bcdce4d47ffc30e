"""What cables and planar beams share: a line r(s) of cubic Hermite elements that stretches and bends.

Nodes have r and r_x; r = sum_i a_i(xi) e_i, linear in q, so M is constant.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import not_negative, number, vector
from fmbs.core.equations import Equation
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import Triplets
from fmbs.core.vectors import FLAT, LINEAR, Vector
from fmbs.elements.centre_line import CentreLine
from fmbs.elements.line_batch import LineKind
from fmbs.elements.material import Material
from fmbs.elements.section import Section
from fmbs.math.hermite import hermite
from fmbs.math.quadrature import gauss

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

MASS_POINTS = 4  # exact on a straight line: a_i a_j has degree 6


@dataclass(frozen=True)
class RigidMotion:
    """Of a whole body at t = 0: the velocity of the point `about`, m/s, and the spin, rad/s  # (3,) each."""

    velocity: Array
    spin: Array
    about: Array


class ElasticLine(ABC):
    """Numbering, inertia, weight and places of a line in space or in the plane; `Cable` and `PlanarBeam` add directions."""

    def __init__(
        self, name: str, line: CentreLine, section: Section, material: Material, elements: int, inertia: float,
        motion: RigidMotion, rayleigh: tuple[float, float], planar: bool,
    ) -> None:  # fmt: skip
        """inertia: second moment of area that bends, m^4."""
        self.name, self.line, self.section, self.material, self.elements = name, line, section, material, elements
        self.inertia, self.planar, self._motion = inertia, planar, motion
        alpha, beta = vector(name, "rayleigh", rayleigh, 2)
        self.mass_damping = not_negative(name, "rayleigh alpha", alpha)
        self.damping = material.damping + not_negative(name, "rayleigh beta", beta)  # retardation time, s
        self.dimension = 2 if planar else 3
        self.width = 2 * self.dimension  # coordinates of a node
        self.batch = LineKind(self.dimension)
        self.nodes = np.arange(elements)[:, None] + np.arange(2)  # (elements, 2)

    @property
    def node_count(self) -> int:
        return self.elements + 1

    @property
    def size(self) -> int:
        return self.node_count * self.width

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

    def node(self, k: int) -> Marker:
        """The marker at node k, 0 to `node_count` - 1."""
        if not 0 <= k < self.node_count:
            raise ModelError(f"{self.name}: node {k} does not exist; there are nodes 0 to {self.node_count - 1}.")
        return self.at(k / self.elements)

    def at(self, s: float) -> Marker:
        """The marker at 0 <= s <= 1 of the length."""
        if not 0.0 <= number(self.name, "s", s) <= 1.0:
            raise ModelError(f"{self.name}: at(s = {s:g}) is outside [0, 1]; s is the share of the length.")
        starts, value, slope = self.shape_at(float(s))
        vectors = self.initial_position()[starts[:, None] + np.arange(self.dimension)]  # (4, d)
        tangent = slope @ vectors
        place, axis = np.zeros(3), np.zeros(3)
        place[: self.dimension], axis[: self.dimension] = value @ vectors, tangent / np.linalg.norm(tangent)
        return Marker(self, place, float(s), None if self.planar else axis)

    def shape_at(self, s: float) -> tuple[Integers, Array, Array]:
        """First local coordinates of the vectors around s, with their shares in r and in the unit tangent  # (4,) each."""
        element = min(int(s * self.elements + 1e-12), self.elements - 1)
        xi = s * self.elements - element
        xi = float(round(xi)) if abs(xi - round(xi)) < 1e-12 else xi  # a node has no neighbours
        value, slope, _ = hermite(np.array(xi), self.element_length)
        speed = self.reference_speed(np.array([xi]))[element, 0]
        return self.vector_starts()[element], value, slope / speed

    def initial_position(self) -> Array:
        return self._fields().reshape(-1, 3)[:, : self.dimension].ravel()

    def initial_velocity(self) -> Array:
        vectors, motion = self._fields(), self._motion
        vectors[:, 0] -= motion.about
        moving: Array = np.cross(motion.spin, vectors)
        moving[:, 0] += motion.velocity
        return moving.reshape(-1, 3)[:, : self.dimension].ravel()

    def is_length(self) -> NDArray[np.bool_]:
        return np.tile(np.repeat([True, False], self.dimension), self.node_count)

    def mass_matrix(self) -> Triplets:
        """int rho (A a a^T + I a' a'^T) ds (x) 1: the second part is the rotary inertia of the section."""
        x, w = gauss(MASS_POINTS)
        value, slope, _ = hermite(x, self.element_length)
        speed = self.reference_speed(x)  # (elements, points)
        blocks = self.section.area * np.einsum("ep,p,pi,pj->eij", speed, w, value, value)
        blocks += self.inertia * np.einsum("ep,p,pi,pj->eij", 1.0 / speed, w, slope, slope)
        starts, shift = self.vector_starts(), np.arange(self.dimension)
        row = np.broadcast_to(starts[:, :, None, None] + shift, (self.elements, 4, 4, self.dimension))
        column = np.broadcast_to(starts[:, None, :, None] + shift, row.shape)
        return Triplets(row.ravel(), column.ravel(), np.repeat(self.material.density * blocks.ravel(), self.dimension))

    def weight(self, gravity: Array) -> Array:
        return self.distributed(self.material.density * self.section.area * np.asarray(gravity))

    def distributed(self, load: Array) -> Array:
        """Generalized force of a constant load per length, N/m: int a_i ds (x) load."""
        x, w = gauss(MASS_POINTS)
        share = np.einsum("ep,p,pi->ei", self.reference_speed(x), w, hermite(x, self.element_length)[0])
        force = np.zeros(self.size)
        places = self.vector_starts()[:, :, None] + np.arange(self.dimension)
        np.add.at(force, places, share[:, :, None] * load[: self.dimension])
        return force

    def equations(self) -> list[Equation]:
        return []

    def point(self, marker: Marker) -> Vector:
        assert marker.s is not None
        starts, value, _ = self.shape_at(marker.s)
        keep = np.flatnonzero(np.abs(value) > 1e-14)
        kind = FLAT if self.planar else LINEAR
        return Vector(self, kind, tuple(value[keep].tolist()), tuple(starts[keep].tolist()), is_point=True)

    @abstractmethod
    def direction(self, marker: Marker, components: Array) -> Vector: ...

    def vector_starts(self) -> Integers:  # (elements, 4)
        """First local coordinate of every nodal vector of every element."""
        return np.arange(self.elements)[:, None] * self.width + np.arange(4) * self.dimension

    def reference_vectors(self) -> Array:  # (elements, 4, d)
        return self.initial_position()[self.vector_starts()[:, :, None] + np.arange(self.dimension)]

    def reference_speed(self, x: Array) -> Array:  # (elements, points)
        """|dr/dxi| of the reference shape."""
        if self.line.straight:
            return np.full((self.elements, x.size), self.element_length)
        slope = hermite(x, self.element_length)[1]
        speed: Array = np.linalg.norm(np.einsum("pi,eic->epc", slope, self.reference_vectors()), axis=2)
        return speed

    def _fields(self) -> Array:  # (nodes, 2, 3)
        s = np.linspace(0.0, 1.0, self.node_count)
        return np.stack([self.line.position(s), self.line.tangent(s)], axis=1)
