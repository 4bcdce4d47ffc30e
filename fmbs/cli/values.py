"""Models and parameters from the words of a command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fmbs.core.checks import nearest, number
from fmbs.core.errors import ModelError
from fmbs.models import MODELS, Mechanism, Parameter, parameters

OTHER_NAMES = {"contact_law": "contact", "friction_law": "friction", "film_law": "film"}


def model_named(name: str) -> type[Mechanism]:
    if name not in MODELS:
        raise ModelError(f"there is no model {name!r}.{nearest(name, MODELS)}")
    return MODELS[name]


def model_from(name: str, words: Sequence[str]) -> Mechanism:
    """The model with parameters given as "name=value"."""
    model = model_named(name)
    known = {item.name: item for item in parameters(model)}
    values: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        key = OTHER_NAMES.get(key, key)
        if not equals:
            raise ModelError(f"{name}: {word!r} is not of the form parameter=value; see `fmbs show {name}`.")
        if key not in known:
            raise ModelError(f"{name}: there is no parameter {key!r}.{nearest(key, known)}")
        values[key] = parsed(name, known[key], text)
    return model(**values)


def typed(part: str, option: str, text: str) -> float:
    """A number as it is typed."""
    try:
        return number(part, option, float(text))
    except ValueError:
        raise ModelError(f"{part}: {option} = {text!r} is not a number; give a finite one.") from None


def parsed(model: str, item: Parameter, text: str) -> Any:
    """A value of the kind that the parameter's default has."""
    kind = type(item.default)
    try:
        if kind is bool:
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]
        if kind is tuple:
            return tuple(word.strip() for word in text.split(",") if word.strip())
        return {name.lower(): name for name in item.choices}.get(text.lower(), text) if kind is str else kind(text)
    except (KeyError, ValueError):
        wanted = {bool: "true or false", int: "a whole number", float: "a number in SI units"}[kind]
        raise ModelError(f"{model}: {item.name} = {text!r} is not {wanted}.") from None
