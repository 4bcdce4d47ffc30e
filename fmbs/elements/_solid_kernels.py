"""Kernels of beams as solids: strain energy 1/2 E : C : E integrated over points of the volume.

At a station with the fields x = (r', y, z, y', z') of _station_kernels the gradient of the position at the point (eta, zeta) of
the section is F = (r' + eta y' + zeta z', y, z), so Green's strains E = (F^T F - F_0^T F_0)/2 are linear in the 15 products

    d_uu = x_u . x_u / 2,   d_uv = x_u . x_v,   E(eta, zeta) = A(eta, zeta) (d - d_0),

and all points of a section sum to one constant matrix D = sum w A^T C A (solid_tables.py), whatever their number:

    U = 1/2 (d - d_0)^T D (d - d_0),   s = D (d - d_0 + damping d'),   p_u = sum_v s_uv x_v          (Tian2010 sect. 4)
    h_uv = stiffness s_uv 1 + sum_ab D_(ua)(vb) x_a g_b^T,   g = stiffness (x + damping x') + damping_coefficient damping x

for the combination of stiffness and damping matrices. Entries of D that are zero are left out: 35 of 225 stay for straight
beams, 21 if nu = 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import BlockTarget
from fmbs.elements._station_kernels import add_force, add_tangent, fields, gather, spread, vector_fields
from fmbs.math.compiled import inlined, kernel, kernel_part, plain_kernel
from fmbs.math.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@table
class Solids:
    """Elements and the tables of their stations; element e uses table kind[e]."""

    first: Integers  # (elements, nodes)
    per: int
    kind: Integers  # (elements,)
    shape: Array  # (tables, stations, 5, vectors)
    start: Array  # (tables, stations, 15): d_0
    damping: Array  # (tables,)
    modulus: Array  # (tables, stations, entries): D, row by row
    row_length: Integers  # (15,) entries in each row of D
    column: Integers  # (entries,)


PAIR = np.column_stack(np.triu_indices(5))  # (15, 2): u, v of the product d_uv
NUMBER = np.zeros((5, 5), np.int64)  # the product of u and v
NUMBER[PAIR[:, 0], PAIR[:, 1]] = NUMBER[PAIR[:, 1], PAIR[:, 0]] = np.arange(15)


@inlined
def _products(x: Array, start: Array, d: Array) -> None:
    """d - d_0."""
    a0, a1, a2 = x[0, 0], x[0, 1], x[0, 2]
    y0, y1, y2 = x[1, 0], x[1, 1], x[1, 2]
    z0, z1, z2 = x[2, 0], x[2, 1], x[2, 2]
    b0, b1, b2 = x[3, 0], x[3, 1], x[3, 2]
    c0, c1, c2 = x[4, 0], x[4, 1], x[4, 2]
    d[0] = 0.5 * (a0 * a0 + a1 * a1 + a2 * a2) - start[0]
    d[1] = a0 * y0 + a1 * y1 + a2 * y2 - start[1]
    d[2] = a0 * z0 + a1 * z1 + a2 * z2 - start[2]
    d[3] = a0 * b0 + a1 * b1 + a2 * b2 - start[3]
    d[4] = a0 * c0 + a1 * c1 + a2 * c2 - start[4]
    d[5] = 0.5 * (y0 * y0 + y1 * y1 + y2 * y2) - start[5]
    d[6] = y0 * z0 + y1 * z1 + y2 * z2 - start[6]
    d[7] = y0 * b0 + y1 * b1 + y2 * b2 - start[7]
    d[8] = y0 * c0 + y1 * c1 + y2 * c2 - start[8]
    d[9] = 0.5 * (z0 * z0 + z1 * z1 + z2 * z2) - start[9]
    d[10] = z0 * b0 + z1 * b1 + z2 * b2 - start[10]
    d[11] = z0 * c0 + z1 * c1 + z2 * c2 - start[11]
    d[12] = 0.5 * (b0 * b0 + b1 * b1 + b2 * b2) - start[12]
    d[13] = b0 * c0 + b1 * c1 + b2 * c2 - start[13]
    d[14] = 0.5 * (c0 * c0 + c1 * c1 + c2 * c2) - start[14]


@kernel_part
def _product_rates(x: Array, rate: Array, d: Array) -> None:
    """d'."""
    k = 0
    for u in range(5):
        d[k] = x[u, 0] * rate[u, 0] + x[u, 1] * rate[u, 1] + x[u, 2] * rate[u, 2]
        k += 1
        for v in range(u + 1, 5):
            d[k] = 0.0
            for c in range(3):
                d[k] += x[u, c] * rate[v, c] + rate[u, c] * x[v, c]
            k += 1


