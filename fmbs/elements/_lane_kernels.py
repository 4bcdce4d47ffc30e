"""Stations of eight elements at a time: what happens between nodal vectors and the axial quadrature points, the stations.

Contract: element e has vectors e_i = q[first[e, i // per] + 3 (i % per) : + 3], at every node those of the centre line, then
r_y and r_z. shape (5, vectors): a', b, c, b', c' at a station, where a belongs to vectors of the centre line only, b to r_y and
c to r_z. The station's fields are

    x = (r', y, z, y', z'),   x_u = sum_i shape_ui e_i,

and an energy of x has the force p_u = dU/dx_u there. Arrays end in a dimension of LANES (see `jit.lanes`), the elements e,
e + 1, ... that are worked on together; they share a table. Where there are fewer, the last lanes repeat the last element, and
nothing of them is added up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.jit.lanes import LANES, load, same, store

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel(plain=True, part=True)
def together(kind: Integers, e: int) -> int:
    """How many elements from e on are worked on together."""
    count = 1
    while count < LANES and e + count < kind.size and kind[e + count] == kind[e]:
        count += 1
    return count


@kernel(plain=True, part=True)
def gather(q: Array, first: Integers, e: int, count: int, per: int, out: Array) -> None:
    """Nodal vectors  # (vectors, 3, LANES)."""
    for lane in range(LANES):
        element = e + min(lane, count - 1)
        for node in range(first.shape[1]):
            d = first[element, node]
            for i in range(per * node, per * node + per):
                out[i, 0, lane], out[i, 1, lane], out[i, 2, lane] = q[d], q[d + 1], q[d + 2]
                d += 3


@kernel(plain=True, part=True)
def gather_rows(table: Array, e: int, count: int, out: Array) -> None:
    """What each element has for itself: table (elements, n) -> (n, LANES)."""
    for lane in range(LANES):
        element = e + min(lane, count - 1)
        for k in range(table.shape[1]):
            out[k, lane] = table[element, k]


@kernel(plain=True, part=True)
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


@kernel(plain=True, part=True)
def director_fields(vectors: Array, shape: Array, per: int, x: Array) -> None:
    """y and z of the fields only."""
    for c in range(3):
        y, z = same(0.0), same(0.0)
        for last in range(per, vectors.shape[0] + 1, per):
            y = y + shape[1, last - 2] * load(vectors, last - 2, c)
            z = z + shape[2, last - 1] * load(vectors, last - 1, c)
        store(x, 1, c, y)
        store(x, 2, c, z)


@kernel(plain=True, part=True)
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


@kernel(plain=True, part=True)
def spread_directors(p: Array, shape: Array, per: int, force: Array) -> None:
    """Where only y and z have a force."""
    for c in range(3):
        y, z = load(p, 1, c), load(p, 2, c)
        for last in range(per, force.shape[0] + 1, per):
            store(force, last - 2, c, load(force, last - 2, c) + shape[1, last - 2] * y)
            store(force, last - 1, c, load(force, last - 1, c) + shape[2, last - 1] * z)


@kernel(plain=True, part=True)
def add_force(force: Array, first: Integers, e: int, count: int, per: int, out: Array) -> None:
    for lane in range(count):
        for node in range(first.shape[1]):
            d = first[e + lane, node]
            for i in range(per * node, per * node + per):
                out[d] += force[i, 0, lane]
                out[d + 1] += force[i, 1, lane]
                out[d + 2] += force[i, 2, lane]
                d += 3
