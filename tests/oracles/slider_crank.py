"""Planar slider-crank at constant crank speed: closed-form kinematics and inverse dynamics."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ._common import Array, acceleration_of, cross2, direction, normal


@dataclass(frozen=True, kw_only=True)
class SliderCrank:
    """Crank O-A (length r, mass m1, inertia J1), rod A-B (l, m2, J2), slider m3 with its centre at B on the x axis.

    O is the origin. The crank angle is phi = phi0 + omega t. Defaults: Flores2006 (5000 rpm).
    """

    r: float = 0.05
    m1: float = 0.30
    J1: float = 1e-5
    l: float = 0.12
    m2: float = 0.21
    J2: float = 2.5e-4
    m3: float = 0.14
    omega: float = 5000 * np.pi / 30
    phi0: float = 0.0
    g: float = 9.81


@dataclass(frozen=True)
class SliderCrankMotion:
    """Arrays over t. Every force (n, 2) is in global components and acts on the body named last.

    Action and reaction: the crank gets -crank_on_rod at A, the rod gets -rod_on_slider at B.
    """

    t: Array
    phi: Array
    theta: Array  # rod angle: direction A -> B from +x; negative while A is above the x axis
    theta_t: Array
    theta_tt: Array
    x: Array  # slider
    x_t: Array
    x_tt: Array
    pin: Array  # (n, 2) position of A
    rod_centre: Array  # (n, 2)
    rod_centre_tt: Array  # (n, 2)
    ground_on_crank: Array  # (n, 2) at O
    crank_on_rod: Array  # (n, 2) at A
    rod_on_slider: Array  # (n, 2) at B
    ground_on_slider: Array  # (n,) along +y, at B
    ground_moment_on_slider: Array  # (n,) about B; zero: all forces on the slider meet in B
    drive_moment: Array  # (n,) on the crank, from the ground, about +z
    energy: Array  # (n,) kinetic + potential (zero potential at y = 0)


def solve(p: SliderCrank, t: ArrayLike) -> SliderCrankMotion:
    """Positions, derivatives, joint forces and drive moment at the times t; needs l > r.

    l sin(theta) = -r sin(phi), x = r cos(phi) + l cos(theta), and their derivatives. With e_y up, u = (B - A)/2:
      slider:  m3 x'' = F_Bx,  0 = F_By + N - m3 g
      rod:     m2 a2 = F_A - F_B - m2 g e_y,  J2 theta'' = -u x F_A - u x F_B
      crank:   m1 a1 = F_O - F_A - m1 g e_y,  0 = tau - A x F_A - A/2 x m1 g e_y   (about O, phi'' = 0)
    F_A = crank_on_rod, F_B = rod_on_slider, F_O = ground_on_crank, N = ground_on_slider, tau = drive_moment.
    """
    time = np.asarray(t, dtype=float)
    phi = p.phi0 + p.omega * time
    theta = -np.arcsin(p.r / p.l * np.sin(phi))
    s, c = np.sin(theta), np.cos(theta)
    theta_t = -p.r * p.omega * np.cos(phi) / (p.l * c)
    theta_tt = (p.r * p.omega**2 * np.sin(phi) + p.l * s * theta_t**2) / (p.l * c)
    x = p.r * np.cos(phi) + p.l * c
    x_t = -p.r * p.omega * np.sin(phi) - p.l * s * theta_t
    x_tt = -p.r * p.omega**2 * np.cos(phi) - p.l * (s * theta_tt + c * theta_t**2)

    pin = p.r * direction(phi)
    pin_tt = -(p.omega**2) * pin
    u = 0.5 * p.l * direction(theta)
    rod_centre_tt = pin_tt + acceleration_of(0.5 * p.l, theta, theta_t, theta_tt)
    up = np.array([0.0, 1.0])

    rod_inertia = p.m2 * (rod_centre_tt + p.g * up)
    force_b = np.empty_like(pin)
    force_b[:, 0] = p.m3 * x_tt
    force_b[:, 1] = (2 * u[:, 1] * force_b[:, 0] - p.J2 * theta_tt - cross2(u, rod_inertia)) / (2 * u[:, 0])
    force_a = rod_inertia + force_b
    force_o = p.m1 * (0.5 * pin_tt + p.g * up) + force_a
    moment = cross2(pin, force_a) + 0.5 * p.m1 * p.g * pin[:, 0]

    pin_t = p.r * p.omega * normal(phi)
    rod_t = pin_t + 0.5 * p.l * theta_t[:, None] * normal(theta)
    kinetic = 0.5 * (p.J1 + 0.25 * p.m1 * p.r**2) * p.omega**2 + 0.5 * p.m2 * np.sum(rod_t**2, axis=1)
    kinetic = kinetic + 0.5 * p.J2 * theta_t**2 + 0.5 * p.m3 * x_t**2
    potential = p.g * (0.5 * p.m1 * pin[:, 1] + p.m2 * (pin + u)[:, 1])
    return SliderCrankMotion(
        t=time,
        phi=phi,
        theta=theta,
        theta_t=theta_t,
        theta_tt=theta_tt,
        x=x,
        x_t=x_t,
        x_tt=x_tt,
        pin=pin,
        rod_centre=pin + u,
        rod_centre_tt=rod_centre_tt,
        ground_on_crank=force_o,
        crank_on_rod=force_a,
        rod_on_slider=force_b,
        ground_on_slider=p.m3 * p.g - force_b[:, 1],
        ground_moment_on_slider=np.zeros_like(time),
        drive_moment=moment,
        energy=kinetic + potential,
    )
