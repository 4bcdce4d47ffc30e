"""Figures of Tian2010's page, one for every figure of its section 5, with the paper's captions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fmbs.reproduce.cases import Result
from fmbs.reproduce.page import COLOURS, circle, panels
from fmbs.reproduce.paper import Got
from fmbs.reproduce.tian2010_claims import COUNTS, RODS, STIFFNESS, label

INFLUENCE = "Influence of number of elements used to describe the flexible bodies and material Young's modulus on"
COLOUR = {"ideal": "0.6", "dry": COLOURS[1], "lubricated": COLOURS[0]}
BOTH = {"dry": "the perfect and dry clearance cylindrical joint models", "lubricated": "the perfect and lubricated ones"}
OF_THE_PENDULUM = {
    9: ("z", "the Z-displacement [m] of point D"), 10: ("v", "the Z-velocity [m/s] of point D"), 11: ("orbit", ""),
    13: ("z", "the Z-displacement [m] of point D"), 14: ("v", "the Z-velocity [m/s] of point D"),
    15: ("force", "the joint reaction force [N]"), 16: ("orbit", ""),
}  # fmt: skip
START = 0.02  # s: a film carries nothing before its journal has moved
SHOWN = 0.5  # s of the dry orbits, as in the paper
WINDOW = 0.1  # s at the end, as in the paper: 1.9-2 s


def draw(got: Got) -> list[Any]:
    words = f"Fig. 8. {INFLUENCE} the Z-displacement of point D for the perfect joint model"
    figures = [("fig8", f"{words}; right: beside the run with {COUNTS[-1]}.", _elements(got))]
    figures += [_joint_figure(got, number, "dry") for number in (9, 10, 11)]
    words = "Z-displacement [m] of point D for perfect and dry contact joint models"
    figures.append(("fig12", f"Fig. 12. {words}, E = 6.9e11, beside rigid links in place of MSC.ADAMS.", _rigid(got)))
    figures += [_joint_figure(got, number, "lubricated") for number in (13, 14, 15, 16)]
    for number, key, joint, what in (
        (18, "a", "dry", "Slider acceleration [km/s²]"),
        (19, "a", "lubricated", "Slider acceleration [km/s²]"),
        (20, "force", "dry", "Joint reaction force [kN]"),
        (21, "force", "lubricated", "Joint reaction force [kN]"),
    ):
        figures.append((f"fig{number}", f"Fig. {number}. {what} for {BOTH[joint]}, first turns.", _cranks(got, joint, key)))
    window = f"in the joint clearance, the last {WINDOW:g} s, in clearances"
    dry = [name if (name := f"dry, rod {rod}, 2 s") in got else f"dry, rod {rod}" for rod in RODS]
    oil = [f"lubricated, rod {rod}" for rod in RODS]
    return [
        *figures,
        ("fig22", f"Fig. 22. The paths of journal centers A and W {window}: dry.", _window(got, dry)),
        ("fig23", f"Fig. 23. The paths of journal centers A and W {window}: lubricated.", _window(got, oil[1:])),
        ("fig24", f"Fig. 24. The paths of journal center A {window}: lubricated, both rods.", _both_rods(got)),
    ]  # fmt: skip


def _joint_figure(got: Got, number: int, joint: str) -> Any:
    """Perfect beside imperfect for the three E, or the orbits."""
    key, what = OF_THE_PENDULUM[number]
    labels = [label(joint, E) for E in STIFFNESS]
    if key == "orbit":
        part = f", first {SHOWN:g} s" if joint == "dry" else ""
        caption = f"journal center trajectories for the {joint} cylindrical joint models{part}, in clearances"
        figure = _orbits(got, labels)
    else:
        caption, figure = f"{what} for {BOTH[joint]}; right: their difference", _pairs(got, labels, joint, key)
    return f"fig{number}", f"Fig. {number}. {INFLUENCE} {caption}.", figure


def _elements(got: Got) -> Any:
    figure, axes = panels(len(STIFFNESS), 2, size=(10.0, 2.0), sharex=True)
    for row, E in zip(axes, STIFFNESS, strict=True):
        finest = got[label("ideal", E, COUNTS[-1])]
        for count, colour, width in zip(COUNTS, COLOURS, (2.4, 1.6, 0.8), strict=False):
            r = got[label("ideal", E, count)]
            row[0].plot(r["t"], r["z"], color=colour, linewidth=width, label=f"{count} elements")
            if count != COUNTS[-1]:
                row[1].plot(r["t"], 1e3 * (r["z"] - finest["z"]), color=colour, linewidth=0.9)
        row[0].set_title(f"E = {E} Pa: z of D [m]", loc="left", fontsize=9)
        row[1].set_title("difference [mm]", loc="left", fontsize=9)
    return _finished(figure, axes)


def _pairs(got: Got, labels: Sequence[str], joint: str, key: str) -> Any:
    """Left both joints, right the difference, over the time that both have."""
    figure, axes = panels(len(labels), 2, size=(10.0, 2.0), sharex=True)
    scale, unit = (1e3, "mm") if key == "z" else (1.0, "m/s" if key == "v" else "N")
    for row, name in zip(axes, labels, strict=True):
        r, ideal = got[name], got[name.replace(joint, "ideal")]
        row[0].plot(ideal["t"], ideal[key], color=COLOUR["ideal"], linewidth=2.0, label="perfect")
        row[0].plot(r["t"], r[key], color=COLOUR[joint], linewidth=0.8, label=joint)
        moving = r["t"] > (START if key == "force" else 0.0)
        away = scale * (r[key] - np.interp(r["t"], ideal["t"], ideal[key]))
        row[1].plot(r["t"][moving], away[moving], color=COLOUR[joint], linewidth=0.7)
        row[0].set_title(name.split(", ", 1)[1], loc="left", fontsize=9)
        row[1].set_title(f"difference [{unit}]", loc="left", fontsize=9)
    return _finished(figure, axes)


def _rigid(got: Got) -> Any:
    figure, axes = panels(1, 2, size=(10.0, 2.6))
    for joint in ("ideal", "dry"):
        r, rigid = got[label(joint, "6.9e11")], got[f"{joint}, rigid links"]
        axes[0, 0].plot(r["t"], r["z"], color=COLOUR[joint], linewidth=2.0, label=f"{joint}, beams")
        axes[0, 0].plot(rigid["t"], rigid["z"], "--", color="k", linewidth=0.8, label=f"{joint}, rigid links")
        axes[0, 1].plot(r["t"], 1e3 * (r["z"] - np.interp(r["t"], rigid["t"], rigid["z"])), color=COLOUR[joint], linewidth=0.8)
    axes[0, 1].set_title("difference [mm]", loc="left", fontsize=9)
    return _finished(figure, axes)


def _orbits(got: Got, labels: Sequence[str]) -> Any:
    figure, axes = panels(1, len(labels), size=(10.0, 3.6))
    for each, name in zip(axes[0], labels, strict=True):
        r = got[name]
        shown = r["t"] <= SHOWN if name.startswith("dry") else r["t"] >= 0.0
        _orbit(each, r["orbit"][shown])
        each.set_title(name.split(", ", 1)[1], fontsize=9)
    axes[0, 0].legend(fontsize=8)
    return figure


def _late(r: Result) -> Any:
    return r["t"] > r["t"][-1] - WINDOW


def _window(got: Got, labels: Sequence[str]) -> Any:
    figure, axes = panels(1, len(labels), size=(3.8 * len(labels), 3.8))
    for each, name in zip(axes[0], labels, strict=True):
        _orbit(each, got[name]["orbit"][_late(got[name])])
        each.set_title(name, fontsize=9)
    axes[0, 0].legend(fontsize=8)
    return figure


def _both_rods(got: Got) -> Any:
    figure, axes = panels(1, size=(3.8, 3.8))
    for rod, colour in zip(RODS, COLOURS, strict=False):
        r = got[f"lubricated, rod {rod}"]
        axes[0, 0].plot(*r["orbit"][_late(r), 0].T, color=colour, linewidth=0.9, label=f"E = {rod} Pa")
    circle(axes[0, 0], 1.0)
    axes[0, 0].legend(fontsize=8)
    return figure


def _orbit(axes: Any, orbit: Any) -> None:
    """Of both ends of the journal, and its centre line at some times  # (frames, 2, 2)."""
    for ends in orbit[:: max(1, len(orbit) // 60)]:
        axes.plot(*ends.T, color="0.7", linewidth=0.5, zorder=0)
    for end, (name, colour) in enumerate((("A", COLOURS[0]), ("W", COLOURS[1]))):
        axes.plot(*orbit[:, end].T, color=colour, linewidth=0.8, linestyle="-" if end == 0 else "--", label=name)
    circle(axes, 1.0)


def _cranks(got: Got, joint: str, key: str) -> Any:
    figure, axes = panels(len(RODS), size=(8.0, 2.2), sharex=True)
    for each, rod in zip(axes[:, 0], RODS, strict=True):
        for kind in ("ideal", joint):
            r = got[f"{kind}, rod {rod}"]
            first = r["t"] <= 4.0 * r["turn"]
            name = "perfect" if kind == "ideal" else kind
            width = 1.6 if kind == "ideal" else 0.8
            each.plot(1e3 * r["t"][first], r[key][first] / 1e3, color=COLOUR[kind], linewidth=width, label=name)
        each.set_title(f"rod E = {rod} Pa", loc="left", fontsize=9)
    return _finished(figure, axes, "t [ms]")


def _finished(figure: Any, axes: Any, time: str = "t [s]") -> Any:
    axes[0, 0].legend(fontsize=8)
    for each in axes[-1]:
        each.set_xlabel(time)
    return figure
