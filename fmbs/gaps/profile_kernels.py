"""Cams: a closed curve in the plane of the first two vectors of a triad, against a roller or a flat face.

    ROLLER   the curve rides on the bearing: p is the point nearest to the roller's centre xi, N its outward normal;
             n = -N,  penetration R - N . (xi - p),  dN = k/(1 + k g) T T . dxi  with g = N . (xi - p) and the curvature k
    FLAT     the curve rides on the journal: p is its farthest point along nu, the face's direction into the bearing;
             dp = 1/k T T . dnu

Both are a WALL whose normal, or whose place on the journal, moves. A profile is the number of its cells and, for each, the
coefficients of two cubics x(u), y(u), 0 <= u < 1, counter-clockwise.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import BEND, LIMIT, NORMAL, OFFSET, Stations
from fmbs.gaps.kinematics import ROLLER, coordinates, dot, in_triad, plus, row
from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]

ROUNDS = 30  # of Newton's method, which takes three
CLOSE = 1e-13  # of a cell


@kernel(plain=True, part=True)
def curve(profile: Array, s: int, u: float, out: Array) -> None:
    """Point, first and second derivative at the parameter u, any turn  # out (6,)."""
    cells = int(profile[s])
    lower = np.floor(u)
    k, x = s + 1 + 8 * (int(lower) % cells), u - lower
    for c in range(2):
        a = k + 4 * c
        out[c] = profile[a] + x * (profile[a + 1] + x * (profile[a + 2] + x * profile[a + 3]))
        out[2 + c] = profile[a + 1] + x * (2.0 * profile[a + 2] + 3.0 * x * profile[a + 3])
        out[4 + c] = 2.0 * profile[a + 2] + 6.0 * x * profile[a + 3]


@kernel(plain=True, part=True)
def extreme(profile: Array, s: int, x: float, y: float, far: bool, out: Array) -> None:
    """The point nearest to (x, y), or farthest along it: `curve` there."""
    cells, best, u = int(profile[s]), np.inf, 0.0
    for k in range(cells):
        a, b = profile[s + 1 + 8 * k], profile[s + 5 + 8 * k]
        size = -(a * x + b * y) if far else (a - x) ** 2 + (b - y) ** 2
        if size < best:
            best, u = size, float(k)
    for _ in range(ROUNDS):
        curve(profile, s, u, out)
        if far:
            slope, bend = -(x * out[2] + y * out[3]), -(x * out[4] + y * out[5])
        else:
            dx, dy = out[0] - x, out[1] - y
            slope = dx * out[2] + dy * out[3]
            bend = out[2] ** 2 + out[3] ** 2 + dx * out[4] + dy * out[5]
        size = out[2] ** 2 + out[3] ** 2
        step = -slope / bend if bend > 1e-3 * size or (far and bend > 0.0) else -slope / size
        u += max(-0.5, min(0.5, step))
        if abs(step) < CLOSE * cells:
            break
    curve(profile, s, u, out)


@kernel(plain=True)
def profile_frame(stations: Stations, i: int, first: int, u: Array, frames: Array) -> None:
    """Write the wall that stands for a cam: place on the journal, normal, clearance, and how they bend."""
    out, line = frames[i, BEND + 4 :], frames[i]
    s, radius = stations.profile_start[i], stations.radius[i]
    for c in range(3):
        line[OFFSET + c], line[NORMAL + c] = stations.offset[i, c], stations.wall[i, c]
    if stations.kind[i] == ROLLER:
        xi = coordinates(plus(row(u, first + 4), -1.0, row(u, first)), u, first + 1)
        extreme(stations.profile, s, xi[0], xi[1], False, out)
    else:
        wall = (stations.wall[i, 0], stations.wall[i, 1], stations.wall[i, 2])
        n = in_triad(u, first + 1, wall)
        xi = (dot(n, row(u, first + 5)), dot(n, row(u, first + 6)), 0.0)
        extreme(stations.profile, s, xi[0], xi[1], True, out)
    speed = np.sqrt(out[2] ** 2 + out[3] ** 2)
    tx, ty = out[2] / speed, out[3] / speed
    curvature = (out[2] * out[5] - out[3] * out[4]) / speed**3
    if stations.kind[i] == ROLLER:
        gap = ty * (xi[0] - out[0]) - tx * (xi[1] - out[1])
        line[NORMAL], line[NORMAL + 1], line[NORMAL + 2] = -ty, tx, 0.0
        line[LIMIT] = -ty * out[0] + tx * out[1] - radius
        bend = -curvature / (1.0 + curvature * gap)
    else:
        line[OFFSET], line[OFFSET + 1] = out[0], out[1]
        line[LIMIT] = stations.clearance[i]
        bend = 1.0 / (max(curvature, 1e-9) * np.sqrt(xi[0] ** 2 + xi[1] ** 2))
    line[BEND], line[BEND + 1], line[BEND + 2], line[BEND + 3] = bend * tx * tx, bend * tx * ty, bend * tx * ty, bend * ty * ty
