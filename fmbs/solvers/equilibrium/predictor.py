"""Where a path goes on: a polynomial in the load factor through its last points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fmbs.solvers.equilibrium.statics import Point

Array = NDArray[np.float64]

POINTS = 4
APART = 0.4  # least distance between them, in units of the step: closer ones would magnify their errors


def extrapolated(path: Sequence[Point], load: float) -> Point:
    """The guess at a load factor from the points before it, newest last."""
    step = load - path[-1].load
    chosen = [path[-1]]
    for point in reversed(path[:-1]):
        if len(chosen) < POINTS and chosen[-1].load - point.load >= APART * step:
            chosen.append(point)
    weights = _lagrange(np.array([point.load for point in chosen]), load)
    q = sum(weight * point.q for weight, point in zip(weights, chosen, strict=True))
    lam = sum(weight * point.lam for weight, point in zip(weights, chosen, strict=True))
    return Point(load, np.asarray(q), np.asarray(lam))


def _lagrange(x: Array, at: float) -> Array:
    """Weights of the values at x in the value of their polynomial."""
    ratios = (at - x[None, :]) / (x[:, None] - x[None, :] + np.eye(x.size))
    np.fill_diagonal(ratios, 1.0)
    weights: Array = ratios.prod(axis=1)
    return weights
