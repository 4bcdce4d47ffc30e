"""What every film must do: oppose motion, conserve angular momentum, not care for the choice of axes, stay finite."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.laws.film_cases import BEARING, MU, REST, B, C, R, act, aligned, films, name, states, values

EVERY = pytest.mark.parametrize("film", films(), ids=name)
SHEARED = pytest.mark.parametrize("film", films(shear=True), ids=name)


@EVERY
def test_tilting_is_opposed(film):
    """Moment and rate of turn n: n . M < 0, with tilting velocity v = n x zeta e_z."""
    for e in (REST, aligned(0.5), aligned(0.9, 2.0)):
        for angle in np.linspace(0.0, 5.0, 6):
            turn = np.array([np.cos(angle), np.sin(angle)])
            v = np.array([turn[1], -turn[0]]) * 1e-2 * 0.5 * B  # at zeta = +B/2
            _, moment = film.resultant(e, e, -v, v, 0.0, **BEARING)
            assert turn @ moment < 0.0


@EVERY
def test_squeezed_film_takes_power(film):
    """No spin: F . v + M . turn < 0 for every motion, up to and beyond contact."""
    for z in states(41, 20, 1.1):
        z[8] = 0.0
        if not z[4:8].any():
            continue
        done = act(film, z, False)
        v, slope = 0.5 * (z[4:6] + z[6:8]), (z[6:8] - z[4:6]) / B
        assert done.force @ v + done.moment @ np.array([-slope[1], slope[0]]) < 0.0


@SHEARED
def test_power_with_spin_and_shear(film):
    """With the viscous torques included a film only takes power, whatever the motion; frame of the bearing."""
    for z in states(42, 20, 0.95):
        done = act(film, z, False)
        v, slope = 0.5 * (z[4:6] + z[6:8]), (z[6:8] - z[4:6]) / B
        power = done.force @ v + done.moment @ np.array([-slope[1], slope[0]]) + done.shear[0] * z[8]
        assert power < 0.0


@SHEARED
def test_moments_about_the_bearing_axis_cancel(film):
    """T_journal + T_bearing + m x F = 0, m the journal's middle."""
    for z in states(43, 6, 1.05):
        done, m = act(film, z, False), 0.5 * (z[0:2] + z[2:4])
        total = done.shear.sum() + m[0] * done.force[1] - m[1] * done.force[0]
        assert abs(total) < 1e-12 * (np.abs(done.shear).sum() + C * np.abs(done.force).sum())


@pytest.mark.parametrize("eps", [0.0, 0.4, 0.9])
def test_friction_torques(eps):
    """Aligned: Petroff's 2 pi mu omega R^3 L/(c sqrt(1 - eps^2)), and half of the moment of the force on either side.

    The Poiseuille part is integrated independently: T_b = int (mu omega R/h - h p_theta/(2 R)) R dA over the pressure field.
    """
    w, e = 30.0, aligned(eps, 0.3)
    film = fm.film.ShortBearing(MU, shear=True)
    done = film.action(np.concatenate([e, e, REST, REST, [w]]), R, B, C)
    couette = 2.0 * np.pi * MU * w * R**3 * B / (C * np.sqrt(1.0 - eps**2))
    theta, zeta, p = film.pressure(e, e, REST, REST, w, **BEARING, points=(7200, 401))
    h = C - e[0] * np.cos(theta) - e[1] * np.sin(theta)
    slope = (np.roll(p, -1, 0) - np.roll(p, 1, 0)) / (2.0 * (theta[1] - theta[0]))
    poiseuille = -(0.5 * R * h @ slope).sum() * (theta[1] - theta[0]) * (zeta[1] - zeta[0])
    assert_allclose(done.shear[1], couette + poiseuille, rtol=1e-5)
    assert_allclose(done.shear[0], -couette + poiseuille, rtol=1e-5)


@EVERY
@pytest.mark.parametrize("angle", [0.5 * np.pi, 2.0])
def test_axes_do_not_matter(film, angle):
    """Turned axes of the bearing, turned force. A grid is exact for turns by its own steps only."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    grid = isinstance(film, fm.film.FiniteBearing) and angle != 0.5 * np.pi
    for z in states(44, 4, 0.8):
        turned = z.copy()
        turned[:8] = (z[:8].reshape(4, 2) @ turn.T).ravel()
        one, two = values(film, z), values(film, turned)
        size = np.linalg.norm(one[:2]) + np.linalg.norm(one[2:4]) / B
        assert_allclose(two[:2], turn @ one[:2], atol=(0.02 if grid else 1e-7) * size)
        assert_allclose(two[2:4], turn @ one[2:4], atol=(0.02 if grid else 1e-7) * size * B)


@EVERY
def test_mirror_image(film):
    """Reflection at the xi axis, with the spin reversed."""
    flip = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, -1.0])
    for z in states(45, 4, 0.8):
        one, two = values(film, z), values(film, flip * z)
        size = np.linalg.norm(one[:2]) + np.linalg.norm(one[2:4]) / B
        assert_allclose(two[:4], one[:4] * [1, -1, -1, 1], atol=1e-8 * size)


@EVERY
def test_ends_exchanged(film):
    """Looked at from the other end (turned by pi about xi): A and W change places."""
    for z in states(46, 4, 0.8):
        flip = np.array([1.0, -1.0])
        seen = np.concatenate([z[2:4] * flip, z[0:2] * flip, z[6:8] * flip, z[4:6] * flip, [-z[8]]])
        one, two = values(film, z), values(film, seen)
        size = np.linalg.norm(one[:2]) + np.linalg.norm(one[2:4]) / B
        assert_allclose(two[:4], one[:4] * [1, -1, 1, -1], atol=1e-8 * size)


@EVERY
def test_through_the_wall(film):
    """Finite, continuous and once differentiable from the film into the wall and out of it again."""
    across = np.linspace(0.97, 1.05, 401)
    path = [np.concatenate([aligned(x), aligned(0.9 * x, 0.2), [1e-3, 0, 1e-3, 1e-3], [30.0]]) for x in across]
    done = [act(film, z) for z in path]
    force = np.array([d.force for d in done])
    slope = np.array([d.jacobian[:2, 0:2] @ aligned(1.0) + d.jacobian[:2, 2:4] @ aligned(0.9, 0.2) for d in done])
    assert np.isfinite(force).all() and np.isfinite(slope).all()
    step = across[1] - across[0]
    jumps = np.diff(force, axis=0) - 0.5 * step * (slope[1:] + slope[:-1])  # trapezoidal rule
    assert np.abs(jumps).max() < 0.02 * np.abs(force).max()
    assert_allclose([d.min_thickness for d in done], C * (1.0 - across), atol=1e-18)
    assert np.abs(force).max() > 0.0


@EVERY
def test_limit_does_not_touch_a_film(film):
    """Up to 1 - 8 limit nothing is changed: two limits, one result."""
    other = type(film)(**{**film.__dict__, "limit": 2e-4})
    for z in states(47, 4, 0.99):
        assert_allclose(values(film, z), values(other, z), rtol=1e-7, atol=1e-7 * np.abs(values(film, z)).max())


@pytest.mark.parametrize("film", [film for film in films() if not isinstance(film, fm.film.Impedance)], ids=name)
def test_peak_pressure(film):
    z = states(48, 1, 0.8)[0]
    points = None if isinstance(film, fm.film.FiniteBearing) else (1440, 201)
    p = film.pressure(z[0:2], z[2:4], z[4:6], z[6:8], z[8], **BEARING, points=points)[2]
    assert act(film, z).peak_pressure == pytest.approx(p.max(), rel=2e-3)
