"""Exudyn as a program under test, with the settings of ../shared/peers/exudyn/bench_common.py.

Fast module (AVX2, no range checks), generalized-alpha with spectral radius 0.9, fixed step, modified Newton (rtol 1e-8,
atol 1e-10), one thread, no files, no sensors. Import this module only where `available()`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from cases import Run, Solver


def available() -> bool:
    return find_spec("exudyn") is not None


def load() -> Any:
    """The exudyn module, its fast variant."""
    sys.exudynFast = True  # type: ignore[attr-defined]
    import exudyn  # noqa: PLC0415

    return exudyn


def settings(steps: int, step: float, sparse: bool) -> Any:
    exu = load()
    s = exu.SimulationSettings()
    time_integration = s.timeIntegration
    time_integration.numberOfSteps = steps
    time_integration.endTime = step * steps
    time_integration.verboseMode = time_integration.stepInformation = 0
    time_integration.generalizedAlpha.spectralRadius = 0.9
    time_integration.generalizedAlpha.computeInitialAccelerations = True
    time_integration.newton.useModifiedNewton = True
    time_integration.newton.relativeTolerance, time_integration.newton.absoluteTolerance = 1e-8, 1e-10
    time_integration.automaticStepSize = False
    time_integration.discontinuous.useRecommendedStepSize = False
    s.linearSolver.solverType = exu.LinearSolverType.EigenSparse if sparse else exu.LinearSolverType.EXUdense
    s.linearSolver.reuseAnalyzedPattern = sparse
    s.parallel.numberOfThreads = 1
    s.solution.file.write = s.solution.sensors.active = False
    s.displayStatistics = s.displayComputationTime = False
    return s


def solver(mbs: Any, markers: list[Any], step: float, *, sparse: bool, planar: bool) -> Solver:
    """Runs an assembled system; markers: of the points to compare."""
    exu = load()

    def run(steps: int) -> Run:
        options = settings(steps, step, sparse)
        clock = time.perf_counter()
        ok = mbs.SolveDynamic(options)
        seconds = time.perf_counter() - clock
        counted = mbs.sys["dynamicSolver"].it
        if not ok or counted.currentStepIndex not in (0, steps):
            raise RuntimeError(f"Exudyn stopped after {counted.currentStepIndex} of {steps} steps")
        points = np.array([mbs.GetMarkerOutput(m, exu.OutputVariableType.Position) for m in markers])
        return Run(seconds, counted.newtonStepsCount, counted.newtonJacobiCount, points[:, : 2 if planar else 3])

    return run


def built(build: Callable[..., tuple[Any, list[Any]]], step: float, *arguments: Any, **options: Any) -> Callable[[], Solver]:
    """A function that builds the model when it is called."""
    return lambda: solver(*build(*arguments), step, **options)
