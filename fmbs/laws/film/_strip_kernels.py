"""Force, moment and tangent of a bearing that is cut into strips along zeta, each with its own eccentricity.

State z = [A, W, A_rate, W_rate, spin] (9,). A strip at s = 2 zeta/B has e, v between the ends. Its film sees
    u = 2 v - omega e_z x e,   p ~ (u . n)/h^3 for a short bearing, n = (cos, sin)(theta).

The films are kernels of the slot `law_kernels.FILM` with p = limit, sheared.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray  # type: ignore[attr-defined]
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel, law
from fmbs.laws.film._axial_kernels import HALVES, MOST, axial_points
from fmbs.laws.film._long_kernels import long_quadrature_strip, long_strip
from fmbs.laws.film._shear_kernels import add_shear, clear, no_shear
from fmbs.laws.film._short_kernels import short_strip
from fmbs.laws.film._thin_kernels import strip_state

Array = NDArray[np.float64]


@kernel(part=True)
def add_strip(
    z: Array, s: float, w: float, e_v: float, c: float, drag: float, strip: Array, D: Array, S: Array, B: float, slopes: int,
    out: Array, jac: Array,
) -> None:  # fmt: skip
    """Add the force D of a strip of width w, its moment and Couette torque to out (5,), and their derivatives to jac (5, 9).

    e_v: square of the strip's eccentricity; drag: 2 pi mu R^3
    """
    zeta = 0.5 * B * s
    out[0] += D[0]
    out[1] += D[1]
    out[2] -= zeta * D[1]
    out[3] += zeta * D[0]
    q = np.sqrt(c * c - e_v)
    out[4] += drag * w / q * z[8]
    if slopes:
        add_tangent(z[8], s, zeta, strip, D, S, drag * w / q, q, jac)


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


@kernel(part=True)
def add_torques(sheared: float, z: Array, B: float, slopes: int, out: Array, jac: Array) -> None:
    """The viscous torques of all strips together, if the film is to have any."""
    if sheared:
        add_shear(z, B, slopes != 0, out, jac)
    else:
        no_shear(out, jac)


@law
def short_film(p: Array, mu: float, z: Any, R: float, B: float, c: float, slopes: int, out: Any, jac: Any) -> None:
    """Short bearing."""
    state, action, jacobian = carray(z, 9), carray(out, 6), carray(jac, (6, 9))
    s, weight = np.empty(HALVES * MOST), np.empty(HALVES * MOST)
    strip, D, S = np.empty(4), np.empty(10), np.empty(4)  # e and u; f, df/de, df/du; de_frozen/de
    clear(action, jacobian)
    for i in range(axial_points(state, c, False, s, weight)):
        e_v, w = strip_state(state, s[i], c, p[0], strip, S), 0.5 * B * weight[i]
        short_strip(strip, c, 0.75 * mu * B * B * (1.0 - s[i] * s[i]) * R * w, slopes != 0, D)
        add_strip(state, s[i], w, e_v, c, 2.0 * np.pi * mu * R**3, strip, D, S, B, slopes, action, jacobian)
    add_torques(p[1], state, B, slopes, action, jacobian)


@law
def long_film(p: Array, mu: float, z: Any, R: float, B: float, c: float, slopes: int, out: Any, jac: Any) -> None:
    """Long bearing in closed form."""
    state, action, jacobian = carray(z, 9), carray(out, 6), carray(jac, (6, 9))
    s, weight = np.empty(HALVES * MOST), np.empty(HALVES * MOST)
    strip, D, S = np.empty(4), np.empty(10), np.empty(4)  # e and u; f, df/de, df/du; de_frozen/de
    clear(action, jacobian)
    for i in range(axial_points(state, c, True, s, weight)):
        e_v, w = strip_state(state, s[i], c, p[0], strip, S), 0.5 * B * weight[i]
        long_strip(strip, c, mu * R**3 / c**2 * w, D)
        add_strip(state, s[i], w, e_v, c, 2.0 * np.pi * mu * R**3, strip, D, S, B, slopes, action, jacobian)
    add_torques(p[1], state, B, slopes, action, jacobian)


@law
def long_quadrature_film(p: Array, mu: float, z: Any, R: float, B: float, c: float, slopes: int, out: Any, jac: Any) -> None:
    """Long bearing by quadrature."""
    state, action, jacobian = carray(z, 9), carray(out, 6), carray(jac, (6, 9))
    s, weight = np.empty(HALVES * MOST), np.empty(HALVES * MOST)
    strip, D, S = np.empty(4), np.empty(10), np.empty(4)  # e and u; f, df/de, df/du; de_frozen/de
    clear(action, jacobian)
    for i in range(axial_points(state, c, False, s, weight)):
        e_v, w = strip_state(state, s[i], c, p[0], strip, S), 0.5 * B * weight[i]
        long_quadrature_strip(strip, c, 6.0 * mu * R**3 * w, slopes != 0, D)
        add_strip(state, s[i], w, e_v, c, 2.0 * np.pi * mu * R**3, strip, D, S, B, slopes, action, jacobian)
    add_torques(p[1], state, B, slopes, action, jacobian)
