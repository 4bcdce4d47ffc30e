"""The analyses of a model: from a Model to a Solution."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import nearest, positive, whole
from fmbs.core.errors import ConvergenceError, Interrupted, ModelError
from fmbs.core.ranks import ALONE, Ranks, world
from fmbs.core.state import Counters, State
from fmbs.core.status import Status
from fmbs.joints.clearance.base import ClearanceJoint
from fmbs.joints.drive_kinks import KinkInDrive, kinks_told
from fmbs.math.beside import CompilerBeside
from fmbs.math.compiled import compile_notice
from fmbs.model import Model
from fmbs.progress import progress_bar
from fmbs.results.energy import accumulated
from fmbs.results.recorder import Recorder
from fmbs.results.run_file import RunFile
from fmbs.results.solution import Solution, Statistics
from fmbs.results.start_strain import strain_told
from fmbs.simulate import ErrorControl, FixedStep, OwnControl, StepControl, StepFailure
from fmbs.simulate import simulate as run
from fmbs.solvers._stretch_connect import ask_for_core
from fmbs.solvers.buckling import Buckling, critical_loads
from fmbs.solvers.equilibrium import TOLERANCE, ArcPath, EquilibriumFailure, LoadPath, Point, Settings, Statics
from fmbs.solvers.generalized_alpha import AlphaStepper, GeneralizedAlpha
from fmbs.solvers.kinematics import driven_motion
from fmbs.solvers.linear import LinearSolver, linear_solver
from fmbs.solvers.modes import Modes, natural_modes
from fmbs.solvers.ode import OdeIntegrator, OdeStepper
from fmbs.solvers.redundancy import RedundantConstraints
from fmbs.solvers.stability import UnstableEquilibrium, unstable_directions
from fmbs.solvers.start import ASSEMBLY_TOLERANCE, InconsistentStart, Start, check_velocities, consistent_start

Array = NDArray[np.float64]

NAMED = 4  # redundant equations that the warning spells out


def simulate(
    model: Model, t_end: float, *, step: float | None = None, tolerance: float | None = None,
    output_step: float | None = None, integrator: GeneralizedAlpha | OdeIntegrator | None = None,
    linear_solver: str = "auto", tangent: str = "exact", progress: bool | None = None,
    assembly_tolerance: float = ASSEMBLY_TOLERANCE, initial_velocities: str = "complete", checkpoint: str | Path | None = None,
) -> Solution:  # fmt: skip
    """Motion from t = 0 to t_end.

    t_end: s
    step: fixed step size, s; or
    tolerance: error allowed at t_end, relative to the model's size (and in radians): steps are chosen to meet it
    output_step: time between frames, s; every step if not given
    integrator: GeneralizedAlpha (default), BaumgarteODE, AugmentedLagrangian or CoordinatePartitioning
    linear_solver: "auto", "dense", "banded", "scipy", "petsc", "petsc:klu", "petsc:mumps", "petsc:gmres+ilu", ...; under mpirun
                   "petsc" or a Krylov method, see docs/parallel.md
    tangent: "exact", or "numerical" to difference the residual
    progress: True, False, or None for a bar on a terminal only
    assembly_tolerance: how far initial positions may be moved to fit the joints, relative to the model's size; what is moved by
                        more than 1e-4 warns (fm.InconsistentStart), unless another tolerance than the default says it is meant
    initial_velocities: "complete": bodies without velocity= or spin= take theirs from joints, drives and the other bodies, as
                        rigid motions; "impulse": they are at rest, and joints and drives pull them along with an impulse;
                        "strict": all must fit as they are, or it is an error. See docs/start.md
    checkpoint: HDF5 file into which the run is written while it goes, in place of memory; a run that was interrupted or killed
                continues from there when it is called again with the same model and settings
    """
    name = model.name
    positive(name, "t_end", t_end)
    integrator = integrator or GeneralizedAlpha()
    if not isinstance(integrator, (GeneralizedAlpha, OdeIntegrator)):
        raise ModelError(
            f"{name}: integrator = {integrator!r} is not an integrator; give fm.GeneralizedAlpha(), fm.BaumgarteODE(), "
            "fm.AugmentedLagrangian() or fm.CoordinatePartitioning()."
        )
    _check_steps(name, step, tolerance, output_step, integrator)
    _check_tangent(name, tangent)
    check_velocities(name, initial_velocities)
    ranks = world()
    _check_ranks(name, ranks, integrator, tangent)
    clock = time.perf_counter()
    with compile_notice():

        def begin(system: System, linear: LinearSolver) -> AlphaStepper | OdeStepper:
            return integrator.start(system, linear, tangent, step, tolerance, t_end)

        plans = None
        if isinstance(integrator, GeneralizedAlpha) and ranks.count == 1:
            contacts = any(isinstance(force, ClearanceJoint) for force in model.forces)
            plans = _Plans(lambda: ask_for_core(contacts, paced=tolerance is not None), begin)
        system, linear, start = _begin(
            model, linear_solver, assembly_tolerance, ranks, plans, velocities=initial_velocities, t_end=t_end
        )
        stepper = begin(system, linear)
        state, control = _control(stepper, start.state, step, tolerance, t_end)
    times = _output_times(t_end, output_step or (step if isinstance(control, FixedStep) else None))
    file = None
    if checkpoint is not None:
        settings = {"step": step, "tolerance": tolerance, "output_step": output_step, "integrator": repr(integrator)}
        settings |= {"t_end": t_end, "linear_solver": linear.name, "tangent": tangent, "initial_velocities": initial_velocities}
        file = RunFile(checkpoint, system, name, t_end, settings, stepper)
        state = file.state or state

    def finish(recorder: Recorder, complete: bool = False) -> Solution:
        done = _statistics(system, linear, start, stepper.counters, clock)
        arrays, impacts = recorder.frames.arrays(), recorder.contacts.impacts
        solution = _with_drift(Solution.from_arrays(system, arrays, done, impacts=impacts))
        if file is not None and complete:
            file.finish(solution)
        return solution

    with progress_bar(t_end, progress) as report:
        between = stepper.interpolate if isinstance(stepper, OdeStepper) else None
        first = (file and file.state) or start.state
        recorder = Recorder(system, first, times, report, between, file)
        try:
            run(stepper, state, t_end, control, recorder, None if file is None else file.pace)
        except StepFailure as failure:
            t = failure.state.t
            message = f"{name}: {failure.status.text} at t = {t:.6g} s; the frames up to there are in this error's .solution."
            raise ConvergenceError(message, time=t, status=failure.status, solution=finish(recorder)) from None
        except KeyboardInterrupt:
            raise Interrupted(recorder.frames.last_time, finish(recorder)) from None
        except Exception as error:  # a user's force or drive failed: what was computed is kept, the cause stays attached
            t, status = recorder.frames.last_time, Status.USER_ERROR
            message = f"{name}: {status.text} after t = {t:.6g} s: {error} The frames up to there are in .solution."
            raise ConvergenceError(message, time=t, status=status, solution=finish(recorder)) from error
    return finish(recorder, complete=True)


def kinematics(model: Model, t: ArrayLike, *, assembly_tolerance: float = ASSEMBLY_TOLERANCE) -> Solution:
    """Position, velocity, acceleration and reactions of a fully driven model (Muvengi2011 eqs 17-23).

    t: times, s, increasing; the first may be later than 0
    """
    try:
        times = np.atleast_1d(np.asarray(t, dtype=float))
    except (TypeError, ValueError):
        raise ModelError(f"{model.name}: t = {t!r} is not a time or a list of times, s.") from None
    if times.ndim != 1 or not times.size or not np.isfinite(times).all() or (np.diff(times) <= 0.0).any() or times[0] < 0.0:
        raise ModelError(f"{model.name}: t must be finite times >= 0 that increase.")
    clock = time.perf_counter()
    with compile_notice():
        system, linear, start = _begin(model, "auto", assembly_tolerance, t_end=float(times[-1]))
        states = driven_motion(system, linear, start.state, times)
    done = _statistics(system, linear, start, Counters(steps=len(states)), clock)
    return _with_drift(Solution.from_states(system, states, done, entries=accumulated(system, states)))


def equilibrium(
    model: Model, *, load_steps: int | None = None, follow: str = "load", tolerance: float = TOLERANCE,
    max_iterations: int = 50, linear_solver: str = "auto", tangent: str = "exact",
    assembly_tolerance: float = ASSEMBLY_TOLERANCE,
) -> Solution:  # fmt: skip
    """Static equilibrium under gravity and the forces at t = 0; frames are points of the path that leads there.

    Gravity and loads grow together from nothing: sol.t is the load factor, 1 in the last frame. Drives stay where they are at
    t = 0. Contacts push; friction and oil films, which need motion, do not act. A model that is not in equilibrium without its
    loads, or has no stiffness then, first comes to rest under them, as in heavy oil.

    A frame is accepted when the last increment of Newton's method was below `tolerance`, no equation is out of balance by more
    than 1e-8 of the largest force in the model (or than round-off), and it lies close to where the path before it leads: the
    step is halved otherwise. An equilibrium that is not stable is returned with a warning, `fm.UnstableEquilibrium`.

    load_steps: None: steps find their own size, and all of them are frames; n: frames are at 1/n ... 1
    follow: "load": the load factor grows, and the path ends where it cannot; "arc": arc length, along a path that turns back
            (snap-through, snap-back): the load factor of frames may fall, until it comes to 1
    tolerance: of the last increment of Newton's method, relative to the model's size (and in radians)
    max_iterations: of Newton's method in a load step; then it is halved
    """
    name = model.name
    steps = None if load_steps is None else whole(name, "load_steps", load_steps)
    settings = Settings(positive(name, "tolerance", tolerance), whole(name, "max_iterations", max_iterations), tangent)
    _check_tangent(name, tangent)
    if follow not in ("load", "arc"):
        raise ModelError(f"{name}: follow = {follow!r} is unknown.{nearest(str(follow), ['load', 'arc'])}")
    if follow == "arc" and steps is not None:
        raise ModelError(f"{name}: load_steps = {steps} with follow = 'arc': an arc finds its own steps; leave load_steps out.")
    clock, counters = time.perf_counter(), Counters()
    with compile_notice():
        system, linear, start = _begin(model, linear_solver, assembly_tolerance)
        first = Point(0.0, start.state.q, np.zeros(system.multipliers))
        statics = Statics(system, linear, settings, counters, first.q)
        path = ArcPath(statics, first) if follow == "arc" else LoadPath(statics, first, steps)
        points: list[Point] = []

        def finish() -> Solution:
            done = _statistics(system, linear, start, counters, clock)
            states = [statics.state(point) for point in points or [first]]
            loads = np.array([point.load for point in points or [first]])
            return _with_drift(Solution.from_states(system, states, done, loads=loads))

        try:
            points.extend(path.points())
        except EquilibriumFailure as failure:
            where = f"beyond load factor {failure.load:.6g}; the frames up to there are in .solution.{_afloat(model)}"
            message = f"{name}: {failure.status.text} {where}"
            raise ConvergenceError(message, time=failure.load, status=failure.status, solution=finish()) from None
        solution = finish()
        _check_films(model, solution)
        loose = unstable_directions(system, points[-1].q, points[-1].lam, points[-1].load)
        if loose:
            _warn_of_instability(name, loose)
    return solution


def modes(model: Model, n: int = 6, *, at: Solution | None = None, assembly_tolerance: float = ASSEMBLY_TOLERANCE) -> Modes:
    """The n lowest natural modes of the linearised model.

    at: a Solution of this model whose last frame is the position to linearise about (an equilibrium, say); else the start
    """
    if n < 1:
        raise ModelError(f"{model.name}: n = {n} modes; ask for 1 or more.")
    with compile_notice():
        system, _, start = _begin(model, "auto", assembly_tolerance)
        state, load = (start.state, 1.0) if at is None else _last_frame(model.name, system, at)
        return natural_modes(system, state, n, load)


def buckling(
    model: Model, n: int = 3, *, at: Solution | None = None, linear_solver: str = "auto",
    assembly_tolerance: float = ASSEMBLY_TOLERANCE,
) -> Buckling:  # fmt: skip
    """The n lowest critical factors of gravity and the loads, and the shapes in which the model gives way there.

    K(factor) x = 0,   Phi_q x = 0

    K is the tangent of the equilibrium under that share of the loads, expanded to second order about the unloaded model: how
    large the loads are drawn does not matter. Where the model deforms much before it gives way, expand about an equilibrium
    nearer to it, m.buckling(1, at=m.equilibrium()), with loads somewhat below the critical ones. Fewer than n factors are
    returned where there are no more, or where they lie beyond a deformation by 0.3 of the model's size.

    at: an equilibrium of this model; its last frame is expanded about, at its load factor
    """
    count = whole(model.name, "n", n)
    with compile_notice():
        system, linear, start = _begin(model, linear_solver, assembly_tolerance)
        point = Point(0.0, start.state.q, np.zeros(system.multipliers))
        if at is not None:
            state, load = _last_frame(model.name, system, at)
            if not at.static:
                raise ModelError(f"{model.name}: at is not an equilibrium; give a solution of m.equilibrium().")
            point = Point(load, state.q, state.lam)
        return critical_loads(model.name, Statics(system, linear, Settings(), Counters(), point.q), point, count)


def _last_frame(name: str, system: System, at: Solution) -> tuple[State, float]:
    """The last frame of a solution, at rest, and the share of the loads that acts there."""
    if not isinstance(at, Solution):
        raise ModelError(f"{name}: at = {at!r} is not a solution; give one of this model, such as m.equilibrium().")
    if at.q.shape[1] != system.size or at.lam.shape[1] != system.multipliers:
        raise ModelError(
            f"{name}: at has {at.q.shape[1]} coordinates and {at.lam.shape[1]} multipliers, this model has {system.size} and "
            f"{system.multipliers}; give a solution of this very model."
        )
    still = np.zeros(system.size)
    state = State(float(at.times[-1]), at.q[-1], still, still, at.lam[-1], still, history=at.history[-1])
    return state, float(at.t[-1]) if at.static else 1.0


class _Plans(NamedTuple):
    """Kernels that are compiled by another process meanwhile: those of all models, and those of a system."""

    core: Callable[[], object]
    later: Callable[[System, LinearSolver], object]


def _begin(
    model: Model, solver: str, tolerance: float, ranks: Ranks = ALONE, plans: _Plans | None = None, *,
    velocities: str = "impulse", t_end: float = 0.0,
) -> tuple[System, LinearSolver, Start]:  # fmt: skip
    """Assemble, choose the linear solver, find consistent initial values; say what was left out, moved, and cannot be followed.

    velocities: as initial_velocities of `simulate`; t_end: until then drives are looked at for kinks, s
    """
    positive(model.name, "assembly_tolerance", tolerance)
    linear_solver(solver, 1, ranks)  # a misspelt name is found before any work
    with CompilerBeside(plans.core) if plans else nullcontext() as first:
        system = model.system(assembly_tolerance=tolerance, ranks=ranks)
        linear = linear_solver(solver, system.size + system.multipliers, ranks)
        if system.dropped:
            _warn_of_redundancy(model.name, system.dropped)
        with CompilerBeside(lambda: plans.later(system, linear), first) if plans else nullcontext():
            start = consistent_start(system, linear, tolerance, velocities=velocities)
            start = replace(start, told=(*start.told, *strain_told(system, start)))
    for text in start.told:
        warnings.warn(f"{model.name}: {text}", InconsistentStart, stacklevel=4)
    kinks = tuple(text for joint in model.joints if t_end and (text := kinks_told(joint, t_end)))
    for text in kinks:
        warnings.warn(f"{model.name}: {text}", KinkInDrive, stacklevel=4)
    return system, linear, replace(start, told=(*start.told, *kinks))


def _warn_of_redundancy(name: str, dropped: list[str]) -> None:
    some = "; ".join(dropped[:NAMED]) + (f"; and {more} more" if (more := len(dropped) - NAMED) > 0 else "")
    warnings.warn(
        f"{name}: {len(dropped)} redundant equations left out: {some}. The motion is not affected; the other "
        "reactions share their load. All of them: sol.statistics.redundant.",
        RedundantConstraints,
        stacklevel=5,
    )


def _warn_of_instability(name: str, directions: int) -> None:
    many = "one direction" if directions == 1 else f"{directions} directions"
    warnings.warn(
        f"{name}: the equilibrium is not stable: it gives way in {many}. Under these loads the model would not stay there; a "
        "small force or imperfection in such a direction leads to where it goes, m.buckling() tells from which load on.",
        UnstableEquilibrium,
        stacklevel=4,
    )


def _only_films(model: Model) -> list[ClearanceJoint]:
    forces: list[object] = [*model.forces]
    return [force for force in forces if isinstance(force, ClearanceJoint) and force.contact is None]


def _afloat(model: Model) -> str:
    names = ", ".join(repr(joint.label) for joint in _only_films(model))
    return f" The oil film of {names} carries nothing at rest: give contact= too." if names else ""


def _check_films(model: Model, solution: Solution) -> None:
    """A film does not push at rest, so that its journal may be anywhere: not outside its bearing."""
    for joint in _only_films(model):
        depth = float(solution.clearance(joint).penetration.max())
        if depth > 0.0:
            raise ModelError(
                f"{joint.label}: contact = None lets the journal go {depth:.3g} m through its bearing in equilibrium: an oil "
                "film carries nothing at rest. Give contact= beside film=."
            )


def _check_tangent(name: str, tangent: str) -> None:
    if tangent not in ("exact", "numerical"):
        raise ModelError(f"{name}: tangent = {tangent!r} is unknown.{nearest(str(tangent), ['exact', 'numerical'])}")


def _check_ranks(name: str, ranks: Ranks, integrator: object, tangent: str) -> None:
    """What several processes can do together."""
    if ranks.count > 1 and (tangent != "exact" or not isinstance(integrator, GeneralizedAlpha)):
        raise ModelError(
            f"{name}: mpirun has started {ranks.count} processes, for fm.GeneralizedAlpha() with tangent='exact' only. "
            "Take these, or leave mpirun out."
        )


def _check_steps(name: str, step: float | None, tolerance: float | None, output_step: float | None, integrator: object) -> None:
    for argument, value in (("step", step), ("tolerance", tolerance), ("output_step", output_step)):
        if value is not None:
            positive(name, argument, value)
    if isinstance(integrator, GeneralizedAlpha) and (step is None) == (tolerance is None):
        given = "both step and tolerance" if step is not None else "neither step nor tolerance"
        raise ModelError(f"{name}: {given} given; give step= for a fixed step or tolerance= for error control.")


def _control(
    stepper: object, state: State, step: float | None, tolerance: float | None, t_end: float
) -> tuple[State, StepControl]:
    """How steps are chosen, and the state prepared for the first one."""
    if not isinstance(stepper, AlphaStepper):
        return state, OwnControl()
    if step is not None:
        return stepper.prepare(state, min(step, t_end)), FixedStep(min(step, t_end), gentle=stepper.overdamped)
    assert tolerance is not None
    first = stepper.first_step(state, tolerance, t_end)
    return stepper.prepare(state, first), ErrorControl(tolerance, first, t_end / 20.0)


def _output_times(t_end: float, output_step: float | None) -> Array | None:
    """0 is recorded by itself; the end always is."""
    if output_step is None:
        return None
    count = int(np.floor(t_end / output_step * (1.0 + 1e-12)))
    times = output_step * np.arange(count + 1)
    if times[-1] < t_end * (1.0 - 1e-9):
        times = np.append(times, t_end)
    times[-1] = min(times[-1], t_end)
    return times


def _statistics(system: System, linear: LinearSolver, start: Start, counters: Counters, clock: float) -> Statistics:
    return Statistics(
        steps=counters.steps, rejected=counters.rejected, iterations=counters.iterations,
        factorizations=counters.factorizations, contacts=counters.contacts,
        wall=time.perf_counter() - clock, linear_solver=linear.name,
        moved=start.moved, moved_velocity=start.moved_velocity, moved_part=start.moved_part,
        moved_velocity_part=start.moved_velocity_part, start=start.told, redundant=tuple(system.dropped),
    )  # fmt: skip


def _with_drift(solution: Solution) -> Solution:
    drift = float(np.abs(solution.drift).max(initial=0.0))
    return replace(solution, statistics=replace(solution.statistics, drift=drift))
