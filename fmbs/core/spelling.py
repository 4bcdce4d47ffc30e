"""A misspelt argument is answered with the nearest one that exists."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from fmbs.core.checks import nearest
from fmbs.core.errors import UnknownArgument

P = ParamSpec("P")
T = TypeVar("T")


@cache
def argument_names(function: Callable[..., Any]) -> frozenset[str] | None:
    """What a function or method takes by name; None: any name, as it has **options of its own."""
    parameters = [*inspect.signature(function).parameters.values()]
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return frozenset(p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)) - {"self"}


@cache
def first_argument(function: Callable[..., Any]) -> str:
    """The name of what a method takes first."""
    return [*inspect.signature(function).parameters, "", ""][1]


def check_names(part: str, given: Iterable[str], function: Callable[..., Any]) -> None:
    """Refuse arguments that the function does not take; `part` begins the message."""
    known = argument_names(function)
    for name in given:
        if known is not None and name not in known:
            raise UnknownArgument(f"{part}: there is no argument {name!r}.{nearest(name, known)}")


def spelled(method: Callable[P, T]) -> Callable[P, T]:
    """A function or method that answers misspelt arguments itself, with the name of its object. Its signature is kept."""

    @wraps(method)
    def checked(*arguments: P.args, **options: P.kwargs) -> T:
        if options:
            owner = getattr(arguments[0], "name", "") if arguments else ""
            check_names(f"{owner}: {method.__name__}" if owner else method.__name__, options, method)
        return method(*arguments, **options)

    return checked
