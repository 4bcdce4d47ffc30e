"""Rigid surfaces that stay together: a step of generalized-alpha with unilateral constraints, and how it begins.

    M a + Phi_q^T lam + f + G^T p = 0,   Phi = 0,   0 <= p_N complementary to the gap,   |p_T| <= mu p_N

p are forces at the end of the step. Contacts that push keep their gap closed to the last digit, as joints keep their
constraints; those that would pull are open at the end of the step; those that stick have no slip there. When a contact
opens or begins to slide its force is continuous, so that this costs an error of second order, like the step itself.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import Coefficients
from fmbs.core.state import State
from fmbs.gaps.contact_kernels import DEPTH
from fmbs.solvers.impacts import cones
from fmbs.solvers.impacts.surfaces import Closed, Surfaces

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

STILL = 1e-9  # of the largest speed: a slower slip sticks


class Resting:
    """Steps of generalized-alpha with closed contacts. parameters: alpha_m, alpha_f, beta, gamma."""

    def __init__(self, surfaces: Surfaces, parameters: tuple[float, float, float, float]) -> None:
        self._surfaces, self._system, self._parameters = surfaces, surfaces.system, parameters
        self._mass = cones.diagonal(self._system.mass_matrix)
        self.iterations = 0

    def step(self, state: State, h: float, chosen: Integers) -> State:
        """The state after a step of h with these contacts closed. Raises ArithmeticError where there is none."""
        system, surfaces, t = self._system, self._surfaces, state.t + h
        am, af, beta, gamma = self._parameters
        q_0, v_0, a_0, w_0, s = state.q, state.v, state.a, state.memory[0], system.mass_scale
        share = (1.0 - af) / (1.0 - am)
        b, g = beta * h * h * share, gamma * h * share

        def moved(a: Array) -> tuple[Array, Array, Array]:
            w = share * a + (af * a_0 - am * w_0) / (1.0 - am)
            return q_0 + h * v_0 + h * h * ((0.5 - beta) * w_0 + beta * w), v_0 + h * ((1.0 - gamma) * w_0 + gamma * w), w

        closed = surfaces.closed(q_0, chosen)
        k = closed.size

        def problem(a: Array, lam: Array, p: Array) -> cones.Linear:
            q, v, _ = moved(a)
            now = surfaces.closed(q, chosen)
            system.contacts.begin(state.t, q_0, v_0, surfaces.put(closed, p, state.history), h)
            r, phi = system.balance(t, q, v, lam, a=a)
            matrix = system.jacobian(
                t, q, v, lam, Coefficients(mass=1.0, damping=g, stiffness=b, constraint=s), data=system.workspace
            )
            pulling = np.where(p[:k] > 0.0, 0.0, p[:k])  # `put` leaves out what does not push
            held = (p[:k] > 0.0)[closed.owner]
            r = r + now.rows.T @ np.concatenate([pulling, np.where(held, 0.0, p[k:])])
            motion = surfaces.motion(q, v)
            u = np.concatenate([motion[chosen, DEPTH] / b, surfaces.slips(now, q, v) / g])
            return cones.Linear(r, phi / b, u, matrix, now.rows, now.rows)

        start = (a_0, state.lam, surfaces.forces(closed, state.history))
        size = np.where(system.lengths, system.length_scale, 1.0)
        solved = cones.solve(problem, closed, closed.weights(self._mass), start, (s, size), tolerance=1e-9, floor=2e-14 / b)
        self.iterations += solved.iterations
        if not solved.converged:
            raise ArithmeticError
        q, v, w = moved(solved.z)
        history = surfaces.put(closed, solved.p, state.history)
        system.contacts.begin(state.t, q_0, v_0, history, h)
        after = system.contacts.end(t, q, v).reshape(surfaces.flags.size, -1)
        after[surfaces.flags] = history.reshape(surfaces.flags.size, -1)[surfaces.flags]
        return State(t, q, v, solved.z, solved.lam, np.stack([w, np.zeros_like(w)]), h, after.ravel())


def begun(surfaces: Surfaces, state: State, chosen: Integers, carries: bool = False) -> State:
    """Accelerations and forces of this instant, with these contacts closed: those that do not push are free from here on.

    Slips go on as they are; where there is none the contact sticks if friction allows.
    carries: the average of accelerations goes on and jumps with them, so that vibrations which a step does not resolve hardly
    grow from one impact to the next; it is the acceleration of the moment otherwise
    """
    system, t, q, v = surfaces.system, state.t, state.q, state.v
    closed, s = surfaces.closed(q, chosen), system.mass_scale
    k, slip = closed.size, surfaces.slips(closed, q, v)
    speed = closed.slip_norms(slip)
    sliding = speed > STILL * max(float(np.abs(surfaces.motion(q, v)[:, 1:]).max(initial=0.0)), 1e-300)
    loose = Closed(chosen, np.where(sliding, 0.0, closed.mu), closed.rows, closed.owner, closed.axis)
    way = np.where(sliding[closed.owner], slip / np.maximum(speed, 1e-300)[closed.owner] * closed.mu[closed.owner], 0.0)
    rows = closed.rows.tolil()
    turned = closed.rows.tolil(copy=True)
    for c, (i, factor) in enumerate(zip(closed.owner, way, strict=True)):
        if factor:
            turned[i] = turned[i] + factor * rows[k + c]
    pushes, drift = turned.tocsr(), surfaces.drift(closed, q, v)
    free = surfaces.put(closed, np.zeros(closed.rows.shape[0]), state.history)
    system.contacts.begin(t, q, v, free)
    force, second = system.force(t, q, v), system.equations.accelerations(t, q, v)
    still, none = np.zeros(system.size), np.zeros(system.multipliers)
    matrix = system.jacobian(t, q, still, none, Coefficients(mass=1.0, constraint=s)).copy()

    def problem(a: Array, lam: Array, p: Array) -> cones.Linear:
        r = system.inertia(a) + force + pushes.T @ p + matrix[: a.size, a.size :] @ (lam / s)
        phi = (matrix[a.size :, : a.size] @ a) / s + second
        return cones.Linear(r, phi, closed.rows @ a + drift, matrix, closed.rows, pushes)

    start = (state.a, state.lam, np.zeros(closed.rows.shape[0]))
    size = np.where(system.lengths, system.length_scale, 1.0)
    weights = closed.weights(cones.diagonal(system.mass_matrix))
    solved = cones.solve(problem, loose, weights, start, (s, size))
    if not solved.converged:
        raise ArithmeticError
    p = solved.p.copy()
    p[k:] = np.where(sliding[closed.owner], way * p[closed.owner], p[k:])
    a = solved.z
    average = state.memory[0] + a - state.a if carries else a
    return replace(
        state, a=a, lam=solved.lam, memory=np.stack([average, np.zeros_like(a)]), history=surfaces.put(closed, p, state.history)
    )
