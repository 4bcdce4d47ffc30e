"""PETSc: any LU package or Krylov method that it was built with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csc_matrix

from fmbs.solvers.linear.base import (
    Array,
    LinearSolveError,
    SingularMatrixError,
    Sparsity,
    finite_matrix,
    finite_solution,
)
from fmbs.solvers.linear.petsc_methods import load, method

RESTART = 100  # GMRES vectors; PETSc's 30 stagnate on saddle points
MAX_ITERATIONS = 2000
RESIDUAL = 1e-6  # |A x - b| / |b| that a Krylov method must truly reach; its own estimate can be far off
RIGHT = (
    "gmres",
    "lgmres",
    "bcgs",
    "cgs",
    "tfqmr",
)  # preconditioned from the right, their estimate is the true residual

# KLU's defaults fill in at the zero diagonal (a chain of 1000 bodies took 100 times as long), MUMPS' workspace is too small.
# PETSc reads KLU's without our prefix. Field-split: coordinates by one factorisation a rank (block Jacobi); multipliers,
# found by their zeros on the diagonal, by their Schur complement with the diagonal of the coordinates' block.
OPTIONS = {
    "klu": {"mat_klu_ordering": "COLAMD", "mat_klu_use_btf": "0", "mat_klu_pivot_tol": "0.1"},
    "mumps": {"fmbs_mat_mumps_icntl_14": "100"},
    "fieldsplit": {
        "fmbs_pc_fieldsplit_detect_saddle_point": "1",
        "fmbs_pc_fieldsplit_type": "schur",
        "fmbs_pc_fieldsplit_schur_fact_type": "full",
        "fmbs_pc_fieldsplit_schur_precondition": "selfp",
        "fmbs_fieldsplit_0_ksp_type": "preonly",
        "fmbs_fieldsplit_0_pc_type": "bjacobi",
        "fmbs_fieldsplit_0_sub_pc_type": "lu",
        "fmbs_fieldsplit_1_ksp_type": "preonly",
        "fmbs_fieldsplit_1_pc_type": "lu",
        "fmbs_fieldsplit_1_pc_factor_mat_solver_type": "mumps",
    },
}

REASONS = {
    "DIVERGED_MAX_IT": "it reached the limit of iterations",
    "DIVERGED_BREAKDOWN": "the method broke down",
    "DIVERGED_BREAKDOWN_BICG": "the method broke down",
    "DIVERGED_DTOL": "the residual grew",
    "DIVERGED_NONSYMMETRIC": "the method needs a symmetric matrix",
    "DIVERGED_INDEFINITE_PC": "the method needs a positive definite preconditioner",
    "DIVERGED_INDEFINITE_MAT": "the method needs a positive definite matrix",
    "DIVERGED_NANORINF": "it met NaN or infinity",
}


class PetscSolver:
    """A x = b by a KSP with the options prefix fmbs_, as in PETSC_OPTIONS="-fmbs_ksp_monitor -fmbs_pc_factor_levels 2".

    Mat, KSP and vectors are kept while the pattern stays: new values go in place and reuse the symbolic factorisation.
    """

    def __init__(self, text: str = "", *, tolerance: float = 1e-12, comm: Any = None, symmetric: bool = False) -> None:
        """symmetric: L D L^T by a package that has it; matrices may be indefinite."""
        self._petsc, self._symmetric = load(), symmetric
        self._comm = self._petsc.COMM_SELF if comm is None else comm
        self._petsc.garbage_cleanup(self._comm)  # petsc4py keeps what earlier runs have dropped until told
        self._method = method(text)
        self._tolerance = tolerance
        self._pattern: Sparsity | None = None
        self._slots: NDArray[np.intp] | None = None
        self.name = self._method.name

    def factorize(self, matrix: csc_matrix) -> PetscFactor:
        self._check_finite(matrix)
        if self._pattern is None or not self._pattern.matches(matrix):
            self._analyse(matrix)
        self._put(matrix)
        self._ksp.setOperators(self._mat)
        self._ksp.setConvergedReason(0)
        try:
            self._ksp.setUp()
            reason = "zero pivot" if self._ksp.getConvergedReason() < 0 else ""
        except self._petsc.Error as error:
            reason = _last_line(error)
        if reason:
            self._pattern = None  # what is left inside after a failure is not to be trusted
            raise SingularMatrixError(f"the matrix is singular: {self.name} cannot factorise it ({reason})")
        return self._factor

    def _check_finite(self, matrix: csc_matrix) -> None:
        finite_matrix(matrix)

    def _put(self, matrix: csc_matrix) -> None:
        """The values of this matrix into the Mat."""
        if self._slots is not None:
            self._values[self._slots] = matrix.data
        elif matrix.data is not self._values:
            self._values[:] = matrix.data
        self._mat.stateIncrease()  # the values changed behind PETSc's back

    def _analyse(self, matrix: csc_matrix) -> None:
        """A Mat for the pattern. A factorisation takes the arrays as they are: compressed columns of A are rows of A^T, and
        transposed solves cost the same. Nothing is copied, and a caller who reuses his data array never pays for one.
        """
        PETSc = self._petsc
        self._pattern = Sparsity(matrix)
        if self._method.ksp == "preonly":
            self._slots, self._values = None, matrix.data
            arrays = (matrix.indptr.astype(PETSc.IntType, copy=False), matrix.indices.astype(PETSc.IntType, copy=False))
            self._mat = PETSc.Mat().createAIJWithArrays(matrix.shape, (*arrays, self._values), comm=self._comm)
            if self._symmetric:
                self._mat.setOption(PETSc.Mat.Option.SYMMETRIC, True)
                self._mat.setOption(PETSc.Mat.Option.SYMMETRY_ETERNAL, True)
        else:
            self._analyse_rows(matrix, self._pattern)
        self._ksp = self._new_ksp()
        self._factor = PetscFactor(self._ksp, self._mat, self.name, transposed=self._slots is None)

    def _analyse_rows(self, matrix: csc_matrix, pattern: Sparsity) -> None:
        """Rows instead of columns, and where each stored entry goes: what preconditioners want."""
        PETSc = self._petsc
        n, nnz = matrix.shape[0], matrix.nnz
        rows, columns, entries = matrix.indices, pattern.columns(), np.arange(1.0, nnz + 1)
        missing = np.setdiff1d(np.arange(n), rows[rows == columns])  # incomplete factors need a stored diagonal
        rows, columns = np.append(rows, missing), np.append(columns, missing)
        entries = np.append(entries, np.zeros(missing.size))
        by_rows = coo_matrix((entries, (rows, columns)), shape=(n, n)).tocsr()
        by_rows.sort_indices()
        origin = by_rows.data.astype(np.intp) - 1  # (nnz',) entry of the given matrix, -1: none
        slots = np.empty(nnz, dtype=np.intp)
        self._slots = slots
        slots[origin[origin >= 0]] = np.flatnonzero(origin >= 0)
        self._values = np.zeros(by_rows.nnz)
        indices = (by_rows.indptr.astype(PETSc.IntType), by_rows.indices.astype(PETSc.IntType))
        self._mat = PETSc.Mat().createAIJWithArrays((n, n), (*indices, self._values), comm=self._comm)

    def _tune(self) -> None:
        """Options for saddle points, unless PETSC_OPTIONS has them."""
        options = self._petsc.Options()
        for name, value in OPTIONS.get(self._method.package or self._method.pc, {}).items():
            if not options.hasName(name):
                options.setValue(name, value)

    def _new_ksp(self) -> Any:
        PETSc = self._petsc
        ksp = PETSc.KSP().create(self._comm)
        ksp.setOptionsPrefix("fmbs_")
        ksp.setOperators(self._mat)
        ksp.setType(self._method.ksp)
        pc = ksp.getPC()
        pc.setType("cholesky" if self._symmetric else self._method.pc)
        self._tune()
        if self._method.package:
            pc.setFactorSolverType(self._method.package)
        if self._method.ksp != "preonly":
            ksp.setTolerances(rtol=self._tolerance, max_it=MAX_ITERATIONS)
            ksp.setGMRESRestart(RESTART)
            if self._method.ksp in RIGHT:
                ksp.setPCSide(PETSc.PC.Side.RIGHT)
            if self._method.pc in ("ilu", "icc", "lu", "cholesky"):
                # Constraints have zeros on the diagonal: eliminated last, as given, these fill in. Else a shift helps.
                pc.setFactorOrdering("natural")
                pc.setFactorShift(PETSc.Mat.FactorShiftType.NONZERO)
                pc.setFactorLevels(1)  # level 0 needs 5 to 15 times the iterations on rigid bodies
        ksp.setFromOptions()
        return ksp


class PetscFactor:
    """A KSP that is set up."""

    def __init__(self, ksp: Any, mat: Any, name: str, *, transposed: bool) -> None:
        PETSc = load()
        n = mat.getLocalSize()[0]
        self._ksp, self._mat, self._name, self._error = ksp, mat, name, PETSc.Error
        self._iterative = ksp.getType() != "preonly"  # PETSC_OPTIONS may have changed it
        self._solve = ksp.solveTranspose if transposed else ksp.solve
        self._b, self._x = np.zeros(n), np.zeros(n)
        self._vec_b = PETSc.Vec().createWithArray(self._b, comm=mat.getComm())
        self._vec_x = PETSc.Vec().createWithArray(self._x, comm=mat.getComm())

    def solve(self, b: Array) -> Array:
        if b.ndim == 2:
            return np.column_stack([self.solve(column) for column in b.T])
        self._run(b)
        return finite_solution(self._x.copy())

    @property
    def negative(self) -> int | None:
        """Negative eigenvalues of a matrix that MUMPS has factorised as L D L^T; None of others."""
        pc = self._ksp.getPC()
        return int(pc.getFactorMatrix().getMumpsInfog(12)) if pc.getType() == "cholesky" else None

    def _run(self, b: Array) -> None:
        """The solution goes into _x."""
        self._b[:] = b
        self._vec_b.stateIncrease()  # or PETSc would trust a norm it remembers
        try:
            self._solve(self._vec_b, self._vec_x)
        except self._error as error:
            raise LinearSolveError(f"{self._name} failed: {_last_line(error)}") from None
        if self._iterative:
            self._check()

    def _check(self) -> None:
        reasons = vars(load().KSP.ConvergedReason).items()
        code = self._ksp.getConvergedReason()
        reason = next((key for key, value in reasons if value == code and key.startswith("DIVERGED")), "")
        residual = self._vec_b.duplicate()
        self._mat.mult(self._vec_x, residual)
        residual.aypx(-1.0, self._vec_b)
        error, scale = residual.norm(), self._vec_b.norm()
        if reason or not error <= RESIDUAL * scale:
            raise LinearSolveError(
                f"{self._name} found no solution: {REASONS.get(reason, reason) or 'its answer is wrong'} ("
                f"{self._ksp.getIterationNumber()} iterations, |A x - b| = {error:.1e}, |b| = {scale:.1e}). "
                "Use another preconditioner, or a direct solver such as 'petsc:klu' or 'scipy'."
            )


def _last_line(error: BaseException) -> str:
    return str(error).strip().splitlines()[-1].removeprefix("[0] ")
