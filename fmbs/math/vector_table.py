"""Vectors u(q) of bodies as arrays, for kernels: what joints and forces see of a body, and which coordinates they depend on.

A `*_pattern` kernel writes the places of matrix entries from p on and returns the next p; its twin in `vector_kernels` walks
through the values in the same order, so that the sparsity pattern is computed once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.jit.tables import table

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
    calls: Integers  # (CALLS,) addresses of the kernels of flexible_vectors, 0 where there are none


@kernel(plain=True, part=True)
def layout(kind: int) -> tuple[int, int]:
    """Coordinates a block, and the table entries before the first block, of vectors made of blocks."""
    return (2 if kind in (FLAT, SLOPE) else 3), (3 if kind in (FRAME, SLOPE) else 0)


@kernel(plain=True)
def columns(table: VectorTable, i: int) -> int:
    """Number of coordinates that vector i depends on."""
    if table.kind[i] == PLANAR or table.kind[i] == FIXED:
        return 3 if table.kind[i] == PLANAR else 0
    width, skip = layout(table.kind[i])
    return int(width * (table.start[i + 1] - table.start[i] - skip))


@kernel(plain=True)
def dof_of(table: VectorTable, i: int, j: int) -> int:
    """Global number of the j-th coordinate of vector i."""
    if table.kind[i] == PLANAR:
        return int(table.dof[table.start[i]] + j)
    width, skip = layout(table.kind[i])
    return int(table.dof[table.start[i] + skip + j // width] + j % width)


@kernel(plain=True, part=True)
def common_width(table: VectorTable, i: int, j: int) -> int:
    """Components of two vectors that are linear in the coordinates in the same way, else 0."""
    linear = table.kind[i] == LINEAR or table.kind[i] == FLAT
    return layout(table.kind[i])[0] if linear and table.kind[i] == table.kind[j] else 0


@kernel(plain=True, part=True)
def pair_count(table: VectorTable, i: int, j: int) -> int:
    """Number of entries of pair_pattern."""
    return 2 * columns(table, i) * columns(table, j) // max(common_width(table, i, j), 1)


@kernel(plain=True)
def curvature_count(table: VectorTable, i: int) -> int:
    """Number of entries of curvature_pattern."""
    if table.kind[i] == FRAME or table.kind[i] == SLOPE:
        return columns(table, i) ** 2
    return int(table.kind[i] == PLANAR)


@kernel(plain=True, part=True)
def gradient_pattern(table: VectorTable, i: int, row: int, rows: Integers, cols: Integers, p: int) -> int:
    """Entries of J_i^T g as a row of the matrix, then as a column."""
    for j in range(columns(table, i)):
        rows[p], cols[p] = row, dof_of(table, i, j)
        rows[p + 1], cols[p + 1] = cols[p], row
        p += 2
    return p


@kernel(plain=True, part=True)
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


@kernel(plain=True, part=True)
def curvature_pattern(table: VectorTable, i: int, rows: Integers, cols: Integers, p: int) -> int:
    """Entries of d(J_i^T g)/dq at constant g: a planar body's angle with itself, or all of a section or slope."""
    if table.kind[i] == PLANAR:
        d = table.dof[table.start[i]] + 2
        rows[p], cols[p] = d, d
        p += 1
    elif table.kind[i] == FRAME or table.kind[i] == SLOPE:
        p = block_pattern(table, i, i, rows, cols, p)
    return p


@kernel(plain=True, part=True)
def block_pattern(table: VectorTable, i: int, j: int, rows: Integers, cols: Integers, p: int) -> int:
    """Entries of J_i^T H J_j for a full 3 x 3 matrix H."""
    for a in range(columns(table, i)):
        for b in range(columns(table, j)):
            rows[p], cols[p] = dof_of(table, i, a), dof_of(table, j, b)
            p += 1
    return p
