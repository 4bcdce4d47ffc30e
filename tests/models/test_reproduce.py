"""Reproductions: cases, pages, and that every paper's page can be made. The pages themselves are in docs/reproductions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.reproduce import PAPERS, reproduce
from fmbs.reproduce.cases import PaperCase, run_cases
from fmbs.reproduce.page import Page, panels

ROOT = Path(__file__).parents[2]


def last(model: Any, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    return {"x": sol.position(m["slider"].com)[-1, 0]}


def test_cases_run_in_processes_and_come_back_by_label() -> None:
    """Three speeds over the same angle end at the same place."""
    cases = [PaperCase(f"{rpm}", "slider_crank_planar", {"rpm": rpm}, 6.0 / rpm, last) for rpm in (1000.0, 2000.0, 4000.0)]
    for jobs in (1, 2):
        got = run_cases(cases, jobs)
        assert list(got) == ["1000.0", "2000.0", "4000.0"]
        assert np.ptp([r["x"] for r in got.values()]) < 1e-7
        assert all(r.steps == 120 and not r.failed for r in got.values())


def test_page_links_its_figures(tmp_path: Path) -> None:
    page = Page(tmp_path / "deep", "A paper")
    figure, _ = panels(1)
    page.figure("fig1", "Fig. 1. Nothing.", figure)
    page.table(("the paper", "fmbs"), [("one", 1)])
    text = page.write(quick=True).read_text()
    assert "![Fig. 1. Nothing.](fig1.png)" in text and "| one | 1 |" in text and "--quick" in text
    assert (tmp_path / "deep" / "fig1.png").stat().st_size > 500


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_is_reproduced(paper: str, tmp_path: Path) -> None:
    text = reproduce(paper, tmp_path, quick=True).read_text()
    assert "| the paper" in text or "largest drift" in text
    assert all(
        (tmp_path / name).exists() for name in [line.split("](")[1][:-1] for line in text.splitlines() if line[:2] == "!["]
    )
    assert "What to try" not in text  # no case stopped early


@pytest.mark.parametrize("paper", PAPERS)
def test_committed_pages_have_their_figures(paper: str) -> None:
    folder = ROOT / "docs" / "reproductions" / paper
    figures = [line.split("](")[1][:-1] for line in (folder / "README.md").read_text().splitlines() if line[:2] == "!["]
    assert figures and all((folder / name).stat().st_size < 300_000 for name in figures)
