"""Tangents of reduced bodies, in the axes of R; see `_reduced_kernels` for the force.

A change zeta_a = R^T dq_a turns R by W zeta, W_k = H^-1 [g_k]x at the directions that R follows, and

    dz = zeta + [z]x W zeta
    dy' = [R^T v]x W zeta - [w]x dz + [z]x V zeta,   V = H^-1 (sum_k [g_k]x [R^T v_k]x W - E(w) + [S w]x W)
    dp = K dz + (tau K + D) dy'
    dc = H^-1 (sum_a [z_a]x dp_a - [p_a]x dz_a - E(c) zeta + [S c]x W zeta)
    E_k(x) = x g_k^T - (g_k.x) 1

with df_a = dp_a + [g_a]x dc - [p_a - c x g_a]x W zeta. Only the columns of directions have more than K and D in them, and only
their rows have dc: the rest of the matrix is that of a structure at rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import BlockTarget
from fmbs.elements.reduced._reduced_kernels import (
    ReducedTable,
    _couple,
    _cross_add,
    _damp,
    _frame,
    _is_damped,
    _product,
    _relative,
    _spin,
    _stress,
)
from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]


@kernel(plain=True, part=True)
def _skew(a: Array, out: Array) -> None:
    """[a]x."""
    out[0, 0] = out[1, 1] = out[2, 2] = 0.0
    out[0, 1], out[0, 2], out[1, 2] = -a[2], a[1], -a[0]
    out[1, 0], out[2, 0], out[2, 1] = a[2], -a[1], a[0]


@kernel(plain=True, part=True)
def _add_matrices(a: Array, b: Array, factor: float, out: Array) -> None:
    """out += factor a b, of 3 x 3 matrices."""
    for i in range(3):
        for j in range(3):
            out[i, j] += factor * (a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j])


@kernel(plain=True, part=True)
def _across(x: Array, g: Array, factor: float, out: Array) -> None:
    """out += factor E(x) = factor (x g^T - (g.x) 1)."""
    d = g[0] * x[0] + g[1] * x[1] + g[2] * x[2]
    for i in range(3):
        for j in range(3):
            out[i, j] += factor * x[i] * g[j]
        out[i, i] -= factor * d


@kernel(part=True)
def _spread(z: Array, out: Array) -> None:
    """Columns of [z_a]x over each other, transposed  # (3, 3 s)."""
    x = np.empty((3, 3))
    for a in range(z.shape[0]):
        _skew(z[a], x)
        for i in range(3):
            for j in range(3):
                out[j, 3 * a + i] = x[i, j]


@kernel(part=True)
def _sum_of(z: Array, by: Array, out: Array) -> None:
    """out += sum_a [z_a]x by_a of a transposed by  # (3, 3 s) -> (3, 3)."""
    for a in range(z.shape[0]):
        for j in range(3):
            x, y, w = by[j, 3 * a], by[j, 3 * a + 1], by[j, 3 * a + 2]
            out[0, j] += z[a, 1] * w - z[a, 2] * y
            out[1, j] += z[a, 2] * x - z[a, 0] * w
            out[2, j] += z[a, 0] * y - z[a, 1] * x


