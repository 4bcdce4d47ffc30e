"""Observed order and extrapolated value of a refinement series."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import array
from fmbs.core.errors import ModelError

Array = NDArray[np.float64]

LEAST_ORDER, LARGEST_ORDER = 0.1, 16.0
SAFETY = 1.25  # of Roache's grid convergence index where the order is observed on three grids
SAME_ORDER = 1.5  # orders of successive triples that differ by a larger factor are no order
ROUND_OFF = 1e-13  # relative: differences below say nothing of the order


@dataclass(frozen=True)
class Extrapolation:
    """value: at h -> 0; uncertainty: of it; orders: of each run and the two before it, NaN where none is seen  # (runs,)."""

    value: float
    uncertainty: float
    orders: Array

    @property
    def order(self) -> float:
        """Of the finest runs whose order is that of the three before, not of those at round-off; NaN where there is none."""
        seen = self.orders[2:]
        if seen.size == 1:
            return float(seen[0])
        agreeing = [float(p) for before, p in itertools.pairwise(seen) if same_order(before, p)]
        return agreeing[-1] if agreeing else float("nan")


def richardson(h: ArrayLike, values: ArrayLike) -> Extrapolation:
    """f(h) = f_0 + C h^p through the three finest runs, for any ratios of h.

    p solves (f_1 - f_2)/(f_2 - f_3) = (h_1^p - h_2^p)/(h_2^p - h_3^p), and f_0 = f_3 + (f_3 - f_2)/((h_2/h_3)^p - 1).
    The uncertainty is 1.25 |f_0 - f_3| (Roache 1994, three grids), and at least the spread of the last three values where the
    order is not that of the three before. Without a monotone series f_0 is the finest value. Two runs have no order.

    h: decreasing; values: of the runs
    """
    steps, f = array("richardson", "h", h), array("richardson", "values", values)
    if steps.shape != f.shape or steps.ndim != 1 or steps.size < 2:
        raise ModelError(f"richardson: {steps.size} step sizes and {f.size} values; give two or more of both, of equal number.")
    if not (np.isfinite(steps).all() and (steps > 0.0).all() and (np.diff(steps) < 0.0).all()):
        raise ModelError("richardson: the step sizes h must be positive and decrease: from coarse to fine.")
    if not np.isfinite(f).all():
        raise ModelError("richardson: a value is not finite.")
    orders = np.array([np.nan, np.nan] + [observed_order(steps[i - 2 : i + 1], f[i - 2 : i + 1]) for i in range(2, f.size)])
    spread = float(np.ptp(f[-3:]))
    p = orders[-1]
    if np.isnan(p):
        return Extrapolation(float(f[-1]), spread, orders)
    change = float(f[-1] - f[-2]) / ((steps[-2] / steps[-1]) ** p - 1.0)
    uncertainty = SAFETY * abs(change)
    if f.size > 3 and not same_order(orders[-2], p):  # noise, or too coarse
        uncertainty = max(uncertainty, spread)
    return Extrapolation(float(f[-1]) + change, max(uncertainty, ROUND_OFF * abs(float(f[-1]))), orders)


def same_order(p: float, other: float) -> bool:
    """NaN is like nothing."""
    return bool(1.0 / SAME_ORDER < p / other < SAME_ORDER)


def observed_order(h: Array, f: Array) -> float:
    """Of three runs; NaN where the values do not converge monotonically or differ by round-off only."""
    first, second = f[0] - f[1], f[1] - f[2]
    if abs(second) <= ROUND_OFF * np.abs(f).max() or first * second <= 0.0:
        return float("nan")
    a, b = h[0] / h[1], h[2] / h[1]

    def excess(p: float) -> float:
        return float((a**p - 1.0) / (1.0 - b**p) - first / second)

    if excess(LEAST_ORDER) * excess(LARGEST_ORDER) > 0.0:
        return float("nan")
    return float(scipy.optimize.brentq(excess, LEAST_ORDER, LARGEST_ORDER, xtol=1e-10))
