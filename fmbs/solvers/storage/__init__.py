"""Newton matrices of the time loop: what is kept, where entries go, and two kernels to factorise and solve."""

from __future__ import annotations

from fmbs.assembly.system import System
from fmbs.jit.python_calls import PythonCalls
from fmbs.solvers.linear.automatic import AutomaticSolver
from fmbs.solvers.linear.base import LinearSolver, Sparsity
from fmbs.solvers.storage import klu
from fmbs.solvers.storage.band import BandStorage, narrow_band
from fmbs.solvers.storage.base import Matrix, Storage
from fmbs.solvers.storage.full import FullStorage
from fmbs.solvers.storage.klu import KluStorage
from fmbs.solvers.storage.python import PythonStorage

__all__ = ["SMALL", "Matrix", "PythonStorage", "Storage", "storage_of"]

SMALL = 60  # equations up to which the loop inverts matrices itself
LARGEST = 300_000  # unknowns from which on PETSc is left to choose


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
    if size > LARGEST:
        return None
    pattern = Sparsity(system.matrix(system.workspace))
    band = narrow_band(system, pattern)
    if band is not None:
        return BandStorage(band, size)
    return KluStorage(pattern) if automatic and klu.library() is not None else None
