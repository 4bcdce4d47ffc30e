"""Sweeps: many cases over the cores of a machine or a Dask cluster, each with a folder and a line in one table."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import checked_path, choice, flag, listed, mapping, not_negative, positive, text
from fmbs.core.errors import ModelError
from fmbs.core.files import writing
from fmbs.core.lock import Lock
from fmbs.results.store.fingerprint import fingerprint_of_function
from fmbs.studies.case import Case, run_case
from fmbs.studies.measure import Asked, Measure, label, labels
from fmbs.studies.pool import Outcome, checked_jobs, run_pool
from fmbs.studies.subject import SETTINGS, Build, Subject
from fmbs.studies.table import CaseStore, Row, plain

if TYPE_CHECKING:
    from fmbs.models import Mechanism

Array = NDArray[np.float64]

CURVES = "curves.npz"  # of a case


@dataclass(frozen=True)
class Sweep:
    """All cases that were asked for, in their order.

    computed: how many of them were run now; the others were there
    busy: share of the time that the processes spent in cases, of those run now; NaN on a cluster or where none was
    """

    folder: Path
    rows: tuple[Row, ...]
    computed: int
    busy: float = float("nan")

    @property
    def done(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.status == "done")

    @property
    def warned(self) -> tuple[Row, ...]:
        """Done, but what they warned of is their reason: energy that does not add up, steps that are too long."""
        return tuple(row for row in self.done if row.reason)

    @property
    def failed(self) -> tuple[Row, ...]:
        """With their reason."""
        return tuple(row for row in self.rows if row.status != "done")

    def table(self) -> dict[str, list[Any]]:
        """All columns by name, cost and status among them, as the file has them: pandas.DataFrame(found.table())."""
        lines = [row.line() for row in self.rows]
        names = dict.fromkeys(key for line in lines for key in line)
        return {name: [line.get(name, float("nan")) for line in lines] for name in names}

    def column(self, name: str) -> Array:
        """A parameter or measure of all cases; NaN where a case failed  # (cases,)."""
        known = {key for row in self.rows for key in (*row.parameters, *row.values)}
        choice("sweep", "column", name, known)
        return np.array([{**row.parameters, **row.values}.get(name, np.nan) for row in self.rows])


def sweep(
    model: str | type[Mechanism] | Build | Subject, cases: Sequence[Mapping[str, Any]], measures: Sequence[Asked], *,
    folder: str | Path, section: str = "", signals: Sequence[str] = (), skip: float = 0.0, skip_turns: float = 0.0,
    keep_runs: bool = False, jobs: int | None = None, dask: str | None = None, timeout: float | None = None,
    retry_failed: bool = False, progress: bool | None = None, **settings: Any,
) -> Sweep:  # fmt: skip
    """Run all cases. What is in the folder already is not run again, so an interrupted sweep goes on where it was.

    model: name of a ready-made model, a function build(**parameters) -> Model or Solution, or "file.py:function"
    cases: parameters of each, from `grid`, `random`, `latin_hypercube` or your own; step, tolerance, t_end may be among them
    measures: what goes into the table, see fmbs.studies.measure: "peak(force(wrist pin))", or a function of the solution
    folder: cases/0001/case.json, ... and table.csv (table.parquet too where pyarrow is installed)
    section: a quantity kept once a period (60/rpm), for `bifurcation`; skip, skip_turns: the transient to leave out
    keep_runs: write run.h5 of every case
    jobs: processes at a time, one a core if not given; dask: address of a scheduler to use instead
    signals: quantities whose curves are kept in curves.npz of every case
    timeout: s of wall time for a case; retry_failed: run failed cases of an earlier call again
    settings: of `simulate`: t_end or turns, and step or tolerance
    """
    subject = Subject.of(model, settings)
    measures = listed("sweep", "measures", measures, "measures")
    signals = tuple(listed("sweep", "signals", signals, "quantities"))
    labels("sweep", measures)
    for each in (*signals, *([section] if text("sweep", "section", section) else [])):
        Measure.parse(each)
    cases = [mapping("sweep", "a case", case, "parameters") for case in listed("sweep", "cases", cases, "cases")]
    if not cases:
        raise ModelError("sweep: 0 cases; give one or more.")
    processes = checked_jobs("sweep", jobs)
    folder = checked_path("sweep", "folder", folder)
    skip, skip_turns = not_negative("sweep", "skip", skip), not_negative("sweep", "skip_turns", skip_turns)
    for argument, given in (("keep_runs", keep_runs), ("retry_failed", retry_failed), ("progress", progress)):
        if given is not None:
            flag("sweep", argument, given)
    timeout = None if timeout is None else positive("sweep", "timeout", timeout)
    dask = None if dask is None else text("sweep", "dask", dask)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with Lock(folder / "sweep"):  # from the look at what is there to the last case
        store = CaseStore(folder, _identity(subject, measures, section, skip, skip_turns, signals))
        asked = store.numbered(cases, retry_failed)
        todo = [place for place in asked if place not in store.rows]
        items = [
            Case(subject, asked[place], tuple(measures), section, skip, skip_turns,
                 store.case_folder(place) / "run.h5" if keep_runs else None,
                 signals, store.case_folder(place) / CURVES if signals else None)
            for place in todo
        ]  # fmt: skip

        clock = time.monotonic()
        with _progress(len(asked), len(asked) - len(todo), progress) as advance:

            def finished(item: int, outcome: Outcome) -> None:
                store.record(todo[item], items[item].parameters, outcome)
                advance(outcome)

            try:
                if dask is not None:
                    from fmbs.studies.cluster import run_dask

                    run_dask(run_case, items, dask, finished)
                else:
                    run_pool(run_case, items, processes, finished, timeout)
            finally:
                store.write_table()
        at_work = sum(store.rows[place].wall for place in todo) / (min(processes, len(todo) or 1) * (time.monotonic() - clock))
        rows = tuple(store.rows[place] for place in asked)
        return Sweep(store.folder, rows, len(todo), at_work if todo and dask is None else float("nan"))


def _identity(
    subject: Subject, measures: Sequence[Asked], section: str, skip: float, skip_turns: float, signals: Sequence[str]
) -> dict[str, Any]:
    """What must be the same for a folder to be continued."""
    settings = {key: subject.settings[key] for key in SETTINGS if key in subject.settings}
    found = {"model": subject.name, "settings": settings, "measures": list(labels("sweep", measures)), "section": section}
    if functions := {label(each): fingerprint_of_function(each) for each in measures if callable(each)}:
        found["functions"] = functions  # another text gives other numbers
    if signals:
        found["signals"] = list(signals)
    if subject.push is not None:
        found["push"] = asdict(subject.push)
    return json.loads(json.dumps({**found, "skip": skip, "skip_turns": skip_turns}, default=plain))  # type: ignore[no-any-return]


@contextmanager
def _progress(total: int, there: int, show: bool | None) -> Iterator[Any]:
    """A bar over all cases with the time left; drawn by this thread only, since worker processes are forked from it."""
    if show is False or (show is None and not sys.stderr.isatty()):
        yield lambda outcome: None
        return
    from rich.console import Console  # slow to import
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False) as bar:
        task, failed = bar.add_task("cases", total=total, completed=there), 0

        def advance(outcome: Outcome) -> None:
            nonlocal failed
            failed += outcome.status != "done"
            bar.update(task, advance=1, description=f"cases, {failed} failed" if failed else "cases", refresh=True)

        yield advance
