"""Consistent initial values: positions, velocities, accelerations and multipliers at t = 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.errors import ModelError
from fmbs.core.state import State
from fmbs.solvers.linear import LinearSolveError, LinearSolver
from fmbs.solvers.saddle import Saddle

Array = NDArray[np.float64]

ASSEMBLY_TOLERANCE = 0.1  # of the model's size, and in radians


@dataclass(frozen=True)
class Start:
    """A consistent state and how far the user's values were moved to reach it.

    moved: largest change of a coordinate, relative to the model's size (lengths) or in radians
    moved_velocity: largest change of a velocity, m/s or rad/s
    """

    state: State
    moved: float
    moved_velocity: float


def consistent_start(system: System, linear: LinearSolver, tolerance: float = ASSEMBLY_TOLERANCE, t: float = 0.0) -> Start:
    """Project q and v onto the constraints with the least kinetic-energy change, then solve for a and lam.

    min |dq|_M with Phi(q + dq, t) = 0;   min |dv|_M with Phi_q (v + dv) + Phi_t = 0.
    """
    q0, v0 = system.initial_position, system.initial_velocity
    q = project_position(system, linear, t, q0)
    change = np.abs(q - q0) / system.scale
    moved = float(change.max(initial=0.0))
    if moved > tolerance:
        worst = int(np.argmax(change))
        raise ModelError(
            f"initial positions: {_body_of(system, worst)} had to be moved by {moved:.3g} of the model's size to satisfy the "
            f"joints, more than assembly_tolerance = {tolerance:g}; {_worst_equation(system, t, q0)}. Draw the parts closer to "
            "each other, or allow it with assembly_tolerance=."
        )
    try:
        saddle = Saddle(system, linear, t, q)
    except LinearSolveError as error:
        raise ModelError(f"initial accelerations: {error}; check masses and the drives.") from None
    v = saddle.admissible(v0) if system.multipliers else v0.copy()
    history = system.contacts.initial_history()
    system.contacts.begin(t, q, v, history)
    force = system.force(t, q, v)
    if not np.isfinite(force).all():
        body = _body_of(system, int(np.argmin(np.isfinite(force))))
        raise ModelError(f"initial forces: the force on {body} is NaN or infinite; check forces that are functions of time.")
    try:
        a, lam = saddle.accelerations(v)
    except LinearSolveError as error:
        raise ModelError(f"initial accelerations: {error}; check masses, forces at t = 0 and the drives.") from None
    return Start(State(t, q, v, a, lam, a.copy(), history=history), moved, float(np.abs(v - v0).max(initial=0.0)))


def project_position(system: System, linear: LinearSolver, t: float, q: Array, iterations: int = 40) -> Array:
    """The nearest assembled position (mass-weighted), by Newton's method on Phi(q, t) = 0."""
    if not system.multipliers:
        return q.copy()
    none, drawn = np.zeros(system.size), q
    for _ in range(iterations):
        phi = system.constraints(t, q)
        try:
            dq, _ = Saddle(system, linear, t, q).solve(none, -phi)
        except LinearSolveError as error:
            raise ModelError(
                f"initial positions: {_worst_equation(system, t, drawn)} and cannot be closed ({error})."
            ) from None
        size = float(np.abs(dq / system.scale).max())
        q = q + dq * min(1.0, 0.5 / size if size > 0.5 else 1.0)  # far away, go in steps of half the model's size
        if size < 1e-14 or (size < 1e-11 and np.abs(phi).max() < 1e-13 * system.length_scale):
            return q
    if float(np.abs(system.constraints(t, q)).max()) < 1e-10 * max(1.0, system.length_scale):
        return q
    raise ModelError(
        f"initial positions: the parts cannot be assembled; {_worst_equation(system, t, drawn)}. Check the link lengths, the "
        "positions of the markers, and that drives start where the parts are drawn."
    )


def project_velocity(system: System, linear: LinearSolver, t: float, q: Array, v: Array) -> Array:
    """The nearest admissible velocity: an impulse of the constraints."""
    if not system.multipliers:
        return v.copy()
    return Saddle(system, linear, t, q).admissible(v)


def _worst_equation(system: System, t: float, q: Array) -> str:
    phi = np.abs(system.constraints(t, q))
    worst = int(np.argmax(phi))
    return f"'{system.equations.labels[worst]}' is off by {phi[worst]:.3g}"


def _body_of(system: System, coordinate: int) -> str:
    for body in system.dofs.bodies:
        if coordinate in range(system.size)[system.dofs.coordinates_of(body)]:
            return repr(body.name)
    return "a body"
