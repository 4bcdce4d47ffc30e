"""Long bearing: the limits of the half Sommerfeld film, the formulas as printed, the half-film integral."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad, solve_ivp

import fmbs as fm
from tests.laws.film_cases import BEARING, MU, REST, B, C, R, aligned, states

LONG = fm.film.LongBearing(MU)
INTEGRATED = fm.film.LongBearing(MU, integration="quadrature")
UNIT = MU * B * R**3 / C**2


def printed(eps, eps_rate, wedge):
    """Flores2006 eqs 29-33, radial and tangential force; eq 31 with |eps'| in front. wedge: omega - 2 gamma'."""
    k = np.sqrt((1.0 - eps**2) * ((wedge / (2.0 * eps_rate)) ** 2 + 1.0 / eps**2))
    factor = (k + 3.0) / (k + 1.5) if eps_rate > 0.0 else k / (k + 1.5)
    last = factor if eps_rate > 0.0 else -factor
    radial = 6.0 * abs(eps_rate) / ((2 + eps**2) * (1 - eps**2) ** 1.5) * (4 * k * eps**2 + (2 + eps**2) * np.pi * last)
    return -UNIT * radial, UNIT * 6.0 * np.pi * eps * wedge / ((2 + eps**2) * np.sqrt(1 - eps**2)) * factor


@pytest.mark.parametrize("eps", [0.05, 0.4, 0.9])
@pytest.mark.parametrize("eps_rate", [7.0, 1e-3, -1e-3, -7.0])
@pytest.mark.parametrize("whirl", [0.0, 4.0, 20.0])
def test_printed_formulas(eps, eps_rate, whirl):
    """Vector form against the printed angles; whirl = gamma' in the bearing frame."""
    w, e = 30.0, aligned(eps)
    v = C * np.array([eps_rate, eps * whirl])
    force, _ = LONG.resultant(e, e, v, v, w, **BEARING)
    assert_allclose(force, printed(eps, eps_rate, w - 2.0 * whirl), rtol=1e-12, atol=1e-12 * UNIT)


@pytest.mark.parametrize("film", [LONG, INTEGRATED])
@pytest.mark.parametrize("eps", [1e-8, 0.2, 0.6, 0.95])
def test_half_sommerfeld_limits(film, eps):
    """eps' = 0: 12 eps^2/((2+eps^2)(1-eps^2)) and 6 pi eps/((2+eps^2) sqrt(1-eps^2)) times mu omega L R^3/c^2."""
    w, e = -25.0, aligned(eps)
    force, _ = film.resultant(e, e, REST, REST, w, **BEARING)
    radial = -UNIT * abs(w) * 12.0 * eps**2 / ((2 + eps**2) * (1 - eps**2))
    tangential = UNIT * w * 6.0 * np.pi * eps / ((2 + eps**2) * np.sqrt(1 - eps**2))
    assert_allclose(force, [radial, tangential], rtol=1e-9, atol=1e-14 * UNIT)


@pytest.mark.parametrize("film", [LONG, INTEGRATED])
@pytest.mark.parametrize("eps", [0.3, 0.9])
def test_continuous_across_a_stop_of_the_approach(film, eps):
    e = aligned(eps)
    in_, still, out = (film.resultant(e, e, *(2 * [np.array([v, 0.0])]), 30.0, **BEARING)[0] for v in (1e-11, 0.0, -1e-11))
    assert_allclose(in_, still, rtol=1e-6)
    assert_allclose(out, still, rtol=1e-6)


def test_nothing_divides_by_zero():
    """At the centre, at rest, and both."""
    e, v = aligned(0.3), np.array([1e-3, 2e-3])
    assert_allclose(LONG.resultant(REST, REST, v, v, 0.0, **BEARING)[0], -6.0 * np.pi * UNIT / C * v, rtol=1e-12)
    assert_allclose(INTEGRATED.resultant(REST, REST, v, v, 5.0, **BEARING)[0], -6.0 * np.pi * UNIT / C * v, rtol=1e-9)
    for film in (LONG, INTEGRATED):
        assert_allclose(film.resultant(e, e, REST, REST, 0.0, **BEARING)[0], 0.0, atol=0.0)
        done = film.action(np.zeros(9), R, B, C)
        assert np.isfinite(done.jacobian).all() and done.peak_pressure == 0.0


