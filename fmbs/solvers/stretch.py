"""The compiled driver: many fixed steps without returning to Python, for the closed set of built-in parts it knows.

A mechanism of rigid bodies, ideal joints, drives, dry clearance joints with built-in laws and gravity on the dense solver
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
from fmbs.gaps.tangent_kernels import Layout
from fmbs.solvers import _stretch_kernels as kernels
from fmbs.solvers._stretch_kernels import Contacts, Equations, Memory, Method, Motion, stretch
from fmbs.solvers.newton import Newton

Array = NDArray[np.float64]

LARGEST = 60  # equations up to which the compiled elimination is worth it


class Stretch(NamedTuple):
    """Steps taken in one go: how many, where they led, the work of the drives and what flowed into each contact, J."""

    steps: int
    state: State
    before: State  # the state before the last step: accelerations and multipliers only
    work: float
    absorbed: Array  # (stations,)


def equations_of(system: System) -> Equations | None:
    """The system as the driver wants it; None if it has parts that the driver does not know."""
    n, size = system.size, system.size + system.multipliers
    if len(system.batches) > len(system.contacts.batches) or system.elements or system.damped or size > LARGEST:
        return None
    contacts = _contacts(system, size)
    if contacts is None:
        return None
    constraints, mass = system.equations, system.mass_matrix
    entries = constraints.pattern()
    rows = np.repeat(np.arange(n), np.diff(mass.indptr))
    return Equations(
        vectors=constraints.vectors, terms=constraints.terms,
        mass_indptr=mass.indptr, mass_indices=mass.indices, mass_data=mass.data, weight=system.weight,
        mass_places=rows * size + mass.indices.astype(np.int64), constraint_places=entries.row * size + entries.column,
        scale=system.scale, mass_scale=system.mass_scale, driven=constraints.driven,
        contacts=contacts,
    )  # fmt: skip


def _contacts(system: System, size: int) -> Contacts | None:
    """Tables of the clearance joints; None if they need Python."""
    batches = system.contacts.batches
    if not batches:
        floats, whole = np.zeros(0), np.zeros(0, np.int64)
        table = VectorTable(whole, np.zeros(1, np.int64), floats, whole)
        rows, wide = np.zeros((0, 3)), np.zeros((0, 8))
        none = Stations(whole, whole, rows, rows, floats, floats, whole, wide, whole, wide, np.zeros((0, 0)))
        return Contacts(table, none, Layout(whole, np.zeros(1, np.int64), whole, np.zeros(1, np.int64)), whole)
    tables = batches[0].tables() if len(batches) == 1 else None
    if tables is None:
        return None
    entries = batches[0].pattern()
    return Contacts(*tables, entries.row * size + entries.column)


class CompiledDriver:
    """Steps a system with `stretch`; its memory is handed over by `take` and `give` when the open path steps between."""

    def __init__(self, system: System, equations: Equations, method: Method) -> None:
        self._system, self._equations, self._method = system, equations, method
        size = system.size + system.multipliers
        self.memory = Memory(np.zeros((size, size)), np.zeros(size, np.int64), np.zeros(8, np.int64), np.array([1.0, 0, 0, 0]))

    def take(self, newton: Newton, settling: int, h: float) -> None:
        """Go on from where the open path stands."""
        numbers, sizes = self.memory.numbers, self.memory.sizes
        if newton.factor is not None or newton.step != h:  # it has stepped since, or with another step size
            numbers[kernels.FACTORED] = 0
        numbers[kernels.WORN], numbers[kernels.FEWEST], numbers[kernels.EXTRA] = newton.worn, newton.fewest, newton.extra
        numbers[kernels.SETTLING], numbers[kernels.ITERATIONS], numbers[kernels.FACTORIZATIONS] = settling, 0, 0
        sizes[kernels.CONTRACTION], sizes[kernels.LARGEST] = newton.contraction, newton.largest

    def give(self, newton: Newton, h: float) -> int:
        """Let the open path go on from here; returns the steps yet to be straightened."""
        numbers, sizes = (x.tolist() for x in (self.memory.numbers, self.memory.sizes))
        newton.factor, newton.step = None, h
        newton.worn = bool(numbers[kernels.WORN])
        newton.fewest, newton.extra = numbers[kernels.FEWEST], numbers[kernels.EXTRA]
        newton.contraction, newton.largest = sizes[kernels.CONTRACTION], sizes[kernels.LARGEST]
        newton.counters.iterations += numbers[kernels.ITERATIONS]
        newton.counters.factorizations += numbers[kernels.FACTORIZATIONS]
        return int(numbers[kernels.SETTLING])

    def snapshot(self) -> dict[str, Any]:
        """The factorised matrix, so that a resumed run repeats itself to the last bit."""
        memory = self.memory
        return {"matrix": memory.matrix, "pivots": memory.pivots, "factored": int(memory.numbers[kernels.FACTORED])}

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self.memory.matrix[:], self.memory.pivots[:] = kept["matrix"], kept["pivots"]
        self.memory.numbers[kernels.FACTORED] = kept["factored"]

    def run(self, state: State, last: State | None, h: float, times: Array) -> Stretch:
        """Steps of size h to the given times, as many as converge."""
        weights, minus_c = self._system.equations.inputs(np.append(state.t, times))
        before = state if last is None else last
        history = state.history.reshape(-1, HISTORY).copy()
        motion = Motion(
            state.q.copy(), state.v.copy(), state.a.copy(), state.lam.copy(), state.memory[0].copy(), state.memory[1].copy(),
            before.a.copy(), before.lam.copy(), history, np.zeros(len(history)),
        )  # fmt: skip
        self.memory.sizes[kernels.REACH] = 0.0 if last is None else h / (state.t - last.t)
        self.memory.sizes[kernels.WORK] = 0.0
        done = int(stretch(self._equations, self._method, h, weights, minus_c, motion, self.memory))
        if not done:
            return Stretch(0, state, before, 0.0, motion.absorbed)
        t, earlier = float(times[done - 1]), state.t if done == 1 else float(times[done - 2])
        memory = np.stack([motion.w, motion.jerk])
        new = State(t, motion.q, motion.v, motion.a, motion.lam, memory, h, motion.history.ravel())
        none = np.empty(0)
        old = State(earlier, none, none, motion.last_a, motion.last_lam, none)
        return Stretch(done, new, old, float(self.memory.sizes[kernels.WORK]), motion.absorbed)
