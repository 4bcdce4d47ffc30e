"""Cylindrical joint."""

from __future__ import annotations

from dataclasses import dataclass, field

from numpy.typing import ArrayLike

from fmbs.core.equations import Equation, along, parallel
from fmbs.joints.base import Joint
from fmbs.math.rotations import perpendicular


@dataclass(frozen=True, eq=False)
class Cylindrical(Joint):
    """b turns about and slides along an axis of a: u_a . d = w_a . d = 0, n_b . u_a = n_b . w_a = 0 with d = r_b - r_a.

    axis: global direction at t = 0
    """

    axis: ArrayLike = field(kw_only=True)
    planar_kind = False

    def equations(self) -> list[Equation]:
        n = self.direction_of("axis", self.axis)
        u, w = (self.a.direction(x) for x in perpendicular(n))
        return [
            along("first offset from the axis", u, self.a, self.b),
            along("second offset from the axis", w, self.a, self.b),
            *parallel("axis", self.b.direction(n), u, w),
        ]
