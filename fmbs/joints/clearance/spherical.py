"""Spherical joint with clearance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from fmbs.gaps.kinematics import SPHERE
from fmbs.joints.clearance.base import ClearanceJoint, Station, journal_radius


@dataclass(frozen=True, eq=False)
class ClearanceSpherical(ClearanceJoint):
    """Ball in a socket: delta = |r_j - r_b| - c; contact and friction at the ball's surface.

    bearing_radius: of the socket, R_b, m; the ball's is R_b - clearance
    """

    bearing_radius: float = field(kw_only=True)

    cylinder: ClassVar[bool] = False

    @property
    def stations(self) -> tuple[Station, ...]:
        radius = journal_radius(self.label, self.bearing_radius, self.clearance)
        contact = self.contact and self.contact.bound(self.label, self.bearing_radius, radius, None)
        return (Station("A", SPHERE, self.clearance, radius, contact, self.friction),)
