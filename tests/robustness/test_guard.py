"""Runs that used to end in silence with energy out of nowhere: each is now right, warned of, or stopped with its frames."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.cli import main
from fmbs.results.witness import Witness

STEEL = fm.Material(E=2.07e11, nu=0.3, density=7800.0)
GAP, MASS, FALL = 1e-4, 1.0, 9.81  # m, kg, m/s^2


def ball(restitution: float = 0.9, film: Any = None, spin: float = 0.0, **contact: Any) -> fm.Model:
    """In a bearing of 10 mm, thrown obliquely at its wall with 0.22 m/s."""
    m = fm.Model("ball", gravity=(0, -FALL))
    body = m.add(fm.PlanarBody("ball", mass=MASS, inertia=1e-4, com=(0, 0), velocity=(0.1, -0.2), spin=spin))
    size = {"bearing_radius": 0.01, "clearance": GAP, "length": 0.01}
    law = fm.contact.LankaraniNikravesh(restitution=restitution, **(contact or {"materials": (STEEL, STEEL)}))
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), body.com, contact=law, film=film, name="pin", **size))
    return m


def told(model: fm.Model, t_end: float, step: float, **options: Any) -> tuple[fm.Solution, list[str]]:
    """The solution, kept by an error too, and the words of warnings and errors."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            sol, words = model.simulate(t_end, step=step, progress=False, **options), []
        except fm.ConvergenceError as error:
            sol, words = error.solution, [str(error)]
    return sol, [str(each.message) for each in caught] + words


def test_a_contact_far_too_stiff_for_the_step_is_stopped():
    """K = 1e15 N/m at 1e-5 s: once 8e5 times the energy."""
    with (
        pytest.warns(fm.CoarseSteps, match=r"ball: an impact in 'pin' at t = .* lasts 0\.8 steps; it takes 8 or more: step="),
        pytest.raises(
            fm.ConvergenceError, match=r"times the 0\.0259 J exchanged, came from nowhere .* an impact in 'pin'"
        ) as e,
    ):
        ball(stiffness=1e15).simulate(0.02, step=1e-5)
    sol = e.value.solution
    assert e.value.status is fm.Status.ENERGY and e.value.time == sol.t[-1] > 4e-4
    assert len(sol) == round(sol.t[-1] / 1e-5) + 1
    assert "energy_tolerance=None" in e.value.remedy
    assert sol.statistics.energy_error > 1.0 and "came from nowhere" in sol.statistics.verdict


def test_steel_in_long_steps_is_stopped_and_the_step_that_is_proposed_helps():
    """5e-5 s: once 297 times the energy. The step in the message gives a run without a word, energy to 1 %."""
    sol, words = told(ball(), 0.05, 5e-5)
    assert sol.t[-1] < 0.05 and len(words) == 2
    assert "more energy is missing than was exchanged" in words[1]
    step = float(words[0].partition("step=")[2].partition(",")[0])
    assert step < 1e-5
    good, words = told(ball(), 0.05, step)
    assert not words and good.statistics.energy_error < 0.01
    stored = good.energy.kinetic + good.energy.elastic + good.energy.potential
    assert np.diff(stored).max() < 1e-3 * stored[0]  # no step gives energy


@pytest.mark.parametrize("step", [1e-4, 1e-3])
def test_mixed_joints_with_long_steps_are_told(step: float):
    """Once a balance of 83 and 6800 times the energy."""
    sol, words = told(ball(film=fm.film.ShortBearing(0.01), spin=100.0), 100 * step, step)
    assert "the film of 'pin'" in words[0] and "is squeezed at" in words[0]
    assert np.abs(sol.energy.balance).max() < 0.01 * sol.energy.kinetic[0]
    assert not told(ball(film=fm.film.ShortBearing(0.01), spin=100.0), 1e-3, 1e-5)[1]


@pytest.mark.parametrize("start", [0.99, 1.0])
@pytest.mark.parametrize("step", [1e-5, 1e-4])
def test_a_film_that_starts_at_the_wall_holds_the_journal(start: float, step: float):
    """Once 278 clearances out. It comes to rest at the wall; that the stop itself is not resolved is told."""
    m = fm.Model("film", gravity=(0, -FALL))
    body = m.add(fm.PlanarBody("journal", mass=MASS, inertia=1e-4, com=(0, -start * GAP), velocity=(0, -0.5)))
    size = {"bearing_radius": 0.01, "clearance": GAP, "length": 0.01}
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), body.com, film=fm.film.ShortBearing(0.01), name="pin", **size))
    sol, words = told(m, 100 * step, step)
    out = np.linalg.norm(sol.clearance("pin").eccentricity, axis=1)
    assert out.max() < 1.0001 * GAP and words
    assert sol.energy.kinetic.max() <= sol.energy.kinetic[0]


