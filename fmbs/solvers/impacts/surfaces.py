"""The rigid surfaces of a system: where they are, and how the rates of their gaps and slips depend on velocities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from fmbs.assembly.system import System
from fmbs.core.protocols import RigidBatch
from fmbs.gaps.contact_kernels import CIRCLING, DEPTH, FOLLOWING, FREE, HISTORY, MEMORY, PHASE, RATE, SLIP_A, SLIP_C

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]

SHORT = 1e-5  # of the time in which the model moves by its own size: over it rates are differenced


def is_rigid(system: System) -> bool:
    """Has any contact of the system a law of fm.impact?"""
    return any(isinstance(batch, RigidBatch) and bool(batch.rigid.any()) for batch in system.contacts.batches)


@dataclass(frozen=True)
class Closed:
    """Stations whose surfaces touch. Rows: first the rates of all gaps (> 0: going in), then slips where there is friction.

    chosen: (k,) stations; mu: (k,)
    rows: (k + slips, n), so that rows @ v are the rates
    owner: (slips,) which of the chosen a slip belongs to; axis: 0 along t, 1 along e
    """

    chosen: Integers
    mu: Array
    rows: csr_matrix
    owner: Integers
    axis: Integers

    @property
    def size(self) -> int:
        return int(self.chosen.size)

    def weights(self, mass: Array) -> Array:  # (k + slips,)
        """A typical mass behind each row: 1/sum(G^2/m)."""
        square = self.rows.multiply(self.rows) @ (1.0 / np.maximum(mass, 1e-12 * mass.max(initial=1.0)))
        weights: Array = 1.0 / np.maximum(np.asarray(square).ravel(), 1e-300)
        return weights

    def slip_norms(self, slips: Array) -> Array:  # (k,)
        norms: Array = np.sqrt(np.bincount(self.owner, slips * slips, minlength=self.size))
        return norms


class Surfaces:
    """All stations of a system with a law of fm.impact."""

    def __init__(self, system: System) -> None:
        self.system = system
        batches: list[Any] = [batch for batch in system.contacts.batches if isinstance(batch, RigidBatch)]
        self._batch: Any = batches[0] if batches else None
        laws = batches[0].impact_laws() if batches else []
        self.laws = [law for law, _, _ in laws]
        self.flags: Flags = batches[0].rigid if batches else np.zeros(0, bool)
        self.restitution = np.array([0.0 if law is None else law.restitution for law in self.laws])
        self.mu = np.array([mu for _, mu, _ in laws])
        self.directions = np.array([count for _, _, count in laws])
        self.clearances = batches[0].clearances() if batches else np.zeros(0)
        self.names = system.contacts.names()

    def motion(self, q: Array, v: Array) -> Array:  # (stations, 4)
        motion: Array = self._batch.motion(q, v) if self.flags.size else np.zeros((0, 4))
        return motion

    def depth_and_rate(self, q: Array, v: Array) -> tuple[Array, Array]:
        motion = self.motion(q, v)
        return np.where(self.flags, motion[:, DEPTH], -np.inf), motion[:, RATE]

    def closed(self, q: Array, chosen: Integers) -> Closed:
        """The rows of these stations."""
        if not chosen.size:
            none = np.empty(0, np.int64)
            return Closed(chosen, np.empty(0), csr_matrix((0, q.size)), none, none)
        rows, mu = self._batch.rows(q, chosen), self.mu[chosen]
        slips = [(c, axis) for c, i in enumerate(chosen) for axis in range(self.directions[i]) if mu[c] > 0.0]
        owner, axis = (np.array([slip[k] for slip in slips], np.int64) for k in range(2))
        order = np.concatenate([3 * np.arange(chosen.size), 3 * owner + 1 + axis])
        return Closed(chosen, mu, rows[order], owner, axis)

    def slips(self, closed: Closed, q: Array, v: Array) -> Array:  # (slips,)
        motion = self.motion(q, v)
        slips: Array = motion[closed.chosen[closed.owner], CIRCLING + closed.axis]
        return slips

    def drift(self, closed: Closed, q: Array, v: Array) -> Array:  # (k + slips,)
        """Rates of rows @ v at v' = 0: how rows turn."""
        pace = max(self.system.pace(v), 1e-300)
        dt = SHORT / pace
        dt = min(
            dt,
            float(SHORT * (self.clearances[closed.chosen].min(initial=np.inf)) / max(np.abs(v).max(initial=0.0), 1e-300)) * 1e2,
        )
        ahead, behind = (self._rates(closed, q + s * dt * v, v) for s in (1.0, -1.0))
        drift: Array = (ahead - behind) / (2.0 * dt)
        return drift

    def _rates(self, closed: Closed, q: Array, v: Array) -> Array:
        motion = self.motion(q, v)
        return np.concatenate([motion[closed.chosen, RATE], motion[closed.chosen[closed.owner], CIRCLING + closed.axis]])

    def resting(self, history: Array) -> Integers:
        """Stations whose surfaces stay together."""
        if not self.flags.size:
            return np.empty(0, np.int64)
        table = history.reshape(self.flags.size, -1)
        return np.flatnonzero(self.flags & (table[:, PHASE] != FREE))

    def forces(self, closed: Closed, history: Array) -> Array:  # (k + slips,)
        """What the stations remember."""
        if not closed.size:
            return np.empty(0)
        table = history.reshape(self.flags.size, -1)
        along = np.array([SLIP_C, SLIP_A])[closed.axis]
        return np.concatenate([table[closed.chosen, MEMORY], table[closed.chosen[closed.owner], along]])

    def put(self, closed: Closed, forces: Array, history: Array) -> Array:
        """The history with these forces; stations that do not push are free, and so are all rigid ones that are not closed."""
        if not self.flags.size:
            return history
        table = history.reshape(self.flags.size, -1).copy()
        table[self.flags, :HISTORY] = 0.0
        normal, along = forces[: closed.size], np.array([SLIP_C, SLIP_A])[closed.axis]
        pushing = normal > 0.0
        table[closed.chosen[pushing], PHASE], table[closed.chosen[pushing], MEMORY] = FOLLOWING, normal[pushing]
        held = pushing[closed.owner]
        table[closed.chosen[closed.owner[held]], along[held]] = forces[closed.size :][held]
        return table.ravel()
