"""Functions of time, or of the place along a beam, as tables: what a file can hold of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

Array = NDArray[np.float64]

SAMPLES = 2001


@dataclass(frozen=True, eq=False)
class SampledFunction:
    """A user's function, known by samples: a cubic spline through them.

    name: of the function that was sampled
    x, values: samples  # (n,), (n,) or (n, k)
    error: largest difference from the function half-way between samples, relative to its largest value
    """

    name: str
    x: Array
    values: Array
    error: float = 0.0

    @cached_property
    def _spline(self) -> scipy.interpolate.CubicSpline:
        return scipy.interpolate.CubicSpline(self.x, self.values)

    def __call__(self, x: float) -> Any:
        value = self._spline(x)
        return float(value) if value.ndim == 0 else value


def sample(function: Callable[[float], Any], begin: float, end: float) -> SampledFunction:
    """Sample a function and measure how well the samples hold it."""
    if isinstance(function, SampledFunction):
        return function
    name = getattr(function, "__qualname__", type(function).__name__)
    x = np.linspace(begin, end if end > begin else begin + 1.0, SAMPLES)
    values = np.array([np.asarray(function(float(at)), dtype=float) for at in x])
    coarse = SampledFunction(name, x, values)
    between = 0.5 * (x[1:] + x[:-1])[:: SAMPLES // 200]
    exact = np.array([np.asarray(function(float(at)), dtype=float) for at in between])
    error = np.abs(np.array([coarse(float(at)) for at in between]) - exact).max() / max(float(np.abs(values).max()), 1e-300)
    return SampledFunction(name, x, values, float(error))
