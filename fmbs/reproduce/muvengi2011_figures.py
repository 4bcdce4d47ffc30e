"""Figures of Muvengi2011's page; the review has none of results."""

from __future__ import annotations

from typing import Any

import numpy as np

from fmbs.reproduce.cases import members
from fmbs.reproduce.muvengi2011_page import LAWS, RODS
from fmbs.reproduce.page import COLOURS, panels
from fmbs.reproduce.paper import Got

WHERE = "of Flores2006's slider-crank with clearance at the wrist pin"


def draw(got: Got) -> list[Any]:
    many = len(members(got, "LankaraniNikravesh"))
    return [
        ("laws", (f"Reaction at the wrist pin {WHERE} with each continuous contact law: dark the run, light the range of "
                 f"{many} runs that differ by pushes of 1 mN."), _laws(got)),
        ("impacts", (f"Path of the slider {WHERE}, off that of ideal joints: continuous and discontinuous contact without and "
                    f"with "
                    "the three impact laws lie on each other."), _impacts(got)),
        ("drift", "Largest violation of a constraint in each tenth of a run: rigid double pendulum, released, tolerance 1e-6.",
         _drift(got)),
        ("rods", (f"Largest force, acceleration of the slider and moment on the crank so far {WHERE}, for a rigid and two "
                 f"flexible "
                 "rods, over the rigid one's at the end."), _rods(got)),
        ("rubbed", ("Normal force times sliding speed, summed over the run, along the bearing's circumference: where "
                   "Archard's law would wear the bearing of the four-bar linkage's joint C, over the largest."), _rubbed(got)),
    ]  # fmt: skip


def _laws(got: Got) -> Any:
    figure, axes = panels(5, 2, size=(11.0, 1.7), sharex=True, sharey=True)
    for each, law in zip(axes.ravel(), LAWS, strict=True):
        curves = np.array([r["curve"] for r in members(got, law)]) / 1e3
        turn = got[law]["turn"]
        each.fill_between(turn, curves.min(axis=0), curves.max(axis=0), color=COLOURS[4], alpha=0.5, linewidth=0)
        each.plot(turn, curves[0], color=COLOURS[0], linewidth=0.6)
        each.set_title(law, loc="left", fontsize=9)
    for row in axes:
        row[0].set_ylabel("force [kN]")
    for each in axes[-1]:
        each.set_xlabel("turns of the crank")
    return figure


def _impacts(got: Got) -> Any:
    figure, axes = panels(2, 1, size=(10.0, 2.6), sharex=True)
    ideal = got["ideal"]
    turns = got["LankaraniNikravesh"]["turn"][-1]
    for row, (each, laws) in enumerate(
        zip(
            axes[:, 0],
            (("LankaraniNikravesh", "Newton"), ("friction 0.1", "Newton, friction", "Poisson, friction", "Stronge, friction")),
            strict=True,
        )
    ):
        for law, colour in zip(laws, COLOURS, strict=False):
            r = got[law]
            off = r["x"] - np.interp(r["turn"], np.linspace(0.0, turns, ideal["x"].size), ideal["x"])
            label = law.split(",")[0].replace("friction 0.1", "LankaraniNikravesh")
            each.plot(r["turn"], 1e6 * off, color=colour, linewidth=0.8, label=label)
        each.set_title(("without friction", "with friction, 0.1")[row], loc="left", fontsize=9)
        each.set_ylabel("off the ideal path [µm]")
        each.legend(fontsize=8, loc="center")
    axes[-1, 0].set_xlabel("turns of the crank")
    return figure


def _drift(got: Got) -> Any:
    figure, axes = panels(1, 1, size=(8.0, 3.6))
    labels = {
        "unstabilised": "accelerations alone", "Baumgarte": "Baumgarte, 5 1/s", "Baumgarte 1": "Baumgarte, 1 1/s",
        "Baumgarte 20": "Baumgarte, 20 1/s", "augmented Lagrangian": "augmented Lagrangian", "partitioning": "partitioning",
    }  # fmt: skip
    for (name, label), colour in zip(labels.items(), COLOURS, strict=True):
        tenths = got[f"released, {name}"]["tenths"]
        axes[0, 0].semilogy(np.arange(1, len(tenths) + 1), tenths, "o-", markersize=4, color=colour, label=label)
    axes[0, 0].set_xlabel("tenth of the run")
    axes[0, 0].set_ylabel("largest |Φ| [m]")
    axes[0, 0].legend(fontsize=8, ncols=2)
    return figure


def _rods(got: Got) -> Any:
    figure, axes = panels(1, 3, size=(11.0, 3.2), sharex=True)
    names = {"force": "force", "a": "acceleration", "moment": "moment"}
    for each, (key, name) in zip(axes[0], names.items(), strict=True):
        size = got["LankaraniNikravesh"][f"so far {key}"][-1]
        for (rod, beam), colour in zip(RODS.items(), COLOURS, strict=False):
            runs = members(got, f"rod {rod}" if beam else "LankaraniNikravesh")
            curves = np.array([r[f"so far {key}"] for r in runs]) / size
            turn = runs[0]["so far at"]
            each.fill_between(turn, curves.min(axis=0), curves.max(axis=0), color=colour, alpha=0.3, linewidth=0)
            each.plot(turn, curves[0], color=colour, linewidth=1.2, label=rod)
        each.set_title(name, loc="left", fontsize=9)
        each.set_xlabel("turns of the crank")
    axes[0, 0].set_ylabel("largest so far / rigid, at the end")
    axes[0, 0].legend(fontsize=8)
    return figure


def _rubbed(got: Got) -> Any:
    figure, axes = panels(1, 1, size=(8.0, 2.8))
    for label, colour in (("linkage 0.05 mm, Ambrosio", COLOURS[0]), ("linkage 0.5 mm, Ambrosio", COLOURS[1])):
        rubbed = got[label]["rubbed"]
        edges = np.linspace(-180.0, 180.0, rubbed.size + 1)
        axes[0, 0].stairs(rubbed, edges, color=colour, label=f"clearance {label.split()[1]} mm", linewidth=1.5)
    axes[0, 0].set_xlabel("place on the bearing [degrees]")
    axes[0, 0].set_ylabel("work of friction")
    axes[0, 0].legend(fontsize=8)
    return figure