@inlined
def _times_modulus(solids: Solids, k: int, m: int, d: Array, s: Array) -> None:
    """s = D d."""
    if solids.column.size == 225:  # loops of constant length are several times faster
        for row in range(15):
            total = 0.0
            for column in range(15):
                total += solids.modulus[k, m, 15 * row + column] * d[column]
            s[row] = total
        return
    t = 0
    for row in range(15):
        total = 0.0
        for _ in range(solids.row_length[row]):
            total += solids.modulus[k, m, t] * d[solids.column[t]]
            t += 1
        s[row] = total


@inlined
def _stress(
    solids: Solids, k: int, m: int, vectors: Array, rates: Array, x: Array, rate: Array, d: Array, other: Array, s: Array
) -> None:
    """The fields x and, with damping, their rates at station m, and s = D (d - d_0 + damping d')."""
    fields(vectors, solids.shape[k, m], solids.per, x)
    _products(x, solids.start[k, m], d)
    tau = solids.damping[k]
    if tau != 0.0:
        fields(rates, solids.shape[k, m], solids.per, rate)
        _product_rates(x, rate, other)
        for i in range(15):
            d[i] += tau * other[i]
    _times_modulus(solids, k, m, d, s)


@kernel
def solid_force(solids: Solids, q: Array, v: Array, out: Array) -> None:
    """out += f."""
    n = solids.shape.shape[3]
    vectors, rates, force = np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    x, rate, p, d, other, s = np.empty((5, 3)), np.empty((5, 3)), np.empty((5, 3)), np.empty(15), np.empty(15), np.empty(15)
    for e in range(solids.first.shape[0]):
        k = solids.kind[e]
        gather(q, solids.first, e, solids.per, vectors)
        if solids.damping[k] != 0.0:
            gather(v, solids.first, e, solids.per, rates)
        force[:, :] = 0.0
        for m in range(solids.shape.shape[1]):
            _stress(solids, k, m, vectors, rates, x, rate, d, other, s)
            for c in range(3):
                x0, x1, x2, x3, x4 = x[0, c], x[1, c], x[2, c], x[3, c], x[4, c]
                p[0, c] = s[0] * x0 + s[1] * x1 + s[2] * x2 + s[3] * x3 + s[4] * x4
                p[1, c] = s[1] * x0 + s[5] * x1 + s[6] * x2 + s[7] * x3 + s[8] * x4
                p[2, c] = s[2] * x0 + s[6] * x1 + s[9] * x2 + s[10] * x3 + s[11] * x4
                p[3, c] = s[3] * x0 + s[7] * x1 + s[10] * x2 + s[12] * x3 + s[13] * x4
                p[4, c] = s[4] * x0 + s[8] * x1 + s[11] * x2 + s[13] * x3 + s[14] * x4
            spread(p, solids.shape[k, m], solids.per, force)
        add_force(force, solids.first, e, solids.per, out)


@inlined
def _modulus_gradients(solids: Solids, k: int, m: int, g: Array, y: Array) -> None:
    """y_(ua)v = sum_b D_(ua)(vb) g_b  # (15, 5, 3)."""
    if solids.column.size == 225:
        for row in range(15):
            for v in range(5):
                y0 = y1 = y2 = 0.0
                for b in range(5):
                    w = solids.modulus[k, m, 15 * row + NUMBER[v, b]]
                    y0, y1, y2 = y0 + w * g[b, 0], y1 + w * g[b, 1], y2 + w * g[b, 2]
                y[row, v, 0], y[row, v, 1], y[row, v, 2] = y0, y1, y2
    else:
        y[:, :, :] = 0.0
        t = 0
        for row in range(15):
            for _ in range(solids.row_length[row]):
                w, v, b = solids.modulus[k, m, t], PAIR[solids.column[t], 0], PAIR[solids.column[t], 1]
                t += 1
                for c in range(3):
                    y[row, v, c] += w * g[b, c]
                if v != b:
                    for c in range(3):
                        y[row, b, c] += w * g[v, c]


