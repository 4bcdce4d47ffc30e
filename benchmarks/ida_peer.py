"""SUNDIALS' IDA (variable-order BDF, Hindmarsh et al. 2005) on fmbs's own residual, through scikit-sundae.

    q' = v - Phi_q^T mu,   M v' + f + Phi_q^T lam = 0,   Phi = 0,   Phi' = 0

the stabilised index-2 form (Gear, Gupta & Leimkuhler 1985), which is the lowest index that keeps both constraints and has no
constants to choose. It is an integrator for `m.simulate`, for models without contacts; films work.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import Coefficients, System
from fmbs.core.errors import ModelError
from fmbs.core.state import Counters, Leap, State
from fmbs.core.status import Status
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.ode import Formulation, OdeIntegrator

Array = NDArray[np.float64]

NOT_JUDGED = 1e20  # atol of multipliers: their error says nothing of the motion's


def available() -> bool:
    return find_spec("sksundae") is not None


@dataclass(frozen=True)
class Ida(OdeIntegrator):
    """The integrator. outside: processor time of the last run that was not spent in fmbs's residual and matrix, s."""

    outside: Array = field(default_factory=lambda: np.zeros(1), compare=False, repr=False)

    def __post_init__(self) -> None: ...

    def formulate(self, system: System, linear: LinearSolver) -> Formulation:
        raise ModelError("IDA takes the equations as they are: there is nothing to formulate.")

    def start(
        self, system: System, linear: LinearSolver, tangent: str, step: float | None, tolerance: float | None, t_end: float
    ) -> Any:
        return IdaStepper(self, system, tolerance or self.rtol)


class IdaStepper:
    """Lets IDA go on to the next frame, with steps of its own."""

    def __init__(self, owner: Ida, system: System, tolerance: float) -> None:
        from sksundae.ida import IDA

        self.counters, self._owner, self._system = Counters(), owner, system
        n, m = system.size, system.multipliers
        self._ends = np.cumsum([n, n, m])
        atol = np.concatenate([np.tile(tolerance * system.scale, 2), np.full(2 * m, NOT_JUDGED)])
        self._solver = IDA(
            self._residual, jacfn=self._jacobian, algebraic_idx=np.arange(2 * n, 2 * (n + m)), rtol=tolerance, atol=atol,
            max_num_steps=10**7,
        )  # fmt: skip
        self._begun, self._inside = False, 0.0
        owner.outside[0] = 0.0

    def prepare(self, state: State) -> State:
        return state

    def snapshot(self) -> dict[str, Any]:
        return {}

    def leap(self, state: State, t_end: float, until: float) -> Leap:
        clock, self._inside = time.process_time(), 0.0
        try:
            if not self._begun:
                self._begin(state)
            found = self._now
            while found.t < until:
                found = self._now = self._solver.step(min(until, t_end), method="onestep")
                self.counters.steps += 1
            if found.t > until:
                found = self._solver.step(until)
        except Exception:
            return Leap(failure=Status.STEP_TOO_SMALL)
        q, v, lam, _ = np.split(np.array(found.y), self._ends)
        a = np.array(found.yp[q.size : 2 * q.size])
        self._owner.outside[0] += time.process_time() - clock - self._inside
        return Leap(new=State(until, q, v, a, lam, np.stack([a, 0.0 * a]), until - state.t, state.history))

    def _begin(self, state: State) -> None:
        self._system.contacts.begin(state.t, state.q, state.v, state.history, 0.0)
        none = np.zeros_like(state.lam)
        y = np.concatenate([state.q, state.v, state.lam, none])
        self._now = self._solver.init_step(state.t, y, np.concatenate([state.v, state.a, none, none]))
        self._begun = True

    def _residual(self, t: float, y: Any, rates: Any, out: Any) -> None:
        clock, system = time.process_time(), self._system
        q, v, lam, mu = np.split(np.array(y), self._ends)
        q_rate, v_rate = np.array(rates[: q.size]), np.array(rates[q.size : 2 * q.size])
        off = q_rate - v
        system.equations.residual(t, q, mu, off)
        force, phi = system.balance(t, q, v, lam, a=v_rate)
        out[:] = np.concatenate([off, force, phi, system.equations.rates(t, q, v)])
        self._inside += time.process_time() - clock

    def _jacobian(self, t: float, y: Any, rates: Any, _: Any, cj: float, out: Any) -> None:
        """Exact but for the curvature in Phi_q^T mu, which is zero, and Phi'_q by differences of a function linear in v."""
        clock, system = time.process_time(), self._system
        q, v, lam, _ = np.split(np.array(y), self._ends)
        n, k, e = q.size, 2 * q.size, self._ends[2]
        stiff = system.jacobian(t, q, v, lam, Coefficients(mass=0.0, stiffness=1.0, constraint=1.0)).toarray()
        moving = system.jacobian(t, q, v, lam, Coefficients(mass=cj, damping=1.0, constraint=1.0)).toarray()
        gradient = stiff[n:, :n]
        out[:] = 0.0
        out[:n, :n], out[:n, n:k], out[:n, e:] = cj * np.eye(n), -np.eye(n), gradient.T
        out[n:k, :n], out[n:k, n:k], out[n:k, k:e] = stiff[:n, :n], moving[:n, :n], gradient.T
        out[k:e, :n], out[e:, n:k] = gradient, gradient
        small = 1e-6 * system.scale
        for j in range(n):
            there, here = q.copy(), q.copy()
            there[j], here[j] = q[j] + small[j], q[j] - small[j]
            change = system.equations.rates(t, there, v).copy() - system.equations.rates(t, here, v)
            out[e:, j] = change / (2.0 * small[j])
        self.counters.factorizations += 1
        self._inside += time.process_time() - clock
