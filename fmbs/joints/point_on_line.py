"""Point on a line."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from fmbs.core.equations import Equation, along, planar
from fmbs.joints.base import Joint
from fmbs.math.rotations import perpendicular


@dataclass(frozen=True, eq=False)
class PointOnLine(Joint):
    """The point b slides along a line through a that a carries: u_a . d = w_a . d = 0 with d = r_b - r_a. Planar: one of them.

    axis: global direction of the line at t = 0; (x, y) in the plane
    """

    axis: ArrayLike = field(kw_only=True)

    def equations(self) -> list[Equation]:
        n = self.direction_of("axis", self.axis)
        if planar(self.a, self.b):
            return [along("offset from the line", self.a.direction(np.array([-n[1], n[0], 0.0])), self.a, self.b)]
        u, w = (self.a.direction(x) for x in perpendicular(n))
        return [
            along("first offset from the line", u, self.a, self.b),
            along("second offset from the line", w, self.a, self.b),
        ]
