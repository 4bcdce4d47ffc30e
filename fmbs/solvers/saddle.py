"""The saddle-point system that gives accelerations, projections and impulses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import Coefficients, System
from fmbs.solvers.linear import Factor, LinearSolver

Array = NDArray[np.float64]


class Saddle:
    """[M, Phi_q^T; Phi_q, 0] at one configuration, its constraint rows scaled to the size of M."""

    def __init__(self, system: System, linear: LinearSolver, t: float, q: Array) -> None:
        self._system, self._t, self._q = system, t, q
        self._n, self._scale = system.size, system.mass_scale
        coefficients = Coefficients(mass=1.0, constraint=self._scale)
        still, none = np.zeros(system.size), np.zeros(system.multipliers)
        self._factor: Factor = linear.factorize(system.jacobian(t, q, still, none, coefficients, data=system.workspace))

    def solve(self, force: Array, phi: Array) -> tuple[Array, Array]:
        """x, lam with M x + Phi_q^T lam = force and Phi_q x = phi."""
        x = self._factor.solve(np.concatenate([force, self._scale * phi]))
        return x[: self._n], self._scale * x[self._n :]

    def admissible(self, v: Array) -> Array:
        """The nearest velocity that the constraints allow: v after an impulse of theirs."""
        first = self._system.equations.rates(self._t, self._q, v)
        dv, _ = self.solve(np.zeros(self._n), -first)
        return v + dv

    def accelerations(self, v: Array) -> tuple[Array, Array]:
        """q'' and lam of the index-1 equations: M q'' + Phi_q^T lam = -f, Phi_q q'' = -(d^2 Phi/dt^2 at q'' = 0)."""
        second = self._system.equations.accelerations(self._t, self._q, v)
        return self.solve(-self._system.force(self._t, self._q, v), -second)


def accelerations(system: System, linear: LinearSolver, t: float, q: Array, v: Array) -> tuple[Array, Array]:
    """q'' and lam of the index-1 equations at one configuration."""
    return Saddle(system, linear, t, q).accelerations(v)
