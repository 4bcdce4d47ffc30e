"""Chen, Sun, Yuan 2020: what its section 4 says of the press, statement by statement.

Figs 8, 11 ideal joints: 2.81 m/s^2 at 100 rpm (r w^2 (1 + r/l))
Fig. 6     displacements keep the same path for all driving speeds; fluctuations appear as the speed rises
Fig. 7     the largest velocity grows with the speed, its difference to ideal joints slowly; waves of free flight, in which the
           slider's velocity is constant
Fig. 8     accelerations fluctuate more, the faster it turns, obviously above 100 rpm
Fig. 9, 10 larger clearance, larger fluctuations of displacement and velocity
Fig. 11    larger clearance, larger peaks: 9.511 m/s^2 at 0.1 mm, 17.47 at 1 mm (not confirmed: 1.5 and 2.5 times as much here)
Eq. 13     the largest penetration is 0.01 mm (not confirmed: 0.03 mm)
Eqs 14, 15 K with R_b + R_j

The bearings' radius is not printed. The experiments of Fig. 8 cannot be repeated.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.models import Press

SPEEDS = (50.0, 100.0, 150.0, 200.0)
SIZES = (1e-4, 2e-4, 5e-4, 1e-3)


@cache
def last_turn(turns: float = 2.0, **values: Any) -> dict[str, Any]:
    """The second turn and the later ones; x, v, a: off the ideal motion, and the largest of each."""
    model = Press(**values)
    m = model.build()
    frame = model.turn / 600
    steps = {"step": frame / 40, "output_step": frame} if model.joint == "dry" else {"step": frame}
    sol = m.simulate(turns * model.turn, **steps, progress=False)
    kept = sol.t > model.turn
    slider, angle, w = m["slider"].com, 2.0 * np.pi * sol.t[kept] / model.turn, 2.0 * np.pi / model.turn
    r, l = model.crank_length, model.rod_length
    y, root = r * np.sin(angle), np.sqrt(l**2 - (r * np.sin(angle)) ** 2)
    x = sol.position(slider)[kept, 0] - (r * np.cos(angle) + root)
    v = sol.velocity(slider)[kept, 0] + w * y * (1.0 + r * np.cos(angle) / root)
    a = sol.acceleration(slider)[kept, 0]
    exact = -r * w**2 * (np.cos(angle) + r * np.cos(2.0 * angle) / root + r**3 * (np.sin(2.0 * angle) / 2.0) ** 2 / root**3)
    found: dict[str, Any] = {
        "x": np.abs(x).max(), "v": np.abs(v).max(), "a": np.sqrt(np.mean((a - exact) ** 2)),
        "peak": np.abs(a).max(), "largest v": np.abs(sol.velocity(slider)[kept, 0]).max(),
    }  # fmt: skip
    if model.joint == "dry":
        found["depth"] = max(sol.clearance(pin).penetration.max() for pin in model.imperfect)
        loose = sol.clearance("wrist pin").penetration[kept] < -1e-6
        found["in flight"] = np.abs(a[loose]).max() if loose.any() else np.nan
        found["loose"] = loose.mean()
    return found


def test_ideal_acceleration() -> None:
    """Figs 8, 11: 2.81 m/s^2 at 100 rpm, on the closed form."""
    run = last_turn()
    assert run["peak"] == pytest.approx(2.81, abs=0.005)
    assert run["a"] < 1e-3 and run["x"] < 1e-7 and run["v"] < 1e-5


def test_slider_flies_at_constant_velocity() -> None:
    """Fig. 7b: while the wrist pin is loose nothing accelerates the slider."""
    run = last_turn(joint="dry", clearance=1e-3)
    assert run["loose"] > 0.05
    assert run["in flight"] < 1e-3 * run["peak"]


@pytest.mark.slow
def test_displacement_keeps_its_path() -> None:
    """Fig. 6a: within 0.4 mm of a stroke of 50 mm at every speed: both clearances, 0.1 mm each way, and the penetration."""
    assert all(last_turn(joint="dry", rpm=rpm)["x"] < 4e-4 for rpm in SPEEDS)


@pytest.mark.slow
def test_fluctuations_grow_with_the_speed() -> None:
    """Figs 6b, 7, 8: of displacement, velocity and acceleration."""
    runs = [last_turn(joint="dry", rpm=rpm) for rpm in SPEEDS]
    assert all((np.diff([run[key] for run in runs]) > 0.0).all() for key in ("x", "v", "a", "peak"))


@pytest.mark.slow
def test_fluctuations_of_acceleration_grow_faster_than_the_speed() -> None:
    """Fig. 8, "obviously" above 100 rpm. Speeds of impacts grow with w, Hertz's peaks with w^1.2, the ideal acceleration with
    w^2. Turns differ by half of the value, so the root mean square over turns 2 to 6 is taken."""
    fluctuation = [last_turn(joint="dry", rpm=rpm, turns=6.0)["a"] for rpm in (100.0, 200.0)]
    assert 2.0 < fluctuation[1] / fluctuation[0] < 4.0


@pytest.mark.slow
def test_velocity_grows_with_the_speed_and_its_difference_slowly() -> None:
    """Fig. 7a: the largest velocity in proportion, its difference to ideal joints by a few per cent of it."""
    runs = [last_turn(joint="dry", rpm=rpm) for rpm in SPEEDS]
    largest = np.array([run["largest v"] for run in runs]) / (0.025 * np.array(SPEEDS) * np.pi / 30.0)
    assert np.abs(largest - 1.0).max() < 0.06
    assert max(run["v"] / run["largest v"] for run in runs) < 0.15


@pytest.mark.slow
def test_fluctuations_grow_with_the_clearance() -> None:
    """Figs 9, 10, 11."""
    runs = [last_turn(joint="dry", clearance=c) for c in SIZES]
    assert all((np.diff([run[key] for run in runs]) > 0.0).all() for key in ("x", "v", "peak"))


@pytest.mark.slow
def test_peaks_are_higher_than_the_printed_ones() -> None:
    """Fig. 11, not confirmed: 9.511 m/s^2 at 0.1 mm and 17.47 at 1 mm, a factor of 1.84; here 12 to 16 and 40 to 55.

    A mass that meets a wall with the speed v has the peak a = (5/4 v^2)^(3/5) (K/m)^(2/5) of Hertz's law. v grows with the root
    of the clearance and K falls with it, which makes a factor of 10^0.4 = 2.5 from 0.1 to 1 mm; eq. 14, whose K does not fall,
    10^0.6 = 4. Bearings of half the radius have the printed peak at 0.1 mm (next test), none has both.
    """
    small, large = (last_turn(joint="dry", clearance=c)["peak"] for c in (1e-4, 1e-3))
    assert 9.511 < small < 2.0 * 9.511
    assert 1.84 * 1.3 < large / small < 6.0


@pytest.mark.slow
def test_radius_that_is_not_printed_decides_about_the_peak() -> None:
    """Fig. 11: bearings of 50 mm come close to 9.511 m/s^2 at 0.1 mm; of 200 mm they are far above."""
    peaks = [last_turn(joint="dry", bearing_radius=radius)["peak"] for radius in (0.05, 0.2)]
    assert abs(peaks[0] - 9.511) < 0.35 * 9.511
    assert peaks[1] > 1.3 * 9.511


@pytest.mark.slow
def test_penetration_is_deeper_than_stated() -> None:
    """Eq. 13 ff., not confirmed: 0.01 mm; here 0.03 mm with R_b - R_j, and 0.1 mm and more with eq. 14."""
    tight, eq_14 = (last_turn(joint="dry", contact=law)["depth"] for law in ("LankaraniNikravesh", "Chen2020"))
    assert 2e-5 < tight < 8e-5
    assert eq_14 > 1e-4


def test_stiffness_of_equation_14_is_that_of_two_convex_bodies() -> None:
    """Eqs 14, 15: pi cancels; softer by sqrt((R_b + R_j)/c), 45 times for 0.1 mm in 100 mm."""
    steel = fm.Material(E=210e9, nu=0.3, density=7960)
    printed = 4.0 / (3.0 * np.pi * 2.0 * (1.0 - 0.09) / (np.pi * 210e9)) * np.sqrt(0.1 * 0.0999 / 0.1999)
    assert fm.contact.chen2020_stiffness(0.1, 0.0999, steel, steel) == pytest.approx(printed, rel=1e-12)
    ratio = fm.contact.hertz_stiffness(0.1, 0.0999, steel, steel) / printed
    assert ratio == pytest.approx(np.sqrt(0.1999 / 1e-4), rel=1e-9)
