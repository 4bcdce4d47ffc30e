"""Vectors of beams in the table: points and directions that are sums of many coordinates.

FLAT: two components c_k (q_d, q_d+1). SLOPE: a direction fixed to the slope of a line in the plane, see `slope_kernels`.
FRAME: a direction fixed to a cross-section with two directors, see `frame_kernels`. J = du/dq of all three is a full matrix.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.jit.slots import LINE, ROWS, Slot
from fmbs.math.frame_kernels import frame_curvature, frame_gradient, frame_rate, frame_turning, frame_vector
from fmbs.math.slope_kernels import slope_curvature, slope_turn, slope_turning, slope_vector
from fmbs.math.vector_table import FLAT, FRAME, SLOPE, VectorTable, columns, dof_of

Array = NDArray[np.float64]

VALUE, RATE, TURN, JACOBIAN, PULL, GRADIENT, CURVATURE, PAIR = 0, 1, 2, 3, 4, 5, 6, 7  # calls
CALLS = 8

VECTOR_VALUE = Slot("vector value", VectorTable, int, LINE, ROWS)
VECTOR_RATE = Slot("vector rate", VectorTable, int, LINE, LINE, ROWS, ROWS)
VECTOR_JACOBIAN = Slot("vector jacobian", VectorTable, int, LINE, ROWS, ROWS)
VECTOR_PULL = Slot("vector pull", VectorTable, int, LINE, ROWS, float, float, float, LINE)
VECTOR_ENTRIES = Slot("vector entries", VectorTable, int, LINE, ROWS, float, float, float, LINE, int)
VECTOR_PAIR = Slot("vector pair", VectorTable, int, int, LINE, ROWS, float, LINE, int)


@kernel(plain=True, part=True)
def flat_sum(table: VectorTable, start: int, end: int, x: Array) -> tuple[float, float]:
    """sum c_k (x[d_k], x[d_k + 1]) over the entries start ... end - 1 of the table."""
    one = two = 0.0
    for k in range(start, end):
        one += table.coefficient[k] * x[table.dof[k]]
        two += table.coefficient[k] * x[table.dof[k] + 1]
    return one, two


@kernel(plain=True, part=True)
def slope(table: VectorTable, i: int, x: Array) -> tuple[float, float]:
    """t_x, t_y of a SLOPE vector, or their rates for x = v."""
    return flat_sum(table, table.start[i] + 3, table.start[i + 1], x)


@kernel(part=True)
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
def flexible_value(table: VectorTable, i: int, q: Array, u: Array) -> None:
    """u_i."""
    s = table.start[i]
    if table.kind[i] == FRAME:
        y, z, n = directors(table, i, q)
        frame_vector(y, z, n, np.empty((3, 3)), u[i])
    elif table.kind[i] == SLOPE:
        tx, ty = slope(table, i, q)
        slope_vector(tx, ty, table.coefficient[s : s + 3], u[i])
    else:
        u[i, 0], u[i, 1] = flat_sum(table, s, table.start[i + 1], q)
        u[i, 2] = 0.0


@kernel
def flexible_rate(table: VectorTable, i: int, q: Array, v: Array, u: Array, rate: Array) -> None:
    """u_i'."""
    if table.kind[i] == FRAME:
        y, z, n = directors(table, i, q)
        dy, dz, _ = directors(table, i, v)
        frame_rate(y, z, dy, dz, n, rate[i])
    elif table.kind[i] == SLOPE:
        tx, ty = slope(table, i, q)
        vx, vy = slope(table, i, v)
        turn = slope_turn(tx, ty, vx, vy)
        rate[i, 0], rate[i, 1] = -turn * u[i, 1], turn * u[i, 0]
    else:
        rate[i, 0], rate[i, 1] = flat_sum(table, table.start[i], table.start[i + 1], v)


@kernel
def flexible_turn(table: VectorTable, i: int, q: Array, v: Array, u: Array, acceleration: Array) -> None:
    """acceleration[i] += u_i'' at q'' = 0 of a direction."""
    if table.kind[i] == FRAME:
        y, z, n = directors(table, i, q)
        dy, dz, _ = directors(table, i, v)
        turning = np.empty(3)
        frame_turning(y, z, dy, dz, n, turning)
        for c in range(3):
            acceleration[i, c] += turning[c]
    else:
        tx, ty = slope(table, i, q)
        vx, vy = slope(table, i, v)
        turn, more = slope_turn(tx, ty, vx, vy), slope_turning(tx, ty, vx, vy)
        acceleration[i, 0] -= more * u[i, 1] + turn * turn * u[i, 0]
        acceleration[i, 1] += more * u[i, 0] - turn * turn * u[i, 1]


