"""Which cases a sweep runs: a grid, random or Latin hypercube samples."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import ModelError

Array = NDArray[np.float64]
Parameters = dict[str, Any]


def grid(values: Mapping[str, Sequence[Any]]) -> list[Parameters]:
    """All combinations; the last parameter varies fastest."""
    _check(values)
    return [dict(zip(values, case, strict=True)) for case in itertools.product(*values.values())]


def random(values: Mapping[str, Sequence[Any]], count: int, *, seed: int = 0) -> list[Parameters]:
    """Independent samples: numbers uniformly between the least and the largest given, other values picked from the list."""
    _check(values)
    return _placed(values, np.random.default_rng(seed).random((_counted(count), len(values))))


def latin_hypercube(values: Mapping[str, Sequence[Any]], count: int, *, seed: int = 0) -> list[Parameters]:
    """Samples that fill the space evenly: each of `count` strata of every parameter is hit once (scipy.stats.qmc)."""
    from scipy.stats import qmc  # slow to import

    _check(values)
    return _placed(values, qmc.LatinHypercube(len(values), seed=seed).random(_counted(count)))


def _placed(values: Mapping[str, Sequence[Any]], unit: Array) -> list[Parameters]:  # (count, parameters) in [0, 1)
    return [{key: _at(list(values[key]), float(u)) for key, u in zip(values, row, strict=True)} for row in unit]


def _at(values: list[Any], u: float) -> Any:
    kinds = {type(value) for value in values}
    if kinds == {int}:
        return int(min(values) + np.floor(u * (max(values) - min(values) + 1)))
    if kinds <= {int, float}:
        return float(min(values) + u * (max(values) - min(values)))
    return values[int(u * len(values))]


def _check(values: Mapping[str, Sequence[Any]]) -> None:
    if not values:
        raise ModelError("sweep: there is no parameter to vary; give lists of values by name.")
    for key, given in values.items():
        if isinstance(given, str) or len(given) == 0:
            raise ModelError(f"sweep: {key} = {given!r} is not a list of values; give {key}=[...] with one value or more.")


def _counted(count: int) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ModelError(f"sweep: count = {count!r} must be a whole number of 1 or more.")
    return count
