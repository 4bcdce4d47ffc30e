"""What parts in Python cost in the time loop, beside the same model without them.

    python benchmarks/python_parts.py                 prints the table of README.md, "Parts in Python"

A clamped beam of 8 elements under a force at its tip, constant and a function of time, and the planar slider-crank at 5000 rpm
with a dry wrist pin: with wear, with air drag on the slider written in Python, with a contact law in Python, and with Newton
matrices that SciPy and PETSc factorise. Processor time of whole runs, the least of several that take turns.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import sin
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is imported

import fmbs as fm  # noqa: E402
from fmbs.models import SliderCrankPlanar  # noqa: E402

REPEATS = 5


def beam(force: Any) -> fm.Model:
    m = fm.Model("beam", gravity=(0, 0, -9.81))
    plastic = fm.Material(E=6.9e9, nu=0.0, density=2700)
    section = fm.Rectangle(0.02, 0.02)
    rod = m.add(fm.Beam("rod", start=(0, 0, 0), end=(1, 0, 0), section=section, material=plastic, elements=8))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), rod.start))
    m.add(fm.PointForce(rod.end, force))
    return m


def slider_crank(**pin: Any) -> fm.Model:
    """pin: what the wrist pin has in place of the mechanism's own."""
    m = SliderCrankPlanar(joint="dry", friction="Ambrosio").build()
    for name, value in pin.items():
        object.__setattr__(m["wrist pin"], name, value)
    return m


@dataclass(frozen=True, eq=False)
class Drag(fm.UserForce):
    """Air drag on a marker."""

    marker: fm.Marker

    def force(self, t: float, *states: fm.MarkerState) -> list[Any]:
        return [-0.5 * abs(states[0].v[0]) * states[0].v]


class Rubber(fm.contact.ContactLaw):
    """K d^1.5 with some damping."""

    def normal_force(self, depth: Any, rate: Any, impact_speed: Any) -> Any:
        return 1e10 * depth**1.5 * (1.0 + 0.2 * rate / impact_speed)


def with_drag() -> fm.Model:
    m = slider_crank()
    m.add(Drag(m["slider"].com, name="drag"))
    return m


FIXED = {"step": 2e-6, "output_step": 0.024}  # frames at the ends only
CASES: dict[str, tuple[Callable[[], fm.Model], float, dict[str, Any]]] = {
    "beam, constant force": (lambda: beam((0.0, 0.0, 20.0)), 2.0, {"step": 1e-3, "output_step": 2.0}),
    "beam, force of time": (lambda: beam(lambda t: (0.0, 0.0, 20.0 * sin(30.0 * t))), 2.0, {"step": 1e-3, "output_step": 2.0}),
    "slider-crank": (slider_crank, 0.024, FIXED),
    "slider-crank, wear": (lambda: slider_crank(wear=fm.wear.Archard(coefficient=1e-4, hardness=2e9)), 0.024, FIXED),
    "slider-crank, law in Python": (lambda: slider_crank(contact=Rubber()), 0.024, FIXED),
    "slider-crank, UserForce in Python": (with_drag, 0.024, FIXED),
    "slider-crank, linear_solver=scipy": (slider_crank, 0.024, FIXED | {"linear_solver": "scipy"}),
    "slider-crank, linear_solver=petsc:klu": (slider_crank, 0.024, FIXED | {"linear_solver": "petsc:klu"}),
}


def spent(build: Callable[[], fm.Model], t_end: float, options: dict[str, Any]) -> tuple[float, fm.Solution]:
    """Processor seconds of a run, and the run."""
    m, begin = build(), time.process_time()
    sol = m.simulate(t_end, progress=False, energy_tolerance=None, **options)
    return time.process_time() - begin, sol


def main() -> None:
    runs: dict[str, list[tuple[float, fm.Solution]]] = {name: [] for name in CASES}
    for build, t_end, options in CASES.values():
        spent(build, 0.05 * t_end, options)
    for _ in range(REPEATS):
        for name, case in CASES.items():
            runs[name].append(spent(*case))
    print("| model | steps | us a step | of these in Python |\n|---|---:|---:|---:|")
    for name, taken in runs.items():
        seconds, sol = min(taken, key=lambda each: each[0])
        steps, inside = sol.statistics.steps, sum(own for _, _, own in sol.statistics.in_python)
        print(f"| {name} | {steps} | {1e6 * seconds / steps:.1f} | {1e6 * inside / steps:.1f} |")


if __name__ == "__main__":
    main()
