"""docs/reliability.md from all cases: `python -m tests.robustness.reliability_page`; from a share of them with a number."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.robustness.garbled_cases import garbled_case
from tests.robustness.input_cases import input_case
from tests.robustness.reliability_cases import Outcome, kill_case, pair_case, sweep_pair_case

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
TEXT = Path(__file__).with_suffix(".md")  # the page without its numbers
KILLS, PAIRS, SWEEPS, GARBLED, INPUTS = 120, 50, 20, 1000, 10_000  # cases; a case of kills has one to three of them


def run_all(case: Callable[[int, Path], Outcome], count: int) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        return [case(seed, Path(folder) / str(seed)) for seed in range(count)]


def table(outcomes: Sequence[Outcome]) -> str:
    """Counts by kind."""
    counted = list(dict.fromkeys(name for each in outcomes for name, _ in each.counts))
    lines = [f"| | cases | {' | '.join(counted)} | wrong |", "|---" * (len(counted) + 3) + "|"]
    for kind in [*dict.fromkeys(each.kind for each in outcomes), "all"]:
        own = [each for each in outcomes if kind in ("all", each.kind)]
        sums = Counter(dict.fromkeys(counted, 0))
        for each in own:
            sums.update(dict(each.counts))
        numbers = [len(own), *(sums[name] for name in counted), sum(bool(each.wrong) for each in own)]
        lines.append(f"| {kind} | {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)


def main(share: float = 1.0) -> None:
    wrong, tables = [], {}
    cases = {"kills": (kill_case, KILLS), "garbled": (garbled_case, GARBLED), "inputs": (input_case, INPUTS)}
    cases |= {"pairs": (pair_case, PAIRS), "sweeps": (sweep_pair_case, SWEEPS)}
    found = {name: run_all(case, round(share * count)) for name, (case, count) in cases.items()}
    found["pairs"] += found.pop("sweeps")
    for name, outcomes in found.items():
        tables[name] = table(outcomes)
        wrong += [each for each in outcomes if each.wrong]
        print(tables[name], flush=True)
    PAGE.write_text(TEXT.read_text().format(**tables))
    for each in wrong:
        print(each)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
