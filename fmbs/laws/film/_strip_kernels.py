"""Force, moment and tangent of a bearing that is cut into strips along zeta, each with its own eccentricity.

State z = [A, W, A_rate, W_rate, spin] (9,). A strip at s = 2 zeta/B has e, v between the ends. Its film sees
    u = 2 v - omega e_z x e,   p ~ (u . n)/h^3 for a short bearing, n = (cos, sin)(theta).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.laws.film._axial_kernels import HALVES, MOST, axial_points
from fmbs.laws.film._long_kernels import long_quadrature_strip, long_strip
from fmbs.laws.film._shear_kernels import add_shear, clear, no_shear
from fmbs.laws.film._short_kernels import short_strip
from fmbs.laws.film._thin_kernels import strip_state

Array = NDArray[np.float64]

SHORT, LONG, LONG_QUADRATURE = 0, 1, 2


@kernel(part=True)
def strips(
    kind: int, z: Array, mu: float, R: float, B: float, c: float, limit: float, tangent: bool, out: Array, jac: Array
) -> None:
    """out: force, moment, Couette torque (5,); jac: its derivatives (5, 9), filled if `tangent`."""
    s, weight = np.empty(HALVES * MOST), np.empty(HALVES * MOST)
    n = axial_points(z, c, kind == LONG, s, weight)
    clear(out, jac)
    strip, D, S = np.empty(4), np.empty(10), np.empty(4)  # e and u; f, df/de, df/du; de_frozen/de
    for i in range(n):
        e_v = strip_state(z, s[i], c, limit, strip, S)
        w = 0.5 * B * weight[i]
        if kind == SHORT:
            short_strip(strip, c, 0.75 * mu * B * B * (1.0 - s[i] * s[i]) * R * w, tangent, D)
        elif kind == LONG:
            long_strip(strip, c, mu * R**3 / c**2 * w, D)
        else:
            long_quadrature_strip(strip, c, 6.0 * mu * R**3 * w, tangent, D)
        zeta = 0.5 * B * s[i]
        out[0] += D[0]
        out[1] += D[1]
        out[2] -= zeta * D[1]
        out[3] += zeta * D[0]
        q = np.sqrt(c * c - e_v)
        drag = 2.0 * np.pi * mu * R**3 * w / q
        out[4] += drag * z[8]
        if tangent:
            add_tangent(z[8], s[i], zeta, strip, D, S, drag, q, jac)


@kernel
def add_tangent(w: float, s: float, zeta: float, strip: Array, D: Array, S: Array, drag: float, q: float, jac: Array) -> None:
    """Chain rule of one strip: e_frozen(e), u(e_frozen, v, omega), e and v linear between the ends."""
    for r in range(2):
        fe_x, fe_y, fu_x, fu_y = D[2 + 2 * r], D[3 + 2 * r], D[6 + 2 * r], D[7 + 2 * r]
        gx, gy = fe_x - w * fu_y, fe_y + w * fu_x  # u = 2 v + omega (e_y, -e_x)
        by_e = (gx * S[0] + gy * S[2], gx * S[1] + gy * S[3])
        by_v = (2.0 * fu_x, 2.0 * fu_y)
        by_w = fu_x * strip[1] - fu_y * strip[0]
        row, lever = (3, zeta) if r == 0 else (2, -zeta)
        for k in range(2):
            a, b = 0.5 * (1.0 - s), 0.5 * (1.0 + s)
            jac[r, k] += a * by_e[k]
            jac[r, 2 + k] += b * by_e[k]
            jac[r, 4 + k] += a * by_v[k]
            jac[r, 6 + k] += b * by_v[k]
            jac[row, k] += lever * a * by_e[k]
            jac[row, 2 + k] += lever * b * by_e[k]
            jac[row, 4 + k] += lever * a * by_v[k]
            jac[row, 6 + k] += lever * b * by_v[k]
        jac[r, 8] += by_w
        jac[row, 8] += lever * by_w
    steep = drag * w / (q * q)
    tx, ty = steep * (strip[0] * S[0] + strip[1] * S[2]), steep * (strip[0] * S[1] + strip[1] * S[3])
    jac[4, 0] += 0.5 * (1.0 - s) * tx
    jac[4, 1] += 0.5 * (1.0 - s) * ty
    jac[4, 2] += 0.5 * (1.0 + s) * tx
    jac[4, 3] += 0.5 * (1.0 + s) * ty
    jac[4, 8] += drag


@kernel
def strip_action(
    kind: int,
    z: Array,
    mu: float,
    R: float,
    B: float,
    c: float,
    limit: float,
    shear: bool,
    tangent: bool,
    out: Array,
    jac: Array,
) -> None:
    """out: force, moment, shear (6,); jac (6, 9)."""
    strips(kind, z, mu, R, B, c, limit, tangent, out, jac)
    if shear:
        add_shear(z, B, tangent, out, jac)
    else:
        no_shear(out, jac)
