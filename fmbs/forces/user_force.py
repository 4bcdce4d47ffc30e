"""A user's own force element, written in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import positive
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import BatchEnergy, CompiledPart, Entries, Offsets, PythonFunction
from fmbs.core.state_coordinate import TINY, StateCoordinate
from fmbs.core.vectors import VectorPool, VectorTable
from fmbs.forces.load import check_marker
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.python_calls import PYTHON
from fmbs.jit.tables import table
from fmbs.math.vector_kernels import pull, vector_rates, vector_values
from fmbs.math.vector_table import columns, dof_of

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

STEP = 1e-6  # of a difference


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

    With `initial_states`, values z(0), it has states of its own: `force(t, *states, z)` gets them last, and
    `rates(t, *states, z)` returns z'. With `every`, s, `sample(t, *states, z)` returns new values of z at its multiples, from
    t = 0 on; without `rates` they are held between. `sol.states(force)` has z of every frame.
    """

    name: str = field(default="", kw_only=True)

    initial_states: ClassVar[Sequence[float]] = ()
    every: ClassVar[float | None] = None

    @property
    def markers(self) -> Sequence[Marker]:
        """The markers it acts on; by default every field that is one."""
        return [value for value in vars(self).values() if isinstance(value, Marker)]

    def force(self, t: float, *states: Any) -> Sequence[Any]:
        raise ModelError(f"{self.name or type(self).__name__}: write a method force(t, *states).")

    def rates(self, t: float, *states: Any) -> Sequence[float]:
        return [0.0] * len(self.own_states)

    def sample(self, t: float, *states: Any) -> Sequence[float]:
        raise ModelError(f"{self.name or type(self).__name__}: every = {self.every}; write a method sample(t, *states, z) too.")

    @cached_property
    def own_states(self) -> tuple[StateCoordinate, ...]:
        label = self.name or type(self).__name__
        try:
            values = [float(value) for value in self.initial_states]
        except (TypeError, ValueError):
            values = [np.nan]
        if not np.isfinite(values).all():
            raise ModelError(
                f"{label}: initial_states = {self.initial_states!r} are no finite numbers; give one for each state."
            )
        if self.every is not None:
            positive(label, "every", self.every)
        markers = self.markers
        place = float(markers[0].position[0]) if markers else 0.0
        return tuple(StateCoordinate(f"state {k} of {label}", x, place) for k, x in enumerate(values))

    def sampled(self, t: float, q: Array, v: Array, offsets: Offsets) -> Array:
        """The states after a sample."""
        table = _pool(self).table(offsets)
        places = [offsets[state] for state in self.own_states]
        new = np.array(self.sample(t, *marker_states(table, q, v)[0], v[places]), dtype=float).reshape(-1)
        if new.size != len(places):
            raise ModelError(
                f"{self.name or type(self).__name__}: sample() returned {new.size} numbers for {len(places)} states."
            )
        return new

    @property
    def batch(self) -> _Alone:
        return _Alone(self)


@dataclass(frozen=True)
class _Alone:
    """Every element is a batch of its own: nothing is known of what two of them have in common."""

    force: UserForce

    def build(self, parts: Sequence[UserForce], offsets: Offsets) -> UserForceBatch:
        table = _pool(self.force).table(offsets)
        if not self.force.own_states:
            return UserForceBatch(self.force, table)
        return StatefulForceBatch(self.force, table, np.array([offsets[x] for x in self.force.own_states], dtype=np.int64))


def _pool(force: UserForce) -> VectorPool:
    """Point and frame of every marker."""
    pool = VectorPool()
    for marker in force.markers:
        check_marker(force.name or type(force).__name__, "markers", marker)
        pool.vectors += [marker.point, *marker.frame]
    return pool


@table
class UserTable:
    """An element for the time loop: what Python sees, and its answer."""

    vectors: VectorTable
    dofs: Integers  # coordinates that the markers depend on
    python: Integers  # (1,) address of `UserForceBatch.answer`
    u: Array  # points and frames of the markers
    rate: Array  # of these
    omega: Array  # angular velocities
    wrenches: Array  # (markers, 2, 3) force and moment on each marker
    near: Array  # (2, n) q and v, a little aside
    forces: Array  # (2, n) generalized forces there


