"""Motion of a model in time: simulate and kinematics."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.analysis.beginning import Plans, begin, check_stateless, check_tangent, statistics, with_drift
from fmbs.analysis.integrators import Integrator, check_radau, check_steps, check_time_stepping, chosen
from fmbs.analysis.origin import fingerprint_of_origin, origin_of_run
from fmbs.analysis.sampling import Sampling, check_sampled, sampled_parts
from fmbs.assembly.system import System
from fmbs.core.checks import array, checked_path, flag, positive
from fmbs.core.defaults import ASSEMBLY_TOLERANCE, ENERGY_TOLERANCE, FRAMES_SIZE
from fmbs.core.errors import ConvergenceError, FileError, Interrupted, ModelError
from fmbs.core.optional import JointWithClearance
from fmbs.core.ranks import Ranks, world
from fmbs.core.state import Counters, State
from fmbs.core.status import Status
from fmbs.core.tell import tell
from fmbs.jit.beside import CompilerBeside
from fmbs.jit.compiled import compile_notice
from fmbs.model import Model
from fmbs.progress import progress_bar
from fmbs.results.energy import accumulated
from fmbs.results.recorder import Observers, Recorder, interpolate
from fmbs.results.resolution import Resolution
from fmbs.results.run_file import RunFile
from fmbs.results.solution import Solution, Statistics
from fmbs.results.witness import EnergyLost, NumericalDamping, Witness
from fmbs.simulate import StepFailure
from fmbs.simulate import simulate as run
from fmbs.solvers.generalized_alpha import AlphaStepper, GeneralizedAlpha
from fmbs.solvers.impacts.stepper import ImpactStepper
from fmbs.solvers.impacts.surfaces import Surfaces, is_rigid
from fmbs.solvers.kinematics import driven_motion
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.loop.connect import ALPHA, RADAU, ask_for_core
from fmbs.solvers.loop.stepper import LoopStepper
from fmbs.solvers.nonsmooth.stepper import TimeStepper, TimeStepping, straight
from fmbs.solvers.ode import OdeIntegrator, OdeStepper
from fmbs.solvers.radau import Radau, RadauStepper
from fmbs.solvers.redundancy import singular_position
from fmbs.solvers.start import check_velocities

Array = NDArray[np.float64]

Stepper = AlphaStepper | RadauStepper | OdeStepper | ImpactStepper | TimeStepper

LESS_DAMPING = "Where that is not wanted, take a shorter step or a rho_inf nearer to 1."
FEW_FRAMES = 1000  # that fit into FRAMES_SIZE: steps of a run with error control may be more
LONGEST_RUN = 1e10  # steps, frames and seconds of a run: more is a slip
REJECTED = 0.05  # of all steps: where more had to be taken in pieces Newton's method is in trouble


def simulate(
    model: Model, t_end: float, *, step: float | None = None, tolerance: float | None = None,
    output_step: float | None = None, integrator: Integrator | str | None = None,
    linear_solver: str = "auto", tangent: str = "exact", progress: bool | None = None,
    assembly_tolerance: float = ASSEMBLY_TOLERANCE, initial_velocities: str = "complete",
    energy_tolerance: float | None = ENERGY_TOLERANCE, checkpoint: str | Path | None = None,
    start: Solution | None = None, at: float | None = None,
) -> Solution:  # fmt: skip
    """Motion from t = 0 to t_end, or from a state of another solution.

    t_end: s, on the clock of `start`, if that is given
    step: fixed step size, s; or
    tolerance: error allowed at t_end, relative to the model's size (and in radians): steps are chosen to meet it
    output_step: time between frames, s. If not given every step is a frame, or every second, third, ... where all of them would
                 take more than 2 GB; with error control a large model has as many frames of equal distance as fit there
    integrator: "auto" (default), GeneralizedAlpha, Radau, BaumgarteODE, AugmentedLagrangian, CoordinatePartitioning, and for
                rigid surfaces with many contacts MoreauJean or NonsmoothAlpha. "auto"
                takes GeneralizedAlpha for a fixed step and what suits the model for a tolerance: sol.statistics.integrator and
                .chosen say which one and why. See docs/integrators.md
    linear_solver: "auto", "dense", "banded", "scipy", "petsc", "petsc:klu", "petsc:mumps", "petsc:gmres+ilu", ...; under mpirun
                   "petsc" or a Krylov method, see docs/parallel.md
    tangent: "exact", or "numerical" to difference the residual
    progress: True, False, or None for a bar on a terminal only
    assembly_tolerance: how far initial positions may be moved to fit the joints, relative to the model's size; what is moved by
                        more than 1e-4 warns (fm.InconsistentStart), unless another tolerance than the default says it is meant
    initial_velocities: "complete": bodies without velocity= or spin= take theirs from joints, drives and the other bodies, as
                        rigid motions; "impulse": they are at rest, and joints and drives pull them along with an impulse;
                        "strict": all must fit as they are, or it is an error. See docs/start.md
    energy_tolerance: share of the energy exchanged that the ledger may miss before the run warns (fm.UnbalancedEnergy); a run
                      that misses all of it is stopped. None: neither. See docs/trust.md
    checkpoint: HDF5 file into which the run is written while it goes, in place of memory; a run that was interrupted or killed
                continues from there when it is called again with the same model and settings
    start: a solution to go on from, of this model or of another one: bodies and contacts are matched by name, the clock goes
           on (it is 0 after m.equilibrium()). What is new starts as it is drawn, moved to what it is joined to; what is new and
           gone is in sol.statistics.start. See docs/start.md
    at: time of that state, s, or load factor of an equilibrium; the last frame if not given
    """
    name = model.name
    t_end = positive(name, "t_end", t_end)
    origin = origin_of_run(model, start, at, t_end)
    begins = origin.t if origin else 0.0
    step, tolerance, output_step = _checked_steps(name, t_end, step, tolerance, output_step)
    check_tangent(name, tangent)
    ranks = world()
    integrator, why = chosen(model, integrator, tangent, ranks.count, step, tolerance)
    if isinstance(integrator, (GeneralizedAlpha, Radau)):
        check_steps(name, step, tolerance)
    if isinstance(integrator, Radau):
        check_radau(model, tangent)
    if isinstance(integrator, TimeStepping):
        check_time_stepping(name, integrator, tangent, step, tolerance)
    _check_rigid(model, integrator)
    check_velocities(name, initial_velocities)
    if energy_tolerance is not None:
        positive(name, "energy_tolerance", energy_tolerance)
    if progress is not None:
        flag(name, "progress", progress)
    checkpoint = None if checkpoint is None else checked_path(name, "checkpoint", checkpoint)
    _check_ranks(name, ranks, integrator, tangent)
    clock = time.perf_counter()
    with compile_notice():

        def stepping(system: System, linear: LinearSolver) -> Stepper:
            inner = integrator.start(system, linear, tangent, step, tolerance, t_end)
            if not is_rigid(system) or not isinstance(inner, (AlphaStepper, RadauStepper)):
                return inner
            rest = integrator if isinstance(integrator, GeneralizedAlpha) else GeneralizedAlpha()
            return ImpactStepper(inner, Surfaces(system), linear, rest.parameters, step, tolerance, t_end)

        plans = None
        if isinstance(integrator, (GeneralizedAlpha, Radau)) and ranks.count == 1:
            contacts = any(isinstance(force, JointWithClearance) for force in model.forces)
            kernels = RADAU if isinstance(integrator, Radau) else ALPHA
            plans = Plans(lambda: ask_for_core(contacts, kernels), stepping)
        system, linear, first = begin(
            model, linear_solver, assembly_tolerance, ranks, plans, velocities=initial_velocities, t_end=t_end, origin=origin
        )
        with CompilerBeside() as beside:
            if plans:
                beside.plan(lambda: stepping(system, linear))
            stepper = stepping(system, linear)
        check_sampled(model, isinstance(stepper, LoopStepper))
        state = stepper.prepare(first.state)
    fixed = None if isinstance(integrator, OdeIntegrator) else step
    times = _output_times(begins, t_end, output_step or _thinned(system, t_end - begins, fixed))
    file = None
    if checkpoint is not None:
        settings = {
            "step": step,
            "tolerance": tolerance,
            "output_step": output_step,
            "integrator": f"{type(integrator).__name__}{asdict(integrator)}",
        }
        settings |= {"t_end": t_end, "linear_solver": linear.name, "tangent": tangent, "initial_velocities": initial_velocities}
        settings |= {"start": fingerprint_of_origin(origin)} if origin else {}
        file = RunFile(checkpoint, system, name, t_end, settings, stepper)
        state = file.state or state

    witness = Witness(system, t_end, energy_tolerance)
    resolution = Resolution(system, name, fixed)

    def finish(recorder: Recorder, complete: bool = False) -> Solution:
        done = statistics(system, linear, first, stepper.counters, clock)
        verdict = witness.verdict()
        done = replace(done, integrator=type(integrator).__name__, chosen=why)
        done = replace(done, energy_error=verdict.share, verdict=verdict.text, coarse=tuple(resolution.told))
        if isinstance(stepper, (AlphaStepper, RadauStepper, ImpactStepper)):
            done = replace(done, in_python=stepper.in_python)
        arrays, impacts = recorder.frames.arrays(), recorder.contacts.impacts
        solution = with_drift(Solution.from_arrays(system, arrays, done, impacts=impacts))
        if file is not None and complete:
            file.finish(solution)
        return solution

    with file or nullcontext(), progress_bar(t_end, progress) as report:
        between = _inside(stepper)
        recorder = Recorder(
            system, (file and file.state) or first.state, times, Observers(witness, resolution, report), between, file
        )
        try:
            if isinstance(stepper, LoopStepper) and sampled_parts(model):
                Sampling(model, system, linear).run(stepper, state, begins, t_end, recorder)
            else:
                run(stepper, state, t_end, recorder)
        except StepFailure as failure:
            raise _failed(system, name, failure, finish(recorder)) from None
        except EnergyLost:
            raise _energy_lost(name, witness, resolution, finish(recorder)) from None
        except (Warning, FileError):  # that the user's filter makes an error; a disk that is full
            raise
        except KeyboardInterrupt:
            raise Interrupted(recorder.frames.last_time, finish(recorder)) from None
        except Exception as error:  # a user's force or drive failed: what was computed is kept, the cause stays attached
            t, status = recorder.frames.last_time, Status.USER_ERROR
            message = f"{name}: {status.text} after t = {t:.6g} s: {error} The frames up to there are in .solution."
            raise ConvergenceError(message, time=t, status=status, solution=finish(recorder)) from error
        solution = finish(recorder, complete=True)
    verdict = witness.verdict()
    if verdict.lost:
        raise _energy_lost(name, witness, resolution, solution)
    if verdict.warning is not None and ranks.first:
        remedy = LESS_DAMPING if verdict.warning is NumericalDamping else _cause(resolution, stepper.counters)
        tell(f"{name}: {verdict.text}. {remedy}", verdict.warning)
    return solution


def _inside(stepper: Stepper) -> Callable[[State, State, float], State] | None:
    """The integrator's own interpolation, where it has one."""
    if isinstance(stepper, TimeStepper):
        return straight
    if isinstance(stepper, RadauStepper):
        return lambda old, new, x: stepper.inside(old, new, x, interpolate(old, new, x))
    return stepper.interpolate if isinstance(stepper, OdeStepper) else None


