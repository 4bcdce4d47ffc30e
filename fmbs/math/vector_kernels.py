"""Compiled algebra of body vectors: values, rates, and the chain rule from vectors to coordinates.

Contract: `table` is a VectorTable, q and v are the global coordinates (float64), u is (n, 3) with the values of all vectors.
Functions that write matrix entries take the position p in the output and return the next one; a `*_pattern` function and its
values twin walk through the same entries in the same order, so the sparsity pattern is computed once.
With J_i = du_i/dq: LINEAR J = [c_1 I, c_2 I, ...], FLAT the same with two columns a block; PLANAR J = [p e_x, p e_y,
e_z x (u - p r)]; FIXED has no columns; FRAME and SLOPE directions: see frame_kernels and slope_kernels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.math.compiled import kernel
from fmbs.math.frame_kernels import frame_curvature, frame_gradient, frame_rate, frame_turning, frame_vector
from fmbs.math.slope_kernels import slope_curvature, slope_turn, slope_turning, slope_vector
from fmbs.math.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

FIXED, LINEAR, PLANAR, FRAME, FLAT, SLOPE = 0, 1, 2, 3, 4, 5  # kinds of vectors, see fmbs.core.vectors


@table
class VectorTable:
    """Vectors as contiguous arrays for the kernels; entry i owns coefficients start[i]:start[i+1]."""

    kind: Integers  # (n,)
    start: Integers  # (n + 1,)
    coefficient: Array  # (m,)
    dof: Integers  # (m,) first global coordinate of the block; PLANAR: that of x; FIXED: unused


@kernel
def vector_values(table: VectorTable, q: Array, u: Array) -> None:
    """u_i(q)."""
    for i in range(table.kind.size):
        s = table.start[i]
        if table.kind[i] == LINEAR:
            x = y = z = 0.0
            for k in range(s, table.start[i + 1]):
                c, d = table.coefficient[k], table.dof[k]
                x += c * q[d]
                y += c * q[d + 1]
                z += c * q[d + 2]
            u[i, 0], u[i, 1], u[i, 2] = x, y, z
        elif table.kind[i] == PLANAR:
            d = table.dof[s]
            p, sx, sy = table.coefficient[s], table.coefficient[s + 1], table.coefficient[s + 2]
            cos, sin = np.cos(q[d + 2]), np.sin(q[d + 2])
            u[i, 0] = p * q[d] + cos * sx - sin * sy
            u[i, 1] = p * q[d + 1] + sin * sx + cos * sy
            u[i, 2] = table.coefficient[s + 3]
        elif table.kind[i] == FRAME:
            dy, dz, n = directors(table, i, q)
            frame_vector(dy, dz, n, np.empty((3, 3)), u[i])
        elif table.kind[i] == FLAT:
            u[i, 0], u[i, 1] = flat_sum(table, s, table.start[i + 1], q)
            u[i, 2] = 0.0
        elif table.kind[i] == SLOPE:
            tx, ty = flat_sum(table, s + 3, table.start[i + 1], q)
            slope_vector(tx, ty, table.coefficient[s : s + 3], u[i])
        else:
            for c in range(3):
                u[i, c] = table.coefficient[s + c]


@kernel
def directors(table: VectorTable, i: int, x: Array) -> tuple[Array, Array, Array]:
    """The two directors of a FRAME vector (or their rates, for x = v) and its components in their frame."""
    s = table.start[i]
    blocks = (table.start[i + 1] - s - 3) // 2
    y, z = np.zeros(3), np.zeros(3)
    for k in range(s + 3, s + 3 + blocks):
        for c in range(3):
            y[c] += table.coefficient[k] * x[table.dof[k] + c]
            z[c] += table.coefficient[k + blocks] * x[table.dof[k + blocks] + c]
    return y, z, table.coefficient[s : s + 3]


@kernel
def flat_sum(table: VectorTable, start: int, end: int, x: Array) -> tuple[float, float]:
    """sum c_k (x[d_k], x[d_k + 1]) over the entries start ... end - 1 of the table."""
    one = two = 0.0
    for k in range(start, end):
        one += table.coefficient[k] * x[table.dof[k]]
        two += table.coefficient[k] * x[table.dof[k] + 1]
    return one, two


@kernel
def vector_rates(table: VectorTable, q: Array, v: Array, u: Array, rate: Array) -> None:
    """u_i' = J_i v."""
    for i in range(table.kind.size):
        s = table.start[i]
        rate[i, 0] = rate[i, 1] = rate[i, 2] = 0.0
        if table.kind[i] == LINEAR:
            for k in range(s, table.start[i + 1]):
                for c in range(3):
                    rate[i, c] += table.coefficient[k] * v[table.dof[k] + c]
        elif table.kind[i] == PLANAR:
            d, p = table.dof[s], table.coefficient[s]
            rate[i, 0] = p * v[d] - v[d + 2] * (u[i, 1] - p * q[d + 1])
            rate[i, 1] = p * v[d + 1] + v[d + 2] * (u[i, 0] - p * q[d])
        elif table.kind[i] == FRAME:
            y, z, n = directors(table, i, q)
            dy, dz, _ = directors(table, i, v)
            frame_rate(y, z, dy, dz, n, rate[i])
        elif table.kind[i] == FLAT:
            rate[i, 0], rate[i, 1] = flat_sum(table, s, table.start[i + 1], v)
        elif table.kind[i] == SLOPE:
            tx, ty = flat_sum(table, s + 3, table.start[i + 1], q)
            vx, vy = flat_sum(table, s + 3, table.start[i + 1], v)
            turn = slope_turn(tx, ty, vx, vy)
            rate[i, 0], rate[i, 1] = -turn * u[i, 1], turn * u[i, 0]


