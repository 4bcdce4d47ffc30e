"""RSSR spatial four-bar: closed-form output angle, and the drive torque with a massless coupler."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ._common import Array


@dataclass(frozen=True, kw_only=True)
class Crank:
    """A body turning about a ground axis: point and direction of the axis, ball point and mass centre at angle zero.

    The angle is right-handed about `axis`; `inertia` is about that axis (not about the centre of mass).
    """

    pivot: ArrayLike
    axis: ArrayLike
    ball: ArrayLike
    inertia: float = 0.0
    mass: float = 0.0
    centre: ArrayLike = (0.0, 0.0, 0.0)

    def turned(self, point: ArrayLike, angle: Array) -> tuple[Array, Array, Array]:
        """A material point (given at angle zero) and its first two derivatives by the angle, each (n, 3)."""
        n = np.asarray(self.axis, dtype=float) / np.linalg.norm(self.axis)
        arm = np.asarray(point, dtype=float) - np.asarray(self.pivot, dtype=float)
        across = arm - (arm @ n) * n
        side = np.cross(n, across)
        c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
        radial = c * across + s * side
        return np.asarray(self.pivot) + (arm @ n) * n + radial, c * side - s * across, -radial


@dataclass(frozen=True)
class SpatialFourBarMotion:
    """Arrays over t; phi input, psi output angle, a and b (n, 3) the ball points of input and output."""

    t: Array
    phi: Array
    psi: Array
    psi_t: Array
    psi_tt: Array
    a: Array
    b: Array
    coupler_force: Array  # (n,) N, pull positive: N (a - b)/|a - b| on the output at b, the opposite on the input
    drive_moment: Array  # (n,) on the input, from the ground, about its axis
    energy: Array  # (n,) kinetic + potential (zero potential at z = 0)


def solve(
    input_link: Crank,
    output_link: Crank,
    coupler_length: float,
    omega: float,
    t: ArrayLike,
    *,
    phi0: float = 0.0,
    branch: int = 1,
    gravity: ArrayLike = (0.0, 0.0, -9.81),
) -> SpatialFourBarMotion:
    """Input phi = phi0 + omega t; the massless coupler keeps |A - B| = L between its spherical joints.

    With B = q + u cos(psi) + v sin(psi) and d = A - q the constraint is
      2 d.v sin(psi) + 2 d.u cos(psi) = |d|^2 + |u|^2 - L^2,   psi = atan2(d.v, d.u) + branch acos(...).
    Its derivatives (A-B).(A'-B') = 0 and (A-B).(A''-B'') + |A'-B'|^2 = 0 give psi' and psi''. Output about its axis:
    I2 psi'' = N B_psi.(A-B)/L + m2 g.C2_psi; the drive: tau = d/dt(T + V)/omega.
    """
    time = np.asarray(t, dtype=float)
    g = np.asarray(gravity, dtype=float)
    phi = phi0 + omega * time
    a, a_p, a_pp = input_link.turned(input_link.ball, phi)

    zero = np.zeros(1)
    start, side, minus_u = output_link.turned(output_link.ball, zero)
    d = a - (start + minus_u)
    cosine, sine = d @ -minus_u[0], d @ side[0]
    ratio = (np.sum(d**2, axis=1) + side[0] @ side[0] - coupler_length**2) / (2 * np.hypot(cosine, sine))
    if np.any(np.abs(ratio) > 1.0):
        raise ValueError("the spatial four-bar cannot be closed at every given time")
    psi = np.unwrap(np.arctan2(sine, cosine) + branch * np.arccos(ratio))

    b, b_p, b_pp = output_link.turned(output_link.ball, psi)
    r = a - b
    lever = np.sum(r * b_p, axis=1)
    psi_t = omega * np.sum(r * a_p, axis=1) / lever
    slip = omega * a_p - psi_t[:, None] * b_p
    psi_tt = (np.sum(r * (omega**2 * a_pp - (psi_t**2)[:, None] * b_pp), axis=1) + np.sum(slip**2, axis=1)) / lever

    c1, c1_p, _ = input_link.turned(input_link.centre, phi)
    c2, c2_p, _ = output_link.turned(output_link.centre, psi)
    weight1, weight2 = input_link.mass * g, output_link.mass * g
    power = output_link.inertia * psi_t * psi_tt - omega * (c1_p @ weight1) - psi_t * (c2_p @ weight2)
    return SpatialFourBarMotion(
        t=time,
        phi=phi,
        psi=psi,
        psi_t=psi_t,
        psi_tt=psi_tt,
        a=a,
        b=b,
        coupler_force=(output_link.inertia * psi_tt - c2_p @ weight2) * coupler_length / lever,
        drive_moment=power / omega,
        energy=0.5 * (input_link.inertia * omega**2 + output_link.inertia * psi_t**2) - c1 @ weight1 - c2 @ weight2,
    )
