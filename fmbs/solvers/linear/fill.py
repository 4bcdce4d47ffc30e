"""What a factorisation will cost, before it is done: unknowns that are alike taken together, and a symbolic analysis."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.solvers.linear.base import Sparsity
from fmbs.solvers.linear.klu_library import BTF, COMMON, ORDERING, library

Integers = NDArray[np.int64]

AMD = 0


class Compressed(NamedTuple):
    """Unknowns whose columns have the same entries, as the coordinates of a node have, are one.

    owner: of each unknown  # (n,); first: an unknown of each  # (m,); size: how many they are  # (m,)
    graph: which of them couple  # (m, m)
    """

    owner: Integers
    first: Integers
    size: Integers
    graph: csc_matrix


class Fill(NamedTuple):
    """Entries of L and U, and operations that a factorisation takes, in an order of minimum degree."""

    entries: float
    operations: float


def compressed(pattern: Sparsity) -> Compressed:
    """Columns are told apart by a sum of random numbers over their rows."""
    n = pattern.shape[0]
    keys = np.random.default_rng(0).integers(0, 2**63, n, dtype=np.uint64)
    sums = np.zeros(n, np.uint64)
    filled = np.diff(pattern.indptr) > 0
    sums[filled] = np.add.reduceat(keys[pattern.indices], pattern.indptr[:-1][filled])  # modulo 2^64
    _, first, owner, size = np.unique(sums, return_index=True, return_inverse=True, return_counts=True)
    whole = csc_matrix((np.ones(pattern.indices.size, np.int32), pattern.indices, pattern.indptr), shape=pattern.shape)
    few = whole[:, first].tocoo()
    graph = csc_matrix((np.ones(few.nnz, np.int32), (owner[few.row], few.col)), shape=(first.size, first.size))
    graph.sum_duplicates()
    return Compressed(owner, first, size, graph)


def fill_of(found: Compressed) -> Fill | None:
    """By KLU's analysis; None without it."""
    klu = library()
    if klu is None:
        return None
    common, size = np.zeros(COMMON), found.first.size
    indptr, indices = found.graph.indptr.astype(np.int32), found.graph.indices.astype(np.int32)
    place = ctypes.c_void_p(common.ctypes.data)
    klu.klu_defaults(place)
    numbers = common.view(np.int32)
    numbers[BTF], numbers[ORDERING] = 0, AMD
    klu.klu_analyze.restype = ctypes.c_void_p
    symbolic = klu.klu_analyze(size, ctypes.c_void_p(indptr.ctypes.data), ctypes.c_void_p(indices.ctypes.data), place)
    if not symbolic:
        return None
    _, operations, lower, upper = ctypes.cast(symbolic, ctypes.POINTER(ctypes.c_double))[:4]
    klu.klu_free_symbolic(ctypes.byref(ctypes.c_void_p(symbolic)), place)
    width = float((found.size**2).sum() / found.size.sum())  # of a typical unknown's group
    share = float(found.size.sum()) / width / size
    return Fill(share * width**2 * (lower + upper), share * width**3 * operations)
