"""The solver that suits a matrix, found when the first one is seen."""

from __future__ import annotations

from collections.abc import Callable

from scipy.sparse import csc_matrix

from fmbs.solvers.linear.banded import Band, BandedSolver
from fmbs.solvers.linear.base import Factor, LinearSolver, Sparsity

# Chains of beam elements leave a band that is 2/3 full: LAPACK needs half of KLU's time to factorise and 1.2 times its time to
# solve. In chains of rigid bodies the band is 1/6 full and KLU wins. A run solves 15 to 20 times with a factor; where that
# outgrows the cache it takes three times as long a column, and the gain is gone: benchmarks/README.md.
FULL_ENOUGH = 0.5
LARGEST_BAND = 6e6  # bytes


class AutomaticSolver:
    """Banded where the band is full enough, else what `other` makes.

    name: "auto" until the first matrix
    """

    def __init__(self, other: Callable[[], LinearSolver]) -> None:
        self._other = other
        self._pattern: Sparsity | None = None
        self._chosen: LinearSolver | None = None

    @property
    def name(self) -> str:
        return "auto" if self._chosen is None else self._chosen.name

    def factorize(self, matrix: csc_matrix) -> Factor:
        if self._chosen is None or self._pattern is None or not self._pattern.matches(matrix):
            self._pattern = Sparsity(matrix)
            self._chosen = BandedSolver() if suits_band(self._pattern) else self._other()
        return self._chosen.factorize(matrix)


def suits_band(pattern: Sparsity) -> bool:
    n, entries = pattern.shape[0], pattern.indices.size
    if 12.0 * entries > LARGEST_BAND:  # not even a full band would fit, with its half more for pivoting
        return False
    band = Band(pattern)
    return band.fullness >= FULL_ENOUGH and 8.0 * n * band.height <= LARGEST_BAND
