"""Compiled algebra of body vectors: values, rates, and the chain rule from vectors to coordinates.

Contract: `table` is a VectorTable, q and v are the global coordinates (float64), u is (n, 3) with the values of all vectors.
Functions that write matrix entries take the position p in the output and return the next one, in the order of the `*_pattern`
functions of `vector_table`.
With J_i = du_i/dq: LINEAR J = [c_1 I, c_2 I, ...]; PLANAR J = [p e_x, p e_y, e_z x (u - p r)]; FIXED has no columns. Those of
beams (FRAME, FLAT, SLOPE) are called by address, see `flexible_vectors`: models of rigid bodies do not compile them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.places import place
from fmbs.math.flexible_vectors import (
    CURVATURE,
    GRADIENT,
    JACOBIAN,
    PAIR,
    PULL,
    RATE,
    TURN,
    VALUE,
    VECTOR_ENTRIES,
    VECTOR_JACOBIAN,
    VECTOR_PAIR,
    VECTOR_PULL,
    VECTOR_RATE,
    VECTOR_VALUE,
    connect_flexible,
)
from fmbs.math.vector_table import (
    FIXED,
    FRAME,
    LINEAR,
    PLANAR,
    SLOPE,
    VectorTable,
    columns,
    common_width,
    curvature_count,
    pair_count,
)

Array = NDArray[np.float64]


@kernel(plain=True)
def vector_values(table: VectorTable, q: Array, u: Array) -> None:
    """u_i(q)."""
    body, cos, sin = -1, 1.0, 0.0  # planar body whose angle these belong to: its vectors come together
    for i in range(table.kind.size):
        if table.kind[i] == PLANAR:
            d = table.dof[table.start[i]]
            if d != body:
                body, cos, sin = d, np.cos(q[d + 2]), np.sin(q[d + 2])
            planar_value(table, i, q, cos, sin, u)
        else:
            other_value(table, i, q, u)


@kernel(plain=True, part=True)
def vector_value(table: VectorTable, i: int, q: Array, u: Array) -> None:
    """One of them."""
    if table.kind[i] == PLANAR:
        angle = q[table.dof[table.start[i]] + 2]
        planar_value(table, i, q, np.cos(angle), np.sin(angle), u)
    else:
        other_value(table, i, q, u)


@kernel(plain=True, part=True)
def planar_value(table: VectorTable, i: int, q: Array, cos: float, sin: float, u: Array) -> None:
    s = table.start[i]
    d, p, sx, sy = table.dof[s], table.coefficient[s], table.coefficient[s + 1], table.coefficient[s + 2]
    u[i, 0] = p * q[d] + cos * sx - sin * sy
    u[i, 1] = p * q[d + 1] + sin * sx + cos * sy
    u[i, 2] = table.coefficient[s + 3]


@kernel(plain=True, part=True)
def other_value(table: VectorTable, i: int, q: Array, u: Array) -> None:
    s = place(table.start[i])
    if table.kind[i] == LINEAR:
        x = y = z = 0.0
        for k in range(s, place(table.start[i + 1])):
            c, d = table.coefficient[k], place(table.dof[k])
            x += c * q[d]
            y += c * q[d + 1]
            z += c * q[d + 2]
        u[i, 0], u[i, 1], u[i, 2] = x, y, z
    elif table.kind[i] == FIXED:
        for c in range(3):
            u[i, c] = table.coefficient[s + c]
    else:
        call(VECTOR_VALUE, table.calls[VALUE], table, i, q, u)


@kernel(plain=True)
def vector_rates(table: VectorTable, q: Array, v: Array, u: Array, rate: Array) -> None:
    """u_i' = J_i v."""
    for i in range(table.kind.size):
        s = place(table.start[i])
        rate[i, 0] = rate[i, 1] = rate[i, 2] = 0.0
        if table.kind[i] == LINEAR:
            x = y = z = 0.0
            for k in range(s, place(table.start[i + 1])):
                w, d = table.coefficient[k], place(table.dof[k])
                x, y, z = x + w * v[d], y + w * v[d + 1], z + w * v[d + 2]
            rate[i, 0], rate[i, 1], rate[i, 2] = x, y, z
        elif table.kind[i] == PLANAR:
            d, p = table.dof[s], table.coefficient[s]
            rate[i, 0] = p * v[d] - v[d + 2] * (u[i, 1] - p * q[d + 1])
            rate[i, 1] = p * v[d + 1] + v[d + 2] * (u[i, 0] - p * q[d])
        elif table.kind[i] != FIXED:
            call(VECTOR_RATE, table.calls[RATE], table, i, q, v, u, rate)