def test_half_film_solves_reynolds_equation():
    """(h^3 p')' = 6 mu omega h' + 12 mu h_t over the film, p = 0 at both its ends, by an independent integrator."""
    w, e, v = 30.0, aligned(0.6, 0.4), np.array([1e-3, -2e-3])
    theta, _, p = INTEGRATED.pressure(e, e, v, v, w, **BEARING, points=(3600, 3))
    wet = np.nonzero(p[:, 1] > 0.0)[0]
    assert wet.size in (1799, 1800)  # half of the circumference
    first = wet[np.nonzero(np.diff(wet) > 1)[0][0] + 1] if (np.diff(wet) > 1).any() else wet[0]
    start, stop = theta[first], theta[first] + np.pi - 4e-3
    h = lambda t: C - e[0] * np.cos(t) - e[1] * np.sin(t)  # noqa: E731
    source = lambda t: w * 6.0 * (e[0] * np.sin(t) - e[1] * np.cos(t)) - 12.0 * (v[0] * np.cos(t) + v[1] * np.sin(t))  # noqa: E731
    step = theta[1] - theta[0]
    at = lambda k: p[(first + k) % 3600, 1]  # noqa: E731
    slope = (-11 * at(0) + 18 * at(1) - 9 * at(2) + 2 * at(3)) / (6 * step)
    rate = lambda t, y: [y[1] / h(t) ** 3, MU * R**2 * source(t)]  # noqa: E731
    times = start + step * np.arange(0, 1790, 10)
    path = solve_ivp(rate, (start, stop), [at(0), h(start) ** 3 * slope], t_eval=times, rtol=1e-10, atol=1e-12)
    assert_allclose(path.y[0], [at(k) for k in range(0, 1790, 10)], atol=2e-5 * p.max())


def test_quadrature_integrates_its_pressure():
    z = states(3, 1, 0.7)[0]
    z[2:4], z[6:8] = z[0:2], z[4:6]
    ends = (z[0:2], z[2:4], z[4:6], z[6:8], z[8])
    theta, _, p = INTEGRATED.pressure(*ends, **BEARING, points=(7200, 3))
    force, _ = INTEGRATED.resultant(*ends, **BEARING)
    area = R * B * (theta[1] - theta[0])
    assert_allclose([-(p[:, 1] @ np.cos(theta)) * area, -(p[:, 1] @ np.sin(theta)) * area], force, rtol=1e-5)


def test_closed_form_is_near_the_integral():
    """Pinkus & Sternlicht's factors of k are an approximation: 10 % on the approach, more in retreat."""
    for z in states(8, 40, 0.9):
        if z[0:2] @ z[4:6] > 0.0:
            ends = (z[0:2], z[0:2], z[4:6], z[4:6], 0.0)
            closed, integral = LONG.resultant(*ends, **BEARING)[0], INTEGRATED.resultant(*ends, **BEARING)[0]
            assert np.linalg.norm(closed - integral) < 0.1 * np.linalg.norm(integral)


def test_misaligned_strips():
    """Force and moment are integrals of the aligned force per unit length (quad over zeta)."""
    z = states(21, 1, 0.8)[0]

    def strip(s, k):
        a, b = 0.5 * (1 - s), 0.5 * (1 + s)
        e, v = a * z[0:2] + b * z[2:4], a * z[4:6] + b * z[6:8]
        return LONG.resultant(e, e, v, v, z[8], **BEARING)[0][k]

    f = [quad(lambda s, k=k: 0.5 * strip(s, k), -1, 1, epsrel=1e-9, limit=200)[0] for k in (0, 1)]
    g = [quad(lambda s, k=k: 0.25 * B * s * strip(s, k), -1, 1, epsrel=1e-9, limit=200)[0] for k in (0, 1)]
    force, moment = LONG.resultant(z[0:2], z[2:4], z[4:6], z[6:8], z[8], **BEARING)
    assert_allclose(force, f, rtol=1e-6)
    assert_allclose(moment, [-g[1], g[0]], rtol=1e-6, atol=1e-7 * B * np.abs(f).max())
