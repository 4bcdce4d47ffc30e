"""Spatial rigid body: free under constant loads, heavy top about a fixed point, torque-free in closed form."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ellipj

from ._common import Array, integrate


@dataclass(frozen=True)
class RigidMotion:
    """Arrays over t. R (n, 3, 3) maps body components to global ones: x_global = R x_body."""

    t: Array
    position: Array  # (n, 3) centre of mass, global
    velocity: Array  # (n, 3) of the centre of mass, global
    R: Array  # (n, 3, 3)
    euler_parameters: Array  # (n, 4) scalar first, the sign that is continuous from t = 0
    omega: Array  # (n, 3) angular velocity, global components
    omega_body: Array  # (n, 3) the same vector in body components, R^T omega
    force: Array  # (n, 3) global: of the pivot on the top (heavy_top), or the applied force


def rotation(p: ArrayLike) -> Array:
    """R (..., 3, 3) of unit Euler parameters (..., 4), scalar first."""
    a, b, c, d = np.moveaxis(np.asarray(p, dtype=float), -1, 0)
    rows = [
        [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
        [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
        [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
    ]
    return np.asarray(np.moveaxis(np.array(rows), (0, 1), (-2, -1)))


def _euler_rate(p: Array, w: Array) -> Array:
    """p' of R' = R tilde(w), w in body components: p' = (1/2) p * (0, w) as quaternions."""
    return 0.5 * np.concatenate([[-p[1:] @ w], p[0] * w + np.cross(p[1:], w)])


def free_body(
    mass: float,
    J: ArrayLike,
    t: ArrayLike,
    *,
    force: ArrayLike = (0.0, 0.0, 0.0),
    torque: ArrayLike = (0.0, 0.0, 0.0),
    position: ArrayLike = (0.0, 0.0, 0.0),
    velocity: ArrayLike = (0.0, 0.0, 0.0),
    euler_parameters: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    omega: ArrayLike = (0.0, 0.0, 0.0),
) -> RigidMotion:
    """Free body: m r'' = force, J w' + w x J w = R^T torque (w in body components).

    J (3, 3) is about the centre of mass in body axes. force acts at the centre of mass; force and torque are constant
    in the global frame (weight belongs to force); the initial omega is in GLOBAL components.
    """
    inertia, f, moment = (np.asarray(v, dtype=float) for v in (J, force, torque))
    times = np.asarray(t, dtype=float)
    p0 = np.asarray(euler_parameters, dtype=float)

    def rate(_: float, y: Array) -> Array:
        p, w = y[:4], y[4:]
        spin = rotation(p).T @ moment - np.cross(w, inertia @ w)
        return np.concatenate([_euler_rate(p, w), np.linalg.solve(inertia, spin)])

    states = integrate(rate, np.concatenate([p0, rotation(p0).T @ np.asarray(omega, dtype=float)]), times)
    p, w, column = states[:, :4], states[:, 4:], times[:, None]
    r = rotation(p)
    v = np.asarray(velocity) + column * f / mass
    x = np.asarray(position) + column * np.asarray(velocity) + 0.5 * column**2 * f / mass
    return RigidMotion(times, x, v, r, p, np.einsum("nij,nj->ni", r, w), w, np.tile(f, (len(times), 1)))


def heavy_top(
    mass: float,
    J: ArrayLike,
    centre: ArrayLike,
    t: ArrayLike,
    *,
    omega_body: ArrayLike,
    euler_parameters: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    gravity: ArrayLike = (0.0, 0.0, -9.81),
) -> RigidMotion:
    """Top with the body origin fixed at the global origin: J_O w' + w x J_O w = c x R^T m g (all in body components).

    J (3, 3) is about the centre of mass `centre` (body axes); J_O = J + m (c.c I - c c^T). The initial omega_body is in
    BODY components. `force` of the result acts on the top at the pivot: m (a_c - g).
    """
    c, g = np.asarray(centre, dtype=float), np.asarray(gravity, dtype=float)
    inertia = np.asarray(J, dtype=float) + mass * (c @ c * np.eye(3) - np.outer(c, c))

    def spin_rate(p: Array, w: Array) -> Array:
        moment = np.cross(c, rotation(p).T @ (mass * g)) - np.cross(w, inertia @ w)
        return np.asarray(np.linalg.solve(inertia, moment))

    start = np.concatenate([np.asarray(euler_parameters, dtype=float), np.asarray(omega_body, dtype=float)])
    states = integrate(lambda _, y: np.concatenate([_euler_rate(y[:4], y[4:]), spin_rate(y[:4], y[4:])]), start, t)
    p, w = states[:, :4], states[:, 4:]
    r = rotation(p)
    w_t = np.array([spin_rate(*pair) for pair in zip(p, w, strict=True)])
    body = np.stack([np.tile(c, (len(w), 1)), np.cross(w, c), np.cross(w_t, c) + np.cross(w, np.cross(w, c)), w])
    x, v, a, omega = np.einsum("nij,knj->kni", r, body)
    return RigidMotion(np.asarray(t, dtype=float), x, v, r, p, omega, w, mass * (a - g))


def torque_free_omega(J: tuple[float, float, float], omega1: float, omega3: float, t: ArrayLike) -> Array:
    """Body components (n, 3) of a free body's omega, started at (omega1, 0, omega3), both > 0, with J1 < J2 < J3.

    Jacobi elliptic functions (Landau & Lifshitz I, sect. 37): (omega1 cn, a sn, omega3 dn), turning about axis 3,
    that is J3 (J3 - J2) omega3^2 > J1 (J2 - J1) omega1^2.
    """
    j1, j2, j3 = J
    near, far = j1 * (j2 - j1) * omega1**2, j3 * (j3 - j2) * omega3**2
    if near >= far:
        raise ValueError("the body would turn about axis 1: this form is for motion about axis 3")
    sn, cn, dn, _ = ellipj(omega3 * np.sqrt((j3 - j2) * (j3 - j1) / (j1 * j2)) * np.asarray(t, dtype=float), near / far)
    return np.stack([omega1 * cn, omega1 * np.sqrt(j1 * (j3 - j1) / (j2 * (j3 - j2))) * sn, omega3 * dn], axis=1)
