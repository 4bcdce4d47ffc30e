"""RunWriter: the file of a run, growing frame by frame."""

from __future__ import annotations

import json
import os
import platform
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.assembly.system import System
from fmbs.core.errors import ModelError
from fmbs.results.store.description import describe
from fmbs.results.store.table import Table

FORMAT, LAYOUT = "fmbs", 1
COPY_BYTES = 8 << 20
FLUSH_SECONDS = 2.0  # wall time that a killed run may lose


class Keep(NamedTuple):
    """How many rows of /frames and of /rows to keep."""

    frames: int
    steps: int


class RunWriter:
    """Writes frames as they come; what was there under `path` stays until `close`, and for good if the run is killed.

    It writes `<path>.partial`, which `fm.load` reads at any time, while the run goes and after it was killed (HDF5's
    single-writer-multiple-reader mode), and gives it its name on closing.

    path: of the file
    system: the model's; its parts and parameters are stored
    name: of the model
    t_end: functions of time are stored as tables from 0 to here, s
    keep: what the new run begins with of the broken-off one in `<path>.partial`
    """

    def __init__(
        self, path: str | Path, system: System, *, name: str = "", t_end: float = 1.0, keep: Keep | None = None
    ) -> None:
        import h5py  # here and below: slow to import, and most runs write no file

        self.path = Path(path)
        self.partial = partial_path(self.path)
        self._tables: dict[str, Table] = {}
        self._last = time.monotonic()
        description, arrays = describe(system, name or self.path.stem, t_end)
        earlier = self.partial.with_name(self.partial.name + ".earlier")
        if keep and not earlier.exists():
            os.replace(self.partial, earlier)
        with writing(self.path):
            self._file = h5py.File(self.partial, "w", libver="latest", rdcc_nbytes=0)
            self._file.attrs.update({"format": FORMAT, "layout": LAYOUT, "complete": False, **_versions()})
            put_json(self._file.create_group("model"), "description", description)
            for k, array in enumerate(arrays):
                self._file.create_dataset(f"model/arrays/{k}", data=array)
        if keep:
            self._copy(earlier, keep)

    def append(self, frames: Mapping[str, ArrayLike] | None = None, rows: Mapping[str, ArrayLike] | None = None) -> None:
        """Add frames, and rows of other tables: name -> array with one row each, "energy/kinetic" for a group.

        The first call brings all names that there will be.
        """
        given = {f"frames/{key}": np.asarray(value) for key, value in (frames or {}).items()}
        given |= {f"rows/{key}": np.asarray(value) for key, value in (rows or {}).items()}
        with writing(self.path):
            if not self._tables:
                self._begin(given)
            for name, block in given.items():
                self._tables[name].extend(block)
        if time.monotonic() - self._last > FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Put everything on the disk. Rows count only after they are there: `committed` is written last."""
        with writing(self.path):
            for table in self._tables.values():
                table.flush()
            self._file.flush()
            if self._tables:
                self._file["committed"][:] = [table.count for table in self._tables.values()]
                self._file.flush()
        self._last = time.monotonic()

    def close(self, summary: Mapping[str, Any] | None = None, *, complete: bool = True) -> None:
        """Write the summary (anything that JSON holds) and give the file its name."""
        import h5py

        self._end()
        with writing(self.path):
            with h5py.File(self.partial, "r+", libver="latest") as file:
                put_json(file, "summary", dict(summary or {}))
                file.attrs["complete"] = complete
            os.replace(self.partial, self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file:  # not closed yet
            self.close(complete=kind is None)

    def read_back(self) -> dict[str, NDArray[Any]]:
        """Everything that was written: t, q, ..., energy/kinetic, ... Nothing can be appended after it."""
        self._end()
        with open_run(self.partial) as file:
            return {name.partition("/")[2]: array for name, array in tables(file).items()}

    def _end(self) -> None:
        if self._file:
            self.flush()
            self._file.close()

    def _copy(self, earlier: Path, keep: Keep) -> None:
        with open_run(earlier) as old:
            names = json.loads(old["committed"].attrs["names"])
            counts = {name: keep.frames if name.startswith("frames/") else keep.steps for name in names}
            self._begin({name: old[name][:0] for name in names})
            with writing(self.path):
                for name, count in counts.items():
                    rows = max(1, COPY_BYTES // max(1, old[name][:1].nbytes))
                    for k in range(0, count, rows):
                        self._tables[name].extend(old[name][k : min(k + rows, count)])
        self.flush()
        earlier.unlink()

    def _begin(self, given: Mapping[str, NDArray[Any]]) -> None:
        self._tables = {name: Table(self._file, name, block) for name, block in given.items()}
        committed = self._file.create_dataset("committed", data=np.zeros(len(given), np.int64))
        committed.attrs["names"] = json.dumps(list(given))
        self._file.flush()
        self._file.swmr_mode = True  # from here on a reader, now or after a kill, sees a whole file


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """What HDF5 raises when the disk is full or the folder closed, in one line."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else _reason(str(error))
        raise ModelError(
            f"{path}: cannot be written ({reason}); check the folder, its permissions and the space on the disk."
        ) from None


def open_run(path: Path) -> Any:
    """A run that goes on, or was killed, opens in HDF5's reader mode only; there a damaged file takes minutes: second try.

    Without a cache of chunks: every chunk is read once, straight into the array.
    """
    import h5py

    try:
        return h5py.File(path, "r", rdcc_nbytes=0)
    except OSError as error:
        if "consistency flags" in str(error) or "lock file" in str(error):
            return h5py.File(path, "r", libver="latest", swmr=True, rdcc_nbytes=0)
        raise


def tables(file: Any) -> dict[str, NDArray[Any]]:
    """Committed rows of every table; frames that not all quantities have are left out."""
    committed = file["committed"]
    counts = dict(zip(json.loads(committed.attrs["names"]), committed[()].tolist(), strict=True))
    frames = min(count for name, count in counts.items() if name.startswith("frames/"))
    if not frames:
        raise ModelError(f"load: {file.filename} holds a run that ended before its first frame was written.")
    return {name: file[name][: frames if name.startswith("frames/") else count] for name, count in counts.items()}


def partial_path(path: Path) -> Path:
    """Where a run is written until it is whole."""
    return path.with_name(path.name + ".partial")


def put_json(group: Any, name: str, value: Any) -> None:
    """Store anything that JSON holds."""
    import h5py

    text = json.dumps(value).encode()
    group.create_dataset(name, data=np.array(text, dtype=h5py.string_dtype("utf-8", len(text))))


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "created": time.strftime("%Y-%m-%dT%H:%M:%S%z")}
    for package in ("fmbs", "numpy", "scipy", "numba", "h5py"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a source tree
            found[package] = "unknown"
    return found


def _reason(message: str) -> str:
    """The system's words inside HDF5's."""
    found = re.search(r"error message = '([^']*)'", message)
    return found[1] if found else message.splitlines()[0]
