"""Figures of studies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fmbs.models.quantity import Quantity
from fmbs.plots.style import COLOURS, literal, panels, scaled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fmbs.studies.convergence import Convergence
    from fmbs.studies.ensemble import Ensemble

MARKS = "osD^vPX"
LINE = 120  # letters of a legend's line


def convergence_figure(study: Convergence, slopes: Sequence[float] = ()) -> Figure:
    """Left: error over coordinates, or over the setting where the coordinates stay the same; right: over processor time."""
    from matplotlib.ticker import LogLocator, NullFormatter

    figure, axes = panels(1, 2, size=(10.0, 4.6), sharey=True)
    over_size, over_time = axes[0]
    same = all(len({run.coordinates for run in curve.runs}) == 1 for curve in study.curves)
    for i, curve in enumerate(study.curves):
        shown = curve.errors > 0.0  # without an order the finest run is the limit itself
        x = np.array([run.setting if same else run.coordinates for run in curve.runs], dtype=float)
        cpu = np.array([run.cpu for run in curve.runs])
        order = "" if np.isnan(curve.limit.order) else f" (order {curve.limit.order:.1f})"
        style = {"marker": MARKS[i % len(MARKS)], "color": COLOURS[i % len(COLOURS)], "markersize": 5, "linewidth": 1.2}
        over_size.loglog(x[shown], curve.errors[shown], label=literal(curve.label) + order, **style)
        over_time.loglog(cpu[shown], curve.errors[shown], **style)
        if curve.doubt > 0.0:
            over_size.axhline(curve.doubt, color=style["color"], linewidth=0.8, linestyle=":")
    _draw_slopes(over_size, study, slopes, same)
    for each in (over_size, over_time):
        each.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        each.xaxis.set_major_formatter("{x:g}")
        each.xaxis.set_minor_formatter(NullFormatter())
    over_size.set_xlabel(literal(study.refined) if same else "coordinates")
    if same:
        over_size.invert_xaxis()  # finer to the right
    over_time.set_xlabel("processor time [s]")
    unit = study.measure.unit
    over_size.set_ylabel(literal(f"error of {study.measure}") + (f" [{unit}]" if unit else ""))
    longest = max(len(str(text.get_label())) for text in over_size.get_lines())
    figure.legend(loc="outside lower center", ncols=max(1, min(3, len(study.curves), LINE // longest)), frameon=False)
    figure.suptitle(literal(f"{study.measure} under refinement of {study.refined}; dotted: doubt of the limit"))
    return figure


def _draw_slopes(axes: Axes, study: Convergence, slopes: Sequence[float], same: bool) -> None:
    """Dashed lines of these orders from the largest error at the coarsest runs."""
    largest = max(float(curve.errors.max()) for curve in study.curves)
    least = min(float(curve.errors[curve.errors > 0.0].min(initial=largest)) for curve in study.curves)
    runs = [run.setting if same else run.coordinates for curve in study.curves for run in curve.runs]
    first, last = (max(runs), min(runs)) if same else (min(runs), max(runs))
    for order in slopes:
        x = np.array([first, last], dtype=float)
        y = largest * (x / first) ** (order if same else -order)
        if y[1] < least:  # the line ends with the errors
            x[1] = first * (least / largest) ** (1.0 / (order if same else -order))
            y[1] = least
        axes.loglog(x, y, color="0.5", linewidth=1.0, linestyle="--")
        axes.annotate(f"order {order:g}", (x[1], y[1]), color="0.4", fontsize=9, ha="right", va="bottom")


BANDS = ((0.05, 0.95, 0.18), (0.25, 0.75, 0.38))  # from, to, opacity


def band_figure(ensemble: Ensemble, quantities: Sequence[str]) -> Figure:
    """Over time, a row for every quantity: nine tenths of the runs, half of them, their median; the run itself in black."""
    figure, axes = panels(len(quantities), size=(8.0, 1.0 + 2.6 * len(quantities)), sharex=True)
    for row, quantity in zip(axes[:, 0], quantities, strict=True):
        t, curves = ensemble.curves(quantity)
        values, unit = scaled(curves, Quantity.parse(quantity).unit)
        draw_bands(row, t, values)
        row.plot(t, values[0], color="k", linewidth=0.6, label="without a push")
        row.set_ylabel(literal(quantity) + f" [{unit}]")
    axes[0, 0].legend(loc="upper right", fontsize=8, ncols=4)
    axes[0, 0].set_title(f"{ensemble.members} runs, push {ensemble.push.size:g} N, seed {ensemble.push.seed}", fontsize=9)
    axes[-1, 0].set_xlabel("t [s]")
    return figure


def draw_bands(axes: Axes, t: Any, curves: Any, colour: str = COLOURS[0], label: str = "") -> None:
    """Median and bands of curves  # (runs, frames)."""
    for low, high, opacity in BANDS:
        words = f"{high - low:.0%} of the runs" if not label else None
        ends = np.quantile(curves, low, axis=0), np.quantile(curves, high, axis=0)
        axes.fill_between(t, *ends, color=colour, alpha=opacity, linewidth=0.0, label=words)
    axes.plot(t, np.median(curves, axis=0), color=colour, linewidth=1.0, label=label or "median")
