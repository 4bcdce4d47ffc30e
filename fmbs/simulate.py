"""The only time loop: steps, step size, output, interruption. It knows no physics and stores nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fmbs.core.state import Counters, State, Step
from fmbs.core.status import Status
from fmbs.solvers._stretch_tables import Control
from fmbs.solvers.contact_events import LEAST
from fmbs.solvers.stretch import STRETCH, Leap, Stretch

Array = NDArray[np.float64]

HALVINGS = 12  # of a fixed step that does not converge
SMALLEST = 1e-12  # step of error control, relative to t_end
SAFETY = 0.9
GENTLE = tuple(0.5**k for k in range(16, -1, -1))  # ends of the pieces of a gentle first step


class Stepper(Protocol):
    """An integrator at work on one system."""

    counters: Counters

    def step(self, state: State, h: float) -> Step: ...
    def stretch(self, state: State, h: float, times: Array) -> Stretch | None: ...  # many fixed steps at once, where it can
    def leap(self, state: State, control: Control, pace: Array, until: float) -> Leap | None: ...  # the same with error control
    def first_contact(self, old: State, new: State) -> float | None: ...  # fraction of the step at which a contact starts
    def touch(self, state: State) -> State: ...  # the state with the contacts that start here
    def in_contact(self, state: State) -> bool: ...
    def damped(self, state: State, strongly: bool) -> State: ...  # the state for steps with strong damping, or without


@dataclass
class Pace:
    """Where a step control stands between two steps: with the state and the stepper's snapshot enough to go on from there."""

    start: float  # time at which the run began, s
    count: int = 0  # fixed steps done
    h: float = 0.0  # next step of error control, s; 0: its first
    flight: float = 0.0  # steps before a contact and at its start: the next flight and the next impact begin with them
    impact: float = 0.0
    touched: bool = False  # has a contact just started?
    whole: bool = True  # False inside a fixed step that is taken in pieces

    @property
    def numbers(self) -> Array:
        """What error control goes on with, for the compiled driver."""
        return np.array([self.h, self.flight, self.impact, float(self.touched)])

    @numbers.setter
    def numbers(self, values: Array) -> None:
        self.h, self.flight, self.impact = values[:3].tolist()
        self.touched = bool(values[3])


class Observer(Protocol):
    """Sees every accepted step, and where a run may be broken off and continued."""

    def accept(self, old: State, new: State) -> None: ...
    def accept_stretch(self, done: Stretch) -> None: ...
    def next_frame(self) -> float: ...  # time of the next frame, s; -inf where every step is one
    def pause(self, state: State, pace: Pace) -> None: ...


class StepFailure(Exception):
    """The run cannot go on from `state`."""

    def __init__(self, state: State, status: Status) -> None:
        super().__init__(status.text)
        self.state, self.status = state, status


@dataclass(frozen=True)
class FixedStep:
    """Steps of equal size; one that does not converge is taken in halves, quarters, ..."""

    step: float
    gentle: bool = False  # the first step is taken in pieces that grow, so that fast initial transients die out

    def run(
        self, stepper: Stepper, state: State, t_end: float, pace: Pace, observer: Observer
    ) -> Iterator[tuple[State, State]]:
        """Yields (old, new) for every accepted step but those that the compiled driver takes."""
        while (remaining := t_end - state.t) > 1e-9 * self.step:
            times = self._until(min(observer.next_frame(), t_end), pace)
            begins = self.gentle and pace.count == 0
            if not begins and (stretch := stepper.stretch(state, self.step, times)) is not None:
                pace.count += stretch.steps
                state = stretch.state
                observer.accept_stretch(stretch)
                observer.pause(state, pace)
                continue
            h = self.step if remaining > self.step * (1.0 - 1e-9) else remaining
            pace.count += 1
            target = pace.start + pace.count * self.step if h == self.step else t_end
            begin = state.t
            for share in GENTLE if begins else (1.0,):
                if begins:
                    state = stepper.damped(state, True)
                piece = h if share == 1.0 and state.t == begin else begin + share * h - state.t
                for old, new in self._advance(stepper, state, piece, HALVINGS):
                    arrived = new.t >= target - 1e-9 * h
                    state = replace(new, t=target) if arrived else new  # no build-up of round-off in t
                    pace.whole = arrived and not begins
                    yield old, state
            if begins:
                state = stepper.damped(state, False)

    def _until(self, t: float, pace: Pace) -> Array:
        """Ends of the coming whole steps up to t, at most STRETCH of them."""
        count = int((t - pace.start) / self.step * (1.0 + 1e-12)) - pace.count
        return pace.start + self.step * np.arange(pace.count + 1, pace.count + 1 + max(0, min(count, STRETCH)))

    def _advance(self, stepper: Stepper, state: State, h: float, halvings: int) -> Iterator[tuple[State, State]]:
        target, remaining = state.t + h, h  # not target - t: the stepper keeps its matrix while h is the same to the last bit
        while remaining > 1e-9 * h:
            step = stepper.step(state, remaining)
            if step.status.ok:
                step = _cut(stepper, state, step, remaining)
            if step.status.ok:
                old, state = state, step.state
                remaining = target - state.t
                if state.t > old.t:
                    yield old, state
                continue
            stepper.counters.rejected += 1
            if not halvings:
                raise StepFailure(state, step.status)
            for _ in range(2):
                for old, new in self._advance(stepper, state, 0.5 * remaining, halvings - 1):
                    state = new
                    yield old, new
            return


