"""What a paper states about its results, and what becomes of it here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Numbers = Mapping[str, Any]  # of a record: nested, JSON

CONFIRMED = "confirmed"
DEVIATES = "confirmed with deviation"
REFUTED = "not confirmed"
ABSENT = "not shown"
VERDICTS = (CONFIRMED, DEVIATES, REFUTED, ABSENT)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One statement of results of a paper.

    where: section and figure; words: the paper's, short
    got: what fmbs found: a format string over the numbers of a record, or a function of them
    verdict: a function of the numbers -> one of VERDICTS, so that no page can say what its numbers do not; one of them as it
        stands only where nothing is computed
    test: of tests/literature, file::function; reason: why there is none
    """

    where: str
    words: str
    got: str | Callable[[Numbers], str]
    verdict: Callable[[Numbers], str] | str
    test: str = ""
    reason: str = ""

    def found(self, numbers: Numbers) -> str:
        return self.got(numbers) if callable(self.got) else self.got.format(**numbers)

    def judged(self, numbers: Numbers) -> str:
        verdict = self.verdict(numbers) if callable(self.verdict) else self.verdict
        if verdict not in VERDICTS:
            raise ValueError(f"{self.where}: {verdict!r} is none of {', '.join(VERDICTS)}")
        return verdict


def verdict(holds: bool, nearly: bool = False) -> str:
    """Confirmed if it holds, with deviation if only nearly, else not confirmed."""
    return CONFIRMED if holds else DEVIATES if nearly else REFUTED
