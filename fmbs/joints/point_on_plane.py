"""Point on a plane."""

from __future__ import annotations

from dataclasses import dataclass, field

from numpy.typing import ArrayLike

from fmbs.core.equations import Equation, along
from fmbs.joints.base import Joint


@dataclass(frozen=True, eq=False)
class PointOnPlane(Joint):
    """The point b stays on a plane through a that a carries: n_a . (r_b - r_a) = 0. In the plane this is a PointOnLine.

    normal: of the plane, global direction at t = 0
    """

    normal: ArrayLike = field(kw_only=True)
    planar_kind = False

    def equations(self) -> list[Equation]:
        n = self.direction_of("normal", self.normal)
        return [along("lift off the plane", self.a.direction(n), self.a, self.b)]
