"""Where two surfaces touch, how they move there, and how that changes with the vectors of a joint.

A joint owns eight vectors of the table: the bearing's centre b and triad e_1, e_2, e_3 and the journal's centre r and triad
d_1, d_2, d_3 (e_3 and d_3 along the axes). A station is a place of the journal, Q = r + o_1 d_1 + o_2 d_2 + o_3 d_3, that may
touch the bearing:

    RADIAL   x = Q - b,  d = x - (x . e_3) e_3,  n = d / |d|,  C = Q + R_j n     journal end in a cylinder (Tian2010 eqs 2-14)
    SPHERE   d = Q - b,  n = d / |d|,  C = Q + R_j n                             ball in a socket
    WALL     n = w_1 e_1 + w_2 e_2 + w_3 e_3,  C = Q + R_j n                     corner on a plane; R_j: height of the block
    BALL     d = Q - b,  n = -d / |d|,  C = Q + R_j n                            ball on a ball
    ROLLER, FLAT                                                                 cams, see `profile_kernels`

The penetration is |d| - c, or n . (Q - b) - c at a wall; of two balls it is -|d| - c with c = -(R_b + R_j). Both bodies meet
in their material points at C, with coordinates s_k = (C - r) . d_k and p_k = (C - b) . e_k: the relative velocity
r' + s_k d_k' - b' - p_k e_k' therefore includes both spins, and the same coefficients carry the force to both bodies, so that
action is reaction about every point.

Functions of plain algebra take real or complex vectors: films are differentiated by complex steps, see `tangent_kernels`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]

RADIAL, SPHERE, WALL, BALL, ROLLER, FLAT = 0, 1, 2, 3, 4, 5
POLE = 0.01  # square of the sine between a ball's normal and its axis below which the tangent is taken from another axis

Vector = Any  # a tuple of three real or complex numbers


@kernel(plain=True, part=True)
def row(u: Any, i: int) -> Vector:
    return (u[i, 0], u[i, 1], u[i, 2])


@kernel(plain=True, part=True)
def dot(a: Vector, b: Vector) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(plain=True, part=True)
def cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel(plain=True, part=True)
def plus(a: Vector, factor: Any, b: Vector) -> Vector:
    """a + factor b."""
    return (a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2])


@kernel(plain=True, part=True)
def times(factor: Any, a: Vector) -> Vector:
    return (factor * a[0], factor * a[1], factor * a[2])


@kernel(plain=True, part=True)
def in_triad(u: Any, first: int, c: Vector) -> Vector:
    """c_1 u_first + c_2 u_first+1 + c_3 u_first+2."""
    return plus(plus(times(c[0], row(u, first)), c[1], row(u, first + 1)), c[2], row(u, first + 2))


@kernel(plain=True, part=True)
def coordinates(x: Vector, u: Any, first: int) -> Vector:
    """Components of x along a triad."""
    return (dot(x, row(u, first)), dot(x, row(u, first + 1)), dot(x, row(u, first + 2)))


@kernel(plain=True, part=True)
def frame(kind: int, offset: Vector, wall: Vector, radius: float, u: Array, i: int) -> Any:
    """Of a station whose joint's vectors start at i: distance along n, normal n, tangents t and e, coordinates s and p of C."""
    b, r, e3 = row(u, i), row(u, i + 4), row(u, i + 3)
    q = plus(r, 1.0, in_triad(u, i + 5, offset))
    x = plus(q, -1.0, b)
    if kind == WALL or kind >= ROLLER:
        n = in_triad(u, i + 1, wall)
        distance = dot(x, n)
        e = e3 if abs(wall[2]) < 0.5 else row(u, i + 1)
        t = cross(e, n)
    else:
        d = plus(x, -dot(x, e3), e3) if kind == RADIAL else x
        distance = -math.sqrt(dot(d, d)) if kind == BALL else math.sqrt(dot(d, d))
        n = times(1.0 / distance, d) if distance != 0.0 else row(u, i + 1)
        e, t = e3, cross(e3, n)
        if kind != RADIAL:
            if dot(t, t) < POLE:
                t = cross(row(u, i + 1), n)
            t = times(1.0 / math.sqrt(dot(t, t)), t)
            e = cross(n, t)
    c = plus(q, radius, n)
    return distance, n, t, e, coordinates(plus(c, -1.0, r), u, i + 5), coordinates(plus(c, -1.0, b), u, i + 1)


