"""Revolute joint."""

from __future__ import annotations

from dataclasses import dataclass, field

from numpy.typing import ArrayLike

from fmbs.core.equations import Equation, coincide, parallel, planar
from fmbs.joints.base import Joint
from fmbs.math.rotations import perpendicular


@dataclass(frozen=True, eq=False)
class Revolute(Joint):
    """Two points coincide and b turns about an axis of a: r_b - r_a = 0, n_b . u_a = n_b . w_a = 0 (u, w, n orthonormal).

    Planar: r_b - r_a = 0 only (Muvengi2011 eq 13).

    axis: global direction at t = 0; planar joints need none
    """

    axis: ArrayLike = field(default=(0.0, 0.0, 1.0), kw_only=True)

    def equations(self) -> list[Equation]:
        n = self.direction_of("axis", self.axis, normal=True)
        if planar(self.a, self.b):
            return coincide(self.a, self.b)
        u, w = perpendicular(n)
        tilts = parallel("axis", self.b.direction(n), self.a.direction(u), self.a.direction(w))
        return coincide(self.a, self.b) + tilts
