"""Recorder: watches a run, picks the output frames and keeps the energy ledger."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.state import State
from fmbs.results.energy import flows

Array = NDArray[np.float64]


class Recorder:
    """Frames at the asked-for times (every step if none), interpolated inside steps.

    q by the quintic through q, v and a at both ends of a step, v and a by its derivatives, lam linearly: the method is second
    order, the interpolation better.
    """

    def __init__(
        self, system: System, state: State, times: Array | None, progress: Callable[[float, float], None] | None = None
    ) -> None:
        self.states: list[State] = []
        self.ledger: list[tuple[float, float]] = []  # work done and energy dissipated up to each frame, J
        self.step_times: list[float] = []
        self._system, self._times, self._next, self._progress = system, times, 0, progress
        self._flows = flows(system, state)
        self._work = self._dissipated = 0.0
        self._record(state, 0.0, 0.0)

    def accept(self, old: State, new: State) -> None:
        """Integrate the power over the step (trapezoidal rule) and record what falls into it."""
        before, self._flows = self._flows, flows(self._system, new)
        h = new.t - old.t
        work = self._work + 0.5 * h * (before.supplied + self._flows.supplied)
        dissipated = self._dissipated + 0.5 * h * (before.dissipated + self._flows.dissipated)
        if self._times is None:
            self._record(new, work, dissipated)
        else:
            while self._next < self._times.size and (t := float(self._times[self._next])) <= new.t + 1e-9 * h:
                x = (t - old.t) / h
                frame = new if x > 1.0 - 1e-9 else interpolate(old, new, x)
                self._record(frame, *(a + x * (b - a) for a, b in ((self._work, work), (self._dissipated, dissipated))))
        self._work, self._dissipated = work, dissipated
        self.step_times.append(new.t)
        if self._progress is not None:
            self._progress(new.t, h)

    def _record(self, state: State, work: float, dissipated: float) -> None:
        self.states.append(state)
        self.ledger.append((work, dissipated))
        self._next += 1


def interpolate(old: State, new: State, x: float) -> State:
    """The state at the fraction x of a step."""
    h = new.t - old.t
    a0, a1 = old.a * h * h, new.a * h * h
    v0, v1 = old.v * h, new.v * h
    d = new.q - old.q - v0 - 0.5 * a0  # quintic q0 + v0 x + a0 x^2/2 + c3 x^3 + c4 x^4 + c5 x^5
    e, f = v1 - v0 - a0, a1 - a0
    c3, c4, c5 = 10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f
    q = old.q + x * (v0 + x * (0.5 * a0 + x * (c3 + x * (c4 + x * c5))))
    v = (v0 + x * (a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / h
    a = (a0 + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))) / (h * h)
    lam = old.lam + x * (new.lam - old.lam)
    return State(old.t + x * h, q, v, a, lam, old.memory)
