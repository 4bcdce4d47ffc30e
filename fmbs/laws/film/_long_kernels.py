"""Long bearing: no flow along zeta, (h^3 p_theta)_theta = -6 mu R^2 u . n, oil on half of the circumference.

Closed form (Flores2006 eqs 29-33, eq 31 with |eps'|) without angles: with w = e/c, a = w . u, q^2 = 1 - w^2, rho = |u|,
    f = -mu R^3/c^3 / (2 + w^2) [12 rho w/q^2 + 6 pi L u/q + 9 pi L a w/q^3],  L = (q rho + 3 max(a, 0))/(q rho + 3/2 |a|)
per unit length; L is (k + 3)/(k + 3/2) or k/(k + 3/2) of the paper and once continuously differentiable across a = 0.
Pinkus & Sternlicht's factors of k approximate the integral of the half-film pressure, which `long_quadrature_strip` takes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.laws.film._axial_kernels import MOST, NODES, WEIGHTS
from fmbs.laws.film._thin_kernels import strip_state

Array = NDArray[np.float64]


@kernel(part=True)
def long_strip(strip: Array, c: float, factor: float, D: Array) -> None:
    """D = [f (2), df/de (4), df/du (4)] of the closed form; factor = mu R^3/c^2 times the width of the strip."""
    w, u = (strip[0] / c, strip[1] / c), (strip[2], strip[3])
    w2 = w[0] * w[0] + w[1] * w[1]
    q, rho, a = np.sqrt(1.0 - w2), np.sqrt(u[0] * u[0] + u[1] * u[1]), w[0] * u[0] + w[1] * u[1]
    L, L_q, L_rho, L_a = 1.0, 0.0, 0.0, 0.0
    if rho > 0.0:
        top, low = q * rho + 3.0 * max(a, 0.0), q * rho + 1.5 * abs(a)
        L = top / low
        L_q, L_rho = rho * (1.0 - L) / low, q * (1.0 - L) / low
        L_a = ((3.0 if a > 0.0 else 0.0) - L * (1.5 if a > 0.0 else -1.5)) / low if a != 0.0 else 1.5 / low
    G, k = 1.0 / (2.0 + w2), -factor / c
    one, two, three = 12.0 * rho / q**2, 6.0 * np.pi / q, 9.0 * np.pi / q**3
    for i in range(2):
        V = one * w[i] + L * (two * u[i] + three * a * w[i])
        D[i] = k * G * V
        for j in range(2):
            by_w, same = L_a * u[j] - L_q * w[j] / q, 1.0 if i == j else 0.0  # dL/dw_j
            V_w = one * (same + 2.0 * w[i] * w[j] / q**2) + two * u[i] * (by_w + L * w[j] / q**2)
            V_w += three * (w[i] * (a * by_w + L * u[j]) + L * a * (same + 3.0 * w[i] * w[j] / q**2))
            D[2 + 2 * i + j] = k * G * (V_w - 2.0 * G * V * w[j]) / c
            along = u[j] / rho if rho > 0.0 else 0.0
            by_u = L_rho * along + L_a * w[j]
            V_u = 12.0 * w[i] * along / q**2 + two * (u[i] * by_u + L * same) + three * w[i] * (a * by_u + L * w[j])
            D[6 + 2 * i + j] = k * G * V_u


@kernel(part=True)
def half_film(ur: float, ut: float, eps: float, cos: float, sin: float, cos1: float, sin1: float) -> float:
    """c^3 p/(6 mu R^2) at psi = (cos, sin) from the direction of e, zero at psi_1 and psi_1 + pi."""
    x, x1 = eps * cos, eps * cos1
    wedge = (2.0 - x) * sin / (1.0 - x) ** 2 - (2.0 - x1) * sin1 / (1.0 - x1) ** 2
    squeeze = (2.0 - x - x1) * (cos - cos1) / ((1.0 - x) * (1.0 - x1)) ** 2
    return float(ut * wedge / (2.0 + eps * eps) + 0.5 * ur * squeeze)


@kernel(part=True)
def arc_start(ur: float, ut: float, eps: float) -> tuple[float, float]:
    """(cos, sin) of psi_1: p(psi_1) = p(psi_1 + pi) of the periodic pressure, so that the film is a half circle."""
    a, b = 0.5 * ur, ut / (2.0 + eps * eps)
    size = np.sqrt(a * a + b * b)
    return b / size, -a / size


@kernel(part=True)
def film_arc(eps: float, q: float, cos1: float, sin1: float) -> tuple[float, float]:
    """Start and length of the half film in Sommerfeld's angle."""
    begin = np.arctan2(q * sin1, cos1 - eps)
    arc = np.arctan2(-q * sin1, -cos1 - eps) - begin
    return begin, (arc + 2.0 * np.pi if arc < 0.0 else arc)


@kernel(part=True)
def half_film_at(gamma: float, ur: float, ut: float, eps: float, q: float, cos1: float, sin1: float) -> float:
    """`half_film` at Sommerfeld's angle."""
    C, S = np.cos(gamma), np.sin(gamma)
    return half_film(ur, ut, eps, (eps + C) / (1.0 + eps * C), q * S / (1.0 + eps * C), cos1, sin1)


