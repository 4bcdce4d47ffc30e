"""fmbs as a program under test."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from cases import Run, Solver

import fmbs as fm


def solver(model: fm.Model, markers: list[Any], step: float) -> Solver:
    """Runs the model with generalized-alpha, rho_inf = 0.9, fixed step; frames at the start and the end only."""

    def run(steps: int) -> Run:
        t_end = steps * step
        clock = time.process_time()
        solution = model.simulate(
            t_end, step=step, output_step=t_end, integrator=fm.GeneralizedAlpha(rho_inf=0.9), progress=False
        )
        seconds = time.process_time() - clock
        done = solution.statistics
        cut = 4 * done.contacts  # steps are cut where contacts start and end
        if not steps <= done.steps <= steps + cut or done.redundant:
            raise RuntimeError(f"{done.steps} steps of {steps}, {len(done.redundant)} equations left out")
        points = np.array([solution.position(marker)[-1] for marker in markers])
        return Run(seconds, done.iterations, done.factorizations, points)

    return run


def built(build: Callable[..., tuple[fm.Model, list[Any]]], step: float, *arguments: Any) -> Callable[[], Solver]:
    """A function that builds the model when it is called."""
    return lambda: solver(*build(*arguments), step)
