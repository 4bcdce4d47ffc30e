"""Kernels of the constraint equations Phi_r = sum_i w_i u_i . z_i - c_r.

Contract: term i adds to equation row[i]; first[i], second[i] number its vectors u, z in the VectorTable; weight is (n,) at
the current time, u (m, 3) the values of all vectors. Phi_q^T lam and the curvature sum_r lam_r Phi_r,qq follow from the chain
rule, d(u . z) = z . du + u . dz. Where a weight is w f(x) with a coordinate x, there is w f' u . z dx besides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.vectors import VectorTable
from fmbs.jit.compiled import kernel
from fmbs.jit.tables import table
from fmbs.math.coordinate_weights import WeightTable, coordinate_weight
from fmbs.math.vector_kernels import (
    curvature_values,
    gradient_values,
    pair_values,
    pull,
    vector_accelerations,
    vector_rates,
    vector_value,
    vector_values,
)
from fmbs.math.vector_table import (
    FIXED,
    columns,
    curvature_count,
    curvature_pattern,
    gradient_pattern,
    pair_count,
    pair_pattern,
)

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Places = NDArray[np.uint32]


@table
class TermTable:
    """Terms of all equations as contiguous arrays."""

    row: Places  # (n,)
    first: Places  # (n,)
    second: Places  # (n,)
    start: Places  # (vectors + 1,) where the terms of each vector begin in the next two
    term: Places  # (2 n,)
    partner: Places  # (2 n,) the other vector of the term
    by: WeightTable  # functions of coordinates


def term_table(row: Integers, first: Integers, second: Integers, vectors: int, by: WeightTable) -> TermTable:
    """The table with the terms that each of so many vectors is in."""
    order = np.argsort(np.concatenate([first, second]), kind="stable")
    counts = np.bincount(first, minlength=vectors) + np.bincount(second, minlength=vectors)
    number, partner = np.tile(np.arange(row.size), 2), np.concatenate([second, first])
    start = np.concatenate([[0], np.cumsum(counts)])
    place = np.uint32
    return TermTable(
        row.astype(place), first.astype(place), second.astype(place), start.astype(place), number[order].astype(place),
        partner[order].astype(place), by,
    )  # fmt: skip


@kernel(plain=True, part=True)
def _dot(u: Array, i: int, z: Array, j: int) -> float:
    return float(u[i, 0] * z[j, 0] + u[i, 1] * z[j, 1] + u[i, 2] * z[j, 2])


@kernel(plain=True, part=True)
def value_at(terms: TermTable, i: int, q: Array) -> float:
    """f of term i."""
    return 1.0 if terms.by.coordinate[i] < 0 else coordinate_weight(terms.by, i, q)[0]


@kernel(plain=True)
def constraint_values(vectors: VectorTable, terms: TermTable, weight: Array, q: Array, u: Array, phi: Array) -> None:
    """phi += sum w u . z; phi comes in as -c."""
    vector_values(vectors, q, u)
    for i in range(terms.row.size):
        phi[terms.row[i]] += weight[i] * value_at(terms, i, q) * _dot(u, terms.first[i], u, terms.second[i])


@kernel(plain=True)
def constraint_power(
    vectors: VectorTable, terms: TermTable, weight_rate: Array, q: Array, lam: Array, u: Array, out: Array
) -> None:  # fmt: skip
    """out[0] += sum lam w' u . z: what drives do through weights that change with time. Few do: only their vectors are made."""
    for i in range(terms.row.size):
        if weight_rate[i] != 0.0:
            a, b = terms.first[i], terms.second[i]
            vector_value(vectors, a, q, u)
            vector_value(vectors, b, q, u)
            out[0] += lam[terms.row[i]] * weight_rate[i] * _dot(u, a, u, b)  # such a term has no coordinate


@kernel(plain=True)
def constraint_residual(
    vectors: VectorTable, terms: TermTable, weight: Array, q: Array, lam: Array, u: Array, phi: Array, force: Array
) -> None:
    """phi += sum w u . z and force += Phi_q^T lam."""
    vector_values(vectors, q, u)
    for i in range(terms.row.size):
        phi[terms.row[i]] += weight[i] * value_at(terms, i, q) * _dot(u, terms.first[i], u, terms.second[i])
    for a in range(vectors.kind.size):
        if vectors.kind[a] != FIXED:
            x = y = z = 0.0
            for k in range(terms.start[a], terms.start[a + 1]):
                i, b = terms.term[k], terms.partner[k]
                s = weight[i] * lam[terms.row[i]] * value_at(terms, i, q)
                x, y, z = x + s * u[b, 0], y + s * u[b, 1], z + s * u[b, 2]
            pull(vectors, a, q, u, x, y, z, force)
    for k in range(terms.by.moved.size):
        i = terms.by.moved[k]
        _, slope, _ = coordinate_weight(terms.by, i, q)
        s = weight[i] * lam[terms.row[i]] * slope
        force[terms.by.coordinate[i]] += s * _dot(u, terms.first[i], u, terms.second[i])


@kernel(plain=True)
def constraint_rates(
    vectors: VectorTable, terms: TermTable, weights: Array, q: Array, v: Array, u: Array, rate: Array, out: Array
) -> None:
    """out += d/dt sum w u . z; weights (3, n): w, w', w''."""
    vector_values(vectors, q, u)
    vector_rates(vectors, q, v, u, rate)
    for i in range(terms.row.size):
        a, b = terms.first[i], terms.second[i]
        y0, y1 = _dot(u, a, u, b), _dot(rate, a, u, b) + _dot(u, a, rate, b)
        f, slope, _ = coordinate_weight(terms.by, i, q)
        y1 = f * y1 + (slope * v[terms.by.coordinate[i]] * y0 if terms.by.coordinate[i] >= 0 else 0.0)
        out[terms.row[i]] += weights[0, i] * y1 + weights[1, i] * f * y0


