"""Quadrature on the unit interval."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

Array = NDArray[np.float64]


def gauss(n: int) -> tuple[Array, Array]:
    """Gauss points and weights on [0, 1]."""
    x, w = scipy.special.roots_legendre(n)
    return 0.5 * (x + 1.0), 0.5 * w
