"""The compiled driver: many steps, fixed or by error control, without returning to Python.

It calls parts by address: kernels where there are some (`CompiledBatch`), and functions in Python behind an address where not:
force elements, laws and films of users, linear solvers, Newton matrices by differences (`PythonCalls`). Drives are functions of
time in Python too: their values at the coming steps are worked out before. Other functions of time are asked when needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.assembly.system import Coefficients, System
from fmbs.core.protocols import BLOCK_TANGENT, FORCE, POWER, TANGENT, BlockTarget, CompiledBatch, CompiledPart
from fmbs.core.state import State
from fmbs.gaps.joint_tables import FILMS, LAWS, Gaps, GapTables, Work, work_of
from fmbs.jit.addresses import planning
from fmbs.jit.python_calls import PythonCalls
from fmbs.jit.tables import address
from fmbs.solvers import _stretch_tables as tables
from fmbs.solvers._paced_kernels import paced_stretch
from fmbs.solvers._python_force import python_part
from fmbs.solvers._stretch_connect import Driven, calls_of, connect, no_gaps
from fmbs.solvers._stretch_kernels import stretch
from fmbs.solvers._stretch_tables import (
    Control,
    Equations,
    Memory,
    Method,
    Motion,
    Parts,
    kept_of,
    log_of,
    log_size,
    motion_of,
    scratch_of,
)
from fmbs.solvers.linear.base import LinearSolver
from fmbs.solvers.newton import ROUND_OFF, Newton
from fmbs.solvers.storage import PythonStorage, Storage, storage_of
from fmbs.solvers.storage.base import slots

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

STRETCH = 5000  # steps that the driver takes at most before it lets others look
NODES, PER_STEP = 400, 4  # of the grid on which drives are given to error control


class Stretch(NamedTuple):
    """Steps taken in one go: how many, where they led, work done and dissipated and what flowed into each contact, J."""

    steps: int
    state: State
    before: State | None  # the state before the last step: time, accelerations and multipliers only
    totals: Array  # (3 + stations,) as `results.energy.flows` counts
    turn: float  # largest of a body in one step, rad
    times: Array  # ends of all steps, and of pieces of those that contacts have cut, s
    events: Array  # (events, 5): station, 1 start or 0 end, time, normal speed, energy absorbed since the stretch began


class Leap(NamedTuple):
    """Steps with error control: a stretch, and the state after one step more if that passes a frame."""

    done: Stretch
    new: State | None
    before: State | None  # of the last state: time, accelerations and multipliers only


def gaps_of(system: System) -> GapTables:
    """All clearance joints."""
    for batch in system.contacts.batches:  # one: all of them are of one kind
        known: GapTables = batch.tables()
        return known
    gaps = no_gaps()
    return GapTables(gaps, work_of(gaps))


class CompiledDriver:
    """Steps with `stretch` or `paced_stretch`; `take` and `give` hand its memory over when the open path steps between."""

    def __init__(self, system: System, linear: LinearSolver, method: Method, paced: bool) -> None:
        fine = np.ones(1, np.int64)
        self.calls, self._time = PythonCalls(fine), 0.0
        self._system, self._method = system, method
        self._storage: Storage = (
            PythonStorage(system, linear, self.calls, self._differenced)
            if method.numerical
            else storage_of(system, linear, self.calls)
        )
        self._targets = [
            BlockTarget(slots(self._storage, batch.blocks()), self._storage.matrix.data) for batch in system.elements
        ]
        parts, joints = self._parts_of(system), gaps_of(system)
        self._compiled = parts  # owners of what the addresses point to
        self._equations = self._equations_of(parts, joints.gaps, joints.work)
        self._scratch = scratch_of(self._equations, *system.equations.constants, fine)
        self.memory = Memory(self._storage.matrix, np.zeros(tables.NUMBERS, np.int64), np.zeros(tables.SIZES))
        self._motion = motion_of(self._equations, system.multipliers)
        self._log = log_of(self._equations, 0)
        self._kept = kept_of(self._motion, self.memory, self._log)
        self._equations.events[tables.CLOCK] = self.calls.of_time(self._updates(joints))
        if not planning():  # a driver that is only planned dies with its functions, but the joints' tables stay in use
            for place, owner, function in ((LAWS, "laws in Python", joints.laws), (FILMS, "films in Python", joints.films)):
                joints.gaps.layout.calls[place] = 0 if function is None else self.calls.of_number(owner, function)
        driven = Driven(self._equations, method, self._motion, self.memory, self._log, self._kept, self._scratch)
        connect(driven, bool(system.contacts.batches), paced)

    def _parts_of(self, system: System) -> list[CompiledPart]:
        """Elements and then forces, without clearance joints."""
        forces = [batch for batch in system.batches if batch not in system.contacts.batches]
        owners: list[tuple[Any, BlockTarget | None]] = [*zip(system.elements, self._targets, strict=True)]
        found = []
        for batch, target in owners + [(force, None) for force in forces]:
            known = batch.compiled() if isinstance(batch, CompiledBatch) else None
            found.append(known or python_part(batch, target, system.size, self.calls))
        return found

    def _updates(self, joints: GapTables) -> list[tuple[str, Callable[[float], None]]]:
        """What sets the values of a time in tables, and whose it is."""
        updates = [("functions of time", part.update) for part in self._compiled if part.update is not None]
        updates += [] if joints.update is None else [("functions of time", joints.update)]
        return [*updates, ("functions of time", self._at_time)] if self._method.numerical else updates

    def _at_time(self, t: float) -> None:
        self._time = t

    def _differenced(self) -> csc_matrix:
        """Newton's matrix by differences of the residual, or the matrix that was assembled, where another one is wanted."""
        s, system, storage = self._scratch, self._system, self._storage
        b, g, h, wanted = s.place
        if not wanted:
            return system.matrix(storage.matrix.data)
        motion = self._motion
        system.contacts.begin(self._time - h, motion.q, motion.v, motion.history.ravel(), h)
        coefficients = Coefficients(mass=1.0, damping=g / b, stiffness=1.0 / b, constraint=system.mass_scale)
        return system.jacobian(self._time, s.place_q, s.place_v, s.place_lam, coefficients, "numerical")

    def _equations_of(self, parts: list[CompiledPart], gaps: Gaps, work: Work) -> Equations:
        system, places = self._system, self._storage.places
        constraints, mass = system.equations, system.mass_matrix
        phased, driven = constraints.varying
        entries, contacts = constraints.pattern(), system.contacts.batches
        gap_entries = contacts[0].pattern() if contacts else None
        return Equations(
            vectors=constraints.vectors, terms=constraints.terms,
            mass_indptr=mass.indptr, mass_indices=mass.indices, mass_data=mass.data,
            mass_places=places(mass.indices.astype(np.int64), np.repeat(np.arange(system.size), np.diff(mass.indptr))),
            drag=system.drag, damped=system.damped, weight=system.weight,
            constraint_places=places(entries.row, entries.column),
            scale=system.scale, directions=system.directions, elastic=bool(system.elastic),
            mass_scale=system.mass_scale, length_scale=system.length_scale,
            driven=constraints.driven, phased_terms=phased, driven_rows=driven,
            flowing=constraints.driven or system.damped or any(part.is_load or part.damped or part.power for part in parts),
            parts=self._parts_table(parts), gaps=gaps, work=work,
            gap_places=np.zeros(0, np.int32) if gap_entries is None else places(gap_entries.row, gap_entries.column),
            calls=calls_of(constraints.vectors, constraints.terms, gaps, work, bool(contacts)),
            events=np.zeros(tables.EVENTS, np.int64),
        )  # fmt: skip

    def _parts_table(self, parts: list[CompiledPart]) -> Parts:
        n = len(self._targets)
        forces = [batch for batch in self._system.batches if batch not in self._system.contacts.batches]
        patterns = [force.pattern() for force in forces]
        sizes = [0] * n + [pattern.row.size for pattern in patterns]
        values = [FORCE.address(part.force, part.table) for part in parts]
        tangents = [  # asked for after the forces: the process beside begins with the last, while this one needs forces
            TANGENT.address(part.tangent, part.table)
            if target is None
            else BLOCK_TANGENT.address(part.tangent, part.table, target)
            for part, target in zip(parts, [*self._targets, *([None] * len(forces))], strict=True)
        ]
        none = np.zeros(0, np.int64)
        row, column = (np.concatenate([none, *(pattern[k] for pattern in patterns)]) for k in range(2))
        return Parts(
            table=_integers([address(part.table) for part in parts]),
            force=_integers(values),
            tangent=_integers(tangents),
            target=_integers([address(target) for target in self._targets] + [0] * len(forces)),
            start=np.cumsum([0, *sizes]),
            places=self._storage.places(row, column),
            entries=np.zeros(row.size),
            is_load=_integers([part.is_load for part in parts]),
            damped=_integers([part.damped for part in parts]),
            power=_integers([0 if part.power is None else POWER.address(part.power, part.table) for part in parts]),
            viscous=_integers([0 if part.viscous is None else address(part.viscous) for part in parts]),
        )

    def take(self, newton: Newton, settling: int, h: float) -> None:
        """Go on from where the open path stands, whose last step was h."""
        numbers, sizes = self.memory.numbers, self.memory.sizes
        if newton.factor is not None or newton.step != h:  # it has stepped since
            numbers[tables.FACTORED] = 0
        numbers[tables.WORN], numbers[tables.FEWEST], numbers[tables.EXTRA] = newton.worn, newton.fewest, newton.extra
        numbers[tables.SETTLING] = settling
        for count in (tables.ITERATIONS, tables.FACTORIZATIONS, tables.CONTACTS, tables.REJECTED):
            numbers[count] = 0
        sizes[tables.CONTRACTION], sizes[tables.LARGEST] = newton.contraction, newton.largest
        sizes[tables.NOISE] = newton.noise or ROUND_OFF

    def give(self, newton: Newton) -> int:
        """Let the open path go on from here; returns the steps yet to be straightened."""
        numbers, sizes = (x.tolist() for x in (self.memory.numbers, self.memory.sizes))
        newton.factor, newton.step = None, sizes[tables.STEP]
        newton.worn = bool(numbers[tables.WORN])
        newton.fewest, newton.extra = numbers[tables.FEWEST], numbers[tables.EXTRA]
        newton.contraction, newton.largest = sizes[tables.CONTRACTION], sizes[tables.LARGEST]
        newton.noise = sizes[tables.NOISE]
        newton.counters.iterations += numbers[tables.ITERATIONS]
        newton.counters.factorizations += numbers[tables.FACTORIZATIONS]
        newton.counters.contacts += numbers[tables.CONTACTS]
        newton.counters.rejected += numbers[tables.REJECTED]
        return int(numbers[tables.SETTLING])

    def snapshot(self) -> dict[str, Any]:
        """The factorised matrix, so that a resumed run repeats itself to the last bit."""
        return {**self._storage.snapshot(), "factored": int(self.memory.numbers[tables.FACTORED])}

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self._storage.restore(kept)
        self.memory.numbers[tables.FACTORED] = kept["factored"]

    def run(self, state: State, last: State | None, h: float, times: Array) -> Stretch:
        """Steps of size h to the given times, as many as go smoothly."""
        self.calls.check()
        ends = np.append(state.t, times)
        series = self._system.equations.inputs_at(ends)
        motion, log = self._begin(state, last, ends.size), self._log
        done = stretch(self._equations, self._method, h, ends, series, motion, self.memory, log, self._kept, self._scratch)
        if not done:
            self.calls.check()
            return Stretch(0, state, last, *self._happened(motion, log.filled))
        t = float(ends[done])
        return Stretch(done, self._state(motion, t, self.memory.sizes), self._before(t), *self._happened(motion, log.filled))

    def run_paced(self, state: State, last: State | None, control: Control, pace: Array, until: float, most: int) -> Leap:
        """Steps with error control up to the one that passes `until`, as many as go smoothly."""
        self.calls.check()
        times = self._grid(state.t, float(pace[tables.H]), control)
        series = self._system.equations.inputs_at(times)
        motion, log, kept, clock = self._begin(state, last, most), self._log, self._kept, np.array([state.t, state.t])
        passed = paced_stretch(
            self._equations, self._method, control, until, most, times, series, motion, self.memory, log, kept,
            pace, clock, self._scratch,
        )  # fmt: skip
        t, taken = float(clock[0]), float(motion.total[2] - kept.motion.total[2])
        state_here, before = replace(self._state(motion, t, self.memory.sizes), taken=taken), self._before(t)
        if not passed:
            if not log.filled.any():
                self.calls.check()
            steps = int(log.filled[0])
            return Leap(Stretch(steps, state_here, before, *self._happened(motion, log.filled)), None, before)
        old = self._state(kept.motion, float(clock[1]), kept.sizes)
        done = Stretch(int(kept.filled[0]), old, None, *self._happened(kept.motion, kept.filled))
        return Leap(done, state_here, before)

    def _grid(self, t: float, h: float, control: Control) -> Array:
        """Nodes around the coming steps; nothing is asked of drives after the end of the run."""
        if not self._equations.driven:
            return np.array([t, control.t_end])
        width = h / PER_STEP
        cells = min(NODES, max(1, int(np.ceil((control.t_end - t) / width * (1.0 - 1e-12)))))
        return np.linspace(t, min(t + cells * width, control.t_end), cells + 1)

    def _begin(self, state: State, last: State | None, steps: int) -> Motion:
        """The state as the driver wants it, and an empty log for so many steps."""
        motion, sizes = self._motion, self.memory.sizes
        motion.put(state, state if last is None else last)
        sizes[tables.TURN] = 0.0
        sizes[tables.STEP], sizes[tables.LAST] = state.h, 0.0 if last is None else state.t - last.t
        if self._log.times.size < log_size(steps):
            self._log = log_of(self._equations, steps)
        self._log.filled[:] = 0
        return motion

    def _state(self, motion: Motion, t: float, sizes: Array) -> State:
        return motion.state(t, float(sizes[tables.STEP]))

    def _before(self, t: float) -> State | None:
        """What is known of the state before the one at t."""
        since, none = float(self.memory.sizes[tables.LAST]), np.empty(0)
        if since <= 0.0:
            return None
        return State(t - since, none, none, self._motion.last_a.copy(), self._motion.last_lam.copy(), none)

    def _happened(self, motion: Motion, filled: Integers) -> tuple[Array, float, Array, Array]:
        """Totals, largest turn, times and events of a stretch."""
        totals, turn = np.concatenate([motion.total, motion.absorbed]), float(self.memory.sizes[tables.TURN])
        return totals, turn, self._log.times[: filled[0]].copy(), self._log.events[: filled[1]].copy()


def _integers(values: list[Any]) -> Integers:
    return np.array(values, np.int64)
