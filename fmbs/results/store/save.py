"""A finished solution as a file."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import checked_path
from fmbs.results.contact_log import impact_rows
from fmbs.results.store.encoding import Encoder
from fmbs.results.store.identity import beside
from fmbs.results.store.writer import RunWriter

if TYPE_CHECKING:
    from fmbs.results.solution import Solution

BY_HAND = {"system", "energy", "statistics", "impacts"}  # fields of a Solution that are not stored as they are


def save(solution: Solution, path: str | Path) -> Path:
    """Write everything; a file that was there is replaced only when the new one is whole."""
    frames: dict[str, Any] = {}
    rows: dict[str, Any] = {}
    for name, value in _arrays(solution).items():
        table = frames if len(value) == len(solution) and name != "step_times" else rows
        table[name] = value
    for field in fields(solution.energy):
        frames[f"energy/{field.name}"] = getattr(solution.energy, field.name)
    path = checked_path("save", "path", path)
    half = beside(path, "saving")  # a run that was broken off keeps its own
    writer = RunWriter(path, solution.system, t_end=0.0 if solution.static else float(solution.t[-1]), partial=half)
    try:
        writer.append(frames, rows)
        writer.close(summary(solution))
    except BaseException:
        writer.abandon(remove=True)
        raise
    return path


def summary(solution: Solution) -> dict[str, Any]:
    """What a Solution holds beside arrays, as JSON holds it."""
    encoder = Encoder(solution.system.bodies, 0.0)
    rest = {f.name: getattr(solution, f.name) for f in fields(solution) if f.name not in BY_HAND | set(_arrays(solution))}
    return {
        "statistics": asdict(solution.statistics),
        "fields": {name: encoder.value(value) for name, value in rest.items()},
        "impacts": impact_rows(solution.system, solution.impacts),
    }


def _arrays(solution: Solution) -> dict[str, NDArray[Any]]:
    values = {field.name: getattr(solution, field.name) for field in fields(solution) if field.name not in BY_HAND}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray) and value.ndim}
