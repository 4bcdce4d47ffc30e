"""What a benchmark is: one mechanism, built in one or two programs, run for a number of steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Run:
    """What a program says about a run from t = 0.

    seconds: processor time of the solver call, its own set-up included, model building not
    iterations, factorizations: of Newton's method, all steps together
    points: positions at the end that the programs must agree on, m  # (n, 2) or (n, 3)
    """

    seconds: float
    iterations: int
    factorizations: int
    points: Array


Solver = Callable[[int], Run]  # number of steps -> Run


@dataclass(frozen=True)
class Case:
    """A mechanism at one size.

    steps: of the long run; the short one has a single step
    build: program -> function that builds the model once and returns its solver
    exact: `points` at the end where a formula gives them
    """

    name: str
    size: int
    steps: int
    build: dict[str, Callable[[], Solver]]
    exact: Array | None = None

    def __str__(self) -> str:
        return f"{self.name} N={self.size}"
