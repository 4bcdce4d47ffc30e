"""Static equations without the nodes inside elements: these are eliminated before the matrix is factorised, as in the loop."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.assembly.system import System
from fmbs.solvers.linear.automatic import AutomaticSolver
from fmbs.solvers.linear.base import LinearSolver, SingularMatrixError, Sparsity, finite_matrix, finite_solution
from fmbs.solvers.storage import static_storage
from fmbs.solvers.storage.condensed import CondensedStorage

Array = NDArray[np.float64]

LARGE = 1000  # unknowns from which on the factorisation is most of the work


def static_solver(system: System, linear: LinearSolver) -> LinearSolver:
    """`linear` itself, or what is faster for long beams where the choice is free."""
    if not isinstance(linear, AutomaticSolver) or system.size + system.multipliers < LARGE:
        return linear
    pattern = Sparsity(system.matrix(system.workspace))
    storage = static_storage(system, pattern)
    return linear if storage is None else CondensedSolver(pattern, storage)


class CondensedSolver:
    """A linear solver for the matrices of one system."""

    name = "condensed"

    def __init__(self, pattern: Sparsity, storage: CondensedStorage) -> None:
        self._pattern, self._storage = pattern, storage
        self._places = storage.places(pattern.indices.astype(np.int64), pattern.columns())

    def factorize(self, matrix: csc_matrix) -> CondensedFactor:
        if not self._pattern.matches(matrix):
            raise ValueError("a matrix of another system")
        data = self._storage.matrix.data
        data[:] = 0.0
        data[self._places] = finite_matrix(matrix).data
        if not self._storage.invert():
            raise SingularMatrixError("the matrix is singular")
        return CondensedFactor(self._storage)


class CondensedFactor:
    """The factorised matrix."""

    def __init__(self, storage: CondensedStorage) -> None:
        self._storage = storage

    def solve(self, b: Array) -> Array:
        """x of A x = b."""
        x = np.array(b.T, dtype=float, order="C")
        for each in x if x.ndim == 2 else [x]:
            self._storage.apply(each)
        return finite_solution(np.ascontiguousarray(x.T))