@kernel
def reduced_tangent(bodies: ReducedTable, q: Array, v: Array, ck: float, cd: float, target: BlockTarget) -> None:
    """target += ck df/dq + cd df/dv."""
    s, directions = bodies.first.shape[1], bodies.guides.shape[1]
    n = 3 * s
    r, square, h, w, c = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.zeros(3), np.empty(3)
    z, u, y, p = np.empty((s, 3)), np.zeros((s, 3)), np.empty(n), np.empty(n)
    turn, spun, local, half = np.zeros((directions, 3, 3)), np.zeros((directions, 3, 3)), np.empty((3, 3)), np.empty((3, 3))
    kz, dz, dw, by, moved = np.empty((3, n)), np.zeros((3, n)), np.zeros((3, n)), np.empty((3, n)), np.empty((3, n))
    own, rate, pz, gg, sw, sc = (
        np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)),
    )  # fmt: skip
    wx, x, t, m = np.empty((3, 3)), np.empty(3), np.empty((n, n)), np.empty((3, n))
    for e in range(bodies.first.shape[0]):
        damped, tau = _is_damped(bodies, e), bodies.retardation[e]
        _frame(bodies, e, q, r, square, h)
        _relative(bodies, e, q, r, z)
        if damped:
            _relative(bodies, e, v, r, u)
            _spin(bodies, e, v, r, h, w)
        _stress(bodies, e, z, u, w, y, p)
        _couple(z, p, h, c)
        _skew(w, wx)
        for i in range(3):
            x[i] = square[i, 0] * c[0] + square[i, 1] * c[1] + square[i, 2] * c[2]
        _skew(x, sc)
        for i in range(3):
            x[i] = square[i, 0] * w[0] + square[i, 1] * w[1] + square[i, 2] * w[2]
        _skew(x, sw)
        gg[:, :] = sw
        for k in range(directions):  # W, and what V has of W
            _skew(bodies.axes[e, k], half)
            turn[k] = 0.0
            _add_matrices(h, half, 1.0, turn[k])
            if damped:
                a = bodies.guides[e, k]
                place = bodies.first[e, a]
                for i in range(3):
                    x[i] = r[0, i] * v[place] + r[1, i] * v[place + 1] + r[2, i] * v[place + 2]
                _skew(x, local)
                _add_matrices(half, local, 1.0, gg)
        if damped:
            for k in range(directions):
                local[:, :] = 0.0
                _add_matrices(gg, turn[k], 1.0, local)
                _across(w, bodies.axes[e, k], -1.0, local)
                spun[k] = 0.0
                _add_matrices(h, local, 1.0, spun[k])
        _spread(z, by)
        kz[:, :] = 0.0
        for i in range(3):
            _product(bodies.stiffness[e], by[i], 1.0, kz[i])
        if damped:  # D [z]x and D ([u]x - [w]x [z]x)
            dz[:, :], dw[:, :] = 0.0, 0.0
            for i in range(3):
                _damp(bodies, e, by[i], dz[i])
            _spread(u, moved)
            for a in range(s):
                for i in range(3):
                    for j in range(3):
                        for b in range(3):
                            moved[j, 3 * a + i] -= wx[i, b] * by[j, 3 * a + b]
            for i in range(3):
                _damp(bodies, e, moved[i], dw[i])
        # by: what multiplies W in the columns of directions, transposed
        for i in range(3):
            for j in range(n):
                by[i, j] = ck * (kz[i, j] + dw[i, j]) + cd * dz[i, j]
        own[:, :], rate[:, :], pz[:, :] = 0.0, 0.0, 0.0
        _sum_of(z, by, own)
        _sum_of(z, dz, rate)
        for a in range(s):  # sum_a [p_a]x [z_a]x = z_a p_a^T - (p_a.z_a) 1
            d = p[3 * a] * z[a, 0] + p[3 * a + 1] * z[a, 1] + p[3 * a + 2] * z[a, 2]
            for i in range(3):
                for j in range(3):
                    pz[i, j] += z[a, i] * p[3 * a + j]
                pz[i, i] -= d
        # dp: of a structure at rest, then the columns of directions
        for j in range(n):
            for i in range(n):
                t[j, i] = (ck + cd * tau) * bodies.stiffness[e, j, i]
        if damped and (w[0] != 0.0 or w[1] != 0.0 or w[2] != 0.0) and ck != 0.0:  # - (tau K + D) [w]x
            for a in range(s):
                for j in range(3):
                    for b in range(3):
                        share = -ck * tau * wx[b, j]
                        for i in range(n):
                            t[3 * a + j, i] += share * bodies.stiffness[e, 3 * a + b, i]
        if bodies.damping.shape[1]:
            for j in range(n):
                for i in range(n):
                    t[j, i] += cd * bodies.damping[e, j, i]
            for a in range(s):
                for j in range(3):
                    for b in range(3):
                        share = -ck * wx[b, j]
                        for i in range(n):
                            t[3 * a + j, i] += share * bodies.damping[e, 3 * a + b, i]
        # m = sum_a [z_a]x dp_a - ck [p_a]x dz_a: by the symmetry of K and D
        for b in range(s):
            for i in range(3):
                for j in range(3):
                    m[i, 3 * b + j] = -(ck * kz[i, 3 * b + j] + cd * dz[i, 3 * b + j])
                    for d in range(3):
                        m[i, 3 * b + j] += ck * dz[i, 3 * b + d] * wx[d, j]
            _skew(p[3 * b : 3 * b + 3], half)
            for i in range(3):
                for j in range(3):
                    m[i, 3 * b + j] -= ck * half[i, j]
        for k in range(directions):
            first = 3 * bodies.guides[e, k]
            for j in range(3):
                for d in range(3):
                    one, two = turn[k, d, j], ck * spun[k, d, j]
                    for i in range(n):
                        t[first + j, i] += one * by[d, i] + two * dz[d, i]
            local[:, :] = 0.0
            _add_matrices(own, turn[k], 1.0, local)
            _add_matrices(rate, spun[k], ck, local)
            _add_matrices(pz, turn[k], -ck, local)
            _across(c, bodies.axes[e, k], -ck, local)
            _add_matrices(sc, turn[k], ck, local)
            for i in range(3):
                for j in range(3):
                    m[i, first + j] += local[i, j]
        for j in range(n):  # dc
            for i in range(3):
                x[i] = h[i, 0] * m[0, j] + h[i, 1] * m[1, j] + h[i, 2] * m[2, j]
            for k in range(directions):
                first = 3 * bodies.guides[e, k]
                _cross_add(bodies.axes[e, k], x, 1.0, t[j, first : first + 3])
        for k in range(directions):
            first = 3 * bodies.guides[e, k]
            _cross_add(c, bodies.axes[e, k], -1.0, p[first : first + 3])
        for k in range(directions):
            first = 3 * bodies.guides[e, k]
            for j in range(3):
                for i in range(3):
                    x[i] = turn[k, i, j]
                for a in range(s):
                    _cross_add(p[3 * a : 3 * a + 3], x, -ck, t[first + j, 3 * a : 3 * a + 3])
        _turn(t, r, half)
        add_columns(t, e, target)


@kernel(plain=True, part=True)
def _turn(t: Array, r: Array, room: Array) -> None:
    """Every block of three rows and columns becomes R block R^T."""
    s = t.shape[0] // 3
    for b in range(s):
        for a in range(s):
            for j in range(3):
                x, y, z = t[3 * b + j, 3 * a], t[3 * b + j, 3 * a + 1], t[3 * b + j, 3 * a + 2]
                for i in range(3):
                    room[j, i] = r[i, 0] * x + r[i, 1] * y + r[i, 2] * z
            for j in range(3):
                for i in range(3):
                    t[3 * b + j, 3 * a + i] = r[j, 0] * room[0, i] + r[j, 1] * room[1, i] + r[j, 2] * room[2, i]


@kernel(plain=True, part=True)
def add_columns(t: Array, e: int, target: BlockTarget) -> None:
    """Add a matrix that is stored column by column."""
    slots, data = target.slots, target.data
    for j in range(t.shape[0]):
        for node in range(slots.shape[2]):
            place = slots[e, j, node]
            for i in range(3):
                data[place + i] += t[j, 3 * node + i]
