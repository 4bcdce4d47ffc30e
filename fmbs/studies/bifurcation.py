"""Bifurcation diagrams: a section of the motion over a parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import listed, mapping, text
from fmbs.core.errors import ModelError
from fmbs.plots.style import COLOURS, literal, panels
from fmbs.studies.measure import Measure
from fmbs.studies.subject import Build, Subject
from fmbs.studies.sweep import Sweep, sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fmbs.models import Mechanism

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Bifurcation:
    """values: of the parameter, of every case that ran  # (n,); samples: of the quantity, once a period, of each."""

    parameter: str
    quantity: str
    values: Array
    samples: tuple[Array, ...]
    unit: str = ""  # of the parameter

    @classmethod
    def of(cls, found: Sweep, parameter: str, quantity: str, unit: str = "") -> Bifurcation:
        """From a sweep that was run with section=quantity."""
        rows = [row for row in found.done if row.samples]
        if not rows or any(parameter not in row.parameters for row in rows):
            raise ModelError(
                f"bifurcation: no case has samples over {parameter!r}; run the sweep with section= and that parameter."
            )
        values = np.array([row.parameters[parameter] for row in rows], dtype=float)
        return cls(parameter, quantity, values, tuple(np.array(row.samples) for row in rows), unit)

    def branches(self, apart: float = 0.02) -> NDArray[np.int_]:
        """How many groups the samples of each case form, `apart` of the diagram's range from each other: the period  # (n,)."""
        gap = apart * float(np.ptp(np.concatenate(self.samples)))
        return np.array([1 + int((np.diff(np.sort(x)) > gap).sum()) for x in self.samples])

    def figure(self) -> Figure:
        """One point a period."""
        figure, axes = panels(size=(9.0, 5.0))
        x = np.repeat(self.values, [each.size for each in self.samples])
        size = 4.0 if x.size < 500 else 2.5
        axes[0, 0].plot(x, np.concatenate(self.samples), ".", color=COLOURS[0], markersize=size, alpha=0.7)
        unit = Measure.parse(self.quantity).unit
        axes[0, 0].set_xlabel(literal(self.parameter) + (f" [{self.unit}]" if self.unit else ""))
        axes[0, 0].set_ylabel(literal(f"{self.quantity} once a period") + (f" [{unit}]" if unit else ""))
        return figure


def bifurcation(
    model: str | type[Mechanism] | Build, parameter: str, values: Sequence[float], quantity: str, *, folder: str | Path,
    turns: float, skip_turns: float, parameters: Mapping[str, Any] | None = None, jobs: int | None = None,
    progress: bool | None = None, **settings: Any,
) -> Bifurcation:  # fmt: skip
    """Run the model for every value of a parameter and keep a quantity once a period, after the transient.

    turns, skip_turns: length of each run and of its transient in periods (60/rpm, or the parameter `period`)
    """
    common = {} if parameters is None else mapping("bifurcation", "parameters", parameters, "parameters")
    text("bifurcation", "parameter", parameter)
    cases = [{**common, parameter: value} for value in listed("bifurcation", "values", values)]
    found = sweep(
        model, cases, (), folder=folder, section=quantity, skip_turns=skip_turns, jobs=jobs, progress=progress, turns=turns,
        **settings,
    )  # fmt: skip
    return Bifurcation.of(found, parameter, quantity, Subject.of(model, {}).unit(parameter))
