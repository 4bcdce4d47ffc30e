"""Accelerations without the vibrations that a step cannot follow.

Stiff strains E(q) of flexible bodies act on long steps as constraints do: what counts is the motion along E'' = 0, not the
vibration across it. With strain rates B v, B = E_q, and the material's stiffness C the accelerations are those of

    (M + B^T C B / b) a + Phi_q^T lam = -f - B^T C (B' v) / b,   Phi_q a = -(d^2 Phi/dt^2 at a = 0)

b is the slope d a/d q of a step of size h, of order 1/h^2. Where the step resolves a vibration, B^T C B << b M, these are the
accelerations of the equations of motion; where it does not they keep E'' = 0, and what is out of balance is made up for
within a step. Without elastic bodies nothing is left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import Coefficients, System
from fmbs.core.state import State
from fmbs.solvers.linear import Factor, LinearSolver

Array = NDArray[np.float64]

TURN, ELASTIC_TURN = 1e-4, 1e-2  # rad or share of the model's size by which bodies move between places that are compared
SHARE = 0.1  # and no more than this share of a step
NEAR = 1e-2  # of that, for the first look


class Derivatives(NamedTuple):
    """q'', lam, q^(3) and q^(4) at one instant."""

    a: Array
    lam: Array
    jerk: Array
    snap: Array


class SlowMotion:
    """Of a system, for steps whose Newton matrix has the slope b. snap: is q^(4) wanted too? It takes two matrices more."""

    def __init__(self, system: System, linear: LinearSolver, b: float, *, snap: bool = False) -> None:
        self._system, self._linear, self._b, self._snap = system, linear, b, snap

    def factor(self, t: float, q: Array) -> Factor:
        """[M + B^T C B / b, s Phi_q^T; s Phi_q, 0], factorised."""
        system = self._system
        still, none, data = np.zeros(system.size), np.zeros(system.multipliers), system.workspace
        system.jacobian(t, q, still, none, Coefficients(mass=1.0, constraint=system.mass_scale), data=data)
        system.elastic.add_stiffness(q, 1.0 / self._b, data)
        return self._linear.factorize(system.matrix(data))

    def accelerations(self, factor: Factor, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        """a and lam at a place whose matrix this is the factor of."""
        system, s, n = self._system, self._system.mass_scale, self._system.size
        force = -system.force(t, q, v)
        if system.elastic:
            force -= self._bending(q, v) / self._b
        second = system.equations.accelerations(t, q, v)
        x = factor.solve(np.concatenate([force, -s * second]))
        return x[:n], s * x[n:]

    def derivatives(self, state: State, h: float) -> Derivatives:
        """From accelerations at the state and a little later, never before it: drives may begin there."""
        a, lam = self.accelerations(self.factor(state.t, state.q), state.t, state.q, state.v)
        pace = max(self._system.pace(state.v), np.sqrt(self._system.pace(a)), 1e-5)
        d = min((ELASTIC_TURN if self._system.elastic else TURN) / pace, SHARE * h)
        still = np.zeros_like(a)
        jerk: Array = (self._later(state, a, still, NEAR * d) - a) / (NEAR * d)
        if not self._snap:
            return Derivatives(a, lam, jerk, still)
        near, far = self._later(state, a, jerk, d), self._later(state, a, jerk, 2.0 * d)
        return Derivatives(a, lam, (4.0 * near - far - 3.0 * a) / (2.0 * d), (far - 2.0 * near + a) / d**2)

    def _later(self, state: State, a: Array, jerk: Array, d: float) -> Array:
        """Accelerations after a short time d."""
        t = state.t + d
        q, v = state.q + d * (state.v + d * (a / 2.0 + d * jerk / 6.0)), state.v + d * (a + d * jerk / 2.0)
        return self.accelerations(self.factor(t, q), t, q, v)[0]

    def _bending(self, q: Array, v: Array) -> Array:
        """B^T C B' v, from differences along v.

        At q + x v, d/dx of B^T C B v is B^T C B' v + B'^T C B v, and d^2/dx^2 of B^T C E is B^T C B' v + 2 B'^T C B v; terms
        with B'' act on the small strains only.
        """
        system, pace = self._system, self._system.pace(v)
        if not pace:
            return np.zeros(system.size)
        x = ELASTIC_TURN / pace
        before, after = q - x * v, q + x * v
        slope = (system.elastic.viscous_force(after, v) - system.elastic.viscous_force(before, v)) / (2.0 * x)
        bend = (system.elastic.force(after) - 2.0 * system.elastic.force(q) + system.elastic.force(before)) / x**2
        return 2.0 * slope - bend
