"""Consistent initial values: positions, velocities, accelerations and multipliers at t = 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import choice
from fmbs.core.defaults import ASSEMBLY_TOLERANCE
from fmbs.core.errors import ModelError
from fmbs.core.state import State
from fmbs.solvers.assembled import Assembled, assembled
from fmbs.solvers.contradictions import contradictions
from fmbs.solvers.initial_velocities import carried, completed, fits
from fmbs.solvers.linear import LinearSolveError, LinearSolver
from fmbs.solvers.moved_bodies import moved_bodies
from fmbs.solvers.projection import body_of, project_position, project_velocity, worst_equation
from fmbs.solvers.rigid_motions import movable
from fmbs.solvers.saddle import Saddle
from fmbs.solvers.start_words import refused_by_drive, refused_by_strictness, told_of_positions, told_of_velocities

__all__ = [
    "VELOCITIES",
    "InconsistentStart",
    "Start",
    "check_velocities",
    "consistent_start",
    "project_position",
    "project_velocity",
]

Array = NDArray[np.float64]

POSITION_SHARE = 1e-4  # of the model's size, and in radians: what is moved farther is told; drawn to four digits is fine
VELOCITY_SHARE = 0.01  # of the largest speed of the motion: what is changed by more is told
VELOCITIES = ("complete", "impulse", "strict")


class InconsistentStart(UserWarning):
    """Drawn positions or given velocities do not fit the joints; the run starts from the nearest ones that do."""


@dataclass(frozen=True)
class Start:
    """A consistent state and how far the user's values were moved to reach it.

    moved: largest change of a coordinate, relative to the model's size (lengths) or in radians; moved_part: the body
    moved_velocity: largest change of a velocity, m/s or rad/s; moved_velocity_part: the body
    bodies: where they were put, and whether flexible ones had to be bent for that
    told: what the user should know, in words
    """

    state: State
    moved: float
    moved_velocity: float
    moved_part: str
    moved_velocity_part: str
    bodies: Assembled
    told: tuple[str, ...]


def consistent_start(
    system: System, linear: LinearSolver, tolerance: float = ASSEMBLY_TOLERANCE, velocities: str = "complete"
) -> Start:
    """Move q and v, as drawn and given or as another run left them behind, onto the constraints, then solve for a and lam.

    Positions: bodies move as wholes first, and flexible ones are bent for what remains; rigid models: min |dq|_M with
    Phi(q + dq, t) = 0.

    tolerance: how far positions may be moved, relative to the model's size; another one than the default is taken as the
               user's word that so much is meant, and is not told
    velocities: "complete": those that were not given follow the others, the joints and the drives, as rigid motions; "impulse":
                min |dv|_M with Phi_q (v + dv) + Phi_t = 0 from what was given, zero if nothing; "strict": as given, or an
                error; "rest": zero, with a and lam, whatever drives and forces ask for
    """
    t, drawn = system.initial_time, system.initial_position
    told: list[str] = [*system.origin.told] if system.origin else []
    place = assembled(system, linear, t, drawn)
    q = place.q
    moved, moved_part = largest(system, np.where(_is_placed(system), (q - drawn) / system.scale, 0.0))
    if moved > tolerance:
        raise ModelError(
            f"initial positions: {moved_part!r} had to be moved by {moved:.3g} of the model's size to satisfy the joints, more "
            f"than assembly_tolerance = {tolerance:g}; {worst_equation(system, t, drawn)}. Draw the parts closer to each "
            "other, or allow it with assembly_tolerance=."
        )
    if tolerance == ASSEMBLY_TOLERANCE and moved > POSITION_SHARE:
        told.append(told_of_positions(*moved_bodies(system, t, drawn, q, POSITION_SHARE)))
    if velocities == "rest":
        still, history = np.zeros(system.size), system.contacts.initial_history()
        system.contacts.begin(t, q, still, history)
        _check_force(system.force(t, q, still), system)
        state = State(t, q, still, still, np.zeros(system.multipliers), still, history=history)
        return Start(state, moved, 0.0, moved_part, "", place, tuple(told))
    try:
        saddle = Saddle(system, linear, t, q)
    except LinearSolveError as error:
        raise ModelError(f"initial accelerations: {error}; check masses and the drives.") from None
    v0 = system.initial_velocity if system.origin else carried(system, drawn, q)
    v = v0 if velocities == "impulse" else completed(system, t, q, v0)
    v = saddle.admissible(v) if system.multipliers else v.copy()
    if velocities != "impulse":
        share = VELOCITY_SHARE + 2.0 * moved  # velocities drawn along with bodies that were turned have been told already
        told += _checked_velocities(system, t, q, v0, v, share, velocities == "strict")
    history = system.contacts.initial_history()
    if system.origin:
        history = system.origin.remembered(history, system.contacts.labels())
    system.contacts.begin(t, q, v, history)
    _check_force(system.force(t, q, v), system)
    try:
        a, lam = saddle.accelerations(v)
    except LinearSolveError as error:
        raise ModelError(f"initial accelerations: {error}; check masses, forces at t = 0 and the drives.") from None
    state = State(t, q, v, a, lam, a.copy(), history=history)
    moved_velocity, velocity_part = largest(system, v - v0)
    return Start(state, moved, moved_velocity, moved_part, velocity_part, place, tuple(told))


def _is_placed(system: System) -> NDArray[np.bool_]:  # (n,)
    """Coordinates that the user or another run has placed: bodies that are new beside those of a run are moved to them."""
    taken = system.origin.taken if system.origin else np.ones(len(system.dofs.bodies), bool)
    return np.repeat(taken, [body.size for body in system.dofs.bodies])


def _check_force(force: Array, system: System) -> None:
    if not np.isfinite(force).all():
        body = body_of(system, int(np.argmin(np.isfinite(force))))
        raise ModelError(f"initial forces: the force on {body!r} is NaN or infinite; check forces that are functions of time.")


def check_velocities(name: str, velocities: str) -> None:
    """A misspelt choice is found before any work."""
    choice(name, "initial_velocities", velocities, VELOCITIES)


def _checked_velocities(system: System, t: float, q: Array, v0: Array, v: Array, share: float, strict: bool) -> list[str]:
    """Raises ModelError where a drive contradicts what was given, and where anything does if `strict`; tells of joints."""
    if fits(system, t, q, v0):
        return []
    if not movable(system):  # which bodies were given a velocity is not known
        change, part = largest(system, v - v0)
        if strict and change > share * np.abs(v).max():
            raise ModelError(
                f"initial velocities: joints and drives change those of {part!r} by up to {change:.3g} m/s or rad/s. Give it "
                "what fits, or say that the joints catch it with an impulse: initial_velocities='impulse'."
            )
        return []
    found, count = contradictions(system, t, q, v0, v, share, strict=strict)
    if not found:
        return []
    if strict:
        raise ModelError(refused_by_strictness(found[0], count))
    given = [body for body in found if body.drive and any(body.known)]
    if given:
        raise ModelError(refused_by_drive(given[0], count))
    return [told_of_velocities(found, count)]


def largest(system: System, change: Array) -> tuple[float, str]:
    """The largest entry and the name of the body that it belongs to, "" where nothing changed."""
    worst = int(np.argmax(np.abs(change))) if change.size else 0
    size = float(np.abs(change[worst])) if change.size else 0.0
    return size, body_of(system, worst) if size > 0.0 else ""
