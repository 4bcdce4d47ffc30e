"""Radau IIA of order 5, for error control: its kernels are in `loop.radau`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import positive
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.state import Counters, Leap, State
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.loop.connect import RADAU
from fmbs.solvers.loop.driver import Driver
from fmbs.solvers.loop.pace import PACE, SHORTEST, H
from fmbs.solvers.loop.tables import Control, Method

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
        if self.order != 5:
            raise ModelError(f"Radau: order = {self.order!r} is not available; it is 5.")
        positive("Radau", "newton_tolerance", self.newton_tolerance)
        positive("Radau", "max_iterations", self.max_iterations)

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


class RadauStepper:
    """Steps one system."""

    def __init__(
        self, method: Radau, system: System, linear: LinearSolver, step: float | None, tolerance: float | None, t_end: float
    ) -> None:
        self._system, self._step, self._tolerance = system, step, tolerance
        none, iterations = (0.0,) * 5, method.max_iterations
        self._method = Method(*none, float(method.newton_tolerance), iterations, 1, False, 1.0, False, 5, LEAST)
        self._pace, self._control = np.zeros(PACE), self._control_of(0.0, t_end)
        self._driver = Driver(system, linear, self._method, self._control, RADAU)

    @property
    def counters(self) -> Counters:
        return self._driver.counters

    @property
    def in_python(self) -> tuple[tuple[str, int, float], ...]:
        """See `PythonCalls.called`."""
        return self._driver.calls.called

    def snapshot(self) -> dict[str, Any]:
        """Everything beside the state that the next step depends on, so that a resumed run repeats itself to the last bit."""
        return {"pace": self._pace, "driver": self._driver.snapshot()}

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self._pace[:] = kept["pace"]
        self._driver.restore(kept["driver"])

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
        return self._driver.leap(state, self._method, self._control, self._pace, until)

    def multipliers(self, x: float) -> Array:  # (m,)
        """At the fraction x of the step just taken: on the parabola through its stages."""
        return self._driver.stage_multipliers(x)

    def _control_of(self, start: float, t_end: float) -> Control:
        t_end = float(t_end)
        duration = t_end - start
        if self._step is not None:
            return Control(min(self._step, duration), start, t_end, 0.0, 0.0, 0.0)
        return Control(0.0, start, t_end, float(self._tolerance or 0.0), LARGEST_STEP * duration, SHORTEST * duration)
