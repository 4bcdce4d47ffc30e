"""The state that a step takes and returns."""

from __future__ import annotations

from dataclasses import dataclass, field

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


@dataclass(frozen=True)
class Step:
    """What an integrator returns: the new state, how it went, and how good it is.

    error: local error relative to the model's scales
    coarseness: local error of the penetration of contacts, relative to what is allowed for a contact to be resolved: 1
    """

    state: State
    status: Status
    error: float = 0.0
    coarseness: float = 0.0


@dataclass
class Counters:
    """Work done, counted as it happens."""

    steps: int = 0
    rejected: int = 0
    iterations: int = 0
    factorizations: int = 0
    contacts: int = 0  # steps cut at the start of a contact
