"""Velocities that a run starts with: what was given is kept, what was not is completed."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.protocols import MovableBody
from fmbs.solvers.elastic_spread import ElasticSpread
from fmbs.solvers.linear import LinearSolveError
from fmbs.solvers.rigid_motions import RigidMotions, joint_rows, movable

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

FREE = 1e-5  # weight of a velocity that was not given, beside 1 of one that was
FITS = 1e-10  # contradictions that are round-off, relative to the velocities
ALMOST = 1e-7  # and those that rigid motions leave where they could close them


def given_motions(system: System) -> Flags:  # (bodies, 2)
    """Which velocities and which spins the user gave, or another run left behind."""
    if system.origin:
        return system.origin.given
    return np.array([cast(MovableBody, body).given for body in system.dofs.bodies], dtype=bool).reshape(-1, 2)


def weights(known: Flags, given: float = 1.0, free: float = FREE) -> Array:  # (bodies, 6)
    """Of velocities and spins when they must change: those that were given rather stay, and the others follow."""
    return np.repeat(np.where(known, given, free), 3, axis=1)


def carried(system: System, drawn: Array, q: Array) -> Array:  # (n,)
    """Initial velocities and spins as the user gave them, for bodies that were moved from their drawn positions to q."""
    v = system.initial_velocity
    moved = np.abs((q - drawn) / system.scale).max(initial=0.0) > FITS
    if not moved or not v.any() or not movable(system):
        return v
    return RigidMotions(system, q).rates(RigidMotions(system, drawn).nearest(v))


def completed(system: System, t: float, q: Array, v: Array) -> Array:  # (n,)
    """Velocities that joints and drives allow: rigid motions of whole bodies first, the least ones, weighted by mass.

    What rigid motions cannot do is spread over the flexible bodies with the least elastic energy. Round-off is left.
    """
    flexible = any(body.batch is not None for body in system.dofs.bodies)
    if not movable(system) or fits(system, t, q, v):
        return v
    known, rows = given_motions(system), joint_rows(system)
    if system.origin and known.all():  # the impulse that follows closes what round-off and the method left open
        return v
    if not flexible and known.all() == known.any():  # the impulse that follows does the same
        return v
    motions = RigidMotions(system, q)
    jacobian, rate = system.constraint_jacobian(t, q), system.equations.rates(t, q, v)
    try:
        u, _ = motions.closing(jacobian[rows], rate[rows], weights(known, np.inf, 1.0))
        moving: Array = v + motions.rates(u)
        if known.any() and not fits(system, t, q, moving, ALMOST):  # something that was given has to change
            u, _ = motions.closing(jacobian[rows], rate[rows], weights(known))
            moving = v + motions.rates(u)
        if flexible and system.ranks.count == 1 and not fits(system, t, q, moving, ALMOST):
            firm = known.any(axis=1)[motions.owner]
            moving = np.where(firm, v, moving)
            moving += ElasticSpread(system, q, firm).closing(jacobian, system.equations.rates(t, q, moving))
    except LinearSolveError:
        return v
    return moving


def fits(system: System, t: float, q: Array, v: Array, share: float = FITS) -> bool:
    """Do velocities satisfy the constraints, to a share of their size?"""
    rates = np.abs(system.equations.rates(t, q, v)).max(initial=0.0)
    speeds = max(np.abs(v).max(initial=0.0), np.abs(system.equations.explicit_rate(t, q)).max(initial=0.0))
    return bool(rates <= share * speeds)