def _failed(system: System, name: str, failure: StepFailure, solution: Solution) -> ConvergenceError:
    t, status, where = failure.state.t, failure.status, ""
    if lost := singular_position(system, t, failure.state.q):
        status, where = Status.SINGULAR_POSITION, f", where {lost} can hardly be told from the other equations"
    message = f"{name}: {status.text} at t = {t:.6g} s{where}; the frames up to there are in this error's .solution."
    return ConvergenceError(message, time=t, status=status, solution=solution)


def _energy_lost(name: str, witness: Witness, resolution: Resolution, solution: Solution) -> ConvergenceError:
    t, cause = float(solution.t[-1]), _cause(resolution, solution.statistics)
    message = f"{name}: {Status.ENERGY.text} at t = {t:.6g} s: {witness.verdict().text}. {cause}"
    message += " The frames up to there are in this error's .solution."
    return ConvergenceError(message, time=t, status=Status.ENERGY, solution=solution)


def _cause(resolution: Resolution, done: Counters | Statistics) -> str:
    """What is likely behind energy that does not add up."""
    if resolution.told:
        return f"What is likely behind it: {resolution.told[0]}"
    if done.rejected > REJECTED * done.steps:
        return f"What is likely behind it: Newton's method had to take {done.rejected} steps in pieces; take a shorter step."
    return "The steps are too long for what happens in them: halve step= (or tolerance=) and compare."


