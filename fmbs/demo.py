"""What `make demo` runs: a mechanism, a table on the screen, a file of numbers and a figure."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from fmbs.models import SliderCrankPlanar
from fmbs.results.solution import Solution

Array = NDArray[np.float64]


def run_demo(folder: Path) -> None:
    """The planar slider-crank of Flores2006 with ideal joints over two turns of the crank."""
    parameters = SliderCrankPlanar()
    model = parameters.build()
    turn = 60.0 / parameters.rpm
    solution = model.simulate(2.0 * turn, step=turn / 1200.0)
    slider = model["slider"].com
    position = solution.position(slider)[:, 0]
    columns = {
        "t [s]": solution.t,
        "slider x [m]": position,
        "slider velocity [m/s]": solution.velocity(slider)[:, 0],
        "slider acceleration [m/s^2]": solution.acceleration(slider)[:, 0],
        "wrist pin force [N]": np.linalg.norm(solution.reaction("wrist pin").force, axis=1),
        "crank moment [N m]": solution.reaction("motor").moment,
    }
    folder.mkdir(parents=True, exist_ok=True)
    written = [_table(folder / "slider_crank.csv", columns), _summary(folder / "summary.json", parameters, solution)]
    figure = _figure(folder / "slider_crank.png", columns)
    if figure is not None:
        written.append(figure)
    _report(columns, solution, position, parameters, written)


def _table(path: Path, columns: dict[str, Array]) -> Path:
    np.savetxt(path, np.column_stack(list(columns.values())), delimiter=",", header=",".join(columns), comments="")
    return path


def _summary(path: Path, parameters: SliderCrankPlanar, solution: Solution) -> Path:
    path.write_text(json.dumps({"parameters": asdict(parameters), "statistics": asdict(solution.statistics)}, indent=1))
    return path


def _figure(path: Path, columns: dict[str, Array]) -> Path | None:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    t, *curves = columns.items()
    figure = Figure(figsize=(8, 8), layout="constrained")
    for axes, (label, values) in zip(figure.subplots(len(curves), 1, sharex=True), curves, strict=True):
        axes.plot(1e3 * t[1], values, color="#0072B2")
        axes.set_ylabel(label.replace(" [", "\n["))
        axes.grid(alpha=0.3)
    axes.set_xlabel("t [ms]")
    figure.suptitle("Planar slider-crank, 5000 rpm, ideal joints (Flores2006)")
    figure.savefig(path, dpi=120)
    return path


def _report(
    columns: dict[str, Array], solution: Solution, position: Array, parameters: SliderCrankPlanar, written: list[Path]
) -> None:
    console = Console()
    table = Table(title="planar slider-crank (Flores2006), ideal joints, two turns at 5000 rpm")
    for heading in ("quantity", "least", "largest"):
        table.add_column(heading, justify="left" if heading == "quantity" else "right")
    for label, values in list(columns.items())[1:]:
        table.add_row(label.replace("[", r"\["), f"{values.min():.6g}", f"{values.max():.6g}")
    console.print(table)
    r, l, angle = parameters.crank_length, parameters.rod_length, parameters.rpm * np.pi / 30.0 * solution.t
    exact = r * np.cos(angle) + np.sqrt(l**2 - (r * np.sin(angle)) ** 2)
    done = solution.statistics
    console.print(
        f"slider position against closed form: {np.abs(position - exact).max():.1e} m off at most; "
        f"energy balance {np.abs(solution.energy.balance).max():.1e} J of {solution.energy.kinetic.max():.0f} J"
    )
    console.print(
        f"{done.steps} steps, {done.iterations / done.steps:.1f} iterations a step, {done.wall:.2f} s, {done.linear_solver}"
    )
    for path in written:
        console.print(f"wrote {path}", highlight=False, soft_wrap=True)
