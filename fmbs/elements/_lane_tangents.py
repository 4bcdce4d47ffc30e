"""Tangents of eight elements at a time, from the stations' blocks to the sparse matrix; see `_lane_kernels`.

An energy of a station's fields x has the tangent h_uv = dp_u/dx_v there, in 3 x 3 blocks, row by row, and

    K_ij = sum over stations and fields of shape_ui h_uv shape_vj
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.jit.lanes import load, same, store

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel(part=True)
def vector_fields(per: int, vectors: int) -> Integers:
    """Which fields a vector enters: how many, and which, the derivative last  # (vectors, 3)."""
    out = np.zeros((vectors, 3), np.int64)
    for i in range(vectors):
        director = i % per - (per - 3)  # 1: r_y, 2: r_z
        out[i, 0] = 1
        if director > 0:
            out[i, 0], out[i, 1], out[i, 2] = 2, director, director + 2
    return out


@kernel(plain=True, part=True)
def pair_terms(shape: Array, fields_of: Integers, pair: Integers, begin: Integers, place: Integers, weight: Array) -> None:
    """What enters K_ij of pair t: weight shape_ui shape_vj of the block at `place` of all stations', from begin[t] on.

    Pairs i <= j come first, since those are all of a symmetric tangent. shape (stations, 5, vectors)
    """
    stations, _, n = shape.shape
    t = number = 0
    for below in range(2):
        for i in range(n):
            for j in range(0 if below == 1 else i, i if below == 1 else n):
                pair[number, 0], pair[number, 1], begin[number] = i, j, t
                number += 1
                for m in range(stations):
                    for a in range(fields_of[i, 0]):
                        for b in range(fields_of[j, 0]):
                            u, v = fields_of[i, 1 + a], fields_of[j, 1 + b]
                            place[t], weight[t] = 25 * m + 5 * u + v, shape[m, u, i] * shape[m, v, j]
                            t += 1
    begin[number] = t


@kernel(inline=True)
def add_tangent(
    h: Array, pair: Integers, begin: Integers, place: Integers, weight: Array, symmetric: bool, slots: NDArray[np.int32],
    e: int, count: int, n: int, per: int, block: Array, data: Array,
) -> None:  # fmt: skip
    """K_ij straight into the sparse matrix.

    h (blocks, 9, LANES); pair, begin, place, weight: as of `pair_terms`. block (9, LANES): room for 3 x 3 blocks, which stay in
    registers until they are complete; a symmetric tangent gives two at once.
    """
    for number in range(n * (n + 1) // 2 if symmetric else n * n):
        i, j = pair[number, 0], pair[number, 1]
        k0, k1, k2 = same(0.0), same(0.0), same(0.0)
        k3, k4, k5 = same(0.0), same(0.0), same(0.0)
        k6, k7, k8 = same(0.0), same(0.0), same(0.0)
        for t in range(begin[number], begin[number + 1]):
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


@kernel(inline=True)
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
