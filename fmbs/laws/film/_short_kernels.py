"""Short bearing: p = 3 mu (B^2 - 4 zeta^2)/4 (u . n)/h^3 where u . n > 0 (Tian2010 eq 38 with the cut).

The positive arc is the half circle around u. Sommerfeld's angle gamma, measured from the direction of e,
    1 - eps cos(psi) = q^2/(1 + eps cos(gamma)),  cos(psi) = (eps + cos)/(1 + eps cos),  sin(psi) = q sin/(1 + eps cos),
turns int n n / h^3 dpsi and int n n n / h^4 dpsi into trigonometric polynomials: closed forms for every eps < 1, none
of which divides by eps. q^2 = 1 - eps^2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.laws.film._thin_kernels import strip_state

Array = NDArray[np.float64]


@kernel(part=True)
def short_strip(strip: Array, c: float, factor: float, tangent: bool, D: Array) -> None:
    """D = [f (2), df/de (4), df/du (4)] with f = -factor int n (n . u)/h^3 dtheta over u . n > 0."""
    ex, ey, ux, uy = strip[0], strip[1], strip[2], strip[3]
    e, size = np.sqrt(ex * ex + ey * ey), np.sqrt(ux * ux + uy * uy)
    cx, cy = (ex / e, ey / e) if e > 1e-14 * c else (1.0, 0.0)  # axes r, t: along e and across
    ur, ut = cx * ux + cy * uy, cx * uy - cy * ux
    eps = e / c
    q2 = (1.0 - eps) * (1.0 + eps)
    q = np.sqrt(q2)
    share = 1.0
    if size > 0.0:
        a, b = ut / size, ur / size  # the arc ends at psi_1: (cos, sin) = (a, -b) and psi_2: (-a, b)
        C1, S1 = (a - eps) / (1.0 - eps * a), -q * b / (1.0 - eps * a)
        C2, S2 = (-a - eps) / (1.0 + eps * a), q * b / (1.0 + eps * a)
        arc = np.arctan2(S2 * C1 - C2 * S1, C2 * C1 + S2 * S1)
        if arc < 0.0:
            arc += 2.0 * np.pi
    else:  # no velocity, no direction: the mean of all arcs
        C1, S1, C2, S2, arc, share = 1.0, 0.0, 1.0, 0.0, 2.0 * np.pi, 0.5
    i_c, i_s = S2 - S1, C1 - C2
    i_cc = 0.5 * (arc + S2 * C2 - S1 * C1)
    i_ss, i_cs = arc - i_cc, 0.5 * (S2 * S2 - S1 * S1)
    k3 = -factor * share / (c**3 * q2 * q2 * q)
    rr = k3 * (eps * (eps * arc + 2.0 * i_c) + i_cc)
    rt = k3 * q * (eps * i_s + i_cs)
    tt = k3 * q2 * i_ss
    fr, ft = rr * ur + rt * ut, rt * ur + tt * ut
    D[0], D[1] = cx * fr - cy * ft, cy * fr + cx * ft
    if not tangent:
        return
    turned(rr, rt, tt, cx, cy, D[6:10])
    S13, S23, C13, C23 = S1**3, S2**3, C1**3, C2**3
    k4 = 3.0 * k3 / (c * q2)
    rrr = k4 * (eps * (eps * (eps * arc + 3.0 * i_c) + 3.0 * i_cc) + i_c - (S23 - S13) / 3.0)
    rrt = k4 * q * (eps * (eps * i_s + 2.0 * i_cs) + (C13 - C23) / 3.0)
    rtt = k4 * q2 * (eps * i_ss + (S23 - S13) / 3.0)
    ttt = k4 * q2 * q * (i_s - (C13 - C23) / 3.0)
    turned(rrr * ur + rrt * ut, rrt * ur + rtt * ut, rtt * ur + ttt * ut, cx, cy, D[2:6])


@kernel
def turned(rr: float, rt: float, tt: float, cx: float, cy: float, T: Array) -> None:
    """A symmetric tensor from the axes along (cx, cy) and across to x and y, row by row."""
    xx, xy, yy = cx * cx, cx * cy, cy * cy
    T[0] = xx * rr - 2.0 * xy * rt + yy * tt
    T[1] = xy * (rr - tt) + (xx - yy) * rt
    T[2] = T[1]
    T[3] = yy * rr + 2.0 * xy * rt + xx * tt


@kernel(part=True)
def short_pressure(z: Array, cos: float, sin: float, s: float, mu: float, B: float, c: float, limit: float) -> float:
    """p at an angle and s = 2 zeta/B, Pa."""
    strip, S = np.empty(4), np.empty(4)
    strip_state(z, s, c, limit, strip, S)
    h = c - strip[0] * cos - strip[1] * sin
    return float(max(0.75 * mu * B * B * (1.0 - s * s) * (strip[2] * cos + strip[3] * sin) / h**3, 0.0))


@kernel
def short_peak(z: Array, mu: float, B: float, c: float, limit: float) -> float:
    """The largest pressure: a coarse search, graded to the thin film, then climbing in (theta, s) by Newton's method.

    With log p = log(1 - s^2) + log(u . n) - 3 log(h); a step that does not climb is halved.
    """
    best, theta, s = 0.0, 0.0, 0.0
    strip, S = np.empty(4), np.empty(4)
    for j in range(9):
        x = np.cos(np.pi * (j + 1) / 10.0)
        e = np.sqrt(strip_state(z, x, c, limit, strip, S))
        eps, q = e / c, np.sqrt(1.0 - (e / c) ** 2)
        cx, cy = (strip[0] / e, strip[1] / e) if e > 1e-14 * c else (1.0, 0.0)
        ur, ut = cx * strip[2] + cy * strip[3], cx * strip[3] - cy * strip[2]
        for i in range(20):
            C, Z = COARSE[i, 0], COARSE[i, 1]
            p = (1.0 - x * x) * (ur * (eps + C) + ut * q * Z) * (1.0 + eps * C) ** 2 / q**6
            if p > best:
                best, s = p, x
                theta = np.arctan2(cy, cx) + np.arctan2(q * Z, eps + C)
    if best == 0.0:
        return 0.0
    return climb(z, theta, s, mu, B, c, limit)


COARSE = np.array([[np.cos(g), np.sin(g)] for g in 2.0 * np.pi * (np.arange(20) + 0.5) / 20.0])


@kernel(part=True)
def climb(z: Array, theta: float, s: float, mu: float, B: float, c: float, limit: float) -> float:
    """The top of the pressure hill that (theta, s) lies on."""
    dx, dy = 0.5 * (z[2] - z[0]), 0.5 * (z[3] - z[1])
    gx, gy = z[6] - z[4] + z[8] * dy, z[7] - z[5] - z[8] * dx
    strip, S = np.empty(4), np.empty(4)
    p = short_pressure(z, np.cos(theta), np.sin(theta), s, mu, B, c, limit)
    for _ in range(20):
        cos, sin = np.cos(theta), np.sin(theta)
        strip_state(z, s, c, limit, strip, S)
        h, h_t, h_s = c - strip[0] * cos - strip[1] * sin, strip[0] * sin - strip[1] * cos, -dx * cos - dy * sin
        b, b_t, b_s = strip[2] * cos + strip[3] * sin, strip[3] * cos - strip[2] * sin, gx * cos + gy * sin
        g_t, g_s = b_t / b - 3.0 * h_t / h, -2.0 * s / (1.0 - s * s) + b_s / b - 3.0 * h_s / h
        H_tt = -1.0 - (b_t / b) ** 2 - 3.0 * ((c - h) / h - (h_t / h) ** 2)
        b_ts, h_ts = gy * cos - gx * sin, dx * sin - dy * cos
        H_ts = b_ts / b - b_t * b_s / b**2 - 3.0 * (h_ts / h - h_t * h_s / h**2)
        H_ss = -2.0 * (1.0 + s * s) / (1.0 - s * s) ** 2 - (b_s / b) ** 2 + 3.0 * (h_s / h) ** 2
        D = H_tt * H_ss - H_ts * H_ts
        if H_tt < 0.0 and D > 0.0:
            step_t, step_s = -(H_ss * g_t - H_ts * g_s) / D, -(H_tt * g_s - H_ts * g_t) / D
        else:  # not yet at the top: uphill
            step_t, step_s = 0.1 * np.sign(g_t), 0.1 * (1.0 - s * s) * np.sign(g_s)
        climbed = False
        for _half in range(8):
            new_s = min(max(s + step_s, 0.5 * (s - 1.0)), 0.5 * (s + 1.0))
            new = short_pressure(z, np.cos(theta + step_t), np.sin(theta + step_t), new_s, mu, B, c, limit)
            if new > p:
                climbed = True
                break
            step_t, step_s = 0.5 * step_t, 0.5 * step_s
        if not climbed:
            break
        gain = new / p - 1.0
        theta, s, p = theta + step_t, new_s, new
        if gain < 1e-13:
            break
    return p


@kernel
def short_field(z: Array, theta: Array, s: Array, mu: float, B: float, c: float, limit: float) -> Array:
    """p (n, k) on a grid of angles and s."""
    p = np.empty((theta.size, s.size))
    for i in range(theta.size):
        for j in range(s.size):
            p[i, j] = short_pressure(z, np.cos(theta[i]), np.sin(theta[i]), s[j], mu, B, c, limit)
    return p
