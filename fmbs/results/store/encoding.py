"""Parameters as JSON and back: numbers, text, arrays, markers, bodies, dataclasses, sampled functions. Nothing is executed.

None, True, 1, 0.5, "text"                         themselves
[1, 2]                                             a tuple or list
{"array": [[...]]}, {"dataset": "arrays/3"}        a small and a large array
{"marker": 2, "at": [x, y, z]} or {..., "s": 0.5}  a marker on body 2 of the model; -1 is the ground; "on": its interface
{"body": 2}                                        the body itself
{"class": "fmbs.elements.material.Material", "fields": {...}}
{"function": "name", "x": ..., "values": ..., "error": ...}     a function, sampled
{"unknown": "text"}                                what a file cannot hold; of a part, in place of its fields
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import Restored, Stored
from fmbs.core.protocols import Body
from fmbs.results.store.functions import SampledFunction, sample

Json = Any
LARGE = 64  # entries above which an array becomes a dataset
HOMES = ("core", "elements", "joints", "forces", "laws")  # packages of fmbs whose classes a file may name


class UnknownClass(ModelError):
    """A file names a class that fmbs does not have."""


class Encoder:
    """Values of one model as JSON; large arrays and the names of sampled functions are collected on the way.

    bodies: of the model, in order
    t_end: functions of time are sampled from 0 to here, s
    """

    def __init__(self, bodies: Sequence[Body], t_end: float) -> None:
        self.arrays: list[NDArray[Any]] = []
        self.sampled: dict[str, float] = {}  # "motor.speed" -> relative error of the table
        self.own: dict[str, Any] = {}  # functions and what is of the user's own classes
        self._number = {id(body): k for k, body in enumerate(bodies)}
        self._t_end = t_end

    def part(self, part: Any) -> Json:
        """A body, joint or force with its arguments."""
        label = part.name or type(part).__name__
        self._note(part, label)
        return self._made_of(part, label)

    def _made_of(self, thing: Any, place: str) -> Json:
        """By its class and what that is called with, if it tells."""
        if isinstance(thing, Stored):
            arguments = thing.arguments()
        elif is_dataclass(thing):
            arguments = {field.name: getattr(thing, field.name) for field in fields(thing)}
        elif not getattr(thing, "__dict__", True):  # a law without parameters
            arguments = {}
        else:
            return {"class": _address(type(thing)), "unknown": repr(thing)}
        return {"class": _address(type(thing)), "fields": {k: self.value(v, f"{place}.{k}") for k, v in arguments.items()}}

    def value(self, value: Any, place: str = "") -> Json:
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            return self._array(value)
        if isinstance(value, (tuple, list)):
            return [self.value(item, f"{place}[{k}]") for k, item in enumerate(value)]
        if isinstance(value, dict) and all(isinstance(key, str) for key in value):
            return {"dict": {key: self.value(item, f"{place}[{key}]") for key, item in value.items()}}
        if isinstance(value, Marker):
            number = -1 if value.body.size == 0 else self._number[id(value.body)]
            if value.on:
                return {"marker": number, "at": value.position.tolist(), "on": value.on}
            if value.s is None:
                return {"marker": number, "at": value.position.tolist()}
            return {"marker": number, "s": value.s, **({"offset": [0.0, *value.offset]} if any(value.offset) else {})}
        if isinstance(value, Body):
            return {"body": self._number[id(value)]}
        if callable(value) and not type(value).__module__.startswith("fmbs.core"):  # SmoothStep is stored as it is
            return self._function(value, place)
        self._note(value, place)
        return {"unknown": repr(value)} if isinstance(value, type) else self._made_of(value, place)

    def _note(self, value: Any, place: str) -> None:
        if not type(value).__module__.startswith("fmbs."):
            self.own[f"{place} #{len(self.own)}"] = value

    def _array(self, value: NDArray[Any]) -> Json:
        if value.size <= LARGE:
            return {"array": value.tolist()}
        self.arrays.append(value)
        return {"dataset": f"arrays/{len(self.arrays) - 1}"}

    def _function(self, function: Any, place: str) -> Json:
        self.own[f"{place} #{len(self.own)}"] = function
        along = place.rpartition(".")[2] in ("curve", "up")  # functions of s; all others are functions of time
        try:
            table = sample(function, 0.0, 1.0 if along else self._t_end)
        except Exception as error:
            return {"unknown": f"function {function!r}, which cannot be sampled: {error}"}
        self.sampled[place] = table.error
        x, values = self._array(table.x), self._array(table.values)
        return {"function": table.name, "x": x, "values": values, "error": table.error}


class Decoder:
    """The way back.

    bodies: of the model, filled as they are made; ground: its ground
    arrays: "arrays/3" -> array
    classes: the user's own, by name
    """

    def __init__(self, ground: Any, arrays: Mapping[str, NDArray[Any]], classes: Sequence[type] = ()) -> None:
        self.bodies: list[Any] = []
        self._ground, self._arrays = ground, arrays
        self._classes = {cls.__name__: cls for cls in classes}

    def part(self, item: Json) -> Any:
        cls = self._class(item["class"])
        if "fields" not in item:
            raise UnknownClass(
                f"the file does not know what {item['unknown']} was made with; make {cls.__name__} a dataclass, or give it a "
                "method arguments(), and save the run again"
            )
        arguments = {key: self.value(value) for key, value in item["fields"].items()}
        return cls.from_arguments(arguments) if issubclass(cls, Restored) else _make(cls, arguments)

    def value(self, item: Json) -> Any:
        if isinstance(item, list):
            return tuple(self.value(entry) for entry in item)
        if not isinstance(item, dict):
            return item
        if "array" in item:
            return np.array(item["array"])
        if "dataset" in item:
            return self._arrays[item["dataset"]]
        if "dict" in item:
            return {key: self.value(entry) for key, entry in item["dict"].items()}
        if "marker" in item:
            body = self._ground if item["marker"] < 0 else self.bodies[item["marker"]]
            aside = {"offset": item["offset"]} if "offset" in item else {}
            place = item.get("at", ())
            return body.at(item["s"], **aside) if "s" in item else Marker(body, np.array(place), on=item.get("on", ""))
        if "body" in item:
            return self.bodies[item["body"]]
        if "function" in item:
            return SampledFunction(item["function"], self.value(item["x"]), self.value(item["values"]), item["error"])
        if "class" not in item:
            raise UnknownClass(f"the file holds {item['unknown']} by name only")
        return self.part(item)

    def missing(self, item: Json) -> set[str]:
        """Names of the classes that a stored value needs and that neither fmbs nor the user gives."""
        if isinstance(item, list):
            return set().union(*map(self.missing, item))
        if not isinstance(item, dict):
            return set()
        found = self.missing([*item.values()])
        if "class" not in item or self._known(item["class"]):
            return found
        return found | {item["class"].rpartition(".")[2]}

    def _class(self, address: str) -> type:
        found = self._known(address)
        if found is None:
            raise UnknownClass(f"the class {address} is not one of fmbs's own")
        return found

    def _known(self, address: str) -> type | None:
        module, _, name = address.rpartition(".")
        if name in self._classes:
            return self._classes[name]
        home = module.split(".")
        if home[0] != "fmbs" or len(home) == 1 or home[1] not in HOMES:
            return None
        try:
            found = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            return None
        return found if isinstance(found, type) and (issubclass(found, Stored) or is_dataclass(found)) else None


def _address(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _make(cls: type, arguments: dict[str, Any]) -> Any:
    """By the constructor, which checks; where that takes other arguments (Circle), by the fields."""
    if not is_dataclass(cls):
        return cls(**arguments)
    takes = inspect.signature(cls).parameters
    if set(arguments) <= set(takes):
        return cls(**arguments)
    made = object.__new__(cls)
    for key, value in arguments.items():
        object.__setattr__(made, key, value)
    return made
