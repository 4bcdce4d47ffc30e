"""The nonsmooth generalized-alpha scheme: a smooth step, then walls and joints at the levels of position and of velocity.

    smooth     M a + Phi_q^T lam + f = 0 and Phi_q v~ + Phi_t = 0 at the end, with the averages of generalized-alpha
    impulses   M (v_1 - v~) + Phi_q^T L + G^T P = 0,   Phi_q v_1 + Phi_t = 0,
               0 <= P_N complementary to -u_N1 >= 0,   |P_T| <= mu P_N, where the wall pushes q~ back  (u_N > 0: going in)
    positions  q~ + h/2 (v_1 - v~), then onto joints and walls: Phi = 0, gaps >= 0 (`correction`)

Bruels, Acary & Cardona 2014; the three problems are solved one after the other as by Cosimo et al. 2020. Impulses are not part
of the averages, so that the order of generalized-alpha holds between impacts, which are taken out before (`stepper`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import Coefficients
from fmbs.core.checks import number
from fmbs.core.errors import ModelError
from fmbs.core.state import State
from fmbs.solvers.flows import NUMERICAL, flows
from fmbs.solvers.generalized_alpha import GeneralizedAlpha
from fmbs.solvers.impacts import cones
from fmbs.solvers.impacts.strike import Impacts
from fmbs.solvers.impacts.surfaces import Surfaces
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.nonsmooth.correction import corrected, stored
from fmbs.solvers.nonsmooth.stepper import Scheme, StepDone, TimeStepping, losses, together

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

TOLERANCE = 1e-10  # of an acceleration, relative to the largest
FAR = -1e30  # m/s, added to the rate of a gap that is open: it does not close


@dataclass(frozen=True)
class NonsmoothAlpha(TimeStepping):
    """Equal steps over impacts, none of which is located; of second order between them. See docs/impacts.md.

    rho_inf: spectral radius at infinite frequency, 0 (strongest damping) to 1 (none)
    """

    rho_inf: float = 0.8

    def __post_init__(self) -> None:
        if not 0.0 <= number("NonsmoothAlpha", "rho_inf", self.rho_inf) <= 1.0:
            raise ModelError(f"NonsmoothAlpha: rho_inf = {self.rho_inf:g} is outside [0, 1]; 1 keeps energy, 0.8 damps noise.")

    def scheme(self, surfaces: Surfaces, linear: LinearSolver) -> Scheme:
        return _Scheme(surfaces, linear, GeneralizedAlpha(self.rho_inf).parameters)


class _Scheme(Scheme):
    """memory of the state: the average w, and the smooth accelerations."""

    def __init__(self, surfaces: Surfaces, linear: LinearSolver, parameters: tuple[float, float, float, float]) -> None:
        self._surfaces, self._system, self._linear, self._parameters = surfaces, surfaces.system, linear, parameters

    def first(self, state: State) -> State:
        self.carried = np.zeros(state.lam.size)
        return replace(state, memory=np.stack([state.a, state.a]))

    def step(self, state: State, h: float, t: float, touching: Flags, free: Array) -> StepDone:
        system, surfaces, chosen = self._system, self._surfaces, np.flatnonzero(touching)
        smooth, iterations = self._smooth(state, h, t, free)
        q, v, k = smooth.q, smooth.v, chosen.size
        middle = surfaces.closed(0.5 * (state.q + q), chosen)
        before, weights = middle.rows @ state.v, middle.weights(cones.diagonal(system.mass_matrix))
        flow = [flows(system, x) for x in (replace(state, lam=state.lam - self.carried, history=free), smooth)]
        totals = 0.5 * h * (flow[0] + flow[1])
        P, after, self.carried = np.zeros(middle.rows.shape[0]), np.zeros(k), np.zeros(state.lam.size)
        near = np.zeros(k, bool)
        if k:
            near = corrected(surfaces, t, q, free, h, touching, np.zeros(touching.size, bool)).pressed[chosen]
        if near.any():
            impacts = Impacts(surfaces, self._linear, t, q, chosen)
            solved = impacts.complementary(v, np.where(near, 0.0, FAR))
            P, v, self.carried = solved.p, solved.z, solved.lam / h
            q = q + 0.5 * h * (v - smooth.v)
            after = impacts.closed.rows[:k] @ v
            iterations += solved.iterations
            if system.equations.driven:
                totals[0] += float(solved.lam @ system.equations.explicit_rate(t, q))
            totals[NUMERICAL] += 0.5 * float(P @ (impacts.closed.rows @ (smooth.v + v)))
        stays, lost = together(middle, P, before, after, weights), losses(middle, P, before + middle.rows @ v)
        held = np.zeros(touching.size, bool)
        held[chosen[stays]] = True
        onto = corrected(surfaces, t, q, free, h, touching, held)
        moved = onto.energy + stored(surfaces, t, q) - stored(surfaces, t, smooth.q)
        totals[NUMERICAL] += self._damped(state, smooth, h) - moved - float(lost.sum())
        new = replace(smooth, q=onto.q, v=v, a=smooth.a + (v - smooth.v) / h, lam=smooth.lam + self.carried)
        return StepDone(new, middle, P, after, stays, lost, totals, iterations)

    def _smooth(self, state: State, h: float, t: float, free: Array) -> tuple[State, int]:
        """A step of generalized-alpha without rigid contacts, with constraints on velocities."""
        system, surfaces = self._system, self._surfaces
        am, af, beta, gamma = self._parameters
        q_0, v_0, (w_0, a_0), s = state.q, state.v, state.memory, system.mass_scale
        share = (1.0 - af) / (1.0 - am)
        b, g = beta * h * h * share, gamma * h * share

        def moved(a: Array) -> tuple[Array, Array, Array]:
            w = share * a + (af * a_0 - am * w_0) / (1.0 - am)
            return q_0 + h * v_0 + h * h * ((0.5 - beta) * w_0 + beta * w), v_0 + h * ((1.0 - gamma) * w_0 + gamma * w), w

        none = surfaces.closed(q_0, np.empty(0, np.int64))

        def problem(a: Array, lam: Array, p: Array) -> cones.Linear:
            q, v, _ = moved(a)
            system.contacts.begin(state.t, q_0, v_0, free, h)
            r, _ = system.balance(t, q, v, lam, a=a)
            rates = system.equations.rates(t, q, v) if lam.size else np.zeros(0)
            share = Coefficients(mass=1.0, damping=g, stiffness=b, constraint=s)
            matrix = system.jacobian(t, q, v, lam, share, data=system.workspace)
            return cones.Linear(r, rates / g, np.empty(0), matrix, none.rows, none.rows)

        size = np.where(system.lengths, system.length_scale, 1.0)
        start = (a_0, state.lam - self.carried, np.empty(0))
        floor = 1e-14 / b  # round-off in q
        solved = cones.solve(problem, none, np.empty(0), start, (s, size), tolerance=TOLERANCE, floor=floor)
        if not solved.converged:
            raise ArithmeticError
        q, v, w = moved(solved.z)
        return State(t, q, v, solved.z, solved.lam, np.stack([w, solved.z]), h, free), solved.iterations

    def _damped(self, state: State, new: State, h: float) -> float:
        """Energy that the averages took: as the time loop counts it (`loop.ledger`)."""
        _, af, beta, gamma = self._parameters
        (w_0, a_0), (w, a) = state.memory, new.memory
        x, y = self._system.inertia(w - w_0), self._system.inertia(a - a_0)
        slow, fast = float((new.q - state.q) @ (x - y)), float((0.5 * (w_0 + w) + (gamma - 0.5) * (w - w_0)) @ x)
        return (0.5 - af) * slow + (beta - 0.5 * gamma) * h * h * fast
