"""Rigid motion of bodies whose coordinates are vectors: points move and turn, directions turn.

r' = v + omega x r,   d' = omega x d;       r -> c + shift + R (r - c),   d -> R d
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.math.rotations import rotation

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


def vector_rates(vectors: Array, is_point: Flags) -> Array:  # (k, d), (k,) -> (k, d, 6)
    """Rates of vectors for unit velocities along x, y, z and unit spins about these axes through the origin.

    In the plane (d = 2) the columns of motions that leave it are zero.
    """
    k, d = vectors.shape
    rates = np.zeros((k, 3, 6))
    rates[is_point, :, :3] = np.eye(3)
    x, y, z = np.pad(vectors, ((0, 0), (0, 3 - d))).T
    rates[:, 2, 3], rates[:, 1, 3] = y, -z
    rates[:, 0, 4], rates[:, 2, 4] = z, -x
    rates[:, 1, 5], rates[:, 0, 5] = x, -y
    return rates[:, :d]


def displaced_vectors(vectors: Array, is_point: Flags, centre: Array, shift: Array, turn: Array) -> Array:  # (k, d)
    """Vectors of a body that turns by the rotation vector `turn` about `centre` and then moves by `shift`."""
    d = vectors.shape[1]
    arms = np.pad(vectors, ((0, 0), (0, 3 - d)))
    arms[is_point] -= centre
    moved: Array = arms @ rotation(turn).T
    moved[is_point] += centre + shift
    return moved[:, :d]
