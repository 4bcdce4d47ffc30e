"""The compiled driver against steps from Python, for loads that are functions of time and for wear.

    python benchmarks/drivers.py                      prints the table of README.md, "Functions of time and wear"

A clamped beam of 8 elements under a sinusoidal force at its tip, and the planar slider-crank with a dry wrist pin that wears.
Processor time of a whole run after a first one, which compiles; the best of three by the compiled driver, one from Python.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from math import sin

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is imported

import fmbs as fm  # noqa: E402
from fmbs.models import SliderCrankPlanar  # noqa: E402
from fmbs.solvers.generalized_alpha import AlphaStepper  # noqa: E402


def beam() -> fm.Model:
    m = fm.Model("beam", gravity=(0, 0, -9.81))
    plastic = fm.Material(E=6.9e9, nu=0.0, density=2700)
    section = fm.Rectangle(0.02, 0.02)
    rod = m.add(fm.Beam("rod", start=(0, 0, 0), end=(1, 0, 0), section=section, material=plastic, elements=8))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), rod.start))
    m.add(fm.PointForce(rod.end, lambda t: (0.0, 0.0, 20.0 * sin(30.0 * t))))
    return m


def slider_crank() -> fm.Model:
    m = SliderCrankPlanar(joint="dry", friction="Ambrosio").build()
    object.__setattr__(m["wrist pin"], "wear", fm.wear.Archard(coefficient=1e-4, hardness=2e9))  # the mechanism has none
    return m


CASES: dict[str, tuple[Callable[[], fm.Model], float, dict[str, float]]] = {
    "beam, force of time, step": (beam, 5.0, {"step": 1e-3, "output_step": 0.1}),
    "beam, force of time, tolerance": (beam, 1.0, {"tolerance": 1e-3, "output_step": 0.1}),
    "slider-crank, wear, step": (slider_crank, 0.024, {"step": 1e-6, "output_step": 1e-4}),
    "slider-crank, wear, tolerance": (slider_crank, 0.024, {"tolerance": 1e-6, "output_step": 1e-4}),
}


def spent(build: Callable[[], fm.Model], t_end: float, options: dict[str, float]) -> tuple[float, int]:
    """Processor seconds and steps of a run."""
    m, begin = build(), time.process_time()
    sol = m.simulate(t_end, progress=False, **options)
    return time.process_time() - begin, sol.statistics.steps


def main() -> None:
    compiled = AlphaStepper._compiled_driver
    print("| model | steps | compiled, s | us a step | from Python, s | us a step |\n|---|---:|---:|---:|---:|---:|")
    for name, (build, t_end, options) in CASES.items():
        spent(build, 0.05 * t_end, options)
        ours, steps = min(spent(build, t_end, options) for _ in range(3))
        AlphaStepper._compiled_driver = lambda self: None  # type: ignore[method-assign]
        spent(build, 0.05 * t_end, options)
        theirs, open_steps = spent(build, t_end, options)
        AlphaStepper._compiled_driver = compiled  # type: ignore[method-assign]
        print(f"| {name} | {steps} | {ours:.2f} | {1e6 * ours / steps:.1f} | {theirs:.2f} | {1e6 * theirs / open_steps:.0f} |")


if __name__ == "__main__":
    main()
