"""Rows of a sweep on the disk: case.json is the truth, the table is made of it."""

from __future__ import annotations

import csv
import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fmbs.core.errors import FileError, ModelError
from fmbs.core.files import replace_text
from fmbs.studies.pool import Outcome

PAUSE = 2.0  # s between two writings of the table


@dataclass(frozen=True)
class Row:
    """A case: what it was given, what came out, what it cost. samples: of the section; folder: relative to the sweep's."""

    folder: str
    parameters: dict[str, Any]
    values: dict[str, float]
    status: str
    reason: str
    wall: float
    attempts: int
    samples: tuple[float, ...] = ()

    def line(self) -> dict[str, Any]:
        """Of the table."""
        cost = {"status": self.status, "reason": self.reason, "wall": self.wall, "attempts": self.attempts}
        return {"case": self.folder, **{key: _cell(value) for key, value in self.parameters.items()}, **self.values, **cost}


class CaseStore:
    """The folder of a sweep. Cases have numbers; those with the same parameters have the same number."""

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self.folder = folder
        self.rows: dict[int, Row] = {}
        self._written = 0.0
        path = folder / "sweep.json"
        if path.exists():
            try:
                before = json.loads(path.read_text())
            except ValueError:
                raise FileError(f"sweep: {path} is damaged; choose another folder.") from None
            differing = [key for key, value in identity.items() if before.get(key) != value]
            if differing:
                raise ModelError(
                    f"sweep: {folder} holds a sweep with other {', '.join(differing)}; choose another folder, or remove it."
                )
        folder.mkdir(parents=True, exist_ok=True)
        replace_text(path, json.dumps(identity, indent=1))
        for case in sorted((folder / "cases").glob("[0-9]*/case.json")):
            try:
                self.rows[int(case.parent.name)] = _row(json.loads(case.read_text()))
            except (ValueError, KeyError, TypeError):
                continue  # half-written by a machine that lost power: run again

    def numbered(self, cases: Sequence[Mapping[str, Any]], retry_failed: bool) -> dict[int, dict[str, Any]]:
        """Cases by their number, old or new; equal cases are one."""
        if retry_failed:
            self.rows = {place: row for place, row in self.rows.items() if row.status == "done"}
        known = {_key(row.parameters): place for place, row in self.rows.items()}
        used = [int(path.name) for path in (self.folder / "cases").glob("[0-9]*") if path.name.isdigit()]
        free = max(used, default=0) + 1
        found: dict[int, dict[str, Any]] = {}
        for case in cases:
            key = _key(case)
            if key not in known:
                known[key], free = free, free + 1
            found.setdefault(known[key], dict(case))
        return found

    def case_folder(self, place: int) -> Path:
        return self.folder / "cases" / f"{place:04d}"

    def record(self, place: int, parameters: Mapping[str, Any], outcome: Outcome) -> None:
        """Write a case's file at once, the table now and then."""
        values = dict(outcome.values)
        samples = tuple(values.pop("samples", ()))
        row = Row(
            folder=f"cases/{place:04d}", parameters=dict(parameters), values=values, status=outcome.status,
            reason=outcome.reason, wall=round(outcome.wall, 6), attempts=outcome.attempts, samples=samples,
        )  # fmt: skip
        self.rows[place] = row
        self.case_folder(place).mkdir(parents=True, exist_ok=True)
        replace_text(self.case_folder(place) / "case.json", json.dumps(vars(row), default=plain, indent=1))
        if time.monotonic() - self._written > PAUSE:
            self.write_table()

    def write_table(self) -> None:
        """table.csv, and table.parquet where pyarrow is installed."""
        lines = [self.rows[place].line() for place in sorted(self.rows)]
        cost = ("status", "reason", "wall", "attempts")
        names = [key for key in dict.fromkeys(key for line in lines for key in line) if key not in cost] + list(cost)
        part = self.folder / "table.csv.part"
        with part.open("w", newline="") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(lines)
        os.replace(part, self.folder / "table.csv")
        self._written = time.monotonic()
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            return
        part = self.folder / "table.parquet.part"
        columns = {key: [line.get(key) for line in lines] for key in names}
        pq.write_table(pa.table({key: _column(pa, values) for key, values in columns.items()}), part)
        os.replace(part, self.folder / "table.parquet")


def _column(pa: Any, values: list[Any]) -> Any:
    """As texts where they have no common kind."""
    try:
        return pa.array(values)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array([None if value is None else str(value) for value in values])


def _row(found: dict[str, Any]) -> Row:
    parameters = {key: tuple(value) if isinstance(value, list) else value for key, value in found["parameters"].items()}
    return Row(**{**found, "parameters": parameters, "samples": tuple(found["samples"])})


def _key(parameters: Mapping[str, Any]) -> str:
    return json.dumps(dict(parameters), sort_keys=True, default=plain)


def plain(value: Any) -> Any:
    """numpy's numbers and arrays as JSON has them; anything else as its text."""
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else repr(value)


def _cell(value: Any) -> Any:
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else value
