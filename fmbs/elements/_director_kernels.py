"""Strains of a director frame at a point of eight beam elements: values, rates and forces.

The formulas and the change of variables behind them are in _structural_kernels.py. `local` holds the fields in components of
the frame, field u from row 3 u on  # (15, LANES).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.jit.lanes import load, root, same, store

Array = NDArray[np.float64]

A1, A2, A3, ONE, B1, B2, B3, C1, C2, C3 = 0, 1, 2, 4, 9, 10, 11, 12, 13, 14  # r', y_2 = 1, y', z' in `local`
GRADIENT = (  # of a strain over an entry of `local`: factor times an entry of `local`
    (0, 0, 1, ONE), (0, 3, -1, A2), (0, 6, -1, A3),
    (1, 1, 1, ONE), (1, 3, 1, A1), (1, 7, -1, A3),
    (2, 2, 1, ONE), (2, 6, 1, A1), (2, 7, 1, A2),
    (3, 3, -1, C1), (3, 7, 1, C3), (3, 8, 1, C2), (3, 13, -1, ONE),
    (4, 3, -1, C2), (4, 6, -1, C3), (4, 8, -1, C1), (4, 12, 1, ONE),
    (5, 3, 1, B2), (5, 4, 1, B1), (5, 5, 1, C1), (5, 6, 1, B3), (5, 7, 1, C1), (5, 9, -1, ONE),
)  # fmt: skip
STRAIN, ENTRY, FACTOR, FIELD = (np.array(column) for column in zip(*GRADIENT, strict=True))
FACTOR = 1.0 * FACTOR


@kernel(plain=True, part=True)
def director_frame(x: Array, r: Array, scale: Array) -> None:
    """Rows e_1, e_2, e_3 of the director frame, and scale = (y_3/z_3, 1/y_2, 1/z_3)  # (3, 3, LANES), (3, LANES)."""
    y0, y1, y2 = load(x, 1, 0), load(x, 1, 1), load(x, 1, 2)
    z0, z1, z2 = load(x, 2, 0), load(x, 2, 1), load(x, 2, 2)
    by_z = 1.0 / root(z0 * z0 + z1 * z1 + z2 * z2)
    z0, z1, z2 = z0 * by_z, z1 * by_z, z2 * by_z
    along = y0 * z0 + y1 * z1 + y2 * z2
    y0, y1, y2 = y0 - along * z0, y1 - along * z1, y2 - along * z2
    by_y = 1.0 / root(y0 * y0 + y1 * y1 + y2 * y2)
    y0, y1, y2 = y0 * by_y, y1 * by_y, y2 * by_y
    store(r, 0, 0, y1 * z2 - y2 * z1)
    store(r, 0, 1, y2 * z0 - y0 * z2)
    store(r, 0, 2, y0 * z1 - y1 * z0)
    store(r, 1, 0, y0)
    store(r, 1, 1, y1)
    store(r, 1, 2, y2)
    store(r, 2, 0, z0)
    store(r, 2, 1, z1)
    store(r, 2, 2, z2)
    store(scale, 0, along * by_z)
    store(scale, 1, by_y)
    store(scale, 2, by_z)


@kernel(plain=True, part=True)
def local_fields(x: Array, r: Array, scale: Array, local: Array) -> None:
    """The fields with y, y' -> (y - p z)/y_2, z, z' -> z/z_3, in components of the frame."""
    p, by_y, by_z = load(scale, 0), load(scale, 1), load(scale, 2)
    for c in range(3):
        r0, r1, r2 = load(r, c, 0), load(r, c, 1), load(r, c, 2)
        store(local, c, r0 * load(x, 0, 0) + r1 * load(x, 0, 1) + r2 * load(x, 0, 2))
        for u in range(1, 5, 2):
            y = r0 * load(x, u, 0) + r1 * load(x, u, 1) + r2 * load(x, u, 2)
            z = r0 * load(x, u + 1, 0) + r1 * load(x, u + 1, 1) + r2 * load(x, u + 1, 2)
            store(local, 3 * u + c, (y - p * z) * by_y)
            store(local, 3 * u + 3 + c, z * by_z)


@kernel(plain=True, part=True)
def director_strains(local: Array, strain: Array) -> None:
    """Gamma_1 + 1, Gamma_2, Gamma_3, kappa_1, kappa_2, kappa_3  # (6, LANES)."""
    store(strain, 0, load(local, A1))
    store(strain, 1, load(local, A2))
    store(strain, 2, load(local, A3))
    store(strain, 3, -1.0 * load(local, C2))
    store(strain, 4, load(local, C1))
    store(strain, 5, -1.0 * load(local, B1))


@kernel(plain=True, part=True)
def director_rates(local: Array, local_rate: Array, out: Array) -> None:
    """Rates of the strains  # (6, LANES)."""
    for k in range(6):
        store(out, k, same(0.0))
    for t in range(STRAIN.size):
        k = STRAIN[t]
        store(out, k, load(out, k) + FACTOR[t] * load(local, FIELD[t]) * load(local_rate, ENTRY[t]))


@kernel(plain=True, part=True)
def director_forces(local: Array, stress: Array, r: Array, scale: Array, by_speed: Array, f: Array, p: Array) -> None:
    """p_u for stress resultants; by_speed (1, LANES): ds along an element per dxi, inverted. f (15, LANES): room."""
    for i in range(15):
        store(f, i, same(0.0))
    for t in range(STRAIN.size):
        i = ENTRY[t]
        store(f, i, load(f, i) + FACTOR[t] * load(local, FIELD[t]) * load(stress, STRAIN[t]))
    ratio, by_y, by_z, along = load(scale, 0), load(scale, 1), load(scale, 2), load(by_speed, 0)
    for c in range(3):
        r0, r1, r2 = load(r, 0, c), load(r, 1, c), load(r, 2, c)
        store(p, 0, c, along * (r0 * load(f, 0) + r1 * load(f, 1) + r2 * load(f, 2)))
        y = by_y * (r0 * load(f, 3) + r1 * load(f, 4) + r2 * load(f, 5))
        z = by_z * (r0 * load(f, 6) + r1 * load(f, 7) + r2 * load(f, 8))
        store(p, 1, c, y)
        store(p, 2, c, z - ratio * y)
        y = along * by_y * r0 * load(f, 9)  # kappa depends on no other component of y' and z'
        z = along * by_z * (r0 * load(f, 12) + r1 * load(f, 13))
        store(p, 3, c, y)
        store(p, 4, c, z - ratio * y)
