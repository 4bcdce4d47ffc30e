"""A run: an integrator leaps from frame to frame, an observer sees where it lands. It knows no physics and stores nothing."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fmbs.core.interrupts import undisturbed
from fmbs.core.state import Counters, Leap, State, Stretch
from fmbs.core.status import Status

Array = NDArray[np.float64]

CLOSE = 1e-12  # of the run: a rest that is shorter is none


class Stepper(Protocol):
    """An integrator at work on one system."""

    @property
    def counters(self) -> Counters: ...
    def leap(self, state: State, t_end: float, until: float) -> Leap: ...  # steps up to the one that reaches or passes `until`


class Observer(Protocol):
    """Sees every leap, and where a run may be broken off and continued."""

    def accept(self, old: State, new: State, totals: Array | None) -> None: ...  # one step, which passes a frame
    def accept_stretch(self, done: Stretch) -> None: ...  # many, up to a frame or before it
    def next_frame(self) -> float: ...  # time of the next frame, s; -inf where every step is one
    def pause(self, state: State) -> None: ...


class StepFailure(Exception):
    """The run cannot go on from `state`."""

    def __init__(self, state: State, status: Status) -> None:
        super().__init__(status.text)
        self.state, self.status = state, status


def simulate(stepper: Stepper, state: State, t_end: float, observer: Observer) -> State:
    """Step from state.t to t_end. Raises StepFailure."""
    while t_end - state.t > CLOSE * t_end:
        leap = stepper.leap(state, t_end, min(observer.next_frame(), t_end))
        with undisturbed():  # a frame is written whole
            if leap.done is not None:
                state = leap.done.state
                observer.accept_stretch(leap.done)
            if leap.new is not None:
                observer.accept(state, leap.new, leap.totals)
                state = leap.new
            if leap.failure is not None:
                raise StepFailure(state, leap.failure)
            observer.pause(state)
    return state
