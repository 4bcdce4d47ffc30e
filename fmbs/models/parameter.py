"""Parameters of ready-made models: a default with its unit, meaning and range, for people and for the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any

from fmbs.core.checks import choice, number, shown
from fmbs.core.errors import ModelError

LARGEST = 1e30  # beyond it squares and products overflow


@dataclass(frozen=True)
class Parameter:
    """What is known of a parameter: unit in SI ("" without one), meaning, allowed values."""

    name: str
    default: Any
    unit: str
    meaning: str
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """In words."""
        if self.choices:
            return " | ".join(self.choices) if isinstance(self.default, str) else "any of " + ", ".join(self.choices)
        if isinstance(self.default, bool):
            return "true | false"
        low = f"> {self.above:g}" if self.above is not None else f">= {self.at_least:g}" if self.at_least is not None else ""
        high = f"<= {self.at_most:g}" if self.at_most is not None else ""
        return ", ".join(part for part in (low, high) if part)

    def check(self, part: str, value: Any) -> None:
        """Raise ModelError unless the value is of the default's kind and in range."""
        kind = type(self.default)
        if self.choices:
            given = (value,) if isinstance(self.default, str) else value
            if not isinstance(given, tuple):
                raise ModelError(f"{part}: {self.name} = {shown(value)} is not a tuple of names; give ({self.choices[0]!r},).")
            for name in given:
                choice(part, self.name, name, self.choices)
        elif kind is bool and not isinstance(value, bool):
            raise ModelError(f"{part}: {self.name} = {shown(value)} must be True or False.")
        elif kind is int and (isinstance(value, bool) or not isinstance(value, int)):
            raise ModelError(f"{part}: {self.name} = {shown(value)} must be a whole number.")
        elif kind in (int, float):
            self._check_range(part, number(part, self.name, value))

    def _check_range(self, part: str, x: float) -> None:
        if abs(x) > LARGEST:
            raise ModelError(f"{part}: {self.name} = {x:g} is too large for any mechanism; check its unit (SI).")
        low = (self.above is None or x > self.above) and (self.at_least is None or x >= self.at_least)
        if not (low and (self.at_most is None or x <= self.at_most)):
            unit = f" {self.unit}" if self.unit else ""
            raise ModelError(f"{part}: {self.name} = {x:g}{unit} is out of range; allowed: {self.allowed}.")


def parameter(
    default: Any, unit: str, meaning: str, *, above: float | None = None, at_least: float | None = None,
    at_most: float | None = None, choices: Sequence[str] = (),
) -> Any:  # fmt: skip
    """A dataclass field that knows its unit, meaning and range."""
    known = {"unit": unit, "meaning": meaning, "above": above, "at_least": at_least, "at_most": at_most}
    return field(default=default, metadata={"parameter": {**known, "choices": tuple(choices)}})


def positive(default: float, unit: str, meaning: str) -> Any:
    """A parameter above zero."""
    return parameter(default, unit, meaning, above=0.0)


def parameters(model: Any) -> list[Parameter]:
    """Of a model or its class, in the order of their definition."""
    return [_described(item) for item in fields(model) if "parameter" in item.metadata]


def _described(item: Field[Any]) -> Parameter:
    return Parameter(name=item.name, default=item.default, **item.metadata["parameter"])
