"""Kernels that all beams share: what happens between nodal vectors and the axial quadrature points, the stations.

Contract: element e has vectors e_i = q[first[e, i // per] + 3 (i % per) : + 3], at every node those of the centre line, then
r_y and r_z. shape (5, vectors): a', b, c, b', c' at a station, where a belongs to vectors of the centre line only, b to r_y and
c to r_z. The station's fields are

    x = (r', y, z, y', z'),   x_u = sum_i shape_ui e_i,

an energy of x has the force p_u = dU/dx_u there, and the tangent h_uv = dp_u/dx_v in 3 x 3 blocks: h (25, 9) with h_uv at
5 u + v.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.math.compiled import inlined, kernel_part

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@inlined
def gather(q: Array, first: Integers, e: int, per: int, out: Array) -> None:
    """Nodal vectors of element e  # (vectors, 3)."""
    for i in range(out.shape[0]):
        d = first[e, i // per] + 3 * (i % per)
        out[i, 0], out[i, 1], out[i, 2] = q[d], q[d + 1], q[d + 2]


@inlined
def fields(vectors: Array, shape: Array, per: int, x: Array) -> None:
    """x_u = sum_i shape_ui e_i  # (5, 3); the sums stay in registers."""
    r0 = r1 = r2 = y0 = y1 = y2 = z0 = z1 = z2 = dy0 = dy1 = dy2 = dz0 = dz1 = dz2 = 0.0
    for last in range(per, vectors.shape[0] + 1, per):
        for i in range(last - per, last - 2):
            w = shape[0, i]
            r0, r1, r2 = r0 + w * vectors[i, 0], r1 + w * vectors[i, 1], r2 + w * vectors[i, 2]
        b, db = shape[1, last - 2], shape[3, last - 2]
        e0, e1, e2 = vectors[last - 2, 0], vectors[last - 2, 1], vectors[last - 2, 2]
        y0, y1, y2 = y0 + b * e0, y1 + b * e1, y2 + b * e2
        dy0, dy1, dy2 = dy0 + db * e0, dy1 + db * e1, dy2 + db * e2
        c, dc = shape[2, last - 1], shape[4, last - 1]
        e0, e1, e2 = vectors[last - 1, 0], vectors[last - 1, 1], vectors[last - 1, 2]
        z0, z1, z2 = z0 + c * e0, z1 + c * e1, z2 + c * e2
        dz0, dz1, dz2 = dz0 + dc * e0, dz1 + dc * e1, dz2 + dc * e2
    x[0, 0], x[0, 1], x[0, 2] = r0, r1, r2
    x[1, 0], x[1, 1], x[1, 2] = y0, y1, y2
    x[2, 0], x[2, 1], x[2, 2] = z0, z1, z2
    x[3, 0], x[3, 1], x[3, 2] = dy0, dy1, dy2
    x[4, 0], x[4, 1], x[4, 2] = dz0, dz1, dz2


@inlined
def spread(p: Array, shape: Array, per: int, force: Array) -> None:
    """force_i += sum_u shape_ui p_u  # (vectors, 3)."""
    for last in range(per, force.shape[0] + 1, per):
        for i in range(last - per, last - 2):
            for c in range(3):
                force[i, c] += shape[0, i] * p[0, c]
        for c in range(3):
            force[last - 2, c] += shape[1, last - 2] * p[1, c] + shape[3, last - 2] * p[3, c]
            force[last - 1, c] += shape[2, last - 1] * p[2, c] + shape[4, last - 1] * p[4, c]


@inlined
def add_force(force: Array, first: Integers, e: int, per: int, out: Array) -> None:
    for i in range(force.shape[0]):
        d = first[e, i // per] + 3 * (i % per)
        for c in range(3):
            out[d + c] += force[i, c]


@kernel_part
def vector_fields(per: int, vectors: int) -> Integers:
    """Which fields a vector enters: how many, and which, the derivative last  # (vectors, 3)."""
    out = np.zeros((vectors, 3), np.int64)
    for i in range(vectors):
        director = i % per - (per - 3)  # 1: r_y, 2: r_z
        out[i, 0] = 1
        if director > 0:
            out[i, 0], out[i, 1], out[i, 2] = 2, director, director + 2
    return out


@inlined
def add_tangent(
    h: Array, full: int, shape: Array, k: int, fields_of: Integers, symmetric: bool, slots: NDArray[np.int32], e: int, per: int,
    data: Array,
) -> None:  # fmt: skip
    """K_ij = sum over stations and fields of shape_ui h_uv shape_vj, straight into the sparse matrix.

    h (stations, 25, 9); after the first `full` stations only the blocks of y and z count. A 3 x 3 block stays in registers
    until it is complete; a symmetric tangent gives two blocks at once.
    """
    n = shape.shape[3]
    for i in range(n):
        for j in range(i if symmetric else 0, n):
            k0 = k1 = k2 = k3 = k4 = k5 = k6 = k7 = k8 = 0.0
            for m in range(h.shape[0]):
                left_out = 0 if m < full else 1  # the derivative, which comes last
                for a in range(fields_of[i, 0] - left_out):
                    u = fields_of[i, 1 + a]
                    left = shape[k, m, u, i]
                    for b in range(fields_of[j, 0] - left_out):
                        v = fields_of[j, 1 + b]
                        w, t = left * shape[k, m, v, j], 5 * u + v
                        k0, k1, k2 = k0 + w * h[m, t, 0], k1 + w * h[m, t, 1], k2 + w * h[m, t, 2]
                        k3, k4, k5 = k3 + w * h[m, t, 3], k4 + w * h[m, t, 4], k5 + w * h[m, t, 5]
                        k6, k7, k8 = k6 + w * h[m, t, 6], k7 + w * h[m, t, 7], k8 + w * h[m, t, 8]
            _add_columns(i, j, k0, k1, k2, k3, k4, k5, k6, k7, k8, slots, e, per, data)
            if symmetric and i != j:
                _add_columns(j, i, k0, k3, k6, k1, k4, k7, k2, k5, k8, slots, e, per, data)


@inlined
def _add_columns(
    i: int, j: int, k0: float, k1: float, k2: float, k3: float, k4: float, k5: float, k6: float, k7: float, k8: float,
    slots: NDArray[np.int32], e: int, per: int, data: Array,
) -> None:  # fmt: skip
    """A block, given by rows, to the compressed columns; slots (elements, columns, nodes) of the nodes' first rows."""
    node, shift = i // per, 3 * (i % per)
    s = slots[e, 3 * j, node] + shift
    data[s] += k0
    data[s + 1] += k3
    data[s + 2] += k6
    s = slots[e, 3 * j + 1, node] + shift
    data[s] += k1
    data[s + 1] += k4
    data[s + 2] += k7
    s = slots[e, 3 * j + 2, node] + shift
    data[s] += k2
    data[s + 1] += k5
    data[s + 2] += k8
