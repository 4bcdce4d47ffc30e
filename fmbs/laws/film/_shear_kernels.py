"""Viscous torques of a film from its force, moment and Couette torque."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]


@kernel(part=True)
def add_shear(z: Array, B: float, tangent: bool, out: Array, jac: Array) -> None:
    """Torques on journal and bearing from force, moment and Couette torque C = out[4], in place.

    The Poiseuille parts follow from the moment X = int e x df of the film force about the bearing axis:
    T_bearing = C - X/2, and T_journal = -T_bearing - m x F about the journal's middle m, so that all moments cancel.
    """
    mx, my, dx, dy = 0.5 * (z[0] + z[2]), 0.5 * (z[1] + z[3]), (z[2] - z[0]) / B, (z[3] - z[1]) / B
    lever = mx * out[1] - my * out[0]
    X = lever - dx * out[2] - dy * out[3]  # int zeta f = (M_eta, -M_xi)
    C = out[4]
    if tangent:
        for k in range(9):
            by_lever = mx * jac[1, k] - my * jac[0, k]
            by_X = by_lever - dx * jac[2, k] - dy * jac[3, k]
            if k == 0 or k == 2:
                by_lever += 0.5 * out[1]
                by_X += 0.5 * out[1] - (out[2] if k else -out[2]) / B
            elif k == 1 or k == 3:
                by_lever -= 0.5 * out[0]
                by_X -= 0.5 * out[0] + (out[3] if k == 3 else -out[3]) / B
            jac[5, k] = jac[4, k] - 0.5 * by_X
            jac[4, k] = -jac[5, k] - by_lever
    out[5] = C - 0.5 * X
    out[4] = -out[5] - lever


@kernel(part=True)
def no_shear(out: Array, jac: Array) -> None:
    """The papers' film: pressure only."""
    for r in range(4, 6):
        out[r] = 0.0
        for k in range(9):
            jac[r, k] = 0.0


@kernel
def clear(out: Array, jac: Array) -> None:
    """Zeros; loops compile faster than slices."""
    for r in range(6):
        out[r] = 0.0
        for k in range(9):
            jac[r, k] = 0.0
