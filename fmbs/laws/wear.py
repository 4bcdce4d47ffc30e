"""Wear: `fm.wear.Archard(coefficient=1e-5, hardness=2e9)`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fmbs.core.checks import positive, whole
from fmbs.core.described import Described


@dataclass(frozen=True, kw_only=True)
class Archard(Described):
    """Volume worn off the bearing, dV = k N ds / H, at the sector of its circumference that is being rubbed (Archard 1953).

    The clearance grows there: wear feeds back into the motion.

    coefficient: k, dimensionless
    hardness: H of the softer surface, Pa
    acceleration: wear of one simulated second counts for so many seconds
    sectors: into which the circumference is divided
    """

    coefficient: float
    hardness: float
    acceleration: float = 1.0
    sectors: int = 72

    def __post_init__(self) -> None:
        for argument in ("coefficient", "hardness", "acceleration"):
            positive("Archard", argument, getattr(self, argument))
        whole("Archard", "sectors", self.sectors, 3)

    def rate(self, bearing_radius: float, length: float) -> float:
        """Depth worn off one sector by a normal force of 1 N over a sliding distance of 1 m, m."""
        area = 2.0 * np.pi * bearing_radius / self.sectors * length
        return self.acceleration * self.coefficient / (self.hardness * area)
