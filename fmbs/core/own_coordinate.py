"""Coordinates of joints and forces: unknowns beside those of bodies, such as an angle that counts turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.dofmap import DofMap
from fmbs.core.equations import Equation, turn_by
from fmbs.core.lone_coordinate import LoneCoordinate
from fmbs.core.marker import Marker
from fmbs.core.protocols import Triplets
from fmbs.core.state_coordinate import states_of
from fmbs.core.vectors import Vector, VectorPool
from fmbs.math.rotations import perpendicular
from fmbs.math.vector_kernels import vector_values

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OwnCoordinate(LoneCoordinate):
    """One coordinate without inertia, in the place of a body: equations tie it to bodies, and it moves as they make it.

    start: at t = 0; length: is it in metres?
    made: gives equations that hold it, where its part does not
    found: its vectors (x_b, y_b, x_a, y_a), if it is the angle between these pairs
    """

    name: str
    start: float = 0.0
    length: bool = False
    planar: bool = False
    made: Callable[[OwnCoordinate], list[Equation]] | None = None
    found: tuple[Vector, Vector, Vector, Vector] | None = None

    given = (False, False)

    def initial_position(self) -> Array:
        return np.array([self.start])

    def initial_velocity(self) -> Array:
        return np.zeros(1)

    def is_length(self) -> NDArray[np.bool_]:
        return np.array([self.length])

    def mass_matrix(self) -> Triplets:
        none = np.zeros(0, np.int64)
        return Triplets(none, none, np.zeros(0))

    def equations(self) -> list[Equation]:
        return self.made(self) if self.made else []


@runtime_checkable
class CoordinateOwner(Protocol):
    """A joint or force with coordinates of its own."""

    @property
    def own_coordinates(self) -> tuple[OwnCoordinate, ...]: ...  # the same objects whenever it is asked


def own_coordinates(parts: Iterable[Any]) -> list[Any]:
    """Of all parts, in their order: coordinates without inertia, then states."""
    known = list(parts)
    return [*(x for part in known if isinstance(part, CoordinateOwner) for x in part.own_coordinates), *states_of(known)]


def found_coordinates(dofs: DofMap, q: Array) -> Array:
    """q with angles as bodies have them, on the turn that they were on."""
    q = q.copy()
    for own in dofs.bodies:
        if isinstance(own, OwnCoordinate) and own.found:
            pool = VectorPool([*own.found])
            u = np.empty((4, 3))
            vector_values(pool.table(dofs), q, u)
            x_b, y_b, x_a, y_a = u
            angle = np.arctan2(x_b @ y_a - y_b @ x_a, x_b @ x_a + y_b @ y_a)
            place = dofs[own]
            q[place] = angle + 2.0 * np.pi * np.round((q[place] - angle) / (2.0 * np.pi))
    return q


def counted_angle(what: str, a: Marker, b: Marker, axis: ArrayLike, holds: bool = False) -> OwnCoordinate:
    """The angle by which b has turned about an axis of a, counted over full turns, 0 at t = 0.

    what: the part that asks, and where there are several angles, which; holds: does it give its equation itself?
    """
    u, w = perpendicular(np.asarray(axis))
    seen = (b.direction(u), b.direction(w), a.direction(u), a.direction(w))
    made = (lambda own: [angle_equation(own)]) if holds else None
    return OwnCoordinate(f"angle of {what} at {b}", planar=a.planar or b.planar, made=made, found=seen)


def angle_equation(own: OwnCoordinate) -> Equation:
    """sin(psi - x) = 0; the multiplier is minus the moment on b."""
    assert own.found is not None
    x_b, y_b, x_a, y_a = own.found
    return turn_by("angle", (x_b, y_b), (x_a, y_a), own)
