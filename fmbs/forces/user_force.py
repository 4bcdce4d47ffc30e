"""A user's own force element, written in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import BatchEnergy, Entries, Offsets
from fmbs.core.vectors import VectorPool, VectorTable
from fmbs.forces.load import check_marker
from fmbs.jit.compiled import kernel
from fmbs.math.vector_kernels import pull, vector_rates, vector_values
from fmbs.math.vector_table import columns, dof_of

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class MarkerState(NamedTuple):
    """What a force element sees of a marker, in global axes and always with three components."""

    r: Array  # position, m
    v: Array  # velocity, m/s
    frame: Array  # (3, 3) columns: the marker's axes, the identity at t = 0
    omega: Array  # angular velocity, rad/s


@dataclass(frozen=True, eq=False)
class UserForce(Described):
    """Base of your own force elements: give `markers` and `force`; fmbs differentiates it numerically.

    `force(t, *states)` returns one entry a marker: a force, or a pair (force, moment), acting on that marker's body.
    """

    name: str = field(default="", kw_only=True)

    @property
    def markers(self) -> Sequence[Marker]:
        """The markers it acts on; by default every field that is one."""
        return [value for value in vars(self).values() if isinstance(value, Marker)]

    def force(self, t: float, *states: MarkerState) -> Sequence[Any]:
        raise ModelError(f"{self.name or type(self).__name__}: write a method force(t, *states).")

    @property
    def batch(self) -> type[UserForces]:
        return UserForces


class UserForces:
    """Every element is called from Python. Tangents by central differences over the markers' coordinates."""

    is_load = False

    def __init__(self, parts: Sequence[UserForce], tables: list[VectorTable]) -> None:
        self.parts, self._tables = parts, tables
        self._dofs = [_coordinates(table) for table in tables]

    @classmethod
    def build(cls, parts: Sequence[UserForce], offsets: Offsets) -> Self:
        tables = []
        for part in parts:
            pool = VectorPool()
            for marker in part.markers:
                check_marker(part.name or type(part).__name__, "markers", marker)
                pool.vectors += [marker.point, *marker.frame]
            tables.append(pool.table(offsets))
        return cls(parts, tables)

    def pattern(self) -> Entries:
        rows = [np.repeat(dofs, dofs.size) for dofs in self._dofs]
        cols = [np.tile(dofs, dofs.size) for dofs in self._dofs]
        return Entries(np.concatenate([*rows, np.empty(0, np.int64)]), np.concatenate([*cols, np.empty(0, np.int64)]))

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        for part, table in zip(self.parts, self._tables, strict=True):
            _add_force(part, table, t, q, v, out)

    def tangent(self, t: float, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
        p = 0
        for part, table, dofs in zip(self.parts, self._tables, self._dofs, strict=True):
            block = np.zeros((dofs.size, dofs.size))
            for column, dof in enumerate(dofs):
                for scale, x in ((stiffness, q), (damping, v)):
                    if scale:
                        block[:, column] += scale * _difference(part, table, t, q, v, x, dof)[dofs]
            out[p : p + block.size] = block.ravel()
            p += block.size

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        force = np.zeros_like(q)
        self.residual(t, q, v, force)
        return BatchEnergy(0.0, 0.0, float(-force @ v))


def marker_states(table: VectorTable, q: Array, v: Array) -> tuple[list[MarkerState], Array]:
    """States of markers whose point and frame follow each other in the table, and the values of all vectors."""
    u, rate = np.empty((2, table.kind.size, 3))
    omega = np.zeros((table.kind.size // 4, 3))
    _see(table, q, v, u, rate, omega)
    return [MarkerState(u[i], rate[i], u[i + 1 : i + 4].T, omega[i // 4]) for i in range(0, u.shape[0], 4)], u.copy()


@kernel
def _see(table: VectorTable, q: Array, v: Array, u: Array, rate: Array, omega: Array) -> None:
    """Vectors, their rates, and the angular velocities 1/2 sum d_k x d_k' of the frames."""
    vector_values(table, q, u)
    vector_rates(table, q, v, u, rate)
    for i in range(omega.shape[0]):
        for k in range(4 * i + 1, 4 * i + 4):
            for c in range(3):
                a, b = (c + 1) % 3, (c + 2) % 3
                omega[i, c] += 0.5 * (u[k, a] * rate[k, b] - u[k, b] * rate[k, a])


@kernel
def _act(table: VectorTable, i: int, q: Array, u: Array, force: Array, moment: Array, out: Array) -> None:
    """out -= generalized force of a force and a moment on marker i."""
    pull(table, 4 * i, q, u, -force[0], -force[1], -force[2], out)
    for k in range(4 * i + 1, 4 * i + 4):
        x = -0.5 * (moment[1] * u[k, 2] - moment[2] * u[k, 1])
        y = -0.5 * (moment[2] * u[k, 0] - moment[0] * u[k, 2])
        z = -0.5 * (moment[0] * u[k, 1] - moment[1] * u[k, 0])
        pull(table, k, q, u, x, y, z, out)


def _add_force(part: UserForce, table: VectorTable, t: float, q: Array, v: Array, out: Array) -> None:
    """out -= generalized force."""
    states, u = marker_states(table, q, v)
    actions = part.force(t, *states)
    if not hasattr(actions, "__len__") or len(actions) != len(states):
        raise ModelError(
            f"{part.name or type(part).__name__}: force() returned {actions!r} for {len(states)} markers; "
            "return a list with one force, or (force, moment), for each marker."
        )
    for i, action in enumerate(actions):
        force, moment = _wrench(part, action)
        _act(table, i, q, u, force, moment, out)


def _wrench(part: UserForce, action: Any) -> tuple[Array, Array]:
    """A force, or a pair (force, moment), with missing components filled in: a single number is a moment about z."""
    try:
        pair = action if len(action) == 2 and np.ndim(action[0]) == 1 else (action, (0.0, 0.0, 0.0))
        given_force, given_moment = np.array(pair[0], dtype=float), np.array(pair[1], dtype=float)
        fits = given_force.shape in ((2,), (3,)) and given_moment.shape in ((), (1,), (3,))
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise ModelError(
            f"{part.name or type(part).__name__}: force() returned {action!r} for a marker; return a force of 2 or 3 "
            "components, or (force, moment) with a moment of 3 components or, in the plane, one."
        )
    force, moment = np.zeros(3), np.zeros(3)
    force[: given_force.size] = given_force
    moment[-given_moment.size :] = given_moment
    return force, moment


def _difference(part: UserForce, table: VectorTable, t: float, q: Array, v: Array, x: Array, dof: int) -> Array:
    """df/dx[dof] by central differences; x is q or v itself, put back afterwards."""
    ends = np.zeros((2, q.size))
    kept, step = x[dof], 1e-6 * max(1.0, abs(x[dof]))
    for end, sign in ((0, -1.0), (1, 1.0)):
        x[dof] = kept + sign * step
        _add_force(part, table, t, q, v, ends[end])
    x[dof] = kept
    with np.errstate(invalid="ignore"):  # infinite forces: the run stops on NaN by itself
        derivative: Array = (ends[1] - ends[0]) / (2.0 * step)
    return derivative


def _coordinates(table: VectorTable) -> Integers:
    """Every coordinate that the vectors of a table depend on."""
    dofs = {dof_of(table, i, j) for i in range(table.kind.size) for j in range(columns(table, i))}
    return np.array(sorted(dofs), dtype=np.int64)
