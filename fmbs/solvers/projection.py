"""The nearest position and velocity that the constraints allow, weighted by mass, and words for what stands in their way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.errors import ModelError
from fmbs.solvers.linear import LinearSolveError, LinearSolver
from fmbs.solvers.saddle import Saddle

Array = NDArray[np.float64]

ROUND_OFF = 1e-15  # of the model's size: gaps that are closed


def project_position(system: System, linear: LinearSolver, t: float, q: Array, iterations: int = 40) -> Array:
    """The nearest assembled position (mass-weighted), by Newton's method on Phi(q, t) = 0."""
    if not system.multipliers:
        return q.copy()
    none, drawn = np.zeros(system.size), q
    for _ in range(iterations):
        phi = system.constraints(t, q)
        if float(np.abs(phi).max()) <= ROUND_OFF * system.length_scale:
            return q.copy()
        try:
            dq, _ = Saddle(system, linear, t, q).solve(none, -phi)
        except LinearSolveError as error:
            raise ModelError(f"initial positions: {worst_equation(system, t, drawn)} and cannot be closed ({error}).") from None
        size = float(np.abs(dq / system.scale).max())
        q = q + dq * min(1.0, 0.5 / size if size > 0.5 else 1.0)  # far away, go in steps of half the model's size
        if size < 1e-14 or (size < 1e-11 and np.abs(phi).max() < 1e-13 * system.length_scale):
            return q
    if float(np.abs(system.constraints(t, q)).max()) < 1e-10 * max(1.0, system.length_scale):
        return q
    raise ModelError(
        f"initial positions: the parts cannot be assembled; {worst_equation(system, t, drawn)}. Check the link lengths, the "
        "positions of the markers, and that drives start where the parts are drawn."
    )


def project_velocity(system: System, linear: LinearSolver, t: float, q: Array, v: Array) -> Array:
    """The nearest admissible velocity: an impulse of the constraints."""
    if not system.multipliers:
        return v.copy()
    return Saddle(system, linear, t, q).admissible(v)


def worst_equation(system: System, t: float, q: Array) -> str:
    """The equation that holds least at q, in words."""
    phi = np.abs(system.constraints(t, q))
    worst = int(np.argmax(phi))
    return f"'{system.equations.labels[worst]}' is off by {phi[worst]:.3g}"


def body_of(system: System, coordinate: int) -> str:
    """The name of the body that owns a coordinate."""
    for body in system.dofs.bodies:
        if coordinate in range(system.size)[system.dofs.coordinates_of(body)]:
            return body.name
    return "a body"
