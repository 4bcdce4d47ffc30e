"""Kernels of elastic lines: the energy of the extensible elastica, in space or in the plane.

With ' = d/ds along the reference length, g = r', h = r'' and a = g . g:

    eps = |g| - 1,   k = g x h / a,   kappa = k . n,   n = k/|k| in space, e_z in the plane
    U = int 1/2 EA eps^2 + 1/2 EI (kappa - kappa_0)^2 ds
    N = EA (eps + tau eps'),   M = EI (kappa - kappa_0 + tau kappa') n = EI (k - kappa_0 n + tau n n.k')
    f_g = N g/|g| + (h x M - 2 (M . k) g)/a,   f_h = M x g/a

k is the angle through which the tangent turns per reference length. In space only |k| is a strain: a line has no roll, so its
section turns to where the bending costs least, and loses least. A straight line has no n: there n n^T is 1, the damping of
both planes.

Contract: vectors have d = 3 or 2 components; element e has e_i = q[first[e, i // 2] + d (i % 2) : + d], i = 0 ... 3, and the
tables of a LineTable. Vectors of the plane are padded with a zero inside.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.element_batch import add_block
from fmbs.core.protocols import BlockTarget
from fmbs.jit.compiled import kernel
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@table
class LineTable:
    """Elements of many lines as contiguous arrays; element e uses entry kind[e] of the others."""

    first: Integers  # (elements, 2): first coordinate of each node
    dimension: int
    kind: Integers  # (elements,)
    shape: Array  # (tables, points, 2, 4): a'/j and a''/j^2 of the Hermite polynomials
    axial: Array  # (tables, points): ds of the axial term, 0 where a point serves the other one only
    bending: Array  # (tables, points): ds of the bending term
    start: Array  # (tables, points): kappa_0
    stiffness: Array  # (tables, 2): EA, EI
    damping: Array  # (tables,): tau


STRAIGHT = 1e-8  # rad that a point's share of the line turns; below, the plane of bending is round-off


@kernel
def _fields(q: Array, first: Integers, e: int, d: int, shape: Array, x: Array) -> None:
    """g and h at a point  # (2, 3)."""
    x[:, :] = 0.0
    for i in range(4):
        p = first[e, i // 2] + d * (i % 2)
        for c in range(d):
            x[0, c] += shape[0, i] * q[p + c]
            x[1, c] += shape[1, i] * q[p + c]


@kernel(part=True)
def _cross(a: Array, b: Array, out: Array) -> None:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@kernel(part=True)
def _dot(a: Array, b: Array) -> float:
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


@kernel(part=True)
def _bend(x: Array, k: Array) -> float:
    """k = g x h / a; returns a."""
    a = _dot(x[0], x[0])
    _cross(x[0], x[1], k)
    for c in range(3):
        k[c] /= a
    return a


@kernel(part=True)
def _bend_rate(x: Array, rate: Array, k: Array, a: float, out: Array) -> None:
    """k' = (g' x h + g x h' - 2 k (g . g'))/a."""
    one, two = np.empty(3), np.empty(3)
    _cross(rate[0], x[1], one)
    _cross(x[0], rate[1], two)
    stretch = 2.0 * _dot(x[0], rate[0])
    for c in range(3):
        out[c] = (one[c] + two[c] - stretch * k[c]) / a


@kernel(part=True)
def _normal(k: Array, d: int, ds: float, n: Array) -> float:
    """n, and the 1/|k| with which it turns: 0 in the plane, where it does not, and -1 on a straight line, which has none."""
    n[:] = 0.0
    if d == 2:
        n[2] = 1.0
        return 0.0
    size = np.sqrt(_dot(k, k))
    if size * ds < STRAIGHT:
        return -1.0
    for c in range(3):
        n[c] = k[c] / size
    return float(1.0 / size)


@kernel
def _moment(k: Array, dk: Array, n: Array, turning: float, start: float, ei: float, tau: float, m: Array) -> None:
    """M."""
    rate = _dot(n, dk)
    for c in range(3):
        m[c] = ei * (k[c] - start * n[c] + tau * (dk[c] if turning < 0.0 else rate * n[c]))


@kernel
def line_force(lines: LineTable, q: Array, v: Array, out: Array) -> None:
    """out += f."""
    first, d = lines.first, lines.dimension
    x, rate, f = np.empty((2, 3)), np.zeros((2, 3)), np.empty((2, 3))
    k, dk, n, m = np.empty(3), np.zeros(3), np.empty(3), np.empty(3)
    one, two = np.empty(3), np.empty(3)
    for e in range(first.shape[0]):
        z = lines.kind[e]
        tau = lines.damping[z]
        for p in range(lines.axial.shape[1]):
            _fields(q, first, e, d, lines.shape[z, p], x)
            if tau != 0.0:
                _fields(v, first, e, d, lines.shape[z, p], rate)
            f[:, :] = 0.0
            if lines.axial[z, p] != 0.0:
                size = np.sqrt(_dot(x[0], x[0]))
                w = lines.axial[z, p] * lines.stiffness[z, 0] * (size - 1.0 + tau * _dot(x[0], rate[0]) / size) / size
                for c in range(3):
                    f[0, c] = w * x[0, c]
            if lines.bending[z, p] != 0.0:
                a = _bend(x, k)
                if tau != 0.0:
                    _bend_rate(x, rate, k, a, dk)
                turning = _normal(k, d, lines.bending[z, p], n)
                _moment(k, dk, n, turning, lines.start[z, p], lines.stiffness[z, 1], tau, m)
                _cross(x[1], m, one)
                _cross(m, x[0], two)
                s, w = 2.0 * _dot(m, k), lines.bending[z, p] / a
                for c in range(3):
                    f[0, c] += w * (one[c] - s * x[0, c])
                    f[1, c] += w * two[c]
            for i in range(4):
                j = first[e, i // 2] + d * (i % 2)
                for c in range(d):
                    out[j + c] += lines.shape[z, p, 0, i] * f[0, c] + lines.shape[z, p, 1, i] * f[1, c]


@kernel(part=True)
def _add_skew(v: Array, w: float, out: Array) -> None:
    """out += w [v]x."""
    out[0, 1] -= w * v[2]
    out[0, 2] += w * v[1]
    out[1, 0] += w * v[2]
    out[1, 2] -= w * v[0]
    out[2, 0] -= w * v[1]
    out[2, 1] += w * v[0]


@kernel
def _gradient(x: Array, k: Array, a: float, out: Array) -> None:
    """dk/d(g, h) = [-[h]x - 2 k g^T, [g]x]/a  # (3, 6)."""
    out[:, :] = 0.0
    _add_skew(x[1], -1.0 / a, out[:, :3])
    _add_skew(x[0], 1.0 / a, out[:, 3:])
    for c in range(3):
        for b in range(3):
            out[c, b] -= 2.0 / a * k[c] * x[0, b]


@kernel(part=True)
def _rate_gradient(x: Array, rate: Array, k: Array, dk: Array, by: Array, a: float, out: Array) -> None:
    """dk'/d(g, h) at constant g', h': from a k' = g' x h + g x h' - 2 (g . g') k  # (3, 6)."""
    out[:, :] = 0.0
    _add_skew(rate[1], -1.0 / a, out[:, :3])
    _add_skew(rate[0], 1.0 / a, out[:, 3:])
    s = 2.0 * _dot(x[0], rate[0]) / a
    for c in range(3):
        for b in range(3):
            out[c, b] -= 2.0 / a * (dk[c] * x[0, b] + k[c] * rate[0, b]) + s * by[c, b]
            out[c, 3 + b] -= s * by[c, 3 + b]


@kernel(part=True)
def _add_curvature(x: Array, k: Array, a: float, m: Array, w: float, h: Array) -> None:
    """h += w sum_c M_c d^2 k_c/d(g, h)^2  # (6, 6); with s = M . k it is zero in (h, h)."""
    one, two, s = np.empty(3), np.empty(3), _dot(m, k)
    _cross(x[1], m, one)
    _cross(m, x[0], two)
    _add_skew(m, -w / a, h[:3, 3:])
    _add_skew(m, w / a, h[3:, :3])
    for c in range(3):
        for b in range(3):
            h[c, b] += w * (8.0 * s * x[0, c] * x[0, b] - 2.0 * (one[c] * x[0, b] + x[0, c] * one[b])) / (a * a)
            mixed = -2.0 * w * x[0, c] * two[b] / (a * a)
            h[c, 3 + b] += mixed
            h[3 + b, c] += mixed
        h[c, c] -= 2.0 * w * s / a


@kernel(part=True)
def _axial_tangent(x: Array, rate: Array, w: float, tau: float, ck: float, cd: float, h: Array) -> None:
    """h += w [t (ck deps + cd tau t)^T + ck N (1 - t t^T)/|g|], t = g/|g|, deps = t + tau (1 - t t^T) g'/|g|; w = EA ds."""
    size = np.sqrt(_dot(x[0], x[0]))
    stretching = _dot(x[0], rate[0]) / size
    spherical = ck * (size - 1.0 + tau * stretching) / size
    for c in range(3):
        t = x[0, c] / size
        for b in range(3):
            u = x[0, b] / size
            right = (ck + cd * tau) * u + ck * tau * (rate[0, b] - stretching * u) / size
            h[c, b] += w * (t * right - spherical * t * u)
        h[c, c] += w * spherical


@kernel(part=True)
def _moment_tangent(
    dk: Array, n: Array, turning: float, start: float, tau: float, ck: float, cd: float, over_k: Array, over_rate: Array
) -> None:
    """ck dM/dk + cd dM/dk' and ck dM/dk', both over EI  # (3, 3)."""
    rate = _dot(n, dk)
    bend = max(turning, 0.0) * (tau * rate - start)  # what turns with n
    for c in range(3):
        for b in range(3):
            one = 1.0 if c == b else 0.0
            p = one if turning < 0.0 else n[c] * n[b]
            over_k[c, b] = ck * (one + bend * (one - n[c] * n[b])) + cd * tau * p
            if turning > 0.0:
                over_k[c, b] += ck * tau * turning * n[c] * (dk[b] - rate * n[b])
            over_rate[c, b] = ck * tau * p


@kernel
def line_tangent(lines: LineTable, q: Array, v: Array, ck: float, cd: float, target: BlockTarget) -> None:
    """target += ck df/dq + cd df/dv: k_x^T (dM/dk k_x + dM/dk' k'_x) + M . k_xx and the axial part, x = (g, h)."""
    first, d = lines.first, lines.dimension
    x, rate, h, block = np.empty((2, 3)), np.zeros((2, 3)), np.empty((6, 6)), np.empty((4 * d, 4 * d))
    k, dk, n, m = np.empty(3), np.zeros(3), np.empty(3), np.empty(3)
    by, rate_by, half = np.empty((3, 6)), np.empty((3, 6)), np.empty((3, 6))
    over_k, over_rate = np.empty((3, 3)), np.empty((3, 3))
    for e in range(first.shape[0]):
        z = lines.kind[e]
        tau = lines.damping[z]
        block[:, :] = 0.0
        for p in range(lines.axial.shape[1]):
            _fields(q, first, e, d, lines.shape[z, p], x)
            if tau != 0.0:
                _fields(v, first, e, d, lines.shape[z, p], rate)
            h[:, :] = 0.0
            if lines.axial[z, p] != 0.0:
                _axial_tangent(x, rate, lines.axial[z, p] * lines.stiffness[z, 0], tau, ck, cd, h)
            if lines.bending[z, p] != 0.0:
                a = _bend(x, k)
                _gradient(x, k, a, by)
                if tau != 0.0:
                    _bend_rate(x, rate, k, a, dk)
                    _rate_gradient(x, rate, k, dk, by, a, rate_by)
                turning = _normal(k, d, lines.bending[z, p], n)
                _moment(k, dk, n, turning, lines.start[z, p], lines.stiffness[z, 1], tau, m)
                _moment_tangent(dk, n, turning, lines.start[z, p], tau, ck, cd, over_k, over_rate)
                w = lines.bending[z, p] * lines.stiffness[z, 1]
                for c in range(3):
                    for j in range(6):
                        s = over_k[c, 0] * by[0, j] + over_k[c, 1] * by[1, j] + over_k[c, 2] * by[2, j]
                        if tau != 0.0:
                            for b in range(3):
                                s += over_rate[c, b] * rate_by[b, j]
                        half[c, j] = w * s
                for i in range(6):
                    for j in range(6):
                        h[i, j] += by[0, i] * half[0, j] + by[1, i] * half[1, j] + by[2, i] * half[2, j]
                _add_curvature(x, k, a, m, ck * lines.bending[z, p], h)
            _add_point(lines.shape[z, p], d, h, block)
        add_block(block, e, target)


@kernel(part=True)
def _add_point(shape: Array, d: int, h: Array, block: Array) -> None:
    """block_ij += sum_uv shape_ui H_uv shape_vj."""
    for i in range(4):
        for j in range(4):
            gg, gh = shape[0, i] * shape[0, j], shape[0, i] * shape[1, j]
            hg, hh = shape[1, i] * shape[0, j], shape[1, i] * shape[1, j]
            for a in range(d):
                for c in range(d):
                    block[d * i + a, d * j + c] += gg * h[a, c] + gh * h[a, 3 + c] + hg * h[3 + a, c] + hh * h[3 + a, 3 + c]


@kernel
def line_energy(lines: LineTable, q: Array, v: Array) -> tuple[float, float]:
    """Stored energy, J, and dissipated power, W."""
    first, d = lines.first, lines.dimension
    x, rate, k, dk, n = np.empty((2, 3)), np.empty((2, 3)), np.empty(3), np.empty(3), np.empty(3)
    stored = power = 0.0
    for e in range(first.shape[0]):
        z = lines.kind[e]
        for p in range(lines.axial.shape[1]):
            _fields(q, first, e, d, lines.shape[z, p], x)
            _fields(v, first, e, d, lines.shape[z, p], rate)
            size = np.sqrt(_dot(x[0], x[0]))
            stretching = _dot(x[0], rate[0]) / size
            a = _bend(x, k)
            _bend_rate(x, rate, k, a, dk)
            turning = _normal(k, d, lines.bending[z, p], n)
            kappa = np.sqrt(_dot(k, k)) if turning < 0.0 else _dot(k, n)
            turn = _dot(dk, dk) if turning < 0.0 else _dot(n, dk) ** 2
            ea, ei = lines.axial[z, p] * lines.stiffness[z, 0], lines.bending[z, p] * lines.stiffness[z, 1]
            stored += 0.5 * ea * (size - 1.0) ** 2 + 0.5 * ei * (kappa - lines.start[z, p]) ** 2
            power += lines.damping[z] * (ea * stretching**2 + ei * turn)
    return stored, power


@kernel
def line_strains(q: Array, first: Integers, d: int, element: Integers, shape: Array, out: Array) -> None:
    """eps and kappa (not less kappa_0) at one point of each listed element; shape (n, 2, 4), out (n, 2)."""
    x, k = np.empty((2, 3)), np.empty(3)
    for i in range(element.size):
        _fields(q, first, element[i], d, shape[i], x)
        _bend(x, k)
        out[i, 0] = np.sqrt(_dot(x[0], x[0])) - 1.0
        out[i, 1] = k[2] if d == 2 else np.sqrt(_dot(k, k))
