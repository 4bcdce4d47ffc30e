"""The equations of motion linearised about a state, on a basis of what the constraints allow.

    M y'' + (2 M T' + D) y' + (M T'' + D T' + K) y + Phi_q^T dlam = -df,   C y = 0,   C = Phi_q T

with K and D the derivatives of f + Phi_q^T lam, and T that of `turning`. With C N = 0, N^T N = 1 and y = N x the state is
(x, x').
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import Coefficients, System
from fmbs.core.state import State
from fmbs.solvers.turning import Turners, Turning

Array = NDArray[np.float64]

SHORT = 2e-4  # of the time in which the model turns by 1 rad: over which Phi_q T is differenced
RANK = 1e-9  # singular values of the scaled Phi_q T below which a row says nothing


@dataclass(frozen=True, eq=False)
class SmallMotions:
    """What beside a state is possible, and how it goes on.

    basis: y = N x  # (n, d)
    A: of (x, x')  # (2 d, 2 d)
    position, velocity, acceleration: dq, dv, da for each entry of (x, x')  # (n, 2 d)
    multipliers: dlam for each  # (m, 2 d)
    """

    state: State
    basis: Array
    A: Array
    position: Array
    velocity: Array
    acceleration: Array
    multipliers: Array
    _saddle: Array
    _turning: Turning

    def pushed(self, force: Array) -> tuple[Array, Array, Array]:
        """x'', da and dlam for -df = force  # (n, k)."""
        n, m = self.basis.shape[0], self.multipliers.shape[0]
        right = np.concatenate([force, np.zeros((m, force.shape[1]))])
        solved = self._saddle @ right
        return self.basis.T @ solved[:n], solved[:n], solved[n:]


def small_motions(system: System, state: State) -> SmallMotions:
    """Linearise about a state with its accelerations and multipliers; contacts and films as they are at this instant."""
    n, m, t, q, v, a = system.size, system.multipliers, state.t, state.q, state.v, state.a
    system.contacts.begin(t, q, v, state.history)
    stiff = system.jacobian(t, q, v, state.lam, Coefficients(stiffness=1.0)).toarray()
    damped = system.jacobian(t, q, v, state.lam, Coefficients(damping=1.0, constraint=0.0))[:n, :n].toarray()
    mass = np.asarray(system.mass_matrix.todense())
    turning = Turners(system).at(q, v, a)
    first, second = turning
    rows, rates, accelerations = _constraints(system, state, turning)
    basis = null_space(rows, system)
    inverse = np.linalg.pinv(rows, rcond=RANK) if m else np.zeros((n, 0))
    y = np.hstack([basis, np.zeros_like(basis)])
    dy = np.hstack([-inverse @ (rates @ basis), basis])  # C y' = -C' y
    # [M, C^T; C, 0] on all of its range, whatever rows say nothing
    saddle = _inverse_of_saddle(mass, rows, basis)
    load = -(2.0 * mass @ (first @ dy) + damped @ dy) - (mass @ (second @ y) + damped @ (first @ y) + stiff[:n, :n] @ y)
    solved = saddle @ np.concatenate([load, -2.0 * rates @ dy - accelerations @ y])
    ddy, lam = solved[:n], solved[n:]
    d = basis.shape[1]
    A = np.zeros((2 * d, 2 * d))
    A[:d, d:] = np.eye(d)
    A[d:] = basis.T @ ddy
    velocity = dy + first @ y
    acceleration = ddy + 2.0 * (first @ dy) + second @ y
    return SmallMotions(state, basis, A, y, velocity, acceleration, lam, saddle, turning)


def null_space(rows: Array, system: System) -> Array:  # (n, d)
    """Orthonormal basis of what the constraints allow. Coordinates that no constraint sees are columns by themselves."""
    size = system.size
    if not rows.size:
        return np.eye(size)
    held = np.abs(rows).max(axis=0) > 0.0
    scaled = rows[:, held] * system.scale[held]
    norms = np.linalg.norm(scaled, axis=1, keepdims=True)
    _, s, vh = np.linalg.svd(scaled / np.where(norms > 0.0, norms, 1.0))
    rank = int((s > RANK * s.max(initial=1e-300)).sum())
    among, _ = np.linalg.qr(system.scale[held, None] * vh[rank:].T)
    basis = np.zeros((size, among.shape[1] + int((~held).sum())))
    basis[np.flatnonzero(held), : among.shape[1]] = among
    basis[np.flatnonzero(~held), among.shape[1] + np.arange((~held).sum())] = 1.0
    return basis


def _inverse_of_saddle(mass: Array, rows: Array, basis: Array) -> Array:
    """(y'', dlam) from (force, C y''): y'' = N N^T-part and the least one that the constraints ask for."""
    n, m = mass.shape[0], rows.shape[0]
    inverse = np.linalg.pinv(rows, rcond=RANK) if m else np.zeros((n, 0))
    reduced = basis @ np.linalg.solve(basis.T @ mass @ basis, basis.T) if basis.shape[1] else np.zeros((n, n))
    upper = np.hstack([reduced, inverse - reduced @ mass @ inverse])
    lower = np.hstack([inverse.T - inverse.T @ mass @ reduced, -inverse.T @ mass @ (inverse - reduced @ mass @ inverse)])
    return np.vstack([upper, lower])


def _constraints(system: System, state: State, turning: Turning) -> tuple[Array, Array, Array]:
    """C = Phi_q T and its first two derivatives along the motion."""
    t, q, v, a = state.t, state.q, state.v, state.a
    gradient = system.constraint_jacobian(t, q).toarray()
    if not system.multipliers:
        return gradient, gradient, gradient
    drive = np.abs(system.equations.explicit_rate(t, q)).max(initial=0.0) / system.length_scale
    pace = max(system.pace(v), np.sqrt(system.pace(a)), float(drive), 1e-12)
    h = SHORT / pace
    ends = []
    for tau in (-h, h):
        turned = system.constraint_jacobian(t + tau, q + tau * v + 0.5 * tau * tau * a).toarray()
        ends.append(turned + turned @ (tau * turning.first + 0.5 * tau * tau * turning.second))
    return gradient, (ends[1] - ends[0]) / (2.0 * h), (ends[1] - 2.0 * gradient + ends[0]) / (h * h)
