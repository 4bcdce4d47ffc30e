"""MUMPS, which factorises dense fronts in an order of nested dissection: for matrices that fill in (Amestoy et al. 2001)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.solvers.linear.base import Factor, Sparsity
from fmbs.solvers.linear.petsc import PetscSolver

Integers = NDArray[np.int64]

SYMMETRIC = 1e-9  # |A - A^T| relative to the largest entry


class MumpsSolver:
    """L D L^T of symmetric matrices, in half the time and memory, L U of others."""

    name = "petsc:mumps"

    def __init__(self) -> None:
        self._pattern: Sparsity | None = None
        self._mirror: Integers | None = None
        self._solver = PetscSolver("mumps", symmetric=True)
        self.symmetric = True

    def factorize(self, matrix: csc_matrix) -> Factor:
        if self._pattern is None or not self._pattern.matches(matrix):
            self._pattern = Sparsity(matrix)
            self._mirror = _mirror(self._pattern)
        if self.symmetric and not self._is_symmetric(matrix):  # once and for all: what loads follow does so in all steps
            self.symmetric, self._solver = False, PetscSolver("mumps")
        return self._solver.factorize(matrix)

    def _is_symmetric(self, matrix: csc_matrix) -> bool:
        if self._mirror is None:
            return False
        data = matrix.data
        return bool(np.abs(data - data[self._mirror]).max(initial=0.0) <= SYMMETRIC * np.abs(data).max(initial=0.0))


def _mirror(pattern: Sparsity) -> Integers | None:
    """For every entry (i, j) the place of (j, i); None where the pattern is not symmetric."""
    number = csc_matrix((np.arange(pattern.indices.size), pattern.indices, pattern.indptr), shape=pattern.shape)
    turned = csc_matrix(number.T)
    turned.sort_indices()
    same = np.array_equal(turned.indptr, pattern.indptr) and np.array_equal(turned.indices, pattern.indices)
    return turned.data if same else None


def slow_blas() -> bool:
    """Has this process loaded the reference BLAS? Debian's PETSc takes it where OpenBLAS is not installed."""
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:
        return False
    return "/blas/libblas.so" in maps
