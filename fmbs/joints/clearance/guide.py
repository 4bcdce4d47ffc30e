"""Prismatic joint with clearance in space: a block in a guide of rectangular section."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import positive, unit
from fmbs.core.errors import ModelError
from fmbs.gaps.kinematics import WALL
from fmbs.joints.clearance.base import ClearanceJoint, Station

Array = NDArray[np.float64]

SIDES = ({-1: "left", 1: "right"}, {-1: "bottom", 1: "top"}, {-1: "rear", 1: "front"})  # along e_1, e_2 and the axis


@dataclass(frozen=True, eq=False)
class ClearanceGuide(ClearanceJoint):
    """Block of length L, width W and height H between the four walls of a guide: each of its eight corners may touch the two
    walls that face it, delta = n . (r_corner - r_b) - H/2 - c (W/2 towards the sides), exact for a block that tilts.

    bearing, journal: markers at the centres of guide and block
    axis: direction of sliding at t = 0; the guide is straight and endless
    up: direction of the height at t = 0; what it has along the axis does not count
    clearance: gap between the centred block and top or bottom, m
    side_clearance: the same towards the two sides, m; the clearance if absent
    length, width, height: of the block along the axis, across it, and along `up`, m
    corner_radius: of its corners, m; for contact laws whose stiffness comes from materials
    """

    axis: ArrayLike = field(kw_only=True)
    up: ArrayLike = field(kw_only=True)
    length: float = field(kw_only=True)
    width: float = field(kw_only=True)
    height: float = field(kw_only=True)
    side_clearance: float | None = field(default=None, kw_only=True)
    corner_radius: float | None = field(default=None, kw_only=True)

    cylinder: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for argument in ("length", "width", "height"):
            positive(self.label, argument, getattr(self, argument))
        for argument in ("side_clearance", "corner_radius"):
            if getattr(self, argument) is not None:
                positive(self.label, argument, getattr(self, argument))
        super().__post_init__()

    @property
    def triad(self) -> tuple[Array, Array, Array]:
        """Across, up, along."""
        along, up = unit(self.label, "axis", self.axis), unit(self.label, "up", self.up)
        up = up - (up @ along) * along
        size = float(np.linalg.norm(up))
        if size < 1e-6:
            raise ModelError(f"{self.label}: up = {self.up!r} lies along the axis {self.axis!r}; give a direction across it.")
        up /= size
        return np.cross(up, along), up, along

    @property
    def stations(self) -> tuple[Station, ...]:
        contact = self.contact and self.contact.bound(self.label, np.inf, self.corner_radius, None)
        half = (0.5 * self.width, 0.5 * self.height, 0.5 * self.length)
        gaps = (self.clearance if self.side_clearance is None else self.side_clearance, self.clearance)
        found = []
        for x, y, z in product((-1, 1), repeat=3):
            name = f"{SIDES[2][z]} {SIDES[0][x]} {SIDES[1][y]}"
            offset = (x * half[0], y * half[1], z * half[2])
            for k, wall in enumerate(((float(x), 0.0, 0.0), (0.0, float(y), 0.0))):
                end = f"{name} on {SIDES[k][(x, y)[k]]}"
                found.append(Station(end, WALL, gaps[k] + half[k], 0.0, contact, self.friction, offset=offset, wall=wall))
        return tuple(found)
