"""Small models with rigid surfaces, and impacts integrated over the impulse by scipy, with a friction that is smoothed."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import fmbs as fm

GRAVITY = 9.81
RULES = {"speed": fm.impact.Newton, "impulse": fm.impact.Poisson, "work": fm.impact.Stronge}


def ball(law: Any, kind: str = "round", gap: float = 0.1, **body: Any) -> tuple[Any, ...]:
    """Model, body and joint: 2 kg above a floor; `round`: one contact, `block`: two corners at once."""
    m = fm.Model("ball", gravity=(0.0, -GRAVITY))
    b = m.add(fm.PlanarBody("ball", mass=2.0, inertia=0.01, com=(0.0, 0.0), **body))
    if kind == "round":
        j = m.add(fm.ClearanceRevolute(m.ground.at(0, 0), b.com, bearing_radius=0.2, clearance=gap, length=0.1, contact=law))
    else:
        j = m.add(
            fm.ClearancePrismatic(m.ground.at(0, 0), b.com, axis=(1, 0), length=0.1, height=0.1, clearance=gap, contact=law)
        )
    return m, b, j


def smoothed(W: np.ndarray, u: np.ndarray, mu: float, e: float, rule: str, small: float = 1e-9) -> np.ndarray:
    """Impulses (normal, along) of one contact: du/dp = -W (1, mu s/sqrt(s^2 + small^2)), in compression and restitution."""
    scale = small * float(np.abs(u).max())

    def push(slip: np.ndarray) -> np.ndarray:
        return np.concatenate([[1.0], mu * slip / np.sqrt(slip @ slip + scale**2)])

    def rate(_: float, y: np.ndarray) -> np.ndarray:
        f = push(y[1 : u.size])
        return np.concatenate([-W @ f, f, [y[0]]])

    def compressed(_: float, y: np.ndarray) -> float:
        return float(y[0])

    def over(_: float, y: np.ndarray) -> float:
        return float(
            {
                "speed": y[0] + e * u[0],
                "impulse": (1 + e) * middle[u.size] - y[u.size],
                "work": y[-1] - (1 - e * e) * middle[-1],
            }[rule]
        )

    far = 1e3 * float(np.abs(u).max() / np.diag(W).min())
    compressed.terminal = over.terminal = True  # type: ignore[attr-defined]
    options: dict[str, Any] = {"method": "Radau", "rtol": 1e-10, "atol": 1e-13}
    middle = solve_ivp(rate, (0.0, far), np.concatenate([u, np.zeros(u.size + 1)]), events=compressed, **options).y[:, -1]
    end = solve_ivp(rate, (0.0, far), middle, events=over, **options).y[:, -1]
    return np.asarray(end[u.size : 2 * u.size])
