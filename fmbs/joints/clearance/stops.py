"""Stops of hinges and of joints that tilt."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import number, positive, unit
from fmbs.core.errors import ModelError
from fmbs.gaps.kinematics import RADIAL, WALL
from fmbs.joints.clearance.base import Station, right_handed
from fmbs.joints.clearance.surface import SurfaceContact

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RotationStop(SurfaceContact):
    """Stops of a hinge: a peg of the second body at a radius from the axis meets faces of the first one at two angles,
    delta = R sin(phi - upper) and R sin(lower - phi).

    The hinge itself is another joint, and it bears the peg's force.

    bearing, journal: the hinge's markers
    lower, upper: angles since t = 0 about the axis, rad: lower <= 0 <= upper, less than pi apart
    radius: R, of the peg, m
    axis: global direction at t = 0; planar bodies need none
    """

    lower: float = field(kw_only=True)
    upper: float = field(kw_only=True)
    radius: float = field(kw_only=True)
    axis: ArrayLike = field(default=(0.0, 0.0, 1.0), kw_only=True)

    def measure(self) -> float:
        lower, upper = (number(self.label, name, getattr(self, name)) for name in ("lower", "upper"))
        if not lower <= 0.0 <= upper or not 0.0 < upper - lower < math.pi:
            raise ModelError(
                f"{self.label}: lower = {lower:g} and upper = {upper:g} rad do not fit: the drawn position, 0, lies between "
                "them, and they are less than pi apart. Draw the hinge between its stops."
            )
        return positive(self.label, "radius", self.radius)

    @property
    def triad(self) -> tuple[Array, Array, Array]:
        return right_handed(unit(self.label, "axis", self.axis))

    @property
    def stations(self) -> tuple[Station, ...]:
        contact = self.contact and self.contact.bound(self.label, np.inf, 0.1 * self.radius, None)
        peg, (lower, upper) = (self.radius, 0.0, 0.0), (self.lower, self.upper)
        walls = {"lower": (math.sin(lower), -math.cos(lower), 0.0), "upper": (-math.sin(upper), math.cos(upper), 0.0)}
        return tuple(Station(end, WALL, 0.0, 0.0, contact, self.friction, offset=peg, wall=wall) for end, wall in walls.items())


@dataclass(frozen=True, eq=False)
class TiltStop(SurfaceContact):
    """A stop of bending: the axis of the second body tilts by no more than a limit from that of the first one, as a pin does
    whose tip, at a length along its axis, is in a ring: delta = L (sin(tilt) - sin(limit)).

    What holds both bodies together, a Spherical, a Universal, a Bushing, is another part, and it bears the tip's force.

    bearing, journal: markers at the point about which it tilts
    axis: global direction at t = 0
    limit: of the angle, rad, less than pi/2
    length: L, m
    """

    axis: ArrayLike = field(kw_only=True)
    limit: float = field(kw_only=True)
    length: float = field(kw_only=True)

    def measure(self) -> float:
        if not 0.0 < number(self.label, "limit", self.limit) < 0.5 * math.pi:
            raise ModelError(f"{self.label}: limit = {self.limit:g} rad is outside (0, pi/2); give the largest tilt.")
        if self.flat:
            raise ModelError(f"{self.label}: planar bodies do not tilt; take RotationStop.")
        return positive(self.label, "length", self.length)

    @property
    def triad(self) -> tuple[Array, Array, Array]:
        return right_handed(unit(self.label, "axis", self.axis))

    @property
    def stations(self) -> tuple[Station, ...]:
        gap = self.length * math.sin(self.limit)
        contact = self.contact and self.contact.bound(self.label, 2.0 * gap, gap, None)
        tip = (0.0, 0.0, self.length)
        return (Station("A", RADIAL, gap, 0.0, contact, self.friction, offset=tip),)
