"""Figures of Muvengei2012's page, with the paper's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from fmbs.reproduce.cases import Result, members
from fmbs.reproduce.page import COLOURS, panels
from fmbs.reproduce.paper import Got

WINDOW = 0.1  # ms on either side of a reversal
TOUCHING = 10.0  # N, of normal force
SPEEDS, KINETIC = (1500, 2000, 2500), (0.01, 0.05, 0.1)
PLACES = ("c-cr", "s-cr")


def draw(got: Got) -> list[Any]:
    """Lines: the run of an ensemble that is not pushed; bands: the range of all its runs."""
    band = " Bands: the range of all runs of an ensemble."
    fixed = "c = 0.5 mm, 2500 rev/min, 0.1 kinetic, 0.2 static"
    three = "(a) friction force, (b) slider acceleration, (c) crank torque"
    eight = "Slider acceleration for a small period of time (5 ms), with and without friction"
    nine = "A smaller period of time (0.2 ms) around the reversal of the slip under the largest normal force"
    eleven = "c-cr, 2000 rev/min, 0.2 static, three kinetic coefficients"
    figures = [
        ("fig7", f"Fig. 7. c-cr, {fixed}: (a) slider acceleration and (b) friction force.{band}", _two(got)),
        ("fig8", f"Fig. 8. {eight}, {fixed}: (a) c-cr, (b) s-cr.{band}", _window(got)),
        ("fig9", f"Fig. 9. {nine}, s-cr, {fixed}: (a) friction force, (b) slider acceleration.", _reversal(got)),
        ("fig10", f"Fig. 10. Friction force vs. tangential velocity, {fixed}: c-cr, s-cr enlarged.", _slip(got)),
        ("fig11", f"Fig. 11. {eleven}: {three}.{band}", _three(got, {f"{mu:g}": f"c-cr, 2000, {mu:g}" for mu in KINETIC})),
    ]
    for number, key, place, what in (
        (12, "friction", "c-cr", "Friction force"),
        (13, "a", "c-cr", "Slider acceleration"),
        (14, "friction", "s-cr", "Friction force"),
        (15, "a", "s-cr", "Slider acceleration"),
    ):
        caption = f"Fig. {number}. {what}, clearance at {place}, 0.2 static, by speed and kinetic coefficient.{band}"
        figures.append((f"fig{number}", caption, _grid(got, key, place)))
    for place, name in (("c-cr", "fig16"), ("s-cr", "fig16_s-cr")):
        runs = {f"{mu:g}": f"{place}, 2000, fine {mu:g}" for mu in (0.1, 0.3)}
        words = f"{place}, 2000 rev/min, 0.05 kinetic, two static coefficients, 0.2 ms around the slowest slip in contact"
        figures.append((name, f"Fig. 16. {words}: {three}.", _three(got, runs, around=True)))
    return figures


def reversals(r: Result) -> Any:
    """Frames before which the slip changes its sign in contact: stick-slip."""
    touching = r["normal"] > TOUCHING
    return np.flatnonzero((np.diff(np.sign(r["slip"])) != 0.0) & touching[1:] & touching[:-1]) + 1


def _line(axes: Any, got: Got, label: str, key: str, scale: float, colour: str, name: str = "", until: float = np.inf) -> None:
    """The run that is not pushed over the range of its ensemble; until: ms from the start."""
    runs = members(got, label)
    ms = runs[0]["ms"]
    kept = ms < ms[0] + until
    curves = scale * np.array([r[key] for r in runs])
    if len(runs) > 1:
        axes.fill_between(ms[kept], curves.min(axis=0)[kept], curves.max(axis=0)[kept], color=colour, alpha=0.25, linewidth=0)
    axes.plot(ms[kept], curves[0][kept], color=colour, linewidth=0.7, label=name)


def _two(got: Got) -> Any:
    figure, axes = panels(2, sharex=True)
    for each, key, scale, words in (
        (axes[0, 0], "a", 1e-3, "acceleration [km/s²]"),
        (axes[1, 0], "friction", 1.0, "friction [N]"),
    ):
        _line(each, got, "c-cr, 2500, 0.1", key, scale, COLOURS[0])
        each.set_ylabel(words)
    axes[1, 0].set_xlabel("t [ms]")
    return figure


def _window(got: Got) -> Any:
    figure, axes = panels(2, sharex=True)
    for each, place in zip(axes[:, 0], PLACES, strict=True):
        for label, colour in (("none", "0.6"), ("0.1", COLOURS[0])):
            _line(each, got, f"{place}, 2500, {label}", "a", 1e-3, colour, f"{place}, friction {label}", until=5.0)
        each.set_ylabel("acceleration [km/s²]")
        each.legend(fontsize=8)
    axes[1, 0].set_xlabel("t [ms]")
    return figure


def _reversal(got: Got) -> Any:
    """LuGre against the modified Coulomb law, each around the reversal under its largest normal force."""
    figure, axes = panels(2, sharex=True)
    for law, colour in (("LuGre", COLOURS[0]), ("Ambrosio", COLOURS[1])):
        r = got[f"s-cr, 2500, fine {law}"]
        turned = reversals(r)
        start = r["ms"][turned[r["normal"][turned].argmax()]]
        kept = np.abs(r["ms"] - start) < WINDOW
        name = f"{law}, {start:.2f} ms"
        axes[0, 0].plot(1e3 * (r["ms"][kept] - start), r["friction"][kept], color=colour, linewidth=0.9, label=name)
        axes[1, 0].plot(1e3 * (r["ms"][kept] - start), r["a"][kept] / 1e3, color=colour, linewidth=0.9)
    axes[0, 0].set_ylabel("friction [N]")
    axes[0, 0].legend(fontsize=8)
    axes[1, 0].set_ylabel("acceleration [km/s²]")
    axes[1, 0].set_xlabel("time from the reversal [µs]")
    return figure


def _slip(got: Got) -> Any:
    figure, axes = panels(1, 2, size=(10.0, 3.4))
    r = got["c-cr, 2500, 0.1"]
    axes[0, 0].plot(r["slip"], r["friction"], color=COLOURS[0], linewidth=0.7)
    axes[0, 0].set_ylabel("friction, c-cr [N]")
    for law, colour in (("LuGre", COLOURS[0]), ("Ambrosio", COLOURS[1])):
        r = got[f"s-cr, 2500, fine {law}"]
        near = (r["normal"] > TOUCHING) & (np.abs(r["slip"]) < 10.0 * r["v_s"])
        axes[0, 1].plot(r["slip"][near], r["friction"][near] / r["normal"][near], ".", color=colour, markersize=2, label=law)
    axes[0, 1].set_ylabel("friction / normal force, s-cr")
    axes[0, 1].legend(fontsize=8)
    for each in axes[0]:
        each.set_xlabel("tangential velocity [m/s]")
    return figure


def _grid(got: Got, key: str, place: str) -> Any:
    figure, axes = panels(len(SPEEDS), size=(8.0, 2.2))
    scale, unit = (1.0, "friction [N]") if key == "friction" else (1e-3, "acceleration [km/s²]")
    for each, rpm in zip(axes[:, 0], SPEEDS, strict=True):
        for mu, colour in zip(KINETIC, COLOURS, strict=False):
            _line(each, got, f"{place}, {rpm:g}, {mu:g}", key, scale, colour, f"{mu:g}")
        each.set_title(f"{rpm:g} rev/min", loc="left", fontsize=9)
        each.set_ylabel(unit)
    axes[0, 0].legend(fontsize=8, title="kinetic")
    axes[-1, 0].set_xlabel("t [ms]")
    return figure


def slowest(r: Result) -> int:
    """The frame of the slowest slip under a normal force."""
    touching = np.flatnonzero(r["normal"] > 0.2 * r["normal"].max())
    return int(touching[np.abs(r["slip"][touching]).argmin()])


def _three(got: Got, labels: dict[str, str], around: bool = False) -> Any:
    figure, axes = panels(3, size=(8.0, 2.0), sharex=True)
    rows = (("friction", 1.0, "friction [N]"), ("a", 1e-3, "acceleration [km/s²]"), ("moment", 1.0, "torque [N m]"))
    for (name, label), colour in zip(labels.items(), COLOURS, strict=False):
        for each, (key, scale, words) in zip(axes[:, 0], rows, strict=True):
            if around:
                r = got[label]
                middle = r["ms"][slowest(r)]
                kept = np.abs(r["ms"] - middle) < WINDOW
                time, shown = 1e3 * (r["ms"][kept] - middle), f"{name}, {middle:.2f} ms"
                each.plot(time, scale * r[key][kept], color=colour, linewidth=0.9, label=shown)
            else:
                _line(each, got, label, key, scale, colour, name)
            each.set_ylabel(words)
    axes[0, 0].legend(fontsize=8)
    axes[-1, 0].set_xlabel("time from the slowest slip [µs]" if around else "t [ms]")
    return figure
