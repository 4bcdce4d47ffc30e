"""Runs in phases: joints that lock and let go on the way, in one solution."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.analysis.beginning import with_drift
from fmbs.analysis.motion import simulate
from fmbs.assembly.system import System
from fmbs.core.checks import choice, nearest, positive, shown
from fmbs.core.equations import Equation, named
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import JointWithClearance
from fmbs.core.own_coordinate import own_coordinates
from fmbs.core.protocols import Force, IdealJoint
from fmbs.joints.locked import Locked
from fmbs.model import Model
from fmbs.results.solution import Solution
from fmbs.solvers.redundancy import RedundantConstraints

Array = NDArray[np.float64]

STILL = 1e-9  # share of the energy that a change of joints takes at least, if it takes any


class _Piece(NamedTuple):
    """One phase; told: what changed at its start."""

    solution: Solution
    told: tuple[str, ...]


class Simulation:
    """A run that goes on in phases: sim = m.start(step=1e-3); sim.run(until=1.0); sim.lock(hinge); sim.run(until=2.0).

    solution: everything so far in one Solution; multipliers of what is not in force are NaN, its reactions are 0
    t: how far it is, s
    """

    def __init__(self, model: Model, start: Solution | None, at: float | None, options: dict[str, Any]) -> None:
        self._model, self._start, self._at, self._options = model, start, at, options
        self._released: list[Any] = []
        self._locks: dict[int, Locked] = {}  # by id of the joint
        self._all_locks: list[Locked] = []
        self._pieces: list[_Piece] = []
        self._told: list[str] = []

    @property
    def t(self) -> float:
        return float(self._pieces[-1].solution.t[-1]) if self._pieces else 0.0

    def run(self, until: float) -> Solution:
        """Go on to the time `until`, s; returns everything so far."""
        until = positive(self._model.name, "until", until)
        before = self._pieces[-1].solution if self._pieces else None
        options = dict(self._options)
        with warnings.catch_warnings():
            if before is None:
                options |= {"start": self._start, "at": self._at}
            else:  # they have been told, and a lock has more of them
                warnings.simplefilter("ignore", RedundantConstraints)
                options |= {"start": before, "initial_velocities": "impulse"}
            found = simulate(self._now(), until, **options)
        self._pieces.append(_Piece(found, self._changes(before, found)))
        self._told = []
        return self.solution

    def lock(self, joint: IdealJoint | str) -> Locked:
        """From now on the markers of a joint keep the place and the rotation that they have to each other: a brake, a latch.

        Velocities jump by an impulse, whose loss is in the ledger's `dissipated`. Returns what holds them, for sol.reaction().
        """
        part = self._part(joint)
        if not isinstance(part, IdealJoint):
            raise ModelError(f"{self._model.name}: lock: {shown(part)} is no ideal joint; a force lets go and does not lock.")
        if id(part) in self._locks:
            raise ModelError(f"{self._model.name}: lock: {_label(part)!r} is locked already; sim.release() lets it go.")
        place, turn = self._pose(part.a, part.b)
        count = sum(lock.name.startswith(f"{_label(part)} locked") for lock in self._all_locks)
        name = f"{_label(part)} locked" + (f" {count + 1}" if count else "")
        lock = Locked(part.a, part.b, place=place, turn=turn, name=name)
        self._locks[id(part)] = lock
        self._all_locks.append(lock)
        self._told.append(f"{_label(part)!r} locked")
        return lock

    def release(self, part: IdealJoint | Force | str) -> None:
        """Let go what was locked, or take a joint or force out that was not: a cable that is cut. A part that was taken out
        can only be locked.
        """
        found: Any = self._part(part)
        if id(found) in self._locks:
            del self._locks[id(found)]
        elif any(found is gone for gone in self._released):
            raise ModelError(f"{self._model.name}: release: {_label(found)!r} has been let go already.")
        else:
            if isinstance(found, JointWithClearance) or own_coordinates([found]):
                raise ModelError(
                    f"{self._model.name}: release: {_label(found)!r} remembers or counts something and cannot be taken out; "
                    "go on with another model, m2.simulate(start=sim.solution)."
                )
            self._released.append(found)
        self._told.append(f"{_label(found)!r} released")

    @property
    def solution(self) -> Solution:
        """Everything so far."""
        if not self._pieces:
            raise ModelError(f"{self._model.name}: nothing has run yet; sim.run(until=1.0) does.")
        return self._pieces[0].solution if len(self._pieces) == 1 else _together(self._model, self._all_locks, self._pieces)

    def _now(self) -> Model:
        """The model with what is in force."""
        m = self._model
        model = Model(m.name, gravity=m.gravity)
        model.ground = m.ground
        model._known.add(id(m.ground))
        for part in (*m.bodies, *m.joints, *self._locks.values(), *m.forces):
            if not any(part is gone for gone in self._released):
                model.add(part)
        return model

    def _part(self, part: Any) -> Any:
        parts = [*self._model.joints, *self._model.forces]
        for known in parts:
            if known is part or (isinstance(part, str) and part and known.name == part):
                return known
        for key, lock in self._locks.items():
            if lock is part or (isinstance(part, str) and lock.name == part):
                return next(joint for joint in self._model.joints if id(joint) == key)
        names = [known.name for known in parts if known.name]
        raise ModelError(f"{self._model.name}: no joint or force {shown(part)} in the model.{nearest(part, names)}")

    def _pose(self, a: Marker, b: Marker) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
        """Place of b in the axes of a, and directions of b along these."""
        _ = a.frame, b.frame  # a cable has none and says so
        sol = self._pieces[-1].solution if self._pieces else None
        if sol is None:
            return tuple((b.position - a.position).tolist()), tuple(map(tuple, np.eye(3).tolist()))
        points, turns = [], []
        for marker in (a, b):
            point = np.atleast_2d(sol.position(marker))[-1]
            points.append(np.append(point, np.zeros(3 - point.size)))
            turns.append(np.asarray(sol.rotation(marker))[-1])
        place = turns[0].T @ (points[1] - points[0])
        return tuple(place.tolist()), tuple(map(tuple, (turns[0].T @ turns[1]).tolist()))

    def _changes(self, before: Solution | None, after: Solution) -> tuple[str, ...]:
        if before is None or not self._told:
            return ()
        lost = _stored(before, -1) - _stored(after, 0)
        return (f"t = {after.t[0]:.6g} s: {', '.join(self._told)}; {lost:.3g} J lost.",)


OPTIONS = ("step", "tolerance", "output_step", "integrator", "linear_solver", "tangent", "progress", "assembly_tolerance",
           "initial_velocities", "energy_tolerance")  # fmt: skip


def begin_phases(model: Model, start: Solution | None, at: float | None, options: dict[str, Any]) -> Simulation:
    """See `Simulation`; options: those of `simulate`, for all phases, but no checkpoint."""
    for name in options:
        choice(model.name, "option of start", name, OPTIONS)
    return Simulation(model, start, at, options)


def _label(part: Any) -> str:
    return part.name or type(part).__name__


def _stored(sol: Solution, k: int) -> float:
    """Kinetic, elastic and potential energy of a frame, J."""
    e = sol.energy
    return float(e.kinetic[k] + e.elastic[k] + e.potential[k])


def _together(model: Model, locks: list[Locked], pieces: list[_Piece]) -> Solution:
    """One solution of all phases, in a system with all parts."""
    solutions = [piece.solution for piece in pieces]
    joints = [*model.joints, *locks]
    full = _system(model, joints, [sol.system for sol in solutions])
    columns: dict[str, list[Array]] = {name: [] for name in ("t", "q", "v", "a", "lam", "history", "step_times")}
    ledger: dict[str, list[Array]] = {}
    sums: dict[str, Any] = dict.fromkeys(("work", "dissipated", "numerical", "contacts"), 0.0)
    for i, sol in enumerate(solutions):
        jump = 0.0 if i == 0 else _stored(solutions[i - 1], -1) - _stored(sol, 0)
        exchanged = sol.energy.kinetic[0] + sol.energy.elastic[0] + abs(sol.energy.potential[0])
        if not pieces[i].told or abs(jump) <= STILL * exchanged:
            jump = 0.0
        sums["dissipated"] += max(jump, 0.0)
        sums["work"] += max(-jump, 0.0)
        keep = slice(1 if i and jump == 0.0 else 0, None)  # a jump shows both its sides
        for name in columns:
            values = getattr(sol, name)
            values = _spread(full, sol, values) if name == "lam" else values
            columns[name].append(values if name == "step_times" else values[keep])
        for name, values in vars(sol.energy).items():
            ledger.setdefault(name, []).append((values + sums.get(name, 0.0))[keep])
        for name in sums:
            sums[name] = sums[name] + getattr(sol.energy, name)[-1]
    arrays = {name: np.concatenate(values) for name, values in columns.items()}
    arrays |= {f"energy/{name}": np.concatenate(values) for name, values in ledger.items()}
    done = solutions[-1].statistics
    add = {name: sum(getattr(sol.statistics, name) for sol in solutions) for name in _COUNTED}
    worst = max(solutions, key=lambda sol: sol.statistics.energy_error).statistics
    start = tuple(text for piece in pieces for text in piece.told)
    done = replace(
        done, **add, energy_error=worst.energy_error, verdict=worst.verdict, redundant=tuple(full.dropped),
        start=(*solutions[0].statistics.start, *start), coarse=tuple(x for sol in solutions for x in sol.statistics.coarse),
    )  # fmt: skip
    impacts = [impact for sol in solutions for impact in sol.impacts]
    return with_drift(Solution.from_arrays(full, arrays, done, impacts=impacts))


_COUNTED = ("steps", "rejected", "iterations", "factorizations", "contacts", "wall")


def _short(equation: Equation) -> str:
    """Its label without that of its part, which may have another number in another phase."""
    return equation.label.partition(": ")[2]


def _system(model: Model, joints: list[Any], systems: list[System]) -> System:
    """With the equations that were in force in some phase."""
    owners: list[Any] = [*model.bodies, *own_coordinates((*joints, *model.forces)), *joints]
    drop, count = set(), 0
    for owner in owners:
        kept = {_short(equation) for system in systems for equation in system.equations_of.get(id(owner), [])}
        for equation in named("part", owner.equations()):
            if _short(equation) not in kept:
                drop.add(count)
            count += 1
    return System(model.bodies, joints, model.forces, model.gravity, drop=frozenset(drop))


def _spread(full: System, sol: Solution, lam: Array) -> Array:
    """Multipliers in the rows of all phases; NaN where there was none."""
    spread = np.full((len(sol), full.multipliers), np.nan)
    for owner in (*sol.system.dofs.bodies, *sol.system.joints):
        rows, places = sol.system.dofs.multipliers_of(owner), full.dofs.multipliers_of(owner)
        names = [_short(equation) for equation in full.equations_of[id(owner)]]
        for row, equation in enumerate(sol.system.equations_of[id(owner)], rows.start):
            spread[:, places.start + names.index(_short(equation))] = lam[:, row]
    return spread
