"""Reading a stored run."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import numpy as np

from fmbs.assembly.system import System
from fmbs.core.errors import ModelError
from fmbs.results.contact_log import impacts_of
from fmbs.results.energy import Energy
from fmbs.results.solution import Solution, Statistics
from fmbs.results.store.description import rebuild
from fmbs.results.store.encoding import Decoder, UnknownClass
from fmbs.results.store.writer import FORMAT, LAYOUT, open_run, partial_path, tables

COARSE = 1e-6  # relative error of a sampled function above which loading warns


class MissingModel:
    """Stands for the system of a run whose model cannot be made again; the arrays are there all the same."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __getattr__(self, name: str) -> Any:
        raise ModelError(self.message)


def load(path: str | Path, *, classes: Sequence[type] = ()) -> Solution:
    """The Solution of a stored run; that of a run still going on, or killed, up to its last flush.

    Parts are found by name: sol.model["rod"].end.

    path: the file; of a run without its end, `<path>.partial` is found too
    classes: your own bodies, joints, forces and laws that the model uses. Without them t, q, v, a, lam and energy are there,
             and what needs the model raises.
    """
    path = Path(path)
    if not path.exists() and partial_path(path).exists():
        path = partial_path(path)
    if not path.is_file():
        raise ModelError(f"load: there is no file {path}.")
    try:
        with open_run(path) as file:
            return _read(file, path, classes)
    except ModelError:
        raise
    except (OSError, KeyError, ValueError, RuntimeError, TypeError) as error:
        raise ModelError(f"load: {path} is not a run of fmbs, or it is damaged ({_first_line(error)}).") from None


def _read(file: Any, path: Path, classes: Sequence[type]) -> Solution:
    if file.attrs.get("format") != FORMAT:
        raise ModelError(f"load: {path} is an HDF5 file, but not a run of fmbs (it has no attribute format = {FORMAT!r}).")
    if file.attrs["layout"] > LAYOUT:
        raise ModelError(f"load: {path} was written by fmbs {file.attrs['fmbs']}, a newer one; update fmbs to read it.")
    if "committed" not in file:
        raise ModelError(f"load: {path} holds a run that ended before its first frame was written.")
    stored_tables = tables(file)
    summary = json.loads(file["summary"][()]) if "summary" in file else {}
    arrays = {f"arrays/{key}": value[()] for key, value in file["model"].get("arrays", {}).items()}
    description = json.loads(file["model/description"][()])
    system, decoder = _system(description, arrays, classes, path)
    values = {name.partition("/")[2]: array for name, array in stored_tables.items() if "/energy/" not in name}
    values |= {key: decoder.value(item) for key, item in summary.get("fields", {}).items()}
    energy = {name.rpartition("/")[2]: array for name, array in stored_tables.items() if "/energy/" in name}
    known = {field.name for field in fields(Solution)}
    done = {key: _with_tuples(value) for key, value in summary.get("statistics", {}).items()}
    stored: dict[str, Any] = {key: value for key, value in values.items() if key in known}
    if isinstance(system, System):
        stored["impacts"] = tuple(impacts_of(system, summary.get("impacts", ())))
    return Solution(system=system, energy=_made(Energy, energy), statistics=_made(Statistics, done), **stored)


def _system(description: Any, arrays: Any, classes: Sequence[type], path: Path) -> tuple[System, Decoder]:
    try:
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
            f"{path}: functions are stored as tables, and these are finer than their tables: {', '.join(coarse)}. Stored "
            "arrays are exact; reactions of drives by them are not.",
            stacklevel=4,
        )
    decoder = Decoder(model.ground, arrays, classes)
    decoder.bodies = model.bodies
    return system, decoder


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


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
