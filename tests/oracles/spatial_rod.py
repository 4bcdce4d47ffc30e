"""Cantilevers of Reissner's rod in space (Simo 1985: extensible, shear-deformable, any rotation), by shooting."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp
from scipy.optimize import root

from ._common import Array


def tip(length: float, forces: ArrayLike, moments: ArrayLike, force: ArrayLike, moment: ArrayLike, near: ArrayLike) -> Array:
    """Displaced tip (3,) of a rod along +x, clamped at the origin, under a dead force and a moment fixed in space at its tip.

    R' = R [k]_x, k = D_M^-1 R^T m; r' = R (e_1 + D_F^-1 R^T F); m' = -r' x F; R(0) = 1, r(0) = 0, m(l) = M: three unknowns,
    m(0).

    forces, moments: EA, GA_2, GA_3 and GJ, EI_2, EI_3; near: a tip close to it, since there may be several
    """
    by_force, by_moment = 1.0 / np.asarray(forces, float), 1.0 / np.asarray(moments, float)
    f, end = np.asarray(force, float), np.asarray(moment, float)

    def rate(_: float, y: Array) -> Array:
        turned = rotation(y[3:7])
        strain, k = by_force * (turned.T @ f), by_moment * (turned.T @ y[7:])
        along = turned[:, 0] + turned @ strain
        a, b, c, d = y[3:7]
        spin = [-b * k[0] - c * k[1] - d * k[2], a * k[0] + c * k[2] - d * k[1],
                a * k[1] - b * k[2] + d * k[0], a * k[2] + b * k[1] - c * k[0]]  # fmt: skip
        return np.concatenate([along, 0.5 * np.array(spin), -np.cross(along, f)])

    def shot(root_moment: Array) -> Array:
        start = np.concatenate([[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], root_moment])
        done = solve_ivp(rate, (0.0, length), start, method="DOP853", rtol=1e-9, atol=1e-9)
        return np.asarray(done.y[:, -1])

    guess = end + np.cross(np.asarray(near, float), f)
    found = root(lambda m: shot(m)[7:] - end, guess, tol=1e-9)
    if np.abs(found.fun).max() > 1e-6 * max(np.abs(end).max(), length * np.abs(f).max()):
        raise ValueError("no equilibrium of the rod near there")
    return shot(found.x)[:3]


def rotation(p: Array) -> Array:
    """Matrix of a quaternion, which need not be of length 1."""
    a, b, c, d = p
    columns = [
        [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
        [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
        [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
    ]
    return np.array(columns) / (p @ p)
