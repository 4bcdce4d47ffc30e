"""Fingerprint: a model in a few letters; two runs of the same model have the same.

It is made of the description of the parts, functions of time as samples over the whole run among it, and of what functions and
the user's own classes consist of: their code, defaults, the values they have taken from outside. What lies between two samples
counts as well, then.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from fmbs.results.store.description import Description

LIBRARIES = {"fmbs", "numpy", "scipy", "numba", "builtins", *sys.stdlib_module_names} - {"__main__"}
METHODS = ("__init__", "__post_init__", "__call__")
LENGTH = 16


def fingerprint(described: Description) -> str:
    """Of a model."""
    key = hashlib.sha256(_without_addresses(json.dumps(described.parts, sort_keys=True)).encode())
    for array in described.arrays:
        key.update(f"{array.dtype} {array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    for place, thing in described.own.items():
        key.update(place.encode())
        for piece in _pieces(thing, set()):
            key.update(piece)
    return key.hexdigest()[:LENGTH]


def fingerprint_of_settings(settings: Mapping[str, Any]) -> str:
    """Of anything that JSON holds."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:LENGTH]


def fingerprint_of_function(function: Any) -> str:
    """Of its code, its defaults and what it takes from outside."""
    key = hashlib.sha256()
    for piece in _pieces(function, set()):
        key.update(piece)
    return key.hexdigest()[:LENGTH]


def _pieces(thing: Any, seen: set[int]) -> Iterator[bytes]:
    """What it consists of, in an order that is the same in every process."""
    if isinstance(thing, (np.ndarray, np.generic)) and thing.dtype.kind != "O":
        yield f"{thing.dtype} {thing.shape}".encode() + np.ascontiguousarray(thing).tobytes()
        return
    if thing is None or isinstance(thing, (bool, int, float, complex, str, bytes)):
        yield repr(thing).encode()
        return
    yield _name(thing).encode()
    if id(thing) in seen:
        return
    seen.add(id(thing))
    for part in _parts(thing):
        yield from _pieces(part, seen)


def _parts(thing: Any) -> Iterator[Any]:
    if isinstance(thing, dict):
        yield from (part for item in thing.items() for part in item)
    elif isinstance(thing, (tuple, list)):
        yield from thing
    elif isinstance(thing, (set, frozenset)):
        yield from sorted(thing, key=repr)
    elif isinstance(thing, CodeType):
        yield from (thing.co_code, thing.co_consts, thing.co_names, thing.co_varnames)
    elif isinstance(thing, FunctionType):
        if not _of_library(thing):
            yield from (thing.__code__, thing.__defaults__, thing.__kwdefaults__)
            yield from (cell.cell_contents for cell in thing.__closure__ or () if _filled(cell))
            yield from (thing.__globals__[name] for name in sorted(_names(thing.__code__)) if name in thing.__globals__)
    elif isinstance(thing, MethodType):
        yield from (thing.__func__, thing.__self__)
    elif isinstance(thing, functools.partial):
        yield from (thing.func, thing.args, thing.keywords)
    elif isinstance(thing, type):
        if not _of_library(thing):
            own = {key: value for key, value in vars(thing).items() if not key.startswith("__") or key in METHODS}
            yield from (part for key in sorted(own) for part in (key, getattr(own[key], "__func__", own[key])))
    elif isinstance(thing, (property, functools.cached_property)):
        yield thing.fget if isinstance(thing, property) else thing.func
    elif hasattr(thing, "py_func"):  # compiled by numba
        yield thing.py_func
    elif not isinstance(thing, (ModuleType, BuiltinFunctionType)):
        yield type(thing)
        if is_dataclass(thing):
            yield from (getattr(thing, field.name, None) for field in fields(thing))
        elif not type(thing).__module__.startswith("fmbs."):  # parts of fmbs are in the description
            yield from (part for item in sorted(getattr(thing, "__dict__", {}).items()) for part in item)


def _name(thing: Any) -> str:
    if isinstance(thing, (FunctionType, type)):
        return f"{thing.__module__}.{thing.__qualname__}"
    if isinstance(thing, ModuleType):
        return thing.__name__
    kind = type(thing)
    plain = isinstance(thing, (dict, tuple, list, set, frozenset, CodeType)) or hasattr(thing, "__dict__")
    return f"{kind.__module__}.{kind.__qualname__}" + ("" if plain else _without_addresses(repr(thing)))


def _of_library(thing: Any) -> bool:
    return (thing.__module__ or "").partition(".")[0] in LIBRARIES


def _names(code: CodeType) -> set[str]:
    """Names of what it may take from its module, those of functions inside it too."""
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    return {*code.co_names}.union(*(_names(each) for each in inner))


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _without_addresses(text: str) -> str:
    """<function f at 0x7f...> is another one in every process."""
    return re.sub(r" at 0x[0-9a-f]+", "", text)
