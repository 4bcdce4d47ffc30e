"""Planar pendulums in minimal coordinates: point mass, driven rod, two rods."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ._common import Array, acceleration_of, direction, integrate

UP = np.array([0.0, 1.0])


@dataclass(frozen=True)
class PendulumMotion:
    """Arrays over t: the angle from +x (hanging at rest: -pi/2), its derivatives, the force at the pivot."""

    t: Array
    angle: Array
    rate: Array
    acceleration: Array
    end: Array  # (n, 2) position of the mass, or of the free end of the rod
    ground_on_body: Array  # (n, 2) at the pivot (the origin)


@dataclass(frozen=True)
class DoublePendulumMotion:
    """Arrays over t: absolute angles (n, 2) of both rods from +x, pin forces (n, 2) on the body named last."""

    t: Array
    angles: Array
    rates: Array
    accelerations: Array
    elbow: Array  # (n, 2) position of the pin between the rods
    tip: Array  # (n, 2) free end of rod 2
    ground_on_rod1: Array  # (n, 2) at the origin
    rod1_on_rod2: Array  # (n, 2) at the elbow
    energy: Array  # (n,) kinetic + potential (zero potential at y = 0)


def simple_pendulum(
    length: float, mass: float, t: ArrayLike, *, angle: float, rate: float = 0.0, g: float = 9.81
) -> PendulumMotion:
    """Point mass on a massless rod pivoted at the origin: L th'' = -g cos(th); ground_on_body = m (a + g e_y)."""
    return _one_pendulum(length, length, mass, mass * length**2, lambda t, q, w: 0.0, t, angle, rate, g)


def pinned_rod(
    length: float,
    mass: float,
    J: float,
    t: ArrayLike,
    *,
    angle: float,
    rate: float = 0.0,
    torque: Callable[[float, float, float], float] = lambda t, angle, rate: 0.0,
    g: float = 9.81,
) -> PendulumMotion:
    """Uniform rod pivoted at the origin: (J + m L^2/4) th'' = torque(t, th, th') - m g (L/2) cos(th).

    torque acts on the rod, from the ground, positive counter-clockwise.
    """
    return _one_pendulum(length, length / 2, mass, J + mass * length**2 / 4, torque, t, angle, rate, g)


def _one_pendulum(
    length: float,
    arm: float,
    mass: float,
    inertia: float,
    torque: Callable[[float, float, float], float],
    t: ArrayLike,
    angle: float,
    rate: float,
    g: float,
) -> PendulumMotion:
    def acceleration(time: float, q: float, w: float) -> float:
        return float((torque(time, q, w) - mass * g * arm * np.cos(q)) / inertia)

    times = np.asarray(t, dtype=float)
    q, w = integrate(lambda time, y: np.array([y[1], acceleration(time, *y)]), [angle, rate], times).T
    a = np.array([acceleration(*state) for state in zip(times, q, w, strict=True)])
    force = mass * (acceleration_of(arm, q, w, a) + g * UP)
    return PendulumMotion(times, q, w, a, length * direction(q), force)


def double_pendulum(
    lengths: tuple[float, float],
    masses: tuple[float, float],
    inertias: tuple[float, float],
    t: ArrayLike,
    *,
    angles: tuple[float, float],
    rates: tuple[float, float] = (0.0, 0.0),
    g: float = 9.81,
) -> DoublePendulumMotion:
    """Two uniform rods, the first pinned to the origin, inertias about their centres. With h = m2 l1 l2/2, d = q1 - q2:

    (J1 + m1 l1^2/4 + m2 l1^2) q1'' + h cos(d) q2'' + h sin(d) q2'^2 = -(m1/2 + m2) l1 g cos(q1)
    h cos(d) q1'' + (J2 + m2 l2^2/4) q2'' - h sin(d) q1'^2           = -(m2/2) l2 g cos(q2)
    rod1_on_rod2 = m2 (a2 + g e_y);  ground_on_rod1 = m1 (a1 + g e_y) + rod1_on_rod2.
    """
    (l1, l2), (m1, m2), (j1, j2) = lengths, masses, inertias
    h = 0.5 * m2 * l1 * l2
    m11, m22 = j1 + 0.25 * m1 * l1**2 + m2 * l1**2, j2 + 0.25 * m2 * l2**2

    def accelerations(q: Array, w: Array) -> Array:
        m12, s = h * np.cos(q[0] - q[1]), h * np.sin(q[0] - q[1])
        f1 = -(0.5 * m1 + m2) * l1 * g * np.cos(q[0]) - s * w[1] ** 2
        f2 = -0.5 * m2 * l2 * g * np.cos(q[1]) + s * w[0] ** 2
        return np.asarray(np.array([m22 * f1 - m12 * f2, m11 * f2 - m12 * f1]) / (m11 * m22 - m12**2))

    states = integrate(lambda _, y: np.concatenate([y[2:], accelerations(y[:2], y[2:])]), [*angles, *rates], t)
    q, w = states[:, :2], states[:, 2:]
    a = accelerations(q.T, w.T).T
    elbow = l1 * direction(q[:, 0])
    tip = elbow + l2 * direction(q[:, 1])
    a1 = acceleration_of(0.5 * l1, q[:, 0], w[:, 0], a[:, 0])
    pin2 = m2 * (2 * a1 + acceleration_of(0.5 * l2, q[:, 1], w[:, 1], a[:, 1]) + g * UP)
    kinetic = 0.5 * m11 * w[:, 0] ** 2 + 0.5 * m22 * w[:, 1] ** 2 + h * np.cos(q[:, 0] - q[:, 1]) * w[:, 0] * w[:, 1]
    potential = 0.5 * g * (m1 * elbow[:, 1] + m2 * (elbow + tip)[:, 1])
    pin1 = m1 * (a1 + g * UP) + pin2
    return DoublePendulumMotion(np.asarray(t, dtype=float), q, w, a, elbow, tip, pin1, pin2, kinetic + potential)
