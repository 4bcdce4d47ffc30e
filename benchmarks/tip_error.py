"""Time to a tip error of 1e-3: the clamped beam of beam.py, 2 m long, 400 steps of 1 ms under a sudden acceleration.

Each program takes the fewest elements with which its tip ends within 1e-3 of the tip displacement of its own fine mesh, with
the same step: what remains is the error of the mesh. The beam theories differ by more than that (Exudyn lumps loads at nodes
and halves the rotary inertia), so each program is held to its own limit. The time is that of the whole run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import beam
import exudyn_solver
import fmbs_solver
import numpy as np
from cases import Case, Solver

LENGTH, STEPS, ERROR = 2.0, 400, 1e-3
SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
FINE = {"fmbs": 32, "exudyn": 256}
KIND = ("cubic", "structural")


def solver(program: str, n: int) -> Solver:
    if program == "fmbs":
        return fmbs_solver.built(partial(beam.in_fmbs, length=LENGTH), beam.STEP, n, *KIND)()
    return exudyn_solver.built(partial(beam.in_exudyn, length=LENGTH), beam.STEP, n, sparse=True, planar=False, start=False)()


def cheapest(program: str) -> Solver:
    """The model with the fewest elements that is accurate enough."""
    fine = solver(program, FINE[program])(STEPS).points
    moved = np.linalg.norm(fine - [LENGTH, 0.0, 0.0])
    for n in SIZES:
        found = solver(program, n)
        if np.linalg.norm(found(STEPS).points - fine) <= ERROR * moved:
            print(f"tip-error: {program} needs {n} elements", file=sys.stderr)
            return found
    raise RuntimeError(f"{program}: tip error above {ERROR:g} with {SIZES[-1]} elements")


def cases() -> list[Case]:
    build: dict[str, Callable[[], Any]] = {program: partial(cheapest, program) for program in FINE}
    return [Case("tip-error", 1, STEPS, build)]