@kernel
def vector_accelerations(table: VectorTable, q: Array, v: Array, a: Array, u: Array, acceleration: Array) -> None:
    """u_i'' = J_i a + (J_i v)_q v; the second part alone for a = 0."""
    vector_rates(table, q, a, u, acceleration)
    for i in range(table.kind.size):
        if table.kind[i] == PLANAR:
            s = table.start[i]
            d, p = table.dof[s], table.coefficient[s]
            acceleration[i, 0] -= v[d + 2] * v[d + 2] * (u[i, 0] - p * q[d])
            acceleration[i, 1] -= v[d + 2] * v[d + 2] * (u[i, 1] - p * q[d + 1])
        elif table.kind[i] == FRAME:
            y, z, n = directors(table, i, q)
            dy, dz, _ = directors(table, i, v)
            turning = np.empty(3)
            frame_turning(y, z, dy, dz, n, turning)
            for c in range(3):
                acceleration[i, c] += turning[c]
        elif table.kind[i] == SLOPE:
            s, end = table.start[i] + 3, table.start[i + 1]
            tx, ty = flat_sum(table, s, end, q)
            vx, vy = flat_sum(table, s, end, v)
            turn, more = slope_turn(tx, ty, vx, vy), slope_turning(tx, ty, vx, vy)
            acceleration[i, 0] -= more * u[i, 1] + turn * turn * u[i, 0]
            acceleration[i, 1] += more * u[i, 0] - turn * turn * u[i, 1]


@kernel
def layout(kind: int) -> tuple[int, int]:
    """Coordinates a block, and the table entries before the first block, of vectors made of blocks."""
    return (2 if kind in (FLAT, SLOPE) else 3), (3 if kind in (FRAME, SLOPE) else 0)


@kernel
def columns(table: VectorTable, i: int) -> int:
    """Number of coordinates that vector i depends on."""
    if table.kind[i] == PLANAR or table.kind[i] == FIXED:
        return 3 if table.kind[i] == PLANAR else 0
    width, skip = layout(table.kind[i])
    return int(width * (table.start[i + 1] - table.start[i] - skip))


