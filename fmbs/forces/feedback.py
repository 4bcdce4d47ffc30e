"""A linear controller that turns a body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import asked, choice, number, positive, unit
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.own_coordinate import OwnCoordinate, counted_angle
from fmbs.core.protocols import BatchEnergy, Body, CompiledPart, Entries, Offsets
from fmbs.core.state_coordinate import TINY, StateCoordinate
from fmbs.forces.load import check_marker
from fmbs.forces.transfer import StateSpaceForm, state_space
from fmbs.jit.compiled import kernel
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@table
class Loop:
    """A controller for the time loop."""

    places: Integers  # coordinate of the angle, then those of the states
    speed: bool  # is the speed measured?
    held: bool  # is the last state the output?
    A: Array
    B: Array
    C: Array
    D: Array  # (1,)
    target: Array  # (1,) now


@kernel(plain=True, part=True)
def output(loop: Loop, q: Array, v: Array) -> float:
    """u, the moment on b."""
    x, n = loop.places[0], loop.B.size
    if loop.held:
        return float(v[loop.places[n + 1]])
    u: float = loop.D[0] * (loop.target[0] - (v[x] if loop.speed else q[x]))
    for i in range(n):
        u += loop.C[i] * v[loop.places[i + 1]]
    return u


@kernel(plain=True)
def feedback_force(loop: Loop, q: Array, v: Array, out: Array) -> None:
    """out += f: -u on the angle, -TINY z' on the states."""
    x, n = loop.places[0], loop.B.size
    out[x] -= output(loop, q, v)
    if not loop.held:
        e = loop.target[0] - (v[x] if loop.speed else q[x])
        for i in range(n):
            rate = loop.B[i] * e
            for j in range(n):
                rate += loop.A[i, j] * v[loop.places[j + 1]]
            out[loop.places[i + 1]] -= TINY * rate


