"""Which cases a sweep runs: a grid, random or Latin hypercube samples."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import listed, mapping, number, whole
from fmbs.core.errors import ModelError

Array = NDArray[np.float64]
Parameters = dict[str, Any]

SEEDS = 2**63 - 1  # the largest seed of random numbers


def grid(values: Mapping[str, Sequence[Any]]) -> list[Parameters]:
    """All combinations; the last parameter varies fastest."""
    lists = _checked(values)
    whole("sweep", "number of cases", math.prod(map(len, lists.values())))
    return [dict(zip(lists, case, strict=True)) for case in itertools.product(*lists.values())]


def random(values: Mapping[str, Sequence[Any]], count: int, *, seed: int = 0) -> list[Parameters]:
    """Independent samples: numbers uniformly between the least and the largest given, other values picked from the list."""
    lists, seed = _checked(values), whole("sweep", "seed", seed, 0, SEEDS)
    return _placed(lists, np.random.default_rng(seed).random((whole("sweep", "count", count), len(lists))))


def latin_hypercube(values: Mapping[str, Sequence[Any]], count: int, *, seed: int = 0) -> list[Parameters]:
    """Samples that fill the space evenly: each of `count` strata of every parameter is hit once (scipy.stats.qmc)."""
    from scipy.stats import qmc  # slow to import

    lists, seed = _checked(values), whole("sweep", "seed", seed, 0, SEEDS)
    return _placed(lists, qmc.LatinHypercube(len(lists), seed=seed).random(whole("sweep", "count", count)))


def _placed(values: Mapping[str, list[Any]], unit: Array) -> list[Parameters]:  # (count, parameters) in [0, 1)
    for key, given in values.items():
        for value in given:
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                number("sweep", key, value)
    return [{key: _at(values[key], float(u)) for key, u in zip(values, row, strict=True)} for row in unit]


def _at(values: list[Any], u: float) -> Any:
    kinds = {type(value) for value in values}
    if kinds == {int}:
        return int(min(values) + np.floor(u * (max(values) - min(values) + 1)))
    if kinds <= {int, float}:
        return float(min(values) + u * (max(values) - min(values)))
    return values[int(u * len(values))]


def _checked(values: object) -> dict[str, list[Any]]:
    found = mapping("sweep", "values", values, "parameters")
    if not found:
        raise ModelError("sweep: there is no parameter to vary; give lists of values by name.")
    lists = {key: listed("sweep", key, given) for key, given in found.items()}
    for key, given in lists.items():
        if not given:
            raise ModelError(f"sweep: {key} = {given!r} is not a list of values; give {key}=[...] with one value or more.")
    return lists
