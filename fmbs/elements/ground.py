"""The ground: a body that does not move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import vector
from fmbs.core.described import Described
from fmbs.core.equations import Equation
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import Triplets
from fmbs.core.vectors import FIXED, Vector

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ground(Described):
    """The inertial frame. `ground.at(x, y, z)`, or `ground.at(x, y)` in the plane z = 0."""

    name: str = "ground"
    planar: bool = False  # a joint asks its other body
    size: int = 0
    batch: None = None
    mass_damping: float = 0.0

    def at(self, *position: float) -> Marker:
        """The marker at these global coordinates, m."""
        if len(position) not in (2, 3):
            raise ModelError(f"ground: at{position} has {len(position)} coordinates; give x, y or x, y, z.")
        return Marker(self, np.append(vector("ground", "at", position, len(position)), np.zeros(3 - len(position))))

    def initial_position(self) -> Array:
        return np.empty(0)

    def initial_velocity(self) -> Array:
        return np.empty(0)

    def is_length(self) -> NDArray[np.bool_]:
        return np.empty(0, dtype=bool)

    def mass_matrix(self) -> Triplets:
        return Triplets(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))

    def weight(self, gravity: Array) -> Array:
        return np.empty(0)

    def equations(self) -> list[Equation]:
        return []

    def point(self, marker: Marker) -> Vector:
        return Vector(self, FIXED, tuple(marker.position.tolist()), is_point=True)

    def direction(self, marker: Marker, components: Array) -> Vector:
        return Vector(self, FIXED, tuple(components.tolist()))
