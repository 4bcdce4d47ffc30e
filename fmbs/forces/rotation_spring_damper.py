"""Spring and damper about an axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import not_negative, number, unit
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.own_coordinate import OwnCoordinate, counted_angle
from fmbs.core.protocols import BatchEnergy, CompiledPart, Entries, Offsets
from fmbs.forces.load import check_marker
from fmbs.jit.compiled import kernel
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

Z = np.array([0.0, 0.0, 1.0])


@table
class AngleSprings:
    """Springs on coordinates x: stiffness, free value, damping  # (n, 3)."""

    coordinate: Integers
    values: Array


@kernel(plain=True)
def _force(springs: AngleSprings, q: Array, v: Array, out: Array) -> None:
    """out += k (x - x_0) + c x'."""
    for i in range(springs.coordinate.size):
        x, values = springs.coordinate[i], springs.values[i]
        out[x] += values[0] * (q[x] - values[1]) + values[2] * v[x]


@kernel(plain=True)
def _slopes(springs: AngleSprings, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    for i in range(springs.coordinate.size):
        out[i] = stiffness * springs.values[i, 0] + damping * springs.values[i, 2]


class RotationSpringDampers:
    """Batch of rotational spring-dampers."""

    is_load = False

    def __init__(self, springs: AngleSprings) -> None:
        self._springs = springs

    @classmethod
    def build(cls, parts: Sequence[RotationSpringDamper], offsets: Offsets) -> Self:
        coordinate = np.array([offsets[part.own_coordinates[0]] for part in parts], np.int64)
        return cls(AngleSprings(coordinate, np.array([part.parameters for part in parts], float)))

    def pattern(self) -> Entries:
        return Entries(self._springs.coordinate, self._springs.coordinate)

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        _force(self._springs, q, v, out)

    def tangent(self, t: float, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
        _slopes(self._springs, q, v, stiffness, damping, out)

    def compiled(self) -> CompiledPart:
        return CompiledPart(self._springs, _force, _slopes, damped=True)

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        x, (k, free, c) = self._springs.coordinate, self._springs.values.T
        return BatchEnergy(float((0.5 * k * (q[x] - free) ** 2).sum()), float((c * v[x] ** 2).sum()), 0.0)


@dataclass(frozen=True, eq=False)
class RotationSpringDamper(Described, units={"stiffness": "N m/rad", "damping": "N m s/rad"}):
    """Linear spring and damper about an axis: M = k (phi - phi_0) + c phi' turns b back.

    phi is the angle by which b has turned about the axis of a since t = 0, counted over any number of turns as a coordinate of
    its own (`sol.coordinate(spring)`); `sol.reaction(spring)` has the moment. The bodies are usually hinged about that axis:
    where b tilts, phi is the twist of its rotation.

    axis: global direction at t = 0; planar bodies need none
    stiffness: k, N m/rad
    angle: free angle phi_0, rad
    damping: c, N m s/rad
    """

    a: Marker
    b: Marker
    stiffness: float = field(kw_only=True)
    axis: ArrayLike = field(default=(0.0, 0.0, 1.0), kw_only=True)
    angle: float = field(default=0.0, kw_only=True)
    damping: float = field(default=0.0, kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        name = self.name or "RotationSpringDamper"
        for argument, marker in (("a", self.a), ("b", self.b)):
            check_marker(name, argument, marker)
        if self.a.body is self.b.body:
            raise ModelError(f"{name}: a and b are both on {self.a.body.name!r}; a spring connects two bodies.")
        flat = {marker.planar for marker in (self.a, self.b) if marker.body.size}
        if len(flat) == 2:
            raise ModelError(f"{name}: {self.a} and {self.b} mix a planar and a spatial body; use one kind.")
        n = unit(name, "axis", self.axis)
        if flat == {True} and abs(abs(n[2]) - 1.0) > 1e-9:
            raise ModelError(f"{name}: axis = {self.axis!r} does not fit planar bodies; leave it out, or give (0, 0, -1).")
        not_negative(name, "stiffness", self.stiffness)
        number(name, "angle", self.angle)
        not_negative(name, "damping", self.damping)
        self.own_coordinates[0].equations()  # a cable has no frame and says so

    @cached_property
    def own_coordinates(self) -> tuple[OwnCoordinate]:
        axis = unit("axis", "axis", self.axis)
        return (counted_angle(self.name or "RotationSpringDamper", self.a, self.b, axis, holds=True),)

    @property
    def parameters(self) -> tuple[float, float, float]:
        """Stiffness, free angle, damping."""
        return self.stiffness, self.angle, self.damping

    @property
    def batch(self) -> type[RotationSpringDampers]:
        return RotationSpringDampers

    @property
    def markers(self) -> tuple[Marker, Marker]:
        return self.a, self.b
