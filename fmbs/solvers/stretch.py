"""The compiled driver: many steps, fixed or by error control, without returning to Python.

It takes models whose parts can all be evaluated by kernels (`CompiledBatch`): rigid bodies, beams, ideal joints, drives,
springs, loads, clearance joints with built-in laws, wear and films. Everything else takes the open path of
`AlphaStepper.step`, through the same algorithm. Drives are functions of time in Python: their values at the coming steps are
worked out before. Other functions of time are asked when a kernel needs them (`Clock`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.protocols import BlockTarget, CompiledBatch, CompiledPart
from fmbs.core.state import State
from fmbs.gaps.joint_tables import Gaps, Work, work_of
from fmbs.jit.calls import address_of
from fmbs.jit.tables import address
from fmbs.solvers import _stretch_tables as tables
from fmbs.solvers._clock import Clock, Update
from fmbs.solvers._paced_kernels import paced_stretch
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
from fmbs.solvers.newton import ROUND_OFF, Newton
from fmbs.solvers.storage import Storage, storage_of
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


def parts_of(system: System) -> list[CompiledPart] | None:
    """Elements and then forces, without clearance joints; None if one of them needs Python."""
    batches = [*system.elements, *(batch for batch in system.batches if batch not in system.contacts.batches)]
    parts = [batch.compiled() if isinstance(batch, CompiledBatch) else None for batch in batches]
    known = [part for part in parts if part is not None]
    return known if len(known) == len(parts) else None


def gaps_of(system: System) -> tuple[Gaps, Work, Update | None] | None:
    """All clearance joints, and what they need at a time; None if one of them needs Python."""
    batches = system.contacts.batches
    if not batches:
        gaps = no_gaps()
        return gaps, work_of(gaps), None
    known: tuple[Gaps, Work, Update | None] | None = batches[0].tables() if len(batches) == 1 else None
    return known


class CompiledDriver:
    """Steps with `stretch` or `paced_stretch`; `take` and `give` hand its memory over when the open path steps between."""

    def __init__(
        self, system: System, storage: Storage, parts: list[CompiledPart], gaps: Gaps, work: Work, oil: Update | None,
        method: Method, paced: bool,
    ) -> None:  # fmt: skip
        self._system, self._method, self._storage = system, method, storage
        self._targets = [BlockTarget(slots(storage, batch.blocks()), storage.matrix.data) for batch in system.elements]
        self._compiled = parts  # owners of what the addresses point to
        self._equations = self._equations_of(parts, gaps, work)
        self._scratch = scratch_of(self._equations, *system.equations.constants)
        self.memory = Memory(storage.matrix, np.zeros(tables.NUMBERS, np.int64), np.zeros(tables.SIZES))
        self._motion = motion_of(self._equations, system.multipliers)
        self._log = log_of(self._equations, 0)
        self._kept = kept_of(self._motion, self.memory, self._log)
        updates = [*(part.update for part in parts), oil]
        self._clock = Clock([update for update in updates if update is not None], self._scratch.on_time)
        self._equations.events[tables.CLOCK] = self._clock.address
        driven = Driven(self._equations, method, self._motion, self.memory, self._log, self._kept, self._scratch)
        connect(driven, bool(system.contacts.batches), paced)

    @classmethod
    def of(cls, system: System, linear: Any, method: Method, paced: bool) -> CompiledDriver | None:
        """The driver of a system; None where a part needs Python, or the matrix another solver. paced: by error control."""
        parts, gaps = parts_of(system), gaps_of(system)
        storage = None if parts is None or gaps is None else storage_of(system, linear)
        if parts is None or gaps is None or storage is None:
            return None
        return cls(system, storage, parts, *gaps, method, paced)

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
            flowing=constraints.driven or system.damped or any(part.is_load or part.damped for part in parts),
            parts=self._parts_table(parts), gaps=gaps, work=work,
            gap_places=np.zeros(0, np.int32) if gap_entries is None else places(gap_entries.row, gap_entries.column),
            calls=calls_of(constraints.vectors, constraints.terms, gaps, work, bool(contacts)),
            events=np.zeros(tables.EVENTS, np.int64),
        )  # fmt: skip

    def _parts_table(self, parts: list[CompiledPart]) -> Parts:
        n, line = len(self._targets), np.zeros(1)
        forces = [batch for batch in self._system.batches if batch not in self._system.contacts.batches]
        patterns = [force.pattern() for force in forces]
        sizes = [0] * n + [pattern.row.size for pattern in patterns]
        outs = [*self._targets, *([line] * len(forces))]
        values = [address_of(part.force, part.table, line, line, line) for part in parts]
        tangents = [  # asked for after the forces: the process beside begins with the last, while this one needs forces
            address_of(part.tangent, part.table, line, line, 0.0, 0.0, out) for part, out in zip(parts, outs, strict=True)
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
            supply=_integers([0 if part.supply is None else address_of(part.supply, part.table, line, line) for part in parts]),
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
        self._clock.check()
        ends = np.append(state.t, times)
        series = self._system.equations.inputs_at(ends)
        motion, log = self._begin(state, last, ends.size), self._log
        done = stretch(self._equations, self._method, h, ends, series, motion, self.memory, log, self._kept, self._scratch)
        if not done:
            self._clock.check()
            return Stretch(0, state, last, *self._happened(motion, log.filled))
        t = float(ends[done])
        return Stretch(done, self._state(motion, t, self.memory.sizes), self._before(t), *self._happened(motion, log.filled))

    def run_paced(self, state: State, last: State | None, control: Control, pace: Array, until: float, most: int) -> Leap:
        """Steps with error control up to the one that passes `until`, as many as go smoothly."""
        self._clock.check()
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
                self._clock.check()
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
