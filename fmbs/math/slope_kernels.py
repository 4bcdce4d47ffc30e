"""Directions of a line in the plane: u = R(phi) (n_1, n_2) + n_3 e_z, where phi is the angle of a slope t = (t_x, t_y).

With e = t/|t| and x^ = e_z x x: dphi = e^ . dt/|t|, du = u^ dphi, and d^2 phi = -2 (e . dt)(e^ . dt)/|t|^2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]


@kernel(plain=True, part=True)
def slope_vector(x: float, y: float, n: Array, u: Array) -> None:
    """u of the slope t = (x, y)."""
    size = np.sqrt(x * x + y * y)
    u[0], u[1], u[2] = (n[0] * x - n[1] * y) / size, (n[0] * y + n[1] * x) / size, n[2]


@kernel(plain=True, part=True)
def slope_turn(x: float, y: float, dx: float, dy: float) -> float:
    """phi' for t' = (dx, dy)."""
    return (x * dy - y * dx) / (x * x + y * y)


@kernel(plain=True, part=True)
def slope_turning(x: float, y: float, dx: float, dy: float) -> float:
    """phi'' for a constant t' = (dx, dy)."""
    return -2.0 * (x * dx + y * dy) / (x * x + y * y) * slope_turn(x, y, dx, dy)


@kernel(plain=True, part=True)
def slope_curvature(x: float, y: float, u: Array, gx: float, gy: float, i: int, j: int) -> float:
    """d^2(g . u)/dt_i dt_j = -(g . u) phi_i phi_j + (g . u^) phi_ij."""
    squared = x * x + y * y
    by_i, by_j = (x if i else -y) / squared, (x if j else -y) / squared
    e_i, e_j = (y if i else x) / squared, (y if j else x) / squared
    along, across = gx * u[0] + gy * u[1], gy * u[0] - gx * u[1]
    return float(-along * by_i * by_j - across * (e_i * by_j + by_i * e_j))
