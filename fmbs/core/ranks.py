"""Ranks: the processes of an MPI run, which share the elements and the matrix of one model."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import ModelError

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Thing = TypeVar("Thing")

PATIENCE = 10.0  # s that a failed rank waits for the others to fail in the same way


@dataclass(frozen=True)
class Ranks:
    """One process among `count`. What all ranks know alike is never sent; `gather`, `sum` and `every` are called by all."""

    rank: int = 0
    count: int = 1
    comm: Any = None  # of mpi4py; None: there is one process only
    failures: Any = None  # a second one: a failed rank cannot know what the others are waiting for on the first

    @property
    def first(self) -> bool:
        """Is this the rank that writes files and talks?"""
        return self.rank == 0

    def bounds(self, size: int) -> Integers:  # (count + 1,)
        """Rank r owns the unknowns bounds[r] : bounds[r + 1] of `size`."""
        return np.arange(self.count + 1) * size // self.count

    def gather(self, x: Array, bounds: Integers) -> None:
        """Every rank's own part of x to all, in place."""
        if self.comm is not None:
            mpi = _mpi()
            self.comm.Allgatherv(mpi.IN_PLACE, [x, np.diff(bounds), bounds[:-1], mpi.DOUBLE])

    def sum(self, value: float) -> float:
        """Over all ranks, the same on each."""
        return value if self.comm is None else float(np.sum(self.comm.allgather(value)))

    def every(self, fine: bool) -> bool:
        """Is it so on all ranks?"""
        return fine if self.comm is None else all(self.comm.allgather(fine))

    def from_first(self, thing: Thing) -> Thing:
        """What the first rank has."""
        if self.comm is None:
            return thing
        received: Thing = self.comm.bcast(thing)
        return received

    def fail_together(self) -> bool:
        """This rank has failed: have all the others, by now or soon?"""
        if self.failures is None:
            return True
        request, begin = self.failures.Ibarrier(), time.monotonic()
        while not request.Test():
            if time.monotonic() - begin > PATIENCE:
                return False
            time.sleep(0.02)
        return True


ALONE = Ranks()


@contextmanager
def together() -> Iterator[None]:
    """What fails on all ranks raises on all; what fails on some of them ends the run with one message."""
    try:
        yield
    except BaseException as error:
        ranks = world()
        if not ranks.fail_together():
            print(f"fmbs: rank {ranks.rank} of {ranks.count} failed: {error}", file=sys.__stderr__, flush=True)
            ranks.comm.Abort(1)
        raise


@cache
def world() -> Ranks:
    """All processes that mpirun has started."""
    if launched() < 2:
        return ALONE
    comm = _mpi().COMM_WORLD
    return Ranks(comm.Get_rank(), comm.Get_size(), comm, comm.Dup()) if comm.Get_size() > 1 else ALONE


def launched() -> int:
    """Number of processes that were started, without loading MPI: from what Open MPI, MPICH and Slurm tell them."""
    for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", *(("SLURM_NTASKS",) if "PMIX_RANK" in os.environ else ())):
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    return 1


def _mpi() -> Any:
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise ModelError(
            f"mpirun has started {launched()} processes, but mpi4py cannot be loaded ({error}). Install it (pip install "
            "mpi4py) for the MPI that PETSc uses, or leave mpirun out."
        ) from None
    return MPI
