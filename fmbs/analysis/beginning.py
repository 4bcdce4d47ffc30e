"""What every analysis begins with, and what it says at its end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import choice, positive
from fmbs.core.errors import ModelError
from fmbs.core.origin import Origin
from fmbs.core.ranks import ALONE, Ranks
from fmbs.core.state import Counters
from fmbs.core.state_coordinate import StateOwner
from fmbs.core.tell import tell
from fmbs.jit.beside import CompilerBeside
from fmbs.joints.drive_kinks import KinkInDrive, kinks_told
from fmbs.model import Model
from fmbs.results.solution import Solution, Statistics
from fmbs.results.start_strain import strain_told
from fmbs.solvers.linear import LinearSolver, linear_solver
from fmbs.solvers.linear.automatic import AutomaticSolver
from fmbs.solvers.redundancy import RedundantConstraints
from fmbs.solvers.start import InconsistentStart, Start, consistent_start

Array = NDArray[np.float64]

NAMED = 4  # redundant equations that the warning spells out


class Plans(NamedTuple):
    """Kernels that are compiled by another process meanwhile: those of all models, and those of a system."""

    core: Callable[[], object]
    later: Callable[[System, LinearSolver], object]


def begin(
    model: Model, solver: str, tolerance: float, ranks: Ranks = ALONE, plans: Plans | None = None, *,
    velocities: str = "impulse", t_end: float = 0.0, origin: Origin | None = None,
) -> tuple[System, LinearSolver, Start]:  # fmt: skip
    """Assemble, choose the linear solver, find consistent initial values; say what was left out, moved, and cannot be followed.

    velocities: as initial_velocities of `simulate`; t_end: until then drives are looked at for kinks, s
    origin: where a run begins that goes on from another one
    """
    positive(model.name, "assembly_tolerance", tolerance)
    linear_solver(solver, 1, ranks)  # a misspelt name is found before any work
    with CompilerBeside() as beside:
        if plans:
            beside.plan(plans.core)
        system = model.system(assembly_tolerance=tolerance, ranks=ranks, origin=origin)
        linear = linear_solver(solver, system.size + system.multipliers, ranks)
        if system.dropped:
            _warn_of_redundancy(model.name, system.dropped)
        if plans:
            later = plans.later
            beside.plan(lambda: later(system, linear))
        start = consistent_start(system, linear, tolerance, velocities=velocities)
        start = replace(start, told=(*start.told, *strain_told(system, start)))
    for text in start.told[len(origin.told) if origin else 0 :]:
        tell(f"{model.name}: {text}", InconsistentStart)
    kinks = tuple(text for joint in model.joints if t_end and (text := kinks_told(joint, t_end)))
    for text in kinks:
        tell(f"{model.name}: {text}", KinkInDrive)
    return system, linear, replace(start, told=(*start.told, *kinks))


def _warn_of_redundancy(name: str, dropped: list[str]) -> None:
    some = "; ".join(dropped[:NAMED]) + (f"; and {more} more" if (more := len(dropped) - NAMED) > 0 else "")
    tell(
        f"{name}: {len(dropped)} redundant equations left out: {some}. The motion is not affected; the other "
        "reactions share their load. All of them: sol.statistics.redundant.",
        RedundantConstraints,
    )


def check_stateless(model: Model, what: str) -> None:
    """States go on at rest: z' = g is not zero there."""
    for part in model.forces:
        if isinstance(part, StateOwner) and part.own_states:
            raise ModelError(
                f"{model.name}: {what}: {part.name or type(part).__name__} has states of its own, which {what} does not know; "
                "leave it out there, and add it to the model that m.simulate(start=...) or m.linearise(at=...) goes on with."
            )


def check_tangent(name: str, tangent: str) -> None:
    choice(name, "tangent", tangent, ("exact", "numerical"))


def statistics(system: System, linear: LinearSolver, start: Start, counters: Counters, clock: float) -> Statistics:
    return Statistics(
        steps=counters.steps, rejected=counters.rejected, iterations=counters.iterations,
        factorizations=counters.factorizations, contacts=counters.contacts,
        wall=time.perf_counter() - clock, linear_solver=linear.name,
        linear_chosen=linear.why if isinstance(linear, AutomaticSolver) else "",
        moved=start.moved, moved_velocity=start.moved_velocity, moved_part=start.moved_part,
        moved_velocity_part=start.moved_velocity_part, start=start.told, redundant=tuple(system.dropped),
    )  # fmt: skip


def with_drift(solution: Solution) -> Solution:
    drift = float(np.abs(solution.drift).max(initial=0.0))
    return replace(solution, statistics=replace(solution.statistics, drift=drift))
