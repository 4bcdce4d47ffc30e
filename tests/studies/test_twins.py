"""Largest Lyapunov exponents of models against closed forms and an independent integration."""

from __future__ import annotations

import numpy as np
import pytest

import fmbs as fm
from fmbs.studies import lyapunov_of_model, strobe

Array = np.ndarray
ENERGY_KEPT = fm.GeneralizedAlpha(1.0)


def oscillator(damping: float) -> fm.Model:
    """1 kg on a spring of 4 N/m, along x."""
    m = fm.Model("oscillator")
    body = m.add(fm.RigidBody("body", mass=1.0, inertia=np.eye(3), com=(1.1, 0, 0)))
    m.add(fm.Prismatic(m.ground.at(0, 0, 0), body.com, axis=(1, 0, 0)))
    m.add(fm.SpringDamper(m.ground.at(0, 0, 0), body.com, stiffness=4.0, length=1.0, damping=damping))
    return m


def two_rods(first: float, second: float) -> fm.Model:
    """Slender rods of 1 m and 1 kg, hanging at these angles from the vertical."""
    m = fm.Model("two rods", gravity=(0, -9.81))
    middle = np.array([np.sin(first), -np.cos(first)])
    end = middle + np.array([np.sin(second), -np.cos(second)])
    upper = m.add(fm.PlanarBody("upper", mass=1.0, inertia=1 / 12, com=middle / 2))
    lower = m.add(fm.PlanarBody("lower", mass=1.0, inertia=1 / 12, com=(middle + end) / 2))
    m.add(fm.Revolute(m.ground.at(0, 0), upper.at(0, 0)))
    m.add(fm.Revolute(upper.at(*middle), lower.at(*middle)))
    return m


def rod_rates(x: Array) -> Array:
    """Lagrange's equations of the two rods; x: angles and their rates, complex numbers too  # (4, runs)."""
    a, b, u, v = x
    c, s, g = np.cos(a - b), np.sin(a - b), 9.81
    f = np.array([-0.5 * v**2 * s - 1.5 * g * np.sin(a), 0.5 * u**2 * s - 0.5 * g * np.sin(b)])
    det = 4 / 9 - c**2 / 4
    return np.array([u, v, (f[0] / 3 - c / 2 * f[1]) / det, (4 / 3 * f[1] - c / 2 * f[0]) / det])


def exponent_of_rods(first: float, second: float, runs: int, seconds: int, h: float = 4e-3) -> float:
    """Variational equations (complex step) beside the motion, classical Runge-Kutta, a mean over runs that start closely."""
    random, tiny = np.random.default_rng(1), 1e-30
    x = np.array([[first], [second], [0.0], [0.0]]) + 1e-6 * random.standard_normal((4, runs))
    d = random.standard_normal((4, runs))
    total = np.zeros(runs)
    for second_ in range(seconds):
        d /= np.linalg.norm(d, axis=0)
        z = x + 1j * tiny * d
        for _ in range(round(1 / h)):
            k1 = rod_rates(z)
            k2 = rod_rates(z + h / 2 * k1)
            k3 = rod_rates(z + h / 2 * k2)
            z = z + h / 6 * (k1 + 2 * k2 + 2 * k3 + rod_rates(z + h * k3))
        x, d = z.real, z.imag / tiny
        if second_ >= 20:  # until then the runs are still one
            total += np.log(np.linalg.norm(d, axis=0))
    return float(total.mean() / (seconds - 20))


def test_damped_oscillator_settles_with_its_damping() -> None:
    """x'' + c x' + 4 x = 0: both exponents are -c/2 while it oscillates. T is half a period, so that the norm does not beat."""
    for damping in (0.2, 1.0):
        period = 2 * np.pi / np.sqrt(4.0 - damping**2 / 4)
        found = lyapunov_of_model(oscillator(damping), time=period / 2, stretches=12, step=5e-3)
        assert found.value == pytest.approx(-damping / 2, rel=1e-3)


def test_regular_motion_has_no_exponent() -> None:
    """Small swings of the two rods: distances grow with t at most, ln(150) / 150 s = 0.03 1/s."""
    found = lyapunov_of_model(two_rods(0.3, 0.4), time=1.0, stretches=150, step=2e-3, integrator=ENERGY_KEPT)
    assert abs(found.value) < 0.03 and found.running[-1] == pytest.approx(found.value)


def test_chaos_of_two_rods_against_an_independent_integration() -> None:
    """Swings over the top: both are means over chaos, of 400 s here and 40 x 80 s there."""
    found = lyapunov_of_model(two_rods(2.0, 2.5), time=0.5, stretches=800, skip=20, step=2e-3, integrator=ENERGY_KEPT)
    exact = exponent_of_rods(2.0, 2.5, runs=40, seconds=100)
    assert found.value == pytest.approx(exact, abs=4 * found.uncertainty)
    assert found.uncertainty < 0.08 * exact


@pytest.mark.slow
def test_slider_crank_with_a_lasting_contact() -> None:
    """One run settles turn by turn with a factor that the differences of its own section show; the remembered approach speed
    does not settle."""
    model = fm.models.SliderCrankPlanar(joint="dry", friction="Ambrosio", clearance=3.3e-4)
    sol = model.build().simulate(22 * model.turn, step=5e-6, output_step=model.turn / 20, progress=False)
    steps = np.diff(strobe(sol.t, sol.velocity(sol.model["slider"].com)[:, 0], model.turn, skip=14 * model.turn))
    factor = np.log(steps[1:] / steps[:-1]).mean()
    words = {"time": model.turn, "stretches": 10, "skip": 12, "step": 5e-6}
    shared = lyapunov_of_model(model.build(), share_memory=True, **words)  # type: ignore[arg-type]
    assert shared.value * model.turn == pytest.approx(factor, rel=0.05)
    assert abs(lyapunov_of_model(model.build(), **words).value) * model.turn < 0.02  # type: ignore[arg-type]


def test_wrong_input() -> None:
    driven = fm.models.SliderCrankPlanar().build()
    with pytest.raises(fm.ModelError, match="prescribed by drives"):
        lyapunov_of_model(driven, time=1e-3, stretches=2, step=1e-4)
    for words in ({"stretches": 0}, {"skip": -1}, {"stretches": 1.5}, {"time": -1.0}, {"step": 0.0}, {"apart": 0.0}):
        with pytest.raises(fm.ModelError):
            lyapunov_of_model(oscillator(0.1), **{"time": 0.1, "stretches": 2, "step": 1e-2} | words)  # type: ignore[arg-type]
