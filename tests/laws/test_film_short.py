"""Short bearing: the reference case, adaptive quadrature, thin films, the Ocvirk locus."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad, quad_vec
from scipy.optimize import minimize

import fmbs as fm
from tests.laws.film_cases import BEARING, MU, REST, B, C, R, act, aligned, states

REFERENCE = json.loads((Path(__file__).parents[1] / "literature" / "reference.json").read_text())["short_bearing_misaligned"]
SHORT = fm.film.ShortBearing(MU)


def pressure(z, theta, zeta):
    """Tian2010 eq 38 as printed, cut at zero."""
    a, b = 0.5 - zeta / B, 0.5 + zeta / B
    (x, y), (vx, vy) = a * z[0:2] + b * z[2:4], a * z[4:6] + b * z[6:8]
    cos, sin = np.cos(theta), np.sin(theta)
    h = C - x * cos - y * sin
    wedge = z[8] * (x * sin - y * cos) - 2.0 * (vx * cos + vy * sin)
    return np.maximum(3.0 * MU * (4.0 * zeta**2 - B**2) / (4.0 * h**3) * wedge, 0.0)


def by_adaptive_quadrature(z):
    """Force and moment by nested adaptive quadrature of the printed pressure: over zeta outside, over theta inside.

    Breaks are given where the integrand is hard: the edges of the positive arc and the thinnest film; along zeta the places
    where the driving velocity u is least or across the eccentricity.
    """

    def section(zeta):  # e and u at zeta
        a, b = 0.5 - zeta / B, 0.5 + zeta / B
        e, v = a * z[0:2] + b * z[2:4], a * z[4:6] + b * z[6:8]
        return e, 2.0 * v + z[8] * np.array([e[1], -e[0]])

    def over_theta(zeta):
        e, u = section(zeta)
        middle, thin = np.arctan2(u[1], u[0]), np.arctan2(e[1], e[0])
        edges = (middle - 0.5 * np.pi, middle + 0.5 * np.pi)
        inside = [t for t in (thin, thin - 2 * np.pi, thin + 2 * np.pi) if edges[0] < t < edges[1]]
        f = lambda t: pressure(z, t, zeta) * R * np.array([np.cos(t), np.sin(t)])  # noqa: E731
        x, y = quad_vec(f, *edges, points=inside or None, epsrel=1e-8, norm="max")[0]
        return np.array([-x, -y, zeta * y / B, -zeta * x / B])

    (e0, u0), (e1, u1) = section(-0.5 * B), section(0.5 * B)
    e_m, u_m, e_d, u_d = 0.5 * (e0 + e1), 0.5 * (u0 + u1), 0.5 * (e1 - e0), 0.5 * (u1 - u0)
    hard = np.roots([e_d @ u_d, e_m @ u_d + e_d @ u_m, e_m @ u_m]).real
    hard = np.append(hard, -(u_m @ u_d) / (u_d @ u_d)) if u_d.any() else hard
    hard = [0.5 * B * x for x in hard if abs(x) < 0.999] or None
    total = quad_vec(over_theta, -0.5 * B, 0.5 * B, points=hard, epsrel=1e-7, norm="max")[0]
    return total * [1.0, 1.0, B, B]


def test_reference_case():
    """reference.json to 1e-6. Its peak pressure is that of a grid of points: the true one is 6e-6 above it."""
    ends = (REFERENCE["A"], REFERENCE["W"], REFERENCE["A_dot"], REFERENCE["W_dot"], REFERENCE["omega"])
    assert (REFERENCE["mu"], REFERENCE["R"], REFERENCE["B"], REFERENCE["c"]) == (MU, R, B, C)
    force, moment = SHORT.resultant(*ends, **BEARING)
    assert_allclose(force, REFERENCE["force"], rtol=1e-6)
    assert_allclose(moment, REFERENCE["moment"], rtol=1e-6)
    z = np.concatenate([np.array(x, float).ravel() for x in ends])
    peak = act(SHORT, z).peak_pressure
    assert_allclose(peak, REFERENCE["p_max"], rtol=1e-5)
    assert peak >= REFERENCE["p_max"]
    theta, zeta, p = SHORT.pressure(*ends, **BEARING, points=(2000, 401))
    i, j = np.unravel_index(p.argmax(), p.shape)
    best = minimize(lambda x: -pressure(z, x[0], 0.02 * x[1]), [theta[i], zeta[j] / 0.02], method="Nelder-Mead", tol=1e-13)
    assert_allclose(peak, -best.fun, rtol=1e-10)


@pytest.mark.parametrize("z", states(11, 12))
def test_agrees_with_adaptive_quadrature(z):
    """1e-6 of the force, at eccentricity ratios up to 0.99 and with the thinnest film at one end."""
    exact = by_adaptive_quadrature(z)
    done = act(SHORT, z)
    size = np.linalg.norm(exact[:2]) + np.linalg.norm(exact[2:]) / B
    assert np.abs(done.force - exact[:2]).max() < 1e-6 * size
    assert np.abs(done.moment - exact[2:]).max() < 1e-6 * size * B


@pytest.mark.parametrize("eps", [1e-9, 0.1, 0.5, 0.9, 0.99])
def test_ocvirk_locus(eps):
    """F_r = mu w R L^3/c^2 eps^2/(1-eps^2)^2, F_t = mu w R L^3/c^2 pi eps/(4 (1-eps^2)^1.5), tan(phi) = pi q/(4 eps)."""
    w, e = 30.0, aligned(eps, 0.7)
    force, moment = SHORT.resultant(e, e, REST, REST, w, **BEARING)
    out = e / np.linalg.norm(e)
    radial, tangential = force @ out, force @ np.array([-out[1], out[0]])
    unit, q = MU * w * R * B**3 / C**2, np.sqrt(1.0 - eps**2)
    assert_allclose(radial, -unit * eps**2 / q**4, rtol=1e-11, atol=1e-14 * unit)
    assert_allclose(tangential, unit * np.pi * eps / (4.0 * q**3), rtol=1e-11)
    assert_allclose(tangential / -radial, np.pi * q / (4.0 * eps), rtol=1e-5)
    assert np.abs(moment).max() < 1e-12 * B * np.abs(force).max()


@pytest.mark.parametrize("eps", [0.0, 0.3, 0.8])
def test_squeezed_short_film(eps):
    """Pure approach: f = -mu R L^3/c^3 v int_{-pi/2}^{pi/2} cos^2/(1 - eps cos)^3, by quadrature."""
    e, v = aligned(eps), np.array([1e-3, 0.0])
    integral = quad(lambda t: np.cos(t) ** 2 / (1.0 - eps * np.cos(t)) ** 3, -0.5 * np.pi, 0.5 * np.pi, epsrel=1e-12)[0]
    force, _ = SHORT.resultant(e, e, v, v, 0.0, **BEARING)
    assert_allclose(force, [-MU * R * B**3 / C**3 * v[0] * integral, 0.0], rtol=1e-10, atol=1e-9)


def test_pressure_field_integrates_to_the_resultant():
    z = states(5, 1, 0.8)[0]
    ends = (z[0:2], z[2:4], z[4:6], z[6:8], z[8])
    theta, zeta, p = SHORT.pressure(*ends, **BEARING, points=(2880, 801))
    assert p.shape == (2880, 801) and (p >= 0.0).all() and (p[:, [0, -1]] == 0.0).all()
    area = R * (theta[1] - theta[0]) * (zeta[1] - zeta[0])
    force, moment = SHORT.resultant(*ends, **BEARING)
    assert_allclose([-(p.T @ np.cos(theta)).sum() * area, -(p.T @ np.sin(theta)).sum() * area], force, rtol=1e-4)
    sums = [(p.T @ np.sin(theta)) @ zeta * area, -(p.T @ np.cos(theta)) @ zeta * area]
    assert_allclose(sums, moment, atol=1e-4 * np.abs(moment).max())


def test_viscosity_of_time():
    thinning = fm.film.ShortBearing(lambda t: MU / (1.0 + t))
    ends = (aligned(0.5), aligned(0.4), REST, REST, 30.0)
    assert_allclose(thinning.resultant(*ends, **BEARING, t=1.0)[0], 0.5 * SHORT.resultant(*ends, **BEARING)[0], rtol=1e-14)
