"""Signals: functions of time with their first two derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import quad
from scipy.interpolate import CubicSpline, PPoly

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


def difference_step(function: Callable[[float], float]) -> float:
    """The step at which central second differences of `function` about t = 0 agree best with those at half the step."""

    def curvature(h: float) -> float:
        return float(function(h) - 2.0 * function(0.0) + function(-h)) / (h * h)

    steps = [10.0**-k for k in np.arange(1.0, 6.0, 0.5)]
    disagreement = [abs(curvature(h) - curvature(0.5 * h)) for h in steps]
    return float(steps[int(np.argmin(disagreement))])


class Differenced:
    """A user's function of time; its derivatives by central differences of fourth order."""

    def __init__(self, function: Callable[[float], float]) -> None:
        self.function = function
        self.step = difference_step(function)

    def __call__(self, t: float) -> tuple[float, float, float]:
        h = self.step
        f = [float(self.function(t + k * h)) for k in (-2, -1, 0, 1, 2)]
        rate = (f[0] - 8.0 * f[1] + 8.0 * f[3] - f[4]) / (12.0 * h)
        acceleration = (-f[0] + 16.0 * f[1] - 30.0 * f[2] + 16.0 * f[3] - f[4]) / (12.0 * h * h)
        return f[2], rate, acceleration


class Integrated:
    """y = start + integral of a user's rate from 0 to t, by adaptive quadrature from the last place asked for."""

    def __init__(self, rate: Callable[[float], float], start: float = 0.0) -> None:
        self.rate = Differenced(rate)
        self._t, self._y = 0.0, start

    def __call__(self, t: float) -> tuple[float, float, float]:
        if t != self._t:
            self._y += quad(self.rate.function, self._t, t, epsabs=1e-13, epsrel=1e-12, limit=200)[0]
            self._t = t
        rate, acceleration, _ = self.rate(t)
        return self._y, rate, acceleration


@dataclass(frozen=True)
class Piecewise:
    """A table: polynomials between its times, constant rate before and after."""

    polynomial: PPoly

    def __call__(self, t: float) -> tuple[float, float, float]:
        first, last = self.polynomial.x[0], self.polynomial.x[-1]
        inside = min(max(t, first), last)
        y, rate = float(self.polynomial(inside)), float(self.polynomial(inside, 1))
        acceleration = float(self.polynomial(inside, 2)) if inside == t else 0.0
        return y + rate * (t - inside), rate, acceleration


def from_table(times: ArrayLike, values: ArrayLike) -> Piecewise:
    """A natural cubic spline through a table of values."""
    return Piecewise(CubicSpline(np.asarray(times, float), np.asarray(values, float), bc_type="natural"))


def from_rate_table(times: ArrayLike, rates: ArrayLike, start: float) -> Shifted:
    """The integral from t = 0 of a natural cubic spline through a table of rates, beginning with `start`."""
    integral = Piecewise(CubicSpline(np.asarray(times, float), np.asarray(rates, float), bc_type="natural").antiderivative())
    return Shifted(integral, start - integral(0.0)[0])


@dataclass(frozen=True)
class SmoothStep:
    """From `low` before `begin` to `high` after `end` with continuous rate and acceleration: 10 s^3 - 15 s^4 + 6 s^5.

    A callable of time for any drive or force: `fm.RotationDrive(..., speed=fm.SmoothStep(0.0, 0.1, 0.0, 523.6))`.
    """

    begin: float
    end: float
    low: float
    high: float

    def __call__(self, t: float) -> float:
        s = min(max((t - self.begin) / (self.end - self.begin), 0.0), 1.0)
        return self.low + (self.high - self.low) * s**3 * (10.0 + s * (6.0 * s - 15.0))
