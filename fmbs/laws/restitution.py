"""Hysteresis factors a of F = F_elastic(d) [1 + a d'/d'(-)] that stand for a coefficient of restitution e.

One mass against any elastic law obeys m v dv/dd = -F_elastic(d) (1 + a v/v(-)), so that u = v/v(-) runs from 1 to -e with

    int u / (1 + a u) du = 0   <=>   a (1 + e) = ln[(1 + a) / (1 - a e)]

whatever the mass, the stiffness and the shape of the elastic law. The classic factors approximate the root near e = 1.
"""

from __future__ import annotations

import math

import scipy


def lankarani_nikravesh(e: float) -> float:
    """3 (1 - e^2) / 4, Lankarani & Nikravesh 1990; Tian2010 eq 22."""
    return 0.75 * (1.0 - e * e)


def hunt_crossley(e: float) -> float:
    """3 (1 - e) / 2, Hunt & Crossley 1975."""
    return 1.5 * (1.0 - e)


def flores(e: float) -> float:
    """8 (1 - e) / (5 e), Flores et al. 2011."""
    return 1.6 * (1.0 - e) / e


def calibrated(e: float) -> float:
    """The a that delivers e exactly: the root of the equation above in (0, 1/e)."""
    if e == 1.0:
        return 0.0

    def residual(a: float) -> float:
        return _log_rest(a) - e * e * _log_rest(-a * e)

    top = math.nextafter(1.0 / e, 0.0)
    while top * e >= 1.0:
        top = math.nextafter(top, 0.0)
    if residual(top) <= 0.0:  # e < 0.03: the root is 1/e to all digits
        return top
    return float(scipy.optimize.brentq(residual, 0.0, top, xtol=1e-16, rtol=1e-15))


def _log_rest(x: float) -> float:
    """[ln(1 + x) - x] / x^2 without cancellation."""
    if abs(x) > 0.02:
        return (math.log1p(x) - x) / (x * x)
    return sum((-1.0) ** (k + 1) * x**k / (k + 2) for k in range(10))
