"""Two masses on a spring-damper in space, and natural frequencies of small systems."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from ._common import Array, integrate


@dataclass(frozen=True)
class TwoMassMotion:
    """Arrays over t: positions and velocities (n, 3) of both masses, tension (n,) of spring and damper together."""

    t: Array
    r1: Array
    r2: Array
    v1: Array
    v2: Array
    tension: Array


def two_masses(
    masses: tuple[float, float],
    stiffness: float,
    damping: float,
    free_length: float,
    t: ArrayLike,
    *,
    positions: tuple[ArrayLike, ArrayLike],
    velocities: tuple[ArrayLike, ArrayLike] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    gravity: ArrayLike = (0.0, 0.0, -9.81),
) -> TwoMassMotion:
    """m1 r1'' = N n + m1 g,  m2 r2'' = -N n + m2 g,  N = k (L - L0) + d L',  n = (r2 - r1)/L (tension N positive)."""
    g = np.asarray(gravity, dtype=float)

    def tension(y: Array) -> tuple[Array, Array]:
        gap, rate = y[..., 3:6] - y[..., :3], y[..., 9:] - y[..., 6:9]
        length = np.sqrt(np.sum(gap**2, axis=-1, keepdims=True))
        n = gap / length
        return stiffness * (length - free_length) + damping * np.sum(n * rate, axis=-1, keepdims=True), n

    def rate(_: float, y: Array) -> Array:
        pull, n = tension(y)
        return np.concatenate([y[6:], pull * n / masses[0] + g, -pull * n / masses[1] + g])

    y = integrate(rate, np.concatenate([np.ravel(v) for v in (*positions, *velocities)]), t)
    return TwoMassMotion(np.asarray(t, float), y[:, :3], y[:, 3:6], y[:, 6:9], y[:, 9:], tension(y)[0][:, 0])


def chain_frequencies(n: int, mass: float, stiffness: float, ends: Literal["fixed", "fixed-free", "free"]) -> Array:
    """Circular frequencies (n,), ascending, of n equal masses in line joined by equal springs, 2 sqrt(k/m) sin(a_j).

    `fixed`: n + 1 springs, a_j = j pi/(2n+2); `fixed-free`: n springs, a_j = (2j-1) pi/(4n+2), j = 1..n;
    `free`: n - 1 springs, a_j = (j-1) pi/(2n) (the first is the rigid motion, zero).
    """
    j = np.arange(1, n + 1)
    angle = {
        "fixed": j * np.pi / (2 * n + 2),
        "fixed-free": (2 * j - 1) * np.pi / (4 * n + 2),
        "free": (j - 1) * np.pi / (2 * n),
    }[ends]
    return np.asarray(2 * np.sqrt(stiffness / mass) * np.sin(angle))


def double_pendulum_frequencies(
    lengths: tuple[float, float], masses: tuple[float, float], inertias: tuple[float, float], g: float = 9.81
) -> Array:
    """Both circular frequencies, ascending, about hanging rest of two uniform rods (as in double_pendulum.py).

    det(K - w^2 M) = 0 with M = [[J1 + m1 l1^2/4 + m2 l1^2, m2 l1 l2/2], [., J2 + m2 l2^2/4]] and
    K = g diag((m1/2 + m2) l1, m2 l2/2): a quadratic in w^2.
    """
    (l1, l2), (m1, m2), (j1, j2) = lengths, masses, inertias
    m11, m12, m22 = j1 + 0.25 * m1 * l1**2 + m2 * l1**2, 0.5 * m2 * l1 * l2, j2 + 0.25 * m2 * l2**2
    k1, k2 = g * (0.5 * m1 + m2) * l1, 0.5 * g * m2 * l2
    a, b, c = m11 * m22 - m12**2, m11 * k2 + m22 * k1, k1 * k2
    large = (b + np.sqrt(b**2 - 4 * a * c)) / (2 * a)
    return np.sqrt([c / (a * large), large])


def suspended_block(
    mass: float,
    J: float,
    attachments: ArrayLike,
    anchors: ArrayLike,
    stiffness: ArrayLike,
    free_length: ArrayLike,
    g: float = 9.81,
) -> tuple[Array, Array]:
    """Planar block on axial springs: equilibrium pose (x, y, theta) of its centre, and its 3 circular frequencies.

    Spring i joins block point attachments[i] (n, 2; body axes, from the centre) to ground point anchors[i] (n, 2).
    V = sum k (L - L0)^2/2 + m g y. Gradient: sum B^T N n, B = [I, p'], p' = d p/d theta; Hessian:
    sum B^T (k n n^T + N/L (I - n n^T)) B, plus N n.p'' in (theta, theta); M = diag(m, m, J). The equilibrium is
    searched from the pose zero; an unstable one (a negative w^2) raises ValueError.
    """
    points, fixed = np.asarray(attachments, dtype=float), np.asarray(anchors, dtype=float)
    k, free = (np.broadcast_to(np.asarray(v, dtype=float), len(points)) for v in (stiffness, free_length))

    def terms(q: Array) -> tuple[Array, Array]:
        c, s = np.cos(q[2]), np.sin(q[2])
        gradient, hessian = np.array([0.0, mass * g, 0.0]), np.zeros((3, 3))
        for arm, anchor, ki, free_i in zip(points @ np.array([[c, s], [-s, c]]), fixed, k, free, strict=True):
            gap = q[:2] + arm - anchor
            length = np.hypot(*gap)
            n, pull = gap / length, ki * (length - free_i)
            b = np.array([[1.0, 0.0, -arm[1]], [0.0, 1.0, arm[0]]])
            gradient += pull * b.T @ n
            hessian += b.T @ (ki * np.outer(n, n) + pull / length * (np.eye(2) - np.outer(n, n))) @ b
            hessian[2, 2] -= pull * n @ arm
        return gradient, hessian

    pose = np.zeros(3)
    for _ in range(50):  # Newton; least squares, since a slack start may have no sideways stiffness
        gradient, hessian = terms(pose)
        pose = pose - np.linalg.lstsq(hessian, gradient, rcond=1e-14)[0]
    gradient, hessian = terms(pose)
    squares = eigh(hessian, np.diag([mass, mass, J]), eigvals_only=True)
    if np.max(np.abs(gradient)) > 1e-6 * max(mass * g, 1.0) or squares[0] < 0.0:
        raise ValueError("no stable equilibrium found near the pose zero")
    return pose, np.sqrt(squares)
