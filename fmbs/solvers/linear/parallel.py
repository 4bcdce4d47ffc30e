"""PETSc on several ranks: a factorisation by MUMPS, or a Krylov method with the constraints split off."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csc_matrix

from fmbs.core.errors import ModelError
from fmbs.core.ranks import Ranks
from fmbs.solvers.linear.base import Array, SingularMatrixError, Sparsity, finite_solution
from fmbs.solvers.linear.petsc import PetscFactor, PetscSolver


def parallel_solver(name: str, ranks: Ranks) -> ParallelSolver:
    """The solver called "auto", "petsc", "petsc:mumps" or "petsc:gmres+fieldsplit" for several ranks."""
    family, _, text = name.partition(":")
    if family not in ("auto", "petsc") or ("+" not in text and text not in ("", "mumps")):
        raise ModelError(
            f"linear_solver = {name!r} works on one rank only, and mpirun has started {ranks.count}; use 'petsc' (MUMPS) or a "
            "Krylov method with its preconditioner, as in 'petsc:gmres+fieldsplit'."
        )
    return ParallelSolver(text or "mumps", ranks)


class ParallelSolver(PetscSolver):
    """Every rank hands in its own columns of A, complete, and gets the whole solution.

    Columns of A are rows of A^T: a factorisation takes them as they are and solves with the transpose; Krylov methods, whose
    preconditioners have no transpose, get A itself.
    """

    def __init__(self, text: str, ranks: Ranks) -> None:
        super().__init__(text, comm=ranks.comm)
        self._ranks = ranks

    def _check_finite(self, matrix: csc_matrix) -> None:
        values = self._own(matrix)[2]
        if not self._ranks.every(bool(np.isfinite(values.sum()))):
            raise SingularMatrixError("the matrix holds NaN or infinite entries")

    def _own(self, matrix: csc_matrix) -> tuple[Any, Any, Array]:
        """This rank's columns, compressed: views of the matrix's arrays."""
        begin, end = self._ranks.bounds(matrix.shape[1])[self._ranks.rank :][:2]
        first, last = matrix.indptr[begin], matrix.indptr[end]
        return matrix.indptr[begin : end + 1] - first, matrix.indices[first:last], matrix.data[first:last]

    def _analyse(self, matrix: csc_matrix) -> None:
        PETSc, n = self._petsc, matrix.shape[0]
        self._pattern = Sparsity(matrix)
        indptr, indices, values = self._own(matrix)
        own = (indptr.size - 1, n)
        self._columns = PETSc.Mat().createAIJ((own, own), csr=(indptr, indices, values), comm=self._comm)
        direct = self._method.ksp == "preonly"
        self._mat = self._columns if direct else self._columns.transpose(PETSc.Mat())
        self._ksp = self._new_ksp()
        self._factor = ParallelFactor(self._ksp, self._mat, self.name, self._ranks, transposed=direct)

    def _put(self, matrix: csc_matrix) -> None:
        self._columns.setValuesCSR(*self._own(matrix))
        self._columns.assemble()
        if self._mat is not self._columns:
            self._columns.transpose(self._mat)


class ParallelFactor(PetscFactor):
    """The whole right-hand side is known to every rank, and so is the solution."""

    def __init__(self, ksp: Any, mat: Any, name: str, ranks: Ranks, *, transposed: bool) -> None:
        super().__init__(ksp, mat, name, transposed=transposed)
        self._ranks, self._bounds = ranks, ranks.bounds(mat.getSize()[0])

    def solve(self, b: Array) -> Array:
        if b.ndim == 2:
            return np.column_stack([self.solve(column) for column in b.T])
        begin, end = self._bounds[self._ranks.rank :][:2]
        self._run(b[begin:end])
        x = np.empty(b.size)
        x[begin:end] = self._x
        self._ranks.gather(x, self._bounds)
        return finite_solution(x)
