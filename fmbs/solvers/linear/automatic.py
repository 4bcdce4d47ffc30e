"""The solver that suits a matrix, found when the first one is seen."""

from __future__ import annotations

from collections.abc import Callable

from scipy.sparse import csc_matrix

from fmbs.solvers.linear.banded import Band, BandedSolver
from fmbs.solvers.linear.base import Factor, LinearSolver, Sparsity
from fmbs.solvers.linear.condensing import PartedSolver, groups_alike
from fmbs.solvers.linear.fill import Compressed, Fill, compressed, fill_of
from fmbs.solvers.linear.mumps import MumpsSolver, slow_blas
from fmbs.solvers.linear.petsc_methods import available, packages

# Chains of beam elements leave a band that is 2/3 full: LAPACK needs half of KLU's time to factorise and 1.2 times its time to
# solve. In chains of rigid bodies the band is 1/6 full and KLU wins. A run solves 15 to 20 times with a factor; where that
# outgrows the cache it takes three times as long a column, and the gain is gone: benchmarks/README.md.
FULL_ENOUGH = 0.5
LARGEST_BAND = 6e6  # bytes

# KLU eliminates entry by entry, a thousand million operations a second; MUMPS by full matrices, ten times as many where these
# are large, and has more to do besides. Operations an entry of the factors tell how large they are: 50 in a chain of beams,
# 1,000 in a lattice of eight nodes along each edge.
SPARSE = 1000  # unknowns from which on it is looked how much fills in
MANY_OPERATIONS = 2e8
DENSE_FRONTS = 150.0


class AutomaticSolver:
    """Banded where the band is full enough, MUMPS where much fills in, else what `other` makes.

    name: "auto" until the first matrix; why: in words, what was found of large matrices
    """

    def __init__(self, other: Callable[[], LinearSolver]) -> None:
        self._other = other
        self._pattern: Sparsity | None = None
        self._chosen: LinearSolver | None = None
        self.why = ""

    @property
    def name(self) -> str:
        return "auto" if self._chosen is None else self._chosen.name

    def factorize(self, matrix: csc_matrix) -> Factor:
        if self._chosen is None or self._pattern is None or not self._pattern.matches(matrix):
            self._pattern = Sparsity(matrix)
            self._chosen, self.why = suited(self._pattern, matrix, self._other)
        return self._chosen.factorize(matrix)


def suited(pattern: Sparsity, matrix: csc_matrix, other: Callable[[], LinearSolver]) -> tuple[LinearSolver, str]:
    """The solver for a matrix, and why."""
    if suits_band(pattern):
        return BandedSolver(), ""
    if pattern.shape[0] < SPARSE:
        return other(), ""
    found = compressed(pattern)
    why = fills_in(found)
    if not why:
        return other(), ""
    inner = MumpsSolver()
    classes = groups_alike(found, matrix.diagonal())
    if not classes:
        return inner, why
    solver = PartedSolver(classes, pattern, inner)
    return solver, f"{why}; {pattern.shape[0] - solver.rest.size} of {pattern.shape[0]} unknowns are eliminated before"


def fills_in(found: Compressed) -> str:
    """Why MUMPS should have a matrix, in words; "" where it should not, or is not there."""
    fill = fill_of(found)
    if fill is None or not suits_fronts(fill) or not available() or "mumps" not in packages():
        return ""
    why = (
        f"{fill.operations:.1e} operations on {fill.entries:.1e} entries ({8e-9 * fill.entries:.2g} GB) in an order of minimum "
        "degree, in large full blocks: nested dissection and dense fronts need fewer, and less time for each"
    )
    if slow_blas():
        why += "; PETSc has the reference BLAS, which takes ten times as long as OpenBLAS (apt install libopenblas0-pthread)"
    return why


def suits_fronts(fill: Fill) -> bool:
    return fill.operations > MANY_OPERATIONS and fill.operations > DENSE_FRONTS * fill.entries


def suits_band(pattern: Sparsity) -> bool:
    n, entries = pattern.shape[0], pattern.indices.size
    if 12.0 * entries > LARGEST_BAND:  # not even a full band would fit, with its half more for pivoting
        return False
    band = Band(pattern)
    return band.fullness >= FULL_ENOUGH and 8.0 * n * band.height <= LARGEST_BAND
