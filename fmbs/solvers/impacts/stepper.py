"""Event-driven runs with rigid surfaces: the time loop flies from impact to impact, contacts that rest are stepped here.

A step ends where a gap closes. Ends that the loop does not reach, because a step so short would drown in round-off, are
reached on the parabola through q, v and a. Flights that get shorter and shorter come to an end: below a share of the step
the surfaces stay together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import Coefficients
from fmbs.core.errors import ModelError
from fmbs.core.state import Counters, Leap, State
from fmbs.core.status import Status
from fmbs.solvers.contact_events import first_contact
from fmbs.solvers.generalized_alpha import AlphaStepper
from fmbs.solvers.impacts.landing import NEAR, OUT, Landing
from fmbs.solvers.impacts.rest import Resting
from fmbs.solvers.impacts.surfaces import Surfaces
from fmbs.solvers.linear import LinearSolver
from fmbs.solvers.loop.contacts import LEAST
from fmbs.solvers.radau import RadauStepper

Array = NDArray[np.float64]

COARSEST = 1e-4  # of the run: as if its step were this, where error control chooses others
HALVINGS = 12  # of a step at rest that does not converge
TOUCHING = 1e-9  # of the clearance: deeper is in the wall, at the start
SAFETY, GROWTH = 0.9, 1.5  # of error control at rest
TURN = 0.1  # rad: of the wall in a step at rest
SLUGGISH = 0.05  # rad: of the fastest vibration, in a short flight


class ImpactStepper:
    """Steps one system whose contacts are rigid. inner: the time loop; parameters: of generalized-alpha, for what rests."""

    def __init__(
        self, inner: AlphaStepper | RadauStepper, surfaces: Surfaces, linear: LinearSolver,
        parameters: tuple[float, float, float, float], step: float | None, tolerance: float | None, t_end: float,
    ) -> None:  # fmt: skip
        self._inner, self._surfaces, self._linear = inner, surfaces, linear
        self._system, self._step, self._tolerance, self._t_end = surfaces.system, step, tolerance, t_end
        self._resting, self._parameters = Resting(surfaces, parameters), parameters
        self._carries = isinstance(inner, AlphaStepper) and bool(self._system.elements)
        self._landing = Landing(surfaces, linear, self._carries)
        self._struck, self._flight, self._foreign, self._h = False, 0.0, False, 0.0
        self._taken, self._pace = 0, 0.0  # steps at rest and short flights; rad/s of the fastest vibration

    @property
    def counters(self) -> Counters:
        inner, own = self._inner.counters, self._resting.iterations
        return replace(
            inner, steps=inner.steps + self._taken, iterations=inner.iterations + own, factorizations=inner.factorizations + own
        )

    @property
    def in_python(self) -> tuple[tuple[str, int, float], ...]:
        return self._inner.in_python

    def snapshot(self) -> dict[str, Any]:
        """Everything beside the state that the next step depends on."""
        own = {"struck": int(self._struck), "flight": self._flight, "foreign": int(self._foreign), "h": self._h}
        return {"own": own | {"taken": self._taken, "bounces": self._landing.bounces}, "inner": self._inner.snapshot()}

    def restore(self, kept: dict[str, Any]) -> None:
        own = kept["own"]
        self._struck, self._flight, self._foreign = bool(own["struck"]), float(own["flight"]), bool(own["foreign"])
        self._h, self._taken, self._landing.bounces = float(own["h"]), int(own["taken"]), int(own["bounces"])
        self._inner.restore(kept["inner"])

    def prepare(self, state: State) -> State:
        """As the time loop wants it; surfaces that touch at the start are looked at first."""
        depth, rate = self._surfaces.depth_and_rate(state.q, state.v)
        deep = depth / self._surfaces.clearances
        worst = int(np.argmax(deep))
        if deep[worst] > TOUCHING:
            joint, end = self._surfaces.names[worst]
            raise ModelError(
                f"{joint.name or type(joint).__name__}: rigid surfaces overlap by {depth[worst]:.3g} m at t = 0 (end {end!r}); "
                "draw the markers closer to each other, or take a law of fm.contact, which starts from a penetration."
            )
        self._struck = bool(((deep >= -TOUCHING) & (rate >= 0.0)).any())
        self._pace = self._fastest(state)
        return self._inner.prepare(state)

    def _fastest(self, state: State) -> float:
        """About the highest frequency of elastic parts, rad/s."""
        system = self._system
        system.contacts.begin(state.t, state.q, state.v, state.history)
        none = np.zeros(system.multipliers)
        matrix = system.jacobian(state.t, state.q, state.v, none, Coefficients(mass=0.0, stiffness=1.0, constraint=1.0))
        stiffness, mass = np.abs(matrix.diagonal()[: system.size]), system.mass_matrix.diagonal()
        return float(np.sqrt((stiffness / np.maximum(mass, 1e-12 * mass.max(initial=1.0))).max(initial=0.0)))

    def leap(self, state: State, t_end: float, until: float) -> Leap:
        """An impact, a step at rest, or a flight up to a frame."""
        try:
            return self._next(state, t_end, until)
        except ArithmeticError:
            return Leap(failure=Status.IMPACT)

    def _next(self, state: State, t_end: float, until: float) -> Leap:
        if self._struck:
            self._struck = False
            near = self._towards(state)
            if near is not None:
                self._struck, self._foreign = True, True
                return self._moved(near)
            done, flight, seen = self._landing.landed(state, self._reference, SHORT)
            self._flight = 0.0 if seen else flight
            self._inner.forget(1.1 * flight)
            self._foreign = True
            return Leap(done=done)
        if self._flight > 0.0:
            flight, self._flight = self._flight, 0.0
            return self._fly(state, flight, t_end)
        if self._surfaces.resting(state.history).size:
            return self._rest(state, t_end)
        if t_end - state.t < SHORT * self._reference:  # too short for a step
            return self._moved(self._ahead(state, t_end - state.t, t_end))
        if self._foreign:  # where a step would have too short a rest it ends with the next one
            self._inner.go_on(state.t + SHORT * self._reference, self._h)
            self._h = 0.0
            self._foreign = False
        leap = self._inner.leap(state, t_end, until)
        self._struck = self._inner.struck()
        return leap

    @property
    def _reference(self) -> float:
        """A step of the run, s."""
        return self._step if self._step is not None else COARSEST * self._t_end

    def _moved(self, new: State) -> Leap:
        self._taken += 1
        self._foreign = True
        return Leap(new=new)

    def _towards(self, state: State) -> State | None:
        """The state at which the surfaces meet, a little later; None: they do here."""
        depth, rate = self._surfaces.depth_and_rate(state.q, state.v)
        free = np.isin(np.arange(depth.size), self._surfaces.resting(state.history), invert=True)
        open_, limit = free & (depth < 0.0) & (rate > 0.0), 4.0 * SHORT * max(self._reference, self._inner.wanted)
        wait = np.where(open_, -depth / np.where(rate > 0.0, rate, 1.0), np.inf)
        touching = free & (depth >= -0.1 * OUT * self._system.length_scale) & (rate >= 0.0)  # closer than positions can tell
        if touching.any() or not wait.min() < limit or wait.min() <= 1e-15 * self._t_end:
            return None
        return self._meeting(state, float(wait.min()), int(np.argmin(wait)))

    def _fly(self, state: State, flight: float, t_end: float) -> Leap:
        """A flight that the loop cannot see, up to its end or to where other surfaces meet before it."""
        if state.t + flight >= t_end:
            return self._moved(self._ahead(state, t_end - state.t, t_end))
        ahead = self._ahead(state, flight, state.t + flight)
        was, _ = self._surfaces.depth_and_rate(state.q, state.v)
        depth, rate = self._surfaces.depth_and_rate(ahead.q, ahead.v)
        others = (was < -NEAR * self._surfaces.clearances) & (depth > 0.0) & (rate > 0.0)
        self._struck = True
        return self._moved(
            self._meeting(state, flight, int(np.argmax(np.where(others, depth, -np.inf)))) if others.any() else ahead
        )

    def _meeting(self, state: State, guess: float, i: int) -> State:
        """On the parabola, where station i closes."""
        dt = guess
        for _ in range(8):
            at = self._ahead(state, dt, state.t + dt)
            depth, rate = self._surfaces.depth_and_rate(at.q, at.v)
            change = depth[i] / rate[i] if rate[i] > 0.0 else 0.0
            if not 0.0 < dt - change < 3.0 * guess:
                break
            dt -= change
            if abs(change) < 1e-12 * guess:
                break
        return self._ahead(state, dt, state.t + dt)

    def _rest(self, state: State, t_end: float) -> Leap:
        """A step with the contacts that rest."""
        if self._step is not None:
            end = self._inner.next_end(state.t)
        else:
            self._h = max(self._h, self._reference)
            end = min(state.t + self._h, t_end)
        end = t_end if t_end - end < SHORT * self._reference else end
        h, chosen = end - state.t, self._surfaces.resting(state.history)
        if h < SHORT * self._reference:
            return self._moved(self._ahead(state, h, end))
        for _ in range(HALVINGS):
            try:
                new = replace(self._resting.step(state, h, chosen), t=end)
            except ArithmeticError:
                h, end = 0.5 * h, state.t + 0.5 * h
                continue
            ratio = max(self._error(state, new, h), (self._turned(state, new, chosen) / TURN) ** 2)
            if ratio <= 1.0:
                break
            h *= max(0.2, SAFETY / np.sqrt(ratio))
            end = state.t + h
        else:
            return Leap(failure=Status.IMPACT)
        if self._tolerance is not None:
            self._h = h * float(np.clip(SAFETY / np.sqrt(max(ratio, 1e-12)), 0.2, GROWTH))
        share = first_contact(self._system, state, new)
        if share is not None:
            self._struck = True
            if share * h < SHORT * self._reference:
                if share * h <= 1e-15 * self._t_end:
                    return self._next(state, t_end, t_end)
                return self._moved(self._ahead(state, share * h, state.t + share * h))
            new = self._resting.step(state, share * h, chosen)
        gone = np.setdiff1d(chosen, self._surfaces.resting(new.history))
        return self._moved(self._apart(self._started(new), gone))

    def _turned(self, old: State, new: State, chosen: NDArray[np.int64]) -> float:
        """By how much the walls turn in a step, rad: a journal may run round in its clearance fast."""
        before, after = (self._surfaces.closed(x.q, chosen).rows[: chosen.size] for x in (old, new))
        sizes = [np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel()) for rows in (before, after)]
        cosines = np.asarray(before.multiply(after).sum(axis=1)).ravel() / np.maximum(sizes[0] * sizes[1], 1e-300)
        return float(np.arccos(np.clip(cosines, -1.0, 1.0)).max(initial=0.0))

    def _ahead(self, state: State, dt: float, t: float) -> State:
        """A short flight: on the parabola, or by an implicit step where elastic parts vibrate within it."""
        if dt * self._pace < SLUGGISH:
            return _parabola(state, dt, t)
        return replace(self._resting.step(state, dt, np.empty(0, np.int64)), t=t)

    def _apart(self, state: State, gone: NDArray[np.int64]) -> State:
        return self._landing.apart(state, gone, np.full(gone.size, OUT * self._system.length_scale))

    def _started(self, state: State) -> State:
        """With contacts of other laws that start here."""
        contacts = self._system.contacts
        depth, rate = contacts.gaps(state.q, state.v)
        near = depth >= -LEAST * np.abs(rate) * state.h
        starting = contacts.free(state.history) & near & (rate >= 0.0) & ~self._surfaces.flags
        return replace(state, history=contacts.touch(state.history, starting, rate)) if starting.any() else state

    def _error(self, old: State, new: State, h: float) -> float:
        """Local error, relative to what is allowed."""
        if self._tolerance is None:
            return 0.0
        am, af, beta, _ = self._parameters
        constant = abs(1.0 / 6.0 - beta - 0.5 * (am - af))
        size = float(np.abs((new.a - old.a) / self._system.scale).max(initial=0.0))
        return constant * h * h * size / (h * self._tolerance / self._t_end)


SHORT = LEAST  # of a step: what is shorter is passed on the parabola


def _parabola(state: State, dt: float, t: float) -> State:
    """q + v dt + a dt^2/2: on the constraints to O(dt^3)."""
    q, v = state.q + dt * (state.v + 0.5 * dt * state.a), state.v + dt * state.a
    return replace(state, t=t, q=q, v=v, h=dt, taken=0.0)
