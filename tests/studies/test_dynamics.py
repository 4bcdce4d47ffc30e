"""Dynamics tools on systems whose answers are published."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fmbs as fm
from fmbs.studies import crossings, lyapunov, lyapunov_of_series, spectrum, strobe

Array = np.ndarray


def henon(x: Array) -> Array:
    return np.array([1.0 - 1.4 * x[0] ** 2 + x[1], 0.3 * x[0]])


def lorenz(t: float, x: Array) -> list[float]:
    return [10.0 * (x[1] - x[0]), x[0] * (28.0 - x[2]) - x[1], x[0] * x[1] - 8.0 / 3.0 * x[2]]


def flow(time: float) -> object:
    return lambda x: solve_ivp(lorenz, (0.0, time), x, rtol=1e-8, atol=1e-9).y[:, -1]


def test_lyapunov_of_henon_map() -> None:
    """0.4192 (Henon map, a = 1.4, b = 0.3; Sprott, Chaos and Time-Series Analysis)."""
    assert lyapunov(henon, (0.1, 0.1), 1.0, steps=4000, skip=100) == pytest.approx(0.4192, abs=0.02)


def test_lyapunov_of_lorenz_flow() -> None:
    """0.9056 1/s (Lorenz, sigma = 10, r = 28, b = 8/3; Viswanath 1998)."""
    found = lyapunov(flow(0.5), (1.0, 1.0, 20.0), 0.5, steps=250, skip=20)  # type: ignore[arg-type]
    assert found == pytest.approx(0.9056, abs=0.08)


def test_lyapunov_of_a_series() -> None:
    """Henon again, from x alone; 15 % is what 4000 samples give."""
    x = np.empty((4100, 2))
    x[0] = 0.1, 0.1
    for i in range(1, len(x)):
        x[i] = henon(x[i - 1])
    assert lyapunov_of_series(x[100:, 0], 1.0, dimension=2, apart=10, span=6) == pytest.approx(0.4192, rel=0.15)


def test_regular_motion_has_no_positive_exponent() -> None:
    """A damped oscillator, x'' + 2 d x' + x = 0: the exponent is -d."""

    def oscillator(x: Array) -> Array:
        return solve_ivp(lambda t, y: [y[1], -y[0] - 0.2 * y[1]], (0.0, 1.0), x, rtol=1e-9, atol=1e-12).y[:, -1]

    found = lyapunov(oscillator, (1.0, 0.0), 1.0, steps=60, apart=1e-3)
    assert found == pytest.approx(-0.1, abs=0.01)


def test_sections_of_known_signals() -> None:
    t = np.linspace(0.0, 10.0, 2001)
    x = np.cos(2 * np.pi * t) + 0.5 * np.cos(np.pi * t)  # period 2
    assert strobe(t, x, 1.0, skip=2.0) == pytest.approx(np.array([1.5, 0.5] * 4 + [1.5]), abs=1e-9)
    turn = 2 * np.pi * (t - 0.1)
    times, other = crossings(t, np.sin(turn), np.cos(turn))
    assert times == pytest.approx(0.1 + np.arange(10.0), abs=1e-4)
    assert other == pytest.approx(np.ones(times.size), abs=1e-3)
    frequency, size = spectrum(t, x)
    assert frequency[size.argmax()] == pytest.approx(1.0, abs=0.05) and size.max() == pytest.approx(1.0, abs=0.05)


def test_wrong_input() -> None:
    with pytest.raises(fm.ModelError, match="no whole period"):
        strobe(np.linspace(0, 1, 9), np.zeros(9), 0.5, skip=3.0)
    with pytest.raises(fm.ModelError, match="too few"):
        lyapunov_of_series(np.zeros(10), 1.0, dimension=3)
    with pytest.raises(fm.ModelError, match="apart"):
        lyapunov(lambda x: 0.0 * x, (1.0,), 1.0, steps=2)
