"""Gauss and Jordan's elimination in place, with exchanged rows, on columns that are padded to whole pieces.

A matrix is its columns below each other, each filled up with zeros to `height` numbers, whole pieces of eight. Four pivots are
taken in their own columns first, which then hold what all others need: these are read and written once for the four of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.jit.lanes import LANES, load, same, store
from fmbs.jit.pieces import padded
from fmbs.jit.places import place

Array = NDArray[np.float64]
Short = NDArray[np.int32]

PANEL = 4


def room_of(size: int) -> Array:
    """Work space of `sweep`, for matrices of up to so many rows."""
    return np.zeros(PANEL * (padded(size) + 1) + padded(size))


@kernel(plain=True, part=True)
def sweep(a: Array, height: int, size: int, count: int, pivots: Short, room: Array) -> bool:
    """[A, B; C, D] becomes [(P A)^-1, A^-1 B; -C (P A)^-1, D - C A^-1 B] with A of `count` rows; False: A is singular."""
    pieces, x = height // LANES, room[height:]
    for first in range(0, count, PANEL):
        last = min(first + PANEL, count)
        for k in range(first, last):
            own, p = k * height, k
            for i in range(k + 1, count):
                if abs(a[own + i]) > abs(a[own + p]):
                    p = i
            if not abs(a[own + p]) > 0.0:
                return False
            pivots[k] = p
            if p != k:
                for j in range(first, last):
                    a[j * height + k], a[j * height + p] = a[j * height + p], a[j * height + k]
            inverse, zero = 1.0 / a[own + k], same(0.0)
            for c in range(pieces):
                store(room, c, load(a, k * pieces + c))
                store(a, k * pieces + c, zero)
            room[k], a[own + k] = 0.0, 1.0
            for j in range(first, last):
                share = inverse * a[j * height + k]
                for c in range(j * pieces, (j + 1) * pieces):
                    store(a, c, load(a, c) - share * load(room, c - j * pieces))
                a[j * height + k] = share
        take_rows(a, height, size, first, last, pivots, x)
        for j in range(0, size, 2):
            spread(a, pieces, j, min(j + 1, size - 1), x[PANEL * j : PANEL * (j + 2)], first, last - 1)
    return True


@kernel(plain=True, part=True)
def take_rows(a: Array, height: int, size: int, first: int, last: int, pivots: Short, x: Array) -> None:
    """The rows of a panel to x, four numbers a column, from all columns but its own; zeros are left in their place."""
    for i in range(PANEL * (size + 1)):
        x[i] = 0.0
    for k in range(first, last):
        p, to = place(pivots[k]), k - first
        for own in range(0, first * height, height):
            x[to], a[own + p], a[own + k] = a[own + p], a[own + k], 0.0
            to += PANEL
        to += (last - first) * PANEL
        for own in range(last * height, size * height, height):
            x[to], a[own + p], a[own + k] = a[own + p], a[own + k], 0.0
            to += PANEL


@kernel(plain=True, part=True)
def spread(a: Array, pieces: int, j: int, other: int, x: Array, first: int, last: int) -> None:
    """Add the columns of a panel, times x, to two columns. A panel may be shorter: x is zero there."""
    if x[0] == x[1] == x[2] == x[3] == x[4] == x[5] == x[6] == x[7] == 0.0:
        return
    p0, p1, p2, p3 = (first * pieces, min(first + 1, last) * pieces, min(first + 2, last) * pieces, last * pieces)
    j, other = j * pieces, other * pieces
    for c in range(pieces):
        a0, a1, a2, a3 = load(a, p0 + c), load(a, p1 + c), load(a, p2 + c), load(a, p3 + c)
        y = load(a, j + c) + x[0] * a0 + x[1] * a1 + x[2] * a2 + x[3] * a3
        z = load(a, other + c) + x[4] * a0 + x[5] * a1 + x[6] * a2 + x[7] * a3
        store(a, other + c, z)
        store(a, j + c, y)


@kernel(plain=True, part=True)
def exchange(pivots: Short, x: Array) -> None:
    """x = P x."""
    for k in range(pivots.size):
        p = place(pivots[k])
        if p != k:
            x[k], x[p] = x[p], x[k]


@kernel(plain=True, part=True)
def combine(a: Array, place: int, height: int, pieces: int, x: Array, out: Array) -> None:
    """out = sum_k x_k a_k with the columns from `place` on, of which so many pieces count."""
    step, begin = height // LANES, place // LANES
    c = 0
    while c + 1 < pieces:
        one, two, p = same(0.0), same(0.0), begin + c
        for k in range(x.size):
            one, two = one + x[k] * load(a, p), two + x[k] * load(a, p + 1)
            p += step
        store(out, c, one)
        store(out, c + 1, two)
        c += 2
    if c < pieces:
        one, p = same(0.0), begin + c
        for k in range(x.size):
            one = one + x[k] * load(a, p)
            p += step
        store(out, c, one)
