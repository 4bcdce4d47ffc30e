"""Radau IIA of order 5, for error control: its kernels are in `loop.radau`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import positive, whole
from fmbs.core.described import Described
from fmbs.core.state import Leap, State
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.loop.connect import RADAU
from fmbs.solvers.loop.pace import H
from fmbs.solvers.loop.stepper import LoopStepper
from fmbs.solvers.loop.tables import Method

Array = NDArray[np.float64]

LEAST = 1e-7  # of a step: contacts are located to this
FIRST_STEP = 0.1  # of the time in which anything moves by the model's size, times the fifth root of the tolerance
SMALLEST_TOLERANCE = 1e-13  # below it round-off decides
LARGEST_STEP = 0.1  # of error control, relative to the run


@dataclass(frozen=True)
class Radau(Described):
    """Implicit, fifth order for q and v, third for multipliers; fast vibrations are damped away (L-stable).

    order: 5
    newton_tolerance: error allowed in an acceleration, relative to the largest one of late
    max_iterations: of Newton's method, before the step is cut
    """

    order: int = 5
    newton_tolerance: float = field(default=1e-10, kw_only=True)
    max_iterations: int = field(default=12, kw_only=True)

    def __post_init__(self) -> None:
        whole("Radau", "order", self.order, least=5, most=5)
        positive("Radau", "newton_tolerance", self.newton_tolerance)
        whole("Radau", "max_iterations", self.max_iterations)

    def start(
        self,
        system: System,
        linear: LinearSolver,
        tangent: str,
        step: float | None,
        tolerance: float | None,
        t_end: float,
    ) -> RadauStepper:
        """A stepper for this system: of equal steps, or of a tolerance at t_end."""
        return RadauStepper(self, system, linear, step, tolerance, t_end)


class RadauStepper(LoopStepper):
    """Steps one system."""

    def __init__(
        self, method: Radau, system: System, linear: LinearSolver, step: float | None, tolerance: float | None, t_end: float
    ) -> None:
        none, iterations = (0.0,) * 5, method.max_iterations
        own = Method(*none, float(method.newton_tolerance), iterations, 1, False, 1.0, False, 5, LEAST)
        super().__init__(system, linear, own, RADAU, step, tolerance, t_end, LARGEST_STEP)

    def prepare(self, state: State) -> State:
        """The state as it is, and a first step."""
        system, t_end = self._system, self._control.t_end
        if self._step is None:
            speed = float(np.abs(state.v / system.scale).max(initial=0.0))
            push = float(np.sqrt(np.abs(state.a / system.scale).max(initial=0.0)))
            share = FIRST_STEP * float(self._tolerance or 0.0) ** 0.2
            h = min(share / max(speed, push, 1e-300), 1e-2 * t_end)
        else:
            h = min(self._step, t_end)
        self._pace[H] = h
        self._control = self._control_of(state.t, t_end)
        self._driver.forget_matrix()
        return replace(state, memory=np.zeros((2, system.size)), h=h)

    def leap(self, state: State, t_end: float, until: float) -> Leap:
        """Steps up to the one that reaches or passes a frame at `until`."""
        if t_end != self._control.t_end:
            self._control = self._control_of(self._control.start, t_end)
        return self._driver.leap(state, self._own, self._control, self._pace, until)

    def inside(self, old: State, new: State, x: float, state: State) -> State:
        """A state interpolated at the fraction x of the step just taken, with what its stages know better."""
        state = replace(state, lam=self._driver.stage_multipliers(x))
        return replace(state, history=self._driver.stage_history(old, new, x)) if self._driver.remembers else state
