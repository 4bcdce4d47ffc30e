"""Tangents of a director frame's strains at a point of eight beam elements; see _director_kernels.py.

With the gradients g_k and second derivatives H_k of the strains over the local fields, stress s_k and moduli D_k,

    h = sum_k D_k g_k (stiffness (g_k + damping H_k x') + damping_coefficient damping g_k)^T + stiffness s_k H_k

has few entries that are not zero, of few terms each: tables list them.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from fmbs.elements._director_kernels import A1, A2, A3, B1, B2, B3, C1, C2, C3, ENTRY, FACTOR, FIELD, GRADIENT, ONE, STRAIN
from fmbs.jit.compiled import kernel
from fmbs.jit.lanes import load, same, store

Array = NDArray[np.float64]

CURVATURE: dict[tuple[int, int], list[tuple[int, int, int]]] = {  # of entries i <= j: factor, entry of `local`, strain
    # r' with y and z
    (0, 3): [(1, ONE, 1)], (0, 6): [(1, ONE, 2)], (1, 3): [(-1, ONE, 0)], (1, 7): [(1, ONE, 2)], (2, 6): [(-1, ONE, 0)],
    (2, 7): [(-1, ONE, 1)],
    # y with y
    (3, 3): [(-1, A1, 0), (-1, A2, 1), (1, C2, 3), (-1, C1, 4), (2, B1, 5)],
    (3, 4): [(1, A2, 0), (-1, A1, 1), (1, C1, 3), (1, C2, 4), (-2, B2, 5)],
    (3, 5): [(-1, C2, 5)], (4, 4): [(-2, B1, 5)], (4, 5): [(-1, C1, 5)],
    # y with z
    (3, 6): [(-1, A3, 1), (1, C3, 3), (1, C1, 5)],
    (3, 7): [(1, A3, 0), (1, C3, 4), (-1, B3, 5), (-1, C2, 5)],
    (3, 8): [(1, C1, 3), (1, C2, 4)], (4, 6): [(-1, B3, 5)],
    (5, 6): [(1, A2, 0), (-1, A1, 1), (1, C1, 3), (1, C2, 4), (-1, B2, 5), (-1, C3, 5)],
    (5, 7): [(-1, B1, 5)], (5, 8): [(-1, C1, 5)],
    # y with y' and z'
    (3, 10): [(1, ONE, 5)], (4, 9): [(1, ONE, 5)], (3, 12): [(-1, ONE, 3)], (3, 13): [(-1, ONE, 4)], (5, 12): [(1, ONE, 5)],
    # z with z
    (6, 6): [(-1, A1, 0), (-1, A3, 2), (1, C2, 3), (-2, C1, 4), (1, B1, 5)],
    (6, 7): [(-1, A1, 1), (1, C1, 3), (-1, C3, 5)],
    (6, 8): [(1, A3, 0), (-1, A1, 2), (2, C3, 4), (-1, B3, 5)],
    (7, 7): [(-1, A2, 1), (-1, A3, 2), (2, C2, 3), (-1, C1, 4), (-1, B1, 5)],
    (7, 8): [(1, A3, 1), (-1, A2, 2), (-2, C3, 3), (-2, C1, 5)],
    (8, 8): [(-2, C2, 3), (2, C1, 4)],
    # z with y' and z'
    (6, 11): [(1, ONE, 5)], (6, 14): [(-1, ONE, 4)], (7, 12): [(1, ONE, 5)], (7, 14): [(1, ONE, 3)], (8, 12): [(-1, ONE, 4)],
    (8, 13): [(1, ONE, 3)],
}  # fmt: skip
_BOTH = {entry: terms for (i, j), terms in CURVATURE.items() for entry in ((i, j), (j, i))}
_SECOND = np.array([(k, i, j, factor, field) for (i, j), terms in _BOTH.items() for factor, field, k in terms])


def _entries() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]:
    """Entries of h: i, j, first term of H, first dyad; terms: factor, entry of `local`, strain; strains of the dyads.

    Those on and above the diagonal of a symmetric h come first, then all of one with damping; last the number of the first.
    """
    entries: list[tuple[int, int, int, int]] = []
    terms: list[tuple[int, int, int]] = []
    dyads: list[int] = []
    left = {(k, i) for k, i, _, _ in GRADIENT}
    damped = left | {(k, i) for k, i, *_ in _SECOND.tolist()}
    for right in (left, damped):
        for i, j in product(range(15), range(15)):
            both = [k for k in range(6) if (k, i) in left and (k, j) in right]
            if (both or (i, j) in _BOTH) and (right is damped or i <= j):
                entries.append((i, j, len(terms), len(dyads)))
                terms += _BOTH.get((i, j), [])
                dyads += both
        if right is left:
            symmetric = len(entries)
    entries.append((0, 0, len(terms), len(dyads)))
    return np.array(entries), np.array(terms), np.array(dyads), symmetric


ENTRIES, TERMS, DYADS, SYMMETRIC = _entries()


@kernel(plain=True, part=True)
def damped_gradients(local: Array, local_rate: Array, along: Array, of_rate: Array, right: Array) -> None:
    """right_k = along g_k + of_rate H_k x'  # (6, 15, LANES); along, of_rate (1, LANES), 0 without damping."""
    right[:, :, :] = 0.0
    a, b = load(along, 0), load(of_rate, 0)
    for t in range(STRAIN.size):
        store(right, STRAIN[t], ENTRY[t], a * FACTOR[t] * load(local, FIELD[t]))
    for t in range(_SECOND.shape[0]):
        k, i, j, factor, field = _SECOND[t, 0], _SECOND[t, 1], _SECOND[t, 2], float(_SECOND[t, 3]), _SECOND[t, 4]
        store(right, k, i, load(right, k, i) + factor * b * load(local, field) * load(local_rate, j))


