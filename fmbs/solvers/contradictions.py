"""Initial velocities that the constraints do not allow, and which joint or drive is behind it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.solvers.initial_velocities import given_motions, weights
from fmbs.solvers.rigid_motions import RigidMotions, joint_rows

Array = NDArray[np.float64]

NAMED = 3  # bodies that are looked at closely


@dataclass(frozen=True)
class Contradiction:
    """A body whose initial velocity the constraints do not allow.

    before, after: velocity of the centre of mass, m/s, and spin, rad/s, in global axes  # (6,)
    deforming: largest velocity of its points beside any rigid motion, m/s
    size: the change, m/s, and fastest: the largest speed of the motion, m/s
    known: were the velocity and the spin given?
    asked: the joint or drive that asked for it; drive: the drive behind it, "" if there is none
    """

    body: str
    planar: bool
    before: Array
    after: Array
    deforming: float
    size: float
    fastest: float
    known: tuple[bool, bool]
    asked: str
    drive: str


def contradictions(
    system: System, t: float, q: Array, v0: Array, v: Array, share: float, *, strict: bool = False
) -> tuple[list[Contradiction], int]:
    """Given velocities that v does not have, and bodies that must deform, by more than a share of the largest speed: the worst
    ones, those with given velocities first, and their number.

    strict: what was not given counts as given
    """
    motions, bodies = RigidMotions(system, q), system.dofs.bodies
    before, after = motions.nearest(v0), motions.nearest(v)
    known = np.ones((len(bodies), 2), bool) if strict else given_motions(system)
    lever = _levers(system, motions)
    deforming = np.where(system.lengths, np.abs(v - v0 - motions.rates(after - before)), 0.0)
    deforming = np.maximum.reduceat(deforming, np.array([system.dofs[body] for body in bodies]))
    change, turn = (np.linalg.norm((after - before)[:, k : k + 3], axis=1) for k in (0, 3))
    speeds = [np.linalg.norm(u[:, :3], axis=1) + lever * np.linalg.norm(u[:, 3:], axis=1) for u in (before, after)]
    fastest = max(float(np.max(speeds)), float(deforming.max()))
    sizes = np.max([change * known[:, 0], lever * turn * known[:, 1], deforming], axis=0)
    order = np.lexsort((-sizes, ~known.any(axis=1)))
    told = [int(k) for k in order if sizes[k] > share * fastest]
    if not told:
        return [], 0
    blame = _Blame(system, t, q, v0, motions, lever, weights(known))
    found = [
        Contradiction(
            bodies[k].name, bodies[k].planar, before[k], after[k], float(deforming[k]), float(sizes[k]), fastest,
            (bool(known[k, 0]), bool(known[k, 1])), *blame.of(k),
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
    """Impulses of joints and drives that change the given velocities."""

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
        self._driven = np.isin(np.arange(rows.start, rows.stop), [*driven, *system.equations.terms.row[terms]])
        touches = reach.tocoo()  # a graph of equations and bodies: drives of another mechanism have no say
        place = (touches.row, rows.stop - rows.start + touches.col // 6)
        size = rows.stop - rows.start + len(system.dofs.bodies)
        graph = scipy.sparse.coo_array((np.ones(touches.nnz), place), shape=(size, size))
        self._mechanism = scipy.sparse.csgraph.connected_components(graph, directed=False)[1]

    def of(self, body: int) -> tuple[str, str]:
        """The joint or drive that pushes a body most, and the drive that takes part in it, "" if none does."""
        count = len(self._labels)
        own = np.asarray(self._push[:, 6 * body : 6 * body + 6].sum(axis=1)).ravel()
        connected = self._mechanism[:count] == self._mechanism[count + body]
        push = np.where(connected, np.asarray(self._push.sum(axis=1)).ravel(), 0.0)
        driven = np.where(self._driven, push, 0.0)
        takes_part = driven.max() > 1e-3 * push.max()
        return self._part(int(np.argmax(own))), self._part(int(np.argmax(driven))) if takes_part else ""

    def _part(self, row: int) -> str:
        return self._labels[row].partition(":")[0]
