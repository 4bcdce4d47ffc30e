"""Lists of values from the words of a command line: "a=1,2,3", "b=0:1:5" (from, to, how many), "c=x,y;z" (tuples)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fmbs.cli.values import parsed, typed
from fmbs.core.checks import nearest
from fmbs.core.errors import ModelError
from fmbs.models import MODELS, Parameter, parameters

MOST = 100_000  # values of one parameter
WORDS = {"true": True, "false": False}


def lists_from(model: str, words: Sequence[str]) -> dict[str, list[Any]]:
    """By name, in the order given; values are of the kind that the model's parameter has."""
    found: dict[str, list[Any]] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not (equals and key and text.strip(",;: ")):
            raise ModelError(f"{model}: {word!r} is not of the form parameter=values; give a=1,2,3 or a=from:to:count.")
        if key in found:
            raise ModelError(f"{model}: {key} is given twice.")
        found[key] = _values(model, key, text)
    return found


def _values(model: str, key: str, text: str) -> list[Any]:
    item = _parameter(model, key)
    if text.count(":") == 2 and (item is None or type(item.default) in (int, float)):
        return _spaced(model, key, text, whole=item is not None and type(item.default) is int)
    separator = ";" if item is not None and isinstance(item.default, tuple) else ","
    words = [word.strip() for word in text.split(separator) if word.strip()]
    return [_guessed(word) if item is None else parsed(model, item, word) for word in words]


def _parameter(model: str, key: str) -> Parameter | None:
    """What is known of it; None for a function of one's own."""
    from fmbs.studies.subject import SETTINGS  # slow to import, with all other studies

    if key in SETTINGS:
        return Parameter(key, "" if key == "linear_solver" else 0.0, "", "")
    if model not in MODELS:
        return None
    known = {item.name: item for item in parameters(MODELS[model])}
    if key not in known:
        raise ModelError(f"{model}: there is no parameter {key!r}.{nearest(key, [*known, *SETTINGS])}")
    return known[key]


def _spaced(model: str, key: str, text: str, whole: bool) -> list[Any]:
    """from:to:count, both ends included."""
    first, last, count = (typed(model, key, part) for part in text.split(":"))
    if count != int(count) or not 1 <= count <= MOST:
        raise ModelError(f"{model}: {key} = {text!r}: the count must be a whole number from 1 to {MOST}.")
    x = np.linspace(first, last, int(count))
    return [int(value) for value in dict.fromkeys(np.rint(x).tolist())] if whole else [float(value) for value in x]


def _guessed(word: str) -> Any:
    """For one's own functions: a whole number, a number, true or false, else the word."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return WORDS.get(word.lower(), word)
