"""The scheme of Moreau and Jean: what forces and contacts do in a step changes velocities as a whole.

    M (v_1 - v_0) + h f(t_m, q_m, v_m) + Phi_q(q_m)^T L + G(q_m)^T P = 0,   Phi_q v_1 + Phi_t = 0 at the end
    v_m = theta v_1 + (1 - theta) v_0,   q_1 = q_0 + h v_m, then onto joints and walls
    0 <= P_N complementary to -u_N1 >= 0,   |P_T| <= mu P_N                    (u_N > 0: going in)

Moreau 1988; Jean 1999; positions are corrected as Acary 2013 does. Impacts are taken out before (`stepper`).
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
from fmbs.solvers.impacts import cones
from fmbs.solvers.impacts.surfaces import Surfaces
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.nonsmooth.correction import corrected
from fmbs.solvers.nonsmooth.stepper import Scheme, StepDone, TimeStepping, losses, together

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

TOLERANCE = 1e-10  # of a speed, relative to the largest


@dataclass(frozen=True)
class MoreauJean(TimeStepping):
    """Equal steps of first order over impacts, none of which is located: for many contacts. See docs/impacts.md.

    theta: 0.5 (no numerical damping) to 1 (the strongest); 0.5 follows vibrations that a step does not resolve without an end
    """

    theta: float = 0.5

    def __post_init__(self) -> None:
        if not 0.5 <= number("MoreauJean", "theta", self.theta) <= 1.0:
            raise ModelError(
                f"MoreauJean: theta = {self.theta:g} is outside [0.5, 1]; 0.5 keeps energy, with more fast vibrations die out, "
                "with less they grow."
            )

    def scheme(self, surfaces: Surfaces, linear: LinearSolver) -> Scheme:
        return _Scheme(surfaces, self.theta)


class _Scheme(Scheme):
    def __init__(self, surfaces: Surfaces, theta: float) -> None:
        self._surfaces, self._system, self._theta = surfaces, surfaces.system, float(theta)
        self._mass = cones.diagonal(surfaces.system.mass_matrix)

    def first(self, state: State) -> State:
        return replace(state, memory=np.stack([state.a, state.a]))

    def step(self, state: State, h: float, t: float, touching: Flags, free: Array) -> StepDone:
        system, surfaces, theta = self._system, self._surfaces, self._theta
        q_0, v_0, s, t_m = state.q, state.v, system.mass_scale, state.t + theta * h
        chosen = np.flatnonzero(touching)
        middle, k = surfaces.closed(q_0 + theta * h * v_0, chosen), chosen.size

        def at(v: Array) -> tuple[Array, Array, Array]:
            v_m = theta * v + (1.0 - theta) * v_0
            return q_0 + theta * h * v_m, v_m, q_0 + h * v_m

        def problem(v: Array, lam: Array, p: Array) -> cones.Linear:
            q_m, v_m, q_1 = at(v)
            system.contacts.begin(state.t, q_0, v_0, free, theta * h)
            r = h * system.balance(t_m, q_m, v_m, lam / h, a=(v - v_0) / h)[0] + middle.rows.T @ p
            rates = system.equations.rates(t, q_1, v) if lam.size else np.zeros(0)
            share = Coefficients(mass=1.0, damping=theta * h, stiffness=(theta * h) ** 2, constraint=s)
            matrix = system.jacobian(t_m, q_m, v_m, lam / h, share, data=system.workspace)
            rows = surfaces.closed(q_1, chosen).rows
            return cones.Linear(r, rates, rows @ v, matrix, rows, middle.rows)

        a, size = state.memory[1], np.where(system.lengths, system.length_scale, 1.0)
        weights = middle.weights(self._mass)
        start = (v_0 + h * a, h * state.lam, h * surfaces.forces(middle, state.history))
        solved = cones.solve(problem, middle, weights, start, (s, size), tolerance=TOLERANCE)
        if not solved.converged:
            raise ArithmeticError
        v, P = solved.z, solved.p
        q_m, v_m, q_1 = at(v)
        before, after = middle.rows @ v_0, surfaces.closed(q_1, chosen).rows[:k] @ v
        stays = together(middle, P, before, after, weights)
        held = np.zeros(touching.size, bool)
        held[chosen[stays]] = True
        onto = corrected(surfaces, t, q_1, free, h, touching, held)
        mean, lam = 0.5 * (v_0 + v), solved.lam / h
        totals = h * flows(system, State(t_m, q_m, mean, a, lam, state.memory, history=free))
        totals[NUMERICAL] -= onto.energy
        if theta != 0.5:
            system.contacts.begin(state.t, q_0, v_0, free, theta * h)
            force, central = system.force(t_m, q_m, v_m), system.force(t_m, 0.5 * (q_0 + q_1), v_m)
            totals[NUMERICAL] += h * float((force - central) @ v_m - (theta - 0.5) * (force @ (v - v_0)))
        lost, a = losses(middle, P, before + middle.rows @ v), (v - v_0) / h
        new = State(t, onto.q, v, a, lam, np.stack([a, a]), h)
        return StepDone(new, middle, P, after, stays, lost, totals, solved.iterations)
