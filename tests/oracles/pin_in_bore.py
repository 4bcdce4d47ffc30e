"""An elastic pin in the bore of an elastic ring, plane strain, and a parabola on a bonded elastic layer: independent of fmbs.

The pin is held at a rigid core, the ring at its outer edge. Each harmonic cos(n phi) of a radial pressure is a problem of
two by two or four by four equations in Michell's functions (Barber, Elasticity, table 9.1); the pressure is a series of even
Chebyshev polynomials times sqrt(1 - x^2), collocated over the contact. Radius of the bore: 1, load: 1.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import chebyshev

Array = np.ndarray
NU, KAPPA = 0.3, 3.0 - 4.0 * 0.3
TWO_MU = 1.0 / (1.0 + NU)  # E = 1
E_STAR = 0.5 / (1.0 - NU**2)  # two bodies alike


def michell(n: int, r: float) -> Array:
    """Columns r^(n+2), r^n, r^(2-n), r^-n; rows 2 mu u_r, 2 mu u_phi, s_rr, s_rphi (cos n phi, sin n phi)."""
    k = KAPPA
    return np.array([
        [(k - n - 1) * r ** (n + 1), -n * r ** (n - 1), (k + n - 1) * r ** (1 - n), n * r ** (-n - 1)],
        [(k + n + 1) * r ** (n + 1), n * r ** (n - 1), -(k - n + 1) * r ** (1 - n), n * r ** (-n - 1)],
        [-(n + 1) * (n - 2) * r**n, -n * (n - 1) * r ** (n - 2), -(n + 2) * (n - 1) * r**-n, -n * (n + 1) * r ** (-n - 2)],
        [n * (n + 1) * r**n, n * (n - 1) * r ** (n - 2), -n * (n - 1) * r**-n, -n * (n + 1) * r ** (-n - 2)],
    ])  # fmt: skip


def pushed(r: float) -> Array:
    """As michell(1, r), with the net force (r phi sin and r ln r cos, single-valued) and a translation as columns 2 and 3."""
    k, b, log = KAPPA, -(KAPPA - 1) / (KAPPA + 1), np.log(r)
    table = michell(1, r)
    out = np.empty((4, 4))
    out[:, 0], out[:, 1] = table[:, 0], table[:, 3]
    out[:, 2] = (
        0.5 * (-1 + (k + 1) * log + b * (-1 + (k - 1) * log)),
        0.5 * (-1 - (k + 1) * log + b * (-1 - (k - 1) * log)),
        (2 + b) / r,
        b / r,
    )
    out[:, 3] = 1.0, -1.0, 0.0, 0.0
    return out


def held(n: int, held_at: float, inside: bool) -> float:
    """u_r at r = 1 under s_rr = -cos(n phi) there, of a body held at a radius; inside: the pin."""
    if n == 0:
        if inside:
            return -(KAPPA - 1) / 2 / TWO_MU
        c = np.linalg.solve([[2.0, 1.0], [(KAPPA - 1) * held_at, -1.0 / held_at]], [-1.0, 0.0])
        return float((c[0] * (KAPPA - 1) - c[1]) / TWO_MU)
    if n == 1:
        here, there = pushed(1.0), pushed(held_at)
        c = np.linalg.solve(np.vstack([here[2:], there[:2]]), [-1.0, 0.0, 0.0, 0.0])
        return float(here[0] @ c / TWO_MU)
    here = michell(n, 1.0)
    use = [0, 1] if inside else [2, 3]
    if not inside and n * np.log(held_at) < 14.0:
        there = michell(n, held_at)
        c = np.linalg.solve(np.vstack([here[2:], there[:2] / held_at**n]), [-1.0, 0.0, 0.0, 0.0])
        return float(here[0] @ c / TWO_MU)
    c = np.linalg.solve(here[2:][:, use], [-1.0, 0.0])
    return float(here[0, use] @ c / TWO_MU)


def pin_in_bore(half_angle: float, outer: float, core: float = 0.3, degree: int = 12, places: int = 60) -> tuple[float, ...]:
    """Clearance, depth and peak pressure for which unit load spreads over this half angle."""
    count = int(210 / half_angle)
    yields = np.array([held(n, core, True) - held(n, outer, False) for n in range(count)])
    x, w = np.polynomial.legendre.leggauss(400)
    s, ws = np.sin(0.5 * np.pi * x), 0.5 * np.pi * np.cos(0.5 * np.pi * x) * w
    phi, order = half_angle * (np.arange(places) + 0.5) / places, np.arange(count)
    columns, load = [], []
    for j in range(degree):
        p = np.sqrt(1.0 - s**2) * chebyshev.chebval(s, [0] * (2 * j) + [1])
        waves = (np.cos(np.outer(order, half_angle * s)) * p) @ ws * half_angle / np.pi
        waves[0] *= 0.5
        columns.append(np.cos(np.outer(phi, order)) @ (yields * waves))
        load.append(float((p * np.cos(half_angle * s)) @ ws) * half_angle)
    A = np.column_stack([-np.array(columns).T, 1.0 - np.cos(phi), -np.cos(phi)])  # gap c - (c + d) cos - u = 0
    A = np.vstack([A, 1e3 * np.append(load, [0.0, 0.0])])
    found = np.linalg.lstsq(A, np.append(np.zeros(places), 1e3), rcond=None)[0]
    peak = sum(found[j] * chebyshev.chebval(0.0, [0] * (2 * j) + [1]) for j in range(degree))
    return float(found[degree]), float(found[degree + 1]), float(peak)


def layer_force(half_width: float, nu: float = NU, places: int = 120) -> tuple[float, float]:
    """Load a length and depth of a rigid parabola x^2/2 (radius 1) on a bonded layer of thickness 1, E = 1, plane strain.

    Compliance of the layer to a wave of number k (Bentall & Johnson 1968): u = p 2 (1 - nu^2) T(k)/k,
    T = ((3 - 4 nu) sinh 2k - 2k) / ((3 - 4 nu) cosh 2k + 2k^2 + 5 - 12 nu + 8 nu^2).
    """
    k = (np.arange(6000) + 0.5) * 0.01
    m = 3.0 - 4.0 * nu
    e = np.exp(-2.0 * k)
    T = (0.5 * m * (1 - e * e) - 2 * k * e) / (0.5 * m * (1 + e * e) + (2 * k * k + 5 - 12 * nu + 8 * nu * nu) * e)
    wave = 2.0 * (1.0 - nu**2) * T / k
    x, w = np.polynomial.legendre.leggauss(200)
    s, ws = np.sin(0.5 * np.pi * x), 0.5 * np.pi * np.cos(0.5 * np.pi * x) * w
    place = half_width * (np.arange(places) + 0.5) / places
    columns, load = [], []
    for j in range(10):
        p = np.sqrt(1.0 - s**2) * chebyshev.chebval(s, [0] * (2 * j) + [1])
        spectrum = (np.cos(np.outer(k, half_width * s)) * p) @ ws * half_width
        columns.append(np.cos(np.outer(place, k)) @ (wave * spectrum) * 0.01 / np.pi)
        load.append(float(p @ ws) * half_width)
    A = np.column_stack([np.array(columns).T, -np.ones(places)])  # u + x^2/2 = d
    found = np.linalg.lstsq(A, -0.5 * place**2, rcond=None)[0]
    return float(np.dot(found[:10], load)), float(found[10])
