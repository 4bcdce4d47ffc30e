"""Exact tangents of contacts and films.

The kinematics g(u, u') of a joint is a chain of plain algebra around linearised laws, so it is differentiated by complex steps,
Im g(u + i eps) / eps, exact to round-off. The chain rule from vectors u to coordinates q is that of `vector_kernels`:
J^T (H J + D dJ/dt) plus the curvature of the vectors themselves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import VECTORS, N, Stations, act
from fmbs.gaps.film_kernels import DIFFERENTIATE, Films, FilmState
from fmbs.math.calls import call
from fmbs.math.compiled import kernel
from fmbs.math.tables import table
from fmbs.math.vector_kernels import (
    FIXED,
    FLAT,
    LINEAR,
    VectorTable,
    columns,
    curvature_count,
    curvature_pattern,
    curvature_values,
    dof_of,
    jacobian,
)

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@table
class Layout:
    """Joint j couples coordinates[starts[j] : starts[j + 1]]; local: where each coordinate of its vectors stands among them."""

    coordinates: Integers
    starts: Integers
    local: Integers
    local_starts: Integers


@kernel
def differentiate(
    stations: Stations, joint: int, motion: Array, loads: Array, u: Array, du: Array, by_u: Array, by_rate: Array
) -> bool:
    """by_u = dg/du, by_rate = dg/du' of one joint  # (24, 24); False where nothing touches."""
    width = 3 * VECTORS
    by_u[:, :], by_rate[:, :] = 0.0, 0.0
    x, dx = np.empty((VECTORS, 3), np.complex128), np.empty((VECTORS, 3), np.complex128)
    g = np.empty((VECTORS, 3), np.complex128)
    first, touching = VECTORS * joint, False
    for i in range(stations.joint.size):
        if stations.joint[i] != joint or loads[i, N] == 0.0:
            continue
        touching = True
        x[:, :], dx[:, :] = u[first : first + VECTORS], du[first : first + VECTORS]
        for part in range(2):
            target, result = (x, by_u) if part == 0 else (dx, by_rate)
            for k in range(VECTORS):
                for c in range(3):
                    kept = target[k, c]
                    target[k, c] = kept + 1e-100j
                    g[:, :] = 0.0
                    act(stations, i, motion, loads, x, dx, 0, g)
                    target[k, c] = kept
                    for m in range(width):
                        result[m, 3 * k + c] += g[m // 3, m % 3].imag * 1e100
    return touching


@kernel
def lift(table: VectorTable, first: int, local: Integers, q: Array, v: Array, u: Array, by_q: Array, rate_by_q: Array) -> None:
    """du/dq and du'/dq of a joint's vectors  # (24, columns); local: column of each vector's coordinates."""
    by_q[:, :], rate_by_q[:, :] = 0.0, 0.0
    place = 0
    for k in range(VECTORS):
        i = first + k
        count = columns(table, i)
        gradient = jacobian(table, i, q, u)
        for j in range(count):
            for c in range(3):
                by_q[3 * k + c, local[place + j]] = gradient[c, j]
        bends = table.kind[i] != LINEAR and table.kind[i] != FLAT and table.kind[i] != FIXED
        if bends:
            size = curvature_count(table, i)
            values = np.empty(size)
            rows, cols = np.empty(size, np.int64), np.empty(size, np.int64)
            curvature_pattern(table, i, rows, cols, 0)
            along = np.eye(3)
            for c in range(3):
                curvature_values(table, i, q, u, along[c, 0], along[c, 1], along[c, 2], values, 0)
                for m in range(size):
                    for j in range(count):
                        if dof_of(table, i, j) == rows[m]:
                            rate_by_q[3 * k + c, local[place + j]] += values[m] * v[cols[m]]
        place += count


@kernel
def chain_rule(
    by_u: Array, by_rate: Array, by_q: Array, rate_by_q: Array, stiffness: float, damping: float, out: Array, p: int
) -> int:
    """out = -[U^T (H (k U) + D (k U' + d U))], row by row of the joint's coordinates."""
    width, count = by_q.shape
    moved = np.zeros((width, count))
    for a in range(width):
        for k in range(width):
            h, d = stiffness * by_u[a, k] + damping * by_rate[a, k], stiffness * by_rate[a, k]
            if h != 0.0 or d != 0.0:
                for c in range(count):
                    moved[a, c] += h * by_q[k, c] + d * rate_by_q[k, c]
    for r in range(count):
        for c in range(count):
            out[p + r * count + c] = 0.0
        for a in range(width):
            x = by_q[a, r]
            if x != 0.0:
                for c in range(count):
                    out[p + r * count + c] -= x * moved[a, c]
    return p + count * count


@kernel
def tangent(
    table: VectorTable, stations: Stations, films: Films, layout: Layout, motion: Array, loads: Array, film: FilmState,
    q: Array, v: Array, u: Array, du: Array, g: Array, stiffness: float, damping: float, out: Array,
) -> None:  # fmt: skip
    """stiffness df/dq + damping df/dv of all joints, in the order of `pattern`."""
    width = 3 * VECTORS
    by_u, by_rate = np.empty((width, width)), np.empty((width, width))
    p = 0
    for joint in range(layout.starts.size - 1):
        first, count = VECTORS * joint, layout.starts[joint + 1] - layout.starts[joint]
        active = differentiate(stations, joint, motion, loads, u, du, by_u, by_rate)
        if films.joint.size:
            active = True
            call(films.calls[DIFFERENTIATE], films, stations, joint, film, u, du, by_u, by_rate)
        if active:
            by_q, rate_by_q = np.empty((width, count)), np.empty((width, count))
            local = layout.local[layout.local_starts[joint] : layout.local_starts[joint + 1]]
            lift(table, first, local, q, v, u, by_q, rate_by_q)
            p = chain_rule(by_u, by_rate, by_q, rate_by_q, stiffness, damping, out, p)
        else:
            out[p : p + count * count] = 0.0
            p += count * count
        for k in range(first, first + VECTORS):
            p = curvature_values(table, k, q, u, -stiffness * g[k, 0], -stiffness * g[k, 1], -stiffness * g[k, 2], out, p)


@kernel
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
