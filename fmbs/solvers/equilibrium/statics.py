"""The static equations, and when they are solved.

f(q) + Phi_q^T lam = 0,   Phi(q) = 0      at rest and at t = 0, with gravity and applied loads times a load factor
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.assembly.system import Coefficients, System
from fmbs.core.defaults import EQUILIBRIUM_ITERATIONS, EQUILIBRIUM_TOLERANCE
from fmbs.core.state import Counters, State
from fmbs.solvers.linear import Factor, LinearSolveError, LinearSolver
from fmbs.solvers.linear.base import InertialFactor
from fmbs.solvers.start import largest

Array = NDArray[np.float64]

FORCE = 1e-8  # force out of balance relative to the largest force of the model
ROUND_OFF = 1e-13  # of the forces that the stiffness times the model's size would make: some hundred units in the last place
SAME = 1e-9  # model sizes: a matrix factorised so near tells where a path leads
CLOSED = 1e-10  # |Phi|, relative to the model's size


class Point(NamedTuple):
    """An equilibrium under a share of the loads, or a guess of one."""

    load: float
    q: Array
    lam: Array


@dataclass(frozen=True)
class Settings:
    """tolerance: of the last increment, relative to the model's size; max_iterations: of Newton's method in a load step."""

    tolerance: float = EQUILIBRIUM_TOLERANCE
    max_iterations: int = EQUILIBRIUM_ITERATIONS
    tangent: str = "exact"


class Statics:
    """Residual, matrix and stopping test of a model's static equations."""

    def __init__(self, system: System, linear: LinearSolver, settings: Settings, counters: Counters, q: Array) -> None:
        """q: where contacts are closed, so that they push wherever surfaces meet later on."""
        self.system, self.settings, self.counters = system, settings, counters
        self.searched: Point | None = None  # where a search for rest has come to
        self._factor: Factor | None = None  # the last one, of the matrix at the point `_factored`
        self._factored: Point | None = None
        self._linear, self._still, contacts = linear, np.zeros(system.size), system.contacts
        free = contacts.free(contacts.initial_history())
        self._closed = contacts.touch(contacts.initial_history(), np.ones_like(free), np.zeros(free.size))
        contacts.begin(0.0, q, self._still, self._closed)

    def state(self, point: Point) -> State:
        """At rest, with contacts that are open set free."""
        self.system.contacts.begin(0.0, point.q, self._still, self._closed)
        history = self.system.contacts.end(0.0, point.q, self._still)
        return State(0.0, point.q, self._still, self._still, point.lam, self._still, history=history)

    def residual(self, point: Point) -> Array:  # (n + m,)
        return np.concatenate(self.system.balance(0.0, point.q, self._still, point.lam, point.load))

    def rate(self, point: Point) -> Array:  # (n + m,)
        """Derivative of the residual with respect to the load factor."""
        return np.concatenate([self.system.applied(0.0, point.q), np.zeros(self.system.multipliers)])

    def factorize(self, point: Point, mass: float = 0.0) -> Factor:
        """[K + mass M, Phi_q^T; Phi_q, 0]; raises LinearSolveError where it is singular."""
        self.counters.iterations += 1
        self.counters.factorizations += 1
        self._factor = self._factored = None  # its memory is used again
        factor = self._linear.factorize(self.tangent(point, mass))
        if not mass:
            self._factor, self._factored = factor, point
        return factor

    def response(self, point: Point) -> Array:  # (n + m,)
        """How an equilibrium moves with the load factor: d(q, lam)/dload."""
        factor, at = self._factor, self._factored
        if factor is None or at is None or at.load != point.load or self.size(point.q - at.q) > SAME:
            factor = self.factorize(point)
        return factor.solve(-self.rate(point))

    @property
    def unstable(self) -> int | None:
        """Negative eigenvalues of the last matrix for motions that the constraints allow; None where they are not known.

        Each equation adds a negative one to those of K.
        """
        negative = self._factor.negative if isinstance(self._factor, InertialFactor) else None
        return None if negative is None else negative - self.system.multipliers

    def culprit(self, start: Point, end: Point | None) -> str:
        """The body that gives way at the end of a path, or, where there is no path, strayed farthest on the search for rest."""
        if end is None:
            way = np.zeros(0) if self.searched is None else self.searched.q - start.q
        else:
            try:
                way = self.response(end)[: self.system.size]
            except LinearSolveError:
                way = end.q - start.q
        return largest(self.system, way / self.system.scale[: way.size])[1]

    def size(self, change: Array) -> float:
        """Of a change of (q) or (q, lam): of its largest coordinate, relative to the model's length or in radians."""
        return float(np.abs(change[: self.system.size] / self.system.scale).max(initial=0.0))

    def moved(self, point: Point, change: Array, load: float = 0.0) -> Point:
        n = self.system.size
        return Point(point.load + load, point.q + change[:n], point.lam + change[n:])

    def balanced(self, point: Point) -> bool:
        """Is what is left over small?

        In every equation |f + Phi_q^T lam| is below 1e-8 of the largest force (weight, loads, reactions, elastic forces;
        moments are forces times the model's length), or below the round-off with which forces of this stiffness are known.
        """
        system, n = self.system, self.system.size
        total, phi = system.balance(0.0, point.q, self._still, point.lam, point.load)
        inner = system.force(0.0, point.q, self._still, point.load)
        applied = point.load * system.applied(0.0, point.q)
        parts = (applied, inner - applied, total - inner)
        largest = max(float(np.abs(part * system.scale).max(initial=0.0)) for part in parts)
        if not np.abs(phi).max(initial=0.0) <= CLOSED * max(1.0, system.length_scale):
            return False
        left = np.abs(total * system.scale)
        if (left <= FORCE * largest).all():
            return True
        matrix = self.tangent(point)
        np.abs(matrix.data, out=matrix.data)
        stiffness = (matrix @ np.append(system.scale, np.zeros(system.multipliers)))[:n]
        return bool((left <= FORCE * largest + ROUND_OFF * stiffness * system.scale).all())

    def tangent(self, point: Point, mass: float = 0.0) -> csc_matrix:
        """[K + mass M, Phi_q^T; Phi_q, 0]."""
        coefficients = Coefficients(mass=mass, stiffness=1.0, load=point.load)
        return self.system.jacobian(0.0, point.q, self._still, point.lam, coefficients, self.settings.tangent)
