"""Planar joint."""

from __future__ import annotations

from dataclasses import dataclass, field

from numpy.typing import ArrayLike

from fmbs.core.equations import Equation, along, parallel
from fmbs.joints.base import Joint
from fmbs.math.rotations import perpendicular


@dataclass(frozen=True, eq=False)
class Planar(Joint):
    """b slides on a plane of a: n_a . (r_b - r_a) = 0, n_b . u_a = n_b . w_a = 0.

    normal: of the plane, global direction at t = 0
    """

    normal: ArrayLike = field(kw_only=True)
    planar_kind = False

    def equations(self) -> list[Equation]:
        n = self.direction_of("normal", self.normal)
        u, w = (self.a.direction(x) for x in perpendicular(n))
        lift = along("lift off the plane", self.a.direction(n), self.a, self.b)
        return [lift, *parallel("normal", self.b.direction(n), u, w)]
