"""Every statement of results of the papers has a test, or a reason why it has none; every committed page is its record's."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from fmbs.models import MODELS
from fmbs.reproduce.claim import ABSENT, VERDICTS, Claim
from fmbs.reproduce.papers import PAPERS as ALL
from fmbs.reproduce.papers import paper
from fmbs.reproduce.period import Period
from fmbs.reproduce.record import Record, digest, rounded
from fmbs.reproduce.summary import summary

HERE = Path(__file__).parent
PAGES = HERE.parents[1] / "docs" / "reproductions"
PAPERS = list(ALL)
STATEMENTS = [(name, k, claim) for name in PAPERS for k, claim in enumerate(paper(name).claims, 1)]


@cache
def functions(file: str) -> set[str]:
    tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(
    ("name", "claim"), [(name, claim) for name, _, claim in STATEMENTS], ids=[f"{n}-{k}" for n, k, _ in STATEMENTS]
)
def test_statement_has_a_test_or_a_reason(name: str, claim: Claim) -> None:
    assert bool(claim.test) != bool(claim.reason), f"{name}, {claim.where}: give a test, or say why there is none"
    if claim.test:
        file, function = claim.test.split("::")
        assert function in functions(file)
    said = claim.judged(Record.load(PAGES / name).numbers)
    assert said in VERDICTS
    assert claim.test or said == ABSENT, f"{name}, {claim.where}: {said} without a test"


@pytest.mark.parametrize("name", PAPERS)
def test_committed_page_is_that_of_its_record(name: str) -> None:
    """A page is made of results.json alone, so every number in it is the record's."""
    record = Record.load(PAGES / name)
    assert (PAGES / name / "README.md").read_text(encoding="utf-8") == paper(name).page(record)
    assert rounded(record.numbers) == record.numbers


@pytest.mark.parametrize("name", PAPERS)
def test_numbers_of_a_page_change_with_its_record(name: str) -> None:
    """No number of results is written into the text by hand: with other numbers in the record hardly a line stays."""
    record = Record.load(PAGES / name)
    claims = paper(name).claims
    written = [claim.got for claim in claims if isinstance(claim.got, str) and "{" not in claim.got]
    assert not [text for text in written if re.search(r"\d\.\d|\d %|\d+ of \d", text)]
    assert not record.quick


@pytest.mark.parametrize("name", PAPERS)
def test_figures_belong_to_the_record(name: str) -> None:
    folder, record = PAGES / name, Record.load(PAGES / name)
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert {path.stem for path in folder.glob("*.png")} == set(record.figures)
    for figure, entry in record.figures.items():
        assert digest(folder / f"{figure}.png") == entry["sha256"], f"{figure}.png is of another run"
        assert f"]({figure}.png)" in text
        assert (folder / f"{figure}.png").stat().st_size < 300_000


@pytest.mark.parametrize("name", PAPERS)
def test_record_names_commit_and_settings(name: str) -> None:
    record = Record.load(PAGES / name)
    assert re.fullmatch(r"[0-9a-f]{40}", record.commit), "commit the code first, then write the page"
    for run in record.runs:
        assert run["model"] in MODELS and run["t_end"] > 0.0 and run["steps"] > 0
        assert "step" in run["options"] or "tolerance" in run["options"]
        assert run["members"] == 1 or run["push"] > 0.0
        MODELS[run["model"]](**{key: tuple(x) if isinstance(x, list) else x for key, x in run["parameters"].items()})


def test_summary_is_that_of_the_records() -> None:
    assert (PAGES / "README.md").read_text(encoding="utf-8") == summary(PAGES)


def test_period_of_a_signal_of_known_period() -> None:
    """Three turns that come again and again, and a drift on top that the period is not found with."""
    turns = 12
    signal = [[float((k % 3) * x) for x in range(20)] for k in range(turns)]
    assert Period.of(np.array(signal)).turns == 3
    assert Period.of(np.array(signal) + np.linspace(0.0, 40.0, turns)[:, None]).turns == 0
