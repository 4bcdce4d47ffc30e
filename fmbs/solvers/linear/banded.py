"""LAPACK on the band that is left when chains of bodies or elements are numbered from end to end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix

from fmbs.solvers.linear.base import Array, SingularMatrixError, Sparsity, finite_matrix, finite_solution


class Band:
    """Order of the unknowns, multipliers among them, in which the entries lie close to the diagonal (Cuthill & McKee 1969)."""

    def __init__(self, pattern: Sparsity, order: NDArray[np.intp] | None = None) -> None:
        """order: unknown at each place, if it is known already."""
        n = pattern.shape[0]
        if order is None:
            graph = csr_matrix((np.ones(pattern.indices.size), pattern.indices, pattern.indptr), shape=(n, n))
            order = scipy.sparse.csgraph.reverse_cuthill_mckee(graph).astype(np.intp)
        self.order = order  # (n,)
        self._place = np.argsort(self.order)
        self._row, self._column = self._place[pattern.indices], self._place[pattern.columns()]
        self.lower = int((self._row - self._column).max(initial=0))
        self.upper = int((self._column - self._row).max(initial=0))
        self.height = 2 * self.lower + self.upper + 1  # pivoting fills `lower` further diagonals above
        self.fullness = pattern.indices.size / (n * (self.lower + self.upper + 1.0))

    def slots(self) -> NDArray[np.intp]:
        """Where each stored entry goes in LAPACK's band storage, (height, n) in Fortran order  # (nnz,)."""
        return self._slots(self._row, self._column)

    def places(self, row: NDArray[np.int64], column: NDArray[np.int64]) -> NDArray[np.intp]:
        """The same for any entries."""
        return self._slots(self._place[row], self._place[column])

    def _slots(self, row: NDArray[np.intp], column: NDArray[np.intp]) -> NDArray[np.intp]:
        slots: NDArray[np.intp] = column * self.height + self.lower + self.upper + row - column
        return slots


@dataclass(frozen=True, slots=True)
class BandedFactor:
    lu: Array  # (height, n)
    pivots: NDArray[np.int32]  # (n,)
    band: Band

    def solve(self, b: Array) -> Array:
        y, _ = scipy.linalg.lapack.dgbtrs(
            self.lu, self.band.lower, self.band.upper, b[self.band.order], self.pivots, overwrite_b=1
        )
        x = np.empty_like(y)
        x[self.band.order] = y
        return finite_solution(x)


class BandedSolver:
    """P A = L U by dgbtrf, rows exchanged within the band."""

    name = "banded"

    def __init__(self) -> None:
        self._pattern: Sparsity | None = None

    def factorize(self, matrix: csc_matrix) -> BandedFactor:
        finite_matrix(matrix)
        if self._pattern is None or not self._pattern.matches(matrix):
            self._analyse(matrix)
        band = self._band
        self._flat.fill(0.0)
        self._flat[self._slots] = matrix.data
        lu, pivots, info = scipy.linalg.lapack.dgbtrf(self._full, band.lower, band.upper, overwrite_ab=1)
        if info > 0:
            raise SingularMatrixError(f"the matrix is singular: pivot {info} of {matrix.shape[0]} is zero")
        return BandedFactor(lu, pivots, band)

    def _analyse(self, matrix: csc_matrix) -> None:
        self._pattern = Sparsity(matrix)
        self._band = Band(self._pattern)
        self._flat = np.zeros(self._band.height * matrix.shape[0])
        self._full = self._flat.reshape((self._band.height, matrix.shape[0]), order="F")
        self._slots = self._band.slots()
