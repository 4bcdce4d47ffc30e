"""Strains of a director frame: values, gradients and curvatures at one point of a beam.

The formulas and the change of variables behind them are in _structural_kernels.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.math.compiled import kernel_part
from fmbs.math.frame_kernels import frame_axes

Array = NDArray[np.float64]


@kernel_part
def director_frame(x: Array, r: Array) -> tuple[float, float, float]:
    """Rows e_1, e_2, e_3 of the director frame; returns p = y_3/z_3, y_2, z_3."""
    y2, y3, z3 = frame_axes(x[1], x[2], r)
    return y3 / z3, y2, z3


@kernel_part
def local_fields(x: Array, r: Array, p: float, y2: float, z3: float, out: Array) -> None:
    """The fields with y, y' -> (y - p z)/y_2, z, z' -> z/z_3, in components of the frame."""
    for c in range(3):
        out[0, c] = r[c, 0] * x[0, 0] + r[c, 1] * x[0, 1] + r[c, 2] * x[0, 2]
        y = r[c, 0] * x[1, 0] + r[c, 1] * x[1, 1] + r[c, 2] * x[1, 2]
        z = r[c, 0] * x[2, 0] + r[c, 1] * x[2, 1] + r[c, 2] * x[2, 2]
        dy = r[c, 0] * x[3, 0] + r[c, 1] * x[3, 1] + r[c, 2] * x[3, 2]
        dz = r[c, 0] * x[4, 0] + r[c, 1] * x[4, 1] + r[c, 2] * x[4, 2]
        out[1, c], out[2, c] = (y - p * z) / y2, z / z3
        out[3, c], out[4, c] = (dy - p * dz) / y2, dz / z3


@kernel_part
def director_strains(x: Array, strain: Array, g: Array) -> None:
    """Gamma_1 + 1, Gamma_2, Gamma_3, kappa_1, kappa_2, kappa_3 and their gradients g (6, 15) over (r', y, z, y', z')."""
    a1, a2, a3 = x[0]
    b1, b2, b3 = x[3]
    c1, c2, c3 = x[4]
    strain[0], strain[1], strain[2] = a1, a2, a3
    strain[3], strain[4], strain[5] = -c2, c1, -b1
    g[:, :] = 0.0
    g[0, 0], g[0, 3], g[0, 6] = 1.0, -a2, -a3
    g[1, 1], g[1, 3], g[1, 7] = 1.0, a1, -a3
    g[2, 2], g[2, 6], g[2, 7] = 1.0, a1, a2
    g[3, 3], g[3, 7], g[3, 8], g[3, 13] = -c1, c3, c2, -1.0
    g[4, 3], g[4, 6], g[4, 8], g[4, 12] = -c2, -c3, -c1, 1.0
    g[5, 3], g[5, 4], g[5, 5], g[5, 6], g[5, 7], g[5, 9] = b2, b1, c1, b3, c1, -1.0


@kernel_part
def add_curvature(x: Array, s: Array, h: Array) -> None:
    """h += sum_k s_k d^2(strain_k)/dx^2, upper triangle (15, 15)."""
    a1, a2, a3 = x[0]
    b1, b2, b3 = x[3]
    c1, c2, c3 = x[4]
    s0, s1, s2, s3, s4, s5 = s[0], s[1], s[2], s[3], s[4], s[5]
    # r' with y and z
    h[0, 3] += s1
    h[0, 6] += s2
    h[1, 3] -= s0
    h[1, 7] += s2
    h[2, 6] -= s0
    h[2, 7] -= s1
    # y with y
    h[3, 3] += -a1 * s0 - a2 * s1 + c2 * s3 - c1 * s4 + 2.0 * b1 * s5
    h[3, 4] += a2 * s0 - a1 * s1 + c1 * s3 + c2 * s4 - 2.0 * b2 * s5
    h[3, 5] -= c2 * s5
    h[4, 4] -= 2.0 * b1 * s5
    h[4, 5] -= c1 * s5
    # y with z
    h[3, 6] += -a3 * s1 + c3 * s3 + c1 * s5
    h[3, 7] += a3 * s0 + c3 * s4 - (b3 + c2) * s5
    h[3, 8] += c1 * s3 + c2 * s4
    h[4, 6] -= b3 * s5
    h[5, 6] += a2 * s0 - a1 * s1 + c1 * s3 + c2 * s4 - (b2 + c3) * s5
    h[5, 7] -= b1 * s5
    h[5, 8] -= c1 * s5
    # y with y' and z'
    h[3, 10] += s5
    h[4, 9] += s5
    h[3, 12] -= s3
    h[3, 13] -= s4
    h[5, 12] += s5
    # z with z
    h[6, 6] += -a1 * s0 - a3 * s2 + c2 * s3 - 2.0 * c1 * s4 + b1 * s5
    h[6, 7] += -a1 * s1 + c1 * s3 - c3 * s5
    h[6, 8] += a3 * s0 - a1 * s2 + 2.0 * c3 * s4 - b3 * s5
    h[7, 7] += -a2 * s1 - a3 * s2 + 2.0 * c2 * s3 - c1 * s4 - b1 * s5
    h[7, 8] += a3 * s1 - a2 * s2 - 2.0 * c3 * s3 - 2.0 * c1 * s5
    h[8, 8] += -2.0 * c2 * s3 + 2.0 * c1 * s4
    # z with y' and z'
    h[6, 11] += s5
    h[6, 14] -= s4
    h[7, 12] += s5
    h[7, 14] += s3
    h[8, 12] -= s4
    h[8, 13] += s3
