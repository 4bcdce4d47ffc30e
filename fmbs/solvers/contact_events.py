"""Where contacts start in the steps of SciPy's integrators; the time loop has `loop.contacts`.

Inside a step q is the cubic Hermite polynomial through (q, v) at both ends (Tian2010 eq 45), or the integrator's own.
A gap that closes is found by bisection on it; the loop cuts the step there, and `touched` notes the approach speed of that
instant. A gap that closes and opens again within a step is found at the greatest penetration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.state import State
from fmbs.math.path_kernels import cubic
from fmbs.solvers.loop.contacts import LEAST

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Path = Callable[[float], tuple[Array, Array]]  # fraction of a step -> q, v

BISECTIONS = 60


def hermite(old: State, new: State, x: float) -> tuple[Array, Array]:
    """q and v at the fraction x of a step."""
    q, v = np.empty_like(old.q), np.empty_like(old.v)
    cubic(old.q, old.v, new.q, new.v, new.t - old.t, x, q, v)
    return q, v


def first_contact(system: System, old: State, new: State, path: Path | None = None) -> float | None:
    """Fraction of the step at which the first free station touches; None if none does. path: the motion inside the step."""
    contacts = system.contacts
    free = contacts.free(old.history)
    if not free.any():
        return None
    depth, rate = contacts.gaps(old.q, old.v)
    if (free & (depth >= 0.0) & (rate >= 0.0)).any():
        return 0.0
    depth_1, rate_1 = contacts.gaps(new.q, new.v)
    closing, end = free & (depth_1 > 0.0), 1.0
    grazing = free & ~closing & (rate > 0.0) & (rate_1 < 0.0) & (depth + rate * (new.t - old.t) > 0.0)  # in and out, perhaps

    def inside(x: float) -> tuple[Array, Array]:
        return contacts.gaps(*(hermite(old, new, x) if path is None else path(x)))

    for i in np.flatnonzero(grazing):
        peak = _bisect(lambda x, i=i: bool(inside(x)[1][i] < 0.0), 1.0)  # type: ignore[misc]
        if peak < end and (depths := inside(peak)[0])[i] > 0.0:
            closing, end = free & (depths > 0.0), peak
    if not closing.any():
        return None
    return _bisect(lambda x: bool((inside(x)[0][closing] > 0.0).any()), end)


def _bisect(reached: Callable[[float], bool], high: float) -> float:
    """The smallest x up to `high` from which on `reached` holds; it does at `high`."""
    low = 0.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if reached(middle):
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
    near = depth >= -LEAST * np.abs(rate) * state.h
    starting: Flags = contacts.free(state.history) & near & (rate >= 0.0)
    return replace(state, history=contacts.touch(state.history, starting, rate))