@kernel
def flexible_jacobian(table: VectorTable, i: int, q: Array, u: Array, out: Array) -> None:
    """du_i/d(its coordinates)  # (3, columns), zero before."""
    s = table.start[i]
    if table.kind[i] == FRAME:  # the coordinates of y come first
        y, z, n = directors(table, i, q)
        over = np.empty((3, 6))
        frame_gradient(y, z, n, np.empty((3, 3)), over)
        half = out.shape[1] // 2
        for c in range(3):
            for j in range(out.shape[1]):
                out[c, j] = table.coefficient[s + 3 + j // 3] * over[c, j % 3 + 3 * (j >= half)]
    elif table.kind[i] == SLOPE:
        tx, ty = slope(table, i, q)
        for j in range(out.shape[1]):
            turn = slope_turn(tx, ty, 1.0 - j % 2, float(j % 2)) * table.coefficient[s + 3 + j // 2]
            out[0, j], out[1, j] = -turn * u[i, 1], turn * u[i, 0]
    else:
        for j in range(out.shape[1]):
            out[j % 2, j] = table.coefficient[s + j // 2]


@kernel
def flexible_pull(table: VectorTable, i: int, q: Array, u: Array, gx: float, gy: float, gz: float, out: Array) -> None:
    """out += J_i^T g."""
    jacobian = np.zeros((3, columns(table, i)))
    flexible_jacobian(table, i, q, u, jacobian)
    for j in range(jacobian.shape[1]):
        out[dof_of(table, i, j)] += gx * jacobian[0, j] + gy * jacobian[1, j] + gz * jacobian[2, j]


@kernel
def flexible_gradient(
    table: VectorTable, i: int, q: Array, u: Array, gx: float, gy: float, gz: float, out: Array, p: int
) -> None:
    """J_i^T g, each entry twice."""
    jacobian = np.zeros((3, columns(table, i)))
    flexible_jacobian(table, i, q, u, jacobian)
    for j in range(jacobian.shape[1]):
        out[p] = out[p + 1] = gx * jacobian[0, j] + gy * jacobian[1, j] + gz * jacobian[2, j]
        p += 2


@kernel
def flexible_curvature(
    table: VectorTable, i: int, q: Array, u: Array, gx: float, gy: float, gz: float, out: Array, p: int
) -> None:
    """d(J_i^T g)/dq at constant g of a direction, all of its coordinates with each other."""
    s, end = table.start[i] + 3, table.start[i + 1]
    if table.kind[i] == FRAME:
        y, z, n = directors(table, i, q)
        h, half = np.empty((6, 6)), (end - s) // 2
        frame_curvature(y, z, n, np.array([gx, gy, gz]), h)
        for a in range(3 * (end - s)):
            for b in range(3 * (end - s)):
                k, m = a // 3, b // 3
                c = table.coefficient[s + k] * table.coefficient[s + m]
                out[p] = c * h[a % 3 + 3 * (k >= half), b % 3 + 3 * (m >= half)]
                p += 1
    else:
        tx, ty = slope(table, i, q)
        for a in range(2 * (end - s)):
            for b in range(2 * (end - s)):
                c = table.coefficient[s + a // 2] * table.coefficient[s + b // 2]
                out[p] = c * slope_curvature(tx, ty, u[i], gx, gy, a % 2, b % 2)
                p += 1


def connect_flexible(table: VectorTable) -> None:
    """These kernels are called by address: models without beams do not compile them."""
    if not np.isin(table.kind, (FRAME, FLAT, SLOPE)).any():
        return
    table.calls[VALUE] = VECTOR_VALUE.address(flexible_value, table)
    table.calls[RATE] = VECTOR_RATE.address(flexible_rate, table)
    table.calls[TURN] = VECTOR_RATE.address(flexible_turn, table)
    table.calls[JACOBIAN] = VECTOR_JACOBIAN.address(flexible_jacobian, table)
    table.calls[PULL] = VECTOR_PULL.address(flexible_pull, table)
    table.calls[GRADIENT] = VECTOR_ENTRIES.address(flexible_gradient, table)
    table.calls[CURVATURE] = VECTOR_ENTRIES.address(flexible_curvature, table)
