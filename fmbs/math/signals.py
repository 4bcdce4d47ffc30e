"""Signals: functions of time with their first two derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class Signal(Protocol):
    """y(t), y'(t), y''(t)."""

    def __call__(self, t: float) -> tuple[float, float, float]: ...


@dataclass(frozen=True)
class Ramp:
    """y = start + rate t."""

    start: float
    rate: float

    def __call__(self, t: float) -> tuple[float, float, float]:
        return self.start + self.rate * t, self.rate, 0.0


@dataclass(frozen=True)
class Shifted:
    """Another signal plus a constant."""

    signal: Signal
    offset: float

    def __call__(self, t: float) -> tuple[float, float, float]:
        y, rate, acceleration = self.signal(t)
        return y + self.offset, rate, acceleration


def sampled(signal: Signal, times: Array) -> Array:  # (3, times)
    """y, y' and y'' at many times; at once for a ramp."""
    if isinstance(signal, Ramp):
        return np.stack([signal.start + signal.rate * times, np.full(times.size, signal.rate), np.zeros(times.size)])
    if isinstance(signal, Shifted):
        shifted: Array = sampled(signal.signal, times) + np.array([[signal.offset], [0.0], [0.0]])
        return shifted
    return np.array([signal(float(t)) for t in times]).T


WIDEST, SHRINK, LEVELS = 0.0437, 1.7, 24  # steps of differences, s: no common divisor with the periods that people choose


class Differenced:
    """A user's function of time; its derivatives by central differences, extrapolated to step zero (Ridders 1982).

    The step is sought anew at every time: one that suits t = 0 may be blind to what happens later.
    """

    def __init__(self, function: Callable[[float], float]) -> None:
        self.function = function
        self._first = 0  # level to begin with

    def __call__(self, t: float) -> tuple[float, float, float]:
        with np.errstate(all="ignore"):
            y = float(self.function(t))
            rate, acceleration, largest = Limit(), Limit(), abs(y)
            for level in range(self._first, LEVELS):
                h = WIDEST / SHRINK**level
                left, right = self._defined(t - h), self._defined(t + h)
                rate.add((right - left) / (2.0 * h))
                acceleration.add((right - 2.0 * y + left) / (h * h))
                largest = max(largest, abs(left), abs(right))
                noise = 4e-16 * largest / h  # a smaller step cannot do better than this
                if level > self._first + 2 and rate.error <= noise and acceleration.error <= 4.0 * noise / h:
                    break
        self._first = max(0, min(level - 4, LEVELS // 2))  # one wider than needed
        return y, rate.value, acceleration.value

    def _defined(self, t: float) -> float:
        """NaN where the function is not defined, before t = 0 for example: smaller steps may still do."""
        try:
            return float(self.function(t))
        except (ArithmeticError, TypeError, ValueError):
            return math.nan


class Limit:
    """Richardson extrapolation of values whose error goes with even powers of a step that shrinks by SHRINK each time.

    value, error: the best so far and an estimate of its error
    """

    def __init__(self) -> None:
        self.value, self.error = math.nan, math.inf
        self._row: list[float] = []  # the last value and its extrapolations, of rising order

    def add(self, value: float) -> None:
        if not math.isfinite(value):
            self._row = []
            return
        row, power = [value], 1.0
        for old in self._row[:6]:
            power *= SHRINK * SHRINK
            better = row[-1] + (row[-1] - old) / (power - 1.0)
            error = max(abs(better - row[-1]), abs(better - old))
            row.append(better)
            if error <= self.error:
                self.value, self.error = better, error
        self._row = row


class Integrated:
    """y = start + integral of a user's rate from 0 to t, by adaptive quadrature from the last place asked for."""

    def __init__(self, rate: Callable[[float], float], start: float = 0.0) -> None:
        self.rate = Differenced(rate)
        self._t, self._y = 0.0, start

    def __call__(self, t: float) -> tuple[float, float, float]:
        rate, acceleration, _ = self.rate(t)
        if t == self._t:
            return self._y, rate, acceleration
        # full_output: no warning where the rate jumps
        quad = scipy.integrate.quad
        y = self._y + quad(self.rate.function, self._t, t, epsabs=1e-13, epsrel=1e-12, limit=200, full_output=1)[0]
        if np.isfinite(y):  # else an earlier time may be asked for again
            self._t, self._y = t, y
        return y, rate, acceleration


@dataclass(frozen=True)
class Piecewise:
    """Polynomials between given times, constant rate before and after."""

    polynomial: scipy.interpolate.PPoly

    def __call__(self, t: float) -> tuple[float, float, float]:
        first, last = self.polynomial.x[0], self.polynomial.x[-1]
        inside = min(max(t, first), last)
        y, rate = float(self.polynomial(inside)), float(self.polynomial(inside, 1))
        acceleration = float(self.polynomial(inside, 2)) if inside == t else 0.0
        return y + rate * (t - inside), rate, acceleration


def spline(times: ArrayLike, values: ArrayLike) -> scipy.interpolate.PPoly:
    """A natural cubic spline through a table of values."""
    return scipy.interpolate.CubicSpline(np.asarray(times, float), np.asarray(values, float), bc_type="natural")


def integral(rate: scipy.interpolate.PPoly, start: float) -> Shifted:
    """The integral of a piecewise rate from t = 0, beginning with `start`."""
    path = Piecewise(rate.antiderivative())
    return Shifted(path, start - path(0.0)[0])
