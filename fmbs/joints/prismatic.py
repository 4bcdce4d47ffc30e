"""Prismatic joint."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from fmbs.core.equations import Equation, along, planar, same_orientation
from fmbs.joints.base import Joint
from fmbs.math.rotations import perpendicular


@dataclass(frozen=True, eq=False)
class Prismatic(Joint):
    """b slides along an axis of a and does not turn: u_a . d = w_a . d = 0 with d = r_b - r_a, and no relative rotation.

    Planar: one offset and the rotation (Muvengi2011 eqs 14-16).

    axis: global direction at t = 0; (x, y) in the plane
    """

    axis: ArrayLike = field(kw_only=True)

    def equations(self) -> list[Equation]:
        n = self.direction_of("axis", self.axis)
        if planar(self.a, self.b):
            normal = self.a.direction(np.array([-n[1], n[0], 0.0]))
            return [along("offset from the axis", normal, self.a, self.b), *same_orientation(self.a, self.b)]
        u, w = (self.a.direction(x) for x in perpendicular(n))
        return [
            along("first offset from the axis", u, self.a, self.b),
            along("second offset from the axis", w, self.a, self.b),
            *same_orientation(self.a, self.b),
        ]
