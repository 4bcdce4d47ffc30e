"""Quadrature on the unit interval."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import roots_legendre

Array = NDArray[np.float64]


def gauss(n: int) -> tuple[Array, Array]:
    """Gauss points and weights on [0, 1]."""
    x, w = roots_legendre(n)
    return 0.5 * (x + 1.0), 0.5 * w
