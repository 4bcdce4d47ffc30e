"""Flores2006: slider-crank with a clearance joint, dry, dry with friction, lubricated. Figs 6 to 9."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import fmbs as fm
from fmbs.models import SliderCrankPlanar
from fmbs.reproduce.cases import PaperCase, Result, run_cases
from fmbs.reproduce.page import COLOURS, Page, circle, panels

KINDS = {
    "ideal": {"joint": "ideal"},
    "(a) dry": {"joint": "dry"},
    "(b) dry with friction": {"joint": "dry", "friction": "Ambrosio"},
    "(c) lubricated": {"joint": "lubricated"},
}


CHOSEN: dict[str, dict[str, Any]] = {
    "oil, bearing of 10 mm": {"joint": "lubricated", "bearing_length": 0.01},
    "oil, bearing of 40 mm": {"joint": "lubricated", "bearing_length": 0.04},
    "oil, short bearing": {"joint": "lubricated", "film": "ShortBearing"},
    "friction full at 0.1 m/s": {"joint": "dry", "friction": "Ambrosio", "stribeck_speed": 0.1},
}


def harvest(model: SliderCrankPlanar, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    """The last two turns: histories over the crank's angle."""
    kept = sol.t > max(0.0, sol.t[-1] - 2.0 * model.turn) - 1e-12
    slider, pin = m["slider"].com, sol.reaction("wrist pin")
    found = {
        "turn": (sol.t[kept] - sol.t[kept][0]) / model.turn, "force": np.linalg.norm(pin.force, axis=1)[kept],
        "moment": sol.reaction("motor").moment[kept], "velocity": sol.velocity(slider)[kept, 0],
        "acceleration": sol.acceleration(slider)[kept, 0],
    }  # fmt: skip
    if model.joint != "ideal":
        inside = sol.clearance("wrist pin")
        found["orbit"] = inside.eccentricity[kept] / model.clearance
        found["touching"] = float((inside.penetration[kept] > 0.0).mean())
        found["impacts"] = sum(impact.t > sol.t[kept][0] for impact in inside.impacts)
    return found


def repeats(r: Result) -> float:
    """Largest difference of the slider's acceleration between the two turns, relative to its range."""
    a, half = r["acceleration"], len(r["acceleration"]) // 2
    return float(np.abs(a[half : 2 * half] - a[:half]).max() / np.ptp(a))


def reproduce(folder: Path, *, quick: bool, jobs: int | None) -> Path:
    return write_page(folder, run_cases(all_cases(quick), jobs), quick=quick)


def all_cases(quick: bool) -> list[PaperCase]:
    turn = SliderCrankPlanar().turn
    kinds = [
        PaperCase(label, "slider_crank_planar", values, (3 if quick else 5) * turn, harvest) for label, values in KINDS.items()
    ]
    sizes = [PaperCase(label, "slider_crank_planar", values, 3 * turn, harvest) for label, values in CHOSEN.items()]
    return kinds + sizes


def write_page(folder: Path, got: dict[str, Result], *, quick: bool) -> Path:
    turns = 3 if quick else 5
    page = Page(folder, "Flores2006: slider-crank with a dry and a lubricated clearance joint")
    page.text(f"Model `slider_crank_planar`, 5000 rpm, c = 0.05 mm at the wrist pin. The last two of {turns} turns are shown.")
    _statements(page, got)
    for name, key, label, number, words in (
        ("fig6", "force", "force [N]", 6, "Reaction force at the joint clearance"),
        ("fig7", "moment", "moment [N m]", 7, "Driving moment on the crank"),
    ):
        page.figure(
            name, f"Fig. {number}. {words}: {', '.join(list(KINDS)[1:])}; ideal joint in grey.", _history(got, key, label)
        )
    page.figure("fig8", "Fig. 8. Journal centre trajectory relative to the bearing, in clearances.", _orbits(got))
    page.figure("fig9", "Fig. 9. Maps relating velocities with accelerations of the slider.", _maps(got))
    page.text(
        "## Deviations\n\nThe paper prints neither the bearing's length nor the speeds of the friction law; 20 mm and "
        "0.001-0.01 m/s are chosen here. Its figures have no numbers in the text, so heights of peaks are not compared. The "
        "dry motion is sensitive to all details: curves of two codes differ after a few impacts, what is said of them does "
        "not. The paper says that the oil lowers the crank's moment; here its largest value is the ideal one to 1e-4. What was "
        "chosen matters little:"
    )
    page.table(("chosen", "largest eccentricity [c]", "largest force / ideal"), [_chosen(label, got) for label in CHOSEN])
    page.costs(got)
    return page.write(quick)


