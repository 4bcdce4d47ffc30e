"""Figures of Tian2010's page, one for every figure of its section 5, with the paper's captions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fmbs.reproduce.cases import Result
from fmbs.reproduce.sheet import COLOURS, Sheet, circle, panels

Results = dict[str, Result]
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


def draw(
    page: Sheet, got: Results, stiffness: Sequence[str], counts: Sequence[int], rods: Sequence[str], label: Callable[..., str]
) -> None:
    """stiffness, counts, rods: what the cases are called by; label(joint, stiffness, count): of a case."""
    page.text("## Double pendulum")
    words = f"Fig. 8. {INFLUENCE} the Z-displacement of point D for the perfect joint model"
    page.figure("fig8", f"{words}; right: beside the run with {counts[-1]}.", _elements(got, stiffness, counts, label))
    for number in (9, 10, 11):
        _joint_figure(page, got, number, [label("dry", E) for E in stiffness])
    words = "Z-displacement [m] of point D for perfect and dry contact joint models"
    page.figure("fig12", f"Fig. 12. {words}, E = 6.9e11, beside rigid links in place of MSC.ADAMS.", _rigid(got, label))
    for number in (13, 14, 15, 16):
        _joint_figure(page, got, number, [label("lubricated", E) for E in stiffness])
    page.text("## Slider-crank")
    for number, key, joint, what in (
        (18, "a", "dry", "Slider acceleration [km/s²]"),
        (19, "a", "lubricated", "Slider acceleration [km/s²]"),
        (20, "force", "dry", "Joint reaction force [kN]"),
        (21, "force", "lubricated", "Joint reaction force [kN]"),
    ):
        page.figure(f"fig{number}", f"Fig. {number}. {what} for {BOTH[joint]}.", _cranks(got, rods, joint, key))
    turn = "in the joint clearance, last turn, in clearances"
    page.figure(
        "fig22",
        f"Fig. 22. The paths of journal centers A and W {turn}: dry.",
        _last_turn(got, [f"dry, rod {rod}" for rod in rods]),
    )
    page.figure(
        "fig23",
        f"Fig. 23. The paths of journal centers A and W {turn}: lubricated.",
        _last_turn(got, [f"lubricated, rod {rods[-1]}"]),
    )
    page.figure("fig24", f"Fig. 24. The paths of journal center A {turn}: lubricated, both rods.", _both_rods(got, rods))


def _joint_figure(page: Sheet, got: Results, number: int, labels: Sequence[str]) -> None:
    """Perfect beside imperfect for the three E, or the orbits."""
    key, what = OF_THE_PENDULUM[number]
    joint = labels[0].split(", ")[0]
    if key == "orbit":
        part = f", first {SHOWN:g} s" if joint == "dry" else ""
        caption = f"journal center trajectories for the {joint} cylindrical joint models{part}, in clearances"
        figure = _orbits(got, labels)
    else:
        caption, figure = f"{what} for {BOTH[joint]}; right: their difference", _pairs(got, labels, joint, key)
    page.figure(f"fig{number}", f"Fig. {number}. {INFLUENCE} {caption}.", figure)


def _elements(got: Results, stiffness: Sequence[str], counts: Sequence[int], label: Callable[..., str]) -> Any:
    figure, axes = panels(len(stiffness), 2, size=(10.0, 2.0), sharex=True)
    for row, E in zip(axes, stiffness, strict=True):
        finest = got[label("ideal", E, counts[-1])]
        for count, colour, width in zip(counts, COLOURS, (2.4, 1.6, 0.8), strict=False):
            r = got[label("ideal", E, count)]
            row[0].plot(r["t"], r["z"], color=colour, linewidth=width, label=f"{count} elements")
            if count != counts[-1]:
                row[1].plot(r["t"], 1e3 * (r["z"] - finest["z"]), color=colour, linewidth=0.9)
        row[0].set_title(f"E = {E} Pa: z of D [m]", loc="left", fontsize=9)
        row[1].set_title("difference [mm]", loc="left", fontsize=9)
    return _finished(figure, axes)


def _pairs(got: Results, labels: Sequence[str], joint: str, key: str) -> Any:
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


def _rigid(got: Results, label: Callable[..., str]) -> Any:
    figure, axes = panels(1, 2, size=(10.0, 2.6))
    for joint in ("ideal", "dry"):
        r, rigid = got[label(joint, "6.9e11")], got[f"{joint}, rigid links"]
        axes[0, 0].plot(r["t"], r["z"], color=COLOUR[joint], linewidth=2.0, label=f"{joint}, beams")
        axes[0, 0].plot(rigid["t"], rigid["z"], "--", color="k", linewidth=0.8, label=f"{joint}, rigid links")
        axes[0, 1].plot(r["t"], 1e3 * (r["z"] - np.interp(r["t"], rigid["t"], rigid["z"])), color=COLOUR[joint], linewidth=0.8)
    axes[0, 1].set_title("difference [mm]", loc="left", fontsize=9)
    return _finished(figure, axes)


def _orbits(got: Results, labels: Sequence[str]) -> Any:
    figure, axes = panels(1, len(labels), size=(10.0, 3.6))
    for each, name in zip(axes[0], labels, strict=True):
        r = got[name]
        shown = r["t"] <= SHOWN if name.startswith("dry") else r["t"] >= 0.0
        _orbit(each, r["orbit"][shown])
        each.set_title(name.split(", ", 1)[1], fontsize=9)
    axes[0, 0].legend(fontsize=8)
    return figure


def _last_turn(got: Results, labels: Sequence[str]) -> Any:
    figure, axes = panels(1, len(labels), size=(3.8 * len(labels), 3.8))
    for each, name in zip(axes[0], labels, strict=True):
        _orbit(each, got[name]["orbit"][got[name]["last turn"]])
        each.set_title(name, fontsize=9)
    axes[0, 0].legend(fontsize=8)
    return figure


def _both_rods(got: Results, rods: Sequence[str]) -> Any:
    figure, axes = panels(1, size=(3.8, 3.8))
    for rod, colour in zip(rods, COLOURS, strict=False):
        r = got[f"lubricated, rod {rod}"]
        axes[0, 0].plot(*r["orbit"][r["last turn"], 0].T, color=colour, linewidth=0.9, label=f"E = {rod} Pa")
    circle(axes[0, 0], 1.0)
    axes[0, 0].legend(fontsize=8)
    return figure


def _orbit(axes: Any, orbit: Any) -> None:
    """Of both ends of the journal  # (frames, 2, 2)."""
    for end, (name, colour) in enumerate((("A", COLOURS[0]), ("W", COLOURS[1]))):
        axes.plot(*orbit[:, end].T, color=colour, linewidth=0.8, linestyle="-" if end == 0 else "--", label=name)
    circle(axes, 1.0)


def _cranks(got: Results, rods: Sequence[str], joint: str, key: str) -> Any:
    figure, axes = panels(len(rods), size=(8.0, 2.2), sharex=True)
    for each, rod in zip(axes[:, 0], rods, strict=True):
        for kind in ("ideal", joint):
            r = got[f"{kind}, rod {rod}"]
            name = "perfect" if kind == "ideal" else kind
            each.plot(1e3 * r["t"], r[key] / 1e3, color=COLOUR[kind], linewidth=1.6 if kind == "ideal" else 0.8, label=name)
        each.set_title(f"rod E = {rod} Pa", loc="left", fontsize=9)
    return _finished(figure, axes, "t [ms]")


def _finished(figure: Any, axes: Any, time: str = "t [s]") -> Any:
    axes[0, 0].legend(fontsize=8)
    for each in axes[-1]:
        each.set_xlabel(time)
    return figure
