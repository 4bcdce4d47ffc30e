"""A paper as a reproduction: its statements, cases, numbers, figures and page."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fmbs as fm
from fmbs.reproduce.cases import PaperCase, Result, run_cases
from fmbs.reproduce.claim import Claim
from fmbs.reproduce.page import DPI, Page
from fmbs.reproduce.record import Record, commit, digest, rounded, runs_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    Drawing = tuple[str, str, Figure]  # name of the file, caption, figure

Got = dict[str, Result]


@dataclass(frozen=True, kw_only=True)
class Paper:
    """name, title: of the page; claims: every statement of results in the paper, in its order

    cases: quick -> runs; numbers: what they gave -> everything the page says; draw: -> figures; layout: writes the page, from
    a record alone
    """

    name: str
    title: str
    claims: tuple[Claim, ...]
    cases: Callable[[bool], list[PaperCase]]
    numbers: Callable[[Got], dict[str, Any]]
    draw: Callable[[Got], list[Drawing]]
    layout: Callable[[Page], None]

    def reproduce(self, folder: Path, *, quick: bool, jobs: int | None) -> Path:
        """Page, figures and results.json, in one run."""
        start, source, cases = time.perf_counter(), commit(), self.cases(quick)
        got = run_cases(cases, jobs)
        folder.mkdir(parents=True, exist_ok=True)
        figures = {}
        for name, caption, figure in self.draw(got):
            path = folder / f"{name}.png"
            figure.savefig(path, dpi=DPI)
            figures[name] = {"caption": caption, "sha256": digest(path)}
        numbers, minutes = rounded(self.numbers(got)), rounded((time.perf_counter() - start) / 60.0)
        record = Record(self.name, fm.__version__, source, quick, minutes, runs_of(cases, got), numbers, figures)
        record.save(folder)
        path = folder / "README.md"
        path.write_text(self.page(record), encoding="utf-8")
        return path

    def page(self, record: Record) -> str:
        """Markdown. Every number in it is of the record."""
        page = Page(self.title, record, self.claims)
        self.layout(page)
        return page.finished()
