"""Cylindrical joint with clearance in space, of finite length; with axial stops a revolute joint."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import positive, unit
from fmbs.gaps.kinematics import RADIAL, WALL
from fmbs.joints.clearance.base import ClearanceJoint, Station, journal_radius, right_handed

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClearanceCylindrical(ClearanceJoint):
    """Journal in a bearing, free to slide, turn and tilt: each end circle, A at -B/2 and W at +B/2 along the axis, may touch
    the wall, with its own penetration delta = |d| - c, normal and history (Tian2010 eqs 2-21).

    axis: of bearing and journal at t = 0
    bearing_radius: R_b, m; the journal's is R_b - clearance
    length: B, m, along the axis
    axial_clearance: free play along the axis, m, between stops that make it a spatial revolute joint; None: no stops
    """

    axis: ArrayLike = field(kw_only=True)
    bearing_radius: float = field(kw_only=True)
    length: float = field(kw_only=True)
    axial_clearance: float | None = field(default=None, kw_only=True)

    film_ends: ClassVar[int] = 2

    def __post_init__(self) -> None:
        positive(self.label, "length", self.length)
        if self.axial_clearance is not None:
            positive(self.label, "axial_clearance", self.axial_clearance)
        super().__post_init__()

    @property
    def triad(self) -> tuple[Array, Array, Array]:
        return right_handed(unit(self.label, "axis", self.axis))

    @property
    def stations(self) -> tuple[Station, ...]:
        radius = journal_radius(self.label, self.bearing_radius, self.clearance)
        contact = self.contact and self.contact.bound(self.label, self.bearing_radius, radius, self.length)
        half = 0.5 * self.length
        ends = tuple(
            Station(end, RADIAL, self.clearance, radius, contact, self.friction, offset=(0.0, 0.0, place))
            for end, place in (("A", -half), ("W", half))
        )
        if self.axial_clearance is None:
            return ends
        stops = tuple(
            Station(end, WALL, self.axial_clearance, 0.0, contact, self.friction, wall=(0.0, 0.0, side))
            for end, side in (("stop -", -1.0), ("stop +", 1.0))
        )
        return ends + stops

    @property
    def wear_rate(self) -> float:
        return 0.0 if self.wear is None else self.wear.rate(self.bearing_radius, 0.5 * self.length)

    @property
    def film_length(self) -> float:
        return self.length
