"""Moes' mobility of a journal bearing of finite length, and its inverse, the impedance: a force for a velocity.

A load P moves the journal, in axes along P and across it with xi and eta the components of e/c there, with

    u/2 = |P| c^3/(2 mu B R^3) (M_xi, M_eta),   M_xi = 0.15 (1 - xi)^(3/2) E,   M_eta = -0.15 (1 - xi)^(3/2) G
    E = 1 + 2.12 Q,   G = 3 eta (1 + 3.60 Q)/(4 (1 - xi)),   Q = (1 - xi)/(B/D)^2

(Moes & Bosma 1971; Childs, Moes & van Leeuwen 1977). The film's force is -P. u tells the direction of P by one equation for an
angle, in which u and P are never farther apart than a right angle. A misaligned journal takes each strip's own eccentricity
and velocity, with the weight 3/4 (1 - s^2) of a parabola along the axis, which is exact for a short bearing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray  # type: ignore[attr-defined]
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel, law
from fmbs.laws.film._axial_kernels import HALVES, MOST, axial_points
from fmbs.laws.film._shear_kernels import clear
from fmbs.laws.film._strip_kernels import add_strip, add_torques
from fmbs.laws.film._thin_kernels import strip_state

Array = NDArray[np.float64]

ITERATIONS = 60


@kernel(part=True)
def mobility(xi: float, eta: float, slender: float, M: Array) -> None:
    """M = M_xi, M_eta, and their derivatives by xi and eta: (xi, xi), (xi, eta), (eta, xi), (eta, eta). slender: (D/B)^2."""
    gap = 1.0 - xi
    root = 0.15 * np.sqrt(gap)
    M[0] = root * gap * (1.0 + 2.12 * slender * gap)
    M[1] = -0.75 * root * eta * (1.0 + 3.6 * slender * gap)
    M[2] = -root * (1.5 + 5.3 * slender * gap)
    M[3] = 0.0
    M[4] = 0.75 * root * eta * (0.5 / gap + 5.4 * slender)
    M[5] = -0.75 * root * (1.0 + 3.6 * slender * gap)


@kernel(part=True)
def impedance_strip(strip: Array, c: float, factor: float, slender: float, D: Array) -> None:
    """D = [f (2), df/de (4), df/du (4)]; factor = mu B R^3/c^2 times the share of the strip."""
    x, y, M = strip[0] / c, strip[1] / c, np.empty(6)
    ux, uy = strip[2], strip[3]
    size = np.sqrt(ux * ux + uy * uy)
    if size > 0.0:
        along, across = ux / size, uy / size
    else:
        e = np.sqrt(x * x + y * y)
        along, across = (x / e, y / e) if e > 1e-14 else (1.0, 0.0)
    low, high, tilt = -0.5 * np.pi, 0.5 * np.pi, 0.0  # of P against u
    a, b = along, across
    for _ in range(ITERATIONS):
        cos, sin = np.cos(tilt), np.sin(tilt)
        a, b = along * cos - across * sin, along * sin + across * cos
        mobility(a * x + b * y, a * y - b * x, slender, M)
        off = cos * M[1] + sin * M[0]  # of the velocity, across u
        xi, eta = a * x + b * y, a * y - b * x
        steep = cos * M[0] - sin * M[1] + cos * (M[4] * eta - M[5] * xi) + sin * (M[2] * eta - M[3] * xi)
        if off > 0.0:
            high = tilt
        else:
            low = tilt
        new = tilt - off / steep if steep > 0.0 else 0.5 * (low + high)
        if not low <= new <= high:
            new = 0.5 * (low + high)
        done = abs(new - tilt) < 1e-15
        tilt = new
        if done:
            break
    xi, eta = a * x + b * y, a * y - b * x
    velocity = np.cos(tilt) * M[0] - np.sin(tilt) * M[1]  # of a unit load, along u
    k = factor / c
    P = size / velocity
    D[0], D[1] = -k * P * a, -k * P * b
    # u = P w(angle, e); w = M_xi (a, b) + M_eta (-b, a)
    wx, wy = M[0] * a - M[1] * b, M[0] * b + M[1] * a
    dx, dy = M[2] * eta - M[3] * xi - M[1], M[4] * eta - M[5] * xi + M[0]
    tx, ty = dx * a - dy * b, dx * b + dy * a  # dw/dangle
    det = wx * ty - wy * tx
    # [dP, P dangle] = [ty, -tx; -wy, wx]/det du;   d(P vector) = (a, b) dP + (-b, a) P dangle
    ax, ay = ty / det, -tx / det
    bx, by = -wy / det, wx / det
    D[6], D[7] = -k * (a * ax - b * bx), -k * (a * ay - b * by)
    D[8], D[9] = -k * (b * ax + a * bx), -k * (b * ay + a * by)
    # dw/de: rows a and b of the mobility's derivatives, in axes x and y
    rx, ry = M[2] * a - M[3] * b, M[2] * b + M[3] * a
    sx, sy = M[4] * a - M[5] * b, M[4] * b + M[5] * a
    w_xx, w_xy = a * rx - b * sx, a * ry - b * sy
    w_yx, w_yy = b * rx + a * sx, b * ry + a * sy
    for j in range(2):
        p, q = (w_xx, w_yx) if j == 0 else (w_xy, w_yy)
        D[2 + j] = -P / c * (D[6] * p + D[7] * q)
        D[4 + j] = -P / c * (D[8] * p + D[9] * q)


@law
def impedance_film(p: Array, mu: float, z: Any, R: float, B: float, c: float, slopes: int, out: Any, jac: Any) -> None:
    """Bearing of finite length by impedance."""
    state, action, jacobian = carray(z, 9), carray(out, 6), carray(jac, (6, 9))
    s, weight = np.empty(HALVES * MOST), np.empty(HALVES * MOST)
    strip, D, S = np.empty(4), np.empty(10), np.empty(4)  # e and u; f, df/de, df/du; de_frozen/de
    clear(action, jacobian)
    for i in range(axial_points(state, c, False, s, weight)):
        e_v, w = strip_state(state, s[i], c, p[0], strip, S), 0.5 * B * weight[i]
        share = 1.5 * (1.0 - s[i] * s[i]) / B * w
        impedance_strip(strip, c, mu * B * R**3 / c**2 * share, (2.0 * R / B) ** 2, D)
        add_strip(state, s[i], w, e_v, c, 2.0 * np.pi * mu * R**3, strip, D, S, B, slopes, action, jacobian)
    add_torques(p[1], state, B, slopes, action, jacobian)
