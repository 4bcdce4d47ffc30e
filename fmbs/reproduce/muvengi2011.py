"""Muvengi2011: the contact laws, coordinates and constraint formulations that the review names, compared on one mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import fmbs as fm
from fmbs.models import SliderCrankPlanar
from fmbs.reproduce.cases import PaperCase, Result, run_cases
from fmbs.reproduce.sheet import COLOURS, Sheet, panels

LAWS = {
    "KelvinVoigt": "eq. 1", "Maxwell": "eq. 2", "StandardLinearSolid": "eq. 3", "Hertz": "eq. 4", "LankaraniNikravesh": "eq. 8",
    "HuntCrossley": "-", "Flores": "-", "DubowskyFreudenstein": "eq. 9", "ESDU78035": "eq. 10",
}  # fmt: skip
FORMULATIONS = {
    "index 3, generalized-alpha": fm.GeneralizedAlpha,
    "index 1, Baumgarte": fm.BaumgarteODE,
    "index 1, augmented Lagrangian": fm.AugmentedLagrangian,
    "coordinate partitioning": fm.CoordinatePartitioning,
}
COORDINATES: dict[str, tuple[str, dict[str, Any]]] = {  # of the same slider-crank
    "Cartesian": ("slider_crank_planar", {}),
    "natural": ("slider_crank_spatial", {"flexible": False}),
}
RODS: dict[str, dict[str, Any]] = {"rigid": {}, "E = 2.07e11": {"flexible": True}, "E = 5e9": {"flexible": True, "E": 5e9}}


STATEMENTS = (
    (
        "accelerations alone would drift; Baumgarte's method keeps the drift small, and is the simplest and most used",
        "small and not zero; the cheapest of the index-1 methods",
    ),
    (
        "coordinate partitioning satisfies all constraints, at poor efficiency",
        "drift of round-off; dearer than Baumgarte's method where there is something to integrate",
    ),
    ("the augmented Lagrangian method iterates; it handles redundant constraints", "the dearest here"),
    (
        "natural coordinates are slightly fewer than Cartesian ones",
        "in the plane; in space fmbs takes 12 a body for a constant mass matrix",
    ),
)


def count(sol: fm.Solution) -> dict[str, Any]:
    """Coordinates and constraint equations of the system, and the largest violation of the latter."""
    system = sol.system
    equations = system.constraints(0.0, np.asarray(system.initial_position)).size
    return {"n": system.size, "m": equations, "drift": float(np.abs(sol.drift).max())}


def driven(model: Any, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    angle = 2.0 * np.pi * sol.t / model.turn
    exact = model.crank_length * np.cos(angle) + np.sqrt(model.rod_length**2 - (model.crank_length * np.sin(angle)) ** 2)
    return {**count(sol), "off": float(np.abs(sol.position(m["slider"].com)[:, 0] - exact).max())}


def released(model: Any, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    """off: the energy's change over the largest kinetic energy."""
    e = sol.energy
    total = np.asarray(e.kinetic) + np.asarray(e.potential)
    return {**count(sol), "off": float(np.abs(total - total[0]).max() / np.max(e.kinetic))}


def dry(model: SliderCrankPlanar, m: fm.Model, sol: fm.Solution) -> dict[str, Any]:
    inside = sol.clearance("wrist pin")
    return {
        "turn": sol.t / model.turn, "force": np.linalg.norm(sol.reaction("wrist pin").force, axis=1),
        "depth": float(inside.penetration.max()), "impacts": len(inside.impacts),
        "lost": float(np.asarray(inside.dissipated)[-1]), "moment": float(np.abs(sol.reaction("motor").moment).max()),
        "a": float(np.abs(sol.acceleration(m["slider"].com)[:, 0]).max()),
    }  # fmt: skip


def all_cases(quick: bool) -> list[PaperCase]:
    turn = SliderCrankPlanar().turn
    turns, turned, fallen = (0.5, 0.5, 0.1) if quick else (2.0, 1.0, 0.2)
    cases = []
    for name, kind in FORMULATIONS.items():
        for label, (model, values) in COORDINATES.items():
            options = {"integrator": kind(), **_steps(kind, turn / 1200)}
            cases.append(PaperCase(f"{label}, {name}", model, values, turned * turn, driven, options))
        if kind is fm.AugmentedLagrangian:
            continue  # minutes: its penalties are stiff and the integrator differentiates them numerically
        options = {"integrator": kind(), **_steps(kind, 1e-3)}
        cases.append(PaperCase(f"released, {name}", "double_pendulum", {"flexible": False}, fallen, released, options))
    cases += [PaperCase(law, "slider_crank_planar", {"joint": "dry", "contact": law}, turns * turn, dry) for law in LAWS]
    fine = {"step": turn / 24000, "output_step": turn / 2400}
    for rod, beam in RODS.items():
        cases.append(PaperCase(f"rod {rod}", "slider_crank_planar", {"joint": "dry", **beam}, 0.25 * turn, dry, fine))
    return cases


