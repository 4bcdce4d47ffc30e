"""What a linear solver is: factorize once, solve often."""

from __future__ import annotations

import math
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

Array = NDArray[np.float64]


class LinearSolveError(ArithmeticError):
    """A x = b could not be solved: the message says why."""


class SingularMatrixError(LinearSolveError):
    """The matrix has a zero pivot or is not finite.

    Only exact breakdown is found: a pivot of round-off size passes, since without a scale it could be a soft spring.
    """


class Factor(Protocol):
    """A factorised matrix. Invalid after its solver's next `factorize`, which reuses the memory."""

    def solve(self, b: Array) -> Array:
        """x of A x = b for b of shape (n,) or, several right-hand sides, (n, k)."""
        ...


@runtime_checkable
class InertialFactor(Factor, Protocol):
    """One that may tell how many eigenvalues of a symmetric matrix are negative (Sylvester's law of inertia)."""

    @property
    def negative(self) -> int | None: ...


class LinearSolver(Protocol):
    """Lives for one run and is given matrices of one sparsity pattern: what depends on the pattern only is done once.

    Another pattern is allowed and costs a new analysis.
    """

    @property
    def name(self) -> str:
        """What the statistics say: "dense", "banded", "scipy", "petsc:klu"."""
        ...

    def factorize(self, matrix: csc_matrix) -> Factor:
        """P A Q = L U of a square, in general unsymmetric and indefinite matrix.

        The arrays of the first matrix may become the solver's own, to be overwritten with the values of later ones: give it
        a copy if you want to keep it.
        """
        ...


class Sparsity:
    """Sparsity of a run's matrices. Comparing costs nothing while they share their index arrays."""

    def __init__(self, matrix: csc_matrix) -> None:
        if not matrix.has_canonical_format:
            raise ValueError("the matrix must hold sorted indices without duplicates: call sum_duplicates() first")
        self.shape, self.indptr, self.indices = matrix.shape, matrix.indptr, matrix.indices

    def matches(self, matrix: csc_matrix) -> bool:
        if matrix.indices is self.indices and matrix.indptr is self.indptr:
            return True
        return (
            matrix.shape == self.shape
            and np.array_equal(matrix.indptr, self.indptr)
            and np.array_equal(matrix.indices, self.indices)
        )

    def columns(self) -> NDArray[np.int64]:  # (nnz,)
        return np.repeat(np.arange(self.shape[1]), np.diff(self.indptr))


def finite_matrix(matrix: csc_matrix) -> csc_matrix:
    """The matrix itself. The sum tells of NaN and infinity without a temporary array, and without the threads of BLAS: they
    would go on spinning on the other cores for a while.
    """
    if not math.isfinite(matrix.data.sum()):
        raise SingularMatrixError("the matrix holds NaN or infinite entries")
    return matrix


def finite_solution(x: Array) -> Array:
    """The solution itself: some packages pass a zero pivot and divide by it."""
    if not math.isfinite(x.sum()):
        raise SingularMatrixError("the solution is not finite: singular matrix, or a right-hand side that is not finite")
    return x
