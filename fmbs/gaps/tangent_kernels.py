"""Exact tangents of contacts and films.

The kinematics g(u, u') of a joint is a chain of plain algebra around linearised laws, so it is differentiated by complex steps,
exact to round-off. With U = du/dq and U' = du'/dq, column j of k df/dq + d df/dv is

    U^T Im g(u + i eps k U_j, u' + i eps (k U'_j + d U_j)) / eps

plus the curvature of the vectors themselves: one evaluation for each coordinate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import VECTORS, N, act
from fmbs.gaps.film_kernels import BEND
from fmbs.gaps.joint_tables import LIFT, Gaps, Layout, Work
from fmbs.math.calls import call
from fmbs.math.compiled import kernel, plain_kernel, plain_part
from fmbs.math.vector_kernels import curvature_values, entry, jacobian
from fmbs.math.vector_table import (
    FIXED,
    LINEAR,
    PLANAR,
    VectorTable,
    columns,
    curvature_count,
    curvature_pattern,
    dof_of,
)

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

STEP = 1e-100  # along the imaginary axis


@plain_part
def acts(gaps: Gaps, joint: int, loads: Array) -> bool:
    """Does anything touch in this joint, or does a film fill it?"""
    found = False
    for i in range(gaps.stations.joint.size):
        found = found or (gaps.stations.joint[i] == joint and loads[i, N] != 0.0)
    for f in range(gaps.films.joint.size):
        found = found or gaps.films.joint[f] == joint
    return found


@plain_part
def push_joint(gaps: Gaps, work: Work, joint: int, x: Any, dx: Any, g: Any) -> None:
    """Forces conjugate to the vectors x of one joint, whose laws and films are linear about where they were evaluated."""
    stations, films = gaps.stations, gaps.films
    g[:, :] = 0.0
    for i in range(stations.joint.size):
        if stations.joint[i] == joint and work.loads[i, N] != 0.0:
            act(stations, i, work.motion, work.loads, x, dx, 0, g)
    if films.joint.size:
        call(films.calls[BEND], films, stations, joint, work.film, x, dx, g)


@plain_part
def lift(
    table: VectorTable, first: int, local: Integers, q: Array, v: Array, u: Array, by_q: Array, rate_by_q: Array, flexible: int
) -> None:  # fmt: skip
    """du/dq and du'/dq of a joint's vectors  # (24, columns).

    local: column of each vector's coordinates; flexible: address of `lift_flexible`, 0 on rigid bodies
    """
    by_q[:, :], rate_by_q[:, :] = 0.0, 0.0
    place = 0
    for k in range(VECTORS):
        i = first + k
        count = columns(table, i)
        if table.kind[i] == LINEAR or table.kind[i] == PLANAR:
            for c in range(3):
                for j in range(count):
                    by_q[3 * k + c, local[place + j]] = entry(table, i, q, u, c, j)
        elif table.kind[i] != FIXED:
            call(flexible, table, i, 3 * k, local[place : place + count], q, v, u, by_q, rate_by_q)
        if table.kind[i] == PLANAR:
            d, p = table.dof[table.start[i]], table.coefficient[table.start[i]]
            for c in range(2):
                rate_by_q[3 * k + c, local[place + 2]] = -v[d + 2] * (u[i, c] - p * q[d + c])
        place += count


@kernel
def lift_flexible(
    table: VectorTable, i: int, row: int, local: Integers, q: Array, v: Array, u: Array, by_q: Array, rate_by_q: Array
) -> None:
    """`lift` of a vector of a beam; its three rows begin at `row`."""
    gradient, size = jacobian(table, i, q, u), curvature_count(table, i)
    values, rows, cols, along = np.empty(size), np.empty(size, np.int64), np.empty(size, np.int64), np.eye(3)
    curvature_pattern(table, i, rows, cols, 0)
    for c in range(3):
        for j in range(local.size):
            by_q[row + c, local[j]] = gradient[c, j]
        curvature_values(table, i, q, u, along[c, 0], along[c, 1], along[c, 2], values, 0)
        for m in range(size):
            for j in range(local.size):
                if dof_of(table, i, j) == rows[m]:
                    rate_by_q[row + c, local[j]] += values[m] * v[cols[m]]


@plain_part
def tangent(gaps: Gaps, work: Work, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    """stiffness df/dq + damping df/dv of all joints, in the order of `pattern`."""
    layout, u, g = gaps.layout, work.u, work.g
    x, dx, pushed = work.beside[0], work.beside[1], work.beside[2]
    by_q, rate_by_q = work.lifted[0], work.lifted[1]
    p = 0
    for joint in range(layout.starts.size - 1):
        first, count = VECTORS * joint, layout.starts[joint + 1] - layout.starts[joint]
        out[p : p + count * count] = 0.0
        if acts(gaps, joint, work.loads):
            local = layout.local[layout.local_starts[joint] : layout.local_starts[joint + 1]]
            lift(gaps.vectors, first, local, q, v, u, by_q, rate_by_q, layout.calls[LIFT])
            for column in range(count):
                for k in range(VECTORS):
                    for c in range(3):
                        moved, turned = by_q[3 * k + c, column], rate_by_q[3 * k + c, column]
                        x[k, c] = complex(u[first + k, c], STEP * stiffness * moved)
                        dx[k, c] = complex(work.du[first + k, c], STEP * (stiffness * turned + damping * moved))
                push_joint(gaps, work, joint, x, dx, pushed)
                for k in range(VECTORS):
                    for c in range(3):
                        slope = pushed[k, c].imag / STEP
                        if slope != 0.0:
                            for row in range(count):
                                out[p + row * count + column] -= by_q[3 * k + c, row] * slope
        p += count * count
        for k in range(first, first + VECTORS):
            along = -stiffness
            p = curvature_values(gaps.vectors, k, q, u, along * g[k, 0], along * g[k, 1], along * g[k, 2], out, p)


@plain_kernel
def pattern(table: VectorTable, layout: Layout, rows: Integers, cols: Integers) -> None:
    """Places of the entries of `tangent`."""
    p = 0
    for joint in range(layout.starts.size - 1):
        for a in range(layout.starts[joint], layout.starts[joint + 1]):
            for b in range(layout.starts[joint], layout.starts[joint + 1]):
                rows[p], cols[p] = layout.coordinates[a], layout.coordinates[b]
                p += 1
        for k in range(VECTORS * joint, VECTORS * (joint + 1)):
            p = curvature_pattern(table, k, rows, cols, p)
