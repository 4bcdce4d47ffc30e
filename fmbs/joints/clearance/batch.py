"""All clearance joints of a model as one batch: contact with memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from fmbs.core.protocols import BatchEnergy, Entries, Offsets, Part
from fmbs.core.vectors import VectorPool, VectorTable
from fmbs.gaps import contact_kernels as kernels
from fmbs.gaps.contact_kernels import HISTORY, VECTORS, Stations
from fmbs.gaps.film_kernels import connect_films, evaluate_films
from fmbs.gaps.joint_kernels import (
    SLOPES,
    VALUES,
    act_everywhere,
    gap_force,
    gap_loads,
    gap_move,
    gap_power,
    gap_tangent,
)
from fmbs.gaps.joint_tables import Gaps, GapTables, work_of
from fmbs.gaps.kinematics import ROLLER
from fmbs.gaps.layouts import layout_of
from fmbs.gaps.profile_kernels import profile_frame
from fmbs.gaps.row_kernels import contact_rows
from fmbs.gaps.tangent_kernels import pattern
from fmbs.joints.clearance.base import ClearanceJoint, Station
from fmbs.joints.clearance.films import FilmBatch
from fmbs.laws.contact_law import ContactLaw
from fmbs.laws.film.base import FilmAction
from fmbs.laws.impact import coulomb
from fmbs.laws.law import IN_PYTHON, RIGID, memory_places, places, rows
from fmbs.math.vector_table import curvature_count

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class ClearanceJoints:
    """Batch of clearance joints; keeps the history at the start of the step that is being solved (see `begin`)."""

    is_load: ClassVar[bool] = False

    def __init__(self, vectors: VectorTable, joints: Sequence[ClearanceJoint]) -> None:
        self.joints = tuple(joints)
        self.owners = [(joint, station) for joint in joints for station in joint.stations]
        self._stations = _stations(joints)
        if (self._stations.kind >= ROLLER).any():
            self._stations.profile_call[0] = kernels.PROFILE.address(profile_frame, self._stations)
        self._films = FilmBatch(joints, self._stations)
        self._gaps = Gaps(vectors, self._stations, self._films.films, layout_of(vectors, len(joints)))
        states = max((s.friction.further_states for _, s in self.owners if s.friction is not None), default=0)
        self._work = work_of(self._gaps, states)
        if len(self._films):
            connect_films(self._films.films, self._stations, self._work.film)
        n, sectors = self._stations.wear.shape
        self.worn = slice(HISTORY, HISTORY + sectors)  # of a station's history: contact, wear of its sectors, friction's states
        self._width = HISTORY + sectors + states
        self.history_size = self._width * n
        self._in_python = [i for i in range(n) if IN_PYTHON in (self._stations.contact[i], self._stations.friction[i])]
        self._history, self._h, self._t = np.zeros((n, self._width)), 0.0, 0.0
        self.overdamped = len(self._films) > 0
        self._compiled = not self._in_python and self._films.compiled

    @classmethod
    def build(cls, parts: Sequence[ClearanceJoint], offsets: Offsets) -> Self:
        pool = VectorPool()
        for part in parts:
            for marker in (part.bearing, part.journal):
                pool.vectors += [marker.point, *(marker.direction(n) for n in part.triad)]
        return cls(pool.table(offsets), parts)

    def initial_history(self) -> Array:
        return np.zeros(self.history_size)

    def begin(self, t: float, q: Array, v: Array, history: Array, h: float) -> None:
        """A step of size h starts here; h = 0: forces are those of this very instant."""
        self._history, self._h = history.reshape(-1, self._width), h
        self._stations.wear[:] = self._history[:, self.worn]
        self._move(q, v)
        self._work.start[:] = self._work.motion

    def end(self, t: float, q: Array, v: Array) -> Array:
        """History after the step."""
        self._load(t, q, v)
        history, motion, loads = self._history.copy(), self._work.motion, self._work.loads
        kernels.remember(motion, loads, history)
        if self._stations.wear.shape[1]:
            kernels.wear_off(self._stations, self._work.u, motion, loads, self._h, history)
        return history.ravel()

    def gaps(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Penetration, m (negative: open), and its rate, m/s, of all stations; those without a contact law never touch."""
        self._move(q, v)
        depth = np.where(self._stations.contact == kernels.NONE, -np.inf, self._work.motion[:, kernels.DEPTH])
        return depth, self._work.motion[:, kernels.RATE].copy()

    def free(self, history: Array) -> NDArray[np.bool_]:
        """Stations that are not in contact."""
        flags: NDArray[np.bool_] = history.reshape(-1, self._width)[:, kernels.PHASE] == kernels.FREE
        return flags

    def touch(self, history: Array, stations: NDArray[np.bool_], speed: Array) -> Array:
        """History when these stations come into contact with these approach speeds."""
        touched = history.reshape(-1, self._width).copy()
        touched[stations, kernels.APPROACH] = np.maximum(speed[stations], 0.0)
        touched[stations, kernels.PHASE] = kernels.COMPRESSION
        return touched.ravel()

    def pattern(self) -> Entries:
        table, layout = self._gaps.vectors, self._gaps.layout
        curved = sum(curvature_count(table, i) for i in range(table.kind.size))
        rows, cols = np.zeros((2, int((np.diff(layout.starts) ** 2).sum()) + curved), dtype=np.int64)
        pattern(table, layout, rows, cols)
        return Entries(rows, cols)

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        if self._compiled:
            self._films.at_time(t)
            gap_force(self._gaps, self._work, self._history, self._h, q, v, out)
        elif self._load(t, q, v):
            act_everywhere(self._gaps, self._work)
            kernels.pull_all(self._gaps.vectors, q, self._work.u, self._work.g, out)

    def tangent(self, t: float, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
        if self._load(t, q, v, tangent=True):
            gap_tangent(self._gaps, self._work, q, v, stiffness, damping, out)
        else:
            out[:] = 0.0

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        """Elastic energy of the contacts; what they dissipate is the power that flows in (`exchange`) less this."""
        self._load(t, q, v)
        return BatchEnergy(float(self._work.loads[:, kernels.STORED].sum()), 0.0, 0.0)

    def exchange(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        """N (delta' + mu . slip) of every station, W, and the energy stored in it, J."""
        self._load(t, q, v)
        power = np.empty(len(self.owners))
        gap_power(self._gaps, self._work, power)
        return power, self._work.loads[:, kernels.STORED].copy()

    def tables(self) -> GapTables:
        """All joints for the time loop."""
        laws = self._python_laws if self._in_python else None
        films = None if self._films.compiled else self._python_films
        update = self._films.update if films is None else self._at_time
        return GapTables(self._gaps, self._work, update, laws, films)

    def _at_time(self, t: float) -> None:
        self._t = t
        self._films.at_time(t)

    def _python_laws(self, slopes: int) -> None:
        for i in self._in_python:
            self._user_loads(i, self._work.history, bool(slopes))

    def _python_films(self, tangent: int) -> None:
        self._films.evaluate_user(self._t, self._work.film, bool(tangent))

    def names(self) -> list[tuple[Part, str]]:
        return [(joint, station.end) for joint, station in self.owners]

    @property
    def rigid(self) -> NDArray[np.bool_]:
        """Stations with a law of fm.impact."""
        flags: NDArray[np.bool_] = self._stations.contact == RIGID
        return flags

    def impact_laws(self) -> list[tuple[ContactLaw | None, float, int]]:
        """Of every station: its law of fm.impact, the coefficient of friction, and in how many directions it may slip."""
        found: list[tuple[ContactLaw | None, float, int]] = []
        for joint, station in self.owners:
            law = station.contact if joint.rigid else None
            found.append((law, coulomb(station.friction), 1 if joint.flat else 2))
        return found

    def clearances(self) -> Array:
        return np.array([station.clearance if joint.gapped else joint.clearance for joint, station in self.owners])

    def motion(self, q: Array, v: Array) -> Array:
        """Depth, its rate and the slips of all stations  # (stations, 4)."""
        self._move(q, v)
        return self._work.motion.copy()

    def rows(self, q: Array, chosen: Integers) -> csr_matrix:
        """d(rate, slips)/dv of chosen stations  # (3 chosen, n)."""
        self._move(q, np.zeros_like(q))
        layout, joint = self._gaps.layout, self._stations.joint[chosen]
        width = np.diff(layout.starts)
        values = np.zeros((chosen.size, 3, int(width.max(initial=0))))
        contact_rows(self._gaps, self._work, q, chosen, np.zeros_like(q), values)
        data = np.concatenate([np.empty(0), *(values[c, :, : width[j]].ravel() for c, j in enumerate(joint))])
        own = [layout.coordinates[layout.starts[j] : layout.starts[j + 1]] for j in joint]
        columns = np.concatenate([np.empty(0, np.int64), *(np.tile(x, 3) for x in own)])
        starts = np.concatenate([[0], np.cumsum(np.repeat(width[joint], 3))])
        return csr_matrix((data, columns, starts), shape=(3 * chosen.size, q.size))

    def records(self, t: float, q: Array, v: Array) -> tuple[Array, Array, Array]:
        """Motion (n, 4), loads (n, LOADS) and place in the bearing's triad (n, 3) of all stations: what results are made of."""
        self._load(t, q, v)
        places = np.empty((len(self.owners), 3))
        kernels.places(self._stations, self._work.u, places)
        return self._work.motion.copy(), self._work.loads.copy(), places

    def film_records(self, t: float, q: Array, v: Array) -> tuple[list[ClearanceJoint], Array, list[FilmAction]]:
        """Joints with a film, their motion in the bearing's axes (films, 9) and what the films do."""
        self._load(t, q, v)
        film = self._work.film
        return [joint for _, joint, _ in self._films.parts], film.motion.copy(), self._films.actions(t, film)

    def wrench(self, t: float, q: Array, v: Array) -> Array:
        """Force on each joint's journal and moment about its marker, global axes  # (joints, 2, 3)."""
        self._load(t, q, v)
        act_everywhere(self._gaps, self._work)
        u, g = (x.reshape(-1, VECTORS, 3)[:, 4:] for x in (self._work.u, self._work.g))
        return np.stack([g[:, 0], np.cross(u[:, 1:], g[:, 1:]).sum(axis=1)], axis=1)

    def _move(self, q: Array, v: Array) -> None:
        gap_move(self._gaps, self._work, q, v, self._work.motion)

    def _load(self, t: float, q: Array, v: Array, tangent: bool = False) -> bool:
        """Evaluate all laws; False where nothing acts."""
        self._films.at_time(t)
        order = SLOPES if tangent else VALUES
        if self._compiled:
            return gap_loads(self._gaps, self._work, self._work.start, self._history, self._h, q, v, order)
        self._move(q, v)
        for i in self._in_python:
            self._user_loads(i, self._history, tangent)
        work = self._work
        pushing = kernels.evaluate(self._stations, work.motion, work.start, self._history, self._h, order, work.loads)
        if self.overdamped:
            evaluate_films(self._films.films, self._stations, work.u, work.du, order, work.film)
            self._films.evaluate_user(t, work.film, tangent)
        return pushing or self.overdamped

    def _user_loads(self, i: int, history: Array, slopes: bool) -> None:
        """Loads of a station whose contact or friction law is written in Python; those with a kernel are left to it.

        slopes: their derivatives too
        """
        loads = self._work.loads[i]
        loads[:] = 0.0
        depth, rate, *slip = self._work.motion[i].tolist()  # plain numbers: users calculate faster with them
        if depth <= 0.0 or history[i, kernels.PHASE] == kernels.FREE:
            return
        station = self.owners[i][1]
        if station.contact is not None and self._stations.contact[i] == IN_PYTHON:
            approach = float(history[i, kernels.APPROACH])
            law = station.contact
            if slopes:
                loads[: kernels.NEW_MEMORY] = law.differentiated(depth, rate, approach)
            else:
                force = float(law.normal_force(depth, rate, approach))
                loads[kernels.N] = 0.0 if force <= 0.0 else force
        if station.friction is not None and self._stations.friction[i] == IN_PYTHON:
            if slopes:
                mu, by_slip = station.friction.differentiated(slip)
                loads[kernels.MU : kernels.MU_SLIP] = mu
                loads[kernels.MU_SLIP : kernels.BRISTLE] = by_slip.ravel()
            elif (speed := math.hypot(*slip)) > 0.0:
                loads[kernels.MU : kernels.MU_SLIP] = float(station.friction.mu(speed)) / speed * np.array(slip)


def _wear_rate(joint: ClearanceJoint, sectors: int) -> float:
    """Of one of so many sectors: all joints share the finest division of the model."""
    return 0.0 if joint.wear is None else joint.wear_rate * sectors / joint.wear.sectors


def _stations(joints: Sequence[ClearanceJoint]) -> Stations:
    owners: list[tuple[int, Station]] = [(k, station) for k, joint in enumerate(joints) for station in joint.stations]
    sectors = max((0 if joint.wear is None else joint.wear.sectors for joint in joints), default=0)
    contacts, frictions = [s.contact for _, s in owners], [s.friction for _, s in owners]
    return Stations(
        joint=np.array([k for k, _ in owners], np.int64),
        kind=np.array([s.kind for _, s in owners], np.int64),
        offset=np.array([s.offset for _, s in owners], float),
        wall=np.array([s.wall for _, s in owners], float),
        clearance=np.array([s.clearance for _, s in owners], float),
        radius=np.array([s.radius for _, s in owners], float),
        contact=places(contacts),
        contact_row=rows(contacts),
        friction=places(frictions),
        friction_row=rows(frictions),
        contact_memory=memory_places(contacts),
        friction_memory=memory_places(frictions),
        wear=np.zeros((len(owners), sectors)),
        wear_rate=np.array([_wear_rate(joints[k], sectors) for k, _ in owners]),
        profile=np.concatenate([np.zeros(0), *(s.profile for _, s in owners)]),
        profile_start=np.cumsum([0, *(len(s.profile) for _, s in owners)])[: len(owners)].astype(np.int64),
        profile_call=np.zeros(1, np.int64),
    )
