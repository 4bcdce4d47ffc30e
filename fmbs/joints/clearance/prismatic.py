"""Prismatic joint with clearance in the plane: a block in a guide."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array, positive, unit
from fmbs.gaps.kinematics import WALL
from fmbs.joints.clearance.base import ClearanceJoint, Station, Z

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClearancePrismatic(ClearanceJoint):
    """Block of length L and height H between two walls of a guide: each of its four corners may touch the wall that faces it,
    delta = n . (r_corner - r_b) - H/2 - c (Flores et al. 2008).

    bearing, journal: markers at the centres of guide and block
    axis: direction of sliding, (x, y); the guide is straight and endless
    clearance: gap between block and either wall when centred, m
    length, height: of the block along and across the axis, m
    corner_radius: of its edges, m; for contact laws whose stiffness comes from materials
    """

    axis: ArrayLike = field(kw_only=True)
    length: float = field(kw_only=True)
    height: float = field(kw_only=True)
    corner_radius: float | None = field(default=None, kw_only=True)

    flat: ClassVar[bool] = True
    cylinder: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for argument in ("length", "height"):
            positive(self.label, argument, getattr(self, argument))
        if self.corner_radius is not None:
            positive(self.label, "corner_radius", self.corner_radius)
        super().__post_init__()

    @property
    def triad(self) -> tuple[Array, Array, Array]:
        along = np.append(unit(self.label, "axis", array(self.label, "axis", self.axis, "give (x, y)").ravel()[:2], 2), 0.0)
        return along, np.cross(Z, along), Z

    @property
    def stations(self) -> tuple[Station, ...]:
        contact = self.contact and self.contact.bound(self.label, np.inf, self.corner_radius, None)
        places = [
            (f"{end} {side}", x, y) for end, x in (("rear", -1), ("front", 1)) for side, y in (("right", -1), ("left", 1))
        ]
        half = 0.5 * self.length
        return tuple(
            Station(
                name,
                WALL,
                self.clearance,
                0.5 * self.height,
                contact,
                self.friction,
                offset=(x * half, 0.0, 0.0),
                wall=(0.0, y, 0.0),
            )
            for name, x, y in places
        )
