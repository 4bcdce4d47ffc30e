"""Chen, Feng, Peng, Sun, He, Yu 2020: what its section 4 says of the press.

The statements are listed in fmbs/reproduce/chen2020_claims.py, with the test of each; docs/reproductions/chen2020 has them
beside the numbers of full runs. Impacts make the motion sensitive, so slow tests take means over runs with pushes of 1 mN.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.models import Press
from fmbs.studies.push import Push

SPEEDS = (50.0, 100.0, 150.0, 200.0)
SIZES = (1e-4, 2e-4, 5e-4, 1e-3)
MEMBERS = 4


@cache
def last_turn(turns: float = 2.0, *, member: int = 0, **values: Any) -> dict[str, Any]:
    """The second turn and the later ones; x, v, a: off the ideal motion, and the largest of each."""
    model = Press(**values)
    m = Push(1e-3).on(model.build(), member)
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
        "peak": np.abs(a).max(), "whole": np.abs(sol.acceleration(slider)[:, 0]).max(),
        "largest x": np.abs(sol.position(slider)[kept, 0] - l).max(), "largest v": np.abs(sol.velocity(slider)[kept, 0]).max(),
    }  # fmt: skip
    if model.joint == "dry":
        found["depth"] = max(sol.clearance(pin).penetration.max() for pin in model.imperfect)
        loose = sol.clearance("wrist pin").penetration[kept] < -1e-6
        found["in flight"] = np.abs(a[loose]).max() if loose.any() else np.nan
        found["loose"] = loose.mean()
        hits = [i.approach_speed for pin in model.imperfect for i in sol.clearance(pin).impacts if i.t > model.turn]
        found["approach"] = max(hits, default=0.0)
        found["normal"] = max(sol.clearance(pin).normal_force[kept].max() for pin in model.imperfect)
    return found


@cache
def means(turns: float = 3.0, **values: Any) -> dict[str, float]:
    """Over an ensemble."""
    runs = [last_turn(turns, member=k, joint="dry", **values) for k in range(MEMBERS)]
    return {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}


def grows(runs: list[dict[str, float]], *keys: str) -> bool:
    return all((np.diff([run[key] for run in runs]) > 0.0).all() for key in keys)


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


def test_low_speed_is_greatly_affected() -> None:
    """Fig. 8, not confirmed: "not greatly affected" at a lower speed. At 50 rpm the peak is many times the ideal one."""
    assert last_turn(joint="dry", rpm=50.0)["peak"] > 3.0 * last_turn(rpm=50.0)["peak"]


@pytest.mark.slow
def test_low_speed_is_affected_most() -> None:
    """Fig. 8, not confirmed: peaks over ideal ones fall with the speed (w^1.2 and w^2)."""
    ratios = [means(rpm=rpm)["peak"] / last_turn(rpm=rpm)["peak"] for rpm in (50.0, 200.0)]
    assert ratios[0] > 1.5 * ratios[1] > 3.0


@pytest.mark.slow
def test_displacement_keeps_its_path() -> None:
    """Fig. 6a: within 0.5 mm of a stroke of 50 mm at every speed: both clearances, 0.1 mm each way, and the penetration."""
    assert all(means(rpm=rpm)["x"] < 5e-4 for rpm in SPEEDS)


@pytest.mark.slow
def test_fluctuations_grow_with_the_speed() -> None:
    """Figs 6b, 7, 8: of displacement, velocity and acceleration; so do the speeds of impacts and the forces."""
    assert grows([means(rpm=rpm) for rpm in SPEEDS], "x", "v", "a", "peak", "approach", "normal")


@pytest.mark.slow
def test_velocity_grows_with_the_speed_and_its_difference_slowly() -> None:
    """Fig. 7a: the largest velocity in proportion, its difference to ideal joints by a few per cent of it."""
    runs = [means(rpm=rpm) for rpm in SPEEDS]
    largest = np.array([run["largest v"] for run in runs]) / (0.025 * np.array(SPEEDS) * np.pi / 30.0)
    assert np.abs(largest - 1.0).max() < 0.06
    assert max(run["v"] / run["largest v"] for run in runs) < 0.15


@pytest.mark.slow
def test_fluctuations_grow_with_the_clearance() -> None:
    """Figs 9, 10, 11; the largest displacement stays comparable to the ideal one."""
    runs = [means(clearance=c) for c in SIZES]
    assert grows(runs, "x", "v", "peak")
    assert all(abs(run["largest x"] / 0.025 - 1.0) < 0.15 for run in runs)


@pytest.mark.slow
def test_large_clearance_moves_the_slider_off_its_path() -> None:
    """Fig. 9, "crucial influence on the displacement": by more than both clearances with 1 mm, 4 % of the stroke; less than
    1 % of it with 0.1 mm."""
    assert 2e-3 < means(clearance=1e-3)["x"] < 4e-3
    assert means(clearance=1e-4)["x"] < 5e-4


@pytest.mark.slow
def test_acceleration_is_the_most_sensitive() -> None:
    """Fig. 11: relative to the ideal motion, displacement less than velocity, velocity less than acceleration."""
    run, ideal = means(), last_turn()
    assert run["x"] / 0.025 < run["v"] / ideal["largest v"] < 0.2 * (run["peak"] / ideal["peak"] - 1.0)


@pytest.mark.slow
def test_peaks_beside_the_printed_ones() -> None:
    """Fig. 11: 9.511 m/s^2 at 0.1 mm and 17.47 at 1 mm, a factor of 1.84. With Hertz's K in steady motion they are not
    confirmed: higher, and a factor of more than 2.4. With eq. 14 and the start of the run both are near."""
    small, large = (means(clearance=c)["peak"] for c in (1e-4, 1e-3))
    assert 1.1 * 9.511 < small < 2.0 * 9.511
    assert large > 1.84 * 1.3 * small
    printed = [means(clearance=c, contact="Chen2020", gravity=9.81)["whole"] for c in (1e-4, 1e-3)]
    assert np.abs(np.array(printed) / (9.511, 17.47) - 1.0).max() < 0.2


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
