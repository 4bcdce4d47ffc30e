"""Restitution that the laws deliver, by integrating an impact with DOP853, and by closed forms."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fmbs as fm
from tests.laws.law_cases import branch, contact

REFERENCE = json.loads((Path(__file__).parents[1] / "literature" / "reference.json").read_text())["delivered_restitution"]
STEEL = fm.Material(E=207e9, nu=0.3, density=7850)


def delivered(law: fm.contact.ContactLaw, speed: float = 1.0, mass: float = 1.0, duration: float = 100.0) -> float:
    """Separation over approach speed of a mass that hits a wall; contact ends when the force or the depth is zero."""

    def rate(t: float, y: np.ndarray) -> list[float]:
        return [y[1], -contact(law, y[0], y[1], speed, 0.0, 0.0, 0.0)[0] / mass]

    def leaves(t: float, y: np.ndarray) -> float:
        return y[0] if t > 0 else 1.0

    leaves.terminal, leaves.direction = True, -1
    start = [1e-14 * speed * duration, speed]
    run = solve_ivp(rate, (0, duration), start, method="DOP853", rtol=1e-12, atol=[1e-15 * duration * speed, 1e-12 * speed],
                    events=leaves)  # fmt: skip
    assert run.status == 1
    return float(-run.y_events[0][0, 1] / speed)


@pytest.mark.parametrize("asked", ["0.9", "0.5"])
@pytest.mark.parametrize("name", REFERENCE)
def test_classic_laws_deliver_the_tabulated_restitution(name: str, asked: str) -> None:
    law = getattr(fm.contact, name)(restitution=float(asked), stiffness=1.0)
    assert delivered(law) == pytest.approx(REFERENCE[name][asked], abs=1e-6)


@pytest.mark.parametrize("name", ["LankaraniNikravesh", "HuntCrossley", "Flores"])
@pytest.mark.parametrize("asked", [0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999, 1.0])
def test_calibrated_laws_deliver_what_is_asked(name: str, asked: float) -> None:
    assert delivered(getattr(fm.contact, name)(restitution=asked, stiffness=1.0, calibrated=True)) == pytest.approx(
        asked, abs=1e-8
    )


@pytest.mark.parametrize(
    ("exponent", "stiffness", "mass", "speed"), [(1.0, 3.0, 0.5, 2.0), (2.2, 0.4, 5.0, 0.3), (1.5, 1e3, 1, 1)]
)
def test_calibration_holds_for_any_stiffness_exponent_mass_and_speed(
    exponent: float, stiffness: float, mass: float, speed: float
) -> None:
    law = fm.contact.HuntCrossley(restitution=0.6, stiffness=stiffness, exponent=exponent, calibrated=True)
    assert delivered(law, speed, mass) == pytest.approx(0.6, abs=1e-8)


@pytest.mark.parametrize("asked", [0.4, 0.9, 1.0])
def test_cylinder_laws_deliver_what_is_asked(asked: float) -> None:
    law = fm.contact.ESDU78035(materials=(STEEL, STEEL), restitution=asked).bound("joint", 0.01, 0.00995, 0.02)
    assert delivered(law, speed=0.5, mass=0.2, duration=1e-3) == pytest.approx(asked, abs=1e-7)


@pytest.mark.parametrize("e", [0.01, 0.029, 0.05, 0.4, 0.99, 1 - 1e-6, 1 - 1e-12, 1.0])
def test_calibrated_factor_solves_its_equation(e: float) -> None:
    """a (1 + e) = ln[(1 + a)/(1 - a e)]; near e = 1 by the series a = 3/2 (1 - e) + ..., for small e a e = 1 - exp(-...)."""
    from fmbs.laws.restitution import calibrated

    a = calibrated(e)
    if e > 1 - 1e-5:
        assert a == pytest.approx(1.5 * (1 - e), rel=3e-6, abs=1e-15)
    else:
        assert 1 - a * e == pytest.approx((1 + a) * np.exp(-a * (1 + e)), rel=1e-8, abs=2e-15)


@pytest.mark.parametrize("damping", [0.0, 0.1, 0.5])
def test_kelvin_voigt_is_the_damped_oscillator(damping: float) -> None:
    """m = K = 1: force is first zero at t = (pi - atan2(2 b w, w^2 - b^2)) / w, and the speed is then exp(-b t)."""
    b = damping / 2
    w = np.sqrt(1 - b * b)
    exact = np.exp(-b * (np.pi - np.arctan2(2 * b * w, w * w - b * b)) / w)
    assert delivered(fm.contact.KelvinVoigt(stiffness=1.0, damping=damping)) == pytest.approx(exact, abs=1e-6)


def test_overdamped_kelvin_voigt_still_leaves() -> None:
    assert 0.0 < delivered(fm.contact.KelvinVoigt(stiffness=1.0, damping=3.0)) < 0.2


@pytest.mark.parametrize("parallel", [0.0, 0.5])
def test_viscoelastic_impact_loses_energy_and_matches_its_equation(parallel: float) -> None:
    """m = K = tau = 1, explicit small steps through the kernel against DOP853 on the three-state equation."""
    law = branch(1.0, 1.0, parallel)

    def rate(t: float, y: np.ndarray) -> list[float]:
        return [y[1], -(y[2] + parallel * y[0]), y[1] - y[2]]

    def force(t: float, y: np.ndarray) -> float:
        return y[2] + parallel * y[0] if t > 0 else 1.0

    force.terminal, force.direction = True, -1
    exact = solve_ivp(rate, (0, 50), [1e-12, 1.0, 1e-12], method="DOP853", rtol=1e-12, atol=1e-13, events=force)
    x, v, memory, h, F = 0.0, 1.0, 0.0, 1e-3, 0.0
    for _ in range(20000):
        ahead = x + h * v - h * h / 2 * F  # velocity Verlet
        F_1, _, _, memory, _ = contact(law, ahead, v, 1.0, x, memory, h)
        v, x = v - h / 2 * (F + F_1), ahead
        F = F_1
        if F == 0.0:
            break
    assert v == pytest.approx(exact.y_events[0][0, 1], abs=1e-5)
    assert -1.0 < v < 0.0


def test_numbers_of_the_docs() -> None:
    """docs/contact.md, table of delivered restitutions."""
    text = (Path(__file__).parents[2] / "docs" / "contact.md").read_text()
    for asked in ("0.9", "0.5"):
        row = next(line for line in text.splitlines() if line.startswith(f"| {asked} |"))
        printed = [float(cell) for cell in row.strip("|").split("|")[1:]]
        assert printed[:3] == [round(REFERENCE[name][asked], 4) for name in ("LankaraniNikravesh", "HuntCrossley", "Flores")]
