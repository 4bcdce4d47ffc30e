"""What integrators of the loop have in common: their driver, their pace, and what a run is continued with."""

from __future__ import annotations

from typing import Any

import numpy as np

from fmbs.assembly.system import System
from fmbs.core.state import Counters
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.loop.connect import Kernels
from fmbs.solvers.loop.driver import Driver
from fmbs.solvers.loop.pace import PACE, SHORTEST
from fmbs.solvers.loop.tables import Control, Method


class LoopStepper:
    """Steps one system with the time loop.

    largest: step of error control, relative to the run
    """

    def __init__(
        self, system: System, linear: LinearSolver, method: Method, kernels: Kernels, step: float | None,
        tolerance: float | None, t_end: float, largest: float,
    ) -> None:  # fmt: skip
        self._system, self._own, self._step, self._tolerance, self._largest = system, method, step, tolerance, largest
        self._pace, self._control = np.zeros(PACE), self._control_of(0.0, t_end)
        self._driver = Driver(system, linear, method, self._control, kernels)

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

    def _control_of(self, start: float, t_end: float) -> Control:
        t_end = float(t_end)  # of the same kind in every run, or the loop would be compiled for another
        duration = t_end - start
        if self._step is not None:
            return Control(min(self._step, duration), start, t_end, 0.0, 0.0, 0.0)
        return Control(0.0, start, t_end, float(self._tolerance or 0.0), self._largest * duration, SHORTEST * duration)
