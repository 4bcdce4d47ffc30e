"""RunFile: a run on the disk while it goes, and the notes from which it can be continued.

Beside the frames in `run.h5.partial` lies `run.h5.checkpoint`: the state, the stepper's snapshot and the sums of the recorder.
It is replaced in one go, every few seconds at steps where a run may be broken off, and removed when the run ends. A run that
finds both continues from there: to the last bit with a fixed step.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.errors import ModelError
from fmbs.core.state import State
from fmbs.results.solution import Solution
from fmbs.results.store.description import describe
from fmbs.results.store.save import summary
from fmbs.results.store.writer import Keep, RunWriter, put_json, writing

Array = NDArray[np.float64]

EVERY = 2.0  # s between checkpoints, at least
SHARE = 200.0  # they may take one part in so many of the time


class Snapshots(Protocol):
    """A stepper that can be continued."""

    def snapshot(self) -> dict[str, Any]: ...
    def restore(self, kept: dict[str, Any]) -> None: ...


@dataclass(frozen=True)
class Checkpoint:
    """What a run needs to go on: numbers and text in `values`, arrays by name."""

    values: dict[str, Any]
    arrays: dict[str, Array]

    def write(self, path: Path) -> None:
        import h5py  # here and below: slow to import, and most runs write no file

        fresh = path.with_name(path.name + ".new")
        with writing(path):
            with h5py.File(fresh, "w") as file:
                put_json(file, "values", self.values)
                for name, array in self.arrays.items():
                    file[f"arrays/{name}"] = array
            os.replace(fresh, path)

    @classmethod
    def read(cls, path: Path) -> Checkpoint:
        import h5py

        try:
            with h5py.File(path, "r") as file:
                return cls(json.loads(file["values"][()]), _arrays(file["arrays"]))
        except (OSError, RuntimeError, ValueError, KeyError) as error:
            raise ModelError(f"{path}: is no checkpoint of fmbs, or damaged ({error}); delete it to start anew.") from None


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
        self.notes = self.path.with_name(self.path.name + ".checkpoint")
        self._settings = {"model": _fingerprint(system, name), **settings}
        first = system.ranks.first
        self.resumed = system.ranks.from_first(Checkpoint.read(self.notes) if first and self.notes.exists() else None)
        if self.resumed is not None:
            self._check(self.resumed)
        self.writer = RunWriter(self.path, system, name=name, t_end=t_end, keep=self._keep()) if first else None
        if self.resumed is not None:
            stepper.restore(_unflatten(self.resumed, "stepper"))
        self._last, self._cost = -np.inf, 0.0

    @property
    def state(self) -> State | None:
        """Where the run continues."""
        if self.resumed is None:
            return None
        kept = {field.name: self.resumed.arrays[f"state/{field.name}"] for field in fields(State)}
        t, h, taken = (float(kept.pop(name)) for name in ("t", "h", "taken"))
        return State(t=t, h=h, taken=taken, **kept)

    def due(self) -> bool:
        """Is it time for a checkpoint?"""
        return self.writer is not None and time.monotonic() - self._last > max(EVERY, SHARE * self._cost)

    def checkpoint(self, state: State, totals: Array, values: dict[str, Any]) -> None:
        begin = time.monotonic()
        arrays = {f"state/{field.name}": np.asarray(getattr(state, field.name)) for field in fields(State)}
        plain, more = _flatten("stepper", self._stepper.snapshot())
        everything = {"settings": self._settings, **values, **plain}
        Checkpoint(everything, {"totals": totals, **arrays, **more}).write(self.notes)
        self._last = time.monotonic()
        self._cost = self._last - begin

    def finish(self, solution: Solution) -> None:
        """The run is over: the file gets its name, and there is nothing to continue."""
        if self.writer is not None:
            self.writer.close(summary(solution))
            self.notes.unlink(missing_ok=True)

    def _keep(self) -> Keep | None:
        return None if self.resumed is None else Keep(self.resumed.values["frames"], self.resumed.values["steps"])

    def _check(self, checkpoint: Checkpoint) -> None:
        stored = checkpoint.values["settings"]
        different = [key for key, value in self._settings.items() if stored.get(key) != value]
        if different:
            raise ModelError(
                f"{self.notes}: belongs to a run with another {' and '.join(different)}; delete it to start anew, or give this "
                "run another file."
            )


def _fingerprint(system: System, name: str) -> str:
    """A model in a few letters: two runs of the same model have the same."""
    description, arrays = describe(system, name, 1.0)
    key = hashlib.sha1(json.dumps(description, sort_keys=True).encode(), usedforsecurity=False)
    for array in arrays:
        key.update(np.ascontiguousarray(array).tobytes())
    return key.hexdigest()[:16]


def _arrays(group: Any) -> dict[str, Array]:
    """All datasets of a group and its subgroups, by their path in it."""
    import h5py

    found: dict[str, Array] = {}
    for name, item in group.items():
        found |= {name: item[()]} if isinstance(item, h5py.Dataset) else {f"{name}/{k}": v for k, v in _arrays(item).items()}
    return found


def _flatten(prefix: str, kept: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Array]]:
    """Plain values and arrays of a nested dictionary."""
    plain: dict[str, Any] = {}
    arrays: dict[str, Array] = {}
    for key, value in kept.items():
        name = f"{prefix}/{key}"
        if isinstance(value, dict):
            inner = _flatten(name, value)
            plain |= inner[0]
            arrays |= inner[1]
        elif isinstance(value, np.ndarray):
            arrays[name] = value
        else:
            plain[name] = value
    return plain, arrays


def _unflatten(checkpoint: Checkpoint, prefix: str) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in [*checkpoint.values.items(), *checkpoint.arrays.items()]:
        if name.startswith(prefix + "/"):
            *groups, last = name.split("/")[1:]
            place = kept
            for group in groups:
                place = place.setdefault(group, {})
            place[last] = value
    return kept
