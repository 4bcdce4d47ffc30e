"""Figs 6 to 11 of Chen2020."""

from __future__ import annotations

from typing import Any

import numpy as np

from fmbs.reproduce.page import COLOURS, panels
from fmbs.reproduce.paper import Got

SPEEDS = [f"{rpm} rpm" for rpm in (50, 100, 150, 200)]
SIZES = ["0.1 mm", "0.2 mm", "0.5 mm", "1 mm"]
BOTH = "(a) the representation, (b) enlarged; ideal joints dashed"


def draw(got: Got) -> list[Any]:
    got = {**got, "0.1 mm": got["100 rpm"]}
    figures = []
    for first, what, labels in ((6, "driving velocities", SPEEDS), (9, "clearance sizes", SIZES)):
        figures += [
            (f"fig{first}", f"Fig. {first}. Displacement of slider with different {what}: {BOTH}.", _pair(got, "x", labels)),
            (f"fig{first + 1}", f"Fig. {first + 1}. Velocity of slider with different {what}: {BOTH}.",
             _pair(got, "v", labels)),
            (f"fig{first + 2}", f"Fig. {first + 2}. Acceleration of slider with different {what}; ideal joints in grey.",
             _accelerations(got, labels)),
        ]  # fmt: skip
    return figures


def _pair(got: Got, key: str, labels: list[str]) -> Any:
    figure, axes = panels(1, 2, size=(10.0, 3.4))
    for label, colour in zip(labels, COLOURS, strict=False):
        for each in axes[0]:
            each.plot(got[label]["t"], got[label][key], color=colour, linewidth=0.9, label=label)
            each.plot(got[label]["t"], got[label][f"{key}0"], color=colour, linewidth=0.8, linestyle="--")
    low, high = _window(got[labels[-1]], key)
    axes[0, 1].set_xlim(low, high)
    inside = [r[key][(r["t"] > low) & (r["t"] < high)] for r in (got[label] for label in labels)]
    least, largest = min(x.min() for x in inside), max(x.max() for x in inside)
    axes[0, 1].set_ylim(least - 0.05 * (largest - least), largest + 0.05 * (largest - least))
    axes[0, 0].set_ylabel("position - rod length [mm]" if key == "x" else "velocity [m/s]")
    axes[0, 0].legend(fontsize=8)
    for each in axes[0]:
        each.set_xlabel("turns")
    return figure


def _window(r: Any, key: str) -> tuple[float, float]:
    """A tenth of a turn around the largest deviation of the position, or around the sharpest step of the velocity."""
    off = np.abs(r["x"] - r["x0"]) if key == "x" else np.abs(np.gradient(r["v"] - r["v0"]))
    inside = (r["t"] > 0.2) & (r["t"] < 1.8)
    middle = float(r["t"][inside][off[inside].argmax()])
    return middle - 0.1, middle + 0.1


def _accelerations(got: Got, labels: list[str]) -> Any:
    figure, axes = panels(2, 2, size=(10.0, 2.8))
    for each, label in zip(axes.ravel(), labels, strict=True):
        r = got[label]
        each.plot(r["t"], r["a0"], color="0.6", linewidth=2.0)
        each.plot(r["t"], r["a"], color=COLOURS[0], linewidth=0.7)
        each.set_title(label, loc="left", fontsize=9)
        each.set_ylabel("acceleration [m/s²]")
    for each in axes[-1]:
        each.set_xlabel("turns")
    return figure
