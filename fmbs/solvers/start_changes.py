"""How far the start of a run is from what the user drew and gave, and which joint or drive asked for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.protocols import Body
from fmbs.solvers.initial_velocities import given, weights
from fmbs.solvers.rigid_motions import RigidMotions, joint_rows, movable

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
    gaps = Gaps(system, t, drawn)
    found = [
        Moved(body.name, float(lengths[k]), float(turns[k]), float(shares[k]), *gaps.at(body))
        for k, body in ((k, system.dofs.bodies[k]) for k in told[:NAMED])
    ]
    return found, len(told)


class Gaps:
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

    def _is_length(self, row: int) -> bool:
        """Bodies that are shifted close a gap in metres; one in radians does not change."""
        if not movable(self._system):
            return False
        reach = RigidMotions(self._system, self._q).reach(self._jacobian[[row]]).toarray().reshape(-1, 6)
        return bool(np.abs(reach[:, :3]).max() > 1e-9 * np.abs(reach).max())


@dataclass(frozen=True)
class Contradiction:
    """A body whose initial velocity the constraints do not allow.

    before, after: velocity of the centre of mass, m/s, and spin, rad/s, in global axes  # (6,)
    beside: largest velocity of its points beside any rigid motion, m/s
    size: the change, m/s, and fastest: the largest speed of the motion, m/s
    known: were the velocity and the spin given?
    asked: the joint or drive that asked for it; drive: the drive behind it, "" if there is none
    """

    body: str
    planar: bool
    before: Array
    after: Array
    beside: float
    size: float
    fastest: float
    known: tuple[bool, bool]
    asked: str
    drive: str


def contradictions(
    system: System, t: float, q: Array, v0: Array, v: Array, share: float, *, strict: bool = False
) -> tuple[list[Contradiction], int]:
    """Given velocities that v does not have, and bodies that must deform, by more than a share of the largest speed: the worst
    ones, and their number.

    strict: what was not given counts as given
    """
    motions, bodies = RigidMotions(system, q), system.dofs.bodies
    before, after = motions.nearest(v0), motions.nearest(v)
    known = np.ones((len(bodies), 2), bool) if strict else given(system)
    lever = _levers(system, motions)
    beside = np.where(system.lengths, np.abs(v - v0 - motions.rates(after - before)), 0.0)
    beside = np.maximum.reduceat(beside, np.array([system.dofs[body] for body in bodies]))
    change, turn = (np.linalg.norm((after - before)[:, k : k + 3], axis=1) for k in (0, 3))
    speeds = [np.linalg.norm(u[:, :3], axis=1) + lever * np.linalg.norm(u[:, 3:], axis=1) for u in (before, after)]
    fastest = max(float(np.max(speeds)), float(beside.max()))
    sizes = np.max([change * known[:, 0], lever * turn * known[:, 1], beside], axis=0)
    told = [int(k) for k in np.argsort(-sizes, kind="stable") if sizes[k] > share * fastest]
    if not told:
        return [], 0
    blame = _Blame(system, t, q, v0, motions, lever, weights(known))
    found = [
        Contradiction(
            bodies[k].name, bodies[k].planar, before[k], after[k], float(beside[k]), float(sizes[k]), fastest,
            (bool(known[k, 0]), bool(known[k, 1])), blame.nearest_to(k), blame.drive,
        )
        for k in told[:NAMED]
    ]  # fmt: skip
    return found, len(told)


def _levers(system: System, motions: RigidMotions) -> Array:  # (bodies,)
    """How far from the centre of mass a body's spin shows: at its joints, at least at its radius of gyration."""
    lever: Array = motions.gyration.copy()
    number = {id(body): k for k, body in enumerate(system.dofs.bodies)}
    for joint in system.joints:
        for marker in (joint.a, joint.b):
            k = number.get(id(marker.body))
            if k is not None:
                lever[k] = max(lever[k], float(np.linalg.norm(marker.position - motions.centre[k])))
    return lever


class _Blame:
    """Impulses of joints and drives that change the given velocities.

    drive: the name of the drive with the largest one; "" where no drive takes part
    """

    def __init__(
        self, system: System, t: float, q: Array, v0: Array, motions: RigidMotions, lever: Array, weight: Array
    ) -> None:
        rows = joint_rows(system)
        self._labels = system.equations.labels[rows]
        jacobian = system.constraint_jacobian(t, q)[rows]
        rate = system.equations.rates(t, q, v0)[rows]
        _, impulse = motions.closing(jacobian, rate, weight)
        reach = motions.reach(jacobian)
        per_unit = np.repeat(np.stack([np.ones_like(lever), 1.0 / lever], axis=1), 3, axis=1).ravel()
        self._push = abs(reach).multiply(per_unit).multiply(np.abs(impulse)[:, None]).tocsc()
        terms, driven = system.equations.varying
        driven = np.unique(np.append(driven, system.equations.terms.row[terms])) - rows.start
        size = np.asarray(self._push.sum(axis=1)).ravel()
        strongest = driven[np.argmax(size[driven])] if driven.size else 0
        takes_part = driven.size and size[strongest] > 1e-3 * size.max()
        self.drive = self._part(int(strongest)) if takes_part else ""

    def nearest_to(self, body: int) -> str:
        """The joint or drive that pushes a body most."""
        push = np.asarray(self._push[:, 6 * body : 6 * body + 6].sum(axis=1)).ravel()
        return self._part(int(np.argmax(push)))

    def _part(self, row: int) -> str:
        return self._labels[row].partition(":")[0]


def length_text(x: float) -> str:
    """A length with its unit."""
    return f"{1e3 * x:.3g} mm" if x < 1.0 else f"{x:.3g} m"
