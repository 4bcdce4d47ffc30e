"""A model at rest: equilibrium, modes and buckling."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from fmbs.analysis.beginning import begin, check_stateless, check_tangent, statistics, with_drift
from fmbs.assembly.system import System
from fmbs.core.checks import choice, positive, shown, whole
from fmbs.core.defaults import ASSEMBLY_TOLERANCE, EQUILIBRIUM_ITERATIONS, EQUILIBRIUM_TOLERANCE
from fmbs.core.errors import ConvergenceError, Interrupted, ModelError
from fmbs.core.optional import JointWithClearance
from fmbs.core.state import Counters, State
from fmbs.core.status import Status
from fmbs.core.tell import tell
from fmbs.jit.compiled import compile_notice
from fmbs.model import Model
from fmbs.results.modes import Modes
from fmbs.results.solution import Solution
from fmbs.solvers.buckling import Buckling, critical_loads
from fmbs.solvers.condensed_solver import static_solver
from fmbs.solvers.equilibrium import ArcPath, EquilibriumFailure, LoadPath, Point, Settings, Statics
from fmbs.solvers.modes import natural_modes
from fmbs.solvers.stability import Loose, UnstableEquilibrium, unstable_directions


def equilibrium(
    model: Model, *, load_steps: int | None = None, follow: str = "load", tolerance: float = EQUILIBRIUM_TOLERANCE,
    max_iterations: int = EQUILIBRIUM_ITERATIONS, linear_solver: str = "auto", tangent: str = "exact",
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
    _check_soft(model, "equilibrium")
    steps = None if load_steps is None else whole(name, "load_steps", load_steps)
    settings = Settings(positive(name, "tolerance", tolerance), whole(name, "max_iterations", max_iterations), tangent)
    check_tangent(name, tangent)
    choice(name, "follow", follow, ("load", "arc"))
    if follow == "arc" and steps is not None:
        raise ModelError(f"{name}: load_steps = {steps} with follow = 'arc': an arc finds its own steps; leave load_steps out.")
    check_stateless(model, "equilibrium")
    clock, counters = time.perf_counter(), Counters()
    with compile_notice():
        system, linear, start = begin(model, linear_solver, assembly_tolerance, velocities="rest")
        first = Point(0.0, start.state.q, np.zeros(system.multipliers))
        linear = static_solver(system, linear)
        statics = Statics(system, linear, settings, counters, first.q)
        path = ArcPath(statics, first) if follow == "arc" else LoadPath(statics, first, steps)
        points: list[Point] = []

        def finish() -> Solution:
            done = statistics(system, linear, start, counters, clock)
            states = [statics.state(point) for point in points or [first]]
            loads = np.array([point.load for point in points or [first]])
            return with_drift(Solution.from_states(system, states, done, loads=loads))

        try:
            for point in path.points():
                points.append(point)  # noqa: PERF402  what was found before an error is kept
        except EquilibriumFailure as failure:
            part = statics.culprit(first, points[-1] if points else None)
            where = f"beyond load factor {failure.load:.6g}" + (f", where {part!r} gives way" if part else "")
            message = f"{name}: {failure.status.text} {where}. The frames up to there are in .solution.{_afloat(model)}"
            raise ConvergenceError(message, time=failure.load, status=failure.status, solution=finish()) from None
        except Warning:  # that the user's filter makes an error
            raise
        except KeyboardInterrupt:
            raise Interrupted(points[-1].load if points else 0.0, finish()) from None
        except Exception as error:  # a user's force failed: what was computed is kept, the cause stays attached
            load, status = points[-1].load if points else 0.0, Status.USER_ERROR
            message = f"{name}: {status.text} beyond load factor {load:.6g}: {error} The frames up to there are in .solution."
            raise ConvergenceError(message, time=load, status=status, solution=finish()) from error
        solution = finish()
        _check_films(model, solution)
        loose = unstable_directions(system, points[-1].q, points[-1].lam, points[-1].load, counted=statics.unstable)
        if loose:
            text = _instability(loose)
            tell(f"{name}: {text}", UnstableEquilibrium)
            solution = replace(solution, statistics=replace(solution.statistics, stability=text))
    return solution


def modes(model: Model, n: int = 6, *, at: Solution | None = None, assembly_tolerance: float = ASSEMBLY_TOLERANCE) -> Modes:
    """The n lowest natural modes of the linearised model.

    at: a Solution of this model whose last frame is the position to linearise about (an equilibrium, say); else the start
    """
    count = whole(model.name, "n", n)
    check_stateless(model, "modes")
    if at is not None:
        _check_soft(model, "modes at a solution")
    with compile_notice():
        system, _, start = begin(model, "auto", assembly_tolerance)
        state, load = (start.state, 1.0) if at is None else _last_frame(model.name, system, at)
        return Modes(*natural_modes(system, state, count, load), system, state)


def buckling(
    model: Model, n: int = 3, *, at: Solution | None = None, linear_solver: str = "auto",
    assembly_tolerance: float = ASSEMBLY_TOLERANCE,
) -> Buckling:  # fmt: skip
    """The n lowest critical factors of gravity and the loads, and the shapes in which the model gives way there.

    K(factor) x = 0,   Phi_q x = 0

    K is the tangent of the equilibrium under that share of the loads: how large the loads are drawn does not matter. Each
    factor is guessed from the unloaded model and confirmed near it on the path of equilibria; a turning point of the path is
    the last one. Fewer than n factors are returned where there are no more, or where they lie beyond a deformation by 0.3 of
    the model's size; then start nearer to them, m.buckling(1, at=m.equilibrium()) with loads below the critical ones.

    at: a stable equilibrium of this model; the search begins at its last frame, with its load factor
    """
    count = whole(model.name, "n", n)
    _check_soft(model, "buckling")
    check_stateless(model, "buckling")
    with compile_notice():
        system, linear, start = begin(model, linear_solver, assembly_tolerance, velocities="rest")
        point = Point(0.0, start.state.q, np.zeros(system.multipliers))
        if at is not None:
            state, load = _last_frame(model.name, system, at)
            if not at.static:
                raise ModelError(f"{model.name}: at is not an equilibrium; give a solution of m.equilibrium().")
            point = Point(load, state.q, state.lam)
        return critical_loads(
            model.name, Statics(system, static_solver(system, linear), Settings(), Counters(), point.q), point, count
        )


def _check_soft(model: Model, what: str) -> None:
    """Contacts push in a model at rest by their stiffness."""
    for joint in model.forces:
        if isinstance(joint, JointWithClearance) and joint.rigid:
            raise ModelError(
                f"{model.name}: {what}: {joint.label} has rigid surfaces, contact = {joint.contact!r}, without a stiffness; "
                "take a law of fm.contact, or let a damped model come to rest in m.simulate()."
            )


def _last_frame(name: str, system: System, at: Solution) -> tuple[State, float]:
    """The last frame of a solution, at rest, and the share of the loads that acts there."""
    if not isinstance(at, Solution):
        raise ModelError(f"{name}: at = {shown(at)} is not a solution; give one of this model, such as m.equilibrium().")
    if at.q.shape[1] != system.size or at.lam.shape[1] != system.multipliers:
        raise ModelError(
            f"{name}: at has {at.q.shape[1]} coordinates and {at.lam.shape[1]} multipliers, this model has {system.size} and "
            f"{system.multipliers}; give a solution of this very model."
        )
    still = np.zeros(system.size)
    state = State(float(at.times[-1]), at.q[-1], still, still, at.lam[-1], still, history=at.history[-1])
    return state, float(at.t[-1]) if at.static else 1.0


def _instability(loose: Loose) -> str:
    ways, many = [], "one direction" if loose.directions == 1 else f"{loose.directions} directions"
    if loose.directions:
        ways.append(
            f"it gives way in {many}; a small force or imperfection in such a direction leads to where the model goes, "
            "m.buckling() tells from which load on"
        )
    if loose.pairs:
        ways.append("it flutters if its damping is below 2.5 %; m.simulate() from a small disturbance shows how")
    return f"under these loads the equilibrium is not stable: {'; and '.join(ways)}."


def _only_films(model: Model) -> list[JointWithClearance]:
    return [force for force in model.forces if isinstance(force, JointWithClearance) and force.contact is None]


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
