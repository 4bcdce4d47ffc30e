"""Pressure on a surface of a body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import asked, flag, number, shown
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import SurfaceBody
from fmbs.core.protocols import BatchEnergy, CompiledPart, Entries, Offsets
from fmbs.core.vectors import VectorPool
from fmbs.forces.pressure_kernels import PressureTable, pressure_force, pressure_pattern, pressure_slopes

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pressure(Described, units={"pressure": "Pa"}):
    """p on the outside of a set of faces: Q = -int p N_i n da with the normal n of the deformed surface.

    body: a Solid; surface: the name of one of its sets, of faces or of nodes
    pressure: Pa, or a function of t that returns it; below zero it pulls
    follower: turn and stretch with the surface; False: the force of the reference, int p N_i n_0 dA, whatever the body does
    """

    body: SurfaceBody
    surface: str
    pressure: float | Callable[[float], float]
    follower: bool = field(default=True, kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        name = self.name or "Pressure"
        if not isinstance(self.body, SurfaceBody):
            raise ModelError(f"{name}: body = {shown(self.body)} has no surfaces; give a fm.Solid.")
        flag(name, "follower", self.follower)
        self.at(0.0)
        _ = self.markers

    def at(self, t: float) -> float:
        """Pa."""
        name = self.name or "Pressure"
        return number(name, "pressure", asked(name, "pressure", self.pressure, t) if callable(self.pressure) else self.pressure)

    @property
    def batch(self) -> type[Pressures]:
        return Pressures

    @property
    def markers(self) -> tuple[Marker, ...]:
        return self.body.corners(self.surface)


class Pressures:
    """All pressures of a model."""

    is_load: ClassVar[bool] = True

    def __init__(self, parts: Sequence[Pressure], table: PressureTable, own: Sequence[slice]) -> None:
        """own: faces of each part."""
        self._parts, self._table, self._own = parts, table, own
        self._varying = [(part, faces) for part, faces in zip(parts, own, strict=True) if callable(part.pressure)]
        for part, faces in zip(parts, own, strict=True):
            table.pressure[faces] = part.at(0.0)
        size = np.zeros(1, np.int64)
        pressure_pattern(table, size, np.empty((2, 0), np.int64))
        self._entries = np.empty((2, size[0]), np.int64)
        pressure_pattern(table, size, self._entries)

    @classmethod
    def build(cls, parts: Sequence[Pressure], offsets: Offsets) -> Pressures:
        pool, patches, owner = VectorPool(), [], []
        for part in parts:
            own = part.body.patches(part.surface)
            patches += own
            owner += [part] * len(own)
        width = max(patch.faces.shape[1] for patch in patches)
        points = max(patch.weight.size for patch in patches)
        value, slope = np.zeros((len(patches), points, width)), np.zeros((len(patches), points, width, 2))
        weight, faces, kind = np.zeros((len(patches), points)), [], []
        for k, patch in enumerate(patches):
            p, n = patch.value.shape
            value[k, :p, :n], slope[k, :p, :n], weight[k, :p] = patch.value, patch.slope, patch.weight
            numbers = np.array([pool.number(vector) for vector in patch.vectors])
            faces.append(np.pad(numbers[patch.faces], ((0, 0), (0, width - n)), constant_values=-1))
            kind.append(np.full(len(patch.faces), k))
        vectors = pool.table(offsets)
        drawn = np.concatenate([patch.drawn for patch in patches])
        reference = np.zeros((vectors.kind.size, 3))
        reference[[pool.number(vector) for patch in patches for vector in patch.vectors]] = drawn
        follower = np.array([part.follower for part in owner], dtype=np.int64)
        every = np.concatenate(kind)
        table = PressureTable(
            vectors, np.concatenate(faces), every, value, slope, weight, np.zeros(every.size), follower[every],
            np.zeros((vectors.kind.size, 3)), reference,
        )  # fmt: skip
        ends = np.cumsum([0, *(sum(len(p.faces) for p, o in zip(patches, owner) if o is part) for part in parts)])
        return cls(parts, table, [slice(a, b) for a, b in pairwise(ends)])

    def _at(self, t: float) -> PressureTable:
        self._update(t)
        return self._table

    def _update(self, t: float) -> None:
        for part, faces in self._varying:
            self._table.pressure[faces] = part.at(t)

    def pattern(self) -> Entries:
        rows, cols = self._entries
        return Entries(np.concatenate([rows, cols]), np.concatenate([cols, rows]))  # patterns are symmetric

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        pressure_force(self._at(t), q, v, out)

    def tangent(self, t: float, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
        pressure_slopes(self._at(t), q, v, stiffness, damping, out)

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        force = np.zeros_like(q)
        self.residual(t, q, v, force)
        return BatchEnergy(0.0, 0.0, float(-force @ v))

    def compiled(self) -> CompiledPart:
        update = self._update if self._varying else None
        return CompiledPart(self._table, pressure_force, pressure_slopes, is_load=True, update=update)
