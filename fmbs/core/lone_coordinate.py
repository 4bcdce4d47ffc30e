"""One coordinate in the place of a body: what the angles that parts count and the states of controllers have in common."""

from __future__ import annotations

from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from fmbs.core.equations import Equation
from fmbs.core.errors import ModelError

Array = NDArray[np.float64]


class LoneCoordinate:
    """It has no points and no directions, so that no marker lies on it, and gravity does not pull at it."""

    name: str
    size = 1
    batch = None
    mass_damping = 0.0

    def weight(self, gravity: Array) -> Array:
        return np.zeros(1)

    def equations(self) -> list[Equation]:
        return []

    def point(self, marker: object) -> NoReturn:
        raise ModelError(f"{self.name} is a number, which has no points; take a marker of a body.")

    def direction(self, marker: object, components: Array) -> NoReturn:
        raise ModelError(f"{self.name} is a number, which has no directions; take a marker of a body.")

    def rigid_rates(self, q: Array) -> Array:
        """The first of six unit motions moves it."""
        return np.eye(1, 6)

    def displaced(self, q: Array, centre: Array, shift: Array, turn: Array) -> Array:
        moved: Array = q + shift[0]
        return moved