@kernel(part=True)
def half_film_force(ex: float, ey: float, ux: float, uy: float, c: float) -> tuple[float, float]:
    """-int p n dpsi c^3/(6 mu R^2) over the half film, in Sommerfeld's angle."""
    e = np.sqrt(ex * ex + ey * ey)
    if ux == 0.0 and uy == 0.0:
        return 0.0, 0.0
    cx, cy = (ex / e, ey / e) if e > 1e-14 * c else (1.0, 0.0)
    ur, ut = cx * ux + cy * uy, cx * uy - cy * ux
    eps = e / c
    q = np.sqrt((1.0 - eps) * (1.0 + eps))
    cos1, sin1 = arc_start(ur, ut, eps)
    begin, arc = film_arc(eps, q, cos1, sin1)
    fr, ft = 0.0, 0.0
    for half in range(2):
        for i in range(MOST):
            gamma = begin + 0.5 * arc * (half + NODES[MOST, i])
            C, S = np.cos(gamma), np.sin(gamma)
            cos, sin = (eps + C) / (1.0 + eps * C), q * S / (1.0 + eps * C)
            p = half_film(ur, ut, eps, cos, sin, cos1, sin1) * 0.5 * arc * WEIGHTS[MOST, i] * q / (1.0 + eps * C)
            fr -= p * cos
            ft -= p * sin
    return cx * fr - cy * ft, cy * fr + cx * ft


@kernel(part=True)
def long_quadrature_strip(strip: Array, c: float, factor: float, tangent: bool, D: Array) -> None:
    """D = [f (2), df/de (4), df/du (4)] of the integrated half film; the tangent by differences of fourth order."""
    k = factor / c**3
    fx, fy = half_film_force(strip[0], strip[1], strip[2], strip[3], c)
    D[0], D[1] = k * fx, k * fy
    if not tangent:
        return
    eps, size = np.sqrt(strip[0] ** 2 + strip[1] ** 2) / c, np.sqrt(strip[2] ** 2 + strip[3] ** 2)
    x = np.empty(4)
    for j in range(4):
        step = 1e-3 * (1.0 - eps) * c if j < 2 else 1e-3 * size
        for i in range(2):
            D[(2 if j < 2 else 4) + 2 * i + j] = 0.0
        if step == 0.0:
            continue
        for m, weight in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
            for i in range(4):
                x[i] = strip[i] + (m * step if i == j else 0.0)
            gx, gy = half_film_force(x[0], x[1], x[2], x[3], c)
            place = (2 if j < 2 else 4) + j
            D[place] += k * weight * gx / (12.0 * step)
            D[place + 2] += k * weight * gy / (12.0 * step)


@kernel(part=True)
def long_pressure(z: Array, theta: float, s: float, mu: float, R: float, c: float, limit: float) -> float:
    """p of the half film at an angle and s = 2 zeta/B, Pa."""
    strip, S = np.empty(4), np.empty(4)
    e = np.sqrt(strip_state(z, s, c, limit, strip, S))
    cx, cy = (strip[0] / e, strip[1] / e) if e > 1e-14 * c else (1.0, 0.0)
    ur, ut = cx * strip[2] + cy * strip[3], cx * strip[3] - cy * strip[2]
    if ur == 0.0 and ut == 0.0:
        return 0.0
    cos1, sin1 = arc_start(ur, ut, e / c)
    C, Z = np.cos(theta), np.sin(theta)
    cos, sin = cx * C + cy * Z, cx * Z - cy * C
    inside = cos * sin1 - sin * cos1 < 0.0  # the half circle that follows psi_1
    return max(6.0 * mu * R * R / c**3 * half_film(ur, ut, e / c, cos, sin, cos1, sin1), 0.0) if inside else 0.0


@kernel
def long_field(z: Array, theta: Array, s: Array, mu: float, R: float, c: float, limit: float) -> Array:
    """p (n, k) on a grid of angles and s."""
    p = np.empty((theta.size, s.size))
    for i in range(theta.size):
        for j in range(s.size):
            p[i, j] = long_pressure(z, theta[i], s[j], mu, R, c, limit)
    return p


@kernel
def long_peak(z: Array, mu: float, R: float, c: float, limit: float) -> float:
    """The largest half-film pressure of five strips: a search in Sommerfeld's angle, then golden sections."""
    best = 0.0
    strip, S = np.empty(4), np.empty(4)
    for j in range(5):
        e = np.sqrt(strip_state(z, 0.5 * j - 1.0, c, limit, strip, S))
        eps, q = e / c, np.sqrt(1.0 - (e / c) ** 2)
        cx, cy = (strip[0] / e, strip[1] / e) if e > 1e-14 * c else (1.0, 0.0)
        ur, ut = cx * strip[2] + cy * strip[3], cx * strip[3] - cy * strip[2]
        if ur == 0.0 and ut == 0.0:
            continue
        cos1, sin1 = arc_start(ur, ut, eps)
        begin, arc = film_arc(eps, q, cos1, sin1)
        low, high, at = 0.0, 1.0, 0.0
        for i in range(1, 12):
            p = half_film_at(begin + arc * i / 12.0, ur, ut, eps, q, cos1, sin1)
            if p > at:
                low, high, at = (i - 1) / 12.0, (i + 1) / 12.0, p
        for _ in range(20):
            one, two = high - 0.618034 * (high - low), low + 0.618034 * (high - low)
            p1 = half_film_at(begin + arc * one, ur, ut, eps, q, cos1, sin1)
            p2 = half_film_at(begin + arc * two, ur, ut, eps, q, cos1, sin1)
            at = max(at, p1, p2)
            low, high = (low, two) if p1 > p2 else (one, high)
        best = max(best, at)
    return 6.0 * mu * R * R / c**3 * best
