"""The compiled driver: many fixed steps without returning to Python, for the closed set of built-in parts it knows.

A mechanism of rigid bodies, ideal joints, drives, clearance joints with built-in laws and films and gravity on the dense solver
qualifies; everything else takes the open path of `AlphaStepper.step`, through the same algorithm. Drives are functions of time
in Python: their values at the coming steps are worked out before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.state import State
from fmbs.core.vectors import VectorTable
from fmbs.gaps.contact_kernels import HISTORY, Stations
from fmbs.gaps.film_kernels import Films
from fmbs.gaps.joint_kernels import Gaps
from fmbs.gaps.tangent_kernels import Layout
from fmbs.solvers import _stretch_tables as tables
from fmbs.solvers._stretch_kernels import PIECES, stretch
from fmbs.solvers._stretch_tables import EVENT, Equations, Log, Memory, Method, Motion, kept_of, scratch_of
from fmbs.solvers.newton import Newton

Array = NDArray[np.float64]

LARGEST = 60  # equations up to which the compiled elimination is worth it


class Stretch(NamedTuple):
    """Steps taken in one go: how many, where they led, the work of the drives and what flowed into each contact, J."""

    steps: int
    state: State
    before: State | None  # the state before the last step: time, accelerations and multipliers only
    work: float
    absorbed: Array  # (stations,)
    times: Array  # ends of all steps, and of pieces of those that contacts have cut, s
    events: Array  # (events, 5): station, 1 start or 0 end, time, normal speed, energy absorbed since the stretch began


def equations_of(system: System) -> Equations | None:
    """The system as the driver wants it; None if it has parts that the driver does not know."""
    n, size = system.size, system.size + system.multipliers
    if len(system.batches) > len(system.contacts.batches) or system.elements or system.damped or size > LARGEST:
        return None
    batches = system.contacts.batches
    gaps = _no_gaps() if not batches else batches[0].tables() if len(batches) == 1 else None
    if gaps is None:
        return None
    constraints, mass = system.equations, system.mass_matrix
    entries = constraints.pattern()
    rows = np.repeat(np.arange(n), np.diff(mass.indptr))
    gap_entries = batches[0].pattern() if batches else None
    return Equations(
        vectors=constraints.vectors, terms=constraints.terms,
        mass_indptr=mass.indptr, mass_indices=mass.indices, mass_data=mass.data, weight=system.weight,
        mass_places=rows * size + mass.indices.astype(np.int64), constraint_places=entries.row * size + entries.column,
        scale=system.scale, mass_scale=system.mass_scale, length_scale=system.length_scale, driven=constraints.driven,
        multipliers=system.multipliers,
        gaps=gaps, gap_places=np.zeros(0, np.int64) if gap_entries is None else gap_entries.row * size + gap_entries.column,
    )  # fmt: skip


def _no_gaps() -> Gaps:
    floats, whole, starts = np.zeros(0), np.zeros(0, np.int64), np.zeros(1, np.int64)
    rows, wide = np.zeros((0, 3)), np.zeros((0, 8))
    return Gaps(
        VectorTable(whole, starts, floats, whole),
        Stations(whole, whole, rows, rows, floats, floats, whole, wide, whole, wide, np.zeros((0, 0))),
        Films(whole, whole, whole, floats, floats, floats, whole, floats, floats, np.zeros(0, bool)),
        Layout(whole, starts, whole, starts),
    )


class CompiledDriver:
    """Steps a system with `stretch`; its memory is handed over by `take` and `give` when the open path steps between."""

    def __init__(self, system: System, equations: Equations, method: Method) -> None:
        self._system, self._equations, self._method = system, equations, method
        size = system.size + system.multipliers
        numbers, sizes = np.zeros(tables.NUMBERS, np.int64), np.zeros(tables.SIZES)
        self._scratch = scratch_of(equations)
        self.memory = Memory(np.zeros((size, size)), np.zeros(size, np.int64), numbers, sizes)

    def take(self, newton: Newton, settling: int, h: float) -> None:
        """Go on from where the open path stands, whose last step was h."""
        numbers, sizes = self.memory.numbers, self.memory.sizes
        if newton.factor is not None or newton.step != h:  # it has stepped since
            numbers[tables.FACTORED] = 0
        numbers[tables.WORN], numbers[tables.FEWEST], numbers[tables.EXTRA] = newton.worn, newton.fewest, newton.extra
        numbers[tables.SETTLING] = settling
        numbers[tables.ITERATIONS] = numbers[tables.FACTORIZATIONS] = numbers[tables.CONTACTS] = 0
        sizes[tables.CONTRACTION], sizes[tables.LARGEST] = newton.contraction, newton.largest

    def give(self, newton: Newton) -> int:
        """Let the open path go on from here; returns the steps yet to be straightened."""
        numbers, sizes = (x.tolist() for x in (self.memory.numbers, self.memory.sizes))
        newton.factor, newton.step = None, sizes[tables.STEP]
        newton.worn = bool(numbers[tables.WORN])
        newton.fewest, newton.extra = numbers[tables.FEWEST], numbers[tables.EXTRA]
        newton.contraction, newton.largest = sizes[tables.CONTRACTION], sizes[tables.LARGEST]
        newton.counters.iterations += numbers[tables.ITERATIONS]
        newton.counters.factorizations += numbers[tables.FACTORIZATIONS]
        newton.counters.contacts += numbers[tables.CONTACTS]
        return int(numbers[tables.SETTLING])

    def snapshot(self) -> dict[str, Any]:
        """The factorised matrix, so that a resumed run repeats itself to the last bit."""
        memory = self.memory
        return {"matrix": memory.matrix, "pivots": memory.pivots, "factored": int(memory.numbers[tables.FACTORED])}

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self.memory.matrix[:], self.memory.pivots[:] = kept["matrix"], kept["pivots"]
        self.memory.numbers[tables.FACTORED] = kept["factored"]

    def run(self, state: State, last: State | None, h: float, times: Array) -> Stretch:
        """Steps of size h to the given times, as many as go smoothly."""
        ends = np.append(state.t, times)
        weights, minus_c = self._system.equations.inputs(ends)
        before = state if last is None else last
        history = state.history.reshape(-1, HISTORY).copy()
        motion = Motion(
            state.q.copy(), state.v.copy(), state.a.copy(), state.lam.copy(), state.memory[0].copy(), state.memory[1].copy(),
            before.a.copy(), before.lam.copy(), history, np.zeros(len(history)),
        )  # fmt: skip
        room = 2 * ends.size + PIECES
        log = Log(np.empty(room), np.empty(((2 * len(history) + 1) * room, EVENT)), np.zeros(2, np.int64))
        sizes = self.memory.sizes
        sizes[tables.STEP], sizes[tables.LAST], sizes[tables.WORK] = state.h, 0.0 if last is None else state.t - last.t, 0.0
        kept = kept_of(motion, self.memory, log)
        done = stretch(self._equations, self._method, h, ends, weights, minus_c, motion, self.memory, log, kept, self._scratch)
        pieces, events = log.times[: log.filled[0]], log.events[: log.filled[1]]
        if not done:
            return Stretch(0, state, last, 0.0, motion.absorbed, pieces, events)
        t, none = float(ends[done]), np.empty(0)
        memory = np.stack([motion.w, motion.jerk])
        new = State(t, motion.q, motion.v, motion.a, motion.lam, memory, sizes[tables.STEP], motion.history.ravel())
        old = None
        if sizes[tables.LAST] > 0.0:
            old = State(t - float(sizes[tables.LAST]), none, none, motion.last_a, motion.last_lam, none)
        return Stretch(done, new, old, float(sizes[tables.WORK]), motion.absorbed, pieces, events)
