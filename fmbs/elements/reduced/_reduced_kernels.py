"""Kernels of reduced bodies: a linear structure that turns with the frame R of its interfaces.

With positions q_a and the drawn ones x_a of a body's vectors, all relative to its first point,

    F = sum_k q_k g_k^T over directions of the interfaces,   R: the rotation with R^T F = S = S^T
    z_a = R^T q_a,   y = z - x,   U = 1/2 y.K y
    p = K (y + tau y') + D y',   y'_a = R^T v_a - w x z_a,   H w = sum_k g_k x R^T v_k,   H = tr(S) 1 - S
    f_a = R (p_a - c x g_a),   H c = sum_a z_a x p_a

H^-1 sum g_k x (R^T dq_k) is the change of R; what f has besides R p makes it the derivative of U, without a moment of its own,
and so energy and momenta are kept. The tangent is worked out in the axes of R and turned.

Contract: element e has q_a = q[first[e, a] : + 3] and the tables of a ReducedTable.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

TURNS = 20  # of the frame, towards R; each leaves the square of what was left
STILL = 1e-15  # rad


@table
class ReducedTable:
    """Reduced bodies with the same number s of vectors as contiguous arrays."""

    first: Integers  # (elements, s): first coordinate of each vector
    stiffness: Array  # (elements, 3 s, 3 s)
    retardation: Array  # (elements,): tau
    damping: Array  # (elements, 3 s, 3 s): D; or (elements, 0, 0)
    drawn: Array  # (elements, s, 3)
    constant: Array  # (elements, s): what a unit translation adds to each vector
    guides: Integers  # (elements, directions): vectors that R follows
    axes: Array  # (elements, directions, 3): g


@kernel(plain=True, part=True)
def _cross_add(a: Array, b: Array, factor: float, out: Array) -> None:
    out[0] += factor * (a[1] * b[2] - a[2] * b[1])
    out[1] += factor * (a[2] * b[0] - a[0] * b[2])
    out[2] += factor * (a[0] * b[1] - a[1] * b[0])


@kernel(plain=True, part=True)
def _inverse(a: Array, out: Array) -> None:
    """Of a 3 x 3 matrix."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        for c in range(3):
            d, e = (c + 1) % 3, (c + 2) % 3
            out[c, i] = a[j, d] * a[k, e] - a[j, e] * a[k, d]
    size = a[0, 0] * out[0, 0] + a[0, 1] * out[1, 0] + a[0, 2] * out[2, 0]
    for i in range(3):
        for j in range(3):
            out[i, j] /= size


@kernel(part=True)
def _begin(bodies: ReducedTable, e: int, q: Array, r: Array) -> None:
    """A frame near R: the first two directions, made orthonormal, as they were drawn along g."""
    one, two = bodies.first[e, bodies.guides[e, 0]], bodies.first[e, bodies.guides[e, 1]]
    a, b = np.zeros((3, 3)), np.zeros((3, 3))  # rows: now and drawn
    size = more = share = 0.0
    for c in range(3):
        size += q[one + c] ** 2
        share += q[one + c] * q[two + c]
    for c in range(3):
        b[0, c], b[1, c] = bodies.axes[e, 0, c], bodies.axes[e, 1, c]
        a[0, c] = q[one + c] / np.sqrt(size)
        a[1, c] = q[two + c] - share / size * q[one + c]
        more += a[1, c] ** 2
    for c in range(3):
        a[1, c] /= np.sqrt(more)
    _cross_add(a[0], a[1], 1.0, a[2])
    _cross_add(b[0], b[1], 1.0, b[2])
    for i in range(3):
        for j in range(3):
            r[i, j] = a[0, i] * b[0, j] + a[1, i] * b[1, j] + a[2, i] * b[2, j]


