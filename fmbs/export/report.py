"""report.html: parameters, summary, figures and a 3D animation in one file that needs no network."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fmbs.core.checks import checked_path, listed, shown
from fmbs.core.checks import text as words
from fmbs.core.errors import ModelError
from fmbs.core.files import writing
from fmbs.core.optional import Drive, JointWithClearance
from fmbs.core.spelling import spelled
from fmbs.export.animation import animation
from fmbs.export.shapes import Shape
from fmbs.results.store.description import describe

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fmbs.results.solution import Solution

MOST_REACTIONS = 4
MOST_ROWS = 200  # of parts in the table of parameters
DPI = 110
SCRIPTS = "shapes", "joint", "curves", "viewer"  # of the page


@spelled
def report(
    sol: Solution, path: str | Path = "report.html", *, title: str = "", figures: Sequence[Figure] | None = None,
    shapes: Mapping[Any, Shape] | None = None, magnify: float | None = None,
) -> Path:  # fmt: skip
    """Write the page.

    title: of the page; the file's name without it
    figures: matplotlib figures to show; by default energy, drives, some reactions, orbits in clearances and the steps
    shapes: of rigid bodies in the animation, as for `to_vtk`
    magnify: how many times its size the gap of clearance joints is drawn at first; the page has a slider for it
    """
    path, title = checked_path("report", "path", path), words("report", "title", title)
    data, shown = animation(sol, shapes=shapes, magnify=magnify)
    description = describe(sol.system, title or path.stem, 0.0 if sol.static else float(sol.t[-1])).parts
    pieces = {
        "TITLE": escape(title or path.stem.replace("_", " ")),
        "SUBTITLE": escape(_subtitle(sol)),
        "ANIMATION": escape(shown),
        "SUMMARY": _table(_summary(sol)),
        "FIGURES": _figures(sol, figures),
        "PARAMETERS": _parameters(description),
        "VIEWER": "\n".join(files("fmbs.export").joinpath(f"page/{name}.js").read_text(encoding="utf-8") for name in SCRIPTS),
        "DATA": json.dumps(data, separators=(",", ":")).replace("</", "<\\/"),
    }
    page = files("fmbs.export").joinpath("page/report.html").read_text(encoding="utf-8")
    page = re.sub(r"@([A-Z]+)@", lambda key: pieces[key[1]], page)  # at once: a name may look like one of the keys
    with writing(path):
        path.write_text(page, encoding="utf-8")
    return path


def _subtitle(sol: Solution) -> str:
    kinds: dict[str, int] = {}
    for part in (*sol.system.bodies, *sol.system.joints, *sol.system.forces):
        kinds[type(part).__name__] = kinds.get(type(part).__name__, 0) + 1
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items())


def _summary(sol: Solution) -> list[tuple[str, str]]:
    done, energy = sol.statistics, sol.energy
    span = f"{sol.t[0]:g} ... {sol.t[-1]:g}"
    rows = [
        ("load factor" if sol.static else "time", span if sol.static else f"{span} s"),
        ("frames", f"{len(sol)}"),
        ("coordinates, multipliers", f"{sol.system.size}, {sol.system.multipliers}"),
        ("steps (rejected)", f"{done.steps} ({done.rejected})"),
        ("Newton iterations, factorisations", f"{done.iterations}, {done.factorizations}"),
        ("wall time, linear solver", f"{done.wall:.3g} s, {done.linear_solver or '-'}"),
        *([("integrator", ", ".join(filter(None, (done.integrator, done.chosen))))] if done.integrator else []),
        ("largest constraint violation", f"{done.drift:.3g}"),
        ("largest kinetic, elastic energy", f"{energy.kinetic.max():.4g} J, {energy.elastic.max():.4g} J"),
    ]
    if not sol.static:  # loads that grow step by step are not integrated
        rows.append(("work put in, dissipated", f"{energy.work[-1]:.4g} J, {energy.dissipated[-1]:.4g} J"))
        rows.append(("taken by numerical damping", f"{energy.numerical[-1]:.3g} J"))
        rows.append(("largest energy error", f"{np.abs(energy.balance).max():.3g} J"))
    rows += [("energy", done.verdict)] if done.verdict else []
    rows += [("steps too long", text) for text in done.coarse]
    rows += [("stability", done.stability)] if done.stability else []
    rows += [("told at the start", text) for text in done.start]
    if done.redundant:
        rows.append(("redundant equations left out", "; ".join(done.redundant)))
    return rows


def _figures(sol: Solution, given: Sequence[Figure] | None) -> str:
    images, notes = [], []
    for drawn in _usual_figures(sol) if given is None else listed("report", "figures", given, "figures"):
        try:
            figure = drawn() if given is None else drawn
        except ModelError as error:  # one that cannot be drawn is left out
            notes.append(f'<p class="note">{escape(str(error))}</p>')
            continue
        if not hasattr(figure, "savefig"):
            raise ModelError(f"report: {shown(figure)} is not a figure; give those of sol.plot or of matplotlib.")
        stream = io.BytesIO()
        figure.savefig(stream, format="png", dpi=DPI)
        images.append(f'<img alt="figure" src="data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}">')
    return f'<div class="figures">{"".join(images)}</div>{"".join(dict.fromkeys(notes))}'


def _usual_figures(sol: Solution) -> list[Callable[[], Figure]]:
    plot: Any = sol.plot
    figures: list[Callable[[], Figure]] = []
    drives = [joint for joint in sol.system.joints if isinstance(joint, Drive)]
    others = [joint for joint in sol.system.joints if joint not in drives]
    if not sol.static:
        figures.append(plot.energy)
    figures += [partial(plot.drive, joint) for joint in drives]
    figures += [partial(plot.reaction, joint) for joint in others[:MOST_REACTIONS]]
    gaps = [force for force in sol.system.forces if isinstance(force, JointWithClearance)]
    for joint in gaps[:MOST_REACTIONS]:
        figures += [partial(plot.orbit, joint), partial(plot.reaction, joint)]
    if sol.step_times.size > 1:
        figures.append(plot.step_size)
    return figures


def _table(rows: Sequence[tuple[str, str]]) -> str:
    return "<table>" + "".join(f"<tr><td>{escape(a)}</td><td>{escape(b)}</td></tr>" for a, b in rows) + "</table>"


def _parameters(description: Any) -> str:
    """Parts with their arguments, in SI units."""
    names = [_name(body) for body in description["bodies"]]
    head = [("gravity", _text(description["gravity"], names) + " m/s²")]
    tables = [_table(head)]
    for kind in ("bodies", "joints", "forces"):
        parts = description[kind]
        rows = [_part_row(part, names) for part in parts[:MOST_ROWS]]
        if rows:
            left = f" (the first {MOST_ROWS} of {len(parts)})" if len(parts) > MOST_ROWS else ""
            tables.append(
                f"<details {'open' if len(rows) < 20 else ''}><summary>{kind}{left}</summary>{_table(rows)}</details>"
            )
    return "".join(tables)


def _part_row(part: Any, names: list[str]) -> tuple[str, str]:
    fields = {key: value for key, value in part.get("fields", {}).items() if key != "name"}
    text = ", ".join(f"{key} = {_text(value, names)}" for key, value in fields.items() if value not in (None, ""))
    return _name(part), f"{part['class'].rpartition('.')[2]}: {text or part.get('unknown', '')}"


def _name(part: Any) -> str:
    return str(part.get("fields", {}).get("name") or part["class"].rpartition(".")[2])


def _text(value: Any, names: list[str]) -> str:
    """A stored value (see `fmbs.results.store.encoding`) for people."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return "(" + ", ".join(_text(item, names) for item in value) + ")"
    if not isinstance(value, dict):
        return str(value)
    if "array" in value:
        return _text(value["array"], names)
    if "marker" in value:
        body = "ground" if value["marker"] < 0 else names[value["marker"]]
        return f"{body}.at({value['s']:.6g})" if "s" in value else f"{body}.at{_text(value['at'], names)}"
    if "body" in value:
        return names[value["body"]]
    if "function" in value:
        return f"function {value['function']}"
    if "fields" in value:
        inner = ", ".join(f"{key}={_text(item, names)}" for key, item in value["fields"].items())
        return f"{value['class'].rpartition('.')[2]}({inner})"
    return "array" if "dataset" in value else str(value.get("unknown", value))