@kernel(plain=True)
def constraint_accelerations(
    vectors: VectorTable, terms: TermTable, weights: Array, q: Array, v: Array, rest: Array, u: Array, rate: Array,
    acceleration: Array, out: Array,
) -> None:  # fmt: skip
    """out += d^2/dt^2 sum w u . z at q'' = 0, which is `rest`."""
    vector_values(vectors, q, u)
    vector_rates(vectors, q, v, u, rate)
    vector_accelerations(vectors, q, v, rest, u, acceleration)
    for i in range(terms.row.size):
        a, b = terms.first[i], terms.second[i]
        y0, y1 = _dot(u, a, u, b), _dot(rate, a, u, b) + _dot(u, a, rate, b)
        y2 = _dot(acceleration, a, u, b) + 2.0 * _dot(rate, a, rate, b) + _dot(u, a, acceleration, b)
        if terms.by.coordinate[i] >= 0:  # d/dt of f y
            f, slope, bend = coordinate_weight(terms.by, i, q)
            x = v[terms.by.coordinate[i]]
            y0, y1, y2 = f * y0, f * y1 + slope * x * y0, f * y2 + 2.0 * slope * x * y1 + bend * x * x * y0
        out[terms.row[i]] += weights[0, i] * y2 + 2.0 * weights[1, i] * y1 + weights[2, i] * y0


@kernel(plain=True)
def constraint_count(vectors: VectorTable, terms: TermTable) -> int:
    """Number of entries of constraint_pattern."""
    n = 0
    for i in range(terms.row.size):
        a, b = terms.first[i], terms.second[i]
        n += 2 * (columns(vectors, a) + columns(vectors, b)) + pair_count(vectors, a, b)
        n += curvature_count(vectors, a) + curvature_count(vectors, b)
        if terms.by.coordinate[i] >= 0:
            n += 3 + 2 * (columns(vectors, a) + columns(vectors, b))
    return n


@kernel(plain=True)
def constraint_pattern(vectors: VectorTable, terms: TermTable, offset: int, rows: Integers, cols: Integers) -> int:
    """Entries of constraint_tangent; the multipliers' rows begin at `offset`."""
    p = 0
    for i in range(terms.row.size):
        a, b, r = terms.first[i], terms.second[i], offset + terms.row[i]
        p = gradient_pattern(vectors, a, r, rows, cols, p)
        p = gradient_pattern(vectors, b, r, rows, cols, p)
        p = pair_pattern(vectors, a, b, rows, cols, p)
        p = curvature_pattern(vectors, a, rows, cols, p)
        p = curvature_pattern(vectors, b, rows, cols, p)
        x = terms.by.coordinate[i]
        if x >= 0:
            rows[p], cols[p], rows[p + 1], cols[p + 1], rows[p + 2], cols[p + 2] = r, x, x, r, x, x
            p = gradient_pattern(vectors, a, x, rows, cols, p + 3)
            p = gradient_pattern(vectors, b, x, rows, cols, p)
    return p


@kernel(plain=True)
def constraint_tangent(
    vectors: VectorTable, terms: TermTable, weight: Array, q: Array, lam: Array, u: Array, scale: float, stiffness: float,
    out: Array,
) -> None:  # fmt: skip
    """scale Phi_q and its transpose, and stiffness sum_r lam_r Phi_r,qq, in the order of constraint_pattern."""
    vector_values(vectors, q, u)
    p = 0
    for i in range(terms.row.size):
        a, b = terms.first[i], terms.second[i]
        a_moves, b_moves = vectors.kind[a] != FIXED, vectors.kind[b] != FIXED  # else there are no entries
        f, slope, bend = coordinate_weight(terms.by, i, q)
        w, s = scale * weight[i] * f, stiffness * weight[i] * lam[terms.row[i]] * f
        if a_moves:
            p = gradient_values(vectors, a, q, u, w * u[b, 0], w * u[b, 1], w * u[b, 2], out, p)
        if b_moves:
            p = gradient_values(vectors, b, q, u, w * u[a, 0], w * u[a, 1], w * u[a, 2], out, p)
        if a_moves and b_moves:
            p = pair_values(vectors, a, b, q, u, s, out, p)
        if a_moves:
            p = curvature_values(vectors, a, q, u, s * u[b, 0], s * u[b, 1], s * u[b, 2], out, p)
        if b_moves:
            p = curvature_values(vectors, b, q, u, s * u[a, 0], s * u[a, 1], s * u[a, 2], out, p)
        if terms.by.coordinate[i] >= 0:
            y, s = weight[i] * _dot(u, a, u, b), stiffness * weight[i] * lam[terms.row[i]] * slope
            out[p] = out[p + 1] = scale * slope * y
            out[p + 2] = stiffness * lam[terms.row[i]] * bend * y
            p = gradient_values(vectors, a, q, u, s * u[b, 0], s * u[b, 1], s * u[b, 2], out, p + 3)
            p = gradient_values(vectors, b, q, u, s * u[a, 0], s * u[a, 1], s * u[a, 2], out, p)
