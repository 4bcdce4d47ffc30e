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


def rotation(turn: Array) -> Array:  # (3,) -> (3, 3)
    """The matrix of a rotation vector: 1 + sin(phi)/phi W + (1 - cos(phi))/phi^2 W^2 with W x = turn x x (Rodrigues)."""
    x, y, z = turn.tolist()
    w = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    phi = float(np.linalg.norm(turn))
    half = np.sinc(phi / (2.0 * np.pi))  # sin(phi/2)/(phi/2): good for small angles, unlike 1 - cos(phi)
    matrix: Array = np.eye(3) + np.sinc(phi / np.pi) * w + 0.5 * half**2 * (w @ w)
    return matrix
