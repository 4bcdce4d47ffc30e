"""Kernels of beams as solids: strain energy 1/2 E : C : E integrated over points of the volume.

At a station with the fields x = (r', y, z, y', z') of _lane_kernels the gradient of the position at the point (eta, zeta) of
the section is F = (r' + eta y' + zeta z', y, z), so Green's strains E = (F^T F - F_0^T F_0)/2 are linear in the 15 products

    d_uu = x_u . x_u / 2,   d_uv = x_u . x_v,   E(eta, zeta) = A(eta, zeta) (d - d_0),

and all points of a section sum to one constant matrix D = sum w A^T C A (solid_tables.py), whatever their number:

    U = 1/2 (d - d_0)^T D (d - d_0),   s = D (d - d_0 + damping d'),   p_u = sum_v s_uv x_v          (Tian2010 sect. 4)
    h_uv = stiffness s_uv 1 + sum_ab D_(ua)(vb) x_a g_b^T,   g = stiffness (x + damping x') + damping_coefficient damping x

for the combination of stiffness and damping matrices. Entries of D that are zero are left out: 35 of 225 stay for straight
beams, 21 if nu = 0. Eight elements are worked on together, see `_lane_kernels`; arrays end in a dimension of LANES.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import BlockTarget
from fmbs.elements._lane_kernels import add_force, fields, gather, spread, together
from fmbs.elements._lane_tangents import add_tangent, pair_terms, vector_fields
from fmbs.jit.compiled import kernel
from fmbs.jit.lanes import LANES, load, same, store
from fmbs.jit.tables import table

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


@kernel(plain=True, part=True)
def _products(x: Array, start: Array, d: Array) -> None:
    """d - d_0."""
    t = 0
    for u in range(5):
        x0, x1, x2 = load(x, u, 0), load(x, u, 1), load(x, u, 2)
        store(d, t, 0.5 * (x0 * x0 + x1 * x1 + x2 * x2) - start[t])
        t += 1
        for v in range(u + 1, 5):
            store(d, t, x0 * load(x, v, 0) + x1 * load(x, v, 1) + x2 * load(x, v, 2) - start[t])
            t += 1


@kernel(plain=True, part=True)
def _product_rates(x: Array, rate: Array, d: Array) -> None:
    """d'."""
    t = 0
    for u in range(5):
        for v in range(u, 5):
            both = 0.5 if u == v else 1.0
            total = same(0.0)
            for c in range(3):
                total = total + load(x, u, c) * load(rate, v, c) + load(rate, u, c) * load(x, v, c)
            store(d, t, both * total)
            t += 1


@kernel(plain=True, part=True)
def _times_modulus(solids: Solids, k: int, m: int, d: Array, s: Array) -> None:
    """s = D d."""
    t = 0
    for row in range(15):
        total = same(0.0)
        for _ in range(solids.row_length[row]):
            total = total + solids.modulus[k, m, t] * load(d, solids.column[t])
            t += 1
        store(s, row, total)


@kernel(plain=True, part=True)
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
            store(d, i, load(d, i) + tau * load(other, i))
    _times_modulus(solids, k, m, d, s)


@kernel(plain=True, part=True)
def _field_forces(s: Array, x: Array, p: Array) -> None:
    """p_u = sum_v s_uv x_v."""
    for c in range(3):
        x0, x1, x2, x3, x4 = load(x, 0, c), load(x, 1, c), load(x, 2, c), load(x, 3, c), load(x, 4, c)
        for u in range(5):
            s0, s1, s2, s3, s4 = (
                load(s, NUMBER[u, 0]),
                load(s, NUMBER[u, 1]),
                load(s, NUMBER[u, 2]),
                load(s, NUMBER[u, 3]),
                load(s, NUMBER[u, 4]),
            )
            store(p, u, c, s0 * x0 + s1 * x1 + s2 * x2 + s3 * x3 + s4 * x4)


@kernel
def solid_force(solids: Solids, q: Array, v: Array, out: Array) -> None:
    """out += f."""
    n = solids.shape.shape[3]
    vectors, rates, force = np.empty((n, 3, LANES)), np.empty((n, 3, LANES)), np.empty((n, 3, LANES))
    x, rate, p = np.empty((5, 3, LANES)), np.empty((5, 3, LANES)), np.empty((5, 3, LANES))
    d, other, s = np.empty((15, LANES)), np.empty((15, LANES)), np.empty((15, LANES))
    e = 0
    while e < solids.kind.size:
        k, count = solids.kind[e], together(solids.kind, e)
        gather(q, solids.first, e, count, solids.per, vectors)
        if solids.damping[k] != 0.0:
            gather(v, solids.first, e, count, solids.per, rates)
        force[:, :, :] = 0.0
        for m in range(solids.shape.shape[1]):
            _stress(solids, k, m, vectors, rates, x, rate, d, other, s)
            _field_forces(s, x, p)
            spread(p, solids.shape[k, m], solids.per, force)
        add_force(force, solids.first, e, count, solids.per, out)
        e += count


@kernel(inline=True)
def _modulus_gradients(solids: Solids, k: int, m: int, g: Array, y: Array) -> None:
    """y_(ua)v = sum_b D_(ua)(vb) g_b  # (15, 5, 3, LANES)."""
    y[:, :, :, :] = 0.0
    t = 0
    for row in range(15):
        for _ in range(solids.row_length[row]):
            w, v, b = solids.modulus[k, m, t], PAIR[solids.column[t], 0], PAIR[solids.column[t], 1]
            t += 1
            for c in range(3):
                store(y, row, v, c, load(y, row, v, c) + w * load(g, b, c))
            if v != b:
                for c in range(3):
                    store(y, row, b, c, load(y, row, b, c) + w * load(g, v, c))


