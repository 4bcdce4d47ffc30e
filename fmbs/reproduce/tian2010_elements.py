"""How many elements Tian2010's double pendulum needs, by formulation: Fig. 8 taken further."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fmbs.reproduce.sheet import COLOURS, Sheet, panels
from fmbs.studies import Convergence, convergence

if TYPE_CHECKING:
    from fmbs.studies.convergence import Curve, Refined

INTERPOLATIONS = ("hermite", "quadratic", "cubic")
FORMULATIONS = ("continuum", "enhanced", "structural")
ELEMENTS = (2, 4, 8, 16, 32, 64)
WANTED = 1e-3  # of the pendulum's length, 1 m


@dataclass(frozen=True)
class Study:
    """One E. duration and step: s, chosen so that the time error is a tenth of WANTED or less; time_error: measured, m."""

    E: float
    duration: float
    step: float
    time_error: float
    result: Convergence

    def cheapest(self, wanted: float = WANTED) -> tuple[Curve, Refined]:
        """The run of least processor time with an error below `wanted`, m."""
        good = [
            (curve, run)
            for curve in self.result.curves
            for run, error in zip(curve.runs, curve.errors, strict=True)
            if error < wanted
        ]
        return min(good, key=lambda each: each[1].cpu)


# The stiffer the links, the less the elements matter and the more a step costs: shorter runs.
PLAN = ((6.9e11, 0.25, 1e-3), (6.9e9, 0.5, 1e-3), (6.9e8, 2.0, 8e-4))


def study(E: float, duration: float, step: float, elements: Sequence[int] = ELEMENTS, report: Any = None) -> Study:
    """Z of point D at the end, all formulations. Reference: 32 cubic structural elements with the same step, so that only the
    error in space is left; the time error is the difference of two steps on 8 such elements, by Richardson's rule."""
    best: dict[str, Any] = {"E": E, "interpolation": "cubic", "formulation": "structural"}

    def z(count: int, h: float) -> float:
        run = convergence("double_pendulum", {"elements": (1, count)}, "position(D).z", parameters=best, t_end=duration, step=h)
        return run.curves[0].runs[-1].value

    time_error = abs(z(8, step) - z(8, 0.5 * step)) * 4.0 / 3.0
    result = convergence(
        "double_pendulum", {"elements": elements}, "position(D).z", parameters={"E": E}, reference=z(32, step),
        curves={"interpolation": INTERPOLATIONS, "formulation": FORMULATIONS}, t_end=duration, step=step, report=report,
    )  # fmt: skip
    return Study(E, duration, step, time_error, result)


def write(page: Sheet, studies: Sequence[Study]) -> None:
    page.text("## Fig. 8 taken further: elements and formulations")
    page.text(
        "Error of the z-displacement of D at the end of the run, perfect joints, against 32 cubic structural elements with the "
        f"same step. A thousandth of the pendulum's length, {WANTED:g} m, is asked for; times are of the processor, one core."
    )
    for each in studies:
        best = ", ".join(_named(each, wanted) for wanted in (WANTED, 1e-4, 1e-5))
        page.text(
            f"**E = {each.E:g} Pa**: {each.duration:g} s of motion, steps of {each.step:g} s, error of the steps "
            f"{each.time_error:.1e} m. Cheapest {best}."
        )
        rows = [
            (_short(c.label), *(f"{error:.1e} ({r.cpu:.1f} s)" for r, error in zip(c.runs, c.errors, strict=True)))
            for c in each.result.curves
        ]
        page.table(("element", *(f"{run.setting:g}" for run in each.result.curves[0].runs)), rows)
    page.figure("elements", "Error of D over the number of elements and over processor time, for three E.", _figure(studies))


def _named(each: Study, wanted: float) -> str:
    curve, run = each.cheapest(wanted)
    return f"below {wanted:g} m: **{run.setting:g} elements, {_short(curve.label)}** ({run.cpu:.1f} s)"


def _short(label: str) -> str:
    return label.replace("interpolation = ", "").replace("formulation = ", "").replace(",", "")


def _figure(studies: Sequence[Study]) -> Any:
    figure, axes = panels(2, len(studies), size=(11.0, 3.2), sharey=True)
    for column, each in enumerate(studies):
        for number, curve in enumerate(each.result.curves):
            style: dict[str, Any] = {
                "color": COLOURS[number // len(FORMULATIONS)], "marker": "os^"[number % len(FORMULATIONS)], "markersize": 4,
                "linestyle": ("-", "--", ":")[number % len(FORMULATIONS)], "linewidth": 1.0, "label": _short(curve.label),
            }  # fmt: skip
            errors = np.maximum(curve.errors, 1e-9)  # the reference itself
            axes[0, column].loglog([run.setting for run in curve.runs], errors, **style)
            axes[1, column].loglog([run.cpu for run in curve.runs], errors, **style)
        for row, words in enumerate(("elements of each link", "processor time [s]")):
            axes[row, column].axhline(WANTED, color="0.5", linewidth=0.8)
            axes[row, column].set_xlabel(words)
            axes[row, column].xaxis.set_major_formatter("{x:g}")
            axes[row, column].xaxis.set_minor_formatter("")
        axes[0, column].set_xticks([run.setting for run in each.result.curves[0].runs])
        axes[0, column].set_title(f"E = {each.E:g} Pa, {each.duration:g} s", loc="left", fontsize=9)
    for row in axes:
        row[0].set_ylabel("error of z(D) [m]")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8, frameon=False)
    return figure
