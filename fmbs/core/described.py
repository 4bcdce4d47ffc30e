"""What all objects share that a user makes or gets: they print in one line and answer misspelt arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import shown
from fmbs.core.errors import ModelError
from fmbs.core.notebook import ShownAsText
from fmbs.core.spelling import check_names, first_argument
from fmbs.core.words import UNITS

FEW = 9  # numbers that are printed one by one; of more the count and the largest


class Described(ShownAsText):
    """Base of bodies, joints, drives, forces, laws, sections, materials, of the model and of results.

    repr: RigidBody('arm', mass=2 kg, inertia=(1, 1, 1) kg m^2, com=(0, 0, 0) m), from `_facts`
    units: of arguments that `fmbs.core.words.UNITS` does not know or knows otherwise: class Drive(Described, units={...})
    """

    _units: ClassVar[Mapping[str, str]] = UNITS

    def __new__(cls, *arguments: Any, **options: Any) -> Self:
        name = options.get("name", arguments[0] if arguments and first_argument(cls.__init__) == "name" else "")
        if not isinstance(name, str):
            raise ModelError(f"{cls.__name__}: name = {shown(name)} is not a text; give name='pin', for example.")
        if options:
            check_names(f"{cls.__name__} {name!r}" if name else cls.__name__, options, cls.__init__)
        return super().__new__(cls)

    def __init_subclass__(cls, *, units: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = () if cls.__module__.startswith("fmbs.") else vars(cls).get("__annotations__", ())  # units that fmbs cannot know
        cls._units = {name: unit for name, unit in cls._units.items() if name not in own} | dict(units or {})
        if "__repr__" not in vars(cls):
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]  # its own, or a dataclass would write another one

    def _facts(self) -> Mapping[str, Any]:
        """What is worth printing: the arguments of a dataclass that are not at their defaults."""
        if not is_dataclass(self):
            return {key: value for key, value in vars(self).items() if key != "name" and not key.startswith("_")}
        known = {field.name: (getattr(self, field.name, None), field.default) for field in fields(self) if field.name != "name"}
        return {key: value for key, (value, default) in known.items() if not _same(value, default)}

    def _short(self) -> str:
        """As an argument of something else."""
        return repr(getattr(self, "name", "") or self)

    @property
    def facts(self) -> str:
        """mass=2 kg, com=(0, 0, 1) m: in words what it is made of; what is None is left out."""
        known = self._facts().items()
        return ", ".join(f"{key}={words(value, self._units.get(key, ''))}" for key, value in known if value is not None)

    def __repr__(self) -> str:
        name = getattr(self, "name", "")
        return f"{type(self).__name__}({', '.join(filter(None, [repr(name) if name else '', self.facts]))})"


def words(value: Any, unit: str = "") -> str:
    """One value: a number with its unit, a few numbers in brackets, a part by its name, a function as such."""
    if isinstance(value, Described):
        return value._short()
    if isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.bool_)):
        return f"{value:.6g} {unit}".rstrip()
    if isinstance(value, (tuple, list, np.ndarray)):
        return _many(value, unit)
    text = repr(value)
    return "function" if callable(value) and " at 0x" in text else text


def _many(values: Sequence[Any] | NDArray[Any], unit: str) -> str:
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        return f"({', '.join(words(value, unit) for value in values)})"
    if not array.size:
        return "()"
    if array.size > FEW:
        largest = np.nanmax(np.abs(array)) if np.isfinite(array).any() else np.nan
        return f"{' x '.join(map(str, array.shape))} numbers up to {words(float(largest), unit)}"
    return f"{_nested(array)} {unit}".rstrip()


def _nested(array: NDArray[Any]) -> str:
    return f"({', '.join(_nested(row) for row in array)})" if array.ndim else f"{array:.6g}"


def _same(value: Any, default: Any) -> bool:
    plain = (bool, int, float, str, tuple)
    return value is default or (isinstance(value, plain) and isinstance(default, plain) and value == default)