@kernel(plain=True, part=True)
def frame_change(kind: int, offset: Vector, wall: Vector, radius: float, u: Array, i: int, n: Vector, t: Vector, e: Vector,
                 w: Array, bend: Any) -> Any:  # fmt: skip
    """Changes of all that `frame` returns when the vectors change by w (VECTORS, 3), to first order.

    bend: (2, 2), row by row, how the normal of a ROLLER changes with its place, or the place of a FLAT with its normal
    """
    arm = in_triad(u, i + 5, offset)
    x, moved = plus(plus(row(u, i + 4), 1.0, arm), -1.0, row(u, i)), in_triad(w, 5, offset)  # Q - b, and Q - r of the change
    dx = plus(plus(row(w, 4), 1.0, moved), -1.0, row(w, 0))
    if kind == WALL or kind >= ROLLER:
        dn, de = in_triad(w, 1, wall), row(w, 3) if abs(wall[2]) < 0.5 else row(w, 1)
        change = dot(dx, n) + dot(x, dn)
        if kind == ROLLER:
            one, two = dot(dx, row(u, i + 1)) + dot(x, row(w, 1)), dot(dx, row(u, i + 2)) + dot(x, row(w, 2))
            dn = plus(dn, bend[0] * one + bend[1] * two, row(u, i + 1))
            dn = plus(dn, bend[2] * one + bend[3] * two, row(u, i + 2))
        elif kind == FLAT:
            one, two = dot(dn, row(u, i + 5)) + dot(n, row(w, 5)), dot(dn, row(u, i + 6)) + dot(n, row(w, 6))
            slide = plus(times(bend[0] * one + bend[1] * two, row(u, i + 5)), bend[2] * one + bend[3] * two, row(u, i + 6))
            moved, dx = plus(moved, 1.0, slide), plus(dx, 1.0, slide)
        dt = plus(cross(de, n), 1.0, cross(e, dn))
    else:
        e3, de, d, dd = row(u, i + 3), row(w, 3), x, dx
        if kind == RADIAL:
            along = dot(x, e3)
            d, dd = plus(x, -along, e3), plus(plus(dx, -dot(dx, e3) - dot(x, de), e3), -along, de)
        distance, change = dot(d, n), dot(dd, n)
        dn = times(1.0 / distance, plus(dd, -change, n)) if distance != 0.0 else row(w, 1)
        dt = plus(cross(de, n), 1.0, cross(e3, dn))
        if kind != RADIAL:
            long = cross(e3, n)
            if dot(long, long) < POLE:
                long, dt = cross(row(u, i + 1), n), plus(cross(row(w, 1), n), 1.0, cross(row(u, i + 1), dn))
            dt = times(1.0 / math.sqrt(dot(long, long)), plus(dt, -dot(dt, t), t))
            de = plus(cross(dn, t), 1.0, cross(n, dt))
    ds = plus(coordinates(plus(moved, radius, dn), u, i + 5), 1.0, coordinates(plus(arm, radius, n), w, 5))
    dp = plus(coordinates(plus(dx, radius, dn), u, i + 1), 1.0, coordinates(plus(x, radius, n), w, 1))
    return change, dn, dt, de, ds, dp


@kernel(plain=True, part=True)
def relative_velocity(s: Vector, p: Vector, du: Any, i: int) -> Vector:
    """Of the journal's material point at C against the bearing's."""
    journal = plus(row(du, i + 4), 1.0, in_triad(du, i + 5, s))
    bearing = plus(row(du, i), 1.0, in_triad(du, i + 1, p))
    return plus(journal, -1.0, bearing)


@kernel(plain=True, part=True)
def push(force: Vector, s: Vector, p: Vector, g: Any, i: int) -> None:
    """Put `force` on the journal at C and its reaction on the bearing: g is conjugate to the eight vectors."""
    for c in range(3):
        g[i, c] -= force[c]
        g[i + 4, c] += force[c]
        for k in range(3):
            g[i + 1 + k, c] -= p[k] * force[c]
            g[i + 5 + k, c] += s[k] * force[c]
