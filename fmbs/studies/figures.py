"""Figures of studies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fmbs.plots.style import COLOURS, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fmbs.studies.convergence import Convergence

MARKS = "osD^vPX"


def convergence_figure(study: Convergence) -> Figure:
    """Left: error over coordinates, or over the setting where the coordinates stay the same; right: over run time."""
    from matplotlib.ticker import LogLocator, NullFormatter

    figure, axes = panels(1, 2, size=(10.0, 4.6), sharey=True)
    over_size, over_time = axes[0]
    same = all(len({run.coordinates for run in curve.runs}) == 1 for curve in study.curves)
    for i, curve in enumerate(study.curves):
        shown = curve.errors > 0.0  # without an order the finest run is the limit itself
        x = np.array([run.setting if same else run.coordinates for run in curve.runs], dtype=float)
        wall = np.array([run.wall for run in curve.runs])
        order = "" if np.isnan(curve.limit.order) else f" (order {curve.limit.order:.1f})"
        style = {"marker": MARKS[i % len(MARKS)], "color": COLOURS[i % len(COLOURS)], "markersize": 5, "linewidth": 1.2}
        over_size.loglog(x[shown], curve.errors[shown], label=curve.label + order, **style)
        over_time.loglog(wall[shown], curve.errors[shown], **style)
        if curve.doubt > 0.0:
            over_size.axhline(curve.doubt, color=style["color"], linewidth=0.8, linestyle=":")
    for each in (over_size, over_time):
        each.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        each.xaxis.set_major_formatter("{x:g}")
        each.xaxis.set_minor_formatter(NullFormatter())
    over_size.set_xlabel(study.refined if same else "coordinates")
    if same:
        over_size.invert_xaxis()  # finer to the right
    over_time.set_xlabel("run time [s]")
    unit = study.measure.unit
    over_size.set_ylabel(f"error of {study.measure}" + (f" [{unit}]" if unit else ""))
    figure.legend(loc="outside lower center", ncols=min(3, len(study.curves)), frameon=False)
    figure.suptitle(f"{study.measure} under refinement of {study.refined}; dotted: doubt of the limit")
    return figure
