"""RunFile: a run on the disk while it goes, and the notes from which it can be continued.

Beside the frames in `run.h5.partial` lies `run.h5.checkpoint`: the state, the stepper's snapshot and the sums of the recorder.
It is replaced in one go, every few seconds at steps where a run may be broken off, and removed when the run ends. A run that
finds both continues from there. Both carry the run's identity, and nothing with another one is ever read; `run.h5.lock` keeps
other runs away.
"""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.errors import DiskFull, FileError
from fmbs.core.files import check_target
from fmbs.core.lock import Lock
from fmbs.core.state import State
from fmbs.results.checkpoint import Checkpoint, flatten, state_arrays, unflatten
from fmbs.results.solution import Solution
from fmbs.results.store.description import describe
from fmbs.results.store.fingerprint import fingerprint, fingerprint_of_settings
from fmbs.results.store.identity import Identity, beside, partial_path
from fmbs.results.store.save import summary
from fmbs.results.store.writer import Keep, RunWriter

Array = NDArray[np.float64]

EVERY = 2.0  # s between checkpoints, at least
SHARE = 200.0  # they may take one part in so many of the time


class Snapshots(Protocol):
    """A stepper that can be continued."""

    def snapshot(self) -> dict[str, Any]: ...
    def restore(self, kept: dict[str, Any]) -> None: ...


class RunFile:
    """Frames and checkpoints of one run.

    path: of the HDF5 file
    settings: of the run; they must be the same when it is continued
    resumed: the checkpoint that the run continues from, if there is one

    Under mpirun the first rank alone reads and writes; the others are told what it has read.
    """

    def __init__(
        self, path: str | Path, system: System, name: str, t_end: float, settings: dict[str, Any], stepper: Snapshots
    ) -> None:
        self.path, self._stepper = Path(path), stepper
        self.notes = beside(self.path, "checkpoint")
        self.writer: RunWriter | None = None
        self._last, self._cost = -np.inf, 0.0
        described = describe(system, name, t_end)
        self._settings = {"model": fingerprint(described), **settings}
        first = system.ranks.first
        if first:
            check_target(self.path)
            check_target(self.notes)
        self._lock = Lock(self.path).acquire() if first else None
        try:
            self.resumed = system.ranks.from_first(Checkpoint.read(self.notes) if first and self.notes.exists() else None)
            if self.resumed is not None:
                self._check(self.resumed, system)
            new = Identity(fingerprint_of_settings(self._settings))
            self.identity = system.ranks.from_first(new if self.resumed is None else self.resumed.identity)
            if first:
                self.writer = self._writer(system, described)
            if self.resumed is not None:
                stepper.restore(unflatten(self.resumed, "stepper"))
        except BaseException:
            self.release()
            raise

    @property
    def state(self) -> State | None:
        """Where the run continues."""
        return None if self.resumed is None else self.resumed.state

    def due(self) -> bool:
        """Is it time for a checkpoint?"""
        return self.writer is not None and time.monotonic() - self._last > max(EVERY, SHARE * self._cost)

    def checkpoint(self, state: State, totals: Array, values: dict[str, Any]) -> None:
        begin = time.monotonic()
        plain, more = flatten("stepper", self._stepper.snapshot())
        everything = {"settings": self._settings, **values, **plain}
        Checkpoint(self.identity, everything, {"totals": totals, **state_arrays(state), **more}).write(self.notes)
        self._last = time.monotonic()
        self._cost = self._last - begin

    def finish(self, solution: Solution) -> None:
        """The run is over: the file gets its name, and there is nothing to continue."""
        if self.writer is not None:
            self.writer.close(summary(solution))
            self.notes.unlink(missing_ok=True)

    def release(self) -> None:
        """Others may write from now on."""
        if self.writer is not None:
            self.writer.abandon()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.release()
        if isinstance(error, DiskFull) and self.notes.exists():
            raise DiskFull(
                f"{error} What was computed is in {partial_path(self.path)}, which fm.load reads; with room made the same call "
                "goes on from the last checkpoint."
            ) from None

    def _writer(self, system: System, described: Any) -> RunWriter:
        keep = None if self.resumed is None else Keep(self.resumed.values["frames"], self.resumed.values["steps"])
        try:
            return RunWriter(self.path, system, described=described, identity=self.identity, keep=keep)
        except DiskFull:
            raise
        except (OSError, KeyError, ValueError, RuntimeError) as error:
            if keep is None:
                raise
            raise FileError(
                f"{self.notes}: the run cannot be continued, {str(error).splitlines()[0]}; delete it to start anew, or look at "
                f"what is there: fm.load({str(partial_path(self.path))!r}, salvage=True)."
            ) from None

    def _check(self, checkpoint: Checkpoint, system: System) -> None:
        stored = checkpoint.values["settings"]
        different = [key for key, value in self._settings.items() if stored.get(key) != value]
        if "t_end" in different and "model" in different:
            different.remove("model")  # functions of time are sampled up to t_end
        if different:
            raise FileError(
                f"{self.notes}: belongs to a run with another {' and '.join(different)}; delete it to start anew, or give this "
                "run another file."
            )
        if checkpoint.identity.fingerprint != fingerprint_of_settings(self._settings) or not checkpoint.fits(system):
            raise FileError(f"{self.notes}: does not fit its own settings and model; delete it to start anew.")
