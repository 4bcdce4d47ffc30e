"""What schemes of time stepping share: equal steps, and what a step did to the contacts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.state import Counters, Jump, Leap, State, Stretch
from fmbs.core.status import Status
from fmbs.solvers.flows import NUMERICAL, STATIONS
from fmbs.solvers.impacts.landing import NEAR, SLOW, created
from fmbs.solvers.impacts.strike import Impacts
from fmbs.solvers.impacts.surfaces import Closed, Surfaces
from fmbs.solvers.linear import LinearSolver

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

STAYS = 1e-9  # of the largest speed: surfaces that part more slowly stay together
HALVINGS = 8  # of a step that does not converge
ROUND = 1e-6  # of a step: ends that are so close are one
TOUCHING = 1e-9  # of the clearance: deeper is in the wall, at the start


@dataclass(frozen=True)
class TimeStepping(Described, ABC):
    """What the integrators for rigid surfaces with equal steps share."""

    @abstractmethod
    def scheme(self, surfaces: Surfaces, linear: LinearSolver) -> Scheme:
        """Its steps on one system."""

    def start(
        self, system: System, linear: LinearSolver, tangent: str, step: float | None, tolerance: float | None, t_end: float
    ) -> TimeStepper:
        """A stepper for this system."""
        assert step is not None
        surfaces = Surfaces(system)
        return TimeStepper(self.scheme(surfaces, linear), surfaces, linear, min(step, t_end))


class StepDone(NamedTuple):
    """What a step did.

    new: the state after it, without its history
    closed: contacts that took part; P: their impulses (k + slips,), N s
    after: (k,) rates of their gaps at the end, m/s, > 0: going in; stays: (k,) surfaces that stay together
    lost: (k,) energy, J; totals: (3 + stations,) as `solvers.flows` counts, without impulses
    """

    new: State
    closed: Closed
    P: Array
    after: Array
    stays: Flags
    lost: Array
    totals: Array
    iterations: int


class Scheme(ABC):
    """One way to step. carried: (m,) the share of impulses in the multipliers of the last step, N."""

    carried: Array = np.zeros(0)

    @abstractmethod
    def first(self, state: State) -> State:
        """The state at the start with the memory of the scheme; its second row are accelerations without impulses."""

    @abstractmethod
    def step(self, state: State, h: float, t: float, touching: Flags, free: Array) -> StepDone:
        """A step of h that ends at t. touching: stations whose surfaces must not go in; free: the history with rigid surfaces
        free. Raises ArithmeticError where there is none.
        """


def together(closed: Closed, P: Array, before: Array, after: Array, weights: Array) -> Flags:  # (k,)
    """Surfaces that push and do not part."""
    k = closed.size
    fast = float(np.abs(before).max(initial=0.0)) + float(np.abs(P / weights).max(initial=0.0))
    stays: Flags = (P[:k] > 0.0) & (after >= -STAYS * fast)
    return stays


def losses(closed: Closed, P: Array, twice: Array) -> Array:  # (k,)
    """Energy that impulses take. twice: the sum of the rates before and after."""
    work = 0.5 * P * twice
    lost: Array = work[: closed.size] + np.bincount(closed.owner, work[closed.size :], minlength=closed.size)
    return lost


class TimeStepper:
    """Takes equal steps. Forces and reactions are means over a step, impulses included."""

    def __init__(self, scheme: Scheme, surfaces: Surfaces, linear: LinearSolver, step: float) -> None:
        self._linear, self._scheme, self._surfaces, self._system, self._step = linear, scheme, surfaces, surfaces.system, step
        self.counters, self._told, self._begin = Counters(), False, 0.0
        self._hit, self._rests = (np.zeros(surfaces.flags.size, bool) for _ in range(2))

    def snapshot(self) -> dict[str, Any]:
        """Everything beside the state that the next step depends on."""
        flags = {"hit": self._hit.astype(float), "rests": self._rests.astype(float)}
        return {"counters": asdict(self.counters), "told": int(self._told), "carried": self._scheme.carried, **flags}

    def restore(self, kept: dict[str, Any]) -> None:
        self.counters, self._told = Counters(**kept["counters"]), bool(kept["told"])
        self._scheme.carried = kept["carried"]
        self._hit, self._rests = kept["hit"] > 0.0, kept["rests"] > 0.0

    def prepare(self, state: State) -> State:
        surfaces, self._begin = self._surfaces, state.t
        depth, _ = surfaces.depth_and_rate(state.q, state.v)
        deep = depth / surfaces.clearances
        if deep.size and deep.max() > TOUCHING:
            worst = int(np.argmax(deep))
            joint, end = surfaces.names[worst]
            raise ModelError(
                f"{joint.name or type(joint).__name__}: rigid surfaces overlap by {depth[worst]:.3g} m at t = 0 (end {end!r}); "
                "draw the markers closer to each other, or take a law of fm.contact, which starts from a penetration."
            )
        return self._scheme.first(self._touched(state))

    def leap(self, state: State, t_end: float, until: float) -> Leap:
        """One step."""
        step = self._step
        t = self._begin + (np.floor((state.t - self._begin) / step + ROUND) + 1.0) * step
        t = t_end if t_end - t < ROUND * step else t
        for _ in range(HALVINGS):
            try:
                return Leap(done=self._taken(state, t - state.t, t))
            except ArithmeticError:
                self.counters.rejected += 1
                t = state.t + 0.5 * (t - state.t)
        return Leap(failure=Status.IMPACT)

    def _taken(self, state: State, h: float, t: float) -> Stretch:
        system, surfaces = self._system, self._surfaces
        none = surfaces.closed(state.q, np.empty(0, np.int64))
        free = surfaces.put(none, np.empty(0), state.history)
        begun, touching, jumps, impulses, booked = self._struck(state, h, free)
        moved = self._scheme.step(begun, h, t, touching, free)
        new = moved.new
        if not (np.isfinite(new.q).all() and np.isfinite(new.v).all()):
            raise ArithmeticError
        self.counters.steps += 1
        self.counters.iterations += moved.iterations
        self.counters.factorizations += moved.iterations
        system.contacts.begin(state.t, state.q, state.v, free, h)
        P = moved.P + [impulses.get(row, 0.0) for row in _rows(moved.closed)]
        after = surfaces.put(moved.closed, P / h, system.contacts.end(t, new.q, new.v))
        new = self._touched(replace(new, history=after))
        totals = moved.totals + booked
        totals[STATIONS + moved.closed.chosen] += moved.lost
        events, jumps = self._noted(state, new, moved, jumps, totals[STATIONS:])
        self._told = created(system, state, sum(jump.lost for jump in jumps), self._told)
        return Stretch(new, totals, system.spin(new.v) * h, np.array([t]), events, jumps, state)

    def _struck(
        self, state: State, h: float, free: Array
    ) -> tuple[State, Flags, tuple[Jump, ...], dict[tuple[int, int], float], Array]:
        """A step with impacts as one without: the path after them, continued back to the start of the step.

        Surfaces meet where the path through q, v and a does; those that went in during the step before, a little earlier; those
        of models with elastic bodies where they are at the start of the step. The other results: stations whose surfaces touch,
        the impacts with their impulses, and what they add to the totals.
        """
        surfaces, system = self._surfaces, self._system
        booked = np.zeros(STATIONS + len(system.contacts.names()))
        depth, rate = surfaces.depth_and_rate(state.q, state.v)
        fast = SLOW * float(np.abs(rate[surfaces.flags]).max(initial=0.0))
        touching = surfaces.flags & (self._hit | ((depth >= -NEAR * surfaces.clearances) & (np.abs(rate) <= fast)))
        strikes = ~touching & (rate > fast) & (depth + h * rate >= 0.0)
        if not strikes.any():
            return state, touching, (), {}, booked
        dt, a = float(np.clip(-depth[strikes] / rate[strikes], -h, h).min()), state.memory[1]
        if system.elements:
            dt = 0.0  # one node that is set back would strain what is behind it
        q, v = state.q + dt * (state.v + 0.5 * dt * a), state.v + dt * a
        chosen = np.flatnonzero(touching | strikes)
        impacts = Impacts(surfaces, self._linear, state.t + dt, q, chosen)
        struck = impacts.struck(v)
        new = replace(state, q=q - dt * (struck.v - 0.5 * dt * a), v=struck.v - dt * a)
        lost = sum(jump.lost for jump in struck.jumps)
        system.contacts.begin(state.t, state.q, state.v, free)
        booked[0] = struck.work
        booked[NUMERICAL] = self._energy(state) - self._energy(new) - lost + struck.work
        for jump in struck.jumps:
            booked[STATIONS + jump.station] += jump.lost
        impulses = dict(zip(_rows(impacts.closed), struck.P.tolist(), strict=True))
        return new, touching | strikes, struck.jumps, impulses, booked

    def _energy(self, state: State) -> float:
        system = self._system
        stored = system.element_energy(state.t, state.q, state.v).stored
        return system.kinetic_energy(state.v) + system.potential_energy(state.q) + stored

    def _touched(self, state: State) -> State:
        """With contacts of soft surfaces that start here."""
        contacts = self._system.contacts
        depth, rate = contacts.gaps(state.q, state.v)
        starting = contacts.free(state.history) & (depth >= 0.0) & (rate >= 0.0)
        starting[: self._surfaces.flags.size] &= ~self._surfaces.flags
        return replace(state, history=contacts.touch(state.history, starting, rate)) if starting.any() else state

    def _noted(
        self, old: State, new: State, moved: StepDone, struck: tuple[Jump, ...], absorbed: Array
    ) -> tuple[Array, tuple[Jump, ...]]:
        """Contacts that began and ended, and impacts; which stations push and which stay together from now on."""
        contacts, surfaces, chosen = self._system.contacts, self._surfaces, moved.closed.chosen
        count, rate = surfaces.flags.size, surfaces.depth_and_rate(new.q, new.v)[1]
        pressed, stays = (np.zeros(count, bool) for _ in range(2))
        pressed[chosen], stays[chosen] = moved.P[: chosen.size] > 0.0, moved.stays
        ends = self._rests & ~stays
        events = [(i, 0.0, new.t, max(float(-rate[i]), 0.0), absorbed[i]) for i in np.flatnonzero(ends)]
        jumps = [jump._replace(rests=bool(stays[jump.station])) for jump in struck]
        kept = [jump for jump in jumps if jump.impulse > 0.0 and not (jump.rests and self._rests[jump.station])]
        known = {jump.station for jump in kept}
        quietly = (int(i) for i in np.flatnonzero(stays & ~self._rests))  # they come to rest on each other without an impact
        kept += [Jump(i, old.t, 0.0, 0.0, 0.0, 0.0, 0.0, True) for i in quietly if i not in known]
        was, now = contacts.free(old.history), contacts.free(new.history)
        was[:count], now[:count] = was[:count] | surfaces.flags, now[:count] | surfaces.flags
        if (was != now).any():  # of soft surfaces
            speed = contacts.gaps(new.q, new.v)[1]
            events += [(i, float(was[i]), new.t, abs(float(speed[i])), absorbed[i]) for i in np.flatnonzero(was != now)]
        self._hit, self._rests = pressed, stays
        return np.array(events, float).reshape(-1, 5), tuple(kept)


def _rows(closed: Closed) -> list[tuple[int, int]]:
    """Station and direction of every row; -1: normal."""
    slips = zip(closed.chosen[closed.owner], closed.axis, strict=True)
    return [(int(i), -1) for i in closed.chosen] + [(int(i), int(axis)) for i, axis in slips]


def straight(old: State, new: State, x: float) -> State:
    """Inside a step: q and v change linearly, forces are its means."""
    return replace(new, t=old.t + x * (new.t - old.t), q=old.q + x * (new.q - old.q), v=old.v + x * (new.v - old.v))
