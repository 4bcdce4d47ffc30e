"""What loads share: constants or functions of time, checked once, and their batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array, asked, number, shown, vector
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import BatchEnergy
from fmbs.core.vectors import VectorTable
from fmbs.forces.acting import ActingBatch

Array = NDArray[np.float64]
Load = ArrayLike | Callable[[float], ArrayLike]
Read = Callable[[str, ArrayLike, bool], Array]  # part, value, on a planar body? -> checked components


def check_marker(part: str, argument: str, marker: object) -> None:
    """Forces act on markers."""
    if not isinstance(marker, Marker):
        raise ModelError(
            f"{part}: {argument} = {shown(marker)} is not a marker; give body.at(...), body.com or m.ground.at(...)."
        )


def check_load(part: str, read: Read, load: Load, planar: bool) -> None:
    """A load is a vector at t = 0."""
    read(part, asked(part, "load", load, 0.0) if callable(load) else load, planar)


class Placed(Protocol):
    """A force at one or more places."""

    @property
    def name(self) -> str: ...
    @property
    def force(self) -> Load: ...
    @property
    def places(self) -> list[tuple[Marker, float]]: ...  # markers and weights


class Loads:
    """Vectors of many loads at time t, those that are constant evaluated once.

    values: (n, 3), as `update` has left them
    """

    def __init__(self, read: Read, loads: list[tuple[str, Load, bool]], weights: Array) -> None:
        """read: force or moment; loads: (part, load, on a planar body?); weights: one each  # (n, 1)."""
        self._read, self.values = read, np.zeros((len(loads), 3))
        self._varying: list[tuple[str, Callable[[float], ArrayLike], bool, Array, Array]] = []
        for _, group in groupby(range(len(loads)), lambda i: (loads[i][0], id(loads[i][1]), loads[i][2])):
            rows = list(group)  # of one function: a load along a beam is asked once, not at every point
            part, load, planar = loads[rows[0]]
            weight, out = (x[rows[0] : rows[-1] + 1] for x in (weights, self.values))
            if callable(load):
                self._varying.append((part, load, planar, weight, out))
            else:
                out[:] = weight * read(part, load, planar)

    @classmethod
    def of(cls, parts: Sequence[Placed]) -> Loads:
        """The forces of parts that act at one or more places, each with a weight."""
        forces = [(part.name or type(part).__name__, part.force, m.planar) for part in parts for m, _ in part.places]
        return cls(force_components, forces, np.array([[weight] for part in parts for _, weight in part.places]))

    @property
    def varying(self) -> bool:
        return bool(self._varying)

    def update(self, t: float) -> None:
        for part, load, planar, weight, out in self._varying:
            np.multiply(weight, self._read(part, load(t), planar), out=out)


class LoadBatch(ActingBatch):
    """Batch of loads on vectors of bodies."""

    is_load = True

    def __init__(self, vectors: VectorTable, loads: Loads) -> None:
        super().__init__(vectors, loads.values, loads.update if loads.varying else None)

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        force = np.zeros_like(q)
        self.residual(t, q, v, force)
        return BatchEnergy(0.0, 0.0, float(-force @ v))


@dataclass(frozen=True, eq=False)
class ForceAtMarker(Described):
    """A force that acts at one marker.

    force: N, three components (two in the plane), or a function of t that returns them
    """

    marker: Marker
    force: Load
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        name = self.name or type(self).__name__
        check_marker(name, "marker", self.marker)
        check_load(name, force_components, self.force, self.marker.planar)

    @property
    def markers(self) -> tuple[Marker]:
        return (self.marker,)

    @property
    def places(self) -> list[tuple[Marker, float]]:
        return [(self.marker, 1.0)]


def force_components(part: str, value: ArrayLike, planar: bool) -> Array:
    """Three components; two are enough in the plane. Checked for NaN at every call."""
    if not planar or array(part, "force", value, "give 2 or 3 numbers").shape != (2,):
        return vector(part, "force", value)
    components = np.zeros(3)
    components[:2] = vector(part, "force", value, 2)
    return components


def moment_components(part: str, value: ArrayLike, planar: bool) -> Array:
    """Three components; a number about z is enough in the plane."""
    if planar and array(part, "moment", value, "give a number about z").ndim == 0:
        return np.array([0.0, 0.0, number(part, "moment", value)])
    return vector(part, "moment", value)
