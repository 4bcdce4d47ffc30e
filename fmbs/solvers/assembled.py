"""Where the bodies of a model start: drawn positions, moved until the joints fit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.solvers.elastic_spread import ElasticSpread
from fmbs.solvers.linear import LinearSolveError, LinearSolver
from fmbs.solvers.projection import project_position
from fmbs.solvers.rigid_motions import RigidMotions, joint_rows, movable

Array = NDArray[np.float64]

FITS = 1e-10  # gaps of joints that are round-off, relative to the model's size, and in radians
STEPS = 30
FARTHEST = 0.5  # of the model's size, and in radians, in one step


class Assembled(NamedTuple):
    """Positions that satisfy the constraints, and how they were reached.

    q: the position; unbent: the one before, in which every body has its drawn shape; bent: had flexible bodies to be bent?
    """

    q: Array
    unbent: Array
    bent: bool


def assembled(system: System, linear: LinearSolver, t: float, drawn: Array) -> Assembled:
    """Drawn positions moved onto Phi(q, t) = 0: rigidly as far as that goes, then by bending, each with the least change.

    Rigid models, and what round-off leaves, take the nearest position weighted by mass.
    """
    if system.origin:
        return Assembled(project_position(system, linear, t, _joined(system, t, drawn)), drawn, False)
    unbent, q, bent = drawn, drawn, False
    flexible = any(body.batch is not None for body in system.dofs.bodies)
    if flexible and movable(system) and _open(system, t, drawn):
        unbent = _moved(system, t, drawn)
        q, bent = unbent, _open(system, t, unbent)
        if bent and system.ranks.count == 1:
            q = _bent(system, t, unbent)
    return Assembled(project_position(system, linear, t, q), unbent, bent)


def _open(system: System, t: float, q: Array) -> bool:
    gap = float(np.abs(system.constraints(t, q)).max(initial=0.0))
    return gap > FITS * min(1.0, system.length_scale)


def _joined(system: System, t: float, q: Array) -> Array:
    """Bodies that another run did not know, moved as wholes to those that it left behind."""
    assert system.origin is not None
    taken = system.origin.taken
    if taken.all() or not movable(system) or not _open(system, t, q):
        return q
    return _moved(system, t, q, np.where(taken[:, None], np.inf, np.ones((taken.size, 6))))


def _moved(system: System, t: float, q: Array, weight: Array | None = None) -> Array:
    """Every body moved as a whole, by Gauss-Newton steps, to where the gaps of the joints are smallest; a weight of infinity
    holds a motion.
    """
    rows = joint_rows(system)
    if rows.start == rows.stop:
        return q
    scale = np.array([system.length_scale] * 3 + [1.0] * 3)
    weight = np.ones((len(system.dofs.bodies), 6)) if weight is None else weight
    for _ in range(STEPS):
        motions = RigidMotions(system, q)
        gap = system.constraints(t, q)[rows]
        try:
            u, _ = motions.closing(system.constraint_jacobian(t, q)[rows], gap, weight)
        except LinearSolveError:
            return q
        size = float(np.abs(u / scale).max())
        q = motions.displaced(q, u * min(1.0, FARTHEST / size if size > 0.0 else 1.0))
        if size < FITS:
            break
    return q


def _bent(system: System, t: float, unbent: Array) -> Array:
    """Flexible bodies bent, with the least elastic energy, until the joints fit."""
    spread, q = ElasticSpread(system, unbent, np.zeros(system.size, bool)), unbent
    for _ in range(STEPS):
        try:
            change = spread.closing(system.constraint_jacobian(t, q), system.constraints(t, q))
        except LinearSolveError:
            return unbent  # the nearest position weighted by mass then says what is wrong, if it fails as well
        size = float(np.abs(change / system.scale).max())
        q = q + change * min(1.0, FARTHEST / size if size > 0.0 else 1.0)
        if size < FITS:
            return q
    return unbent
