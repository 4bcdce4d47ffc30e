"""Friction kernels against differences, the bristle's differential equation and the curves of the papers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import fmbs as fm
from tests.laws.law_cases import friction

CURVE = {"static": 0.3, "kinetic": 0.2, "stribeck_speed": 0.01}
LAWS = {
    "Ambrosio": fm.friction.Ambrosio(0.3, 1e-3, 1e-2),
    "Ambrosio, v0 = 0": fm.friction.Ambrosio(coefficient=0.3, v0=0.0, v1=1e-2),
    "Stribeck": fm.friction.Stribeck(**CURVE, viscous=0.1),
    "Stribeck, gamma = 0.7": fm.friction.Stribeck(**CURVE, exponent=0.7, smooth_speed=1e-3),
    "LuGre": fm.friction.LuGre(**CURVE),
    "LuGre, undamped": fm.friction.LuGre(**CURVE, damping=0.0, viscous=0.1, exponent=1.0),
    "LuGre, steady state": fm.friction.LuGre(**CURVE, steady_state=True),
}
every_law = pytest.mark.parametrize("law", list(LAWS.values()), ids=list(LAWS))


def evaluate(law: fm.friction.FrictionLaw, slip, slip_0=(0.0, 0.0), z_0=(0.0, 0.0), h: float = 0.0) -> np.ndarray:
    return friction(law, *slip, *slip_0, *z_0, h)


def g(speed: float) -> float:
    return 0.2 + 0.1 * np.exp(-((speed / 0.01) ** 2))


@every_law
def test_derivatives_are_those_of_the_coefficient(law: fm.friction.FrictionLaw) -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        slip, slip_0 = rng.normal(size=(2, 2)) * 10.0 ** rng.uniform(-4, 0)
        z_0, h = rng.normal(size=2) * 1e-6, 10.0 ** rng.uniform(-8, -3)
        if abs(np.linalg.norm(slip) - 1e-3) < 1e-5 or abs(np.linalg.norm(slip) - 1e-2) < 1e-4:
            continue  # corners of Ambrosio's law
        mean = min(np.linalg.norm(slip), np.linalg.norm(slip + slip_0) / 2)  # the scale on which the direction of slip changes
        step = 1e-5 * mean
        columns = [
            evaluate(law, slip + s, slip_0, z_0, h)[:2] - evaluate(law, slip - s, slip_0, z_0, h)[:2] for s in step * np.eye(2)
        ]
        out = evaluate(law, slip, slip_0, z_0, h)
        scale = np.abs(out[2:6]).max() + np.linalg.norm(out[:2]) / mean
        assert_allclose(np.ravel(columns, order="F") / (2 * step), out[2:6], rtol=0, atol=1e-9 * scale)


@every_law
def test_friction_is_isotropic(law: fm.friction.FrictionLaw) -> None:
    angle = 0.7
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    slip, slip_0, z_0, h = np.array([0.003, -0.001]), np.array([0.004, 0.002]), np.array([1e-6, 0.5e-6]), 1e-4
    a, b = evaluate(law, slip, slip_0, z_0, h), evaluate(law, turn @ slip, turn @ slip_0, turn @ z_0, h)
    assert_allclose(b[:2], turn @ a[:2], rtol=1e-12)
    assert_allclose(b[6:], turn @ a[6:], rtol=1e-12)
    assert_allclose(b[2:6].reshape(2, 2), turn @ a[2:6].reshape(2, 2) @ turn.T, rtol=1e-11, atol=1e-11)


@every_law
def test_friction_at_rest_is_finite_and_zero(law: fm.friction.FrictionLaw) -> None:
    out = evaluate(law, (0.0, 0.0))
    assert_allclose(out[[0, 1, 6, 7]], 0.0)
    assert np.isfinite(out).all()
    near = evaluate(law, (1e-12, 0.0))
    assert_allclose(near[2:6], out[2:6], rtol=1e-3, atol=1e-3)


def test_ambrosio_inside_its_limits() -> None:
    """c_d of Chen2020 eq 17."""
    law = fm.friction.Ambrosio(0.3, v0=1e-3, v1=1e-2)
    speed = np.array([0.0, 0.5e-3, 1e-3, 2.8e-3, 1e-2, 1.0])
    assert_allclose(law.mu(speed), 0.3 * np.array([0, 0, 0, 0.2, 1, 1]), atol=1e-16)
    assert_allclose(law.mu(-speed), -law.mu(speed))
    assert_allclose(evaluate(law, (0.0, -2.8e-3))[:2], [0.0, -0.06], rtol=1e-12)


@pytest.mark.parametrize("name", ["Stribeck", "LuGre, steady state"])
def test_stribeck_curve(name: str) -> None:
    speed = np.array([1e-3, 0.01, 0.03, 1.0])
    viscous = LAWS[name].viscous
    assert_allclose(LAWS[name].mu(speed), [g(v) + viscous * v for v in speed], rtol=1e-7)
    assert LAWS[name].mu(np.linspace(0, 0.01, 2000)).max() == pytest.approx(0.3, rel=2.5e-3)
    assert LAWS[name].mu(0.0) == 0.0


@pytest.mark.parametrize("h", [1e-4, 1e-2, 10.0])
@pytest.mark.parametrize("speed", [1e-4, 0.008, -0.5])
def test_lugre_slides_on_its_stribeck_curve(speed: float, h: float) -> None:
    law = fm.friction.LuGre(**CURVE, viscous=0.05)
    z = np.zeros(2)
    for _ in range(int(1e-4 / abs(speed * h)) + 1):  # 0.1 mm: 33 times the bristle's length
        out = evaluate(law, (speed, 0.0), (speed, 0.0), z, h)
        z = out[6:].copy()
    assert out[0] == pytest.approx(np.sign(speed) * g(abs(speed)) + 0.05 * speed, rel=1e-9)
    assert law.mu(speed) == pytest.approx(np.sign(speed) * g(abs(speed)) + 0.05 * speed)


def test_lugre_bristle_is_second_order() -> None:
    """A slip that turns and changes its speed, against DOP853."""
    law = fm.friction.LuGre(**CURVE)
    slip = lambda t: np.array([2e-3 * np.sin(40 * t), 1e-3 * np.cos(70 * t)])  # noqa: E731

    def bristle(t: float, z: np.ndarray) -> np.ndarray:
        v = np.linalg.norm(slip(t))
        return slip(t) - 1e5 * v / g(v) * z

    end = 0.05
    exact = solve_ivp(bristle, (0, end), [0, 0], method="DOP853", rtol=1e-11, atol=1e-16).y[:, -1]
    errors = []
    for steps in (400, 800, 1600):
        z, t = np.zeros(2), np.linspace(0, end, steps + 1)
        for a, b in itertools.pairwise(t):
            z = evaluate(law, slip(b), slip(a), z, b - a)[6:].copy()
        errors.append(np.linalg.norm(z - exact) / np.linalg.norm(exact))
    assert errors[-1] < 1e-4
    assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), 2.0, atol=0.1)


def test_lugre_presliding_is_a_spring() -> None:
    """Displacements far below g/s_0 = 3 um give mu = s_0 x and come back: no drift under a small load."""
    law, x, z, h = fm.friction.LuGre(**CURVE, damping=0.0), 0.0, np.zeros(2), 1e-5
    for v in [1e-6] * 100 + [-1e-6] * 100:
        out = evaluate(law, (v, 0.0), (v, 0.0), z, h)
        z, x = out[6:].copy(), x + h * v
        assert out[0] == pytest.approx(1e5 * x, abs=1e5 * 1e-9 * 1e-3)
    assert abs(out[0]) < 1e-6


def test_lugre_breaks_away_at_static_friction_and_falls_to_kinetic() -> None:
    law, z, h, last = fm.friction.LuGre(**CURVE), np.zeros(2), 1e-4, 0.0
    speeds = np.linspace(0, 0.05, 20001)[1:]  # 0.025 m/s^2: slow against the bristle
    mu = []
    for v in speeds:
        out = evaluate(law, (v, 0.0), (last, 0.0), z, h)
        z, last = out[6:].copy(), v
        mu.append(out[0])
    peak = int(np.argmax(mu))
    assert mu[peak] == pytest.approx(0.3, rel=0.01) and mu[peak] < 0.3
    assert speeds[peak] < 2e-3
    assert mu[-1] == pytest.approx(0.2, rel=1e-6)


@pytest.mark.parametrize("damping", [0.0, 10.0, 400.0, 1e5])
def test_lugre_is_passive_and_never_exceeds_static_friction(damping: float) -> None:
    """Power mu v covers the growth of the bristle's energy s_0 z z' for every bristle that sliding can leave behind."""
    law = fm.friction.LuGre(**CURVE, damping=damping)
    rng = np.random.default_rng(5)
    for _ in range(500):
        slip, z = rng.normal(size=2) * 10.0 ** rng.uniform(-6, 1), rng.uniform(-1, 1, 2)
        z *= 3e-6 * rng.uniform() / np.linalg.norm(z)
        mu, v = evaluate(law, slip, slip, z)[:2], np.linalg.norm(slip)
        rate = slip - 1e5 * v / g(v) * z
        assert mu @ slip - 1e5 * z @ rate >= -1e-12 * v
        assert np.linalg.norm(mu) <= 0.3 * (1 + 1e-12)
        long_step = evaluate(law, slip, slip, z, 10.0 ** rng.uniform(-8, 2))
        assert np.linalg.norm(long_step[6:]) <= 3e-6 * (1 + 1e-12)
