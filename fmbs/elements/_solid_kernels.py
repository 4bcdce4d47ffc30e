"""Kernels of beams as solids: strain energy 1/2 E : C : E integrated over points of the volume.

Contract: element e has vectors e_i = q[first[e, i // per] + 3 (i % per) : + 3]; its tables are those of kind[e]: gradient
(tables, points, vectors, 3) with g_i = grad S_i in the local axes of the point, weight (tables, points) with the volume,
modulus (tables, points, 9): C_11, C_22, C_33, C_12, C_13, C_23, C_44 (23), C_55 (13), C_66 (12), damping (tables,).

    F = sum e_i g_i^T,  E = (F^T F - 1)/2,  S = C (E + damping E'),  f_i = int F S g_i dV          (Tian2010 sect. 4)
    df_i/de_j = int (g_i . S g_j) 1 + sum_ab g_ia [F_.c C_cabd G_.d^T] g_jb dV,
    G = stiffness (F + damping F') + damping_coefficient damping F for the combination of stiffness and damping matrices.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.math.compiled import kernel

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel
def _gather(q: Array, first: Integers, e: int, per: int, out: Array) -> None:
    """Nodal vectors of element e  # (vectors, 3)."""
    for i in range(out.shape[0]):
        d = first[e, i // per] + 3 * (i % per)
        out[i, 0], out[i, 1], out[i, 2] = q[d], q[d + 1], q[d + 2]


@kernel
def _deformation(vectors: Array, g: Array, f: Array) -> None:
    """F = sum e_i g_i^T."""
    f[:, :] = 0.0
    for i in range(vectors.shape[0]):
        for b in range(3):
            w = g[i, b]
            if w != 0.0:
                f[0, b] += vectors[i, 0] * w
                f[1, b] += vectors[i, 1] * w
                f[2, b] += vectors[i, 2] * w


@kernel
def _stress(f: Array, rate: Array, c: Array, damping: float, s: Array) -> float:
    """S of C (E + damping E'); returns the elastic energy density."""
    e00 = 0.5 * (f[0, 0] * f[0, 0] + f[1, 0] * f[1, 0] + f[2, 0] * f[2, 0] - 1.0)
    e11 = 0.5 * (f[0, 1] * f[0, 1] + f[1, 1] * f[1, 1] + f[2, 1] * f[2, 1] - 1.0)
    e22 = 0.5 * (f[0, 2] * f[0, 2] + f[1, 2] * f[1, 2] + f[2, 2] * f[2, 2] - 1.0)
    e12 = f[0, 1] * f[0, 2] + f[1, 1] * f[1, 2] + f[2, 1] * f[2, 2]
    e02 = f[0, 0] * f[0, 2] + f[1, 0] * f[1, 2] + f[2, 0] * f[2, 2]
    e01 = f[0, 0] * f[0, 1] + f[1, 0] * f[1, 1] + f[2, 0] * f[2, 1]
    energy = 0.5 * (
        c[0] * e00 * e00 + c[1] * e11 * e11 + c[2] * e22 * e22 + c[6] * e12 * e12 + c[7] * e02 * e02 + c[8] * e01 * e01
    ) + (c[3] * e00 * e11 + c[4] * e00 * e22 + c[5] * e11 * e22)
    if damping != 0.0:
        for k in range(3):
            e00 += damping * f[k, 0] * rate[k, 0]
            e11 += damping * f[k, 1] * rate[k, 1]
            e22 += damping * f[k, 2] * rate[k, 2]
            e12 += damping * (f[k, 1] * rate[k, 2] + rate[k, 1] * f[k, 2])
            e02 += damping * (f[k, 0] * rate[k, 2] + rate[k, 0] * f[k, 2])
            e01 += damping * (f[k, 0] * rate[k, 1] + rate[k, 0] * f[k, 1])
    s[0, 0] = c[0] * e00 + c[3] * e11 + c[4] * e22
    s[1, 1] = c[3] * e00 + c[1] * e11 + c[5] * e22
    s[2, 2] = c[4] * e00 + c[5] * e11 + c[2] * e22
    s[1, 2] = s[2, 1] = c[6] * e12
    s[0, 2] = s[2, 0] = c[7] * e02
    s[0, 1] = s[1, 0] = c[8] * e01
    return float(energy)


@kernel
def solid_force(
    q: Array, v: Array, first: Integers, per: int, kind: Integers, gradient: Array, weight: Array, modulus: Array,
    damping: Array, out: Array,
) -> None:  # fmt: skip
    """out += f."""
    n = gradient.shape[2]
    vectors, rates, force = np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    f, rate, s, p = np.empty((3, 3)), np.zeros((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    for e in range(first.shape[0]):
        k = kind[e]
        tau = damping[k]
        _gather(q, first, e, per, vectors)
        if tau != 0.0:
            _gather(v, first, e, per, rates)
        force[:, :] = 0.0
        for x in range(weight.shape[1]):
            g = gradient[k, x]
            _deformation(vectors, g, f)
            if tau != 0.0:
                _deformation(rates, g, rate)
            _stress(f, rate, modulus[k, x], tau, s)
            w = weight[k, x]
            for a in range(3):
                for b in range(3):
                    p[a, b] = w * (f[a, 0] * s[0, b] + f[a, 1] * s[1, b] + f[a, 2] * s[2, b])
            for i in range(n):
                for a in range(3):
                    force[i, a] += p[a, 0] * g[i, 0] + p[a, 1] * g[i, 1] + p[a, 2] * g[i, 2]
        for i in range(n):
            d = first[e, i // per] + 3 * (i % per)
            for a in range(3):
                out[d + a] += force[i, a]


@kernel
def _tensor(f: Array, g: Array, s: Array, c: Array, stiffness: float, w: float, t: Array) -> None:
    """t[3 a + p, 3 b + r] = w (stiffness S_ab delta_pr + F_pc C_cabd G_rd): how P_pa changes with F_rb."""
    for a in range(3):
        for b in range(3):
            for p in range(3):
                for r in range(3):
                    t[3 * a + p, 3 * b + r] = 0.0
                t[3 * a + p, 3 * b + p] = w * stiffness * s[a, b]
    for p in range(3):
        for r in range(3):
            f0, f1, f2, g0, g1, g2 = w * f[p, 0], w * f[p, 1], w * f[p, 2], g[r, 0], g[r, 1], g[r, 2]
            t[p, r] += c[0] * f0 * g0 + c[8] * f1 * g1 + c[7] * f2 * g2
            t[3 + p, 3 + r] += c[8] * f0 * g0 + c[1] * f1 * g1 + c[6] * f2 * g2
            t[6 + p, 6 + r] += c[7] * f0 * g0 + c[6] * f1 * g1 + c[2] * f2 * g2
            t[p, 3 + r] += c[3] * f0 * g1 + c[8] * f1 * g0
            t[3 + p, r] += c[3] * f1 * g0 + c[8] * f0 * g1
            t[p, 6 + r] += c[4] * f0 * g2 + c[7] * f2 * g0
            t[6 + p, r] += c[4] * f2 * g0 + c[7] * f0 * g2
            t[3 + p, 6 + r] += c[5] * f1 * g2 + c[6] * f2 * g1
            t[6 + p, 3 + r] += c[5] * f2 * g1 + c[6] * f1 * g2


@kernel
def solid_tangent(
    q: Array, v: Array, first: Integers, per: int, kind: Integers, gradient: Array, weight: Array, modulus: Array,
    damping: Array, stiffness: float, damping_coefficient: float, slots: NDArray[np.int32], data: Array,
) -> None:  # fmt: skip
    """data += stiffness df/dq + damping_coefficient df/dv, straight into the sparse matrix."""
    n = gradient.shape[2]
    vectors, rates, block = np.empty((n, 3)), np.empty((n, 3)), np.empty((3 * n, 3 * n))
    f, rate, right, s = np.empty((3, 3)), np.zeros((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    t, h = np.empty((9, 9)), np.empty((9, 3))
    for e in range(first.shape[0]):
        k = kind[e]
        tau = damping[k]
        _gather(q, first, e, per, vectors)
        if tau != 0.0:
            _gather(v, first, e, per, rates)
        block[:, :] = 0.0
        for x in range(weight.shape[1]):
            g = gradient[k, x]
            _deformation(vectors, g, f)
            if tau != 0.0:
                _deformation(rates, g, rate)
            _stress(f, rate, modulus[k, x], tau, s)
            for a in range(3):
                for b in range(3):
                    right[a, b] = (stiffness + damping_coefficient * tau) * f[a, b] + stiffness * tau * rate[a, b]
            _tensor(f, right, s, modulus[k, x], stiffness, weight[k, x], t)
            for j in range(n):
                g0, g1, g2 = g[j, 0], g[j, 1], g[j, 2]
                for m in range(9):
                    for r in range(3):
                        h[m, r] = t[m, r] * g0 + t[m, 3 + r] * g1 + t[m, 6 + r] * g2
                for i in range(j + 1 if tau == 0.0 else n):
                    for a in range(3):
                        w = g[i, a]
                        if w != 0.0:
                            for p in range(3):
                                for r in range(3):
                                    block[3 * i + p, 3 * j + r] += w * h[3 * a + p, r]
        if tau == 0.0:
            for i in range(3 * n):
                for j in range(i):
                    block[i, j] = block[j, i]
        scatter_block(block, slots, e, 3 * per, data)


@kernel
def scatter_block(block: Array, slots: NDArray[np.int32], e: int, width: int, data: Array) -> None:
    """Add an element matrix to the compressed columns; slots (elements, columns, nodes) of the nodes' first rows."""
    for j in range(block.shape[1]):
        for node in range(slots.shape[2]):
            s = slots[e, j, node]
            for k in range(width):
                data[s + k] += block[node * width + k, j]


@kernel
def solid_energy(
    q: Array, v: Array, first: Integers, per: int, kind: Integers, gradient: Array, weight: Array, modulus: Array,
    damping: Array,
) -> tuple[float, float]:  # fmt: skip
    """Stored energy, J, and dissipated power, W."""
    n = gradient.shape[2]
    vectors, rates = np.empty((n, 3)), np.empty((n, 3))
    f, rate, s, elastic = np.empty((3, 3)), np.zeros((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    stored = power = 0.0
    for e in range(first.shape[0]):
        k = kind[e]
        _gather(q, first, e, per, vectors)
        _gather(v, first, e, per, rates)
        for x in range(weight.shape[1]):
            _deformation(vectors, gradient[k, x], f)
            stored += weight[k, x] * _stress(f, rate, modulus[k, x], 0.0, elastic)
            if damping[k] != 0.0:
                _deformation(rates, gradient[k, x], rate)
                _stress(f, rate, modulus[k, x], damping[k], s)
                for a in range(3):
                    for b in range(3):
                        half = rate[0, a] * f[0, b] + rate[1, a] * f[1, b] + rate[2, a] * f[2, b]
                        power += weight[k, x] * (s[a, b] - elastic[a, b]) * half
    return stored, power
