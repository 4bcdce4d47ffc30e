"""Energy of a section's deformation, 1/2 D_s (E_yy^2 + E_zz^2 + (2 E_yz)^2 / 2) at a point of eight beam elements.

E_yy = (y.y - 1)/2, E_zz = (z.z - 1)/2, 2 E_yz = y.z: gradients over (y, z) are (y, 0), (0, z), (z, y).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.jit.lanes import load, store

Array = NDArray[np.float64]


@kernel(plain=True, part=True)
def section_strains(x: Array, strain: Array) -> None:
    """E_yy, E_zz, 2 E_yz  # (3, LANES)."""
    y0, y1, y2 = load(x, 1, 0), load(x, 1, 1), load(x, 1, 2)
    z0, z1, z2 = load(x, 2, 0), load(x, 2, 1), load(x, 2, 2)
    store(strain, 0, 0.5 * (y0 * y0 + y1 * y1 + y2 * y2) - 0.5)
    store(strain, 1, 0.5 * (z0 * z0 + z1 * z1 + z2 * z2) - 0.5)
    store(strain, 2, y0 * z0 + y1 * z1 + y2 * z2)


@kernel(plain=True, part=True)
def section_rates(x: Array, rate: Array, out: Array) -> None:
    y0, y1, y2 = load(x, 1, 0), load(x, 1, 1), load(x, 1, 2)
    z0, z1, z2 = load(x, 2, 0), load(x, 2, 1), load(x, 2, 2)
    dy0, dy1, dy2 = load(rate, 1, 0), load(rate, 1, 1), load(rate, 1, 2)
    dz0, dz1, dz2 = load(rate, 2, 0), load(rate, 2, 1), load(rate, 2, 2)
    store(out, 0, y0 * dy0 + y1 * dy1 + y2 * dy2)
    store(out, 1, z0 * dz0 + z1 * dz1 + z2 * dz2)
    store(out, 2, y0 * dz0 + y1 * dz1 + y2 * dz2 + dy0 * z0 + dy1 * z1 + dy2 * z2)


@kernel(plain=True, part=True)
def section_forces(x: Array, stress: Array, p: Array) -> None:
    """p_y and p_z; stress: of E_yy, E_zz and 2 E_yz."""
    yy, zz, yz = load(stress, 0), load(stress, 1), load(stress, 2)
    for c in range(3):
        y, z = load(x, 1, c), load(x, 2, c)
        store(p, 1, c, yy * y + yz * z)
        store(p, 2, c, zz * z + yz * y)


@kernel(plain=True, part=True)
def section_tangent(x: Array, right: Array, stress: Array, modulus: Array, h: Array) -> None:
    """Blocks yy, yz, zy, zz  # (4, 9, LANES); modulus (1, LANES): of E_yy, twice that of 2 E_yz.

    right: y and z of stiffness (x + damping x') + damping_coefficient damping x
    """
    d = load(modulus, 0)
    yy, zz, yz = load(stress, 0), load(stress, 1), load(stress, 2)
    for a in range(3):
        y, z = d * load(x, 1, a), d * load(x, 2, a)
        half_y, half_z = 0.5 * y, 0.5 * z
        for c in range(3):
            to_y, to_z = load(right, 1, c), load(right, 2, c)
            store(h, 0, 3 * a + c, y * to_y + half_z * to_z)
            store(h, 1, 3 * a + c, half_z * to_y)
            store(h, 2, 3 * a + c, half_y * to_z)
            store(h, 3, 3 * a + c, z * to_z + half_y * to_y)
        store(h, 0, 4 * a, load(h, 0, 4 * a) + yy)
        store(h, 1, 4 * a, load(h, 1, 4 * a) + yz)
        store(h, 2, 4 * a, load(h, 2, 4 * a) + yz)
        store(h, 3, 4 * a, load(h, 3, 4 * a) + zz)
