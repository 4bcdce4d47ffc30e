"""Tian2010: double pendulum and slider-crank with a perfect, dry and lubricated joint. Figs 8-16, 18-24, Table 1."""

from __future__ import annotations

from typing import Any

from fmbs.models import SliderCrankSpatial
from fmbs.reproduce.cases import PaperCase
from fmbs.reproduce.paper import Paper
from fmbs.reproduce.tian2010_claims import CLAIMS, COUNTS, RODS, STIFFNESS, label
from fmbs.reproduce.tian2010_figures import draw
from fmbs.reproduce.tian2010_measures import FRAMES, numbers, pendulum, slider_crank, whole_run
from fmbs.reproduce.tian2010_page import layout

PAPER_ELEMENT = {"interpolation": "hermite", "formulation": "continuum"}
ARRANGEMENTS = ("planar", "CD y, B z", "CD x, B z")  # beside the spatial one
ELEMENTS = {"hermite continuum": (2, 4, 8, 16, 32), "quadratic structural": (2, 4, 8, 16), "cubic structural": (2, 4, 8, 32)}
MEMBERS = 4


def all_cases(quick: bool) -> list[PaperCase]:
    """The longest ones first, so that all cores have work until the end."""
    swing, turn = 0.25 if quick else 2.0, SliderCrankSpatial().turn
    long, members = (1.5 * turn, 1) if quick else (2.0, MEMBERS)
    cases = []
    for key, E in RODS.items():
        values = {"joint": "dry", "E": E, **PAPER_ELEMENT}
        if not quick:
            options = {"step": turn / 12000, "output_step": turn / FRAMES}
            cases.append(PaperCase(f"dry, rod {key}, 2 s", "slider_crank_spatial", values, long, whole_run, options))
        few = PaperCase(f"dry, rod {key}", "slider_crank_spatial", values, (1.5 if quick else 4.0) * turn, slider_crank)
        cases += few.ensemble(members)
        oil = {"joint": "lubricated", "E": E, **PAPER_ELEMENT}
        options = {"step": turn / FRAMES, "output_step": turn / FRAMES}
        cases.append(PaperCase(f"lubricated, rod {key}", "slider_crank_spatial", oil, long, slider_crank, options))
        ideal = {"joint": "ideal", "E": E, **PAPER_ELEMENT}
        cases.append(PaperCase(f"ideal, rod {key}", "slider_crank_spatial", ideal, 4.0 * turn, slider_crank))
    thin = {"joint": "lubricated", "E": 2.07e15, "viscosity": 1e-4, **PAPER_ELEMENT}
    cases.append(PaperCase("thin oil, rod 2.07e15", "slider_crank_spatial", thin, 0.05 * turn, slider_crank))
    return cases + _pendulums(swing, members, quick)


def _pendulums(swing: float, members: int, quick: bool) -> list[PaperCase]:
    cases = []

    def case(name: str, end: float, **values: Any) -> PaperCase:
        return PaperCase(name, "double_pendulum", {**PAPER_ELEMENT, **values}, end, pendulum)

    for key, (E, paper) in STIFFNESS.items():
        dry = case(label("dry", key), swing, joint="dry", E=E, elements=paper)
        cases.append(dry)
        bouncing = case(f"bouncing, E = {key}", 0.1 if quick else 0.5, joint="dry", E=E, elements=paper)
        cases += bouncing.ensemble(members)
        cases.append(case(label("lubricated", key), swing, joint="lubricated", E=E, elements=paper))
        for count in COUNTS:
            cases.append(case(label("ideal", key, count), swing, E=E, elements=count))
            for arrangement in () if quick else ARRANGEMENTS:
                name = f"{arrangement}: {label('ideal', key, count)}"
                cases.append(case(name, swing, E=E, elements=count, arrangement=arrangement))
        for kind, counts in ({} if quick else ELEMENTS).items():
            interpolation, formulation = kind.split()
            for count in counts:
                values = {"interpolation": interpolation, "formulation": formulation, "E": E, "elements": count}
                cases.append(case(f"{kind}, E = {key}, {count}", 0.5, **values))
    for joint in ("dry", "ideal"):
        cases.append(
            PaperCase(f"{joint}, rigid links", "double_pendulum", {"joint": joint, "flexible": False}, swing, pendulum)
        )
    softer = {"joint": "dry", "E": 6.9e11, "elements": 4, "contact_E": 70e9}
    cases.append(case("contact of 70 GPa", 0.1 if quick else 0.5, **softer))
    return cases


PAPER = Paper(
    name="tian2010", title="Tian2010: cylindrical joints with clearance in flexible systems", claims=CLAIMS, cases=all_cases,
    numbers=numbers, draw=draw, layout=layout,
)  # fmt: skip
