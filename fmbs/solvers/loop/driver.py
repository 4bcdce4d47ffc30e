"""The Python side of the time loop: many steps, fixed or by error control, without returning to Python.

It calls parts by address: kernels where there are some (`CompiledBatch`), and functions in Python behind an address where not:
force elements, laws and films of users, linear solvers, Newton matrices by differences, ranks that make forces known to each
other (`PythonCalls`). Drives are functions of time in Python too: their values at the coming steps are worked out before. Other
functions of time are asked when needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.assembly.mass_product import mass_rows
from fmbs.assembly.system import Coefficients, System
from fmbs.core.protocols import BLOCK_TANGENT, FORCE, POWER, TANGENT, BlockTarget, CompiledBatch, CompiledPart
from fmbs.core.state import Counters, Leap, State, Stretch
from fmbs.gaps.contact_kernels import FREE, PHASE, SLIP_C
from fmbs.gaps.joint_tables import FILMS, LAWS, Gaps, GapTables, Work, work_of
from fmbs.jit.addresses import planning
from fmbs.jit.python_calls import PythonCalls
from fmbs.jit.tables import address
from fmbs.solvers.linear.base import LinearSolver, Sparsity
from fmbs.solvers.loop import radau_coefficients as radau
from fmbs.solvers.loop import tables
from fmbs.solvers.loop.connect import ALPHA, Kernels, calls_of, connect, no_gaps
from fmbs.solvers.loop.equations import ROUND_OFF
from fmbs.solvers.loop.pace import COUNT, ENDS, LEVEL, H
from fmbs.solvers.loop.python_force import python_part
from fmbs.solvers.loop.run import PASSED, STUCK, run
from fmbs.solvers.loop.slots import AT_CLOCK, AT_GATHER, AT_MEMORY, EVENTS
from fmbs.solvers.loop.tables import STATUSES, Control, Equations, Inputs, Memory, Method, Motion, Parts, Run
from fmbs.solvers.storage import PythonStorage, Storage, storage_of
from fmbs.solvers.storage.base import slots
from fmbs.solvers.storage.twin import twin_of

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

STRETCH = 5000  # steps that the loop takes at most before it lets others look
LONGEST_STRETCH = 2e6  # steps times unknowns: a second or so until progress is shown and an interruption is seen
NODES, PER_STEP = 400, 4  # of the grid on which drives are given to error control
LONG = 300  # equations from which on round-off may add up along the model
FAR = 30_000  # coordinates from which on the last bit of positions far from the origin counts in the strains


def gaps_of(system: System) -> GapTables:
    """All clearance joints."""
    for batch in system.contacts.batches:  # one: all of them are of one kind
        known: GapTables = batch.tables()
        return known
    gaps = no_gaps()
    return GapTables(gaps, work_of(gaps))


class Driver:
    """Steps one system with `run`, and remembers what the next step needs beside the state."""

    def __init__(
        self, system: System, linear: LinearSolver, method: Method, control: Control, kernels: Kernels = ALPHA
    ) -> None:
        fine, self._twin = np.ones(1, np.int64), None  # type: Integers, Storage | None
        self.calls, self._time = PythonCalls(fine), 0.0
        self._system, self._numerical = system, bool(method.numerical)
        self._storage: Storage = (
            PythonStorage(system.matrix(system.workspace), linear, self.calls, differenced=self._differenced)
            if method.numerical
            else storage_of(system, linear, self.calls)
        )
        self._targets = [
            BlockTarget(slots(self._storage, batch.blocks()), self._storage.matrix.data) for batch in system.elements
        ]
        joints = gaps_of(system)
        self._parts = self._parts_of(system)  # owners of what the addresses point to
        e, m = self._equations_of(joints.gaps, joints.work), system.multipliers
        memory = Memory(self._storage.matrix, np.zeros(tables.NUMBERS, np.int64), np.zeros(tables.SIZES))
        memory.sizes[tables.CONTRACTION] = 1.0
        memory.sizes[tables.NOISE] = 0.0 if m >= LONG or system.size >= FAR else ROUND_OFF
        self._most = max(1, min(STRETCH, int(LONGEST_STRETCH / (system.size + m))))
        log, scratch = tables.log_of(e, self._most), tables.scratch_of(e, *system.equations.constants, fine)
        motion, kept, stages = tables.motion_of(e, m), tables.kept_of(e, m), self._stages(e, scratch, linear, kernels)
        self._run = Run(e, method, control, motion, memory, log, kept, scratch, stages)
        e.events[AT_CLOCK] = self.calls.of_time(self._updates(joints))
        if system.ranks.count > 1:
            e.events[AT_GATHER] = self.calls.of_number("ranks", lambda _: system.gather(scratch.shared))
        if not planning():  # a driver that is only planned dies with its functions, but the joints' tables stay in use
            for place, owner, function in ((LAWS, "laws in Python", joints.laws), (FILMS, "films in Python", joints.films)):
                joints.gaps.layout.calls[place] = 0 if function is None else self.calls.of_number(owner, function)
        connect(self._run, bool(system.contacts.batches), kernels)

    def _stages(self, e: Equations, scratch: tables.Scratch, linear: LinearSolver, kernels: Kernels) -> tables.Stages:
        if kernels is ALPHA:
            return tables.no_stages(e)
        system, far = self._system, scratch.far
        n, m = system.size, system.multipliers
        pattern = Sparsity(system.matrix(system.workspace))
        row, column = pattern.indices.astype(np.int64), pattern.columns()
        self._twin = twin_of(pattern, linear, self.calls)
        twin = [self._twin.places(row + i * (n + m), column + j * (n + m)) for i in range(2) for j in range(2)]
        first, second = (Inputs(far.weights.copy(), far.minus_c.copy(), far.varying.copy()) for _ in range(2))
        q, v, dv, force, last_v = np.zeros((5, 3, n))
        lam, rates, last_lam = np.zeros((3, 3, m))
        return tables.Stages(
            c=radau.C, a=radau.A, inverse=radau.INVERSE, to=radau.TO, back=radau.BACK, eigen=radau.EIGENVALUES,
            weights=radau.ERROR, q=q, v=v, dv=dv, lam=lam, force=force, rates=rates, last_v=last_v, last_lam=last_lam,
            first=first, second=second, twin=self._twin.matrix, y=np.zeros(2 * (n + m)),
            base_places=self._storage.places(row, column), twin_places=np.stack(twin), factored=np.zeros(1),
            **tables.stage_memories(e),
        )  # fmt: skip

    def _parts_of(self, system: System) -> list[CompiledPart]:
        """Elements and then forces, without clearance joints."""
        forces = [batch for batch in system.batches if batch not in system.contacts.batches]
        owners: list[tuple[Any, BlockTarget | None]] = [*zip(system.elements, self._targets, strict=True)]
        found = []
        for batch, target in owners + [(force, None) for force in forces]:
            known = batch.compiled() if isinstance(batch, CompiledBatch) else None
            part = known or python_part(batch, target, system.size)
            if part.python is not None:
                part.python.place[0] = self.calls.of_number(part.python.owner, part.python.function)
            found.append(part)
        return found

    def _updates(self, joints: GapTables) -> list[tuple[str, Callable[[float], None]]]:
        """What sets the values of a time in tables, and whose it is."""
        updates = [("functions of time", part.update) for part in self._parts if part.update is not None]
        updates += [] if joints.update is None else [("functions of time", joints.update)]
        return [*updates, ("functions of time", self._at_time)] if self._numerical else updates

    def _at_time(self, t: float) -> None:
        self._time = t

    def _differenced(self) -> csc_matrix:
        """Newton's matrix by differences of the residual, or the matrix that was assembled, where another one is wanted."""
        s, motion, system, storage = self._run.scratch, self._run.motion, self._system, self._storage
        b, g, h, wanted = s.place
        if not wanted:
            return system.matrix(storage.matrix.data)
        system.contacts.begin(self._time - h, motion.q, motion.v, motion.history.ravel(), h)
        coefficients = Coefficients(mass=1.0, damping=g / b, stiffness=1.0 / b, constraint=system.mass_scale)
        return system.jacobian(self._time, s.place_q, s.place_v, s.place_lam, coefficients, "numerical")

    def _equations_of(self, gaps: Gaps, work: Work) -> Equations:
        system, places = self._system, self._storage.places
        constraints, mass = system.equations, system.mass_matrix
        phased, driven = constraints.varying
        entries, contacts = constraints.pattern(), system.contacts.batches
        gradient = np.flatnonzero(entries.row >= system.size)
        signs = np.random.default_rng(0).choice([-1.0, 1.0], system.size + system.multipliers)
        gap_entries = contacts[0].pattern() if contacts else None
        return Equations(
            vectors=constraints.vectors, terms=constraints.terms,
            mass=mass_rows(mass), mass_indptr=mass.indptr, mass_data=mass.data,
            mass_places=places(mass.indices.astype(np.int64), np.repeat(np.arange(system.size), np.diff(mass.indptr))),
            drag=system.drag, damped=system.damped, weight=system.weight,
            constraint_places=places(entries.row, entries.column),
            gradient=np.stack([gradient, entries.row[gradient] - system.size, entries.column[gradient]], axis=1),
            signs=signs, far=system.size >= FAR,
            scale=system.scale, per_scale=1.0 / system.scale, directions=system.directions, elastic=bool(system.elastic),
            mass_scale=system.mass_scale, length_scale=system.length_scale,
            driven=constraints.driven, phased_terms=phased, driven_rows=driven,
            flowing=constraints.driven or system.damped or any(x.is_load or x.damped or x.power for x in self._parts),
            parts=self._parts_table(), gaps=gaps, work=work,
            gap_places=np.zeros(0, np.int32) if gap_entries is None else places(gap_entries.row, gap_entries.column),
            calls=calls_of(constraints.vectors, constraints.terms, gaps, work, bool(contacts)),
            events=np.zeros(EVENTS, np.int64),
        )  # fmt: skip

    def _parts_table(self) -> Parts:
        parts, n = self._parts, len(self._targets)
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
            elements=n,
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

    @property
    def counters(self) -> Counters:
        """Work done."""
        return Counters(*(int(self._run.memory.numbers[place]) for place in tables.COUNTS))

    def snapshot(self) -> dict[str, Any]:
        """Everything beside the state that the next step depends on, so that a resumed run repeats itself to the last bit."""
        memory, motion = self._run.memory, self._run.motion
        own: dict[str, Any] = {
            "numbers": memory.numbers,
            "sizes": memory.sizes,
            "last_a": motion.last_a,
            "last_lam": motion.last_lam,
        }
        if self._twin is not None:
            stages = self._run.stages
            own |= {"last_v": stages.last_v, "stage_lam": stages.last_lam, "factored": stages.factored}
            own |= {"loose": stages.loose}
            own |= {"twin": self._twin.snapshot()}
        return {**own, "factors": self._storage.snapshot()}

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        memory, motion = self._run.memory, self._run.motion
        memory.numbers[:], memory.sizes[:] = kept["numbers"], kept["sizes"]
        motion.last_a[:], motion.last_lam[:] = kept["last_a"], kept["last_lam"]
        if self._twin is not None:
            stages = self._run.stages
            stages.last_v[:], stages.last_lam[:], stages.factored[:] = kept["last_v"], kept["stage_lam"], kept["factored"]
            stages.loose[:] = kept["loose"]
        if memory.numbers[tables.FACTORED] and "factors" in kept:
            self._storage.restore(kept["factors"])
            if self._twin is not None:
                self._twin.restore(kept["twin"])
        else:
            self.forget_matrix()

    def struck(self) -> bool:
        """Have rigid surfaces met where the loop has returned? Asked once."""
        flag = bool(self._run.memory.numbers[tables.HIT])
        self._run.memory.numbers[tables.HIT] = 0
        return flag

    def forget_matrix(self) -> None:
        """The next step makes a new one."""
        self._run.memory.numbers[tables.FACTORED] = 0

    def forget_last(self) -> None:
        """The next step is predicted without the one before."""
        self._run.memory.sizes[tables.LAST] = 0.0

    def stage_multipliers(self, x: float) -> Array:  # (m,)
        """At the fraction x of the last step, on the parabola through its stages."""
        c, lam = self._run.stages.c, self._run.stages.last_lam
        weights = [np.prod([(x - c[j]) / (c[i] - c[j]) for j in range(3) if j != i]) for i in range(3)]
        between: Array = np.array(weights) @ lam
        return between

    @property
    def remembers(self) -> bool:
        """Do stages hold what contacts remember?"""
        return bool(self._run.equations.events[AT_MEMORY])

    def stage_history(self, old: State, new: State, x: float) -> Array:  # (stations * width,)
        """At the fraction x of the last step, from old to new, on the polynomial through its start and stages."""
        stages, before, after = self._run.stages, old.history, new.history
        c, width = stages.c, self._run.motion.history.shape[1]
        weights = [x / c[i] * np.prod([(x - c[j]) / (c[i] - c[j]) for j in range(3) if j != i]) for i in range(3)]
        first = before.reshape(-1, width)
        between: Array = first.copy()
        held = (first[:, PHASE] != FREE) & (after.reshape(-1, width)[:, PHASE] != FREE)
        between[held, SLIP_C:] += np.tensordot(weights, stages.history - first, axes=1)[held, SLIP_C:]
        return between.ravel()

    def leap(self, state: State, method: Method, control: Control, pace: Array, until: float) -> Leap:
        """Steps up to the one that reaches or passes `until`. pace: see `pace`; changed in place."""
        self.calls.check()
        if method is not self._run.method or control is not self._run.control:
            self._run = replace(self._run, method=method, control=control)
        motion, memory, log, kept = self._run.motion, self._run.memory, self._run.log, self._run.kept
        times = self._grid(state.t, pace, until)
        series, clock = self._system.equations.inputs_at(times), np.array([state.t, state.t])
        motion.put(state)
        memory.sizes[tables.TURN], memory.sizes[tables.STEP], log.filled[:] = 0.0, state.h, 0
        reason = run(self._run, until, self._most, times, series, pace, clock)
        t, h = float(clock[0]), float(memory.sizes[tables.STEP])
        if reason == PASSED:
            old = kept.motion.state(float(clock[1]), float(kept.sizes[tables.STEP]))
            last = np.concatenate([motion.total - kept.motion.total, motion.absorbed - kept.motion.absorbed])
            new, exact = replace(motion.state(t, h), taken=float(last[2])), last if self._twin is not None else None
            return Leap(self._stretch(old, kept.motion, kept.filled), new, totals=exact)
        failure = STATUSES[memory.numbers[tables.STATUS]] if reason == STUCK else None
        return Leap(self._stretch(motion.state(t, h), motion, log.filled), failure=failure)

    def _grid(self, t: float, pace: Array, until: float) -> Array:
        """Times around the coming steps, at which drives are asked; none of them is after the end of the run."""
        control = self._run.control
        if not self._run.equations.driven:
            return np.array([t, control.t_end])
        between = self._twin is not None  # a method that asks for drives inside its steps
        if control.step and pace[LEVEL] and not between:
            return np.array([t, pace[ENDS + int(pace[LEVEL])]])
        if control.step and not between:
            first, begin = pace[COUNT], control.start + pace[COUNT] * control.step
            steps = np.ceil((max(min(until, control.t_end), t) - begin) / control.step * (1.0 - 1e-9))
            nodes = control.start + control.step * (first + np.arange(np.clip(steps, 1, self._most) + 1))
            ends: Array = np.minimum(nodes, control.t_end)
            return ends
        width = (control.step or pace[H]) / PER_STEP
        cells = min(NODES, max(1, int(np.ceil((control.t_end - t) / width * (1.0 - 1e-12)))))
        grid: Array = np.linspace(t, min(t + cells * width, control.t_end), cells + 1)
        return grid

    def _stretch(self, state: State, motion: Motion, filled: Integers) -> Stretch | None:
        """What happened up to `state`; None: nothing."""
        if not filled.any():
            return None
        log, turn = self._run.log, float(self._run.memory.sizes[tables.TURN])
        totals = np.concatenate([motion.total, motion.absorbed])
        return Stretch(state, totals, turn, log.times[: filled[0]].copy(), log.events[: filled[1]].copy())


def _integers(values: list[Any]) -> Integers:
    return np.array(values, np.int64)
