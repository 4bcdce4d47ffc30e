"""What all flexible links share: numbering of nodes, places along the line, rigid initial motion, weight, damping."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.cells import Surface
from fmbs.core.checks import not_negative, number, vector
from fmbs.core.described import Described
from fmbs.core.equations import Equation
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import AtPlaces
from fmbs.core.protocols import BatchKind, ElementBatch, Triplets
from fmbs.core.rigid_motion import displaced_vectors, vector_rates
from fmbs.core.vectors import Vector
from fmbs.core.words import given
from fmbs.elements._checks import check_flexible
from fmbs.elements.centre_line import CentreLine
from fmbs.elements.material import Material
from fmbs.elements.section import Section

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class RigidMotion:
    """Of a whole body at t = 0: the velocity of the point `about`, m/s, and the spin, rad/s  # (3,) each.

    given: did the user give the velocity, the spin?
    """

    velocity: Array
    spin: Array
    about: Array
    given: tuple[bool, bool]

    @classmethod
    def of(cls, name: str, velocity: ArrayLike | None, spin: ArrayLike | None, about: ArrayLike, size: int = 3) -> RigidMotion:
        """From a user's arguments; in the plane (size 2) the spin is a number."""
        v = vector(name, "velocity", np.zeros(size) if velocity is None else velocity, size)
        if size == 2:
            omega = np.array([0.0, 0.0, number(name, "spin", 0.0 if spin is None else spin)])
        else:
            omega = vector(name, "spin", np.zeros(3) if spin is None else spin)
        point, flat = vector(name, "about", about, size), np.zeros(3 - size)
        return cls(np.append(v, flat), omega, np.append(point, flat), (velocity is not None, spin is not None))


@dataclass(frozen=True)
class LinkLayout:
    """Coordinates of a link: nodes at these places xi of every element (ends shared), each with vectors of these kinds."""

    nodes: Array  # of an element, 0 ... 1
    kinds: tuple[str, ...]  # of r, r_x, r_y, r_z, the first of them r
    dimension: int = 3  # of each vector


