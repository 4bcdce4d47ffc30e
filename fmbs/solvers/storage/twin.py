"""Complex matrices as real ones of twice their size, [Re, -Im; Im, Re], in the storages of real ones.

Solving takes as long as with complex numbers, factorising twice as long.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import bmat, csc_matrix

from fmbs.jit.python_calls import PythonCalls
from fmbs.solvers.linear import linear_solver
from fmbs.solvers.linear.automatic import SPARSE, AutomaticSolver, fills_in
from fmbs.solvers.linear.banded import Band
from fmbs.solvers.linear.base import LinearSolver, Sparsity
from fmbs.solvers.linear.fill import compressed
from fmbs.solvers.linear.klu_library import library
from fmbs.solvers.storage import SMALL
from fmbs.solvers.storage.band import BandStorage
from fmbs.solvers.storage.base import Storage
from fmbs.solvers.storage.full import FullStorage
from fmbs.solvers.storage.klu import KluStorage
from fmbs.solvers.storage.python import PythonStorage

LONGEST_BAND = 1e7  # values


def twin_of(pattern: Sparsity, linear: LinearSolver, calls: PythonCalls) -> Storage:
    """For a complex matrix with this pattern. linear: what the real one has"""
    ones = csc_matrix((np.ones(pattern.indices.size), pattern.indices, pattern.indptr), pattern.shape)
    whole = csc_matrix(bmat([[ones, ones], [ones, ones]]))
    twin, size = Sparsity(whole), whole.shape[0]
    if not isinstance(linear, AutomaticSolver) and linear.name not in ("dense", "banded"):
        return PythonStorage(whole, linear_solver(linear.name, size), calls)
    if size <= 2 * SMALL:
        return FullStorage(size)
    band = Band(twin)
    if size * band.height <= LONGEST_BAND or library() is None:
        return BandStorage(band, size)
    if size >= SPARSE and fills_in(compressed(twin)):
        return PythonStorage(whole, linear_solver("auto", size), calls)
    return KluStorage(twin)
