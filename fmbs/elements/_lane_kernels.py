"""Stations of eight elements at a time, see `_station_kernels` and `math.lanes`: what happens between nodal vectors and fields.

Arrays end in a dimension of LANES, the elements e, e + 1, ... that are worked on together; they share a table. Where there are
fewer, the last lanes repeat the last element, and nothing of them is added up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.math.compiled import inlined, plain_part
from fmbs.math.lanes import LANES, load, same, store

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@plain_part
def together(kind: Integers, e: int) -> int:
    """How many elements from e on are worked on together."""
    count = 1
    while count < LANES and e + count < kind.size and kind[e + count] == kind[e]:
        count += 1
    return count


@plain_part
def gather(q: Array, first: Integers, e: int, count: int, per: int, out: Array) -> None:
    """Nodal vectors  # (vectors, 3, LANES)."""
    for lane in range(LANES):
        element = e + min(lane, count - 1)
        for node in range(first.shape[1]):
            d = first[element, node]
            for i in range(per * node, per * node + per):
                out[i, 0, lane], out[i, 1, lane], out[i, 2, lane] = q[d], q[d + 1], q[d + 2]
                d += 3


@plain_part
def fields(vectors: Array, shape: Array, per: int, x: Array) -> None:
    """x_u = sum_i shape_ui e_i  # (5, 3, LANES)."""
    for c in range(3):
        r, y, z, dy, dz = same(0.0), same(0.0), same(0.0), same(0.0), same(0.0)
        for last in range(per, vectors.shape[0] + 1, per):
            for i in range(last - per, last - 2):
                r = r + shape[0, i] * load(vectors, i, c)
            e = load(vectors, last - 2, c)
            y, dy = y + shape[1, last - 2] * e, dy + shape[3, last - 2] * e
            e = load(vectors, last - 1, c)
            z, dz = z + shape[2, last - 1] * e, dz + shape[4, last - 1] * e
        store(x, 0, c, r)
        store(x, 1, c, y)
        store(x, 2, c, z)
        store(x, 3, c, dy)
        store(x, 4, c, dz)


@plain_part
def spread(p: Array, shape: Array, per: int, force: Array) -> None:
    """force_i += sum_u shape_ui p_u  # (vectors, 3, LANES)."""
    for c in range(3):
        p0, p1, p2, p3, p4 = load(p, 0, c), load(p, 1, c), load(p, 2, c), load(p, 3, c), load(p, 4, c)
        for last in range(per, force.shape[0] + 1, per):
            for i in range(last - per, last - 2):
                store(force, i, c, load(force, i, c) + shape[0, i] * p0)
            i = last - 2
            store(force, i, c, load(force, i, c) + shape[1, i] * p1 + shape[3, i] * p3)
            i = last - 1
            store(force, i, c, load(force, i, c) + shape[2, i] * p2 + shape[4, i] * p4)


@plain_part
def add_force(force: Array, first: Integers, e: int, count: int, per: int, out: Array) -> None:
    for lane in range(count):
        for node in range(first.shape[1]):
            d = first[e + lane, node]
            for i in range(per * node, per * node + per):
                out[d] += force[i, 0, lane]
                out[d + 1] += force[i, 1, lane]
                out[d + 2] += force[i, 2, lane]
                d += 3


@plain_part
def pair_terms(shape: Array, fields_of: Integers, begin: Integers, place: Integers, weight: Array) -> None:
    """What enters K_ij: weight shape_ui shape_vj of the block h_uv at `place` of all stations' blocks, from begin[i, j] on.

    shape (stations, 5, vectors)
    """
    stations, _, n = shape.shape
    t = 0
    for i in range(n):
        for j in range(n):
            begin[n * i + j] = t
            for m in range(stations):
                for a in range(fields_of[i, 0]):
                    for b in range(fields_of[j, 0]):
                        u, v = fields_of[i, 1 + a], fields_of[j, 1 + b]
                        place[t], weight[t] = 25 * m + 5 * u + v, shape[m, u, i] * shape[m, v, j]
                        t += 1
    begin[n * n] = t


@inlined
def add_tangent(
    h: Array, begin: Integers, place: Integers, weight: Array, symmetric: bool, slots: NDArray[np.int32], e: int, count: int,
    n: int, per: int, block: Array, data: Array,
) -> None:  # fmt: skip
    """K_ij = sum over stations and fields of shape_ui h_uv shape_vj, straight into the sparse matrix.

    h (25 stations, 9, LANES); begin, place, weight: of `pair_terms`. block (9, LANES): room for 3 x 3 blocks, which stay in
    registers until they are complete; a symmetric tangent gives two at once.
    """
    for i in range(n):
        for j in range(i if symmetric else 0, n):
            k0, k1, k2 = same(0.0), same(0.0), same(0.0)
            k3, k4, k5 = same(0.0), same(0.0), same(0.0)
            k6, k7, k8 = same(0.0), same(0.0), same(0.0)
            for t in range(begin[n * i + j], begin[n * i + j + 1]):
                w, p = weight[t], place[t]
                k0, k1, k2 = k0 + w * load(h, p, 0), k1 + w * load(h, p, 1), k2 + w * load(h, p, 2)
                k3, k4, k5 = k3 + w * load(h, p, 3), k4 + w * load(h, p, 4), k5 + w * load(h, p, 5)
                k6, k7, k8 = k6 + w * load(h, p, 6), k7 + w * load(h, p, 7), k8 + w * load(h, p, 8)
            store(block, 0, k0)
            store(block, 1, k1)
            store(block, 2, k2)
            store(block, 3, k3)
            store(block, 4, k4)
            store(block, 5, k5)
            store(block, 6, k6)
            store(block, 7, k7)
            store(block, 8, k8)
            _add_columns(i, j, 1, 3, block, slots, e, count, per, data)
            if symmetric and i != j:
                _add_columns(j, i, 3, 1, block, slots, e, count, per, data)


@inlined
def _add_columns(
    i: int, j: int, right: int, down: int, block: Array, slots: NDArray[np.int32], e: int, count: int, per: int, data: Array
) -> None:
    """Blocks to the compressed columns; slots (elements, columns, nodes) of the nodes' first rows.

    right, down: steps in a block, 1 and 3 for one that is given by rows, 3 and 1 for its transpose
    """
    node, shift = i // per, 3 * (i % per)
    for lane in range(count):
        for c in range(3):
            s = slots[e + lane, 3 * j + c, node] + shift
            data[s] += block[right * c, lane]
            data[s + 1] += block[right * c + down, lane]
            data[s + 2] += block[right * c + 2 * down, lane]
