"""Static equilibrium with load stepping.

    f(q) + Phi_q^T lam = 0,   Phi(q) = 0

By Newton's method; where its matrix is singular or it does not converge (a pendulum drawn sideways has no stiffness at all), by
pseudo-transient continuation: (M / tau + K) dq = -residual with tau growing as the residual falls. It follows the motion in
heavy oil, downhill to a stable equilibrium, and ends as Newton's method.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import Coefficients, System
from fmbs.core.state import Counters, State
from fmbs.core.status import Status
from fmbs.solvers.linear import LinearSolveError, LinearSolver

Array = NDArray[np.float64]

CONVERGED = 1e-11  # increment relative to the model's size
LARGEST = 0.3  # increment of one iteration, relative to the model's size
GROWTH = 1e8  # of tau, when the continuation has become Newton's method


class EquilibriumFailure(Exception):
    """No equilibrium at this load factor."""

    def __init__(self, factor: float, status: Status) -> None:
        super().__init__(status.text)
        self.factor, self.status = factor, status


def load_path(
    system: System, linear: LinearSolver, start: State, steps: int, tangent: str, counters: Counters
) -> Iterator[State]:
    """Equilibria at the load factors 1/steps ... 1."""
    q, lam, still = start.q, start.lam, np.zeros(system.size)
    for k in range(1, steps + 1):
        search = _Search(system, linear, k / steps, tangent, counters)
        found = search.newton(q, lam) or search.continuation(q, lam)
        if found is None:
            raise EquilibriumFailure(k / steps, Status.NO_EQUILIBRIUM)
        q, lam = found
        counters.steps += 1
        yield State(k / steps, q, still, still, lam, still)


class _Search:
    """For the equilibrium at one load factor."""

    def __init__(self, system: System, linear: LinearSolver, load: float, tangent: str, counters: Counters) -> None:
        self._system, self._linear, self._load, self._tangent, self._counters = system, linear, load, tangent, counters

    def newton(self, q: Array, lam: Array) -> tuple[Array, Array] | None:
        for _ in range(50):
            try:
                q, lam, size, _ = self._iterate(q, lam, 0.0)
            except LinearSolveError:
                return None
            if not np.isfinite(size) or size > 1e3:
                return None
            if size < CONVERGED:
                return q, lam
        return None

    def continuation(self, q: Array, lam: Array) -> tuple[Array, Array] | None:
        pull = float(np.abs(self._system.weight).max()) / self._system.mass_scale or 1.0
        first = tau = 0.1 * self._system.length_scale / pull  # moves the model by a tenth of its size
        last = np.inf
        for _ in range(1000):
            try:
                q, lam, size, residual = self._iterate(q, lam, 1.0 / tau)
            except LinearSolveError:
                return None
            if not np.isfinite(size):
                return None
            if size < CONVERGED and tau > GROWTH * first:
                return q, lam
            tau *= 1.5 * min(4.0, max(0.3, last / max(residual, 1e-300))) if np.isfinite(last) else 1.0
            last = residual
        return None

    def _iterate(self, q: Array, lam: Array, mass: float) -> tuple[Array, Array, float, float]:
        """One Newton step with mass M added to the tangent; returns also its scaled size and the out-of-balance force."""
        system, still = self._system, np.zeros(self._system.size)
        force, phi = system.balance(0.0, q, still, lam, self._load)
        coefficients = Coefficients(mass=mass, stiffness=1.0, load=self._load)
        self._counters.iterations += 1
        self._counters.factorizations += 1
        factor = self._linear.factorize(system.jacobian(0.0, q, still, lam, coefficients, self._tangent))
        x = factor.solve(-np.concatenate([force, phi]))
        dq, dlam = x[: system.size], x[system.size :]
        size = float(np.abs(dq / system.scale).max(initial=0.0))
        part = min(1.0, LARGEST / size) if size > 0.0 else 1.0
        out_of_balance = float(np.abs(mass * (system.mass_matrix @ dq)).max(initial=0.0))
        return q + part * dq, lam + part * dlam, size, out_of_balance
