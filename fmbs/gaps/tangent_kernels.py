"""Exact tangents of contacts and films.

With U = du/dq and U' = du'/dq of a joint's vectors, column j of k df/dq + d df/dv is U^T times the change of the forces g on
the vectors when these change by w = k U_j and their rates by w' = k U'_j + d U_j, plus the curvature of the vectors themselves.
Contacts are differentiated by hand (`act_change`). Films are a chain of plain algebra around a linearised law, so complex steps
do it, exact to round-off: Im g(u + i eps w, u' + i eps w') / eps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import VECTORS, N, act_change
from fmbs.gaps.film_kernels import BEND, BEND_FILMS
from fmbs.gaps.joint_tables import LIFT, LIFT_VECTOR, Gaps, Layout, Work
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
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


@kernel(plain=True, part=True)
def acts(gaps: Gaps, joint: int, loads: Array) -> bool:
    """Does anything touch in this joint, or does a film fill it?"""
    found = False
    for i in range(gaps.stations.joint.size):
        found = found or (gaps.stations.joint[i] == joint and loads[i, N] != 0.0)
    for f in range(gaps.films.joint.size):
        found = found or gaps.films.joint[f] == joint
    return found


@kernel(plain=True, part=True)
def films_change(gaps: Gaps, work: Work, joint: int, w: Array, dw: Array, g: Array) -> None:
    """Add the changes of one joint's films, linear about where they were evaluated."""
    x, dx, pushed, first = work.beside[0], work.beside[1], work.beside[2], VECTORS * joint
    for k in range(VECTORS):
        for c in range(3):
            x[k, c] = complex(work.u[first + k, c], STEP * w[k, c])
            dx[k, c] = complex(work.du[first + k, c], STEP * dw[k, c])
    pushed[:, :] = 0.0
    call(BEND_FILMS, gaps.films.calls[BEND], gaps.films, gaps.stations, joint, work.film, x, dx, pushed)
    for k in range(VECTORS):
        for c in range(3):
            g[k, c] += pushed[k, c].imag / STEP


@kernel(plain=True, part=True)
def joint_change(gaps: Gaps, work: Work, joint: int, w: Array, dw: Array, g: Array) -> None:
    """Change of the forces on the vectors of one joint."""
    stations = gaps.stations
    g[:, :] = 0.0
    for i in range(stations.joint.size):
        if stations.joint[i] == joint and work.loads[i, N] != 0.0:
            act_change(stations, i, work.loads, work.frames, work.u, work.du, w, dw, g)
    if gaps.films.joint.size:
        films_change(gaps, work, joint, w, dw, g)


@kernel(plain=True, part=True)
def lift(
    table: VectorTable, first: int, local: Integers, q: Array, v: Array, u: Array, by_q: Array, rate_by_q: Array, flexible: int
) -> None:  # fmt: skip
    """du/dq and du'/dq of a joint's vectors, transposed  # (columns, 24).

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
                    by_q[local[place + j], 3 * k + c] = entry(table, i, q, u, c, j)
        elif table.kind[i] != FIXED:
            call(LIFT_VECTOR, flexible, table, i, 3 * k, local[place : place + count], q, v, u, by_q, rate_by_q)
        if table.kind[i] == PLANAR:
            d, p = table.dof[table.start[i]], table.coefficient[table.start[i]]
            for c in range(2):
                rate_by_q[local[place + 2], 3 * k + c] = -v[d + 2] * (u[i, c] - p * q[d + c])
        place += count


@kernel
def lift_flexible(
    table: VectorTable, i: int, row: int, local: Integers, q: Array, v: Array, u: Array, by_q: Array, rate_by_q: Array
) -> None:
    """`lift` of a vector of a beam, whose components begin at `row`."""
    gradient, size = jacobian(table, i, q, u), curvature_count(table, i)
    values, rows, cols, along = np.empty(size), np.empty(size, np.int64), np.empty(size, np.int64), np.eye(3)
    curvature_pattern(table, i, rows, cols, 0)
    for c in range(3):
        for j in range(local.size):
            by_q[local[j], row + c] = gradient[c, j]
        curvature_values(table, i, q, u, along[c, 0], along[c, 1], along[c, 2], values, 0)
        for m in range(size):
            for j in range(local.size):
                if dof_of(table, i, j) == rows[m]:
                    rate_by_q[local[j], row + c] += values[m] * v[cols[m]]


@kernel(plain=True, part=True)
def tangent(gaps: Gaps, work: Work, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    """stiffness df/dq + damping df/dv of all joints, in the order of `pattern`."""
    layout, u, g = gaps.layout, work.u, work.g
    w, dw, change = work.flat_changes[0], work.flat_changes[1], work.flat_changes[2]
    by_q, rate_by_q = work.lifted[0], work.lifted[1]
    p = 0
    for joint in range(layout.starts.size - 1):
        first, count = VECTORS * joint, layout.starts[joint + 1] - layout.starts[joint]
        if acts(gaps, joint, work.loads):
            local = layout.local[layout.local_starts[joint] : layout.local_starts[joint + 1]]
            lift(gaps.vectors, first, local, q, v, u, by_q, rate_by_q, layout.calls[LIFT])
            for column in range(count):
                for k in range(3 * VECTORS):
                    w[k] = stiffness * by_q[column, k]
                    dw[k] = stiffness * rate_by_q[column, k] + damping * by_q[column, k]
                joint_change(gaps, work, joint, work.changes[0], work.changes[1], work.changes[2])
                for row in range(count):
                    total = 0.0
                    for k in range(3 * VECTORS):
                        total += by_q[row, k] * change[k]
                    out[p + row * count + column] = -total
        else:
            out[p : p + count * count] = 0.0
        p += count * count
        for k in range(first, first + VECTORS):
            along = -stiffness
            p = curvature_values(gaps.vectors, k, q, u, along * g[k, 0], along * g[k, 1], along * g[k, 2], out, p)


@kernel(plain=True)
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