@kernel(plain=True)
def feedback_slopes(loop: Loop, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    size, n = loop.places.size, loop.B.size
    out[:] = 0.0
    if loop.held:
        out[n + 1] = -damping
        return
    measured = damping if loop.speed else stiffness
    out[0] = measured * loop.D[0]
    for i in range(n):
        out[i + 1] = -damping * loop.C[i]
        out[(i + 1) * size] = measured * TINY * loop.B[i]
        for j in range(n):
            out[(i + 1) * size + j + 1] = -damping * TINY * loop.A[i, j]


@kernel(plain=True)
def feedback_power(loop: Loop, q: Array, v: Array, out: Array) -> None:
    out[0] += output(loop, q, v) * v[loop.places[0]]


@dataclass(frozen=True)
class _OwnBatch:
    """Every controller is a batch of its own: they have matrices of many sizes."""

    part: Feedback

    def build(self, parts: Sequence[Feedback], offsets: Offsets) -> FeedbackBatch:
        return FeedbackBatch(self.part, self.part.places(offsets))


class FeedbackBatch:
    """One controller."""

    is_load = False

    def __init__(self, part: Feedback, places: Integers) -> None:
        form, self.parts = part.form, [part]
        D, target = np.array([form.D]), np.zeros(1)
        self._loop = Loop(places, part.measure == "speed", form.dt > 0.0, form.A, form.B, form.C, D, target)
        self._update(0.0)

    def _update(self, t: float) -> None:
        self._loop.target[0] = self.parts[0].target_at(t)

    def pattern(self) -> Entries:
        places = self._loop.places
        return Entries(np.repeat(places, places.size), np.tile(places, places.size))

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        self._update(t)
        feedback_force(self._loop, q, v, out)

    def tangent(self, t: float, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
        self._update(t)
        feedback_slopes(self._loop, q, v, stiffness, damping, out)

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        self._update(t)
        power = np.zeros(2)
        feedback_power(self._loop, q, v, power)
        return BatchEnergy(0.0, 0.0, float(power[0]))

    def compiled(self) -> CompiledPart:
        update = self._update if callable(self.parts[0].target) else None
        loop = self._loop
        return CompiledPart(loop, feedback_force, feedback_slopes, update=update, power=feedback_power)


@dataclass(frozen=True, eq=False)
class Feedback(Described):
    """A motor with a controller: the moment u = G (target - y) on b about an axis of a, and -u on a.

    y is the angle by which b has turned since t = 0, counted over any number of turns (`sol.coordinate(feedback)`), or its
    speed. States of the controller are integrated with the model to the order of its method: `sol.states(feedback)`.

    controller: G as (numerator, denominator) in powers of s, as (A, B, C, D), or a TransferFunction or StateSpace of
                scipy.signal or python-control; a discrete one samples y every dt and holds u between
    target: rad, or rad/s with measure="speed"; or a function of t
    axis: global direction at t = 0; planar bodies need none
    """

    a: Marker
    b: Marker
    controller: Any = field(kw_only=True)
    target: float | Callable[[float], float] = field(default=0.0, kw_only=True)
    measure: str = field(default="angle", kw_only=True)
    axis: ArrayLike = field(default=(0.0, 0.0, 1.0), kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        for argument, marker in (("a", self.a), ("b", self.b)):
            check_marker(self._label, argument, marker)
        if self.a.body is self.b.body:
            raise ModelError(f"{self._label}: a and b are both on {self.a.body.name!r}; a motor is between two bodies.")
        choice(self._label, "measure", self.measure, ("angle", "speed"))
        n = unit(self._label, "axis", self.axis)
        if (self.a.planar or self.b.planar) and abs(abs(n[2]) - 1.0) > 1e-9:
            raise ModelError(
                f"{self._label}: axis = {self.axis!r} does not fit planar bodies; leave it out, or give (0, 0, -1)."
            )
        form = state_space(self._label, self.controller)
        if form.dt:
            positive(self._label, "dt", form.dt)
        object.__setattr__(self, "controller", form.numbers)  # as it is stored
        self.target_at(0.0)
        self.own_coordinates[0].equations()  # a cable has no frame and says so

    @property
    def _label(self) -> str:
        return self.name or "Feedback"

    @property
    def form(self) -> StateSpaceForm:
        """The controller's matrices."""
        return state_space(self._label, self.controller)

    @property
    def every(self) -> float | None:
        """Period of a discrete controller, s."""
        return self.form.dt or None

    def target_at(self, t: float) -> float:
        value = asked(self._label, "target", self.target, t) if callable(self.target) else self.target
        return number(self._label, "target", value)

    @cached_property
    def own_coordinates(self) -> tuple[OwnCoordinate]:
        return (counted_angle(self._label, self.a, self.b, unit("axis", "axis", self.axis), holds=True),)

    @cached_property
    def own_states(self) -> tuple[StateCoordinate, ...]:
        """Those of the controller, and the output that a discrete one holds."""
        count, place = self.form.B.size + (self.form.dt > 0.0), float(self.a.position[0])
        return tuple(StateCoordinate(f"state {k} of {self._label}", 0.0, place) for k in range(count))

    def places(self, offsets: Offsets) -> Integers:
        """Coordinates of the angle and of the states."""
        found: list[Body] = [*self.own_coordinates, *self.own_states]
        return np.array([offsets[x] for x in found], dtype=np.int64)

    def sampled(self, t: float, q: Array, v: Array, offsets: Offsets) -> Array:
        """u_k = C z_k + D e_k and z_k+1 = A z_k + B e_k."""
        form, places = self.form, self.places(offsets)
        x, z = places[0], v[places[1:-1]]
        e = self.target_at(t) - (v[x] if self.measure == "speed" else q[x])
        return np.append(form.A @ z + form.B * e, form.C @ z + form.D * e)

    @property
    def batch(self) -> _OwnBatch:
        return _OwnBatch(self)

    @property
    def markers(self) -> tuple[Marker, Marker]:
        return self.a, self.b