@kernel(plain=True, part=True)
def _turned(r: Array, w: Array) -> None:
    """r times a rotation by w or, where that is large, towards it: Cayley's, which keeps r a rotation."""
    h = 1.0 + 0.25 * (w[0] ** 2 + w[1] ** 2 + w[2] ** 2)
    for i in range(3):
        x, y, z = r[i, 0], r[i, 1], r[i, 2]
        d = x * w[0] + y * w[1] + z * w[2]
        # row times C = 1 + ([w]x + [w]x [w]x / 2) / h
        cx, cy, cz = y * w[2] - z * w[1], z * w[0] - x * w[2], x * w[1] - y * w[0]
        n = w[0] ** 2 + w[1] ** 2 + w[2] ** 2
        r[i, 0] = x + (cx + 0.5 * (d * w[0] - n * x)) / h
        r[i, 1] = y + (cy + 0.5 * (d * w[1] - n * y)) / h
        r[i, 2] = z + (cz + 0.5 * (d * w[2] - n * z)) / h


@kernel(part=True)
def _frame(bodies: ReducedTable, e: int, q: Array, r: Array, s: Array, h: Array) -> None:
    """R, S and H^-1."""
    f, w, skew, full = np.empty((3, 3)), np.zeros(3), np.empty(3), np.empty((3, 3))
    f[:, :] = 0.0
    for k in range(bodies.guides.shape[1]):
        place = bodies.first[e, bodies.guides[e, k]]
        for i in range(3):
            for j in range(3):
                f[i, j] += q[place + i] * bodies.axes[e, k, j]
    _begin(bodies, e, q, r)
    for _ in range(TURNS):
        for i in range(3):
            for j in range(3):
                s[i, j] = r[0, i] * f[0, j] + r[1, i] * f[1, j] + r[2, i] * f[2, j]
        trace = s[0, 0] + s[1, 1] + s[2, 2]
        for i in range(3):
            for j in range(3):
                full[i, j] = (trace if i == j else 0.0) - 0.5 * (s[i, j] + s[j, i])
        _inverse(full, h)
        skew[0], skew[1], skew[2] = s[2, 1] - s[1, 2], s[0, 2] - s[2, 0], s[1, 0] - s[0, 1]
        for i in range(3):
            w[i] = h[i, 0] * skew[0] + h[i, 1] * skew[1] + h[i, 2] * skew[2]
        if not w[0] ** 2 + w[1] ** 2 + w[2] ** 2 > STILL**2:
            break
        _turned(r, w)


@kernel(plain=True, part=True)
def _relative(bodies: ReducedTable, e: int, q: Array, r: Array, z: Array) -> None:
    """z_a = R^T (q_a - constant_a q_0)."""
    origin = bodies.first[e, 0]
    for a in range(z.shape[0]):
        place, share = bodies.first[e, a], bodies.constant[e, a]
        x, y, w = (
            q[place] - share * q[origin], q[place + 1] - share * q[origin + 1], q[place + 2] - share * q[origin + 2],
        )  # fmt: skip
        for i in range(3):
            z[a, i] = r[0, i] * x + r[1, i] * y + r[2, i] * w


@kernel(plain=True, part=True)
def _product(k: Array, y: Array, factor: float, out: Array) -> None:
    """out += factor k y with a symmetric k, four columns at a time."""
    n = out.size
    whole = n - n % 4
    for j in range(0, whole, 4):
        a, b, c, d = factor * y[j], factor * y[j + 1], factor * y[j + 2], factor * y[j + 3]
        one, two, three, four = k[j], k[j + 1], k[j + 2], k[j + 3]
        for i in range(n):
            out[i] += a * one[i] + b * two[i] + c * three[i] + d * four[i]
    for j in range(whole, n):
        a, one = factor * y[j], k[j]
        for i in range(n):
            out[i] += a * one[i]


@kernel(part=True)
def _spin(bodies: ReducedTable, e: int, v: Array, r: Array, h: Array, w: Array) -> None:
    """w, the angular velocity of R in its own axes."""
    g, u = np.zeros(3), np.zeros(3)
    for k in range(bodies.guides.shape[1]):
        place = bodies.first[e, bodies.guides[e, k]]
        for i in range(3):
            u[i] = r[0, i] * v[place] + r[1, i] * v[place + 1] + r[2, i] * v[place + 2]
        _cross_add(bodies.axes[e, k], u, 1.0, g)
    for i in range(3):
        w[i] = h[i, 0] * g[0] + h[i, 1] * g[1] + h[i, 2] * g[2]


@kernel(plain=True, part=True)
def _is_damped(bodies: ReducedTable, e: int) -> bool:
    return bool(bodies.retardation[e] != 0.0 or bodies.damping.shape[1] > 0)