def hanging(kind: type, length: float) -> tuple[fm.Model, Any]:
    """A square bar that falls around its hinge."""
    flat = kind is fm.PlanarBeam
    m = fm.Model("bar", gravity=(0, -FALL) if flat else (0, -FALL, 0))
    ends = ((0, 0), (length, 0)) if flat else ((0, 0, 0), (length, 0, 0))
    section = fm.Rectangle(length / 10, length / 10)
    bar = m.add(kind("bar", start=ends[0], end=ends[1], section=section, material=STEEL, elements=2))
    m.add(fm.Revolute(m.ground.at(*ends[0]), bar.start, **({} if flat else {"axis": (0, 0, 1)})))
    return m, bar


@pytest.mark.parametrize("kind", [fm.Beam, fm.PlanarBeam])
def test_a_beam_of_a_centimetre_keeps_its_length(kind: type):
    """Once 42 % of it after 3 ms with h = 1e-3 s. It falls as a rigid rod, to 1e-4 of its length, in 10 ms."""
    m, bar = hanging(kind, 0.01)
    sol, words = told(m, 0.1, 1e-3)
    path = sol.position(bar.end)
    assert not words and sol.statistics.rejected <= 1
    assert np.abs(np.linalg.norm(path, axis=1) / 0.01 - 1.0).max() < 1e-7
    angle = 0.5 * 1.5 / (1.0 + 0.25 * 0.1**2) * FALL / 0.01 * sol.t[:11] ** 2
    assert np.abs(path[:11, 1] + 0.01 * np.sin(angle)).max() < 1e-4 * 0.01


@pytest.mark.parametrize("kind", [fm.Beam, fm.PlanarBeam])
def test_a_beam_of_a_micrometre_in_long_steps_is_told(kind: type):
    """It would turn ten times in a step of 1e-3 s; with 1e-6 s it falls as it should."""
    _, words = told(hanging(kind, 1e-6)[0], 0.01, 1e-3)
    assert words
    sol, words = told(hanging(kind, 1e-6)[0], 1e-4, 1e-6)
    assert not words and sol.statistics.energy_error < 1e-4


def test_verdicts_are_shown_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    sol, _ = told(ball(), 0.02, 1e-5)
    assert sol.statistics.verdict.startswith("energy adds up to ") and sol.statistics.verdict.endswith(" J exchanged")
    assert f"energy: {sol.statistics.verdict}" in str(sol)
    assert sol.statistics.verdict in sol.report(tmp_path / "report.html", figures=[]).read_text()
    again = fm.load(sol.save(tmp_path / "run.h5"))
    assert again.statistics.verdict == sol.statistics.verdict and again.statistics.energy_error == sol.statistics.energy_error
    assert main(["run", "slider_crank_planar", "--t-end", "0.01", "--out", str(tmp_path / "out")]) == 0
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["energy_verdict"].startswith("energy adds up to")
    assert f"energy: {summary['energy_verdict']}" in capsys.readouterr().out


def test_the_tolerance_decides():
    """1 % is the default, 1e-6 tells of a run that is good to 1e-4, None lets a hopeless run go on to its end."""
    assert not told(ball(), 0.01, 1e-6, output_step=1e-5)[1]
    _, words = told(ball(), 0.01, 1e-6, output_step=1e-5, energy_tolerance=1e-6)
    assert len(words) == 1 and "halve step=" in words[0]
    sol, words = told(ball(), 0.05, 5e-5, energy_tolerance=None)
    assert sol.t[-1] == 0.05 and len(words) == 1  # the impacts that are too short
    assert sol.statistics.energy_error > 1.0


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, "much"])
def test_a_tolerance_must_be_positive(value: Any):
    with pytest.raises(fm.ModelError, match="energy_tolerance"):
        ball().simulate(1e-3, step=1e-5, energy_tolerance=value)


def test_a_run_in_which_nothing_moves_is_trusted():
    m = fm.Model("still", gravity=(0, -FALL))
    body = m.add(fm.PlanarBody("block", mass=1.0, inertia=1.0, com=(0, 0)))
    m.add(fm.Fixed(m.ground.at(0, 0), body.com))
    sol, words = told(m, 1.0, 0.1)
    assert not words and sol.statistics.verdict == "nothing moves: there is no energy to speak of"


def test_a_resumed_run_has_the_verdict_of_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Interrupted after the worst of it: energies seen before the interruption count."""
    options = {"step": 1e-5, "output_step": 1e-4, "progress": False}
    whole = ball().simulate(0.02, **options)
    kept = Witness.see

    def interrupted(self: Witness, t: float, row: Any) -> None:
        if t > 0.015:
            raise KeyboardInterrupt
        kept(self, t, row)

    with monkeypatch.context() as patch:
        patch.setattr(Witness, "see", interrupted)
        with pytest.raises(fm.Interrupted):
            ball().simulate(0.02, checkpoint=tmp_path / "run.h5", **options)
    sol = ball().simulate(0.02, checkpoint=tmp_path / "run.h5", **options)
    assert len(sol) == len(whole) and sol.statistics.energy_error == whole.statistics.energy_error
