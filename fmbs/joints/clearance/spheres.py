"""A ball on a plane, and a ball on a ball."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import positive, unit
from fmbs.core.marker import Marker
from fmbs.gaps.kinematics import BALL, WALL
from fmbs.joints.clearance.base import Station
from fmbs.joints.clearance.surface import SurfaceContact
from fmbs.math.rotations import perpendicular

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SphereOnPlane(SurfaceContact):
    """A ball on a plane, or a disc on a line in the plane: delta = R - n . (r_j - r_b).

    bearing: a marker on the plane; journal: the ball's centre
    normal: of the plane towards the ball, global direction at t = 0; (x, y) in the plane
    radius: R of the ball, m
    """

    normal: ArrayLike = field(kw_only=True)
    radius: float = field(kw_only=True)

    def measure(self) -> float:
        return positive(self.label, "radius", self.radius)

    @property
    def balls(self) -> tuple[tuple[Marker, float], ...]:
        return ((self.journal, self.radius),)

    @property
    def triad(self) -> tuple[Array, Array, Array]:
        n = _spatial(self.label, self.normal)
        if self.flat:
            z = np.array([0.0, 0.0, 1.0])
            return np.cross(n, z), n, z
        u, _ = perpendicular(n)
        return u, n, np.cross(u, n)

    @property
    def stations(self) -> tuple[Station, ...]:
        contact = self.contact and self.contact.bound(self.label, np.inf, self.radius, None)
        return (Station("A", WALL, -self.radius, self.radius, contact, self.friction, wall=(0.0, -1.0, 0.0)),)


@dataclass(frozen=True, eq=False)
class SphereOnSphere(SurfaceContact):
    """Two balls, or two discs in the plane: delta = R_b + R_j - |r_j - r_b|.

    bearing, journal: their centres
    bearing_radius, journal_radius: m
    """

    bearing_radius: float = field(kw_only=True)
    journal_radius: float = field(kw_only=True)

    def measure(self) -> float:
        radii = [positive(self.label, name, getattr(self, name)) for name in ("bearing_radius", "journal_radius")]
        return min(radii)

    @property
    def balls(self) -> tuple[tuple[Marker, float], ...]:
        return (self.bearing, self.bearing_radius), (self.journal, self.journal_radius)

    @property
    def stations(self) -> tuple[Station, ...]:
        one, two = self.bearing_radius, self.journal_radius
        contact = self.contact and self.contact.bound(self.label, np.inf, one * two / (one + two), None)
        return (Station("A", BALL, -one - two, two, contact, self.friction),)


def _spatial(part: str, direction: ArrayLike) -> Array:
    """A unit vector from two or three components."""
    return unit(part, "normal", np.append(direction, 0.0) if np.size(direction) == 2 else direction)
