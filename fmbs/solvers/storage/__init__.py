"""Newton matrices of the time loop: what is kept, where entries go, and two kernels to factorise and solve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.jit.python_calls import PythonCalls
from fmbs.solvers.linear.automatic import AutomaticSolver
from fmbs.solvers.linear.base import LinearSolver, Sparsity
from fmbs.solvers.storage import klu
from fmbs.solvers.storage.band import BandStorage, narrow_band, nodes_of, order_of
from fmbs.solvers.storage.base import Leading, Matrix, Storage
from fmbs.solvers.storage.condensed import CondensedStorage
from fmbs.solvers.storage.dense import DenseStorage, is_dense
from fmbs.solvers.storage.full import FullStorage
from fmbs.solvers.storage.groups import condensable, groups_of
from fmbs.solvers.storage.klu import KluStorage
from fmbs.solvers.storage.python import PythonStorage

__all__ = ["SMALL", "Matrix", "PythonStorage", "Storage", "storage_of"]

Integers = NDArray[np.int64]

SMALL = 60  # equations up to which the loop inverts matrices itself
LARGEST = 300_000  # unknowns that remain from which on PETSc is left to choose


def storage_of(system: System, linear: LinearSolver, calls: PythonCalls) -> Storage:
    """For what `linear` would do otherwise; `linear` itself, through Python, where its method is better, or the user's wish."""
    return _compiled(system, linear) or PythonStorage(system.matrix(system.workspace), linear, calls, system.ranks)


def _compiled(system: System, linear: LinearSolver) -> Storage | None:
    size = system.size + system.multipliers
    if not system.elements and size <= SMALL and linear.name == "dense":
        return FullStorage(size)
    automatic = isinstance(linear, AutomaticSolver)
    if not automatic and linear.name not in ("dense", "banded"):
        return None
    if size - condensable(system) > LARGEST:
        return None
    pattern, together = Sparsity(system.matrix(system.workspace)), nodes_of(system)
    groups = groups_of(system, pattern)
    if groups is not None and groups.rest.size:  # bodies that nothing joins are apart as they are
        rest, among = groups.remaining, np.unique(together[groups.rest], return_inverse=True)[1]
        make = _suitable(rest, [order_of(rest, among), groups.along(among)], automatic)
        if make is not None:
            return CondensedStorage(groups, make)
    whole = _suitable(pattern, [order_of(pattern, together)], automatic)
    return None if whole is None else whole(0)


def _suitable(pattern: Sparsity, orders: Sequence[Integers], sparse: bool) -> Callable[[int], Leading] | None:
    """What makes a storage for a pattern, with room for other values before its own. sparse: may it be KLU?"""
    size = pattern.shape[0]
    if size <= SMALL:
        return partial(FullStorage, size)
    if is_dense(pattern):
        return partial(DenseStorage, size)
    band = narrow_band(pattern, orders)
    if band is not None:
        return partial(BandStorage, band, size)
    return partial(KluStorage, pattern) if sparse and klu.library() is not None else None
