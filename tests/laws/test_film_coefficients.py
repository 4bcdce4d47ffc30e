"""Equilibrium, stiffness and damping against closed forms and a published table."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.laws.film_cases import BEARING, MU, B, C, R

W = 30.0


def closed_form(e):
    """K and C of the short bearing, x along the load: Friswell, Penny, Garvey & Lees 2010 section 5.5 (their u is our y).

    Their cross terms have the other sign: u is a quarter turn back from the load, our y a quarter turn on.
    """
    h = (np.pi**2 * (1 - e**2) + 16 * e**2) ** -1.5
    q = np.sqrt(1 - e**2)
    uu = 4 * h * (np.pi**2 * (2 - e**2) + 16 * e**2)
    uv = h * np.pi * (np.pi**2 * (1 - e**2) ** 2 - 16 * e**4) / (e * q)
    vu = -h * np.pi * (np.pi**2 * (1 - e**2) * (1 + 2 * e**2) + 32 * e**2 * (1 + e**2)) / (e * q)
    vv = 4 * h * (np.pi**2 * (1 + 2 * e**2) + 32 * e**2 * (1 + e**2) / (1 - e**2))
    b_uu = 2 * h * np.pi * q * (np.pi**2 * (1 + 2 * e**2) - 16 * e**2) / e
    b_uv = -8 * h * (np.pi**2 * (1 + 2 * e**2) - 16 * e**2)
    b_vv = 2 * h * np.pi * (np.pi**2 * (1 - e**2) ** 2 + 48 * e**2) / (e * q)
    return np.array([[vv, -vu], [-uv, uu]]), np.array([[b_vv, -b_uv], [-b_uv, b_uu]])


@pytest.mark.parametrize("eps", [0.05, 0.2, 0.5, 0.8, 0.95])
@pytest.mark.parametrize("spin", [W, -W])
@pytest.mark.parametrize("direction", [-0.5 * np.pi, 0.6])
def test_short_bearing(eps, spin, direction):
    """All eight coefficients, load and attitude of Ocvirk's bearing, for both senses of spin and any direction of load."""
    size = MU * W * R * B**3 / C**2 * eps / (4 * (1 - eps**2) ** 2) * np.sqrt(16 * eps**2 + np.pi**2 * (1 - eps**2))
    load = size * np.array([np.cos(direction), np.sin(direction)])
    found = fm.film.coefficients(fm.film.ShortBearing(MU), load=load, spin=spin, **BEARING)
    assert_allclose(found.ratio, eps, rtol=1e-9)
    assert_allclose(np.tan(found.attitude), np.pi * np.sqrt(1 - eps**2) / (4 * eps), rtol=1e-9)
    K, D = closed_form(eps)
    assert_allclose(found.K, K, rtol=1e-8, atol=1e-8)
    assert_allclose(found.C, D, rtol=1e-8, atol=1e-8)
    assert_allclose(found.sommerfeld, MU * W / (2 * np.pi) * B * 2 * R / size * (R / C) ** 2, rtol=1e-12)
    force, _ = fm.film.ShortBearing(MU).resultant(*(2 * [found.eccentricity]), (0, 0), (0, 0), spin, **BEARING)
    assert_allclose(force, -load, atol=1e-9 * size)


@pytest.mark.parametrize("eps", [0.2, 0.7])
def test_long_bearing(eps):
    """Half-Sommerfeld equilibrium: tan(phi) = pi sqrt(1-eps^2)/(2 eps)."""
    unit = MU * W * B * R**3 / C**2 / (2 + eps**2)
    radial, tangential = 12 * unit * eps**2 / (1 - eps**2), 6 * unit * np.pi * eps / np.sqrt(1 - eps**2)
    found = fm.film.coefficients(fm.film.LongBearing(MU), load=(np.hypot(radial, tangential), 0.0), spin=W, **BEARING)
    assert_allclose(found.ratio, eps, rtol=1e-8)
    assert_allclose(np.tan(found.attitude), np.pi * np.sqrt(1 - eps**2) / (2 * eps), rtol=1e-8)


# S, eps, attitude (degrees), Kxx Kxy Kyx Kyy, Cxx Cxy Cyx Cyy
TWO_GROOVES = [
    (6.430, 0.071, 81.89, 1.55, 14.41, -6.60, 1.88, 28.75, 1.89, 1.89, 13.31),
    (2.030, 0.207, 68.75, 1.65, 5.67, -2.50, 1.93, 11.18, 2.07, 2.07, 5.33),
    (0.917, 0.372, 57.45, 2.12, 4.01, -1.30, 1.85, 7.70, 2.06, 2.06, 3.23),
    (0.378, 0.570, 45.43, 3.33, 3.64, -0.43, 1.68, 6.76, 1.87, 1.87, 1.89),
    (0.194, 0.695, 37.72, 4.78, 3.84, 0.01, 1.62, 7.03, 1.80, 1.80, 1.40),
    (0.116, 0.772, 32.65, 6.36, 4.17, 0.30, 1.60, 7.59, 1.79, 1.79, 1.15),
    (0.042, 0.879, 24.41, 11.45, 5.23, 0.92, 1.60, 9.48, 1.80, 1.80, 0.82),
]


@pytest.mark.parametrize("row", TWO_GROOVES, ids=lambda row: f"S={row[0]}")
def test_two_axial_grooves(row):
    """A bearing with two axial grooves of 20 degrees across the load, L/D = 0.5.

    Numbers as kept, without a source, by VictorLier/Tribology (DTU), Someya.py, `Tabletest`; by their look those of Lund &
    Thomsen 1978, which was not at hand. Eccentricity and attitude to 0.5 %, coefficients to
    3 % of the largest of their kind along the same row of the matrix (the film's end is between two nodes of any grid).
    """
    S, eps, attitude, *numbers = row
    length = R
    size = MU * W / (2 * np.pi) * length * 2 * R / S * (R / C) ** 2
    grooves = tuple(fm.film.Groove(angle, width=np.radians(20.0) * R) for angle in (0.0, np.pi))
    film = fm.film.FiniteBearing(MU, cavitation="reynolds", supply=grooves, grid=(144, 25))
    found = fm.film.coefficients(film, load=(0.0, -size), spin=W, radius=R, length=length, clearance=C)
    assert_allclose(found.ratio, eps, rtol=5e-3)
    assert_allclose(np.degrees(found.attitude), attitude, rtol=5e-3)
    K, D = np.array(numbers[:4]).reshape(2, 2), np.array(numbers[4:]).reshape(2, 2)
    assert_allclose(found.K, K, atol=0.03 * np.abs(K).max())
    assert_allclose(found.C, D, atol=0.03 * np.abs(D).max())


def test_stiffness_is_the_slope_of_the_force():
    film = fm.film.FiniteBearing(MU)
    found = fm.film.coefficients(film, load=(300.0, -200.0), spin=W, **BEARING)
    for column, step in enumerate(1e-6 * C * np.eye(2)):
        more, less = (film.resultant(*(2 * [found.eccentricity + s]), (0, 0), (0, 0), W, **BEARING)[0] for s in (step, -step))
        assert_allclose(-(more - less) / (2e-6 * C), found.stiffness[:, column], rtol=1e-5, atol=1e-3)