def kinematics(model: Model, t: ArrayLike, *, assembly_tolerance: float = ASSEMBLY_TOLERANCE) -> Solution:
    """Position, velocity, acceleration and reactions of a fully driven model (Muvengi2011 eqs 17-23).

    t: times, s, increasing; the first may be later than 0
    """
    times = np.atleast_1d(array(model.name, "t", t, "give a time or a list of times, s"))
    if times.ndim != 1 or not times.size or not np.isfinite(times).all() or (np.diff(times) <= 0.0).any() or times[0] < 0.0:
        raise ModelError(f"{model.name}: t must be finite times >= 0 that increase.")
    check_stateless(model, "kinematics")
    clock = time.perf_counter()
    with compile_notice():
        system, linear, start = begin(model, "auto", assembly_tolerance, t_end=float(times[-1]))
        states = driven_motion(system, linear, start.state, times)
    done = statistics(system, linear, start, Counters(steps=len(states)), clock)
    return with_drift(Solution.from_states(system, states, done, entries=accumulated(system, states)))


def _check_ranks(name: str, ranks: Ranks, integrator: object, tangent: str) -> None:
    """What several processes can do together."""
    if ranks.count > 1 and (tangent != "exact" or not isinstance(integrator, GeneralizedAlpha)):
        raise ModelError(
            f"{name}: mpirun has started {ranks.count} processes, for fm.GeneralizedAlpha() with tangent='exact' only. "
            "Take these, or leave mpirun out."
        )


