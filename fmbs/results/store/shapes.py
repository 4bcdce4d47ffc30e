"""Shapes and counts in a file beside those of its model, before anything is made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.assembly.system import System
from fmbs.results.store.encoding import Json
from fmbs.results.store.stored import Damaged


def check_counts(description: Json, largest: Mapping[str, int]) -> None:
    """Parts that are too large for the stored frames are not even made; largest: value of a parameter that says how large."""
    for key in ("bodies", "joints", "forces"):
        for part in description[key]:
            for name, count in _fields(part["fields"]):
                if name in largest and (not isinstance(count, int) or not 0 < count <= largest[name]):
                    label = part["fields"].get("name")
                    raise Damaged(f"{label!r} has {name} = {count!r}, and the frames are those of {largest[name]} or fewer")


def _fields(item: Json) -> Iterator[tuple[str, Any]]:
    for key, value in item.items() if isinstance(item, dict) else ():
        yield key, value
        yield from _fields(value)


def check_shapes(arrays: Mapping[str, Any], system: object) -> None:
    """Every array of a Solution has a row a frame and as many columns as the model wants."""
    frames, q = len(arrays["t"]), np.asarray(arrays["q"])
    size = {"q": q.shape[-1], "v": q.shape[-1], "a": q.shape[-1]}
    if isinstance(system, System):
        size = dict.fromkeys("qva", system.size) | {"lam": system.multipliers}
        size |= {"history": system.contacts.initial_history().size, "energy/contacts": len(system.contacts.names())}
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray) or name == "step_times" or (name == "history" and not array.size):
            continue
        columns = (size[name],) if name in size else array.shape[1:]
        flat = name == "t" or (name.startswith("energy/") and name != "energy/contacts")
        _same(name, array, (frames,) if flat else (frames, *columns))
    if np.ndim(arrays.get("step_times", np.empty(0))) != 1:
        raise Damaged("step_times is not a list of times")


def _same(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    if array.shape != shape or array.dtype != np.float64:
        raise Damaged(f"{name} is {array.shape} numbers ({array.dtype}), and the model has {shape}")
