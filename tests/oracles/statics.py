"""Static equilibria: a pinned rod held by a spring, a chain of rigid links between two supports."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq, minimize, root

from ._common import Array, direction, normal


@dataclass(frozen=True)
class RodEquilibrium:
    """Angle of the rod from +x, stability, tension (pull positive) of the spring, forces (2,) on the rod."""

    angle: float
    stable: bool
    tension: float
    spring_on_rod: Array  # at the tip
    ground_on_rod: Array  # at the pin (the origin)


def rod_on_spring(
    length: float, mass: float, stiffness: float, free_length: float, anchor: ArrayLike, g: float = 9.81
) -> list[RodEquilibrium]:
    """All equilibria, ascending in angle in (-pi, pi], of a uniform rod pinned at the origin, tip tied to `anchor`.

    dV/dth = m g (l/2) cos(th) + k (s - L0) s' = 0, s = |tip - anchor|, s s' = (tip - anchor).tip';
    stable where dV/dth grows. Sign changes on a grid of 3600 cells, each refined by brentq.
    """
    point = np.asarray(anchor, dtype=float)

    def slope(angle: float) -> float:
        gap = length * direction(angle) - point
        s = np.hypot(*gap)
        pull = stiffness * (1 - free_length / s) * gap
        return float(length * (0.5 * mass * g * np.cos(angle) + pull @ normal(angle)))

    grid = np.linspace(-np.pi, np.pi, 3601) + 1e-5  # off the exact multiples, where roots of symmetric set-ups lie
    values = np.array([slope(angle) for angle in grid])
    found = []
    for i in np.flatnonzero(values[:-1] * values[1:] < 0):
        angle = float(brentq(slope, grid[i], grid[i + 1], xtol=1e-15))
        gap = length * direction(angle) - point
        tension = stiffness * (np.hypot(*gap) - free_length)
        pull = -tension * gap / np.hypot(*gap)
        found.append(RodEquilibrium(angle, bool(values[i] < 0), float(tension), pull, np.array([0.0, mass * g]) - pull))
    return sorted(found, key=lambda e: e.angle)


@dataclass(frozen=True)
class Chain:
    """Hanging chain: link angles (n,), joints (n+1, 2) from left to right support, forces (n+1, 2).

    forces[i] acts at joint i on the part LEFT of it (from the link or support on the right); the left support therefore
    pulls the first link with -forces[0] and the right support the last link with +forces[n].
    """

    angles: Array
    joints: Array
    forces: Array


def hanging_chain(n: int, length: float, mass: float, span: float, rise: float = 0.0, g: float = 9.81) -> Chain:
    """n uniform rigid links (each of `length` and `mass`) from (0, 0) to (span, rise), by equilibrium of each link.

    Joint forces (H, V_i), V_i = V_0 + i m g. Moments about the centre of link i: it points along the mean end force,
    tan(th_i) = (V_0 + (i - 1/2) m g)/H. The two unknowns H > 0 and V_0 close the chain: sum l e(th_i) = (span, rise).
    """
    slack = (n * length) ** 2 - span**2 - rise**2
    if slack <= 0.0:
        raise ValueError("the chain is too short for its supports")
    weight, steps = mass * g, np.arange(1, n + 1) - 0.5

    def closure(unknown: Array) -> Array:
        angles = np.arctan2(unknown[1] + steps, unknown[0])
        return np.asarray(np.sum(direction(angles), axis=0) - np.array([span, rise]) / length)

    found = root(closure, [0.5 * n * span / np.sqrt(slack), -0.5 * n], tol=1e-14)
    if np.max(np.abs(closure(found.x))) > 1e-10 or found.x[0] <= 0:
        raise ValueError("no hanging form with H > 0 found (a span below one link may have none)")
    h, v0 = found.x
    angles = np.arctan2(v0 + steps, h)
    joints = np.vstack([[0.0, 0.0], np.cumsum(length * direction(angles), axis=0)])
    forces = weight * np.stack([np.full(n + 1, h), v0 + np.arange(n + 1)], axis=1)
    return Chain(angles, joints, forces)


def hanging_chain_by_energy(n: int, length: float, span: float, rise: float = 0.0) -> Array:
    """The same link angles (n,) by minimising the sum of mid heights under the two closing conditions (SLSQP).

    Independent of `hanging_chain` (mass and g drop out); agrees with it to about 1e-6 rad.
    """
    lever = np.arange(n, 0, -1) - 0.5  # sum of mid heights = length * sum lever_i sin(th_i)
    end = np.array([span, rise]) / length
    closing = {
        "type": "eq",
        "fun": lambda q: np.sum(direction(q), axis=0) - end,
        "jac": lambda q: normal(q).T,
    }
    found = minimize(
        lambda q: lever @ np.sin(q) / n**2,
        np.linspace(-1.0, 1.0, n),
        jac=lambda q: lever * np.cos(q) / n**2,
        method="SLSQP",
        constraints=closing,
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    if not found.success:
        raise RuntimeError(found.message)
    return np.asarray(found.x)
