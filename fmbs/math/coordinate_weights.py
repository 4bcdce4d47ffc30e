"""Weights of constraint terms that are functions f(x) of a coordinate x, with two derivatives.

Kinds: COSINE, SINE, ITSELF, and PIECES: a cubic in xi on each of some cells in a row, zero on the others,

    shape = width, cells, first, count, then count times c_0 ... c_3:   f = sum c_k xi^k,   xi = x / width - cell,

for x outside the cells the first or last cell goes on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

ITSELF, COSINE, SINE, PIECES = 0, 1, 2, 3
NOWHERE = -1  # in place of a coordinate


@table
class WeightTable:
    """The functions of all terms; `moved` are the terms that have one."""

    coordinate: Integers  # (terms,) global number of x, or NOWHERE
    kind: Integers  # (terms,)
    start: Integers  # (terms,) where its numbers begin in `shape`
    shape: Array
    moved: Integers


@kernel(plain=True, part=True)
def piece(shape: Array, s: int, x: float) -> tuple[float, float, float]:
    """f, f', f'' of PIECES."""
    width, cells, first, count = shape[s], int(shape[s + 1]), int(shape[s + 2]), int(shape[s + 3])
    cell = min(max(int(np.floor(x / width)), 0), cells - 1)
    if cell < first or cell >= first + count:
        return 0.0, 0.0, 0.0
    k, xi = s + 4 + 4 * (cell - first), x / width - cell
    a, b, c, d = shape[k], shape[k + 1], shape[k + 2], shape[k + 3]
    slope = (b + xi * (2.0 * c + xi * 3.0 * d)) / width
    return a + xi * (b + xi * (c + xi * d)), slope, (2.0 * c + 6.0 * d * xi) / width**2


@kernel(plain=True, part=True)
def coordinate_weight(weights: WeightTable, i: int, q: Array) -> tuple[float, float, float]:
    """f, f', f'' of term i; 1, 0, 0 of a term that depends on no coordinate."""
    if weights.coordinate[i] == NOWHERE:
        return 1.0, 0.0, 0.0
    x, kind = q[weights.coordinate[i]], weights.kind[i]
    if kind == ITSELF:
        return x, 1.0, 0.0
    if kind == PIECES:
        return piece(weights.shape, weights.start[i], x)
    cos, sin = np.cos(x), np.sin(x)
    if kind == COSINE:
        return cos, -sin, -cos
    return sin, cos, -sin


def weight_values(kind: int, shape: Array, x: Array) -> Array:
    """f of many x."""
    whole = np.array([0, 1, 0], np.int64)
    weights = WeightTable(whole[:1], np.array([kind], np.int64), whole[:1], shape, whole[:1])
    return np.array([coordinate_weight_of(weights, np.array([value])) for value in x])


@kernel(plain=True)
def coordinate_weight_of(weights: WeightTable, q: Array) -> float:
    """f of the first term."""
    return coordinate_weight(weights, 0, q)[0]
