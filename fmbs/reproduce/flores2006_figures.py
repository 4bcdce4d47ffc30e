"""Figs 6 to 9 of Flores2006."""

from __future__ import annotations

from typing import Any

import numpy as np

from fmbs.reproduce.page import COLOURS, circle, panels
from fmbs.reproduce.paper import Got

NAMES = {"dry": "(a) dry", "friction": "(b) dry with friction", "oil": "(c) lubricated"}


def draw(got: Got) -> list[Any]:
    words = f"{', '.join(NAMES.values())}; ideal joint in grey."
    turns = (
        "Difference of every turn of the slider's acceleration from the one before and from the one before that, root mean "
        "square over the range. Not in the paper."
    )
    return [
        ("fig6", f"Fig. 6. Reaction force at the joint clearance: {words}", _history(got, "force", "force [N]")),
        ("fig7", f"Fig. 7. Driving moment on the crank: {words}", _history(got, "moment", "moment [N m]")),
        ("fig8", "Fig. 8. Journal centre trajectory relative to the bearing, in clearances.", _orbits(got)),
        ("fig9", f"Fig. 9. Maps relating velocities with accelerations of the slider: {words}", _maps(got)),
        ("turns", turns, _turns(got)),
    ]  # fmt: skip


def _history(got: Got, key: str, label: str) -> Any:
    figure, axes = panels(3, sharex=True)
    for each, name in zip(axes[:, 0], NAMES, strict=True):
        each.plot(got["ideal"]["t"], got["ideal"][key], color="0.6", linewidth=2.0)
        each.plot(got[name]["t"], got[name][key], color=COLOURS[0], linewidth=0.8)
        each.set_ylabel(label)
        each.set_title(NAMES[name], loc="left", fontsize=9)
    axes[-1, 0].set_xlabel("turns of the crank")
    return figure


def _orbits(got: Got) -> Any:
    figure, axes = panels(1, 3, size=(10.0, 3.6))
    for each, name in zip(axes[0], NAMES, strict=True):
        each.plot(*got[name]["orbit"].T, color=COLOURS[0], linewidth=0.7)
        circle(each, 1.0)
        each.set_title(NAMES[name], fontsize=9)
    return figure


def _maps(got: Got) -> Any:
    figure, axes = panels(1, 3, size=(10.0, 3.4))
    for each, name in zip(axes[0], NAMES, strict=True):
        each.plot(got["ideal"]["velocity"], got["ideal"]["acceleration"] / 1e3, color="0.6", linewidth=2.0)
        each.plot(got[name]["velocity"], got[name]["acceleration"] / 1e3, color=COLOURS[0], linewidth=0.7)
        each.set_title(NAMES[name], fontsize=9)
        each.set_xlabel("velocity [m/s]")
    axes[0, 0].set_ylabel("acceleration [km/s$^2$]")
    return figure


def _turns(got: Got) -> Any:
    figure, axes = panels(1, 2, size=(10.0, 3.2), sharey=True)
    for each, name in zip(axes[0], ("dry", "friction"), strict=True):
        signal = got[name]["turns"]
        size = np.ptp(signal[len(signal) // 2 :])
        for p, colour in ((1, COLOURS[0]), (2, COLOURS[1])):
            apart = np.sqrt(np.mean((signal[p:] - signal[:-p]) ** 2, axis=1)) / size
            each.semilogy(np.arange(p + 1, len(signal) + 1), apart, "o-", color=colour, markersize=3, label=f"{p} before")
        each.set_title(NAMES[name][4:], fontsize=9)
        each.set_xlabel("turn")
    axes[0, 0].set_ylabel("difference")
    axes[0, 0].legend(fontsize=8)
    return figure
