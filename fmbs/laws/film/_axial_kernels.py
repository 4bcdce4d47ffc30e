"""Gauss points along the bearing, s = 2 zeta / B in (-1, 1), graded to where the film force changes fast.

Seen as functions of a complex s, forces per unit length have branch points near the axis
- beyond an end, where the film would close: |e(s)| = c;
- where the velocity u(s) = 2 v - omega e_z x e that makes pressure nearly vanishes: |u(s)| = 0;
- where the edge of the pressure arc passes the thinnest film: e . u = +-i sqrt(c^2 - e^2) |u|.
Each is a centre s_k with a distance d_k off the axis. Between neighbouring centres every half is mapped by
s - s_k = d_k sinh(tau), which moves the branch point a constant distance away, whatever d_k.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.math.quadrature import gauss

Array = NDArray[np.float64]

MOST = 24  # points of one half
HALVES = 12
FAR = 1e3  # no branch point
FLOOR = 1e-4  # d_k below this is as good as none: what is left out is of order d_k^2
NODES, WEIGHTS = np.zeros((MOST + 1, MOST)), np.zeros((MOST + 1, MOST))  # Gauss on [0, 1], row n holds n points
for _n in range(1, MOST + 1):
    NODES[_n, :_n], WEIGHTS[_n, :_n] = gauss(_n)


@kernel
def roots(a: float, b: float, c: float) -> tuple[float, float, float]:
    """Real parts, and the imaginary part, of the roots of a x^2 + 2 b x + c; FAR where there are none."""
    if abs(a) < 1e-12 * (abs(b) + abs(c)) + 1e-300:
        x = -0.5 * c / b if abs(b) > 1e-12 * abs(c) + 1e-300 else FAR
        return x, FAR, 0.0
    D = b * b - a * c
    if D < 0.0:
        return -b / a, -b / a, np.sqrt(-D) / abs(a)
    t = -b - np.sqrt(D) if b > 0.0 else -b + np.sqrt(D)
    x = t / a
    return x, (c / t if t != 0.0 else x), 0.0


@kernel
def centres(z: Array, c: float, kinked: bool, at: Array, near: Array) -> int:
    """Centres `at` and their distances `near`, the ends first; returns how many.

    z: A, W, their rates, spin; kinked: the force has a kink where e . u = 0
    """
    w = z[8]
    ex, ey, dx, dy = 0.5 * (z[2] + z[0]), 0.5 * (z[3] + z[1]), 0.5 * (z[2] - z[0]), 0.5 * (z[3] - z[1])
    ux, uy = z[6] + z[4] + w * ey, z[7] + z[5] - w * ex  # u = (ux, uy) + s (gx, gy)
    gx, gy = z[6] - z[4] + w * dy, z[7] - z[5] - w * dx
    at[0], at[1], near[0], near[1] = -1.0, 1.0, FAR, FAR
    n = 2
    thin = dx * dx + dy * dy
    low, high = -FAR, FAR
    if thin > 1e-18 * c * c:
        one, two, _ = roots(thin, ex * dx + ey * dy, ex * ex + ey * ey - c * c)
        low, high = min(one, two), max(one, two)
        for k in range(2):
            x = high if k else low
            n = add(x, 0.02 if abs(x) < 1.0 else 0.0, at, near, n)  # inside: the film is frozen there, and smooth
    turn = gx * gx + gy * gy
    size = ux * ux + uy * uy
    if turn > 1e-18 * size and turn > 0.0:
        n = add(-(ux * gx + uy * gy) / turn, abs(ux * gy - uy * gx) / turn, at, near, n)
        a, b = dx * gx + dy * gy, 0.5 * (ex * gx + ey * gy + dx * ux + dy * uy)
        one, two, off = roots(a, b, ex * ux + ey * uy)
        for k in range(1 if off > 0.0 else 2):
            x = two if k else one
            if abs(x) < 10.0:
                px, py, vx, vy = ex + x * dx, ey + x * dy, ux + x * gx, uy + x * gy
                gap = np.sqrt(max(c * c - px * px - py * py, 0.0) * (vx * vx + vy * vy))
                slope = 2.0 * np.sqrt((a * x + b) ** 2 + a * gap)
                d = np.sqrt(off**2 + (gap / slope) ** 2) if slope > 0.0 else FAR
                n = add(x, min(d, 0.5) if kinked and off == 0.0 else d, at, near, n)
    for k in range(2, n):  # a branch point beyond the end may be nearer than the centre's own
        near[k] = min(near[k], max(high - at[k], 0.01), max(at[k] - low, 0.01))
    for k in range(n):
        near[k] = max(near[k], FLOOR)
    return n


@kernel
def add(x: float, off: float, at: Array, near: Array, n: int) -> int:
    """One more branch point x +- i off: a centre if it is inside, else a reason to refine the end beside it."""
    if -1.0 < x < 1.0:
        if off < 0.6:
            at[n], near[n] = x, off
            return n + 1
        return n
    end = 0 if x < 0.0 else 1
    near[end] = min(near[end], np.sqrt((abs(x) - 1.0) ** 2 + off * off))
    return n


@kernel
def sort(at: Array, near: Array, n: int) -> None:
    """By insertion; np.argsort would take longer to compile than all the rest."""
    for k in range(1, n):
        x, d, i = at[k], near[k], k
        while i > 0 and at[i - 1] > x:
            at[i], near[i] = at[i - 1], near[i - 1]
            i -= 1
        at[i], near[i] = x, d


@kernel(part=True)
def axial_points(z: Array, c: float, kinked: bool, s: Array, weight: Array) -> int:
    """Points s and weights (sum 2); returns how many. Three are exact for an aligned journal (polynomials of degree 4)."""
    aligned = z[0] == z[2] and z[1] == z[3] and z[4] == z[6] and z[5] == z[7]
    if aligned:
        for i in range(3):
            s[i], weight[i] = 2.0 * NODES[3, i] - 1.0, 2.0 * WEIGHTS[3, i]
        return 3
    at, near = np.empty(8), np.empty(8)
    n = centres(z, c, kinked, at, near)
    sort(at, near, n)
    count = 0
    for k in range(n - 1):
        half = 0.5 * (at[k + 1] - at[k])
        if half < 1e-9:
            continue
        for side in range(2):
            start, d = at[k + side], near[k + side]
            reach = np.arcsinh(half / d)
            m = min(MOST, 8 + int(1.5 * reach))
            for i in range(m):
                tau = reach * NODES[m, i]
                x = d * np.sinh(tau)
                s[count] = start - x if side else start + x
                weight[count] = WEIGHTS[m, i] * reach * d * np.cosh(tau)
                count += 1
    return count
