"""Fixed joint."""

from __future__ import annotations

from dataclasses import dataclass

from fmbs.core.equations import Equation, coincide, same_orientation
from fmbs.joints.base import Joint


@dataclass(frozen=True, eq=False)
class Fixed(Joint):
    """Two bodies move as one: r_b - r_a = 0 and no relative rotation. Planar or spatial."""

    def equations(self) -> list[Equation]:
        return coincide(self.a, self.b) + same_orientation(self.a, self.b)
