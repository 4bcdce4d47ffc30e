"""Stick-slip of a mass that a spring drags (or that a belt drags along), with LuGre friction: the period against Radau."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fmbs as fm
from tests.laws.law_cases import friction

# Canudas de Wit et al. 1995 sect. IV-B: m = 1 kg, k = 2 N/m, 0.1 m/s, F_s = 1.5 N, F_c = 1 N, v_s = 1 mm/s, s_0 = 1e5 N/m,
# s_1 = sqrt(1e5) N s/m, s_2 = 0.4 N s/m; here with N = 1 N.
PULL, SPRING, MASS = 0.1, 2.0, 1.0
LAW = fm.friction.LuGre(static=1.5, kinetic=1.0, stribeck_speed=1e-3, stiffness=1e5, damping=1e5**0.5, viscous=0.4)
END = 21.0


def curve(v: float) -> float:
    return 1.0 + 0.5 * np.exp(-((v / 1e-3) ** 2))


def radau(constant_damping: bool) -> np.ndarray:
    """Times at which the mass breaks away (its speed rises through half the pulling speed)."""

    def rate(t: float, y: np.ndarray) -> list[float]:
        x, v, z = y
        bristle = v - 1e5 * abs(v) / curve(v) * z
        damping = 1e5**0.5 if constant_damping else 1e5**0.5 * curve(v) / (curve(v) + 1e5**0.5 * abs(v))
        return [v, SPRING * (PULL * t - x) - (1e5 * z + damping * bristle + 0.4 * v), bristle]

    def breaks_away(t: float, y: np.ndarray) -> float:
        return y[1] - PULL / 2

    breaks_away.direction = 1
    run = solve_ivp(rate, (0, END), [0, 0, 0], method="Radau", rtol=1e-8, atol=[1e-9, 1e-9, 1e-13], events=breaks_away)
    return run.t_events[0]


def implicit_steps(h: float) -> np.ndarray:
    """The same times by the trapezoidal rule, Newton's method and the kernel's own tangent."""
    x = v = a = z = 0.0
    times = []
    for n in range(round(END / h)):
        t, v_1 = (n + 1) * h, v + h * a
        for _ in range(50):
            out = friction(LAW, v_1, 0.0, v, 0.0, z, 0.0, h)
            x_1 = x + h / 2 * (v + v_1)
            a_1 = (SPRING * (PULL * t - x_1) - out[0]) / MASS
            change = (v_1 - v - h / 2 * (a + a_1)) / (1 + h / 2 * (SPRING * h / 2 + out[2]) / MASS)
            v_1 -= change
            if abs(change) < 1e-13:
                break
        else:
            raise AssertionError(f"Newton's method failed at t = {t}")
        if v < PULL / 2 <= v_1:
            times.append(t - h * (v_1 - PULL / 2) / (v_1 - v))
        x, v, a, z = x_1, v_1, a_1, out[6]
    return np.array(times)


def test_period_of_stick_slip() -> None:
    exact = radau(constant_damping=False)
    times = implicit_steps(5e-4)
    assert len(exact) == len(times) >= 3
    period = np.diff(exact)[-1]
    assert np.diff(times)[-1] == pytest.approx(period, rel=1e-3)
    assert np.abs(times - exact).max() < 1e-3 * period
    # The damping that fades with speed leaves the period of the published model as it is
    assert np.diff(radau(constant_damping=True))[-1] == pytest.approx(period, rel=1e-3)
