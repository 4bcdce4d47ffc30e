"""The state that a step takes and returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.core.status import Status

Array = NDArray[np.float64]


@dataclass(frozen=True)
class State:
    """Position, velocity, acceleration and multipliers at time t.

    q, v, a: (n,) with q' = v, v' = a
    lam: (m,) multipliers of Phi = 0
    memory: what an integrator carries from step to step (generalized-alpha: its averaged acceleration and jerk)  # (2, n)
    h: size of the step that led here, s; 0 at the start
    history: what contacts remember: approach speeds, phases, bristles, wear
    taken: energy that the integrator took out of the motion in the step that led here, J: its numerical damping
    """

    t: float
    q: Array
    v: Array
    a: Array
    lam: Array
    memory: Array
    h: float = 0.0
    history: Array = field(default_factory=lambda: np.empty(0))
    taken: float = 0.0


class Jump(NamedTuple):
    """What an impact of rigid surfaces did at one station: normal speeds before and after, m/s (> 0: approach, separation),
    impulses, N s, energy lost, J.

    rests: do the surfaces stay together?
    """

    station: int
    t: float
    approach: float
    separation: float
    impulse: float
    friction_impulse: float
    lost: float
    rests: bool = False


class Stretch(NamedTuple):
    """Steps taken in one go: where they led, work done and dissipated and what flowed into each contact, J."""

    state: State
    totals: Array  # (3 + stations,) as `solvers.flows` counts
    turn: float  # largest of a body in one step, rad
    times: Array  # ends of all steps, and of pieces of those that contacts have cut, s
    events: Array  # (events, 5): station, 1 start or 0 end, time, normal speed, energy absorbed since the stretch began
    jumps: tuple[Jump, ...] = ()  # after these events
    begun: State | None = None  # where a single step began, if frames may lie inside it


class Leap(NamedTuple):
    """What an integrator returns: steps that end at a frame or before it, the state after one step more if that passes a frame,
    and why it cannot go on, if so.

    totals: of the step to `new`, as in Stretch; None: they are to be integrated
    """

    done: Stretch | None = None
    new: State | None = None
    failure: Status | None = None
    totals: Array | None = None


@dataclass
class Counters:
    """Work done, counted as it happens."""

    steps: int = 0
    iterations: int = 0
    factorizations: int = 0
    contacts: int = 0  # steps cut at the start of a contact
    rejected: int = 0
