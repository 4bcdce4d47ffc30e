"""Universal joint."""

from __future__ import annotations

from dataclasses import dataclass, field

from numpy.typing import ArrayLike

from fmbs.core.equations import Equation, coincide, dot
from fmbs.core.errors import ModelError
from fmbs.joints.base import Joint


@dataclass(frozen=True, eq=False)
class Universal(Joint):
    """Hooke's joint: r_b - r_a = 0 and the two axes of the cross stay perpendicular, n_a . n_b = 0.

    axis_a, axis_b: global directions at t = 0 of the cross's arms, perpendicular to each other
    """

    axis_a: ArrayLike = field(kw_only=True)
    axis_b: ArrayLike = field(kw_only=True)
    planar_kind = False

    def equations(self) -> list[Equation]:
        n_a, n_b = self.direction_of("axis_a", self.axis_a), self.direction_of("axis_b", self.axis_b)
        if abs(n_a @ n_b) > 0.1:
            raise ModelError(
                f"{self.label}: axis_a = {self.axis_a!r} and axis_b = {self.axis_b!r} are not perpendicular; "
                "they are the two arms of the cross."
            )
        return [*coincide(self.a, self.b), dot("cross", self.a.direction(n_a), self.b.direction(n_b))]
