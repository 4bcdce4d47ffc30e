"""Matrices that a linear solver in Python factorises: PETSc, SciPy, Krylov methods; and those that Python differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.assembly.pattern import find_slots
from fmbs.core.ranks import ALONE, Ranks
from fmbs.jit.assign_kernels import assign
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.python_calls import PYTHON, PythonCalls
from fmbs.jit.tables import address, table
from fmbs.solvers.linear.base import Factor, LinearSolveError, LinearSolver, Sparsity
from fmbs.solvers.storage.base import FACTORIZE, SOLVE, Matrix, aligned_zeros

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]

FACTOR, SOLUTION = 0, 1  # what is asked for


@table
class PythonMatrix:
    """Where Python is, and the right-hand side that it turns into the solution."""

    address: int
    x: Array


@kernel(plain=True)
def factorize(matrix: PythonMatrix) -> None:
    call(PYTHON, matrix.address, FACTOR)


@kernel(plain=True)
def solve(matrix: PythonMatrix, x: Array) -> None:
    assign(matrix.x, x)
    call(PYTHON, matrix.address, SOLUTION)
    assign(x, matrix.x)


class PythonStorage:
    """A matrix in compressed columns, whose values are to be assembled.

    differenced: makes the matrix from differences instead; None: it is the one that was assembled
    values: an array that ends with those of the matrix, if it has others before
    """

    @classmethod
    def after(cls, pattern: Sparsity, linear: LinearSolver, calls: PythonCalls, lead: int) -> PythonStorage:
        """For a pattern, with room for other values before its own."""
        values = aligned_zeros(lead + pattern.indices.size)
        matrix = csc_matrix(pattern.shape)
        matrix.data, matrix.indices, matrix.indptr = values[lead:], pattern.indices, pattern.indptr
        matrix.has_sorted_indices = matrix.has_canonical_format = True
        return cls(matrix, linear, calls, values=values)

    def __init__(
        self, matrix: csc_matrix, linear: LinearSolver, calls: PythonCalls, ranks: Ranks = ALONE,
        differenced: Callable[[], csc_matrix] | None = None, values: Array | None = None,
    ) -> None:  # fmt: skip
        self.values = matrix.data if values is None else values
        self._whole, self._linear, self._ranks, self._differenced = matrix, linear, ranks, differenced
        self._factor: Factor | None = None
        data, regular = matrix.data, np.zeros(1, np.int64)
        self._factored = data  # values of the matrix of the factor: another one where it was differenced
        self._x = np.zeros(matrix.shape[0])
        own = PythonMatrix(calls.of_number(f"linear solver {linear.name}", self._answer), self._x)
        self._own = own
        kernels = FACTORIZE.address(factorize, own), SOLVE.address(solve, own)
        self.matrix = Matrix(data, address(own), *kernels, regular)

    def places(self, row: Integers, column: Integers) -> Short:
        """Of entries in the values of the matrix."""
        slots, whole = np.empty(row.size, np.int32), self._whole
        find_slots(whole.indptr, whole.indices, row.astype(np.int64), column.astype(np.int64), slots)
        return slots

    def snapshot(self) -> dict[str, Any]:
        """Of several ranks none has the whole matrix: a continued run makes a new one."""
        return {"matrix": self._factored} if self._ranks.count == 1 else {}

    def restore(self, kept: dict[str, Any]) -> None:
        self.matrix.data[:] = kept["matrix"]
        self._factorize(self._whole)

    def _answer(self, what: int) -> None:
        if what == FACTOR:
            self._factorize(self._whole if self._differenced is None else self._differenced())
            return
        assert self._factor is not None
        try:
            self._x[:] = self._factor.solve(self._x)
        except LinearSolveError:
            self._x[:] = np.nan

    def _factorize(self, matrix: csc_matrix) -> None:
        self._factored = matrix.data
        try:
            self._factor, self.matrix.regular[0] = self._linear.factorize(matrix), 1
        except LinearSolveError:
            self.matrix.regular[0] = 0
