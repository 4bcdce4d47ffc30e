"""SuperLU as SciPy ships it: everywhere available."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.solvers.linear.base import Array, SingularMatrixError, Sparsity, finite_matrix, finite_solution


@dataclass(frozen=True, slots=True)
class ScipyFactor:
    lu: Any
    order: NDArray[np.intp]  # (n,) place of each unknown

    def solve(self, b: Array) -> Array:
        x: Array = self.lu.solve(b)[self.order]
        return finite_solution(x)


class ScipySolver:
    """P A Q = L U by SuperLU.

    SciPy cannot keep a symbolic factorisation, but the fill-reducing order Q can be kept: later matrices are handed
    over with their columns already in order, which saves 10 to 20 % (measured, 60 to 4000 unknowns).
    """

    name = "scipy"

    def __init__(self) -> None:
        self._pattern: Sparsity | None = None

    def factorize(self, matrix: csc_matrix) -> ScipyFactor:
        finite_matrix(matrix)
        try:
            if self._pattern is None or not self._pattern.matches(matrix):
                return self._first(matrix)
            np.take(matrix.data, self._slots, out=self._ordered.data)
            return ScipyFactor(scipy.sparse.linalg.splu(self._ordered, permc_spec="NATURAL"), self._order)
        except RuntimeError as error:
            raise SingularMatrixError(f"the matrix is singular (SuperLU: {error})") from None

    def _first(self, matrix: csc_matrix) -> ScipyFactor:
        """A Q has column i of A at place perm_c[i]; y = Q^T x, hence x = y[perm_c]."""
        lu = scipy.sparse.linalg.splu(matrix)
        n, nnz = matrix.shape[0], matrix.nnz
        self._order = lu.perm_c.astype(np.intp)
        numbered = csc_matrix((np.arange(nnz, dtype=float), matrix.indices, matrix.indptr), shape=matrix.shape)
        self._ordered = numbered[:, np.argsort(self._order)]
        self._ordered.sort_indices()
        self._slots = self._ordered.data.astype(np.intp)
        self._pattern = Sparsity(matrix)
        return ScipyFactor(lu, np.arange(n, dtype=np.intp))
