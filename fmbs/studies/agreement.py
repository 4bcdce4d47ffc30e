"""Statements about many runs: in how many of them they hold, and how far the numbers scatter."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import series, shown, text
from fmbs.core.errors import ModelError
from fmbs.studies.measure import Measure

Array = NDArray[np.float64]
Holds = Callable[[Mapping[str, float]], bool]

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
PATTERN = re.compile(r"(.+?)(<=|>=|<|>)(.+)", re.DOTALL)


@dataclass(frozen=True)
class Agreement:
    """Agreed in `agreed` runs of `of`; runs that failed count as runs that do not agree."""

    agreed: int
    of: int

    @classmethod
    def over(cls, found: Iterable[bool]) -> Agreement:
        values = [bool(each) for each in found]
        return cls(sum(values), len(values))

    @property
    def share(self) -> float:
        return self.agreed / self.of

    @property
    def all(self) -> bool:
        return self.agreed == self.of

    def __str__(self) -> str:
        return f"{self.agreed} of {self.of}"


@dataclass(frozen=True)
class Spread:
    """One number of many runs. values: of the runs that ended  # (runs,)."""

    values: Array

    @classmethod
    def over(cls, values: ArrayLike) -> Spread:
        return cls(series("spread", "values", values))

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    @property
    def deviation(self) -> float:
        """Standard deviation of one run, with n - 1; NaN of a single one."""
        return float(self.values.std(ddof=1)) if self.values.size > 1 else float("nan")

    def quantile(self, share: float) -> float:
        """Linear between runs: 0.5 is the median."""
        return float(np.quantile(self.values, share))

    def __str__(self) -> str:
        return f"{self.mean:.4g} +- {self.deviation:.2g}"


@dataclass(frozen=True)
class Statement:
    """Two measures, or a measure and a number, compared: "impacts(wrist pin) > 10"."""

    text: str
    left: str
    sign: str
    right: str

    @classmethod
    def parse(cls, words: str) -> Statement:
        """Nothing is evaluated as code."""
        match = PATTERN.fullmatch(text("ensemble", "statement", words))
        if match is None:
            raise ModelError(f"ensemble: statement {shown(words)} has no <, >, <= or >=; give 'impacts(wrist pin) > 10'.")
        left, sign, right = (part.strip() for part in match.groups())
        for side in (left, right):
            if _number(side) is None:
                Measure.parse(side)
        if _number(left) is not None and _number(right) is not None:
            raise ModelError(f"ensemble: statement {shown(words)} compares two numbers; name a measure.")
        return cls(words, left, sign, right)

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(side for side in (self.left, self.right) if _number(side) is None)

    def __call__(self, values: Mapping[str, float]) -> bool:
        """values: of the measures, by their text."""
        a, b = (values[side] if (x := _number(side)) is None else x for side in (self.left, self.right))
        return COMPARISONS[self.sign](a, b)


def _number(word: str) -> float | None:
    try:
        x = float(word)
    except ValueError:
        return None
    return x if np.isfinite(x) else None
