"""Markers: where joints and forces take hold of bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.described import Described
from fmbs.core.vectors import Vector

if TYPE_CHECKING:
    from fmbs.core.protocols import Body

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Marker(Described):
    """A point of a body and the frame that was parallel to the global axes at t = 0.

    body: what it rides on
    position: global coordinates at t = 0, m  # (3,), z = 0 on planar bodies
    s: place along a beam, 0 at its start and 1 at its end
    on: the interface of a solid whose frame it has, by name
    axis: on a cable, its tangent at t = 0: the only direction that the body carries there; None: a full frame  # (3,)
    offset: of a beam, where in the cross-section, along its own y and z, m
    """

    body: Body
    position: Array
    s: float | None = None
    axis: Array | None = None
    on: str = ""
    offset: tuple[float, float] = (0.0, 0.0)

    @property
    def planar(self) -> bool:
        return self.body.planar

    @property
    def point(self) -> Vector:
        """The marker's position as a vector of the body."""
        return self.body.point(self)

    def direction(self, components: Array) -> Vector:
        """The body-fixed direction that had these global components at t = 0."""
        return self.body.direction(self, components)

    @property
    def frame(self) -> tuple[Vector, Vector, Vector]:
        """The three body-fixed directions that were the global axes at t = 0."""
        x, y, z = np.eye(3)
        return self.direction(x), self.direction(y), self.direction(z)

    def _short(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"Marker({self} m)" if self.s is None else f"Marker({self} m, s={self.s:g})"

    def __str__(self) -> str:
        if self.on:
            return f"{self.body.name}.interface({self.on!r})"
        place = ", ".join(f"{x:g}" for x in (self.position[:2] if self.planar else self.position))
        return f"{self.body.name}.at({place})"
