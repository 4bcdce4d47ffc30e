"""Sampled controllers: at multiples of their periods states jump, and the integrator begins anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import number
from fmbs.core.errors import ModelError
from fmbs.core.state import State
from fmbs.core.state_coordinate import SampledPart
from fmbs.model import Model
from fmbs.results.recorder import Recorder
from fmbs.simulate import simulate
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.loop.stepper import LoopStepper
from fmbs.solvers.projection import project_velocity
from fmbs.solvers.saddle import accelerations

Array = NDArray[np.float64]

SAME = 1e-9  # of a period: times that are one


def sampled_parts(model: Model) -> list[SampledPart]:
    """Those of a model that sample."""
    return [part for part in model.forces if isinstance(part, SampledPart) and part.every is not None]


def check_sampled(model: Model, stepper_knows: bool) -> None:
    """Only integrators of the loop begin anew within a run."""
    parts = sampled_parts(model)
    if parts and not stepper_knows:
        raise ModelError(
            f"{model.name}: {parts[0].name or type(parts[0]).__name__} samples every {parts[0].every:g} s, which this "
            "integrator (or a model with rigid surfaces) does not know; take fm.GeneralizedAlpha() or fm.Radau(), and laws of "
            "fm.contact."
        )


class Sampling:
    """Runs from sample to sample."""

    def __init__(self, model: Model, system: System, linear: LinearSolver) -> None:
        self._parts, self._system, self._linear = sampled_parts(model), system, linear
        self._periods = [number("every", "every", part.every) for part in self._parts]

    def run(self, stepper: LoopStepper, state: State, begin: float, t_end: float, observer: Recorder) -> State:
        """Step from state.t to t_end, in a run from `begin`; a sample at a frame comes after it. Raises StepFailure."""
        whole = t_end - begin
        while True:
            due = [part for part, period in zip(self._parts, self._periods, strict=True) if _is_multiple(state.t, period)]
            stop = min([t_end, *(_next(state.t, period) for period in self._periods)])
            if due:
                state = stepper.restart(self._after(state, due), stop, whole)
                observer.jumped(state)
            else:  # a run that is continued, or begins between two samples
                last = max(_next(state.t, period) - period for period in self._periods)
                stepper.window(max(begin, last), stop, whole)
            state = simulate(stepper, state, stop, observer)
            if stop >= t_end:
                return state
            state = replace(state, t=stop)

    def _after(self, state: State, due: list[SampledPart]) -> State:
        """With new states, and the accelerations that go with them."""
        system, t, q = self._system, state.t, state.q
        v = project_velocity(system, self._linear, t, q, state.v)
        seen = v.copy()  # all parts see what was there before
        for part in due:
            places = [system.dofs[own] for own in part.own_states]
            v[places] = part.sampled(t, q, seen, system.dofs)
        system.contacts.begin(t, q, v, state.history)
        a, lam = accelerations(system, self._linear, t, q, v)
        return replace(state, v=v, a=a, lam=lam, memory=a.copy(), h=0.0)


def _is_multiple(t: float, period: float) -> bool:
    return abs(t / period - round(t / period)) < SAME * max(1.0, t / period)


def _next(t: float, period: float) -> float:
    """The first multiple after t."""
    k = np.floor(t / period) + 1.0
    return float(period * (k if period * k - t > SAME * max(period, t) else k + 1.0))
