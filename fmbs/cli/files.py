"""The files that a run leaves behind."""

from __future__ import annotations

import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import fmbs as fm
from fmbs.gaps.kinematics import WALL
from fmbs.models import Mechanism, Quantity
from fmbs.plots.style import can_draw, panels, save_figure, scaled, time_axis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

SCENES = 200  # frames of the ParaView files
DPI = 110


def summary(model: Mechanism, solution: fm.Solution, settings: dict[str, Any], complete: bool) -> dict[str, Any]:
    """What was run, what came out and what it cost, for machines."""
    m = solution.model
    rows = {}
    for item in model.outputs():
        x = item.of(solution, m, model.points(m))
        rows[str(item)] = {"unit": item.unit, "least": float(x.min()), "largest": float(x.max()), "last": float(x[-1])}
    joints = [name for name in model.imperfect if model.is_imperfect(name)]
    records = {name: solution.clearance(name) for name in joints}
    return {
        "model": model.name, "paper": model.paper, "version": fm.__version__, "complete": complete,
        "parameters": asdict(model), "settings": settings, "t": [float(solution.t[0]), float(solution.t[-1])],
        "frames": len(solution), "statistics": asdict(solution.statistics), "quantities": rows,
        "energy_balance": float(np.abs(solution.energy.balance).max()), "energy_verdict": solution.statistics.verdict,
        "impacts": {name: len(record.impacts) for name, record in records.items()},
        "limits": [limit for record in records.values() for limit in record.limits],
    }  # fmt: skip


def write_files(model: Mechanism, solution: fm.Solution, folder: Path) -> list[Path]:
    """Figures, report and ParaView files; the list for people names the one of each kind to open."""
    drawn = figures(model, solution) if can_draw() else {}  # said before the run
    written = [save_figure(figure, folder / f"{name}.png", dpi=DPI) for name, figure in drawn.items()]
    written.append(solution.report(folder / "report.html", title=f"{model.title}, {model.joint} joints"))
    every = max(1, len(solution) // SCENES)
    written.append(solution.to_vtk(folder / "run.pvd", every=every)[0])
    return written


def figures(model: Mechanism, solution: fm.Solution) -> dict[str, Figure]:
    """Quantities over time, energy, and the orbits in the clearances. Of one that cannot be drawn a line tells why."""
    plot: Any = solution.plot
    wanted = {"quantities": partial(over_time, model, solution, model.outputs()), "energy": plot.energy}
    for name in model.imperfect if model.joint != "ideal" else ():
        key = name.replace(" ", "_")
        if any(station.kind != WALL for station in solution.model[name].stations):  # a block in a guide has no orbit
            wanted[f"orbit_{key}"] = partial(plot.orbit, name)
        if model.joint != "lubricated":
            wanted[f"loop_{key}"] = partial(plot.penetration_loop, name)
    found = {}
    for name, draw in wanted.items():
        try:
            found[name] = draw()
        except fm.ModelError as error:
            print(f"fmbs: no figure {name}: {error}", file=sys.stderr)
    return found


def over_time(model: Mechanism, solution: fm.Solution, items: Sequence[Quantity]) -> Figure:
    """One panel a quantity."""
    m = solution.model
    figure, axes = panels(len(items), size=(8.0, 1.0 + 1.5 * len(items)), sharex=True)
    x = time_axis(axes[-1, 0], solution.t, solution.static)
    for panel, item in zip(axes[:, 0], items, strict=True):
        values, unit = scaled(item.of(solution, m, model.points(m)), item.unit.replace("^2", "²"))
        panel.plot(x, values, linewidth=1.0)
        panel.set_title(str(item), loc="left", fontsize=10)
        panel.set_ylabel(f"[{unit}]")
    figure.align_ylabels(axes[:, 0])
    figure.suptitle(f"{model.title}, {model.joint} joints ({model.paper})")
    return figure
