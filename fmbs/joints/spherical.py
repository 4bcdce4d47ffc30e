"""Spherical joint."""

from __future__ import annotations

from dataclasses import dataclass

from fmbs.core.equations import Equation, coincide
from fmbs.joints.base import Joint


@dataclass(frozen=True, eq=False)
class Spherical(Joint):
    """Two points coincide: r_b - r_a = 0."""

    planar_kind = False

    def equations(self) -> list[Equation]:
        return coincide(self.a, self.b)