class UserForceBatch:
    """One element, called from Python. Tangents by central differences over the markers' coordinates."""

    is_load = False

    def __init__(self, part: UserForce, vectors: VectorTable) -> None:
        self.parts, self._vectors, self._t = [part], vectors, 0.0
        self._name, self._dofs = part.name or type(part).__name__, _coordinates(vectors)

    def pattern(self) -> Entries:
        return Entries(np.repeat(self._dofs, self._dofs.size), np.tile(self._dofs, self._dofs.size))

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        states, u = marker_states(self._vectors, q, v)
        wrenches = np.zeros((len(states), 2, 3))
        self._ask(t, states, list(wrenches))
        act(self._vectors, q, u, wrenches, out)

    def tangent(self, t: float, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
        block = out.reshape(self._dofs.size, -1)
        block[:] = 0.0
        for column, dof in enumerate(self._dofs):
            for scale, x in ((stiffness, q), (damping, v)):
                if scale:
                    block[:, column] += scale * self._difference(t, q, v, x, dof)[self._dofs]

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        force = np.zeros_like(q)
        self.residual(t, q, v, force)
        return BatchEnergy(0.0, 0.0, float(-force @ v))

    def compiled(self) -> CompiledPart:
        vectors, size, n = self._vectors, int(self._dofs.max(initial=0)) + 1, self._vectors.kind.size
        seen, wrenches = np.zeros((2 * n + n // 4, 3)), np.zeros((n // 4, 2, 3))
        near, forces = np.zeros((2, 2, size))
        part = UserTable(
            vectors, self._dofs, np.zeros(1, np.int64), seen[:n], seen[n : 2 * n], seen[2 * n :], wrenches, near, forces
        )
        each = list(wrenches)

        def answer(_: int) -> None:
            self._ask(self._t, _states(seen.copy(), n), each)

        function = PythonFunction(self._name, answer, part.python)
        return CompiledPart(part, user_force, user_tangent, update=self._at, power=user_power, python=function)

    def _at(self, t: float) -> None:
        self._t = t

    def _ask(self, t: float, states: list[MarkerState], wrenches: list[Array]) -> None:
        """Let the user's function write forces and moments, which are zero before."""
        put(self._name, self.parts[0].force(t, *states), wrenches)

    def _difference(self, t: float, q: Array, v: Array, x: Array, dof: int) -> Array:
        """df/dx[dof] by central differences; x is q or v itself, put back afterwards."""
        ends = np.zeros((2, q.size))
        kept, step = x[dof], STEP * max(1.0, abs(x[dof]))
        for end, sign in ((0, -1.0), (1, 1.0)):
            x[dof] = kept + sign * step
            self.residual(t, q, v, ends[end])
        x[dof] = kept
        with np.errstate(invalid="ignore"):  # infinite forces: the run stops on NaN by itself
            derivative: Array = (ends[1] - ends[0]) / (2.0 * step)
        return derivative


class StatefulForceBatch(UserForceBatch):
    """One element with states; everything is asked of Python."""

    def __init__(self, part: UserForce, vectors: VectorTable, places: Integers) -> None:
        """places: coordinates whose rates are the states."""
        super().__init__(part, vectors)
        self._places, self._dofs = places, np.concatenate([self._dofs, places])

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        states, u = marker_states(self._vectors, q, v)
        wrenches = np.zeros((len(states), 2, 3))
        part, z = self.parts[0], v[self._places]
        put(self._name, part.force(t, *states, z), list(wrenches))
        act(self._vectors, q, u, wrenches, out)
        rates = np.array(part.rates(t, *states, z), dtype=float).reshape(-1)
        if rates.size != z.size:
            raise ModelError(f"{self._name}: rates() returned {rates.size} numbers for {z.size} states; return one for each.")
        out[self._places] -= TINY * rates

    def compiled(self) -> None:  # type: ignore[override]
        return None


def marker_states(vectors: VectorTable, q: Array, v: Array) -> tuple[list[MarkerState], Array]:
    """States of markers whose point and frame follow each other in the table, and the values of all vectors."""
    n = vectors.kind.size
    seen = np.empty((2 * n + n // 4, 3))
    see(vectors, q, v, seen[:n], seen[n : 2 * n], seen[2 * n :])
    return _states(seen, n), seen[:n].copy()


def _states(seen: Array, n: int) -> list[MarkerState]:
    """seen: n vectors, four a marker, their rates, and angular velocities."""
    return [MarkerState(seen[i], seen[n + i], seen[i + 1 : i + 4].T, seen[2 * n + i // 4]) for i in range(0, n, 4)]


@kernel(plain=True)
def see(vectors: VectorTable, q: Array, v: Array, u: Array, rate: Array, omega: Array) -> None:
    """Vectors, their rates, and the angular velocities 1/2 sum d_k x d_k' of the frames."""
    vector_values(vectors, q, u)
    vector_rates(vectors, q, v, u, rate)
    for i in range(omega.shape[0]):
        for c in range(3):
            a, b = (c + 1) % 3, (c + 2) % 3
            omega[i, c] = 0.0
            for k in range(4 * i + 1, 4 * i + 4):
                omega[i, c] += 0.5 * (u[k, a] * rate[k, b] - u[k, b] * rate[k, a])


@kernel(plain=True)
def act(vectors: VectorTable, q: Array, u: Array, wrenches: Array, out: Array) -> None:
    """out -= generalized force of a force and a moment on each marker."""
    for i in range(wrenches.shape[0]):
        pull(vectors, 4 * i, q, u, -wrenches[i, 0, 0], -wrenches[i, 0, 1], -wrenches[i, 0, 2], out)
        mx, my, mz = wrenches[i, 1, 0], wrenches[i, 1, 1], wrenches[i, 1, 2]
        for k in range(4 * i + 1, 4 * i + 4):
            x, y, z = my * u[k, 2] - mz * u[k, 1], mz * u[k, 0] - mx * u[k, 2], mx * u[k, 1] - my * u[k, 0]
            pull(vectors, k, q, u, -0.5 * x, -0.5 * y, -0.5 * z, out)


@kernel(plain=True)
def user_force(part: UserTable, q: Array, v: Array, out: Array) -> None:
    """out += f(q, v)."""
    see(part.vectors, q, v, part.u, part.rate, part.omega)
    part.wrenches[:] = 0.0
    call(PYTHON, part.python[0], 0)
    act(part.vectors, q, part.u, part.wrenches, out)


@kernel(plain=True)
def user_power(part: UserTable, q: Array, v: Array, out: Array) -> None:
    """out[0] += power supplied."""
    force = part.forces[0]
    force[:] = 0.0
    user_force(part, q, v, force)
    for i in range(force.size):
        out[0] -= force[i] * v[i]


@kernel(plain=True)
def user_tangent(part: UserTable, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    """out = stiffness df/dq + damping df/dv by differences to one side, which are enough for Newton's method."""
    near, forces, n = part.near, part.forces, part.dofs.size
    out[:] = 0.0
    forces[:, :] = 0.0
    for i in range(near.shape[1]):
        near[0, i], near[1, i] = q[i], v[i]
    user_force(part, q, v, forces[0])
    for x in range(2):
        scale = stiffness if x == 0 else damping
        for j in range(n if scale != 0.0 else 0):
            kept = near[x, part.dofs[j]]
            step = STEP * max(1.0, abs(kept))
            forces[1, :] = 0.0
            near[x, part.dofs[j]] = kept + step
            user_force(part, near[0], near[1], forces[1])
            near[x, part.dofs[j]] = kept
            for i in range(n):
                out[i * n + j] += scale * (forces[1, part.dofs[i]] - forces[0, part.dofs[i]]) / step


def put(name: str, actions: Any, wrenches: list[Array]) -> None:
    """Forces and moments that a user's function returned, one a marker."""
    if not hasattr(actions, "__len__") or len(actions) != len(wrenches):
        raise ModelError(
            f"{name}: force() returned {actions!r} for {len(wrenches)} markers; "
            "return a list with one force, or (force, moment), for each marker."
        )
    for action, wrench in zip(actions, wrenches, strict=True):
        _put(name, action, wrench)


def _put(name: str, action: Any, wrench: Array) -> None:
    """A force, or a pair (force, moment); missing components stay zero, a single number is a moment about z."""
    if type(action) is np.ndarray and action.dtype == float and action.shape == (3,):  # by far the most frequent
        wrench[0] = action
        return
    try:
        pair = action if len(action) == 2 and np.ndim(action[0]) == 1 else (action, (0.0, 0.0, 0.0))
        force, moment = np.array(pair[0], dtype=float), np.array(pair[1], dtype=float)
        fits = force.shape in ((2,), (3,)) and moment.shape in ((), (1,), (3,))
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise ModelError(
            f"{name}: force() returned {action!r} for a marker; return a force of 2 or 3 "
            "components, or (force, moment) with a moment of 3 components or, in the plane, one."
        )
    wrench[0, : force.size] = force
    wrench[1, -moment.size :] = moment


def _coordinates(vectors: VectorTable) -> Integers:
    """Every coordinate that the vectors of a table depend on."""
    dofs = {dof_of(vectors, i, j) for i in range(vectors.kind.size) for j in range(columns(vectors, i))}
    return np.array(sorted(dofs), dtype=np.int64)