@kernel(plain=True, part=True)
def gradients(local: Array, moduli: Array, out: Array) -> None:
    """D_k g_k  # (6, 15, LANES); the other entries are not touched."""
    for t in range(STRAIN.size):
        store(out, STRAIN[t], ENTRY[t], FACTOR[t] * load(moduli, STRAIN[t]) * load(local, FIELD[t]))


@kernel(plain=True, part=True)
def local_tangent(local: Array, stress: Array, left: Array, right: Array, symmetric: bool, h: Array) -> None:
    """h = sum_k left_k right_k^T + stress_k H_k  # (15, 15, LANES); entries that are always zero are not touched."""
    for n in range(0 if symmetric else SYMMETRIC, SYMMETRIC if symmetric else ENTRIES.shape[0] - 1):
        i, j = ENTRIES[n, 0], ENTRIES[n, 1]
        total = same(0.0)
        for t in range(ENTRIES[n, 2], ENTRIES[n + 1, 2]):
            total = total + float(TERMS[t, 0]) * load(local, TERMS[t, 1]) * load(stress, TERMS[t, 2])
        for t in range(ENTRIES[n, 3], ENTRIES[n + 1, 3]):
            total = total + load(left, DYADS[t], i) * load(right, DYADS[t], j)
        store(h, i, j, total)
        if symmetric:
            store(h, j, i, total)


@kernel(plain=True, part=True)
def turned_axes(r: Array, scale: Array, by_speed: Array, axes: Array) -> None:
    """Local fields over the fields, d local_u / dx_u = axes_u  # (5, 3, 3, LANES)."""
    by_y, by_z, along = load(scale, 1), load(scale, 2), load(by_speed, 0)
    for i in range(3):
        for c in range(3):
            value = load(r, i, c)
            store(axes, 0, i, c, along * value)
            store(axes, 1, i, c, by_y * value)
            store(axes, 2, i, c, by_z * value)
            store(axes, 3, i, c, along * by_y * value)
            store(axes, 4, i, c, along * by_z * value)


@kernel(inline=True)
def turn(h: Array, axes: Array, scale: Array, symmetric: bool, half: Array, out: Array) -> None:
    """T^T h T  # (25, 9, LANES), where T = d local/dx: `axes`, and -p times those of y for z, alike for y' and z'.

    r' has nothing to do with y' and z': those blocks are left as they are. half (15, 5, 3, LANES): room
    """
    p = load(scale, 0)
    for v in range(5):
        for i in range(3 if v > 2 else 0, 15 if v > 0 else 9):
            h0, h1, h2 = load(h, i, 3 * v), load(h, i, 3 * v + 1), load(h, i, 3 * v + 2)
            for c in range(3):
                total = h0 * load(axes, v, 0, c) + h1 * load(axes, v, 1, c) + h2 * load(axes, v, 2, c)
                if v == 2 or v == 4:
                    total = total - p * load(half, i, v - 1, c)
                store(half, i, v, c, total)
    for u in range(5):
        for v in range(u if symmetric else 0 if u < 3 else 1, 5 if u > 0 else 3):
            for a in range(3):
                a0, a1, a2 = load(axes, u, 0, a), load(axes, u, 1, a), load(axes, u, 2, a)
                for c in range(3):
                    total = a0 * load(half, 3 * u, v, c) + a1 * load(half, 3 * u + 1, v, c) + a2 * load(half, 3 * u + 2, v, c)
                    if u == 2 or u == 4:
                        total = total - p * load(out, 5 * u - 5 + v, 3 * a + c)
                    store(out, 5 * u + v, 3 * a + c, total)
                    if symmetric and u != v:
                        store(out, 5 * v + u, 3 * c + a, total)
