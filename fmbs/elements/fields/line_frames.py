"""Sections of cables and planar beams, which have a centre line only: frames along it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.math.rotations import perpendicular

Array = NDArray[np.float64]


def planar_frames(tangent: Array) -> tuple[Array, Array]:
    """y in the plane, z normal to it, from unit tangents  # (n, 3) each."""
    up = np.broadcast_to([0.0, 0.0, 1.0], tangent.shape)
    return np.cross(up, tangent), up


def carried_frames(tangent: Array) -> tuple[Array, Array]:
    """A frame carried along the line without twist, by the smallest rotation from each unit tangent to the next."""
    y = np.empty_like(tangent)
    y[0] = perpendicular(tangent[0])[0]
    for k in range(1, len(tangent)):
        axis = tangent[k - 1] + tangent[k]
        y[k] = y[k - 1] - (tangent[k] @ y[k - 1]) / max(1e-12, 0.5 * float(axis @ axis)) * axis
        y[k] /= np.linalg.norm(y[k])
    return y, np.cross(tangent, y)
