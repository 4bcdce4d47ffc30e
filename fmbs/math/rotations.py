"""Vectors and rotations in space."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def perpendicular(n: Array) -> tuple[Array, Array]:
    """Two unit vectors u, w that make (u, w, n) right-handed and orthonormal; n is a unit vector."""
    helper = np.zeros(3)
    helper[int(np.argmin(np.abs(n)))] = 1.0
    u = np.cross(helper, n)
    u /= np.linalg.norm(u)
    return u, np.cross(n, u)
