"""The time loop in plain Python around the textbook stepper: equal steps and error control, contacts that cut steps, films.

`textbook(monkeypatch)` puts it in the place of the compiled loop, so that `m.simulate` runs with it: one step at a time, every
energy from Python's own ledger. It halves no steps: where Newton's method fails so does the test.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.assembly.system import System
from fmbs.core.state import Counters, Leap, State, Stretch
from fmbs.solvers import generalized_alpha as rules
from fmbs.solvers.contact_events import first_contact, touched
from fmbs.solvers.generalized_alpha import AlphaStepper as CompiledStepper
from fmbs.solvers.loop.alpha import FARTHEST, SETTLED_AFTER
from fmbs.solvers.loop.contacts import LEAST, SMALL_JUMP
from fmbs.solvers.loop.pace import CONTACT_ERROR, SMALLEST_DEPTH

from ._common import Array
from .alpha_stepper import AlphaStepper, Motion


def textbook(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on `m.simulate` with generalized-alpha runs in plain Python."""

    def start(self: fm.GeneralizedAlpha, *given: Any) -> PlainLoop:
        return PlainLoop(self, *given)

    monkeypatch.setattr(fm.GeneralizedAlpha, "start", start)


class PlainLoop:
    """One step a leap. Starting values are those of the compiled loop, which has its own tests."""

    def __init__(
        self, method: fm.GeneralizedAlpha, system: System, linear: Any, tangent: str, step: float | None,
        tolerance: float | None, t_end: float,
    ) -> None:  # fmt: skip
        self.counters = Counters()
        self.method, self.system, self.fixed, self.tolerance, self.t_end = method, system, step, tolerance, t_end
        self.always = method.rho_inf > rules.UNDAMPED or step is None
        self.settling = self.count = 0
        self.h = self.flight = self.impact = 0.0
        self.just_touched = False
        self.begin = CompiledStepper(method, system, linear, tangent, step, tolerance, t_end).prepare

    def prepare(self, state: State) -> State:
        state = self.begin(state)
        self.h = state.h
        return state

    def leap(self, state: State, t_end: float, until: float) -> Leap:
        return self.equal(state, t_end) if self.fixed is not None else self.controlled(state, t_end)

    def equal(self, state: State, t_end: float) -> Leap:
        """The next equal step, or what a contact leaves of it; with films the first one grows through their transient."""
        rest = t_end - state.t
        target = min((self.count + 1) * self.fixed, t_end)
        whole = abs(state.t - self.count * self.fixed) < 1e-9 * self.fixed and rest > self.fixed * (1 - 1e-9)
        if self.count == 0 and self.system.contacts.overdamped:
            target = next(end for end in self.fixed * np.array(rules.GENTLE) if end > state.t * (1 + 1e-9))
            new, _ = self.cut(at_rest(state), target - state.t, rules.STRONG)
            new = at_rest(new) if target == self.fixed else new
        else:
            new, _ = self.cut(state, self.fixed if whole else target - state.t, self.method.rho_inf)
        if new.t == state.t:
            return self.begun(new)
        if target - new.t <= 1e-9 * self.fixed:
            new = replace(new, t=float(target))
            self.count += target >= (self.count + 1) * self.fixed
        return Leap(new=new)

    def controlled(self, state: State, t_end: float) -> Leap:
        """The next step whose error is small enough."""
        while True:
            self.h = min(self.h, rules.LARGEST_STEP * t_end)
            rest = t_end - state.t
            last = self.h >= rest * (1.0 - 1e-9)
            h = rest if last else min(self.h, 0.5 * rest)
            try:
                new, w_0 = self.step(state, h, self.method.rho_inf)
            except ArithmeticError:
                self.counters.rejected += 1
                self.h = 0.25 * h
                continue
            error = self.error(state, new, new.memory[0] - w_0, t_end)
            wanted = h * min(2.0, max(0.2, 0.9 / max(error, 1e-12) ** 0.5))
            if error > 1.0:
                self.counters.rejected += 1
                self.h = wanted
                continue
            end, contact = self.cut(state, h, self.method.rho_inf, new)
            if contact:
                self.flight, self.h, self.just_touched = h, self.impact or h, True
            elif self.just_touched:
                self.impact, self.h, self.just_touched = h, wanted, False
            elif self.flight and self.system.contacts.free(end.history).all():
                self.flight, self.h = 0.0, max(self.flight, wanted)
            elif not last and not h <= wanted < 1.2 * h:
                self.h = wanted
            if end.t == state.t:
                return self.begun(end)
            return Leap(new=replace(end, t=t_end) if last and not contact else end)

    def cut(self, state: State, h: float, rho: float, new: State | None = None) -> tuple[State, bool]:
        """A step, or a shorter one that ends where the first contact starts, and whether one does."""
        contacts = self.system.contacts
        new = self.step(state, h, rho)[0] if new is None else new
        share = first_contact(self.system, state, new) if contacts else None
        if share is not None and share < LEAST:
            started = self.touch(state)
            if (started.history != state.history).any():
                return started, True
        if share is not None:
            if share < 1.0 - LEAST:
                new, _ = self.step(state, max(share, LEAST) * h, rho)
            self.counters.contacts += 1
            new = self.touch(new)
        self.counters.steps += 1
        return new, share is not None

    def step(self, state: State, h: float, rho: float) -> tuple[State, Array]:
        """One step of size h, and the average that it began with."""
        system, stepper = self.system, AlphaStepper(self.system, rho, h)
        constant = 1.0 / 6.0 - stepper.beta - 0.5 * (stepper.am - stepper.af)
        w_0, v_0 = state.memory[0], state.v
        system.contacts.begin(state.t, state.q, state.v, state.history, h)
        changed, turn = h != state.h, h * system.spin(state.v)
        coarse = turn > self.method.coarse_turn
        self.settling = SETTLED_AFTER if self.always or coarse or changed else max(self.settling - 1, 0)

        taken = 0.0

        def straight(t: float, q: Array, v: Array, lam: Array, change: Array) -> Array:
            """v without what the constraints forbid, less the method's own offset."""
            nonlocal taken
            forbidden = system.equations.rates(t, q, v - constant * h * change)
            right = np.concatenate([np.zeros(q.size), forbidden])
            clean = v - np.linalg.solve(stepper.matrix(t, q, v, lam), right)[: q.size]
            taken += system.kinetic_energy(v) - system.kinetic_energy(clean)
            return clean

        if changed:
            ratio = min(h / state.h, FARTHEST)
            w_0 = state.a + ratio * (w_0 - state.a)
            v_0 = straight(state.t, state.q, v_0, state.lam, ratio * state.h * state.memory[1])
        end = stepper.step(Motion(state.t, state.q, v_0, state.a, state.lam, w_0))
        dq, dw, da = end.q - state.q, end.w - w_0, end.a - state.a
        mean = 0.5 * (w_0 + end.w) + (stepper.gamma - 0.5) * dw
        taken += (0.5 - stepper.af) * dq @ system.inertia(dw - da)
        taken += (stepper.beta - 0.5 * stepper.gamma) * h * h * mean @ system.inertia(dw)
        v = straight(end.t, end.q, end.v, end.lam, dw) if self.settling else end.v
        history = system.contacts.end(end.t, end.q, v)
        new = State(end.t, end.q, v, end.a, end.lam, np.stack([end.w, dw / h]), h, history, taken)
        released = system.contacts and (system.contacts.free(history) & ~system.contacts.free(state.history)).any()
        return at_rest(new) if released else new, w_0

    def begun(self, state: State) -> Leap:
        """No step at all, but contacts that start."""
        stations = self.system.contacts.free(state.history).size
        return Leap(Stretch(state, np.zeros(3 + stations), 0.0, np.empty(0), np.empty((0, 5))))

    def touch(self, state: State) -> State:
        """The state with contacts that start here, and the accelerations after a force that jumps."""
        system, new = self.system, touched(self.system, state)
        system.contacts.begin(state.t, state.q, state.v, state.history)
        before = system.force(state.t, state.q, state.v)
        size = max(np.abs(before).max(), np.abs(system.force(state.t, state.q, state.v, a=state.a)).max())
        system.contacts.begin(new.t, new.q, new.v, new.history)
        if np.abs(system.force(new.t, new.q, new.v) - before).max() <= SMALL_JUMP * size:
            return new
        a, lam = AlphaStepper(system, self.method.rho_inf, state.h).accelerations(new.t, new.q, new.v)
        return at_rest(replace(new, a=a, lam=lam))

    def error(self, old: State, new: State, change: Array, t_end: float) -> float:
        """Of a step, relative to what is allowed: of coordinates, and of penetrations."""
        contacts, h, am_af = self.system.contacts, new.h, self.method.parameters
        constant = abs(1.0 / 6.0 - am_af[2] - 0.5 * (am_af[0] - am_af[1])) * h * h
        error = constant * np.abs(change / self.system.scale).max() * t_end / (h * self.tolerance)
        if not contacts or (free := contacts.free(old.history)).all():
            return float(error)
        depth_0, rate_0 = contacts.gaps(old.q, old.v)
        depth_1, jump = contacts.gaps(new.q, change)
        size = np.maximum(np.maximum(depth_0, depth_1), np.abs(rate_0) * h) + SMALLEST_DEPTH
        return max(float(error), float((constant * np.abs(jump) / size)[~free].max()) / CONTACT_ERROR)


def at_rest(state: State) -> State:
    """With an average that is the acceleration of the moment."""
    return replace(state, memory=np.stack([state.a, np.zeros_like(state.a)]))
