"""Bodies that do not start where they were drawn, and which joint or drive asked for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.protocols import Body
from fmbs.solvers.rigid_motions import RigidMotions, movable

Array = NDArray[np.float64]

NAMED = 3  # bodies that are spelt out


@dataclass(frozen=True)
class Moved:
    """A body that is not where it was drawn.

    length, turn: largest change of a coordinate, m, and of a direction or angle, rad
    share: the larger of them, relative to the model's size
    asked: the equation that was open; gap: by how much, in words
    """

    body: str
    length: float
    turn: float
    share: float
    asked: str
    gap: str


def moved_bodies(system: System, t: float, drawn: Array, q: Array, share: float) -> tuple[list[Moved], int]:
    """Bodies moved by more than a share of the model's size (or so many radians), the farthest ones first, and their number."""
    change, first = np.abs(q - drawn), np.array([system.dofs[body] for body in system.dofs.bodies])
    lengths, turns = (np.maximum.reduceat(np.where(kind, change, 0.0), first) for kind in (system.lengths, ~system.lengths))
    shares = np.maximum(lengths / system.length_scale, turns)
    told = [int(k) for k in np.argsort(-shares, kind="stable") if shares[k] > share]
    if not told:
        return [], 0
    gaps = OpenEquations(system, t, drawn)
    found = [
        Moved(body.name, float(lengths[k]), float(turns[k]), float(shares[k]), *gaps.at(body))
        for k, body in ((k, system.dofs.bodies[k]) for k in told[:NAMED])
    ]
    return found, len(told)


class OpenEquations:
    """How far the equations of a model are open at a position."""

    def __init__(self, system: System, t: float, q: Array) -> None:
        self._system, self._q = system, q
        self._phi, self._jacobian = np.abs(system.constraints(t, q)), system.constraint_jacobian(t, q)

    def at(self, body: Body) -> tuple[str, str]:
        """The widest gap at a body (or anywhere, where its own joints fit): its equation and its size, in words."""
        phi, jacobian, own = self._phi, self._jacobian, self._system.dofs.coordinates_of(body)
        beside = np.diff(jacobian[:, own].indptr) > 0
        touching = np.where(beside, phi, 0.0)
        worst = int(np.argmax(touching if touching.max(initial=0.0) > 1e-3 * phi.max(initial=0.0) else phi))
        gap = length_text(phi[worst]) if self._is_length(worst) else f"{phi[worst]:.3g} rad"
        return self._system.equations.labels[worst], gap

    @cached_property
    def _motions(self) -> RigidMotions:
        return RigidMotions(self._system, self._q)

    def _is_length(self, row: int) -> bool:
        """Bodies that are shifted close a gap in metres; one in radians does not change."""
        if not movable(self._system):
            return False
        reach = self._motions.reach(self._jacobian[[row]]).toarray().reshape(-1, 6)
        return bool(np.abs(reach[:, :3]).max() > 1e-9 * np.abs(reach).max())


def length_text(x: float) -> str:
    """A length with its unit."""
    return f"{1e3 * x:.3g} mm" if x < 1.0 else f"{x:.3g} m"
