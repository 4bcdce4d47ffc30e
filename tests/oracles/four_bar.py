"""Planar four-bar at constant crank speed: closed-form kinematics and inverse dynamics."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ._common import Array, acceleration_of, cross2, direction, normal


@dataclass(frozen=True, kw_only=True)
class Link:
    """A uniform rod: length, mass, inertia about its mid-point."""

    length: float
    mass: float
    J: float


@dataclass(frozen=True, kw_only=True)
class FourBar:
    """Crank O-A, coupler A-B, rocker D-B; O is the origin, D = (ground, 0). Crank angle phi = phi0 + omega t.

    branch = +1: B lies left of the directed line A -> D (open form: B above for phi = 90 degrees); -1: right (crossed).
    """

    ground: float
    crank: Link
    coupler: Link
    rocker: Link
    omega: float
    phi0: float = 0.0
    branch: int = 1
    g: float = 9.81


@dataclass(frozen=True)
class FourBarMotion:
    """Arrays over t: angles (coupler A -> B, rocker D -> B), joint forces (n, 2) on the body named last, drive torque.

    Reactions: the crank gets -crank_on_coupler at A, the coupler gets -coupler_on_rocker at B.
    """

    t: Array
    phi: Array
    coupler: Array
    coupler_t: Array
    coupler_tt: Array
    rocker: Array
    rocker_t: Array
    rocker_tt: Array
    a: Array  # (n, 2) position of A
    b: Array  # (n, 2) position of B
    ground_on_crank: Array  # (n, 2) at O
    crank_on_coupler: Array  # (n, 2) at A
    coupler_on_rocker: Array  # (n, 2) at B
    ground_on_rocker: Array  # (n, 2) at D
    drive_moment: Array  # (n,) on the crank, from the ground, about +z
    energy: Array  # (n,) kinetic + potential (zero potential at y = 0)


def solve(p: FourBar, t: ArrayLike) -> FourBarMotion:
    """Motion, joint forces and drive torque at the times t; the linkage must close at each (ValueError otherwise).

    B from the law of cosines in triangle A B D. The loop a e(phi) + b e(3) = d + c e(4), differentiated and
    projected on e(4) and e(3), gives rates and accelerations. With F_B = coupler_on_rocker:
      rocker about D:   c e(4) x F_B = (J4 + m4 c^2/4) 4'' + m4 g (c/2) cos(4)
      coupler about A: -b e(3) x F_B = J3 3'' + (b/2) e(3) x m3 (a3 + g e_y)
    then F_A, F_O, F_D by force balances and tau = A x F_A + m2 g A_x/2 about O.
    """
    time = np.asarray(t, dtype=float)
    (la, ma, ja), (lb, mb, jb), (lc, mc, jc) = ((k.length, k.mass, k.J) for k in (p.crank, p.coupler, p.rocker))
    w, up = p.omega, np.array([0.0, 1.0])
    phi = p.phi0 + w * time
    a = la * direction(phi)
    d = np.array([p.ground, 0.0])
    span = np.linalg.norm(d - a, axis=1)
    along = (lb**2 - lc**2 + span**2) / (2 * span)
    if np.any(lb**2 < along**2):
        raise ValueError("the four-bar cannot be closed at every given time")
    e = (d - a) / span[:, None]
    left = np.stack([-e[:, 1], e[:, 0]], axis=1)
    b = a + along[:, None] * e + p.branch * np.sqrt(lb**2 - along**2)[:, None] * left
    q3 = np.unwrap(np.arctan2(b[:, 1] - a[:, 1], b[:, 0] - a[:, 0]))
    q4 = np.unwrap(np.arctan2(b[:, 1], b[:, 0] - p.ground))

    s43 = np.sin(q4 - q3)
    w3 = -la * w * np.sin(q4 - phi) / (lb * s43)
    w4 = -la * w * np.sin(q3 - phi) / (lc * s43)
    c43 = np.cos(q4 - q3)
    a3 = (la * w**2 * np.cos(phi - q4) + lb * w3**2 * c43 - lc * w4**2) / (lb * s43)
    a4 = (la * w**2 * np.cos(phi - q3) + lb * w3**2 - lc * w4**2 * c43) / (lc * s43)

    coupler_inertia = mb * (-(w**2) * a + acceleration_of(lb / 2, q3, w3, a3) + p.g * up)
    rocker_inertia = mc * (acceleration_of(lc / 2, q4, w4, a4) + p.g * up)
    on_rocker = ((jc + mc * lc**2 / 4) * a4 + mc * p.g * lc / 2 * np.cos(q4)) / (lc * s43)
    on_coupler = (jb * a3 + cross2(lb / 2 * direction(q3), coupler_inertia)) / (lb * s43)
    f_b = -on_rocker[:, None] * direction(q3) - on_coupler[:, None] * direction(q4)
    f_a = coupler_inertia + f_b

    v3 = la * w * normal(phi) + lb / 2 * w3[:, None] * normal(q3)
    kinetic = 0.5 * (ja + ma * la**2 / 4) * w**2 + 0.5 * mb * np.sum(v3**2, axis=1)
    kinetic = kinetic + 0.5 * jb * w3**2 + 0.5 * (jc + mc * lc**2 / 4) * w4**2
    potential = 0.5 * p.g * (ma * a[:, 1] + mb * (a + b)[:, 1] + mc * b[:, 1])
    return FourBarMotion(
        t=time,
        phi=phi,
        coupler=q3,
        coupler_t=w3,
        coupler_tt=a3,
        rocker=q4,
        rocker_t=w4,
        rocker_tt=a4,
        a=a,
        b=b,
        ground_on_crank=ma * (-0.5 * w**2 * a + p.g * up) + f_a,
        crank_on_coupler=f_a,
        coupler_on_rocker=f_b,
        ground_on_rocker=rocker_inertia - f_b,
        drive_moment=cross2(a, f_a) + 0.5 * ma * p.g * a[:, 0],
        energy=kinetic + potential,
    )
