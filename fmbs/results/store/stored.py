"""StoredRun: an open file of a run, whose pieces are checked before they are given out."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import FileError
from fmbs.results.store.checks import row_keys, row_sums, seal
from fmbs.results.store.identity import Identity, text
from fmbs.results.store.unfinished import Unfinished, is_unfinished

FORMAT, LAYOUT = "fmbs", 2
UNCHECKED = 1  # the layout without identity and checks
OPEN_CHANGES = ("complete", "check")  # attributes that are not sealed: one that changes, and the seal


class Damaged(FileError):
    """A piece of a file is not what was written. rows: of its group of tables that are whole."""

    rows, group = 0, ""

    @classmethod
    def after(cls, group: str, rows: int, message: str) -> Damaged:
        error = cls(message)
        error.group, error.rows = group, rows
        return error


@contextmanager
def opened(path: Path) -> Iterator[StoredRun]:
    """The file for reading, even while it is written or after its writer was killed.

    Without a cache of chunks: every chunk is read once, straight into the array.
    """
    import h5py

    if not is_unfinished(path):
        with h5py.File(path, "r", rdcc_nbytes=0) as file:
            yield StoredRun(file, path)
    else:
        with Unfinished(path) as raw, h5py.File(raw, "r", rdcc_nbytes=0) as file:
            yield StoredRun(file, path)


class StoredRun:
    """What a file holds; everything raises FileError where it is not as it was written."""

    def __init__(self, file: Any, path: Path) -> None:
        self._file, self.path = file, path
        if text(file.attrs.get("format")) != FORMAT:
            raise FileError(f"{path}: is an HDF5 file, but not a run of fmbs (it has no attribute format = {FORMAT!r}).")
        layout = int(file.attrs["layout"])
        if layout > LAYOUT:
            raise FileError(f"{path}: was written by fmbs {text(file.attrs['fmbs'])}, a newer one; update fmbs to read it.")
        self.identity = Identity.of(file)
        self.run = self.identity.run if self.identity else ""
        if (layout == UNCHECKED) is not (self.identity is None):
            raise Damaged("its attributes are not those of a run")
        if self.run and file.attrs["check"] != seal_of_attributes(self.run, file.attrs):
            raise Damaged("its attributes are not as they were written")

    @property
    def complete(self) -> bool:
        return bool(self._file.attrs["complete"])

    def has(self, name: str) -> bool:
        return name in self._file

    def json(self, name: str) -> Any:
        """A text with anything that JSON holds."""
        item = self._file[name]
        self._fits(item.dtype.itemsize)
        content = item[()]
        if self.run and item.attrs.get("check") != seal(self.run, name, content):
            raise Damaged(f"{name} is not as it was written")
        return json.loads(content)

    def arrays(self, group: str) -> dict[str, NDArray[Any]]:
        """All arrays of a group, by their names in it."""
        found = {}
        for name, item in self._file[group].items() if group in self._file else ():
            self._fits(item.size * item.dtype.itemsize)
            found[name] = item[()]
            if self.run and item.attrs.get("check") != seal(self.run, f"{group}/{name}", found[name]):
                raise Damaged(f"{group}/{name} is not as it was written")
        return found

    @property
    def counts(self) -> dict[str, int]:
        """Committed rows of every table; frames count where all quantities have them."""
        if "committed" not in self._file:
            return {}
        committed = self._file["committed"]
        listed = text(committed.attrs["names"])
        names, numbers = json.loads(listed), committed[()].tolist()
        if self.run and numbers.pop() != seal_of_counts(self.run, listed, numbers):
            raise Damaged("the counts of its rows are not as they were written")
        counts = dict(zip(names, numbers, strict=True))
        frames = min((count for name, count in counts.items() if name.startswith("frames/")), default=0)
        return {name: frames if name.startswith("frames/") else count for name, count in counts.items()}

    def rows(self, name: str, begin: int = 0, end: int | None = None) -> NDArray[Any]:
        """Rows of a table as they are, without a look at their checks."""
        item = self._file[name]
        end = len(item) if end is None else end
        if end > len(item):
            raise Damaged(f"{name} has {len(item)} rows in place of {end}")
        self._fits((end - begin) * int(np.prod(item.shape[1:])) * item.dtype.itemsize)
        return np.asarray(item[begin:end])

    def tables(self, most: Mapping[str, int] | None = None, *, checked: bool = True) -> dict[str, NDArray[Any]]:
        """All committed rows of every table, or so many of each group of them: {"frames": 10}.

        checked: False for the process that has just written them
        """
        found: dict[str, NDArray[Any]] = {}
        for group, names in groups(self.counts).items():
            count = min(self.counts[names[0]], (most or {}).get(group, self.counts[names[0]]))
            found |= {name: self.rows(name, 0, count) for name in names}
            if not (self.run and checked):
                continue
            sums = row_keys(self.run, group, 0, count)
            for name in names:
                sums += row_sums(name, found[name])
            wrong = np.flatnonzero(sums != self.rows(f"checks/{group}", 0, count))
            if wrong.size:
                what, first = "frame" if group == "frames" else f"row of {group}", int(wrong[0])
                raise Damaged.after(group, first, f"{what} {first + 1} of {count} is not as it was written")
        return found

    def _fits(self, size: int) -> None:
        """What is not compressed cannot be larger than its file."""
        if size > os.stat(self.path).st_size:
            raise Damaged(f"it is said to hold {size:.3g} bytes, more than it has")


def groups(counts: Mapping[str, int]) -> dict[str, list[str]]:
    """Tables that are checked together: all quantities of a frame; every other table by itself."""
    found: dict[str, list[str]] = {}
    for name in counts:
        found.setdefault("frames" if name.startswith("frames/") else name, []).append(name)
    return found


def seal_of_attributes(run: str, attributes: Mapping[str, Any]) -> int:
    """Of those at the root of a file."""
    known = {key: str(text(value)) for key, value in attributes.items() if key not in OPEN_CHANGES}
    return seal(run, "attributes", json.dumps(known, sort_keys=True).encode())


def seal_of_counts(run: str, names: str, counts: list[int]) -> int:
    return seal(run, names, np.array(counts, np.int64))
