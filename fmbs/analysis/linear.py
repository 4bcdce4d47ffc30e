"""A, B, C and D of a model about a state; steady spins of rotors."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.analysis.beginning import begin, check_stateless, statistics, with_drift
from fmbs.analysis.origin import origin_of
from fmbs.assembly.system import System
from fmbs.core.checks import listed, number, shown
from fmbs.core.defaults import ASSEMBLY_TOLERANCE
from fmbs.core.errors import ModelError
from fmbs.core.input import Input
from fmbs.core.optional import JointWithClearance
from fmbs.core.state import Counters, State
from fmbs.core.state_coordinate import states_of
from fmbs.jit.compiled import compile_notice
from fmbs.model import Model
from fmbs.results.linear import LinearModel
from fmbs.results.solution import Solution, Statistics
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.linearised import SmallMotions, small_motions
from fmbs.solvers.steady import steady_state

Array = NDArray[np.float64]
Output = Callable[[Solution], Any]

NUDGE = 1e-3  # of an input
ASIDE, OF_GAP = 1e-5, 1e-4  # change of a coordinate to see outputs change: of the model's size, and of the smallest clearance


def linearise(
    model: Model, *, at: Solution | None = None, t: float | None = None, inputs: Sequence[Input] = (),
    outputs: Mapping[str, Output] | Sequence[Output] = (), assembly_tolerance: float = ASSEMBLY_TOLERANCE,
) -> LinearModel:  # fmt: skip
    """x' = A x + B u, y = C x + D u: small motions about a state, with contacts, films and friction as there.

    x holds coordinates along a basis of what the constraints allow, then their rates. Of vectors that spin with a body x is
    what is beside them in axes that do not spin, so that matrices of an axisymmetric rotor do not depend on its angle.
    About any other moving state they are those of the instant.

    at: a solution of this model; its last frame, or that at the time t, s. Without it the start of the model
    inputs: fm.Input objects that loads of the model follow
    outputs: functions of a solution, such as lambda sol: sol.position(slider.com)[:, 0]; with names as a dictionary
    """
    names = _checked_inputs(model.name, inputs)
    given = _checked_outputs(model.name, outputs)
    system, _, state = _state(model, at, t, assembly_tolerance)
    small = small_motions(system, state)
    d = small.basis.shape[1]
    push, aside, across = small.pushed(-_input_forces(system, state, list(inputs)))
    B = np.vstack([np.zeros_like(push), push])
    still = np.zeros_like(aside)
    pieces = [np.hstack(pair) for pair in (
        (small.position, still), (small.velocity, still), (small.acceleration, aside), (small.multipliers, across),
    )]  # fmt: skip
    labels, columns = _answers(model, system, small, list(given.items()), pieces)
    C, D = columns[:, : 2 * d], columns[:, 2 * d :]
    gone = [np.flatnonzero(small.basis[system.dofs[own]])[0] for own in states_of(model.forces)]  # their p is in no force
    kept = np.setdiff1d(np.arange(2 * d), gone)
    A = small.A[np.ix_(kept, kept)]
    return LinearModel(A, B[kept], C[:, kept], D, names, labels, small.position[:, kept], state.t)


def steady(model: Model, *, assembly_tolerance: float = ASSEMBLY_TOLERANCE) -> Solution:
    """The steady spin of a rotor, one frame: points rest, bodies turn evenly about their own axes, loads are those of t = 0.

    Speeds are those of the start: of drives, and spin= of bodies without one. Films and contacts carry what they carry there.
    """
    check_stateless(model, "steady")
    clock = time.perf_counter()
    with compile_notice():
        system, linear, first = begin(model, "auto", assembly_tolerance, velocities="complete")
        state = _pressed(system, first.state)
        state = steady_state(system, linear, state, model.name)
    done = statistics(system, linear, first, Counters(steps=1), clock)
    return with_drift(Solution.from_states(system, [state], done))


def _state(model: Model, at: Solution | None, t: float | None, tolerance: float) -> tuple[System, LinearSolver, State]:
    """With the accelerations and multipliers of this very state."""
    if at is None and t is not None:
        raise ModelError(f"{model.name}: t = {shown(t)} is a time of a solution; give that too, at=solution.")
    origin = None if at is None else origin_of(model, at, None if t is None else number(model.name, "t", t))
    for joint in model.forces:
        if isinstance(joint, JointWithClearance) and joint.rigid:
            raise ModelError(
                f"{model.name}: linearise: {joint.label} has rigid surfaces, contact = {joint.contact!r}, without a stiffness; "
                "take a law of fm.contact."
            )
    with compile_notice():
        system, linear, start = begin(model, "auto", tolerance, velocities="complete", origin=origin)
    return system, linear, start.state


def _pressed(system: System, state: State) -> State:
    """Contacts that are closed at the start are in contact."""
    if not system.contacts:
        return state
    depth, _ = system.contacts.gaps(state.q, state.v)
    free = system.contacts.free(state.history)
    return replace(state, history=system.contacts.touch(state.history, free & (depth > 0.0), np.zeros(free.size)))


def _input_forces(system: System, state: State, inputs: list[Input]) -> Array:  # (n, inputs)
    """df/du by central differences: exact for loads that are proportional to their input."""
    columns = np.zeros((system.size, len(inputs)))
    for k, u in enumerate(inputs):
        kept, step = u.value, NUDGE * max(1.0, abs(u.value))
        ends = []
        for u.value in (kept - step, kept + step):
            system.contacts.begin(state.t, state.q, state.v, state.history)
            ends.append(system.force(state.t, state.q, state.v))
        u.value = kept
        columns[:, k] = (ends[1] - ends[0]) / (2.0 * step)
    return columns


def _answers(
    model: Model, system: System, small: SmallMotions, outputs: list[tuple[str, Output]], pieces: list[Array]
) -> tuple[tuple[str, ...], Array]:
    """Derivatives of the outputs by dq, dv, da and dlam, by central differences along each column."""
    count = pieces[0].shape[1]
    if not outputs or not count:
        return (), np.zeros((0, count))
    state = small.state
    gaps = [joint.clearance for joint in model.forces if isinstance(joint, JointWithClearance)]
    largest = np.abs(pieces[0] / system.scale[:, None]).max(axis=0, initial=0.0)
    size = ASIDE if not gaps else min(ASIDE, OF_GAP * min(gaps) / system.length_scale)
    reach = size / np.maximum(largest, 1.0)
    states = []
    for k in range(count):
        for sign in (-reach[k], reach[k]):
            q, v, a, lam = (
                x + sign * piece[:, k] for x, piece in zip((state.q, state.v, state.a, state.lam), pieces, strict=True)
            )
            states.append(State(state.t, q, v, a, lam, a, history=state.history))
    sol = Solution.from_states(system, states, Statistics())
    labels, rows = [], []
    for name, function in outputs:
        values = np.asarray(function(sol), dtype=float)
        if values.shape[:1] != (len(states),) or values.ndim > 2:
            raise ModelError(
                f"{model.name}: the output {name!r} gave an array of shape {values.shape} for {len(states)} frames; return a "
                "number or a row of numbers a frame, such as sol.position(slider.com)[:, 0]."
            )
        many = values.reshape(len(states), -1)
        rows += [*((many[1::2] - many[::2]) / (2.0 * reach[:, None])).T]
        labels += [name] if values.ndim == 1 else [f"{name}[{i}]" for i in range(many.shape[1])]
    return tuple(labels), np.array(rows)


def _checked_inputs(name: str, inputs: object) -> tuple[str, ...]:
    found = listed(name, "inputs", inputs, "fm.Input objects")
    for u in found:
        if not isinstance(u, Input):
            raise ModelError(
                f"{name}: inputs: {shown(u)} is no input; make one, u = fm.Input('torque'), and let a load follow it."
            )
    return tuple(u.name for u in found)


def _checked_outputs(name: str, outputs: object) -> dict[str, Output]:
    if isinstance(outputs, Mapping):
        found = {str(key): value for key, value in outputs.items()}
    else:
        found = {f"y{k}": value for k, value in enumerate(listed(name, "outputs", outputs, "functions of a solution"))}
    for key, value in found.items():
        if not callable(value):
            raise ModelError(f"{name}: outputs: {key} = {shown(value)} is no function of a solution; give lambda sol: ...")
    return found
