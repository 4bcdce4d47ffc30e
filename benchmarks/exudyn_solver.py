"""Exudyn as a program under test, with the settings of a fast run.

Fast module (AVX2, no range checks), generalized-alpha with spectral radius 0.9, fixed step, modified Newton (rtol 1e-8,
atol 1e-10), one thread, no files, no sensors.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from cases import Run, Solver


def available() -> bool:
    return find_spec("exudyn") is not None


def load(module: str = "exudyn") -> Any:
    """A module of Exudyn, which chooses its fast variant when it is first imported."""
    sys.exudynFast = True  # type: ignore[attr-defined]
    return import_module(module)


def settings(steps: int, step: float, sparse: bool, start: bool) -> Any:
    exu = load()
    s = exu.SimulationSettings()
    time_integration = s.timeIntegration
    time_integration.numberOfSteps = steps
    time_integration.endTime = step * steps
    time_integration.verboseMode = time_integration.stepInformation = 0
    time_integration.generalizedAlpha.spectralRadius = 0.9
    time_integration.generalizedAlpha.computeInitialAccelerations = start
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


def solver(mbs: Any, markers: list[Any], step: float, *, sparse: bool, planar: bool, start: bool = True) -> Solver:
    """Runs an assembled system; markers: of the points to compare; start: compute initial accelerations."""
    exu = load()

    def run(steps: int) -> Run:
        options = settings(steps, step, sparse, start)
        clock = time.process_time()
        ok = mbs.SolveDynamic(options)
        seconds = time.process_time() - clock
        counted = mbs.sys["dynamicSolver"].it
        if not ok or counted.currentStepIndex <= steps:  # it numbers the next step; its contacts cut some, as ours do
            raise RuntimeError(f"Exudyn was at step {counted.currentStepIndex} of {steps} when it stopped")
        points = np.array([mbs.GetMarkerOutput(m, exu.OutputVariableType.Position) for m in markers])
        return Run(seconds, counted.newtonStepsCount, counted.newtonJacobiCount, points[:, : 2 if planar else 3])

    return run


Build = Callable[..., tuple[Any, list[Any]]]


def built(build: Build, step: float, *arguments: Any, **options: Any) -> Callable[[], Solver]:
    """A function that builds the model when it is called."""
    return lambda: solver(*build(*arguments), step, **options)
