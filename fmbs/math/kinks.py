"""Kinks and jumps of functions of time.

A smooth function looks straight when one looks closely; a kink keeps its angle and a jump its height. So the places where a
function bends (or rises) most between samples are looked at in ever shorter intervals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SAMPLES, INSIDE, CLOSER, TRIED = 400, 9, 6, 3  # in all, in an interval, intervals in intervals, places that are looked at
KEPT = 0.4  # of its size that a kink keeps; a smooth bend loses three quarters with every interval
SEEN = 0.01  # of the largest slope (or value) that a kink (or jump) must have
ROUND_OFF = 1e-14  # of the function's values
STRAIGHT = 1e-6  # of the largest slope: a smaller bend of a table is none


class Kink(NamedTuple):
    """At time t something jumps: the slope, or the value itself."""

    t: float
    before: float
    after: float


def slope_jumps(function: Callable[[float], float], end: float) -> list[Kink]:
    """Kinks of a function in 0 ... end, at most three of them; none where it cannot be evaluated."""
    return _found(function, end, kind=2)


def value_jumps(function: Callable[[float], float], end: float) -> list[Kink]:
    """Jumps of a function in 0 ... end, at most three of them; none where it cannot be evaluated."""
    return _found(function, end, kind=1)


def corners(times: Array, values: Array) -> list[Kink]:
    """Points of a table where two straight runs meet at an angle; `before` and `after` are their slopes.

    Tables of smooth functions bend at every point. A run has two pieces of equal slope; one piece at the end of the table is
    enough beside one that is level.
    """
    slopes = np.diff(values) / np.diff(times)
    largest = np.abs(slopes).max()
    bends = np.abs(np.diff(slopes))
    alone = np.pad(bends, 1) <= STRAIGHT * largest
    sharp = (bends > SEEN * largest) & alone[:-2] & alone[2:]
    level = np.abs(slopes) <= STRAIGHT * largest
    inner = np.isin(np.arange(bends.size), [0, bends.size - 1], invert=True)
    sharp &= inner | level[:-1] | level[1:]
    return [Kink(float(times[i + 1]), float(slopes[i]), float(slopes[i + 1])) for i in np.flatnonzero(sharp)]


def _found(function: Callable[[float], float], end: float, kind: int) -> list[Kink]:
    """kind 2: second differences over the step tend to the jump of the slope; 1: first differences to that of the value."""
    try:
        with np.errstate(all="ignore"):
            t, y = _sampled(function, 0.0, end, SAMPLES)
            change = _change(t, y, kind)
            largest = np.abs(np.diff(y) / np.diff(t) if kind == 2 else y).max()
            places = np.argsort(-change)[:TRIED]
            kinks = [_looked_at(function, t[i], t[i + kind], change[i], largest, kind) for i in places]
    except (ArithmeticError, TypeError, ValueError):
        return []
    found: list[Kink] = []
    for kink in kinks:
        if kink is not None and all(abs(kink.t - other.t) > 2.0 * end / SAMPLES for other in found):  # seen from two sides
            found.append(kink)
    return sorted(found)


def _looked_at(
    function: Callable[[float], float], begin: float, end: float, size: float, largest: float, kind: int
) -> Kink | None:
    """The kink between two times, if there is one."""
    for _ in range(CLOSER):
        t, y = _sampled(function, begin, end, INSIDE)
        change = _change(t, y, kind)
        i = int(np.argmax(change))
        begin, end = t[i], t[i + kind]
        noise = ROUND_OFF * np.abs(y).max() / (t[1] - t[0]) ** (kind - 1)
        if not change[i] > max(KEPT * size, SEEN * largest, noise):
            return None
    slopes = np.diff(y) / np.diff(t)
    before, after = (slopes[max(i - 1, 0)], slopes[min(i + 2, slopes.size - 1)]) if kind == 2 else (y[i], y[i + 1])
    return Kink(0.5 * (begin + end), float(before), float(after))


def _sampled(function: Callable[[float], float], begin: float, end: float, count: int) -> tuple[Array, Array]:
    t = np.linspace(begin, end, count)
    return t, np.array([float(function(float(x))) for x in t])


def _change(t: Array, y: Array, kind: int) -> Array:
    change: Array = np.abs(np.diff(y, kind)) / (t[1] - t[0]) ** (kind - 1)
    return change