@kernel
def dof_of(table: VectorTable, i: int, j: int) -> int:
    """Global number of the j-th coordinate of vector i."""
    if table.kind[i] == PLANAR:
        return int(table.dof[table.start[i]] + j)
    width, skip = layout(table.kind[i])
    return int(table.dof[table.start[i] + skip + j // width] + j % width)


@kernel
def jacobian(table: VectorTable, i: int, q: Array, u: Array) -> Array:
    """J_i = du_i/d(its coordinates)  # (3, columns)."""
    s, kind = table.start[i], table.kind[i]
    out = np.zeros((3, columns(table, i)))
    width, skip = layout(kind)
    if kind in (LINEAR, FLAT):
        for j in range(out.shape[1]):
            out[j % width, j] = table.coefficient[s + j // width]
    elif kind == FRAME:
        y, z, n = directors(table, i, q)
        over = np.empty((3, 6))
        frame_gradient(y, z, n, np.empty((3, 3)), over)
        half = out.shape[1] // 2  # the y directors come first
        for c in range(3):
            for j in range(out.shape[1]):
                out[c, j] = table.coefficient[s + skip + j // 3] * over[c, j % 3 + 3 * (j >= half)]
    elif kind == SLOPE:
        tx, ty = flat_sum(table, s + skip, table.start[i + 1], q)
        for j in range(out.shape[1]):
            turn = slope_turn(tx, ty, 1.0 - j % 2, float(j % 2)) * table.coefficient[s + skip + j // 2]
            out[0, j], out[1, j] = -turn * u[i, 1], turn * u[i, 0]
    elif kind == PLANAR:
        d, p = table.dof[s], table.coefficient[s]
        out[0, 0] = out[1, 1] = p
        out[0, 2], out[1, 2] = -(u[i, 1] - p * q[d + 1]), u[i, 0] - p * q[d]
    return out


@kernel
def pull(table: VectorTable, i: int, q: Array, u: Array, gx: float, gy: float, gz: float, out: Array) -> None:
    """out += J_i^T g."""
    s = table.start[i]
    if table.kind[i] == LINEAR:
        for k in range(s, table.start[i + 1]):
            c, d = table.coefficient[k], table.dof[k]
            out[d] += c * gx
            out[d + 1] += c * gy
            out[d + 2] += c * gz
    elif table.kind[i] == PLANAR:
        d, p = table.dof[s], table.coefficient[s]
        out[d] += p * gx
        out[d + 1] += p * gy
        out[d + 2] += (u[i, 0] - p * q[d]) * gy - (u[i, 1] - p * q[d + 1]) * gx
    elif table.kind[i] != FIXED:
        jac = jacobian(table, i, q, u)
        for j in range(jac.shape[1]):
            out[dof_of(table, i, j)] += gx * jac[0, j] + gy * jac[1, j] + gz * jac[2, j]


@kernel
def gradient_pattern(table: VectorTable, i: int, row: int, rows: Integers, cols: Integers, p: int) -> int:
    """Entries of J_i^T g as a row of the matrix, then as a column."""
    for j in range(columns(table, i)):
        rows[p], cols[p] = row, dof_of(table, i, j)
        rows[p + 1], cols[p + 1] = cols[p], row
        p += 2
    return p


@kernel
def gradient_values(table: VectorTable, i: int, q: Array, u: Array, gx: float, gy: float, gz: float, out: Array, p: int) -> int:
    """The values that belong to gradient_pattern."""
    s = table.start[i]
    if table.kind[i] == LINEAR:
        for k in range(s, table.start[i + 1]):
            c = table.coefficient[k]
            out[p] = out[p + 1] = c * gx
            out[p + 2] = out[p + 3] = c * gy
            out[p + 4] = out[p + 5] = c * gz
            p += 6
    elif table.kind[i] == PLANAR:
        d, point = table.dof[s], table.coefficient[s]
        out[p] = out[p + 1] = point * gx
        out[p + 2] = out[p + 3] = point * gy
        out[p + 4] = out[p + 5] = (u[i, 0] - point * q[d]) * gy - (u[i, 1] - point * q[d + 1]) * gx
        p += 6
    elif table.kind[i] != FIXED:
        jac = jacobian(table, i, q, u)
        for j in range(jac.shape[1]):
            out[p] = out[p + 1] = gx * jac[0, j] + gy * jac[1, j] + gz * jac[2, j]
            p += 2
    return p


@kernel
def common_width(table: VectorTable, i: int, j: int) -> int:
    """Components of two vectors that are linear in the coordinates in the same way, else 0."""
    linear = table.kind[i] == LINEAR or table.kind[i] == FLAT
    return layout(table.kind[i])[0] if linear and table.kind[i] == table.kind[j] else 0


@kernel
def pair_pattern(table: VectorTable, i: int, j: int, rows: Integers, cols: Integers, p: int) -> int:
    """Entries of J_i^T J_j and of its transpose. Two LINEAR or two FLAT vectors couple equal components only."""
    width = common_width(table, i, j)
    for a in range(columns(table, i)):
        for b in range(columns(table, j)):
            if width and a % width != b % width:
                continue
            rows[p], cols[p] = dof_of(table, i, a), dof_of(table, j, b)
            rows[p + 1], cols[p + 1] = cols[p], rows[p]
            p += 2
    return p


@kernel
def pair_values(table: VectorTable, i: int, j: int, q: Array, u: Array, weight: float, out: Array, p: int) -> int:
    """weight J_i^T J_j and its transpose, in the order of pair_pattern."""
    width = common_width(table, i, j)
    if width:
        for k in range(table.start[i], table.start[i + 1]):
            for _ in range(width):
                for m in range(table.start[j], table.start[j + 1]):
                    out[p] = out[p + 1] = weight * table.coefficient[k] * table.coefficient[m]
                    p += 2
        return p
    if columns(table, i) == 0 or columns(table, j) == 0:
        return p
    left, right = jacobian(table, i, q, u), jacobian(table, j, q, u)
    for a in range(left.shape[1]):
        for b in range(right.shape[1]):
            s = left[0, a] * right[0, b] + left[1, a] * right[1, b] + left[2, a] * right[2, b]
            out[p] = out[p + 1] = weight * s
            p += 2
    return p


@kernel
def curvature_pattern(table: VectorTable, i: int, rows: Integers, cols: Integers, p: int) -> int:
    """Entries of d(J_i^T g)/dq at constant g: a planar body's angle with itself, or all of a section or slope."""
    if table.kind[i] == PLANAR:
        d = table.dof[table.start[i]] + 2
        rows[p], cols[p] = d, d
        p += 1
    elif table.kind[i] == FRAME or table.kind[i] == SLOPE:
        p = block_pattern(table, i, i, rows, cols, p)
    return p


@kernel
def curvature_values(
    table: VectorTable, i: int, q: Array, u: Array, gx: float, gy: float, gz: float, out: Array, p: int
) -> int:
    """The values that belong to curvature_pattern; on a planar body -(u - p r) . g."""
    if table.kind[i] == PLANAR:
        s = table.start[i]
        d, point = table.dof[s], table.coefficient[s]
        out[p] = -(u[i, 0] - point * q[d]) * gx - (u[i, 1] - point * q[d + 1]) * gy
        p += 1
    elif table.kind[i] == FRAME:
        y, z, n = directors(table, i, q)
        h = np.empty((6, 6))
        frame_curvature(y, z, n, np.array([gx, gy, gz]), h)
        s = table.start[i] + 3
        blocks = (table.start[i + 1] - s) // 2
        for a in range(6 * blocks):
            for b in range(6 * blocks):
                k, m = a // 3, b // 3
                c = table.coefficient[s + k] * table.coefficient[s + m]
                out[p] = c * h[a % 3 + 3 * (k >= blocks), b % 3 + 3 * (m >= blocks)]
                p += 1
    elif table.kind[i] == SLOPE:
        s, end = table.start[i] + 3, table.start[i + 1]
        tx, ty = flat_sum(table, s, end, q)
        for a in range(2 * (end - s)):
            for b in range(2 * (end - s)):
                c = table.coefficient[s + a // 2] * table.coefficient[s + b // 2]
                out[p] = c * slope_curvature(tx, ty, u[i], gx, gy, a % 2, b % 2)
                p += 1
    return p


@kernel
def block_pattern(table: VectorTable, i: int, j: int, rows: Integers, cols: Integers, p: int) -> int:
    """Entries of J_i^T H J_j for a full 3 x 3 matrix H."""
    for a in range(columns(table, i)):
        for b in range(columns(table, j)):
            rows[p], cols[p] = dof_of(table, i, a), dof_of(table, j, b)
            p += 1
    return p


@kernel
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


@kernel
def pair_count(table: VectorTable, i: int, j: int) -> int:
    """Number of entries of pair_pattern."""
    return 2 * columns(table, i) * columns(table, j) // max(common_width(table, i, j), 1)


@kernel
def curvature_count(table: VectorTable, i: int) -> int:
    """Number of entries of curvature_pattern."""
    if table.kind[i] == FRAME or table.kind[i] == SLOPE:
        return columns(table, i) ** 2
    return int(table.kind[i] == PLANAR)
