"""Figures of Muvengei2012's page, with the paper's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fmbs.models import SliderCrankLuGre
from fmbs.reproduce.cases import Result
from fmbs.reproduce.sheet import COLOURS, Sheet, panels

Results = dict[str, Result]
WINDOW = 0.1  # ms on either side of a reversal


def draw(page: Sheet, got: Results, speeds: Sequence[float], kinetic: Sequence[float], places: dict[str, str]) -> None:
    """speeds, kinetic, places: what the cases are called by."""
    fixed = "c = 0.5 mm, 2500 rev/min, 0.1 kinetic, 0.2 static"
    page.figure("fig7", f"Fig. 7. c-cr, {fixed}: (a) slider acceleration and (b) friction force.", _two(got["c-cr, 2500, 0.1"]))
    words = "Slider acceleration for a small period of time (5 ms), with and without friction"
    page.figure("fig8", f"Fig. 8. {words}, {fixed}: (a) c-cr, (b) s-cr.", _window(got, places))
    words = "a smaller period of time (0.2 ms) around a reversal of the slip, s-cr"
    page.figure("fig9", f"Fig. 9. {words}, {fixed}: (a) friction force, (b) slider acceleration.", _reversal(got))
    page.figure("fig10", f"Fig. 10. Friction force vs. tangential velocity, {fixed}: c-cr, s-cr enlarged.", _slip(got))
    rpm = 2000.0 if 2000.0 in speeds else speeds[-1]
    words = f"c-cr, {rpm:g} rev/min, 0.2 static, three kinetic coefficients"
    runs = {f"{mu:g}": got[f"c-cr, {rpm:g}, {mu:g}"] for mu in kinetic}
    page.figure("fig11", f"Fig. 11. {words}: (a) friction force, (b) slider acceleration, (c) crank torque.", _three(runs))
    for number, key, place, what in (
        (12, "friction", "c-cr", "Friction force"),
        (13, "acceleration", "c-cr", "Slider acceleration"),
        (14, "friction", "s-cr", "Friction force"),
        (15, "acceleration", "s-cr", "Slider acceleration"),
    ):
        caption = f"Fig. {number}. {what}, clearance at {place}, 0.2 static, by speed and kinetic coefficient."
        page.figure(f"fig{number}", caption, _grid(got, key, place, speeds, kinetic))
    for place, name in (("c-cr", "fig16"), ("s-cr", "fig16_s-cr")):
        runs = {f"{mu:g}": got[f"{place}, 2000, static {mu:g}"] for mu in (0.1, 0.3)}
        words = f"{place}, 2000 rev/min, 0.05 kinetic, two static coefficients"
        page.figure(name, f"Fig. 16. {words}: (a) friction force, (b) slider acceleration, (c) crank torque.", _three(runs))


def reversals(r: Result) -> Any:
    """Frames before which the slip changes its sign in contact: stick-slip."""
    touching = r["normal"] > 10.0
    return np.flatnonzero((np.diff(np.sign(r["slip"])) != 0.0) & touching[1:] & touching[:-1]) + 1


def _two(r: Result) -> Any:
    figure, axes = panels(2, sharex=True)
    axes[0, 0].plot(r["ms"], r["acceleration"] / 1e3, color=COLOURS[0], linewidth=0.7)
    axes[0, 0].set_ylabel("acceleration [km/s²]")
    axes[1, 0].plot(r["ms"], r["friction"], color=COLOURS[0], linewidth=0.7)
    axes[1, 0].set_ylabel("friction [N]")
    axes[1, 0].set_xlabel("t [ms]")
    return figure


def _window(got: Results, places: dict[str, str]) -> Any:
    figure, axes = panels(2, sharex=True)
    for each, place in zip(axes[:, 0], places, strict=True):
        for label, colour in (("none", "0.6"), ("0.1", COLOURS[0])):
            r = got[f"{place}, 2500, {label}"]
            kept = r["ms"] < r["ms"][0] + 5.0
            each.plot(
                r["ms"][kept], r["acceleration"][kept] / 1e3, color=colour, linewidth=0.9, label=f"{place}, friction {label}"
            )
        each.set_ylabel("acceleration [km/s²]")
        each.legend(fontsize=8)
    axes[1, 0].set_xlabel("t [ms]")
    return figure


def _reversal(got: Results) -> Any:
    """LuGre against the modified Coulomb law, each around the reversal under its largest normal force."""
    figure, axes = panels(2, sharex=True)
    for law, colour in (("LuGre", COLOURS[0]), ("Ambrosio", COLOURS[1])):
        r = got[f"s-cr, 2500, {law}"]
        turned = reversals(r)
        start = r["ms"][turned[r["normal"][turned].argmax()]]
        kept = np.abs(r["ms"] - start) < WINDOW
        name = f"{law}, {start:.2f} ms"
        axes[0, 0].plot(1e3 * (r["ms"][kept] - start), r["friction"][kept], color=colour, linewidth=0.9, label=name)
        axes[1, 0].plot(1e3 * (r["ms"][kept] - start), r["acceleration"][kept] / 1e3, color=colour, linewidth=0.9)
    axes[0, 0].set_ylabel("friction [N]")
    axes[0, 0].legend(fontsize=8)
    axes[1, 0].set_ylabel("acceleration [km/s²]")
    axes[1, 0].set_xlabel("time from the reversal [µs]")
    return figure


def _slip(got: Results) -> Any:
    figure, axes = panels(1, 2, size=(10.0, 3.4))
    r, model = got["c-cr, 2500, 0.1"], SliderCrankLuGre()
    axes[0, 0].plot(r["slip"], r["friction"], color=COLOURS[0], linewidth=0.7)
    axes[0, 0].set_ylabel("friction, c-cr [N]")
    for law, colour in (("LuGre", COLOURS[0]), ("Ambrosio", COLOURS[1])):
        r = got[f"s-cr, 2500, {law}"]
        near = (r["normal"] > 10.0) & (np.abs(r["slip"]) < 10.0 * model.stribeck_speed)
        axes[0, 1].plot(r["slip"][near], r["friction"][near] / r["normal"][near], ".", color=colour, markersize=2, label=law)
    axes[0, 1].set_ylabel("friction / normal force, s-cr")
    axes[0, 1].legend(fontsize=8)
    for each in axes[0]:
        each.set_xlabel("tangential velocity [m/s]")
    return figure


def _grid(got: Results, key: str, place: str, speeds: Sequence[float], kinetic: Sequence[float]) -> Any:
    figure, axes = panels(len(speeds), size=(8.0, 2.2))
    scale, unit = (1.0, "friction [N]") if key == "friction" else (1e-3, "acceleration [km/s²]")
    for each, rpm in zip(axes[:, 0], speeds, strict=True):
        for mu, colour in zip(kinetic, COLOURS, strict=False):
            r = got[f"{place}, {rpm:g}, {mu:g}"]
            each.plot(r["ms"], scale * r[key], color=colour, linewidth=0.7, label=f"{mu:g}")
        each.set_title(f"{rpm:g} rev/min", loc="left", fontsize=9)
        each.set_ylabel(unit)
    axes[0, 0].legend(fontsize=8, title="kinetic")
    axes[-1, 0].set_xlabel("t [ms]")
    return figure


def _three(runs: Results) -> Any:
    figure, axes = panels(3, size=(8.0, 2.0), sharex=True)
    for (label, r), colour in zip(runs.items(), COLOURS, strict=False):
        for each, key, scale, words in (
            (axes[0, 0], "friction", 1.0, "friction [N]"),
            (axes[1, 0], "acceleration", 1e-3, "acceleration [km/s²]"),
            (axes[2, 0], "moment", 1.0, "torque [N m]"),
        ):
            each.plot(r["ms"], scale * r[key], color=colour, linewidth=0.7, label=label)
            each.set_ylabel(words)
    axes[0, 0].legend(fontsize=8)
    axes[-1, 0].set_xlabel("t [ms]")
    return figure
