"""Cantilevers of Reissner's beam (1972: extensible, shear-deformable, any rotation) in the plane, by shooting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from ._common import Array


@dataclass(frozen=True)
class Stiffness:
    """EA, k GA (N) and EI (N m^2) of a section."""

    EA: float
    GA: float
    EI: float


def rectangle(E: float, nu: float, width: float, height: float, k: float) -> Stiffness:
    """Bent along `height`; k: shear factor."""
    area = width * height
    return Stiffness(E * area, k * E / (2.0 * (1.0 + nu)) * area, E * width * height**3 / 12.0)


@dataclass(frozen=True)
class Cantilever:
    """Clamped at the origin, drawn along +x: displacement (2,) and rotation of the tip, moment on the clamp's section."""

    displacement: Array
    angle: float
    moment: float


def tip_force(length: float, stiffness: Stiffness, force: ArrayLike) -> Cantilever:
    """Under a dead force (F_x, F_y) at the tip.

    The section force is F everywhere: N = F.t, Q = F.n, t = (cos th, sin th) across the section, n = (-sin th, cos th) in it.
    th' = M/EI, x' = (1 + N/EA) t + (Q/GA) n, M' = -(x' x F), th(0) = 0, M(l) = 0: one unknown, M(0).
    """
    f = np.asarray(force, dtype=float)

    def rate(_: float, y: Array) -> list[float]:
        angle, moment = y[0], y[1]
        c, s = np.cos(angle), np.sin(angle)
        stretch = 1.0 + (f[0] * c + f[1] * s) / stiffness.EA
        shear = (f[1] * c - f[0] * s) / stiffness.GA
        dx, dy = stretch * c - shear * s, stretch * s + shear * c
        return [moment / stiffness.EI, -(dx * f[1] - dy * f[0]), dx, dy]

    def end(moment: float) -> Array:
        scale = [1.0, abs(moment) + 1e-300, length, length]
        done = solve_ivp(
            rate, (0.0, length), [0.0, moment, 0.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-14 * np.array(scale)
        )
        return np.asarray(done.y[:, -1])

    limit = 2.0 * length * float(np.hypot(*f))  # the lever is shorter than the beam unless it is stretched beyond reason
    bracket = (1e-9 * limit, limit) if f[1] > 0.0 else (-limit, -1e-9 * limit)
    moment = float(brentq(lambda m: end(m)[1], *bracket, xtol=1e-14 * limit, rtol=1e-14))
    y = end(moment)
    return Cantilever(y[2:] - (length, 0.0), float(y[0]), moment)


def tip_moment(length: float, stiffness: Stiffness, moment: float) -> Cantilever:
    """Under a moment at the tip: a circular arc of curvature M/EI, not stretched."""
    angle = moment * length / stiffness.EI
    radius = length / angle
    return Cantilever(radius * np.array([np.sin(angle), 1.0 - np.cos(angle)]) - (length, 0.0), angle, moment)