@kernel(inline=True)
def _station_tangent(s: Array, stiffness: float, x: Array, y: Array, symmetric: bool, h: Array) -> None:
    """h_uv = stiffness s_uv 1 + sum_a x_a y_(ua)v^T  # (25, 9, LANES)."""
    for u in range(5):
        for v in range(u if symmetric else 0, 5):
            i, j = 5 * u + v, 5 * v + u
            for row in range(3):
                h0, h1, h2 = same(0.0), same(0.0), same(0.0)
                for a in range(5):
                    along = load(x, a, row)
                    t = NUMBER[u, a]
                    h0, h1, h2 = h0 + along * load(y, t, v, 0), h1 + along * load(y, t, v, 1), h2 + along * load(y, t, v, 2)
                store(h, i, 3 * row, h0)
                store(h, i, 3 * row + 1, h1)
                store(h, i, 3 * row + 2, h2)
            for c in range(3):
                store(h, i, 4 * c, load(h, i, 4 * c) + stiffness * load(s, NUMBER[u, v]))
            if symmetric and u != v:
                for row in range(3):
                    for c in range(3):
                        store(h, j, 3 * c + row, load(h, i, 3 * row + c))


@kernel
def solid_tangent(
    solids: Solids, q: Array, v: Array, stiffness: float, damping_coefficient: float, slots: NDArray[np.int32], data: Array
) -> None:
    """data += stiffness df/dq + damping_coefficient df/dv, straight into the sparse matrix."""
    n, stations = solids.shape.shape[3], solids.shape.shape[1]
    vectors, rates, fields_of = np.empty((n, 3, LANES)), np.empty((n, 3, LANES)), vector_fields(solids.per, n)
    x, rate, g = np.empty((5, 3, LANES)), np.zeros((5, 3, LANES)), np.empty((5, 3, LANES))
    d, other, s = np.empty((15, LANES)), np.empty((15, LANES)), np.empty((15, LANES))
    y, h, block = np.empty((15, 5, 3, LANES)), np.empty((25 * stations, 9, LANES)), np.empty((9, LANES))
    pair, begin, place, weight = (
        np.empty((n * n, 2), np.int64),
        np.empty(n * n + 1, np.int64),
        np.empty(4 * n * n * stations, np.int64),
        np.empty(4 * n * n * stations),
    )
    e, known = 0, -1
    while e < solids.kind.size:
        k, count = solids.kind[e], together(solids.kind, e)
        tau = solids.damping[k]
        if k != known:
            pair_terms(solids.shape[k], fields_of, pair, begin, place, weight)
            known = k
        gather(q, solids.first, e, count, solids.per, vectors)
        if tau != 0.0:
            gather(v, solids.first, e, count, solids.per, rates)
        for m in range(stations):
            _stress(solids, k, m, vectors, rates, x, rate, d, other, s)
            for u in range(5):
                for c in range(3):
                    store(g, u, c, (stiffness + damping_coefficient * tau) * load(x, u, c))
                    if tau != 0.0:
                        store(g, u, c, load(g, u, c) + stiffness * tau * load(rate, u, c))
            _modulus_gradients(solids, k, m, g, y)
            _station_tangent(s, stiffness, x, y, tau == 0.0, h[25 * m : 25 * m + 25])
        add_tangent(h, pair, begin, place, weight, tau == 0.0, slots, e, count, n, solids.per, block, data)
        e += count


@kernel(plain=True)
def add_solid_tangent(
    solids: Solids, q: Array, v: Array, stiffness: float, damping_coefficient: float, target: BlockTarget
) -> None:
    """The same for the time loop."""
    solid_tangent(solids, q, v, stiffness, damping_coefficient, target.slots, target.data)


@kernel
def solid_energy(solids: Solids, q: Array, v: Array) -> tuple[float, float]:
    """Stored energy, J, and dissipated power, W."""
    n = solids.shape.shape[3]
    vectors, rates = np.empty((n, 3, LANES)), np.empty((n, 3, LANES))
    x, rate, d, s = np.empty((5, 3, LANES)), np.empty((5, 3, LANES)), np.empty((15, LANES)), np.empty((15, LANES))
    stored, power, e = 0.0, 0.0, 0
    while e < solids.kind.size:
        k, count = solids.kind[e], together(solids.kind, e)
        gather(q, solids.first, e, count, solids.per, vectors)
        gather(v, solids.first, e, count, solids.per, rates)
        for m in range(solids.shape.shape[1]):
            fields(vectors, solids.shape[k, m], solids.per, x)
            _products(x, solids.start[k, m], d)
            _times_modulus(solids, k, m, d, s)
            stored += 0.5 * _sum_of_products(s, d, count)
            if solids.damping[k] != 0.0:
                fields(rates, solids.shape[k, m], solids.per, rate)
                _product_rates(x, rate, d)
                _times_modulus(solids, k, m, d, s)
                power += solids.damping[k] * _sum_of_products(s, d, count)
        e += count
    return stored, power


@kernel(plain=True, part=True)
def _sum_of_products(s: Array, d: Array, count: int) -> float:
    total = 0.0
    for i in range(15):
        for lane in range(count):
            total += s[i, lane] * d[i, lane]
    return total
