"""Parameters as JSON and back: numbers, text, arrays, markers, bodies, dataclasses, sampled functions. Nothing is executed.

None, True, 1, 0.5, "text"                         themselves
[1, 2]                                             a tuple or list
{"array": [[...]]}, {"dataset": "arrays/3"}        a small and a large array
{"marker": 2, "at": [x, y, z]} or {..., "s": 0.5}  a marker on body 2 of the model; -1 is the ground
{"body": 2}                                        the body itself
{"class": "fmbs.elements.material.Material", "fields": {...}}
{"function": "name", "x": ..., "values": ..., "error": ...}     a function, sampled
{"unknown": "text"}                                what a file cannot hold
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
from fmbs.core.protocols import Body
from fmbs.results.store.bodies import BODIES, body_arguments, make_body
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
        if type(part) in BODIES:
            arguments = body_arguments(part)
        elif is_dataclass(part):
            arguments = {field.name: getattr(part, field.name) for field in fields(part)}
        else:
            return {"class": _address(type(part)), "fields": {"unknown": repr(part)}}
        return {"class": _address(type(part)), "fields": {k: self.value(v, f"{label}.{k}") for k, v in arguments.items()}}

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
            return {"marker": number, "at": value.position.tolist()} if value.s is None else {"marker": number, "s": value.s}
        if isinstance(value, Body):
            return {"body": self._number[id(value)]}
        if callable(value) and not type(value).__module__.startswith("fmbs.core"):  # SmoothStep is stored as it is
            return self._function(value, place)
        self._note(value, place)
        if is_dataclass(value) and not isinstance(value, type):
            inner = {field.name: self.value(getattr(value, field.name), f"{place}.{field.name}") for field in fields(value)}
            return {"class": _address(type(value)), "fields": inner}
        return {"unknown": repr(value)}

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
        arguments = {key: self.value(value) for key, value in item["fields"].items()}
        return make_body(cls, arguments) if cls in BODIES else _make(cls, arguments)

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
            return body.at(item["s"]) if "s" in item else Marker(body, np.array(item["at"]))
        if "body" in item:
            return self.bodies[item["body"]]
        if "function" in item:
            return SampledFunction(item["function"], self.value(item["x"]), self.value(item["values"]), item["error"])
        if "unknown" in item:
            raise UnknownClass(f"the file holds {item['unknown']} by name only")
        return _make(self._class(item["class"]), {key: self.value(value) for key, value in item["fields"].items()})

    def _class(self, address: str) -> type:
        module, _, name = address.rpartition(".")
        if name in self._classes:
            return self._classes[name]
        home = module.split(".")
        if home[0] == "fmbs" and len(home) > 1 and home[1] in HOMES:
            try:
                found = getattr(importlib.import_module(module), name)
            except (ImportError, AttributeError):
                found = None
            if isinstance(found, type) and (found in BODIES or is_dataclass(found)):
                return found
        raise UnknownClass(f"it has parts of the class {name} ({address}), which is not one of fmbs's own")


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