def _chosen(label: str, got: dict[str, Result]) -> tuple[str, str, str]:
    r = got[label]
    largest = np.linalg.norm(r["orbit"], axis=1).max()
    return label, f"{largest:.3f}", f"{r['force'].max() / got['ideal']['force'].max():.3f}"


def _statements(page: Page, got: dict[str, Result]) -> None:
    ideal, dry, rub, oil = (got[label] for label in KINDS)
    peak, moment = float(ideal["force"].max()), float(np.abs(ideal["moment"]).max())

    def ratio(r: Result, key: str, of: float) -> str:
        return f"{np.abs(r[key]).max() / of:.3f}"

    eccentricity = float(np.linalg.norm(oil["orbit"], axis=1).max())
    rows = {
        "Fig. 6a, b: dry reaction has peaks of a size comparable to the ideal force":
            f"largest / ideal ({peak:.0f} N): {ratio(dry, 'force', peak)}, with friction {ratio(rub, 'force', peak)}",
        "Fig. 6c: lubricated reaction is smooth and close to ideal":
            f"largest / ideal: {ratio(oil, 'force', peak)}",
        "Fig. 7a, b: crank moment has peaks when dry":
            f"largest / ideal ({moment:.1f} N m): {ratio(dry, 'moment', moment)}, with friction {ratio(rub, 'moment', moment)}",
        "Fig. 7c: lubricated moment of the order of the ideal one":
            f"largest / ideal: {ratio(oil, 'moment', moment)}",
        "Fig. 8a, b: the dry journal is always in contact with the wall":
            f"{dry['touching']:.1%} of the time, {dry['impacts']} impacts; friction: {rub['touching']:.1%}, {rub['impacts']}",
        "Fig. 8c: the lubricated journal stays near the centre, the film never breaks":
            f"largest eccentricity {eccentricity:.3f} of the clearance",
        "Fig. 9a: the response without friction is not periodic":
            f"turn to turn difference {repeats(dry):.1%} of the range",
        "Fig. 9b: friction makes it better, not periodic":
            f"turn to turn difference {repeats(rub):.1%}",
        "Fig. 9c: with oil it is regular and periodic, like the ideal one":
            f"turn to turn difference {repeats(oil):.2%}, ideal {repeats(ideal):.2%}",
    }  # fmt: skip
    page.text("## What the paper states, and what fmbs got")
    page.table(("the paper", "fmbs"), list(rows.items()))


def _history(got: dict[str, Result], key: str, label: str) -> Any:
    figure, axes = panels(3, sharex=True)
    for each, name in zip(axes[:, 0], list(KINDS)[1:], strict=True):
        each.plot(got["ideal"]["turn"], got["ideal"][key], color="0.6", linewidth=2.0)
        each.plot(got[name]["turn"], got[name][key], color=COLOURS[0], linewidth=0.8)
        each.set_ylabel(label)
        each.set_title(name, loc="left", fontsize=9)
    axes[-1, 0].set_xlabel("turns of the crank")
    return figure


def _orbits(got: dict[str, Result]) -> Any:
    figure, axes = panels(1, 3, size=(10.0, 3.6))
    for each, name in zip(axes[0], list(KINDS)[1:], strict=True):
        each.plot(*got[name]["orbit"].T, color=COLOURS[0], linewidth=0.7)
        circle(each, 1.0)
        each.set_title(name, fontsize=9)
    return figure


def _maps(got: dict[str, Result]) -> Any:
    figure, axes = panels(1, 3, size=(10.0, 3.4))
    for each, name in zip(axes[0], list(KINDS)[1:], strict=True):
        each.plot(got["ideal"]["velocity"], got["ideal"]["acceleration"] / 1e3, color="0.6", linewidth=2.0)
        each.plot(got[name]["velocity"], got[name]["acceleration"] / 1e3, color=COLOURS[0], linewidth=0.7)
        each.set_title(name, fontsize=9)
        each.set_xlabel("velocity [m/s]")
    axes[0, 0].set_ylabel("acceleration [km/s$^2$]")
    return figure
