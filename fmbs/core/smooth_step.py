"""A step that drives and forces can follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from fmbs.core.checks import number
from fmbs.core.described import Described
from fmbs.core.errors import ModelError


@dataclass(frozen=True)
class SmoothStep(Described):
    """From `low` before `begin` to `high` after `end` with continuous rate and acceleration: 10 s^3 - 15 s^4 + 6 s^5.

    A callable of time for any drive or force: `fm.RotationDrive(..., speed=fm.SmoothStep(0.0, 0.1, 0.0, 523.6))`.
    """

    begin: float
    end: float
    low: float
    high: float

    def __post_init__(self) -> None:
        for argument, value in vars(self).items():
            number("SmoothStep", argument, value)
        if self.end <= self.begin:
            raise ModelError(f"SmoothStep: end = {self.end:g} must be later than begin = {self.begin:g}; give end > begin.")

    def __call__(self, t: float) -> float:
        s = min(max((t - self.begin) / (self.end - self.begin), 0.0), 1.0)
        return self.low + (self.high - self.low) * s**3 * (10.0 + s * (6.0 * s - 15.0))

    @property
    def polynomial(self) -> scipy.interpolate.PPoly:
        """The same between begin and end, for exact derivatives."""
        unit = np.array([6.0, -15.0, 10.0, 0.0, 0.0, 0.0]) / (self.end - self.begin) ** np.arange(5, -1, -1)
        unit *= self.high - self.low
        unit[-1] += self.low
        return scipy.interpolate.PPoly(unit[:, None], np.array([self.begin, self.end]))
