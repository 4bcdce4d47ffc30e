"""KLU of SuiteSparse (Davis & Palamadai Natarajan 2010) on the sparse matrices of trees and loops of many bodies.

It looks for pivots once; later matrices are eliminated in the same order, in a third of the time, until the factors grow too
much. Through PETSc KLU factorises anew every time.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.pattern import find_slots
from fmbs.jit.assign_kernels import assign
from fmbs.jit.calls import answer, call
from fmbs.jit.compiled import kernel
from fmbs.jit.tables import address, table
from fmbs.solvers.linear.base import Sparsity
from fmbs.solvers.linear.klu_library import BTF, COLAMD, COMMON, GROWTH, ORDERING, STATUS, TOLERANCE, library
from fmbs.solvers.storage.base import FACTORIZE, SOLVE, Matrix, aligned_zeros

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]

LEAST_GROWTH = 1e-8  # of the largest entry of a column beside that of its factor: below it pivots are looked for anew


@table
class KluMatrix:
    """Values by compressed columns, and addresses of KLU's functions and of what they are given."""

    data: Array
    pivot_data: Array  # those that the pivots were found for
    numeric: Integers  # (1,) address of the factors; 0: none yet
    common: Array  # (COMMON,)
    numbers: Short  # the same memory
    x: Array  # right-hand side
    arguments: Integers  # (7,) addresses of indptr, indices, data, symbolic analysis, numeric, common, x
    factor: int
    refactor: int
    growth: int
    free: int
    solve: int
    regular: Integers


class KluStorage:
    """The matrix in a pattern, by compressed columns.

    lead: values that go before its own in the same array
    """

    def __init__(self, pattern: Sparsity, lead: int = 0) -> None:
        klu = library()
        self._pattern, size, entries = pattern, pattern.shape[0], pattern.indices.size
        self.values = aligned_zeros(lead + entries)
        data, numeric, common, x = self.values[lead:], np.zeros(1, np.int64), np.zeros(COMMON), np.zeros(size)
        places = [known.ctypes.data for known in (pattern.indptr, pattern.indices, data, numeric, common, x)]
        klu.klu_defaults(ctypes.c_void_p(places[4]))
        numbers = common.view(np.int32)
        common[TOLERANCE], numbers[BTF], numbers[ORDERING] = 0.1, 0, COLAMD  # see `petsc.OPTIONS`
        klu.klu_analyze.restype = ctypes.c_void_p
        symbolic = klu.klu_analyze(size, *(ctypes.c_void_p(places[k]) for k in (0, 1, 4)))
        arguments = np.array([*places[:3], symbolic, *places[3:]], np.int64)
        names = ("klu_factor", "klu_refactor", "klu_rgrowth", "klu_free_numeric", "klu_solve")
        factor, refactor, growth, free, solution = (
            ctypes.cast(getattr(klu, name), ctypes.c_void_p).value or 0 for name in names
        )
        self._table = KluMatrix(
            data, np.zeros(entries), numeric, common, numbers, x, arguments, factor, refactor, growth, free, solution,
            np.zeros(1, np.int64),
        )  # fmt: skip
        calls = FACTORIZE.address(factorize, self._table), SOLVE.address(solve, self._table)
        self.matrix = Matrix(data, address(self._table), *calls, self._table.regular)
        weakref.finalize(self, _free, klu, numeric, np.array([symbolic]), common)

    def places(self, row: Integers, column: Integers) -> Short:
        """Of entries in the values of the matrix."""
        slots = np.empty(row.size, np.int32)
        find_slots(self._pattern.indptr, self._pattern.indices, row.astype(np.int64), column.astype(np.int64), slots)
        return slots

    def snapshot(self) -> dict[str, Any]:
        return {"matrix": self.matrix.data, "pivot_matrix": self._table.pivot_data}

    def restore(self, kept: dict[str, Any]) -> None:
        names = ("pivot_matrix", "matrix") if (kept["matrix"] != kept["pivot_matrix"]).any() else ("matrix",)
        for name in names:
            self.matrix.data[:] = kept[name]
            factorize(self._table)


def _free(klu: Any, numeric: Integers, symbolic: Integers, common: Array) -> None:
    for function, what in ((klu.klu_free_numeric, numeric), (klu.klu_free_symbolic, symbolic)):
        function(ctypes.c_void_p(what.ctypes.data), ctypes.c_void_p(common.ctypes.data))


@kernel(plain=True)
def factorize(klu: KluMatrix) -> None:
    """L U = P R A Q with the pivots of before, or else with new ones."""
    p = klu.arguments
    klu.regular[0] = 0
    if klu.numeric[0] != 0:
        call(klu.refactor, p[0], p[1], p[2], p[3], klu.numeric[0], p[5])
        if klu.numbers[STATUS] == 0:
            call(klu.growth, p[0], p[1], p[2], p[3], klu.numeric[0], p[5])
            klu.regular[0] = 1 if klu.common[GROWTH] > LEAST_GROWTH else 0
    if klu.regular[0] == 0:
        find_pivots(klu)


@kernel(plain=True, part=True)
def find_pivots(klu: KluMatrix) -> None:
    p = klu.arguments
    if klu.numeric[0] != 0:
        call(klu.free, p[4], p[5])
    assign(klu.pivot_data, klu.data)
    klu.numeric[0] = answer(klu.factor, p[0], p[1], p[2], p[3], p[5])
    klu.regular[0] = 1 if klu.numeric[0] != 0 and klu.numbers[STATUS] == 0 else 0


@kernel(plain=True)
def solve(klu: KluMatrix, x: Array) -> None:
    """x = A^-1 x."""
    p = klu.arguments
    assign(klu.x, x)
    call(klu.solve, p[3], klu.numeric[0], x.size, 1, p[6], p[5])
    assign(x, klu.x)
