"""Recorder: watches a run, picks the output frames and keeps the energy ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.state import State, Stretch
from fmbs.math.path_kernels import quintic
from fmbs.results.contact_log import ContactLog
from fmbs.results.energy import energy_row
from fmbs.results.frames import Frames
from fmbs.results.resolution import Resolution
from fmbs.results.run_file import RunFile
from fmbs.results.witness import Witness
from fmbs.solvers.flows import NUMERICAL, STATIONS, flows

Array = NDArray[np.float64]


class Observers(NamedTuple):
    """Who is told of what a run does: of its energies, of its steps, of its progress."""

    witness: Witness
    resolution: Resolution
    progress: Callable[[float, float], None] | None = None


class Recorder:
    """Frames at the asked-for times (every step if none), interpolated inside steps.

    between: the integrator's own interpolation, (old, new, fraction) -> state. Without one it is `interpolate`, which suits a
             second-order method. With one, and in contacts, power is integrated by Simpson's rule: it changes fast in a step.
    """

    def __init__(
        self, system: System, state: State, times: Array | None, observers: Observers,
        between: Callable[[State, State, float], State] | None = None, file: RunFile | None = None,
    ) -> None:  # fmt: skip
        self.frames = Frames(None if file is None else file.writer, last_only=file is not None and file.writer is None)
        self.contacts = ContactLog(system, observers.resolution.see_impact)
        self._system, self._times, self._next = system, times, 0
        self._witness, self._resolution, self._progress = observers
        self._between, self._simpson, self._file = between or interpolate, between is not None, file
        self._flows = flows(system, state)
        self._totals = np.zeros_like(self._flows)  # integrals of the flows, J
        if file is not None and file.resumed is not None:
            self._totals, self._next = file.resumed.arrays["totals"], file.resumed.values["next"]
            self.frames.count, self.frames.steps = file.resumed.values["frames"], file.resumed.values["steps"]
            self.contacts.restore(file.resumed.values["contacts"])
            self._witness.restore(file.resumed.values["witness"])
        else:
            self._record(state, self._totals)

    def accept(self, old: State, new: State, known: Array | None = None) -> None:
        """Integrate the power over the step and record what falls into it. known: the integrals over the whole step, if so."""
        contacts = self._system.contacts
        free = contacts.free(old.history)
        touching = not free.all()
        before, self._flows = self._flows, flows(self._system, new)
        # a contact that starts at the end of the step took nothing in it, however large its first force
        starts = bool((free & ~contacts.free(new.history)).any())
        after = flows(self._system, replace(new, history=old.history)) if starts else self._flows
        middle = flows(self._system, self._between(old, new, 0.5)) if self._simpson or touching else None
        h = new.t - old.t

        def until(x: float) -> Array:
            """Integrals up to the fraction x of the step."""
            totals: Array = self._totals + h * _integral(x, before, middle, after) + x * rest
            totals[NUMERICAL] += x * new.taken
            return totals

        rest = np.zeros_like(before)  # that the integrator knows better
        if known is not None:
            rest = self._totals + known - until(1.0)
        totals = until(1.0)
        if self._system.contacts:
            self.contacts.accept(old, new, self._totals[STATIONS:], totals[STATIONS:])
        if self._times is None:
            self._record(new, totals)
        else:
            while self._next < self._times.size and (t := float(self._times[self._next])) <= new.t + 1e-9 * h:
                x = (t - old.t) / h
                if x > 1.0 - 1e-9:
                    self._record(replace(new, t=t), totals)  # without the round-off of many steps
                else:
                    self._record(self._between(old, new, x), until(x))
        self._totals = totals
        self.frames.step(new.t)
        self._resolution.see(new)
        if self._progress is not None:
            self._progress(new.t, h)

    def next_frame(self) -> float:
        """Time of the next frame, s; -inf where every step is one."""
        if self._times is None:
            return -np.inf
        return float(self._times[self._next]) if self._next < self._times.size else np.inf

    def accept_stretch(self, done: Stretch) -> None:
        """Many steps, which end at a frame or before it."""
        new, h = done.state, done.state.h
        self.contacts.accept_events(done.events, self._totals[STATIONS:])
        self.contacts.accept_jumps(done.jumps, self._totals[STATIONS:])
        self._flows = flows(self._system, new)
        old, before = done.begun, self._totals
        self._totals = self._totals + done.totals
        seen = self._next
        while self._times is not None and self._next < self._times.size and self._times[self._next] <= new.t + 1e-9 * h:
            t = float(self._times[self._next])
            if old is not None and t < new.t - 1e-9 * h:
                x = (t - old.t) / (new.t - old.t)
                self._record(self._between(old, new, x), before + x * done.totals)
            else:
                self._record(replace(new, t=t), self._totals)
        if self._next == seen:  # no frame: look all the same
            self._witness.see(new.t, energy_row(self._system, new, self._totals))
        self.frames.many_steps(done.times)
        self._resolution.see(new, done.turn)
        if self._progress is not None:
            self._progress(new.t, h)

    def jumped(self, state: State) -> None:
        """Velocities have jumped between two steps."""
        self._flows = flows(self._system, state)

    def pause(self, state: State) -> None:
        """The run could be broken off here: note now and then how to go on."""
        if self._file is not None and self._file.due():
            self.checkpoint(state)

    def checkpoint(self, state: State) -> None:
        """Note how to go on from here."""
        assert self._file is not None
        self.frames.flush()
        rows = {"frames": self.frames.count, "steps": self.frames.steps}
        values = {"next": self._next, **rows, "contacts": self.contacts.snapshot(), "witness": self._witness.snapshot()}
        self._file.checkpoint(state, self._totals, values)

    def _record(self, state: State, totals: Array) -> None:
        row = energy_row(self._system, state, totals)
        self.frames.record(state, row)
        self._next += 1
        self._witness.see(state.t, row)


def _integral(x: float, start: Array, middle: Array | None, end: Array) -> Array:
    """From 0 to x of the parabola through the values at 0, 1/2 and 1; of the straight line without a middle."""
    centre = 0.5 * (start + end) if middle is None else middle
    slope, bend = -3.0 * start + 4.0 * centre - end, 2.0 * start - 4.0 * centre + 2.0 * end
    integral: Array = x * (start + x * (0.5 * slope + x * bend / 3.0))
    return integral


def interpolate(old: State, new: State, x: float) -> State:
    """The state at the fraction x of a step.

    q by the quintic through q, v and a at both ends, v and a by its derivatives, lam linearly: better than second order.
    """
    h = new.t - old.t
    q, v, a = (np.empty_like(old.q) for _ in range(3))
    quintic(old.q, old.v, old.a, new.q, new.v, new.a, h, x, q, v, a)
    lam = old.lam + x * (new.lam - old.lam)
    # what is remembered all through the step changes linearly; what starts or ends in it stays as it was
    lasting = (old.history != 0.0) & (new.history != 0.0)
    history = np.where(lasting, old.history + x * (new.history - old.history), old.history)
    return State(old.t + x * h, q, v, a, lam, old.memory, history=history)
