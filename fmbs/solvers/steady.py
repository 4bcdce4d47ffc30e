"""Steady spin: the motion in which points rest and bodies turn evenly, found by Newton's method.

    M a + f(t, q, v) + Phi_q^T lam = 0,   Phi = 0,   with v and a those of an even spin

A change y of the position changes v by T' y and a by T' T' y (`turning`): a shaft that is bent more spins about its new line.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import Coefficients, System
from fmbs.core.errors import ConvergenceError, ModelError
from fmbs.core.optional import JointWithClearance
from fmbs.core.protocols import Part
from fmbs.core.state import State
from fmbs.core.status import Status
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.linearised import null_space
from fmbs.solvers.projection import body_of, project_position, project_velocity
from fmbs.solvers.turning import Turners

Array = NDArray[np.float64]
Place = tuple[Array, Array, Array]  # q, v, lam

STEPS = 15  # of Newton's method under one share of the loads
SMALLEST = 1e-4  # share of the loads that is added at a time
FITS = 1e-11  # of the model's size: the last change
FAR = 0.1  # of the model's size, and in radians: what moves farther in a step is lost
REST = 1e-6  # of the fastest speed: points that move faster do not rest


def steady_state(system: System, linear: LinearSolver, state: State, name: str) -> State:
    """The steady spin nearest to a state, which gives the speeds; gravity and loads grow from nothing."""
    search = _Search(system, linear, state)
    _check_rest(name, system, search.turners, state.v)
    found = search.under(0.0, (state.q, state.v, state.lam))
    load, more = 0.0, 0.25
    while found is not None and load < 1.0:
        then = search.under(min(1.0, load + more), found)
        if then is not None:
            load, found, more = min(1.0, load + more), then, 2.0 * more
        elif more < SMALLEST:
            found = None
        else:
            more *= 0.25
    if found is None:
        raise ConvergenceError(
            f"{name}: no steady spin was found beyond {100.0 * load:.3g} % of gravity and the loads. Let a damped model "
            "settle in m.simulate() instead.",
            time=state.t,
            status=Status.NOT_AT_REST,
        )
    q, v, lam = found
    return State(state.t, q, v, search.turners.spinning(q, v), lam, np.zeros_like(q), history=state.history)


class _Search:
    """Newton's method under a share of the loads."""

    def __init__(self, system: System, linear: LinearSolver, state: State) -> None:
        self.turners, self._system, self._linear, self._state = Turners(system), system, linear, state
        self._mass = np.asarray(system.mass_matrix.todense())
        self._films = np.array([_has_film(joint) for joint, _ in system.contacts.names()], dtype=bool)

    def under(self, load: float, place: Place) -> Place | None:
        """From a place nearby; None where it is lost."""
        (q, v, lam), system, t, n = place, self._system, self._state.t, self._system.size
        for _ in range(STEPS):
            system.contacts.begin(t, q, v, self._state.history)
            a = self.turners.spinning(q, v)
            first, _ = self.turners.at(q, v, a)
            stiff = system.jacobian(t, q, v, lam, Coefficients(stiffness=1.0, load=load)).toarray()
            stiff, rows = stiff[:n, :n], stiff[n:, :n]
            damped = system.jacobian(t, q, v, lam, Coefficients(damping=1.0, constraint=0.0, load=load))[:n, :n].toarray()
            stiff += self._mass @ (first @ first).toarray() + damped @ first.toarray()
            y, lam = _step(stiff, rows, -system.force(t, q, v, load, a), -system.constraints(t, q), system)
            size = float(np.abs(y / system.scale).max(initial=0.0))
            if not size < FAR:
                return None
            q = project_position(system, self._linear, t, q + y)
            v = project_velocity(system, self._linear, t, q, v + first @ y)
            if self._films.any() and (system.contacts.gaps(q, v)[0][self._films] >= 0.0).any():
                return None
            if size < FITS:
                return q, v, lam
        return None


def _has_film(part: Part) -> bool:
    return isinstance(part, JointWithClearance) and part.film is not None


def _step(stiff: Array, rows: Array, force: Array, phi: Array, system: System) -> tuple[Array, Array]:
    """y and lam of K y + Phi_q^T lam = force, Phi_q y = phi: on what the constraints allow, so that none drowns."""
    inverse = np.linalg.pinv(rows) if rows.size else np.zeros((system.size, 0))
    basis, closing = null_space(rows, system), inverse @ phi
    x = np.linalg.lstsq(basis.T @ stiff @ basis, basis.T @ (force - stiff @ closing), rcond=1e-13)[0]
    y: Array = closing + basis @ x
    return y, inverse.T @ (force - stiff @ y)


def _check_rest(name: str, system: System, turners: Turners, v: Array) -> None:
    rest = np.where(system.lengths, np.abs(turners.resting(v)), 0.0)
    fastest = float(np.abs(np.where(system.lengths, v, v * system.length_scale)).max(initial=0.0))
    worst = int(np.argmax(rest))
    if rest[worst] > REST * max(fastest, 1e-300):
        raise ModelError(
            f"{name}: {body_of(system, worst)!r} moves at {rest[worst]:.3g} m/s, and in a steady spin points rest while bodies "
            "turn about their axes. Spin rotors about their own lines; linearise other motions about frames of m.simulate()."
        )
