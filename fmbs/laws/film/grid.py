"""The grid of a finite bearing: what depends on its geometry only, and memory that is used again at every call."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fmbs.laws.film.supply import Groove, Hole

Array = NDArray[np.float64]


class Grid:
    """n angles around and m places along the bearing, with the places of given pressure.

    fixed, given: nodes of given pressure and these pressures, Pa  # (n, m)
    full: nodes under pressure in the last solution, where the next one starts from
    """

    def __init__(self, shape: tuple[int, int], supply: tuple[Groove | Hole, ...], radius: float, length: float) -> None:
        n, m = shape
        self.theta = 2.0 * np.pi * np.arange(n) / n
        half = self.theta + np.pi / n
        self.angle = np.column_stack([np.cos(self.theta), np.sin(self.theta)])
        self.between = np.column_stack([np.cos(half), np.sin(half)])
        self.s = np.linspace(-1.0, 1.0, m)
        self.zeta = 0.5 * length * self.s
        self.rule = np.full(m, 2.0)  # Simpson's: exact for the parabola of a short bearing
        self.rule[1::2], self.rule[0], self.rule[-1] = 4.0, 1.0, 1.0
        self.rule *= 2.0 / (3.0 * (m - 1))
        self.fixed, self.given = np.zeros((n, m), bool), np.zeros((n, m))
        for opening in supply:
            covered = opening.covers(self.theta[:, None], self.zeta[None, :], radius)
            self.fixed |= covered
            self.given[covered] = opening.pressure
        self.given[:, [0, -1]] = 0.0
        self.fixed[:, [0, -1]] = True
        self.place = np.empty(n, np.int64)
        unknowns, band = n * (m - 2), 2 * (m - 2)
        self.matrix, self.x = np.empty((unknowns, 2 * band + 1)), np.empty(unknowns)
        self.full = np.ones((n, m), bool)


@lru_cache(maxsize=64)
def grid_of(
    shape: tuple[int, int], supply: tuple[Groove | Hole, ...], radius: float, length: float, kind: int
) -> Grid:  # kind: films of different cavitation start from their own solutions
    return Grid(shape, supply, radius, length)
