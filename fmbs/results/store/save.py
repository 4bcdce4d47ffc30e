"""A finished solution as a file."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fmbs.core.errors import ModelError
from fmbs.results.store.encoding import Encoder
from fmbs.results.store.writer import RunWriter, partial_path

if TYPE_CHECKING:
    from fmbs.results.solution import Solution

BY_HAND = {"system", "energy", "statistics"}  # fields of a Solution that are not stored as they are


def save(solution: Solution, path: str | Path) -> Path:
    """Write everything; a file that was there is replaced only when the new one is whole."""
    frames: dict[str, Any] = {}
    rows: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    encoder = Encoder(solution.system.dofs.bodies, 0.0)
    for field in fields(solution):
        value: Any = getattr(solution, field.name)
        if field.name in BY_HAND:
            continue
        if isinstance(value, np.ndarray) and value.ndim:
            table = frames if len(value) == len(solution) and field.name != "step_times" else rows
            table[field.name] = value
        else:
            rest[field.name] = encoder.value(value)
    for field in fields(solution.energy):
        frames[f"energy/{field.name}"] = getattr(solution.energy, field.name)
    try:
        writer = RunWriter(path, solution.system, t_end=0.0 if solution.static else float(solution.t[-1]))
        writer.append(frames, rows)
        writer.close({"statistics": asdict(solution.statistics), "fields": rest})
    except ModelError:
        partial_path(Path(path)).unlink(missing_ok=True)
        raise
    return writer.path
