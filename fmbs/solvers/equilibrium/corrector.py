"""Newton's method from a guess to the equilibrium next to it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fmbs.solvers.equilibrium.statics import Point, Statics
from fmbs.solvers.linear import LinearSolveError

Array = NDArray[np.float64]

PATIENCE = 6  # iterations after which increments have to shrink


class Found(NamedTuple):
    """An equilibrium, the iterations it took, and how far it is from the guess, relative to the model's size."""

    point: Point
    iterations: int
    distance: float


class PathControl(Protocol):
    """What else holds on the path: then the load factor is an unknown too."""

    def shift(self, point: Point, change: Array, response: Array) -> float:
        """Change of the load factor that goes with `change` + shift * `response`."""


def corrected(statics: Statics, guess: Point, limit: float, control: PathControl | None = None) -> Found | None:
    """The equilibrium within `limit` of the guess; None if Newton's method leaves there, or does not converge."""
    point, last = guess, np.inf
    for iteration in range(1, statics.settings.max_iterations + 1):
        try:
            factor = statics.factorize(point)
            change, shift = factor.solve(-statics.residual(point)), 0.0
            if control is not None:
                response = factor.solve(-statics.rate(point))
                shift = control.shift(point, change, response)
                change = change + shift * response
        except LinearSolveError:
            return None
        point = statics.moved(point, change, shift)
        distance, size = statics.size(point.q - guess.q), max(statics.size(change), abs(shift))
        if not distance <= limit:
            return None
        if size <= statics.settings.tolerance and statics.balanced(point):
            return Found(point, iteration, distance)
        if iteration > PATIENCE and size > last:
            return None
        last = size
    return None
