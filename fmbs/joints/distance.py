"""Rigid distance."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fmbs.core.checks import positive
from fmbs.core.equations import Equation, distance
from fmbs.core.errors import ModelError
from fmbs.joints.base import Joint


@dataclass(frozen=True, eq=False)
class Distance(Joint):
    """A massless rigid bar between two points: |r_b - r_a| = L. Planar or spatial.

    length: L, m; the distance at t = 0 if not given
    """

    length: float | None = field(default=None, kw_only=True)

    def equations(self) -> list[Equation]:
        apart = float(np.linalg.norm(self.b.position - self.a.position))
        length = apart if self.length is None else positive(self.label, "length", self.length)
        if length < 1e-12:
            raise ModelError(f"{self.label}: {self.a} and {self.b} coincide; a bar needs a length > 0 (or use Spherical).")
        return [distance("length", self.a, self.b, length)]
