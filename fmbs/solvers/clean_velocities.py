"""Velocities without what constraints forbid and without strain rates that a step cannot resolve."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.solvers.linear import Factor

Array = NDArray[np.float64]

FILTERS = 3  # times that strain rates are filtered: what a step resolves is left alone to the sixth order


class CleanVelocities:
    """Changes velocities in place and tells the kinetic energy that goes with the change, J."""

    def __init__(self, system: System) -> None:
        self._system = system

    def straighten(self, factor: Factor, forbidden: Array, v: Array) -> float:
        """By one solve with a matrix that has the constraints in it. forbidden: rates of the constraints that must go."""
        system = self._system
        excess = factor.solve(np.concatenate([np.zeros(system.size), system.mass_scale * forbidden]))[: system.size]
        return self._take_out(excess, v)

    def calm(self, factor: Factor, t: float, q: Array, v: Array) -> float:
        """Strain rates B v. factor: of M + B^T C B / b with the constraints, see SlowMotion.

        P = 1 - (M + B^T C B / b)^-1 M lets through what is stiff and damps the rest with (omega h)^2, P^3 with (omega h)^6. In
        stiff strains an error of v comes back with changed sign as it does across constraints, and grows where bodies turn
        far in a step.
        """
        system, excess = self._system, v.copy()
        gradient = system.constraint_jacobian(t, q)
        for _ in range(FILTERS):
            kept = np.concatenate([system.inertia(excess), system.mass_scale * (gradient @ excess)])
            excess -= factor.solve(kept)[: system.size]
        return self._take_out(excess, v)

    def _take_out(self, excess: Array, v: Array) -> float:
        taken = float(excess @ self._system.inertia(v - 0.5 * excess))
        v -= excess
        return taken
