"""A model that somebody else steps: from one time to the next, with inputs that hold in between."""

from __future__ import annotations

from dataclasses import replace

from fmbs.analysis.beginning import begin
from fmbs.analysis.integrators import check_radau, check_steps, chosen
from fmbs.assembly.system import System
from fmbs.core.defaults import ASSEMBLY_TOLERANCE
from fmbs.core.errors import ConvergenceError, ModelError
from fmbs.core.state import State
from fmbs.core.state_coordinate import states_of
from fmbs.model import Model
from fmbs.results.solution import Solution, Statistics
from fmbs.solvers.generalized_alpha import GeneralizedAlpha
from fmbs.solvers.impacts.surfaces import is_rigid
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.loop.stepper import LoopStepper
from fmbs.solvers.projection import project_velocity
from fmbs.solvers.radau import Radau
from fmbs.solvers.saddle import accelerations

SAME = 1e-12  # of the time: what is shorter is no step


class Stepwise:
    """step or tolerance, integrator: as of `simulate`; the tolerance is that of a run of 1 s."""

    def __init__(
        self, model: Model, *, step: float | None = None, tolerance: float | None = None,
        integrator: GeneralizedAlpha | Radau | None = None,
    ) -> None:  # fmt: skip
        if integrator is not None and not isinstance(integrator, (GeneralizedAlpha, Radau)):
            raise ModelError(f"{model.name}: stepwise: integrator = {integrator!r}; take fm.GeneralizedAlpha() or fm.Radau().")
        method, _ = chosen(model, integrator, "exact", 1, step, tolerance)
        check_steps(model.name, step, tolerance)
        if isinstance(method, Radau):
            check_radau(model, "exact")
        self._model, self._step = model, step
        self._system: System
        self._linear: LinearSolver
        self._system, self._linear, start = begin(model, "auto", ASSEMBLY_TOLERANCE, velocities="complete")
        if is_rigid(self._system) or any(getattr(part, "every", None) for part in model.forces if states_of([part])):
            raise ModelError(f"{model.name}: stepwise: rigid surfaces and sampled controllers are not known there.")
        self.state: State = start.state
        stepper = method.start(self._system, self._linear, "exact", step, tolerance, 1.0)
        assert isinstance(stepper, LoopStepper)
        self._stepper = stepper

    def go(self, until: float) -> None:
        """Step to a time, s, with the inputs as they are now."""
        system, state = self._system, self.state
        if until - state.t <= SAME * max(1.0, until):
            return
        v = project_velocity(system, self._linear, state.t, state.q, state.v)
        system.contacts.begin(state.t, state.q, v, state.history)
        a, lam = accelerations(system, self._linear, state.t, state.q, v)
        state = self._stepper.restart(replace(state, v=v, a=a, lam=lam, memory=a.copy(), h=0.0), until, 1.0)
        while until - state.t > SAME * max(1.0, until):
            leap = self._stepper.leap(state, until, until)
            state = leap.new or (leap.done.state if leap.done is not None else state)
            if leap.failure is not None:
                text = f"{self._model.name}: {leap.failure.text} at t = {state.t:.6g} s."
                raise ConvergenceError(text, time=state.t, status=leap.failure)
        self.state = replace(state, t=until)

    @property
    def solution(self) -> Solution:
        """One frame: now, with the accelerations and multipliers of the inputs as they are."""
        system, state = self._system, self.state
        system.contacts.begin(state.t, state.q, state.v, state.history)
        a, lam = accelerations(system, self._linear, state.t, state.q, state.v)
        return Solution.from_states(system, [replace(state, a=a, lam=lam)], Statistics())
