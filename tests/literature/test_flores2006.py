"""Flores, Ambrosio, Claro, Lankarani, Koshy 2006: what its section 6 says of the slider-crank, statement by statement.

Sect. 6    with the clearance joint the mechanism has three degrees of freedom
Fig. 6a, b dry reaction: peaks comparable to the ideal force; not smooth, not periodic
Fig. 6c    lubricated reaction: much smoother, close to ideal, periodic; no metal touches metal
Fig. 7     crank moment: peaks when dry; lubricated of the ideal one's order, and "lower" (not confirmed: equal)
Fig. 8     dry: always in contact, the depth varies; lubricated: close to the bearing's centre, the film never breaks
Fig. 9     dry: cycles differ; friction better but not periodic; lubricated: regular, periodic, like ideal
Sect. 5    the long bearing's formula holds for L/D > 2 (here L/D is 1)
Sect. 7    the oil absorbs part of the energy
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.models import SliderCrankPlanar


@cache
def last_turns(turns: float = 3.0, **values: Any) -> dict[str, Any]:
    """Of a run: the last two turns, after the first impacts."""
    model = SliderCrankPlanar(**values)
    m = model.build()
    frame = model.turn / 400
    steps = {"step": frame / 60, "output_step": frame} if model.joint == "dry" else {"step": frame}
    sol = m.simulate(turns * model.turn, **steps, progress=False)
    kept = sol.t > sol.t[-1] - 2.0 * model.turn + 1e-9
    found: dict[str, Any] = {
        "force": np.linalg.norm(sol.reaction("wrist pin").force, axis=1)[kept],
        "moment": np.abs(sol.reaction("motor").moment[kept]),
        "a": sol.acceleration(m["slider"].com)[kept, 0],
        "dissipated": float(np.asarray(sol.energy.dissipated)[-1]),
    }
    if model.joint != "ideal":
        joint = sol.clearance("wrist pin")
        found["depth"] = joint.penetration[kept]
        found["eccentricity"] = np.linalg.norm(joint.eccentricity, axis=1)[kept] / model.clearance
        found["limits"] = joint.limits
    return found


def turn_to_turn(run: dict[str, Any]) -> float:
    """Root mean square difference of the slider's acceleration between two turns, relative to its range."""
    a, half = run["a"], len(run["a"]) // 2
    return float(np.sqrt(np.mean((a[half:] - a[:half]) ** 2)) / np.ptp(a))


def roughness(run: dict[str, Any]) -> float:
    """Total variation of the reaction force over its largest value."""
    return float(np.abs(np.diff(run["force"])).sum() / run["force"].max())


def ideal() -> dict[str, Any]:
    return last_turns()


def oil() -> dict[str, Any]:
    return last_turns(joint="lubricated")


DRY = {"smooth": {"joint": "dry"}, "rubbing": {"joint": "dry", "friction": "Ambrosio"}}


def test_three_degrees_of_freedom() -> None:
    """Sect. 6, without the drive."""
    sol = SliderCrankPlanar(joint="dry").build().simulate(1e-6, step=1e-6, progress=False)
    drive = 1
    assert sol.system.size - (sol.system.constraints(0.0, sol.system.initial_position).size - drive) == 3


@pytest.mark.parametrize("kind", DRY)
def test_dry_peaks_are_comparable_to_the_ideal_force(kind: str) -> None:
    """Figs 6a, 6b, 7a, 7b: 1.2 to 1.4 times, force and crank moment alike."""
    run = last_turns(**DRY[kind])
    for key in ("force", "moment"):
        assert 1.05 < run[key].max() / ideal()[key].max() < 1.6


@pytest.mark.parametrize("kind", DRY)
def test_dry_response_is_neither_smooth_nor_periodic(kind: str) -> None:
    """Figs 6a, 6b, 9a, 9b."""
    run = last_turns(**DRY[kind])
    assert roughness(run) > 8.0 * roughness(ideal())
    assert turn_to_turn(run) > 0.03


@pytest.mark.parametrize("kind", DRY)
def test_dry_journal_is_always_in_contact(kind: str) -> None:
    """Fig. 8a, b: and its depth varies."""
    run = last_turns(**DRY[kind])
    assert (run["depth"] > 0.0).all()
    assert run["depth"].max() > 5.0 * run["depth"].min()


def test_friction_makes_the_response_better_not_periodic() -> None:
    """Fig. 9b against 9a: turns differ less from each other."""
    smooth, rubbing = (turn_to_turn(last_turns(**values)) for values in DRY.values())
    assert 0.03 < rubbing < smooth


def test_lubricated_reaction_is_smooth_and_close_to_ideal() -> None:
    """Figs 6c, 7c: to 0.1 % at every moment."""
    for key in ("force", "moment", "a"):
        assert np.abs(oil()[key] - ideal()[key]).max() < 1e-3 * np.abs(ideal()[key]).max()
    assert roughness(oil()) == pytest.approx(roughness(ideal()), rel=1e-3)


def test_lubricated_moment_is_not_lower_than_ideal() -> None:
    """Not confirmed: the paper says that the oil lowers the crank's moment.

    With 0.4 Pa s the journal moves by 4 um and the film loses 75 mJ in three turns, of 17 J that the crank gives and takes in
    each: the largest moment is the ideal one to 1e-4. The curves of Fig. 7c can hardly be told apart either.
    """
    assert oil()["moment"].max() / ideal()["moment"].max() == pytest.approx(1.0, abs=1e-4)


def test_lubricated_journal_stays_near_the_centre() -> None:
    """Fig. 8c: at less than a tenth of the clearance; the theory is never left."""
    assert oil()["eccentricity"].max() < 0.1
    assert oil()["limits"] == ()


def test_lubricated_response_is_periodic_like_the_ideal_one() -> None:
    """Fig. 9c."""
    assert turn_to_turn(oil()) < 1e-4
    assert turn_to_turn(ideal()) < 1e-4


def test_oil_absorbs_energy() -> None:
    """Sect. 7; an ideal joint absorbs none."""
    assert oil()["dissipated"] > 0.01
    assert abs(ideal()["dissipated"]) < 1e-6


def test_long_bearing_overestimates_this_film() -> None:
    """Sect. 5: it is meant for L/D > 2, the joint has 1; the film solved in 2D carries less and still never breaks."""
    full = fm.film.FiniteBearing(0.4)
    size = {"radius": 0.01, "length": 0.02, "clearance": 5e-5}
    place, rate = np.array([1e-5, 0.0]), np.array([0.02, 0.0])
    finite, long = (film.resultant(place, place, rate, rate, 300.0, **size)[0] for film in (full, fm.film.LongBearing(0.4)))
    assert 0.05 < np.linalg.norm(finite) / np.linalg.norm(long) < 0.5
    run = last_turns(0.6, joint="lubricated", film="FiniteBearing")
    assert run["eccentricity"].max() < 0.5
