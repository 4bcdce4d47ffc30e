"""Generalized coordinate partitioning (Wehage & Haug 1982; Muvengi2011 sect. III.C)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.state import State
from fmbs.solvers.linear import LinearSolver, SingularMatrixError
from fmbs.solvers.ode import Formulation, OdeIntegrator
from fmbs.solvers.saddle import accelerations

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

WORN_OUT = 30.0  # growth of the dependent block's inverse at which other independent coordinates are chosen
FAR = 0.3  # of the model's size, or rad: from where the dependent coordinates are expected


@dataclass(frozen=True)
class CoordinatePartitioning(OdeIntegrator):
    """Integrates independent coordinates only; the dependent ones follow from Phi = 0 and Phi' = 0 at every evaluation.

    The independent coordinates come from a pivoted QR factorisation of Phi_q and are chosen anew when the mechanism has
    moved away from them. There is no drift. Dense linear algebra: meant for mechanisms, not for large meshes.
    """

    def formulate(self, system: System, linear: LinearSolver) -> Formulation:
        return _Partition(system, linear)


class _Partition(Formulation):
    """y = (q_independent, v_independent)."""

    wears = True

    def __init__(self, system: System, linear: LinearSolver) -> None:
        self._system, self._linear = system, linear
        self._dependent: Integers = np.empty(0, np.int64)
        self._independent: Integers = np.empty(0, np.int64)
        self._base = (0.0, np.empty(0), np.empty(0))  # t, q, v where the step started
        self._first_size = 0.0

    def pack(self, state: State) -> Array:
        """Choose the coordinates here: the pivots of Phi_q, scaled, become dependent."""
        system = self._system
        jacobian = system.constraint_jacobian(state.t, state.q).toarray() * system.scale
        m = system.multipliers
        order = scipy.linalg.qr(jacobian, mode="r", pivoting=True)[1] if m else np.arange(system.size)
        self._dependent, self._independent = np.sort(order[:m]), np.sort(order[m:])
        self.begin(state)
        self._first_size = self._size(state)
        return np.concatenate([state.q[self._independent], state.v[self._independent]])

    def begin(self, state: State) -> None:
        self._base = (state.t, state.q.copy(), state.v.copy())

    def worn_out(self, state: State) -> bool:
        return self._size(state) > WORN_OUT * self._first_size

    def snapshot(self) -> dict[str, Any]:
        chosen = {"dependent": self._dependent, "independent": self._independent}
        return {**chosen, "first_size": self._first_size}

    def restore(self, kept: dict[str, Any]) -> None:
        self._dependent, self._independent = kept["dependent"], kept["independent"]
        self._first_size = float(kept["first_size"])

    def longest_step(self, state: State) -> float:
        """A fifth of the model's size: Newton's method then stays on the branch of the mechanism."""
        speed = float(np.abs(state.v / self._system.scale).max(initial=0.0))
        push = float(np.sqrt(np.abs(state.a / self._system.scale).max(initial=0.0)))
        return 0.2 / max(speed, push, 1e-12)

    def _size(self, state: State) -> float:
        """|Phi_d^-1| of scaled coordinates."""
        if not self._dependent.size:
            return 0.0
        jacobian = self._system.constraint_jacobian(state.t, state.q).toarray() * self._system.scale
        return float(1.0 / np.linalg.svd(jacobian[:, self._dependent], compute_uv=False)[-1])

    def motion(self, t: float, y: Array) -> tuple[Array, Array]:
        return self._complete(t, y)

    def unpack(self, t: float, y: Array) -> State:
        q, v = self._complete(t, y)
        self.factorized += 1
        a, lam = accelerations(self._system, self._linear, t, q, v)
        return State(t, q, v, a, lam, a)

    def rate(self, t: float, y: Array) -> Array:
        q, v = self._complete(t, y)
        self.factorized += 1
        a, _ = accelerations(self._system, self._linear, t, q, v)
        return np.concatenate([v[self._independent], a[self._independent]])

    def _complete(self, t: float, y: Array) -> tuple[Array, Array]:
        """Newton's method for the dependent positions, a linear solve for the dependent velocities.

        It starts from where the dependent coordinates would be at the velocities of the step's start. What it finds far from
        there belongs to another way to assemble the mechanism.
        """
        system, dependent = self._system, self._dependent
        start, q_0, v_0 = self._base
        q, v = q_0 + (t - start) * v_0, np.zeros(system.size)
        expected = q[dependent]
        q[self._independent], v[self._independent] = np.split(y, 2)
        if not dependent.size:
            return q, v
        for _ in range(30):
            jacobian = system.constraint_jacobian(t, q).toarray()[:, dependent]
            factor = scipy.linalg.lu_factor(jacobian, check_finite=False)
            self.factorized += 1
            dq = scipy.linalg.lu_solve(factor, -system.constraints(t, q), check_finite=False)
            q[dependent] += dq
            size = float(np.abs(dq / system.scale[dependent]).max())
            if not np.isfinite(size):
                raise SingularMatrixError("the dependent coordinates cannot be found from the independent ones")
            if size < 1e-13:
                break
        else:
            raise SingularMatrixError("the dependent coordinates did not converge")
        if np.abs((q[dependent] - expected) / system.scale[dependent]).max() > FAR:
            raise SingularMatrixError("the dependent coordinates are those of another assembly")
        v[dependent] = scipy.linalg.lu_solve(factor, -system.equations.rates(t, q, v), check_finite=False)
        return q, v
