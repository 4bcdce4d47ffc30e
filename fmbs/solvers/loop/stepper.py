"""What integrators of the loop have in common: their driver, their pace, and what a run is continued with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from fmbs.assembly.system import System
from fmbs.core.state import Counters, Leap, State
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.loop.connect import Kernels
from fmbs.solvers.loop.driver import Driver
from fmbs.solvers.loop.pace import CLOSE, COUNT, FLIGHT, LEVEL, PACE, SHORTEST, TOUCHED, H
from fmbs.solvers.loop.tables import Control, Method

FINEST = 1e-10  # tolerance of the steps between two samples: with a finer one the last of them would be round-off


class LoopStepper(ABC):
    """Steps one system with the time loop.

    largest: step of error control, relative to the run
    """

    def __init__(
        self, system: System, linear: LinearSolver, method: Method, kernels: Kernels, step: float | None,
        tolerance: float | None, t_end: float, largest: float,
    ) -> None:  # fmt: skip
        self._system, self._own, self._step, self._tolerance, self._largest = system, method, step, tolerance, largest
        self._windowed = tolerance  # what of the tolerance is for the steps up to the next sample
        self._pace, self._control = np.zeros(PACE), self._control_of(0.0, t_end)
        self._driver = Driver(system, linear, method, self._control, kernels)

    @property
    def counters(self) -> Counters:
        return self._driver.counters

    @property
    def in_python(self) -> tuple[tuple[str, int, float], ...]:
        """See `PythonCalls.called`."""
        return self._driver.calls.called

    @property
    def wanted(self) -> float:
        """The next step of error control, s."""
        return float(self._pace[H])

    def struck(self) -> bool:
        """Have rigid surfaces met where the loop has returned? Asked once."""
        if not self._driver.struck():
            return False
        if self._step is None and self._pace[FLIGHT] > 0.0:  # an impact takes no time: the flight goes on with its step
            self._pace[H], self._pace[FLIGHT], self._pace[TOUCHED] = self._pace[FLIGHT], 0.0, 0.0
        return True

    def next_end(self, t: float) -> float:
        """Where the next equal step ends, s, as steps are counted from the start; the end of the run with error control."""
        control = self._control
        if self._step is None:
            return float(control.t_end)
        return float(min(control.start + (self._counted(t) + 1) * control.step, control.t_end))

    def go_on(self, t: float, h: float) -> None:
        """Others have made steps up to t, the last of them of h, s; 0: error control goes on with its own."""
        self._pace[COUNT], self._pace[LEVEL], self._pace[H] = self._counted(t), 0, h or self._pace[H]

    def forget(self, longest: float) -> None:
        """Velocities have jumped: the next step has no predecessor, and error control begins with `longest`, s, at most."""
        self._driver.forget_last()
        self._pace[H] = min(self._pace[H], longest)

    def restart(self, state: State, t_end: float, whole: float) -> State:
        """Begin anew, up to t_end, from a state whose velocities have jumped; whole: as in `window`."""
        self._pace[:] = 0.0
        self._driver.forget_last()
        self.window(state.t, t_end, whole)
        return self.prepare(state)

    def window(self, start: float, t_end: float, whole: float) -> None:
        """Steps and tolerance count from `start` to t_end; whole: duration of the run, s, whose tolerance is shared out."""
        if self._tolerance is not None:
            self._windowed = max(self._tolerance * (t_end - start) / whole, min(self._tolerance, FINEST))
        self._control = self._control_of(start, t_end)

    @abstractmethod
    def prepare(self, state: State) -> State:
        """The state as the method starts from it."""

    @abstractmethod
    def leap(self, state: State, t_end: float, until: float) -> Leap:
        """Steps up to a frame at `until`, or to what comes first."""

    def _counted(self, t: float) -> float:
        return float(np.floor((t - self._control.start) / self._control.step * (1.0 + 1e-14) + CLOSE)) if self._step else 0.0

    def snapshot(self) -> dict[str, Any]:
        """Everything beside the state that the next step depends on, so that a resumed run repeats itself to the last bit."""
        return {"pace": self._pace, "driver": self._driver.snapshot()}

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self._pace[:] = kept["pace"]
        self._driver.restore(kept["driver"])

    def _control_of(self, start: float, t_end: float) -> Control:
        t_end = float(t_end)  # of the same kind in every run, or the loop would be compiled for another
        duration = t_end - start
        if self._step is not None:
            return Control(min(self._step, duration), start, t_end, 0.0, 0.0, 0.0)
        return Control(0.0, start, t_end, float(self._windowed or 0.0), self._largest * duration, SHORTEST * duration)
