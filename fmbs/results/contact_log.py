"""Impacts of a run: found by comparing the histories of contacts at the two ends of every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.described import Described
from fmbs.core.protocols import Part
from fmbs.core.state import Jump, State
from fmbs.solvers.contact_events import hermite

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Impact(Described, units={"approach_speed": "m/s", "separation_speed": "m/s", "lost": "J"}):
    """A contact from its start to its end.

    joint, end: where; "A" and "W" are the ends of a journal
    t: start, s
    approach_speed: normal speed at the start, m/s
    t_end: separation, s; NaN while it lasts
    separation_speed: normal speed there, m/s
    lost: energy dissipated in it by contact and friction, J
    impulse, friction_impulse: of rigid surfaces (fm.impact), N s, normal and along them; NaN where a force acted
    """

    joint: Part
    end: str
    t: float
    approach_speed: float
    t_end: float = np.nan
    separation_speed: float = np.nan
    lost: float = np.nan
    impulse: float = np.nan
    friction_impulse: float = np.nan

    @property
    def restitution(self) -> float:
        """Separation speed over approach speed."""
        return self.separation_speed / self.approach_speed if self.approach_speed else np.nan


class ContactLog:
    """Collects impacts; a contact that lasts at the end of the run is in the list too. ended: is told of those that do not."""

    def __init__(self, system: System, ended: Callable[[Impact], None]) -> None:
        self.impacts: list[Impact] = []
        self._ended = ended
        self._system, self._names = system, system.contacts.names()
        self._open: dict[int, tuple[int, float]] = {}  # station -> place in the list, energy absorbed before

    def snapshot(self) -> dict[str, Any]:
        """As JSON holds it."""
        still_open = [[int(i), place, float(before)] for i, (place, before) in self._open.items()]
        return {"impacts": impact_rows(self._system, self.impacts), "open": still_open}

    def restore(self, kept: dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self.impacts = impacts_of(self._system, kept["impacts"])
        self._open = {i: (place, before) for i, place, before in kept["open"]}

    def accept(self, old: State, new: State, before: Array, after: Array) -> None:
        """before, after: energy absorbed by each station up to the ends of the step, J."""
        if not (old.history.any() or new.history.any()):
            return  # free flight
        contacts = self._system.contacts
        was_free, is_free = contacts.free(old.history), contacts.free(new.history)
        for i in np.flatnonzero(~was_free & ~is_free):
            if i not in self._open:  # in contact from the start of the step without having travelled
                self._start(i, old, before[i])
        for i in np.flatnonzero(was_free & ~is_free):
            self._start(i, new, after[i])
        for i in np.flatnonzero(~was_free & is_free):
            if i not in self._open:
                self._start(i, old, before[i])
            self._end(i, old, new, after[i])

    def accept_events(self, events: Array, before: Array) -> None:
        """Starts and ends that the time loop has noted (see `Stretch`); before: energy absorbed until then, J."""
        for station, starts, t, speed, absorbed in events:
            i = int(station)
            if starts:
                self._open_impact(i, t, speed, before[i] + absorbed)
            else:
                self._close_impact(i, t, speed, before[i] + absorbed)

    def accept_jumps(self, jumps: Sequence[Jump], before: Array) -> None:
        """Impacts of rigid surfaces; before: energy absorbed until then, J."""
        for jump in jumps:
            i, known = jump.station, (jump.impulse, jump.friction_impulse)
            if i in self._open:  # they rested on each other, and something else was hit
                if not jump.rests:
                    self._close_impact(i, jump.t, jump.separation, float(before[i]) + jump.lost)
                continue
            end = (np.nan, np.nan, np.nan) if jump.rests else (jump.t, jump.separation, jump.lost)
            self.impacts.append(Impact(*self._names[i], jump.t, max(jump.approach, 0.0), *end, *known))
            if jump.rests:
                self._open[i] = (len(self.impacts) - 1, float(before[i]))

    def _start(self, i: int, state: State, absorbed: float) -> None:
        speed = float(self._system.contacts.gaps(state.q, state.v)[1][i])
        self._open_impact(i, state.t, max(speed, 0.0), absorbed)

    def _open_impact(self, i: int, t: float, speed: float, absorbed: float) -> None:
        self._open[i] = (len(self.impacts), float(absorbed))
        self.impacts.append(Impact(*self._names[i], float(t), float(speed)))

    def _close_impact(self, i: int, t: float, speed: float, absorbed: float) -> None:
        place, before = self._open.pop(i)
        lost = float(absorbed - before)
        self.impacts[place] = replace(self.impacts[place], t_end=float(t), separation_speed=float(speed), lost=lost)
        self._ended(self.impacts[place])

    def _end(self, i: int, old: State, new: State, absorbed: float) -> None:
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = 0.5 * (low + high)
            if self._system.contacts.gaps(*hermite(old, new, middle))[0][i] > 0.0:
                low = middle
            else:
                high = middle
        rate = self._system.contacts.gaps(*hermite(old, new, high))[1][i]
        self._close_impact(i, old.t + high * (new.t - old.t), -rate, absorbed)


def impact_rows(system: System, impacts: Sequence[Impact]) -> list[list[float]]:
    """Station, t, approach speed, t_end, separation speed, lost, impulses: what a file holds of impacts."""
    places = {(id(joint), end): k for k, (joint, end) in enumerate(system.contacts.names())}
    return [
        [places[id(i.joint), i.end], i.t, i.approach_speed, i.t_end, i.separation_speed, i.lost, i.impulse, i.friction_impulse]
        for i in impacts
    ]


def impacts_of(system: System, rows: Sequence[Sequence[float]]) -> list[Impact]:
    """The impacts of such rows."""
    names = system.contacts.names()
    return [Impact(*names[int(station)], *rest) for station, *rest in rows]