def reproduce(folder: Path, *, quick: bool, jobs: int | None) -> Path:
    return write_page(folder, run_cases(all_cases(quick), jobs), quick=quick)


def write_page(folder: Path, got: dict[str, Result], *, quick: bool) -> Path:
    page = Sheet(folder, "Muvengi2011: contact laws, coordinates and constraint formulations on one mechanism")
    page.text(
        "The review prints no example. Here its laws and formulations drive the slider-crank of Flores2006: formulations with "
        "ideal joints, contact laws with a dry wrist pin."
    )
    page.text("## Coordinates and formulations of the constraints (its sections III.A and III.C)")
    page.table(
        (
            "coordinates",
            "formulation",
            "coordinates / equations",
            "largest drift",
            "off the closed form [m]",
            "steps",
            "processor [s]",
        ),
        [_formulation(label, name, got[f"{label}, {name}"]) for label in COORDINATES for name in FORMULATIONS],
    )
    page.text(
        "Cartesian: x, y and the angle of every body (`PlanarBody`). Natural: two points and two unit vectors of every body in "
        "space (`RigidBody`). Minimal coordinates are those that coordinate partitioning integrates; the driven mechanism has "
        "none, so there it only solves the constraints. Nothing is driven in the double pendulum of Tian2010 with rigid links, "
        "released from rest, in natural coordinates; it keeps its energy, and the table says how well:"
    )
    page.table(
        (
            "coordinates",
            "formulation",
            "coordinates / equations",
            "largest drift",
            "energy changes by",
            "steps",
            "processor [s]",
        ),
        [_formulation("released", name, r) for name in FORMULATIONS if (r := got.get(f"released, {name}"))],
    )
    page.text("The augmented Lagrangian method is left out of this table: it needs minutes for the released pendulum.")
    page.table(("the review", "fmbs"), STATEMENTS)
    page.text("## Contact laws (its section II.B)")
    page.table(
        ("law", "equation", "largest force [N]", "deepest [um]", "impacts", "energy lost [J]", "processor [s]"),
        [_row(law, got[law]) for law in LAWS],
    )
    page.text(
        "The review: Hertz's law accounts for no loss of energy, and here the journal rattles on with it. Of the linear laws "
        "it says that their stiffness is a rough estimate; here it is the secant of Hertz's law at a tenth of the clearance, "
        "and the damper is that of the same restitution. Kelvin and Voigt's force jumps when the journal touches. Maxwell's "
        "damper, in series, creeps as long as it is pressed, several clearances deep: no law for lasting contact. The laws "
        "with hysteresis agree closely at a restitution of 0.9. The cylinder laws need an iteration for the force; they are "
        "softer and settle alike. `HuntCrossley` and `Flores` are not in the review."
    )
    page.figure("laws", "Reaction at the wrist pin with each contact law.", _figure(got))
    page.text("## Flexible links (its section II.A)")
    page.table(
        ("rod", "largest force [N]", "largest slider acceleration [m/s²]", "largest crank moment [N m]"),
        [(rod, f"{r['force'].max():.0f}", f"{r['a']:.0f}", f"{r['moment']:.0f}") for rod in RODS for r in (got[f"rod {rod}"],)],
    )
    page.text(
        "The review quotes that flexible links lower impact forces, slider accelerations and the driving moment. Here force "
        "and acceleration are lower, over the first quarter of a turn with the hardest impacts. The moment is lower only while "
        "the first impacts last (a tenth of a turn); then the rod rings, undamped, and shakes the crank."
    )
    page.costs(got)
    return page.write(quick)


def _steps(kind: type, frame: float) -> dict[str, Any]:
    return {"step": frame} if kind is fm.GeneralizedAlpha else {"tolerance": 1e-6, "output_step": frame}


def _formulation(label: str, name: str, r: Result) -> tuple[Any, ...]:
    return label, name, f"{r['n']} / {r['m']}", f"{r['drift']:.1e}", f"{r['off']:.1e}", r.steps, f"{r.cpu:.2f}"


def _row(law: str, r: Result) -> tuple[Any, ...]:
    return (
        law, LAWS[law], f"{r['force'].max():.0f}", f"{1e6 * r['depth']:.1f}", r["impacts"], f"{r['lost']:.3f}", f"{r.cpu:.1f}"
    )  # fmt: skip


def _figure(got: dict[str, Result]) -> Any:
    figure, axes = panels(3, 3, size=(11.0, 2.2), sharex=True, sharey=True)
    for each, law in zip(axes.ravel(), LAWS, strict=True):
        each.plot(got[law]["turn"], got[law]["force"] / 1e3, color=COLOURS[0], linewidth=0.7)
        each.set_title(law, loc="left", fontsize=9)
    for row in axes:
        row[0].set_ylabel("force [kN]")
    for each in axes[-1]:
        each.set_xlabel("turns of the crank")
    return figure
