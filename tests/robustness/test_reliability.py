"""Kills, pairs of runs, garbled files, garbage as input: a sample here, all in `make test-all` and in docs/reliability.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.robustness.garbled_cases import garbled_case
from tests.robustness.input_cases import input_case
from tests.robustness.input_catalogue import calls
from tests.robustness.reliability_cases import Outcome, kill_case, pair_case, sweep_pair_case
from tests.robustness.reliability_models import JOBS
from tests.robustness.reliability_page import GARBLED, INPUTS, KILLS, PAIRS, SWEEPS

Case = Callable[[int, Path], Outcome]


def check(case: Case, seeds: Sequence[int], folder: Path) -> None:
    outcomes = {seed: case(seed, folder / str(seed)) for seed in seeds}
    assert not {seed: each for seed, each in outcomes.items() if each.wrong}


@pytest.mark.parametrize("name", ["contact, fixed step", "flexible, error control", "Baumgarte, LSODA"])
def test_killed_runs_go_on_as_if_nothing_had_been(name: str, tmp_path: Path) -> None:
    check(kill_case, [[*JOBS].index(name)], tmp_path)


def test_two_runs_in_one_file(tmp_path: Path) -> None:
    check(pair_case, range(2), tmp_path)


def test_two_sweeps_in_one_folder(tmp_path: Path) -> None:
    check(sweep_pair_case, [0], tmp_path)


def test_garbled_files_are_refused_or_equal(tmp_path: Path) -> None:
    check(garbled_case, range(60), tmp_path)


def test_garbage_is_refused_in_words(tmp_path: Path) -> None:
    """Every sixth call."""
    check(input_case, range(0, len(calls()), 6), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "count"),
    [(kill_case, KILLS), (pair_case, PAIRS), (sweep_pair_case, SWEEPS), (garbled_case, GARBLED), (input_case, INPUTS)],
)
def test_all_of_them(case: Case, count: int, tmp_path: Path) -> None:
    check(case, range(count), tmp_path)
