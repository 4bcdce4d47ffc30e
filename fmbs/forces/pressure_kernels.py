"""Kernels of pressure on faces: f_i = int p N_i (x_xi x x_eta) dxi deta, outward for nodes that are seen anticlockwise.

df_i/dx_j = int p N_i [(dN_j/deta) (x_xi x) - (dN_j/dxi) (x_eta x)], where (a x) b = a x b.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.vectors import VectorTable
from fmbs.jit.compiled import kernel
from fmbs.jit.tables import table
from fmbs.math.vector_kernels import block_values, pull, vector_values
from fmbs.math.vector_table import block_pattern, columns

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@table
class PressureTable:
    """Faces under pressure; face f has the shape functions kind[f]."""

    vectors: VectorTable  # of the nodes
    faces: Integers  # (faces, most nodes): vectors of each face, -1 after the last
    kind: Integers  # (faces,)
    value: Array  # (kinds, points, nodes): N_i
    slope: Array  # (kinds, points, nodes, 2): dN_i/dxi, dN_i/deta
    weight: Array  # (kinds, points), 0 for points that a kind does not have
    pressure: Array  # (faces,) at the current time, Pa
    follower: Integers  # (faces,)
    u: Array  # (vectors, 3) room for the nodes
    drawn: Array  # (vectors, 3) at t = 0


@kernel(plain=True, part=True)
def _tangents(faces: PressureTable, f: int, point: int, x: Array, along: Array) -> None:
    """x_xi and x_eta  # (2, 3)."""
    k = faces.kind[f]
    for c in range(3):
        along[0, c] = along[1, c] = 0.0
    for i in range(faces.faces.shape[1]):
        vector = faces.faces[f, i]
        if vector >= 0:
            for c in range(3):
                along[0, c] += faces.slope[k, point, i, 0] * x[vector, c]
                along[1, c] += faces.slope[k, point, i, 1] * x[vector, c]


@kernel
def pressure_force(faces: PressureTable, q: Array, v: Array, out: Array) -> None:
    """out += f."""
    vector_values(faces.vectors, q, faces.u)
    along = np.empty((2, 3))
    for f in range(faces.kind.size):
        k, x = faces.kind[f], faces.u if faces.follower[f] else faces.drawn
        for point in range(faces.weight.shape[1]):
            w = faces.pressure[f] * faces.weight[k, point]
            if w == 0.0:
                continue
            _tangents(faces, f, point, x, along)
            a, b = along[0], along[1]
            nx, ny, nz = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
            for i in range(faces.faces.shape[1]):
                vector = faces.faces[f, i]
                if vector >= 0:
                    share = w * faces.value[k, point, i]
                    pull(faces.vectors, vector, q, faces.u, share * nx, share * ny, share * nz, out)


@kernel
def pressure_slopes(faces: PressureTable, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    """out = stiffness df/dq in the order of the pattern."""
    vector_values(faces.vectors, q, faces.u)
    along, h, none = np.empty((2, 3)), np.empty((3, 3)), np.zeros((3, 3))
    n, points = faces.faces.shape[1], faces.weight.shape[1]
    tangents = np.empty((points, 2, 3))
    p = 0
    for f in range(faces.kind.size):
        if faces.follower[f] == 0:
            continue
        k = faces.kind[f]
        for point in range(points):
            _tangents(faces, f, point, faces.u, along)
            tangents[point] = along
        for i in range(n):
            for j in range(n):
                if faces.faces[f, i] < 0 or faces.faces[f, j] < 0:
                    continue
                h[:, :] = 0.0
                for point in range(points):
                    w = faces.pressure[f] * faces.weight[k, point] * faces.value[k, point, i]
                    s, t = w * faces.slope[k, point, j, 0], w * faces.slope[k, point, j, 1]
                    for c in range(3):
                        d, e = (c + 1) % 3, (c + 2) % 3
                        turn = t * tangents[point, 0, c] - s * tangents[point, 1, c]
                        h[e, d] += turn
                        h[d, e] -= turn
                left, right = faces.faces[f, i], faces.faces[f, j]
                p = block_values(faces.vectors, left, right, q, v, faces.u, h, none, out, p, stiffness, 0.0)
    out[p:] = 0.0  # the mirrored half


@kernel(plain=True)
def pressure_pattern(faces: PressureTable, size: Integers, entries: Integers) -> None:
    """Places of the values of `pressure_slopes`; with no room for entries it counts them in size[0]."""
    p = 0
    for f in range(faces.kind.size):
        if faces.follower[f] == 0:
            continue
        for i in range(faces.faces.shape[1]):
            for j in range(faces.faces.shape[1]):
                left, right = faces.faces[f, i], faces.faces[f, j]
                if left < 0 or right < 0:
                    continue
                if entries.shape[1]:
                    p = block_pattern(faces.vectors, left, right, entries[0], entries[1], p)
                else:
                    p += columns(faces.vectors, left) * columns(faces.vectors, right)
    size[0] = p