@kernel(plain=True)
def vector_accelerations(table: VectorTable, q: Array, v: Array, a: Array, u: Array, acceleration: Array) -> None:
    """u_i'' = J_i a + (J_i v)_q v; the second part alone for a = 0."""
    vector_rates(table, q, a, u, acceleration)
    for i in range(table.kind.size):
        if table.kind[i] == PLANAR:
            s = table.start[i]
            d, p = table.dof[s], table.coefficient[s]
            acceleration[i, 0] -= v[d + 2] * v[d + 2] * (u[i, 0] - p * q[d])
            acceleration[i, 1] -= v[d + 2] * v[d + 2] * (u[i, 1] - p * q[d + 1])
        elif table.kind[i] == FRAME or table.kind[i] == SLOPE:
            call(VECTOR_RATE, table.calls[TURN], table, i, q, v, u, acceleration)


@kernel(plain=True, part=True)
def entry(table: VectorTable, i: int, q: Array, u: Array, c: int, j: int) -> float:
    """J_i[c, j] of LINEAR and PLANAR vectors."""
    s = table.start[i]
    if table.kind[i] == LINEAR:
        return float(table.coefficient[s + j // 3]) if j % 3 == c else 0.0
    d, p = table.dof[s], table.coefficient[s]
    if j < 2:
        return float(p) if c == j else 0.0
    if c == 2:
        return 0.0
    return float(p * q[d + 1] - u[i, 1] if c == 0 else u[i, 0] - p * q[d])


@kernel
def jacobian(table: VectorTable, i: int, q: Array, u: Array) -> Array:
    """J_i = du_i/d(its coordinates)  # (3, columns)."""
    out = np.zeros((3, columns(table, i)))
    if table.kind[i] == LINEAR or table.kind[i] == PLANAR:
        for c in range(3):
            for j in range(out.shape[1]):
                out[c, j] = entry(table, i, q, u, c, j)
    elif table.kind[i] != FIXED:
        call(VECTOR_JACOBIAN, table.calls[JACOBIAN], table, i, q, u, out)
    return out


@kernel(plain=True)
def pull(table: VectorTable, i: int, q: Array, u: Array, gx: float, gy: float, gz: float, out: Array) -> None:
    """out += J_i^T g."""
    s = place(table.start[i])
    if table.kind[i] == LINEAR:
        for k in range(s, place(table.start[i + 1])):
            c, d = table.coefficient[k], place(table.dof[k])
            out[d] += c * gx
            out[d + 1] += c * gy
            out[d + 2] += c * gz
    elif table.kind[i] == PLANAR:
        d, p = table.dof[s], table.coefficient[s]
        out[d] += p * gx
        out[d + 1] += p * gy
        out[d + 2] += (u[i, 0] - p * q[d]) * gy - (u[i, 1] - p * q[d + 1]) * gx
    elif table.kind[i] != FIXED:
        call(VECTOR_PULL, table.calls[PULL], table, i, q, u, gx, gy, gz, out)


@kernel(plain=True, part=True)
def gradient_values(table: VectorTable, i: int, q: Array, u: Array, gx: float, gy: float, gz: float, out: Array, p: int) -> int:
    """The values that belong to gradient_pattern."""
    s = place(table.start[i])
    if table.kind[i] == LINEAR:
        for k in range(s, place(table.start[i + 1])):
            c, o = table.coefficient[k], place(p)
            out[o] = out[o + 1] = c * gx
            out[o + 2] = out[o + 3] = c * gy
            out[o + 4] = out[o + 5] = c * gz
            p += 6
    elif table.kind[i] == PLANAR:
        d, point = table.dof[s], table.coefficient[s]
        out[p] = out[p + 1] = point * gx
        out[p + 2] = out[p + 3] = point * gy
        out[p + 4] = out[p + 5] = (u[i, 0] - point * q[d]) * gy - (u[i, 1] - point * q[d + 1]) * gx
        p += 6
    elif table.kind[i] != FIXED:
        call(VECTOR_ENTRIES, table.calls[GRADIENT], table, i, q, u, gx, gy, gz, out, p)
        p += 2 * columns(table, i)
    return p


@kernel(plain=True, part=True)
def pair_values(table: VectorTable, i: int, j: int, q: Array, u: Array, weight: float, out: Array, p: int) -> int:
    """weight J_i^T J_j and its transpose, in the order of pair_pattern."""
    if table.kind[i] == FIXED or table.kind[j] == FIXED:
        return p
    width = common_width(table, i, j)
    if width:
        first, last = place(table.start[j]), place(table.start[j + 1])
        for k in range(place(table.start[i]), place(table.start[i + 1])):
            share = weight * table.coefficient[k]
            for _ in range(width):
                for m in range(first, last):
                    o = place(p)
                    out[o] = out[o + 1] = share * table.coefficient[m]
                    p += 2
        return p
    if table.kind[i] > PLANAR or table.kind[j] > PLANAR:
        call(VECTOR_PAIR, table.calls[PAIR], table, i, j, q, u, weight, out, p)
        return p + pair_count(table, i, j)
    for a in range(columns(table, i)):
        for b in range(columns(table, j)):
            s = 0.0
            for c in range(3):
                s += entry(table, i, q, u, c, a) * entry(table, j, q, u, c, b)
            out[p] = out[p + 1] = weight * s
            p += 2
    return p


@kernel
def flexible_pair(table: VectorTable, i: int, j: int, q: Array, u: Array, weight: float, out: Array, p: int) -> None:
    """`pair_values` with a vector of a beam."""
    left, right = jacobian(table, i, q, u), jacobian(table, j, q, u)
    for a in range(left.shape[1]):
        for b in range(right.shape[1]):
            s = left[0, a] * right[0, b] + left[1, a] * right[1, b] + left[2, a] * right[2, b]
            out[p] = out[p + 1] = weight * s
            p += 2


@kernel(plain=True, part=True)
def curvature_values(
    table: VectorTable, i: int, q: Array, u: Array, gx: float, gy: float, gz: float, out: Array, p: int
) -> int:
    """The values that belong to curvature_pattern; on a planar body -(u - p r) . g."""
    if table.kind[i] == PLANAR:
        s = table.start[i]
        d, point = table.dof[s], table.coefficient[s]
        out[p] = -(u[i, 0] - point * q[d]) * gx - (u[i, 1] - point * q[d + 1]) * gy
        p += 1
    elif table.kind[i] == FRAME or table.kind[i] == SLOPE:
        call(VECTOR_ENTRIES, table.calls[CURVATURE], table, i, q, u, gx, gy, gz, out, p)
        p += curvature_count(table, i)
    return p


@kernel(part=True)
def block_values(
    table: VectorTable, i: int, j: int, q: Array, v: Array, u: Array, h: Array, d: Array, out: Array, p: int,
    stiffness: float, damping: float,
) -> int:  # fmt: skip
    """Chain rule of a force g_i(u_j, u_j'): J_i^T [stiffness (H J_j + D dJ_j/dt) + damping D J_j]; H = dg/du, D = dg/du'.

    dJ_j/dt, the dependence of u_j' on the coordinates, is there for points only (of planar bodies; others' are linear):
    a force that depends on the rate of a FRAME or SLOPE direction needs more.
    """
    if columns(table, i) == 0 or columns(table, j) == 0:
        return p
    left, right = jacobian(table, i, q, u), jacobian(table, j, q, u)
    change = np.zeros((3, right.shape[1]))  # of g_i with the coordinates of u_j
    for c in range(3):
        for e in range(3):
            w = stiffness * h[c, e] + damping * d[c, e]
            for b in range(right.shape[1]):
                change[c, b] += w * right[e, b]
            if table.kind[j] == PLANAR and e < 2:
                k = table.start[j]
                f = table.dof[k]
                arm = u[j, e] - table.coefficient[k] * q[f + e]
                change[c, 2] -= stiffness * d[c, e] * v[f + 2] * arm
    for a in range(left.shape[1]):
        for b in range(right.shape[1]):
            out[p] = left[0, a] * change[0, b] + left[1, a] * change[1, b] + left[2, a] * change[2, b]
            p += 1
    return p


def connect_vectors(table: VectorTable) -> None:
    """Kernels of beams' vectors are called by address: models without beams do not compile them."""
    connect_flexible(table)
    if table.calls[JACOBIAN]:
        table.calls[PAIR] = VECTOR_PAIR.address(flexible_pair, table)
