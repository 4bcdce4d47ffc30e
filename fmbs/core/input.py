"""Input: a number that loads follow and that somebody else sets: a linearisation, an FMU, your own loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array, number, text
from fmbs.core.described import Described

Array = NDArray[np.float64]


@dataclass(eq=False)
class Input(Described):
    """A number u that loads follow: Torque(crank.com, u) in the plane, PointForce(slider.com, u.along((1, 0))).

    As a function of time it is its value, whatever the time. `m.linearise(inputs=[u])` and `fm.export_fmu(inputs=[u])` set it.

    name: for columns and FMUs
    value: now; in the unit of the load
    """

    name: str
    value: float = 0.0

    def __post_init__(self) -> None:
        text("Input", "name", self.name)
        self.value = number(f"Input {self.name!r}", "value", self.value)

    def __call__(self, t: float) -> float:
        return self.value

    def along(self, direction: ArrayLike) -> Any:
        """A load u d, as a function of time."""
        d = array(f"Input {self.name!r}", "direction", direction, "give 2 or 3 numbers")

        def load(t: float) -> Array:
            return self.value * d

        return load