@kernel(plain=True, part=True)
def _damp(bodies: ReducedTable, e: int, y: Array, out: Array) -> None:
    """out += (tau K + D) y."""
    if bodies.retardation[e] != 0.0:
        _product(bodies.stiffness[e], y, bodies.retardation[e], out)
    if bodies.damping.shape[1]:
        _product(bodies.damping[e], y, 1.0, out)


@kernel(plain=True, part=True)
def _rates(z: Array, u: Array, w: Array, y: Array) -> None:
    """y' with u = R^T v relative to the first point."""
    for a in range(z.shape[0]):
        for i in range(3):
            y[3 * a + i] = u[a, i]
        _cross_add(w, z[a], -1.0, y[3 * a : 3 * a + 3])


@kernel(plain=True, part=True)
def _stress(bodies: ReducedTable, e: int, z: Array, u: Array, w: Array, y: Array, p: Array) -> None:
    """p; y is room."""
    y[:] = 0.0
    p[:] = 0.0
    if _is_damped(bodies, e):
        _rates(z, u, w, y)
        if bodies.damping.shape[1]:
            _product(bodies.damping[e], y, 1.0, p)
    for a in range(z.shape[0]):
        for i in range(3):
            y[3 * a + i] = z[a, i] - bodies.drawn[e, a, i] + bodies.retardation[e] * y[3 * a + i]
    _product(bodies.stiffness[e], y, 1.0, p)


@kernel(part=True)
def _couple(z: Array, p: Array, h: Array, c: Array) -> None:
    """c = H^-1 sum_a z_a x p_a."""
    m = np.zeros(3)
    for a in range(z.shape[0]):
        _cross_add(z[a], p[3 * a : 3 * a + 3], 1.0, m)
    for i in range(3):
        c[i] = h[i, 0] * m[0] + h[i, 1] * m[1] + h[i, 2] * m[2]


@kernel
def reduced_force(bodies: ReducedTable, q: Array, v: Array, out: Array) -> None:
    """out += f."""
    s = bodies.first.shape[1]
    r, square, h, w, c = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.zeros(3), np.empty(3)
    z, u, y, p = np.empty((s, 3)), np.zeros((s, 3)), np.empty(3 * s), np.empty(3 * s)
    for e in range(bodies.first.shape[0]):
        _frame(bodies, e, q, r, square, h)
        _relative(bodies, e, q, r, z)
        if _is_damped(bodies, e):
            _relative(bodies, e, v, r, u)
            _spin(bodies, e, v, r, h, w)
        _stress(bodies, e, z, u, w, y, p)
        _couple(z, p, h, c)
        for k in range(bodies.guides.shape[1]):
            a = 3 * bodies.guides[e, k]
            _cross_add(c, bodies.axes[e, k], -1.0, p[a : a + 3])
        for a in range(s):
            place = bodies.first[e, a]
            for i in range(3):
                out[place + i] += r[i, 0] * p[3 * a] + r[i, 1] * p[3 * a + 1] + r[i, 2] * p[3 * a + 2]


@kernel
def reduced_energy(bodies: ReducedTable, q: Array, v: Array) -> tuple[float, float]:
    """Stored energy, J, and dissipated power, W."""
    s = bodies.first.shape[1]
    r, square, h, w = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.zeros(3)
    z, u, y, p = np.empty((s, 3)), np.zeros((s, 3)), np.empty(3 * s), np.empty(3 * s)
    stored = power = 0.0
    for e in range(bodies.first.shape[0]):
        _frame(bodies, e, q, r, square, h)
        _relative(bodies, e, q, r, z)
        _relative(bodies, e, v, r, u)
        _spin(bodies, e, v, r, h, w)
        for a in range(s):
            for i in range(3):
                y[3 * a + i] = z[a, i] - bodies.drawn[e, a, i]
        p[:] = 0.0
        _product(bodies.stiffness[e], y, 0.5, p)
        for i in range(3 * s):
            stored += y[i] * p[i]
        if _is_damped(bodies, e):
            _rates(z, u, w, y)
            p[:] = 0.0
            _damp(bodies, e, y, p)
            for i in range(3 * s):
                power += y[i] * p[i]
    return stored, power
