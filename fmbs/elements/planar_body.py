"""Planar rigid body: x, y, theta."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import number, positive, vector
from fmbs.core.described import Described
from fmbs.core.equations import Equation
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import Triplets
from fmbs.core.rigid_motion import displaced_vectors
from fmbs.core.vectors import FIXED, PLANAR, Vector
from fmbs.core.words import given

Array = NDArray[np.float64]


class PlanarBody(Described):
    """Rigid body in the x-y plane with q = (x, y, theta) of its centre of mass (Muvengi2011 sect. III).

    T = 1/2 m (x'^2 + y'^2) + 1/2 J theta'^2;   a point: r = (x, y) + R(theta) s

    mass: kg
    inertia: about the centre of mass, kg m^2
    com: global coordinates of the centre of mass at t = 0, m; the attribute `com` is the marker there
    angle: theta at t = 0, rad (markers are given by global coordinates, so this only names the start)
    velocity, spin: of the centre of mass, m/s, and theta', rad/s, at t = 0; what is not given is completed from the joints and
                    drives, and is zero where they ask for nothing
    """

    planar: Final = True
    size: Final = 3
    batch: Final = None
    mass_damping: Final = 0.0

    def __init__(
        self, name: str, *, mass: float, inertia: float, com: ArrayLike, angle: float = 0.0,
        velocity: ArrayLike | None = None, spin: float | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.mass = positive(name, "mass", mass)
        self.inertia = positive(name, "inertia", inertia)
        self.angle = number(name, "angle", angle)
        self.given = velocity is not None, spin is not None
        self.velocity = vector(name, "velocity", (0.0, 0.0) if velocity is None else velocity, 2)
        self.spin = number(name, "spin", 0.0 if spin is None else spin)
        self._centre = vector(name, "com", com, 2)  # (2,)

    def _facts(self) -> dict[str, Any]:
        moving = given({"velocity": self.velocity, "spin": self.spin}, self.given)
        return {"mass": self.mass, "inertia": self.inertia, "com": self._centre, "angle": self.angle, **moving}

    def arguments(self) -> dict[str, Any]:
        return {"name": self.name, **self._facts()}

    @property
    def com(self) -> Marker:
        """The marker at the centre of mass."""
        return self.at(*self._centre)

    def at(self, *position: float) -> Marker:
        """The marker at the body point that has these global coordinates at t = 0, m."""
        if len(position) != 2:
            raise ModelError(f"{self.name}: at{position} has {len(position)} coordinates; a planar body takes x, y.")
        return Marker(self, np.append(vector(self.name, "at", position, 2), 0.0))

    def initial_position(self) -> Array:
        return np.append(self._centre, self.angle)

    def initial_velocity(self) -> Array:
        return np.append(self.velocity, self.spin)

    def turned(self, q: Array) -> Array:
        return q[:, 2]

    def rigid_rates(self, q: Array) -> Array:
        rates = np.zeros((3, 6))
        rates[0, 0] = rates[1, 1] = rates[2, 5] = 1.0
        rates[0, 5], rates[1, 5] = -q[1], q[0]
        return rates

    def displaced(self, q: Array, centre: Array, shift: Array, turn: Array) -> Array:
        point = displaced_vectors(q[None, :2], np.array([True]), centre, shift, turn)[0]
        return np.append(point, q[2] + turn[2])

    def is_length(self) -> NDArray[np.bool_]:
        return np.array([True, True, False])

    def mass_matrix(self) -> Triplets:
        index = np.arange(3)
        return Triplets(index, index, np.array([self.mass, self.mass, self.inertia]))

    def weight(self, gravity: Array) -> Array:
        return np.array([self.mass * gravity[0], self.mass * gravity[1], 0.0])

    def equations(self) -> list[Equation]:
        return []

    def point(self, marker: Marker) -> Vector:
        x, y = self._local(marker.position[:2] - self._centre)
        return Vector(self, PLANAR, (1.0, x, y, 0.0), is_point=True)

    def direction(self, marker: Marker, components: Array) -> Vector:
        if components[0] == components[1] == 0.0:  # the normal of the plane does not move
            return Vector(self, FIXED, tuple(components.tolist()))
        x, y = self._local(components[:2])
        return Vector(self, PLANAR, (0.0, x, y, float(components[2])))

    def _local(self, vector: Array) -> tuple[float, float]:
        """R(angle)^T of a global vector at t = 0."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return float(cos * vector[0] + sin * vector[1]), float(cos * vector[1] - sin * vector[0])
