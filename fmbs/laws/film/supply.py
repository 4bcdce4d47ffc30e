"""Where oil is fed into a bearing: places of given pressure."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import not_negative, number, positive
from fmbs.core.described import Described

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Groove(Described):
    """An axial groove: p = pressure on an arc.

    angle: of its middle, from the xi axis of the bearing, rad; pressure: above that at the ends, Pa
    width: along the circumference, m (0: a line of the grid); length: along the axis, m (None: the whole bearing)
    """

    angle: float
    pressure: float = field(default=0.0, kw_only=True)
    width: float = field(default=0.0, kw_only=True)
    length: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        number("Groove", "angle", self.angle)
        number("Groove", "pressure", self.pressure)
        not_negative("Groove", "width", self.width)
        if self.length is not None:
            positive("Groove", "length", self.length)

    def covers(self, theta: Array, zeta: Array, radius: float) -> Flags:
        """Which points of the grid theta (n, 1), zeta (1, k) lie in the opening; the nearest ones always do."""
        arc = radius * _turn(theta, self.angle)
        along = np.ones_like(zeta, bool) if self.length is None else np.abs(zeta) <= 0.5 * self.length * (1.0 + 1e-12)
        flags: Flags = ((arc <= 0.5 * self.width * (1.0 + 1e-12)) | (arc == arc.min())) & along
        return flags


@dataclass(frozen=True)
class Hole(Described):
    """A round hole: p = pressure inside.

    angle: of its middle, from the xi axis of the bearing, rad; diameter, zeta: size and place along the axis, m
    pressure: above that at the ends, Pa
    """

    angle: float
    diameter: float = field(kw_only=True)
    pressure: float = field(default=0.0, kw_only=True)
    zeta: float = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        number("Hole", "angle", self.angle)
        positive("Hole", "diameter", self.diameter)
        number("Hole", "pressure", self.pressure)
        number("Hole", "zeta", self.zeta)

    def covers(self, theta: Array, zeta: Array, radius: float) -> Flags:
        """As for a groove."""
        distance = np.hypot(radius * _turn(theta, self.angle), zeta - self.zeta)
        flags: Flags = (distance <= 0.5 * self.diameter * (1.0 + 1e-12)) | (distance == distance.min())
        return flags


def _turn(theta: Array, angle: float) -> Array:
    """|theta - angle| the short way round, rounded so that two neighbours at the same distance both count as nearest."""
    turn: Array = np.round(np.abs((theta - angle + np.pi) % (2.0 * np.pi) - np.pi), 12)
    return turn
