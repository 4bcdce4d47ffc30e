"""Newton matrices of the time loop: what is kept, where entries go, and two kernels to factorise and solve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.jit.python_calls import PythonCalls
from fmbs.solvers.linear.automatic import SPARSE, AutomaticSolver, fills_in
from fmbs.solvers.linear.base import LinearSolver, Sparsity
from fmbs.solvers.linear.fill import compressed
from fmbs.solvers.linear.klu_library import library
from fmbs.solvers.linear.mumps import MumpsSolver
from fmbs.solvers.storage.band import BandStorage, narrow_band, nodes_of, order_of
from fmbs.solvers.storage.base import Leading, Matrix, Storage
from fmbs.solvers.storage.condensed import CondensedStorage
from fmbs.solvers.storage.dense import DenseStorage, is_dense
from fmbs.solvers.storage.full import FullStorage
from fmbs.solvers.storage.groups import Groups, condensable, groups_of
from fmbs.solvers.storage.klu import KluStorage
from fmbs.solvers.storage.python import PythonStorage

__all__ = ["SMALL", "Matrix", "PythonStorage", "Storage", "static_storage", "storage_of", "suitable"]

Integers = NDArray[np.int64]

SMALL = 60  # equations up to which the loop inverts matrices itself
LARGEST = 300_000  # unknowns that remain from which on PETSc is left to choose


def storage_of(system: System, linear: LinearSolver, calls: PythonCalls) -> Storage:
    """For what `linear` would do otherwise; `linear` itself, through Python, where its method is better, or the user's wish."""
    return _compiled(system, linear, calls) or PythonStorage(system.matrix(system.workspace), linear, calls, system.ranks)


def _compiled(system: System, linear: LinearSolver, calls: PythonCalls) -> Storage | None:
    size = system.size + system.multipliers
    if not system.elements and size <= SMALL and linear.name == "dense":
        return FullStorage(size)
    automatic = isinstance(linear, AutomaticSolver)
    if not automatic and linear.name not in ("dense", "banded"):
        return None
    if size - condensable(system) > LARGEST:
        return None
    pattern, together = Sparsity(system.matrix(system.workspace)), nodes_of(system)
    condensed = _condensed(groups_of(system, pattern), together, automatic, calls)
    if condensed is not None:
        return condensed
    whole = suitable(pattern, [order_of(pattern, together)], automatic, calls)
    return None if whole is None else whole(0)


def static_storage(system: System, pattern: Sparsity) -> CondensedStorage | None:
    """Of static equations without nodes inside elements, where there are any."""
    if system.ranks.count > 1 or system.size > LARGEST:
        return None
    return _condensed(groups_of(system, pattern, moving=False), nodes_of(system), True)


def _condensed(
    groups: Groups | None, together: Integers, sparse: bool, calls: PythonCalls | None = None
) -> CondensedStorage | None:  # fmt: skip
    if groups is None or not groups.rest.size:  # bodies that nothing joins are apart as they are
        return None
    rest, among = groups.remaining, np.unique(together[groups.rest], return_inverse=True)[1]
    make = suitable(rest, [order_of(rest, among), groups.along(among)], sparse, calls)
    return None if make is None else CondensedStorage(groups, make)


def suitable(
    pattern: Sparsity, orders: Sequence[Integers], sparse: bool, calls: PythonCalls | None = None
) -> Callable[[int], Leading] | None:  # fmt: skip
    """What makes a storage for a pattern, with room for other values before its own.

    sparse: may it be KLU, or MUMPS by `calls` into Python? None where MUMPS should have it, but cannot be called
    """
    size = pattern.shape[0]
    if size <= SMALL:
        return partial(FullStorage, size)
    band = narrow_band(pattern, orders)
    if is_dense(pattern) and (band is None or size**2 < 3 * band.lower * (band.lower + band.upper)):  # fewer operations
        return partial(DenseStorage, size)
    if band is not None:
        return partial(BandStorage, band, size)
    if not sparse:
        return None
    if size >= SPARSE and fills_in(compressed(pattern)):
        return None if calls is None else partial(PythonStorage.after, pattern, MumpsSolver(), calls)
    return partial(KluStorage, pattern) if library() is not None else None
