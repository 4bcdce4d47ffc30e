"""Reading a stored run."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.core.checks import checked_path, flag
from fmbs.core.errors import FileError, ModelError
from fmbs.results.contact_log import impacts_of
from fmbs.results.energy import Energy
from fmbs.results.solution import Solution, Statistics
from fmbs.results.store.description import rebuild
from fmbs.results.store.encoding import Decoder, UnknownClass
from fmbs.results.store.identity import Identity, beside, partial_path
from fmbs.results.store.shapes import check_counts, check_shapes
from fmbs.results.store.stored import Damaged, StoredRun, opened
from fmbs.results.store.unfinished import is_unfinished

COARSE = 1e-6  # relative error of a sampled function above which loading warns
TRIES, PAUSE = 3, 0.1  # looks at a file that is being written, and s between them


class MissingModel:
    """Stands for the system of a run whose model cannot be made again; the arrays are there all the same."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __getattr__(self, name: str) -> Any:
        raise ModelError(self.message)


class Contents(NamedTuple):
    """What is read of a file before anything is made of it."""

    tables: dict[str, NDArray[Any]]
    summary: dict[str, Any]
    description: Any
    arrays: dict[str, NDArray[Any]]


def load(path: str | Path, *, classes: Sequence[type] = (), salvage: bool = False) -> Solution:
    """The Solution of a stored run; that of a run still going on, or killed, up to its last flush.

    Parts are found by name: sol.model["rod"].end.

    path: the file; of a run without its end, `<path>.partial` is found too
    classes: your own bodies, joints, forces and laws that the model uses. Without them t, q, v, a, lam and energy are there,
             and what needs the model raises.
    salvage: give what is whole of a damaged file, the frames before the first damaged one, instead of an error
    """
    path = _found(checked_path("load", "path", path))
    flag("load", "salvage", salvage)
    for attempt in range(TRIES):
        try:
            with opened(path) as stored:
                contents = _read(stored, salvage)
            break
        except Exception as error:
            if attempt == TRIES - 1 or not is_unfinished(path):
                raise _error(path, error) from None
            time.sleep(PAUSE)
    try:
        return _solution(contents, path, classes)
    except Exception as error:
        raise _error(path, error) from None


def identity_of(path: Path) -> Identity | None:
    """Run and fingerprint in a file; None where it has none, or cannot be read."""
    with suppress(Exception), opened(path) as stored:
        return stored.identity
    return None


def frames_in(path: Path) -> int:
    """Committed frames of a file; 0 where it cannot be read."""
    with suppress(Exception), opened(path) as stored:
        return stored.counts["frames/t"]
    return 0


def _found(path: Path) -> Path:
    """The file itself; without it the unfinished one, that of before it was continued where it holds more of the same run."""
    partial, earlier = partial_path(path), beside(path, "partial", "earlier")
    if not path.exists() and (partial.exists() or earlier.exists()):
        same = not partial.exists() or identity_of(earlier) == identity_of(partial)
        path = earlier if same and frames_in(earlier) > frames_in(partial) else partial
    if not path.is_file():
        raise FileError(f"load: there is no file {path}.")
    return path


def _read(stored: StoredRun, salvage: bool) -> Contents:
    if not any(stored.counts.values()):
        raise FileError(f"load: {stored.path} holds a run that ended before its first frame was written.")
    summary: dict[str, Any] = {}
    try:
        if stored.complete or stored.has("summary"):
            summary = stored.json("summary")
            if stored.run and summary.pop("complete") is not stored.complete:
                raise Damaged("it is not said to be complete as it was written")
        description = stored.json("model/description")
        arrays = {f"arrays/{key}": array for key, array in stored.arrays("model/arrays").items()}
    except Exception:
        if not salvage:
            raise
        description, arrays = None, {}
    most: dict[str, int] = {}
    while True:
        try:
            return Contents(stored.tables(most), summary, description, arrays)
        except Damaged as error:
            if not salvage or not error.rows or most.get(error.group) == error.rows:
                raise
            most[error.group] = error.rows


def _solution(contents: Contents, path: Path, classes: Sequence[type]) -> Solution:
    stored_tables, summary = contents.tables, contents.summary
    system, decoder = _system(contents, classes, path)
    values = {name.partition("/")[2]: array for name, array in stored_tables.items() if "/energy/" not in name}
    values |= {key: decoder.value(item) for key, item in summary.get("fields", {}).items()}
    energy = {name.rpartition("/")[2]: array for name, array in stored_tables.items() if "/energy/" in name}
    known = {field.name for field in fields(Solution)}
    done = {key: _with_tuples(value) for key, value in summary.get("statistics", {}).items()}
    stored: dict[str, Any] = {key: value for key, value in values.items() if key in known}
    check_shapes({**stored, **{f"energy/{key}": array for key, array in energy.items()}}, system)
    if isinstance(system, System):
        stored["impacts"] = tuple(impacts_of(system, summary.get("impacts", ())))
    return Solution(system=system, energy=_made(Energy, energy), statistics=_made(Statistics, done), **stored)


def _system(contents: Contents, classes: Sequence[type], path: Path) -> tuple[System, Decoder]:
    description, arrays = contents.description, contents.arrays
    try:
        if description is None:
            raise UnknownClass("its description is damaged")
        columns = {name: table.shape[-1] for name, table in contents.tables.items()}
        check_counts(description, {"elements": columns["frames/q"], "sectors": columns.get("frames/history", 0)})
        model, system = rebuild(description, arrays, classes)
    except UnknownClass as error:
        missing = MissingModel(
            f"load: the model of {path} cannot be made again: {error}. The arrays t, q, v, a, lam and energy are there all the "
            "same."
        )
        return cast(System, missing), Decoder(None, arrays, classes)
    coarse = [place for place, error in description["sampled"].items() if not error <= COARSE]
    if coarse:
        warnings.warn(
            f"{path}: functions are stored as tables, and these are finer than their tables: {', '.join(coarse)}. StoredRun "
            "arrays are exact; reactions of drives by them are not.",
            stacklevel=4,
        )
    decoder = Decoder(model.ground, arrays, classes)
    decoder.bodies = model.bodies
    return system, decoder


def _error(path: Path, error: Exception) -> ModelError:
    """One line: the file, what is wrong, what can still be had."""
    if isinstance(error, ModelError) and not isinstance(error, Damaged):
        return error if isinstance(error, FileError) else FileError(f"load: {path}: {error}")
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    text = f"load: {path} is not a run of fmbs, or it is damaged ({reason})."
    if isinstance(error, Damaged) and error.rows:
        text += f" What is before it is whole: fm.load({str(path)!r}, salvage=True) gives it."
    others = [other for other in (partial_path(path), path.with_suffix("")) if other != path and frames_in(other)]
    if others:
        text += f" {others[0]} can be read, but may belong to another run."
    return FileError(text)


def _with_tuples(value: Any) -> Any:
    """JSON knows lists only."""
    return tuple(_with_tuples(each) for each in value) if isinstance(value, list) else value


def _made(cls: Any, values: dict[str, Any]) -> Any:
    """A dataclass from what is known of it: files of other versions may have more or fewer fields."""
    wanted = {field.name for field in fields(cls)}
    given = {key: value for key, value in values.items() if key in wanted}
    if cls is Energy and values:
        given |= {name: np.zeros_like(next(iter(values.values()))) for name in wanted - set(given)}
    return cls(**given)
