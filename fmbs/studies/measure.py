"""Summary quantities of a run: "peak(force(wrist pin))", "rms(acceleration(slider).x)", "impacts(wrist pin)", or a function."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from fmbs.core.checks import asked, mapping, nearest, number, shown
from fmbs.core.checks import text as words
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.models.quantity import UNITS, Quantity
from fmbs.results import Solution
from fmbs.results.solution import check_solution
from fmbs.studies.contact import JOINT_NUMBERS

Array = NDArray[np.float64]
Asked = str | Callable[[Solution], float]  # of a user, for one number of a run


def time_mean(t: Array, x: Array) -> float:
    """Mean over time by trapezoids, right for frames at unequal times too."""
    return float(scipy.integrate.trapezoid(x, t) / (t[-1] - t[0])) if t.size > 1 else float(x[0])


REDUCTIONS: dict[str, Callable[[Array, Array], float]] = {
    "last": lambda t, x: float(x[-1]),
    "peak": lambda t, x: float(np.abs(x).max()),
    "max": lambda t, x: float(x.max()),
    "min": lambda t, x: float(x.min()),
    "range": lambda t, x: float(np.ptp(x)),
    "mean": time_mean,
    "rms": lambda t, x: float(np.sqrt(time_mean(t, x**2))),
}
PATTERN = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)


@dataclass(frozen=True)
class Measure:
    """One number of a run: a reduction of a quantity over time, or a number of a clearance joint.

    how: a key of REDUCTIONS, with quantity; or of JOINT_NUMBERS, with joint
    skip: frames before this time are left out, s
    """

    how: str
    quantity: Quantity | None = None
    joint: str = ""
    skip: float = 0.0

    @classmethod
    def parse(cls, text: str, skip: float = 0.0) -> Measure:
        """A quantity alone is its last value. Nothing is evaluated as code."""
        number("measure", "skip", skip)
        match = PATTERN.fullmatch(words("study", "measure", text))
        head, inner = match.groups() if match else ("", "")
        if head in JOINT_NUMBERS:
            return cls(head, joint=inner.strip(), skip=skip)
        if head in REDUCTIONS:
            return cls(head, Quantity.parse(inner), skip=skip)
        if head and head not in UNITS and "(" in inner:
            raise ModelError(f"measure {text!r}: {head!r} is unknown.{nearest(head, [*REDUCTIONS, *JOINT_NUMBERS])}")
        return cls("last", Quantity.parse(text), skip=skip)

    def __str__(self) -> str:
        return f"{self.how}({self.quantity or self.joint})"

    @property
    def unit(self) -> str:
        return self.quantity.unit if self.quantity else JOINT_NUMBERS[self.how][0]

    def of(self, solution: Solution, points: Mapping[str, Marker]) -> float:
        check_solution(f"measure {self}", solution)
        t = solution.t
        kept = t >= self.skip
        if not kept.any():
            raise ModelError(f"measure {self}: no frame after skip = {self.skip:g} s; the run ends at {t[-1]:g} s.")
        if self.quantity is None:
            return JOINT_NUMBERS[self.how][1](solution, self.joint, kept)
        values = self.quantity.of(solution, solution.model, checked_points(points))
        return REDUCTIONS[self.how](t[kept], values[kept])


@dataclass(frozen=True)
class OwnMeasure:
    """A function of the solution that returns one number; tables have it under its name. It leaves out frames by itself."""

    function: Callable[[Solution], float]
    unit: str = ""

    def __str__(self) -> str:
        return self.function.__name__

    def of(self, solution: Solution, points: Mapping[str, Marker]) -> float:
        check_solution(f"measure {self}", solution)
        return number("measure", str(self), asked("measure", str(self), self.function, solution))


def measure_of(given: Asked, skip: float = 0.0) -> Measure | OwnMeasure:
    """Of a text or a function."""
    if not callable(given):
        return Measure.parse(given, skip)
    if not getattr(given, "__name__", "<").isidentifier():
        raise ModelError(f"measure: {shown(given)} has no name for its column; define it with def.")
    return OwnMeasure(given)


def label(given: Asked) -> str:
    """What its column is called: the text as it was given, or the name of the function."""
    return str(measure_of(given)) if callable(given) else given


def labels(study: str, given: Sequence[Asked]) -> tuple[str, ...]:
    """Of several, checked: no two of one name."""
    for each in given:
        measure_of(each)
    found = tuple(label(each) for each in given)
    if any(callable(each) for each in given) and len(set(found)) < len(found):
        raise ModelError(f"{study}: measures {', '.join(found)}: two have the same name; rename one function.")
    return found


def signal(solution: Solution, text: str, points: Mapping[str, Marker]) -> Array:
    """A quantity over time  # (frames,)."""
    check_solution("signal", solution)
    return Quantity.parse(text).of(solution, solution.model, checked_points(points))


def checked_points(points: object) -> dict[str, Marker]:
    """Markers by name."""
    found = mapping("measure", "points", points, "markers")
    for name, marker in found.items():
        if not isinstance(marker, Marker):
            raise ModelError(f"measure: points[{name!r}] = {shown(marker)} is not a marker; give body.at(...).")
    return found