def _check_rigid(model: Model, integrator: object) -> None:
    """Rigid surfaces are known to the integrators of the loop."""
    rigid = [joint for joint in model.forces if isinstance(joint, JointWithClearance) and joint.rigid]
    if rigid and (isinstance(integrator, OdeIntegrator) or world().count > 1):
        raise ModelError(
            f"{model.name}: {rigid[0].label} has rigid surfaces, contact = {rigid[0].contact!r}, which "
            f"{type(integrator).__name__}{' under mpirun' if world().count > 1 else ''} does not know; take "
            "fm.GeneralizedAlpha(), fm.Radau(), fm.MoreauJean() or fm.NonsmoothAlpha() in one process, or a law of fm.contact."
        )


def _checked_steps(
    name: str, t_end: float, step: float | None, tolerance: float | None, output_step: float | None
) -> tuple[float | None, ...]:
    """As floats: kernels would be compiled once more for whole numbers."""
    sizes = {"step": step, "tolerance": tolerance, "output_step": output_step}
    found = {argument: None if value is None else positive(name, argument, value) for argument, value in sizes.items()}
    for argument in ("step", "output_step"):
        size = found[argument]
        if size is not None and t_end / size > LONGEST_RUN:
            raise ModelError(
                f"{name}: t_end = {t_end:g} s has {t_end / size:.3g} times {argument} = {size:g} s in it, more than any "
                f"computer can do; give a shorter t_end or a longer {argument}."
            )
    if t_end > LONGEST_RUN:
        raise ModelError(f"{name}: t_end = {t_end:g} s is longer than {LONGEST_RUN:g} s; check its unit (s).")
    return tuple(found.values())


def _thinned(system: System, duration: float, step: float | None) -> float | None:
    """Time between frames that fit into the memory for them, s; None: every step."""
    most = max(2, FRAMES_SIZE // (8 * (3 * system.size + system.multipliers)))
    if step is not None:
        return step * max(1, -(-int(duration / step) // most))
    return duration / most if most < FEW_FRAMES else None


def _output_times(begin: float, t_end: float, output_step: float | None) -> Array | None:
    """The beginning is recorded by itself; the end always is."""
    if output_step is None:
        return None
    count = int(np.floor((t_end - begin) / output_step * (1.0 + 1e-12)))
    times = begin + output_step * np.arange(count + 1)
    if times[-1] < t_end * (1.0 - 1e-9):
        times = np.append(times, t_end)
    times[-1] = min(times[-1], t_end)
    return times
