"""Cubic Hermite polynomials."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def hermite(xi: Array, length: float) -> tuple[Array, Array, Array]:
    """Cubic Hermite polynomials of (r, r_x) at both ends, and two derivatives with respect to xi  # (points, 4)."""
    x = np.asarray(xi, dtype=float)
    value = (1 - 3 * x**2 + 2 * x**3, length * (x - 2 * x**2 + x**3), 3 * x**2 - 2 * x**3, length * (x**3 - x**2))
    slope = (6 * x**2 - 6 * x, length * (1 - 4 * x + 3 * x**2), 6 * x - 6 * x**2, length * (3 * x**2 - 2 * x))
    second = (12 * x - 6, length * (6 * x - 4), 6 - 12 * x, length * (6 * x - 2))
    return np.stack(value, axis=-1), np.stack(slope, axis=-1), np.stack(second, axis=-1)