@dataclass(frozen=True)
class ErrorControl:
    """Steps chosen so that the errors of all steps together stay near the tolerance.

    The local error grows with h^3; kept below tolerance * h / t_end it adds up to about the tolerance at t_end, whatever
    the number of steps. Contacts are resolved besides, however large the tolerance (see `Step.coarseness`).
    """

    tolerance: float
    first: float
    largest: float

    def run(
        self, stepper: Stepper, state: State, t_end: float, pace: Pace, observer: Observer
    ) -> Iterator[tuple[State, State]]:
        duration = t_end - pace.start
        pace.h = pace.h or self.first
        limits = (self.tolerance, self.largest, SMALLEST * duration, SAFETY, duration, t_end)
        control = Control(*(float(limit) for limit in limits))
        while (remaining := t_end - state.t) > 1e-12 * duration:
            numbers = pace.numbers
            if (leap := stepper.leap(state, control, numbers, min(observer.next_frame(), t_end))) is not None:
                pace.numbers = numbers
                done, state = leap.done, leap.new or leap.done.state
                if done.times.size or done.events.size:
                    observer.accept_stretch(done)
                if leap.new is None:
                    observer.pause(state, pace)
                else:
                    yield done.state, leap.new
                continue
            h = pace.h = min(pace.h, self.largest)
            last = h >= remaining * (1.0 - 1e-9)
            trial = remaining if last else min(h, 0.5 * remaining) if h > 0.5 * remaining else h
            if trial < SMALLEST * duration and not last:
                raise StepFailure(state, Status.STEP_TOO_SMALL)
            step = stepper.step(state, trial)
            if not step.status.ok:
                stepper.counters.rejected += 1
                pace.h = 0.25 * trial
                if pace.h < SMALLEST * duration:
                    raise StepFailure(state, step.status)
                continue
            ratio = max(step.error * duration / (trial * self.tolerance), step.coarseness)
            wanted = trial * min(2.0, max(0.2, SAFETY / max(ratio, 1e-12) ** 0.5))
            if ratio > 1.0:
                stepper.counters.rejected += 1
                pace.h = wanted
                continue
            whole, step = step, _cut(stepper, state, step, trial)
            if not step.status.ok:
                pace.h = 0.25 * trial
                continue
            contact = step is not whole
            old, state = state, replace(step.state, t=t_end) if last and not contact else step.state
            if contact:
                pace.flight, pace.h, pace.touched = trial, pace.impact or trial, True
            elif pace.touched:
                pace.impact, pace.h, pace.touched = trial, wanted, False
            elif pace.flight and not stepper.in_contact(state):
                pace.flight, pace.h = 0.0, max(pace.flight, wanted)
            elif not last and not (trial <= wanted < 1.2 * trial):  # a small gain is not worth a new factorisation
                pace.h = wanted
            if state.t > old.t:
                yield old, state


@dataclass(frozen=True)
class OwnControl:
    """The integrator chooses its steps itself."""

    def run(
        self, stepper: Stepper, state: State, t_end: float, pace: Pace, observer: Observer
    ) -> Iterator[tuple[State, State]]:
        duration = t_end - pace.start
        while (remaining := t_end - state.t) > 1e-12 * duration:
            step = stepper.step(state, remaining)
            if not step.status.ok:
                raise StepFailure(state, step.status)
            stepper.counters.steps += 1
            old, state = state, step.state
            yield old, state


def _cut(stepper: Stepper, state: State, step: Step, h: float) -> Step:
    """The step itself, or a shorter one that ends where the first contact starts. Counts it."""
    share = stepper.first_contact(state, step.state)
    if share is not None and share < LEAST:
        started = stepper.touch(state)
        if (started.history != state.history).any():
            return Step(started, step.status)  # no step at all
    if share is not None:
        if share < 1.0 - LEAST:
            step = stepper.step(state, max(share, LEAST) * h)
        if not step.status.ok:
            return step
        stepper.counters.contacts += 1
        step = replace(step, state=stepper.touch(step.state))
    stepper.counters.steps += 1
    return step


StepControl = FixedStep | ErrorControl | OwnControl


def simulate(
    stepper: Stepper, state: State, t_end: float, control: StepControl, observer: Observer, pace: Pace | None = None
) -> State:
    """Step from state.t to t_end; the observer sees every accepted step. Raises StepFailure."""
    pace = pace or Pace(state.t)
    for old, new in control.run(stepper, state, t_end, pace, observer):
        state = new
        observer.accept(old, new)
        if pace.whole:
            observer.pause(state, pace)
    return state
