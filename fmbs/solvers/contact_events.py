"""Where contacts start: the gaps of a system between the two ends of a step.

Inside a step q is the cubic Hermite polynomial through (q, v) at both ends (Tian2010 eq 45). A gap that closes is found by
bisection on it; the loop cuts the step there, and `touched` notes the approach speed of that instant.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.state import State

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

BISECTIONS = 60
SAMPLES = (0.25, 0.5, 0.75)  # where a gap that closes and opens again within a step is looked for
LANDED = 1e-3  # of the way travelled in a cut step: how close to zero a gap counts as closed at its end


def hermite(old: State, new: State, x: float) -> tuple[Array, Array]:
    """q and v at the fraction x of a step."""
    h, change = new.t - old.t, new.q - old.q
    b, c = 3.0 * change - h * (2.0 * old.v + new.v), h * (old.v + new.v) - 2.0 * change
    return old.q + x * (h * old.v + x * (b + x * c)), old.v + x * (2.0 * b + 3.0 * x * c) / h


def first_contact(system: System, old: State, new: State) -> float | None:
    """Fraction of the step at which the first free station touches; None if none does."""
    free = system.contacts.free(old.history)
    if not free.any():
        return None
    depth, rate = system.contacts.gaps(old.q, old.v)
    if (free & (depth >= 0.0) & (rate >= 0.0)).any():
        return 0.0
    depth_1, rate_1 = system.contacts.gaps(new.q, new.v)
    closing = free & (depth_1 > 0.0)
    end = 1.0
    grazing = free & ~closing & (rate > 0.0) & (rate_1 < 0.0)  # in and out again, perhaps
    if grazing.any():
        for x in SAMPLES:
            hit = grazing & (system.contacts.gaps(*hermite(old, new, x))[0] > 0.0)
            if hit.any():
                closing, end = hit, x
                break
    if not closing.any():
        return None
    low, high = 0.0, end
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if (system.contacts.gaps(*hermite(old, new, middle))[0][closing] > 0.0).any():
            high = middle
        else:
            low = middle
        if high - low < 1e-14:
            break
    return high


def touched(system: System, state: State) -> State:
    """The state with every free station whose gap has just closed in contact, at its approach speed."""
    contacts = system.contacts
    depth, rate = contacts.gaps(state.q, state.v)
    near = depth >= -LANDED * np.abs(rate) * state.h
    starting: Flags = contacts.free(state.history) & near & (rate >= 0.0)
    return replace(state, history=contacts.touch(state.history, starting, rate))
