"""LAPACK on the full matrix: the fastest for a handful of bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.solvers.linear.base import Array, SingularMatrixError, Sparsity, finite_matrix, finite_solution


@dataclass(frozen=True, slots=True)
class DenseFactor:
    lu: Array  # (n, n)
    pivots: NDArray[np.int32]  # (n,)

    def solve(self, b: Array) -> Array:
        x, _ = scipy.linalg.lapack.dgetrs(self.lu, self.pivots, b)
        return finite_solution(x)


class DenseSolver:
    """P A = L U by dgetrf, called without lu_factor's checks, which cost more than the work at this size."""

    name = "dense"

    def __init__(self) -> None:
        self._pattern: Sparsity | None = None

    def factorize(self, matrix: csc_matrix) -> DenseFactor:
        finite_matrix(matrix)
        if self._pattern is None or not self._pattern.matches(matrix):
            self._analyse(matrix)
        self._flat.fill(0.0)
        self._flat[self._slots] = matrix.data
        lu, pivots, info = scipy.linalg.lapack.dgetrf(self._full, overwrite_a=1)
        if info > 0:
            raise SingularMatrixError(f"the matrix is singular: pivot {info} of {matrix.shape[0]} is zero")
        return DenseFactor(lu, pivots)

    def _analyse(self, matrix: csc_matrix) -> None:
        """Where each stored entry goes in the full matrix, which is in Fortran order so that LAPACK works in place."""
        self._pattern = Sparsity(matrix)
        n = matrix.shape[0]
        self._flat = np.zeros(n * n)
        self._full = self._flat.reshape((n, n), order="F")
        self._slots = self._pattern.columns() * n + matrix.indices
