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


def rotation_about(axis: Array, angle: float) -> Array:
    """Rotation matrix exp(angle [axis]x) by Rodrigues' formula; axis is a unit vector."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    rotation: Array = np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * (k @ k)
    return rotation