@inlined
def _station_tangent(s: Array, stiffness: float, x: Array, y: Array, symmetric: bool, h: Array) -> None:
    """h_uv = stiffness s_uv 1 + sum_a x_a y_(ua)v^T. A block stays in registers until it is complete."""
    for u in range(5):
        for v in range(u if symmetric else 0, 5):
            h1 = h2 = h3 = h5 = h6 = h7 = 0.0
            h0 = h4 = h8 = stiffness * s[NUMBER[u, v]]
            for a in range(5):
                row = NUMBER[u, a]
                y0, y1, y2 = y[row, v, 0], y[row, v, 1], y[row, v, 2]
                h0, h1, h2 = h0 + x[a, 0] * y0, h1 + x[a, 0] * y1, h2 + x[a, 0] * y2
                h3, h4, h5 = h3 + x[a, 1] * y0, h4 + x[a, 1] * y1, h5 + x[a, 1] * y2
                h6, h7, h8 = h6 + x[a, 2] * y0, h7 + x[a, 2] * y1, h8 + x[a, 2] * y2
            i, j = 5 * u + v, 5 * v + u
            if symmetric:
                h[j, 0], h[j, 1], h[j, 2], h[j, 3], h[j, 4], h[j, 5], h[j, 6], h[j, 7], h[j, 8] = (
                    h0,
                    h3,
                    h6,
                    h1,
                    h4,
                    h7,
                    h2,
                    h5,
                    h8,
                )
            h[i, 0], h[i, 1], h[i, 2], h[i, 3], h[i, 4], h[i, 5], h[i, 6], h[i, 7], h[i, 8] = h0, h1, h2, h3, h4, h5, h6, h7, h8


@kernel
def solid_tangent(
    solids: Solids, q: Array, v: Array, stiffness: float, damping_coefficient: float, slots: NDArray[np.int32], data: Array
) -> None:
    """data += stiffness df/dq + damping_coefficient df/dv, straight into the sparse matrix."""
    n, stations = solids.shape.shape[3], solids.shape.shape[1]
    vectors, rates, fields_of = np.empty((n, 3)), np.empty((n, 3)), vector_fields(solids.per, n)
    x, rate, g, d, other, s = np.empty((5, 3)), np.zeros((5, 3)), np.empty((5, 3)), np.empty(15), np.empty(15), np.empty(15)
    y, h = np.empty((15, 5, 3)), np.empty((stations, 25, 9))
    for e in range(solids.first.shape[0]):
        k = solids.kind[e]
        tau = solids.damping[k]
        gather(q, solids.first, e, solids.per, vectors)
        if tau != 0.0:
            gather(v, solids.first, e, solids.per, rates)
        for m in range(stations):
            _stress(solids, k, m, vectors, rates, x, rate, d, other, s)
            for u in range(5):
                for c in range(3):
                    g[u, c] = (stiffness + damping_coefficient * tau) * x[u, c]
                    if tau != 0.0:
                        g[u, c] += stiffness * tau * rate[u, c]
            _modulus_gradients(solids, k, m, g, y)
            _station_tangent(s, stiffness, x, y, tau == 0.0, h[m])
        add_tangent(h, stations, solids.shape, k, fields_of, tau == 0.0, slots, e, solids.per, data)


@plain_kernel
def add_solid_tangent(
    solids: Solids, q: Array, v: Array, stiffness: float, damping_coefficient: float, target: BlockTarget
) -> None:
    """The same for the compiled driver."""
    solid_tangent(solids, q, v, stiffness, damping_coefficient, target.slots, target.data)


@kernel
def solid_energy(solids: Solids, q: Array, v: Array) -> tuple[float, float]:
    """Stored energy, J, and dissipated power, W."""
    n = solids.shape.shape[3]
    vectors, rates = np.empty((n, 3)), np.empty((n, 3))
    x, rate, d, s = np.empty((5, 3)), np.empty((5, 3)), np.empty(15), np.empty(15)
    stored = power = 0.0
    for e in range(solids.first.shape[0]):
        k = solids.kind[e]
        gather(q, solids.first, e, solids.per, vectors)
        gather(v, solids.first, e, solids.per, rates)
        for m in range(solids.shape.shape[1]):
            fields(vectors, solids.shape[k, m], solids.per, x)
            _products(x, solids.start[k, m], d)
            _times_modulus(solids, k, m, d, s)
            for i in range(15):
                stored += 0.5 * s[i] * d[i]
            if solids.damping[k] != 0.0:
                fields(rates, solids.shape[k, m], solids.per, rate)
                _product_rates(x, rate, d)
                _times_modulus(solids, k, m, d, s)
                for i in range(15):
                    power += solids.damping[k] * s[i] * d[i]
    return stored, power
