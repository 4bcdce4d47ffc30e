"""Directions of a cross-section: u = n_1 e_1 + n_2 e_2 + n_3 e_3 in the orthonormal frame of two directors.

e_3 = z/|z|, e_2 = (y - (y.e_3) e_3)/y_2, e_1 = e_2 x e_3. A change of the directors turns the frame by dtheta with components

    dtheta_1 = -e_2.dz/z_3,   dtheta_2 = e_1.dz/z_3,   dtheta_3 = (-e_1.dy + (y_3/z_3) e_1.dz)/y_2

with y_i = y.e_i, z_3 = |z|,
and du = dtheta x u, so du/dy and du/dz are sums of two or three dyads.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]

STEP = 1e-5  # of the directors, which have unit length, for differences of the exact gradient


@kernel(part=True)
def frame_axes(y: Array, z: Array, e: Array) -> tuple[float, float, float]:
    """Rows e_1, e_2, e_3 of the frame of two directors; returns y_2, y_3, z_3."""
    z3 = np.sqrt(z[0] ** 2 + z[1] ** 2 + z[2] ** 2)
    y3 = 0.0
    for c in range(3):
        e[2, c] = z[c] / z3
        y3 += y[c] * e[2, c]
    y2 = 0.0
    for c in range(3):
        e[1, c] = y[c] - y3 * e[2, c]
        y2 += e[1, c] ** 2
    y2 = np.sqrt(y2)
    for c in range(3):
        e[1, c] /= y2
    e[0, 0] = e[1, 1] * e[2, 2] - e[1, 2] * e[2, 1]
    e[0, 1] = e[1, 2] * e[2, 0] - e[1, 0] * e[2, 2]
    e[0, 2] = e[1, 0] * e[2, 1] - e[1, 1] * e[2, 0]
    return y2, y3, z3


@kernel(part=True)
def frame_vector(y: Array, z: Array, n: Array, e: Array, u: Array) -> None:
    """u, and the frame e  # (3,), (3, 3)."""
    frame_axes(y, z, e)
    for a in range(3):
        u[a] = n[0] * e[0, a] + n[1] * e[1, a] + n[2] * e[2, a]


@kernel(part=True)
def frame_gradient(y: Array, z: Array, n: Array, e: Array, over: Array) -> None:
    """du/d(y, z)  # (3, 6)."""
    y2, y3, z3 = frame_axes(y, z, e)
    for a in range(3):
        first = n[1] * e[2, a] - n[2] * e[1, a]  # e_1 x u
        second = n[2] * e[0, a] - n[0] * e[2, a]  # e_2 x u
        third = n[0] * e[1, a] - n[1] * e[0, a]  # e_3 x u
        for b in range(3):
            over[a, b] = -third * e[0, b] / y2
            over[a, 3 + b] = (-first * e[1, b] + second * e[0, b] + third * (y3 / y2) * e[0, b]) / z3


@kernel(part=True)
def frame_rate(y: Array, z: Array, dy: Array, dz: Array, n: Array, out: Array) -> None:
    """u' for the directors' rates dy, dz."""
    e, over = np.empty((3, 3)), np.empty((3, 6))
    frame_gradient(y, z, n, e, over)
    for a in range(3):
        out[a] = 0.0
        for b in range(3):
            out[a] += over[a, b] * dy[b] + over[a, 3 + b] * dz[b]


@kernel(part=True)
def frame_turning(y: Array, z: Array, dy: Array, dz: Array, n: Array, out: Array) -> None:
    """u'' for constant rates of the directors, by a central difference of u' along the motion."""
    size = 1e-300
    for a in range(3):
        size = max(size, abs(dy[a]), abs(dz[a]))
    h = STEP / size
    ahead, behind = np.empty(3), np.empty(3)
    frame_rate(y + h * dy, z + h * dz, dy, dz, n, ahead)
    frame_rate(y - h * dy, z - h * dz, dy, dz, n, behind)
    for a in range(3):
        out[a] = (ahead[a] - behind[a]) / (2.0 * h)


@kernel(part=True)
def frame_curvature(y: Array, z: Array, n: Array, g: Array, out: Array) -> None:
    """d(J^T g)/d(y, z) at constant g  # (6, 6), by central differences of the exact J."""
    e, over, both = np.empty((3, 3)), np.empty((3, 6)), np.concatenate((y, z))
    for j in range(6):
        kept = both[j]
        for sign in (1.0, -1.0):
            both[j] = kept + sign * STEP
            frame_gradient(both[:3], both[3:], n, e, over)
            for i in range(6):
                s = g[0] * over[0, i] + g[1] * over[1, i] + g[2] * over[2, i]
                out[i, j] = s if sign > 0.0 else (out[i, j] - s) / (2.0 * STEP)
        both[j] = kept
    for i in range(6):
        for j in range(i):
            out[i, j] = out[j, i] = 0.5 * (out[i, j] + out[j, i])
