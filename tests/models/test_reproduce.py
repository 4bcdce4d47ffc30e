"""Reproductions: cases, pages, and that every paper's page can be made. The pages themselves are in docs/reproductions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.reproduce import PAPERS, reproduce
from fmbs.reproduce.cases import PaperCase, members, run_cases
from fmbs.reproduce.claim import ABSENT, Claim, verdict
from fmbs.reproduce.page import Page, panels
from fmbs.reproduce.paper import Paper
from fmbs.reproduce.record import Record, digest


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


def test_members_of_an_ensemble_are_the_run_and_its_pushes() -> None:
    """The push of a member moves the slider by little; a member can be run again by itself."""
    case = PaperCase("case", "slider_crank_planar", {"joint": "dry"}, 2e-5, last)
    got = run_cases(case.ensemble(3, push=10.0, seed=3), 1)
    assert list(got) == ["case", "case #1", "case #2"] and case.base == "case"
    x = [r["x"] for r in members(got, "case")]
    assert len(set(x)) == 3 and np.ptp(x) < 1e-6
    assert run_cases(case.ensemble(3, push=10.0, seed=3)[2:], 1)["case #2"]["x"] == x[2]


def lay_out(page: Page) -> None:
    page.statements()
    page.figures()
    page.runs()


TOY = Paper(
    name="toy", title="A paper",
    claims=(
        Claim(where="Fig. 1", words="it ends near 0.17 m", got="{end[x]:.3f} m",
              verdict=lambda n: verdict(abs(n["end"]["x"] - 0.17) < 1e-3), test="test_reproduce.py::test_x"),
        Claim(where="Fig. 2", words="it is green", got="colours are not computed", verdict=ABSENT, reason="no colour"),
    ),
    cases=lambda quick: [PaperCase("one", "slider_crank_planar", {}, 1e-5, last)],
    numbers=lambda got: {"end": {"x": got["one"]["x"]}},
    draw=lambda got: [("fig1", "Fig. 1. Nothing.", panels(1)[0])],
    layout=lay_out,
)  # fmt: skip


def test_page_is_made_of_the_record_alone(tmp_path: Path) -> None:
    path = TOY.reproduce(tmp_path / "deep", quick=True, jobs=1)
    record = Record.load(tmp_path / "deep")
    text = path.read_text()
    assert text == TOY.page(record)
    assert "| 1 | Fig. 1: it ends near 0.17 m | 0.170 m | **confirmed** | `reproduce.py test_x` |" in text
    assert "2 statements: 1 confirmed, 0 confirmed with deviation, 0 not confirmed, 1 not shown." in text
    assert "![Fig. 1. Nothing.](fig1.png)" in text and "--quick" in text
    assert digest(tmp_path / "deep" / "fig1.png") == record.figures["fig1"]["sha256"]
    moved = replace(record, numbers={"end": {"x": 0.2}})
    assert "**not confirmed**" in TOY.page(moved)


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_is_reproduced(paper: str, tmp_path: Path) -> None:
    text = reproduce(paper, tmp_path, quick=True).read_text()
    assert all(
        (tmp_path / name).exists() for name in [line.split("](")[1][:-1] for line in text.splitlines() if line[:2] == "!["]
    )
    assert "What to try" not in text  # no case stopped early
