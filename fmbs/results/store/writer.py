"""RunWriter: the file of a run, growing frame by frame."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.assembly.system import System
from fmbs.core.errors import FileError
from fmbs.core.files import check_target, writing
from fmbs.core.lock import Lock
from fmbs.results.store.checks import row_keys, seal
from fmbs.results.store.description import Description, describe
from fmbs.results.store.fingerprint import fingerprint
from fmbs.results.store.identity import Identity, beside, leftovers, partial_path
from fmbs.results.store.room import Room, trim
from fmbs.results.store.stored import FORMAT, LAYOUT, StoredRun, groups, opened, seal_of_attributes, seal_of_counts
from fmbs.results.store.table import Table

COPY_BYTES = 8 << 20
FLUSH_SECONDS = 2.0  # wall time that a killed run may lose


class Keep(NamedTuple):
    """How many rows of /frames and of /rows to keep."""

    frames: int
    steps: int


class RunWriter:
    """Writes frames as they come; what was there under `path` stays until `close`, and for good if the run is killed.

    It writes `<path>.partial`, which `fm.load` reads at any time, while the run goes and after it was killed (in the order of
    HDF5's single-writer-multiple-reader mode), and gives it its name on closing. Nobody else writes there meanwhile: `Lock`.

    path: of the file
    system: the model's; its parts and parameters are stored
    name: of the model
    t_end: functions of time are stored as tables from 0 to here, s
    partial: another name until it is whole
    described, identity: those of the run, where they are known already
    keep: what the run begins with of the one in `<path>.partial`, which it continues. That file is `<path>.partial.earlier`
          until everything in it has been computed again.
    """

    def __init__(
        self, path: str | Path, system: System, *, name: str = "", t_end: float = 1.0, partial: Path | None = None,
        described: Description | None = None, identity: Identity | None = None, keep: Keep | None = None,
    ) -> None:  # fmt: skip
        self.path = Path(path)
        self.partial = partial or partial_path(self.path)
        self._tables: dict[str, Table] = {}
        self._checks: dict[str, Table] = {}
        self._file: Any = None
        self._last = time.monotonic()
        self._buffers = 0  # bytes of rows that are not in the file yet, at most
        self._earlier = 0  # frames in <path>.partial.earlier
        described = described or describe(system, name or self.path.stem, t_end)
        self.identity = identity or Identity(fingerprint(described))
        check_target(self.path)
        self._lock = Lock(self.path).acquire()
        try:
            if keep:
                self._continue(described, keep)
            else:
                for file in (self.partial, *(leftovers(self.path) if partial is None else ())):
                    _remove(file)
                self._create(self.partial, described)
        except BaseException:
            self.abandon(remove=not keep)
            raise

    def append(self, frames: Mapping[str, ArrayLike] | None = None, rows: Mapping[str, ArrayLike] | None = None) -> None:
        """Add frames, and rows of other tables: name -> array with one row each, "energy/kinetic" for a group.

        The first call brings all names that there will be.
        """
        given = {f"frames/{key}": np.asarray(value) for key, value in (frames or {}).items()}
        given |= {f"rows/{key}": np.asarray(value) for key, value in (rows or {}).items()}
        with writing(self.path):
            self._room.reserve(self._buffers + sum(block.nbytes for block in given.values()))
            if not self._tables:
                self._begin(given)
            for name, block in given.items():
                self._tables[name].extend(block)
        if time.monotonic() - self._last > FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Put everything on the disk. Rows count only after they are there: `committed` is written last."""
        self._lock.confirm()
        with writing(self.path):
            self._room.reserve(self._buffers)
            for table in self._tables.values():
                table.flush()
            for group, names in groups(self._counts).items():
                check = self._checks[group]
                sums = sum((self._tables[name].take_sums() for name in names), start=np.uint64(0))
                check.extend(np.asarray(sums + row_keys(self.identity.run, group, check.count, np.size(sums)), np.uint64))
                check.flush()
            self._file.flush()
            if self._tables:
                self._commit()
        if self._earlier and self._counts.get("frames/t", 0) >= self._earlier:
            self._earlier = 0
            _remove(beside(self.partial, "earlier"))
        self._last = time.monotonic()

    def close(self, summary: Mapping[str, Any] | None = None, *, complete: bool = True) -> None:
        """Write the summary (anything that JSON holds) and give the file its name."""
        import h5py

        try:
            self._end()
            with writing(self.path):
                with h5py.File(self.partial, "r+", libver="latest") as file:
                    Room(file).reserve(len(json.dumps(summary or {})))
                    put_json(file, "summary", {**(summary or {}), "complete": complete}, self.identity.run)
                    file.attrs["complete"] = complete
                trim(self.partial)
                os.replace(self.partial, self.path)
            _remove(beside(self.partial, "earlier"))
        finally:
            self.abandon()

    def abandon(self, *, remove: bool = False) -> None:
        """Leave what is written as it is, or remove it, and let others write. A full disk is no reason to raise once more."""
        if self._file:
            with suppress(OSError, RuntimeError):
                self._file.close()
        if remove:
            with suppress(OSError):
                self.partial.unlink()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file:  # not closed yet
            self.close(complete=kind is None)

    def read_back(self) -> dict[str, NDArray[Any]]:
        """Everything that was written: t, q, ..., energy/kinetic, ... Nothing can be appended after it."""
        self._end()
        with opened(self.partial) as stored:
            return {name.partition("/")[2]: array for name, array in stored.tables(checked=False).items()}

    @property
    def _counts(self) -> dict[str, int]:
        return {name: table.count for name, table in self._tables.items()}

    def _end(self) -> None:
        if self._file:
            self.flush()
            with writing(self.path):
                self._file.close()
                trim(self.partial)

    def _create(self, path: Path, described: Description) -> None:
        import h5py  # here and above: slow to import, and most runs write no file

        run = self.identity.run
        with writing(self.path):
            self._file = h5py.File(path, "x", libver="latest", rdcc_nbytes=0)  # never what a link there names
            self._room = Room(self._file)
            self._room.reserve(len(json.dumps(described.parts)) + sum(array.nbytes for array in described.arrays))
            about = {"format": FORMAT, "layout": LAYOUT, "run": run, "fingerprint": self.identity.fingerprint, **_versions()}
            check = seal_of_attributes(run, about)
            self._file.attrs.update({**{key: fixed(value) for key, value in about.items()}, "check": check, "complete": False})
            put_json(self._file.create_group("model"), "description", described.parts, run)
            for k, array in enumerate(described.arrays):
                name = f"model/arrays/{k}"
                self._file.create_dataset(name, data=array).attrs["check"] = seal(run, name, array)

    def _continue(self, described: Description, keep: Keep) -> None:
        """Copy what is kept into a new file, which takes the place of the old one when it is whole."""
        new, earlier = beside(self.partial, "new"), beside(self.partial, "earlier")
        _remove(new)
        if not self.partial.exists() and earlier.exists():
            os.replace(earlier, self.partial)
        self._create(new, described)
        frames = 0
        if earlier.exists():
            with suppress(FileError, OSError, KeyError), opened(earlier) as before:
                frames = before.counts["frames/t"] if before.identity == self.identity else 0
        with opened(self.partial) as old:
            if old.identity != self.identity:
                raise FileError(f"{self.partial}: belongs to another run than the checkpoint beside it")
            self._copy(old, keep)
            there = old.counts["frames/t"]
        with writing(self.path):
            if there > frames:
                _remove(earlier)
                try:
                    os.link(self.partial, earlier)  # both names, so that a reader finds it at any time
                except OSError:  # a file system without links
                    os.replace(self.partial, earlier)
            os.replace(new, self.partial)
        self._earlier = max(there, frames)

    def _copy(self, old: StoredRun, keep: Keep) -> None:
        """Rows up to those that are kept; they are whole if their checks come out as they did."""
        wanted = {name: keep.frames if name.startswith("frames/") else keep.steps for name in old.counts}
        if any(count > old.counts[name] for name, count in wanted.items()):
            raise FileError(f"{old.path}: holds fewer frames than the checkpoint beside it counts")
        self._begin({name: old.rows(name, 0, 0) for name in wanted})
        for name, count in wanted.items():
            size = max(1, COPY_BYTES // max(1, old.rows(name, 0, min(1, count)).nbytes))
            for k in range(0, count, size):
                block = old.rows(name, k, min(k + size, count))
                with writing(self.path):
                    self._room.reserve(self._buffers + block.nbytes)
                    self._tables[name].extend(block)
        self.flush()
        for group, names in groups(wanted).items():
            count, mine = wanted[names[0]], self._file[f"checks/{group}"][()]
            if not np.array_equal(mine, old.rows(f"checks/{group}", 0, count)):
                raise FileError(f"{old.path}: {group} are not as they were written")

    def _begin(self, given: Mapping[str, NDArray[Any]]) -> None:
        """Make the tables. From here on a reader, now or after a kill, sees a whole file."""
        self._tables = {name: Table(self._file, name, block) for name, block in given.items()}
        like = np.empty(0, np.uint64)
        self._checks = {group: Table(self._file, f"checks/{group}", like) for group in groups(self._counts)}
        self._buffers = sum(table.chunk_bytes for table in (*self._tables.values(), *self._checks.values()))
        committed = self._file.create_dataset("committed", data=np.zeros(len(given) + 1, np.int64))
        committed.attrs["names"] = fixed(json.dumps(list(given)))
        self._commit()
        self._file.swmr_mode = True

    def _commit(self) -> None:
        counts = [*self._counts.values()]
        self._file["committed"][:] = [*counts, seal_of_counts(self.identity.run, json.dumps([*self._tables]), counts)]
        self._file.flush()


def put_json(group: Any, name: str, value: Any, run: str) -> None:
    """Store anything that JSON holds."""
    import h5py

    text = json.dumps(value).encode()
    item = group.create_dataset(name, data=np.array(text, dtype=h5py.string_dtype("utf-8", len(text))))
    item.attrs["check"] = seal(run, item.name.lstrip("/"), text)


def fixed(value: Any) -> Any:
    """A text as an attribute: HDF5 keeps those of any length apart, without a checksum, and a damaged one may hang it."""
    return np.bytes_(value.encode()) if isinstance(value, str) else value


def _remove(path: Path) -> None:
    """A file or a link that is left over."""
    check_target(path)
    with writing(path):
        path.unlink(missing_ok=True)


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "created": time.strftime("%Y-%m-%dT%H:%M:%S%z")}
    for package in ("fmbs", "numpy", "scipy", "numba", "h5py"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a source tree
            found[package] = "unknown"
    return found
