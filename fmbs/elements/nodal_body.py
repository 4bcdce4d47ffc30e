"""Bodies whose coordinates are points: the base of finite elements of your own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from fmbs.core.described import Described
from fmbs.core.equations import Equation
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import Triplets
from fmbs.core.rigid_motion import displaced_vectors, vector_rates
from fmbs.core.vectors import LINEAR, Vector

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class NodalBody(Described, ABC):
    """A body with q = [r_1, r_2, ...], points in space that are its nodes: a bar, a membrane, a solid. M is constant.

    A body point is r = sum_i w_i r_i with weights that add up to 1. A subclass gives `points`, `nodes`, `mass_blocks`, `shares`
    and `batch`, the kind of its elements: a class with `build(bodies, offsets)`, best a `CompiledElements`. Optional methods
    draw it, see `fmbs.core.optional`. As a dataclass it is stored as it is.
    """

    name: str
    batch: Any
    planar: Final = False
    mass_damping: Final = 0.0
    given: Final = (False, False)  # initial velocities are completed from the joints and drives

    @property
    @abstractmethod
    def points(self) -> Array:
        """Nodes at t = 0, m  # (nodes, 3)."""

    @property
    @abstractmethod
    def nodes(self) -> Integers:
        """Numbers of each element's nodes  # (elements, nodes of each)."""

    @abstractmethod
    def mass_blocks(self) -> ArrayLike:
        """int rho w_i w_j dV of an element, kg; one for all, or one of each  # (..., nodes of each, nodes of each)."""

    @abstractmethod
    def shares(self, marker: Marker) -> tuple[Sequence[int], Sequence[float]]:
        """Nodes that carry a marker, and their weights."""

    @property
    def size(self) -> int:
        return int(self.points.size)

    @property
    def first(self) -> Integers:
        """First local coordinate of each element's nodes  # (elements, nodes of each)."""
        return 3 * np.asarray(self.nodes)

    def initial_position(self) -> Array:
        return np.array(self.points, dtype=float).ravel()

    def initial_velocity(self) -> Array:
        return np.zeros(self.size)

    def is_length(self) -> NDArray[np.bool_]:
        return np.ones(self.size, dtype=bool)

    def rigid_rates(self, q: Array) -> Array:
        return vector_rates(q.reshape(-1, 3), np.ones(q.size // 3, bool)).reshape(-1, 6)

    def displaced(self, q: Array, centre: Array, shift: Array, turn: Array) -> Array:
        return displaced_vectors(q.reshape(-1, 3), np.ones(q.size // 3, bool), centre, shift, turn).ravel()

    def mass_matrix(self) -> Triplets:
        first = self.first
        shape = (*first.shape, first.shape[1], 3)  # elements, rows, columns, directions
        row = np.broadcast_to(first[:, :, None, None] + np.arange(3), shape)
        value = np.broadcast_to(np.asarray(self.mass_blocks(), dtype=float)[..., None], shape)
        return Triplets(row.ravel(), row.swapaxes(1, 2).ravel(), value.ravel())

    def weight(self, gravity: Array) -> Array:
        """M times gravity at every node, since weights add up to 1."""
        row, column, value = self.mass_matrix()
        mass = scipy.sparse.coo_array((value, (row, column)), shape=(self.size, self.size))
        force: Array = mass @ np.tile(gravity, self.size // 3)
        return force

    def equations(self) -> list[Equation]:
        return []

    def point(self, marker: Marker) -> Vector:
        nodes, weights = self.shares(marker)
        return Vector(self, LINEAR, tuple(map(float, weights)), tuple(3 * int(k) for k in nodes), is_point=True)

    def direction(self, marker: Marker, components: Array) -> Vector:
        raise ModelError(
            f"{self.name}: {type(self).__name__} has points and no directions at {marker}; use Spherical, PointOnLine, "
            "Distance or forces at points there."
        )
