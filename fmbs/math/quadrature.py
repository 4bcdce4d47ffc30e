"""Quadrature on the unit interval."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def gauss(n: int) -> tuple[Array, Array]:
    """Gauss points and weights on [0, 1]."""
    x, w = np.polynomial.legendre.leggauss(n)  # type: ignore[no-untyped-call]
    return 0.5 * (x + 1.0), 0.5 * w