class FlexibleLink(Described, ABC):
    """Elements of equal length along a centre line: r = sum_i a_i(xi) e_i on it, linear in the nodal vectors e_i."""

    batch: BatchKind[ElementBatch]

    def __init__(
        self, name: str, line: CentreLine, section: Section, material: Material, elements: int, layout: LinkLayout,
        motion: RigidMotion, rayleigh: tuple[float, float],
    ) -> None:  # fmt: skip
        self.name, self.line, self.section, self.material = name, line, section, material
        self.elements = check_flexible(name, section, material, elements)
        self._kinds, self._motion, self.dimension = layout.kinds, motion, layout.dimension
        alpha, beta = vector(name, "rayleigh", rayleigh, 2)
        self.mass_damping = not_negative(name, "rayleigh alpha", alpha)
        self.damping = material.damping + not_negative(name, "rayleigh beta", beta)  # retardation time, s
        self.width = self.dimension * len(layout.kinds)  # coordinates of a node
        spans = layout.nodes.size - 1
        self.nodes = np.arange(self.elements)[:, None] * spans + np.arange(spans + 1)  # (elements, nodes of each)
        self.node_count = self.elements * spans + 1

    def _facts(self) -> dict[str, Any]:
        mass = self.material.density * self.section.area * self.line.length
        sizes = {"length": self.line.length, "mass": mass, "elements": self.elements}
        moving = {"velocity": self._motion.velocity, "spin": self._motion.spin}
        return {**sizes, "section": self.section, "material": self.material, **given(moving, self.given)}

    def arguments(self) -> dict[str, Any]:
        """What the constructor takes, and `arc` of a curve: its knots by arc length, which make the same spline again."""
        motion, size = self._motion, self.dimension
        spin = motion.spin[2] if self.planar else motion.spin
        return {
            "name": self.name, "section": self.section, "material": self.material, "elements": self.elements,
            "rayleigh": (self.mass_damping, self.damping - self.material.damping), **self.line.arguments(size),
            "about": motion.about[:size], **given({"velocity": motion.velocity[:size], "spin": spin}, self.given),
        }  # fmt: skip

    @classmethod
    def from_arguments(cls, arguments: dict[str, Any]) -> Self:
        """A curve gets its own knots back: a spline through them by new arc lengths differs by round-off."""
        arc = arguments.pop("arc", None)
        link = cls(**arguments)
        if arc is not None:
            link.line.follow(arc, np.asarray(arguments["curve"]))
        return link

    @property
    def planar(self) -> bool:
        return self.dimension == 2

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
        if not 0 <= number(self.name, "k", k) < self.node_count or k != int(k):
            raise ModelError(f"{self.name}: node {k} does not exist; there are nodes 0 to {self.node_count - 1}.")
        return self.at(k / (self.node_count - 1))

    def at(self, s: float, *, offset: ArrayLike | None = None) -> Marker:
        """The marker on the centre line at 0 <= s <= 1 of the length.

        offset: (0, y, z) of a point beside it that the cross-section of a Beam carries, along the section's axes, m
        """
        if not 0.0 <= number(self.name, "s", s) <= 1.0:
            raise ModelError(f"{self.name}: at(s = {s!r}) is outside [0, 1]; s is the share of the length.")
        return self.marker(float(s)) if offset is None else self.aside(float(s), vector(self.name, "offset", offset))

    @abstractmethod
    def marker(self, s: float) -> Marker: ...

    def aside(self, s: float, offset: Array) -> Marker:
        """The marker at an offset from the centre line."""
        raise ModelError(
            f"{self.name}: offset = {offset}: a {type(self).__name__} has no directors to carry a point beside its line; "
            "take fm.Beam, or clamp a small rigid body to the marker with fm.Fixed."
        )

    def locate(self, s: float) -> tuple[int, float]:
        """The element that holds s, and xi in it; a node to round-off is one, so that its marker has no neighbours."""
        place = s * self.elements
        if abs(place - round(place)) < 1e-12 * self.elements:
            place = float(round(place))
        element = min(int(place), self.elements - 1)
        return element, place - element

    def initial_position(self) -> Array:
        return self._drawn()[:, :, : self.dimension].ravel()

    def initial_velocity(self) -> Array:
        vectors, motion = self._drawn(), self._motion
        vectors[:, 0] -= motion.about
        moving: Array = np.cross(motion.spin, vectors)
        moving[:, 0] += motion.velocity
        return moving[:, :, : self.dimension].ravel()

    @property
    def given(self) -> tuple[bool, bool]:
        return self._motion.given

    def rigid_rates(self, q: Array) -> Array:
        return vector_rates(q.reshape(-1, self.dimension), self._points).reshape(self.size, 6)

    def displaced(self, q: Array, centre: Array, shift: Array, turn: Array) -> Array:
        return displaced_vectors(q.reshape(-1, self.dimension), self._points, centre, shift, turn).ravel()

    @property
    def _points(self) -> NDArray[np.bool_]:  # which nodal vectors are points
        return np.tile(np.array(self._kinds) == "r", self.node_count)

    @abstractmethod
    def _drawn(self) -> Array: ...  # nodal vectors of the drawn shape, (nodes, vectors of each, 3)

    def directors(self) -> list[tuple[tuple[int, int], ...]]:
        """Of each node in space; in the plane there is no axis to spin about."""
        places = [self.dimension * k for k, kind in enumerate(self._kinds) if kind != "r"]
        nodes = range(0, self.size if self.dimension == 3 else 0, self.width)
        return [tuple((node + place, -1) for place in places) for node in nodes]

    def is_length(self) -> NDArray[np.bool_]:
        return np.repeat(self._points, self.dimension)

    @abstractmethod
    def mass_matrix(self) -> Triplets: ...

    def weight(self, gravity: Array) -> Array:
        return self.distributed(self.material.density * self.section.area * np.asarray(gravity))

    def distributed(self, load: Array) -> Array:
        """Generalized force of a constant load per length, N/m, on the centre line: int a_i ds (x) load."""
        force = np.zeros(self.size)
        places = self.vector_starts()[:, :, None] + np.arange(self.dimension)
        np.add.at(force, places, self.shares()[:, :, None] * load[: self.dimension])
        return force

    @abstractmethod
    def shares(self) -> Array: ...  # int a_i ds of every element, m, (elements, vectors)

    def equations(self) -> list[Equation]:
        return []

    @abstractmethod
    def point(self, marker: Marker) -> Vector: ...

    @abstractmethod
    def direction(self, marker: Marker, components: Array) -> Vector: ...

    def vector_starts(self) -> Integers:  # (elements, vectors)
        """First local coordinate of every nodal vector of every element."""
        return self._starts

    @cached_property
    def _starts(self) -> Integers:  # once: a distributed load asks for thousands of markers
        inner = self.dimension * np.arange(len(self._kinds))
        return (self.nodes[:, :, None] * self.width + inner).reshape(self.elements, -1)

    @cached_property
    def reference_vectors(self) -> Array:  # (elements, vectors, dimension)
        return self.initial_position()[self.vector_starts()[:, :, None] + np.arange(self.dimension)]

    def reference_speed(self, x: Array) -> Array:  # (elements, points)
        """|dr/dxi| of the reference shape."""
        if self.line.straight:
            return np.full((self.elements, x.size), self.element_length)
        speed: Array = np.linalg.norm(np.einsum("pi,eic->epc", self.slopes(x), self.reference_vectors), axis=2)
        return speed

    @abstractmethod
    def slopes(self, x: Array) -> Array: ...  # da_i/dxi, (points, vectors)

    @abstractmethod
    def section_forces(self, s: Array, q: Array) -> AtPlaces: ...

    @abstractmethod
    def surface(self, per_element: int) -> Surface: ...
