"""Radau IIA of order 5: beside the textbook, its orders, its error control, contacts, files and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import fmbs as fm
from fmbs.models import SliderCrankPlanar
from fmbs.results.recorder import Recorder
from tests.literature.test_clearance_reference import CRANK, slider_crank
from tests.literature.test_lubricated_joints import REFERENCE as FILM
from tests.literature.test_lubricated_joints import slider_crank as film_crank
from tests.oracles.radau_stepper import Motion, RadauStepper
from tests.solvers.loop_models import beams, loaded, table_driven

QUIET: dict[str, Any] = {"integrator": fm.Radau(), "progress": False}


def chain() -> fm.Model:
    """Two bodies in natural coordinates that fall from the horizontal."""
    m = fm.Model("chain", gravity=(0, 0, -9.81))
    last: Any = m.ground
    for i in range(2):
        body = m.add(fm.RigidBody(f"link {i}", mass=1.0, inertia=(0.01, 0.02, 0.03), com=(i + 0.5, 0, 0)))
        m.add(fm.Spherical(last.at(i, 0, 0), body.at(i, 0, 0)))
        last = body
    return m


def ends(steps: int) -> tuple[np.ndarray, ...]:
    """q, v and lam after half a second."""
    sol = chain().simulate(0.5, step=0.5 / steps, output_step=0.5, energy_tolerance=None, **QUIET)
    return sol.q[-1], sol.v[-1], sol.lam[-1]


def test_a_step_is_the_textbooks() -> None:
    m = chain()
    sol = m.simulate(0.1, step=0.01, **QUIET)
    plain = RadauStepper(m.system(), 0.01).run(Motion(0.0, sol.q[0], sol.v[0], sol.lam[0]), 10)[-1]
    assert_allclose(sol.q[-1], plain.q, rtol=0, atol=1e-10)
    assert_allclose(sol.v[-1], plain.v, rtol=0, atol=1e-9)
    assert_allclose(sol.lam[-1], plain.lam, rtol=0, atol=1e-6)
    assert_allclose(m.system().constraints(0.1, sol.q[-1]), 0.0, atol=1e-14)
    assert_allclose(m.system().equations.rates(0.1, sol.q[-1], sol.v[-1]), 0.0, atol=1e-13)


def test_drives_and_loads_of_time_are_asked_at_the_stages() -> None:
    for build in (table_driven, loaded):
        m = build()
        sol = m.simulate(0.1, step=0.005, **QUIET)
        plain = RadauStepper(m.system(), 0.005).run(Motion(0.0, sol.q[0], sol.v[0], sol.lam[0]), 20)[-1]
        assert_allclose(sol.q[-1], plain.q, rtol=0, atol=1e-9)
        assert_allclose(sol.v[-1], plain.v, rtol=0, atol=1e-8)


def test_fifth_order_for_q_and_v_and_third_for_multipliers() -> None:
    exact = ends(1600)
    errors = {steps: [np.abs(a - x).max() for a, x in zip(ends(steps), exact, strict=True)] for steps in (25, 50, 200, 400)}
    q, v, _ = np.log2(errors[25]) - np.log2(errors[50])  # shorter steps meet the tolerance of Newton's method
    *_, lam = np.log2(errors[200]) - np.log2(errors[400])
    assert q > 4.8
    assert v > 4.8
    assert lam > 2.8


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8])
def test_the_tolerance_is_the_error(tolerance: float) -> None:
    """Of the model's size, 2 m; a hundredth of it at least: steps are not shorter than need be."""
    exact = chain().simulate(1.0, tolerance=1e-11, output_step=0.1, **QUIET)
    sol = chain().simulate(1.0, tolerance=tolerance, output_step=0.1, **QUIET)
    error = np.abs(sol.q - exact.q).max()
    assert 1e-2 * tolerance < error < 3.0 * tolerance


@pytest.mark.parametrize("tolerance", [1e-5, 1e-7])
def test_a_small_vibration_is_seen_beside_a_body_that_spins_fast(tolerance: float) -> None:
    m = fm.Model("apart")
    m.add(fm.RigidBody("large", mass=10.0, inertia=(1.0, 1.0, 1.0), com=(0, 0, 0), spin=(0, 0, 100.0)))
    small = m.add(fm.RigidBody("small", mass=1e-3, inertia=(1e-6, 1e-6, 1e-6), com=(1.0001, 0, 0)))
    m.add(fm.Prismatic(m.ground.at(1, 0, 0), small.com, axis=(1, 0, 0)))
    m.add(fm.SpringDamper(m.ground.at(0, 0, 0), small.com, stiffness=1e3, length=1.0))
    sol = m.simulate(0.3, tolerance=tolerance, output_step=0.03, **QUIET)
    assert_allclose(sol.position(small.com)[:, 0], 1.0 + 1e-4 * np.cos(1e3 * sol.t), rtol=0, atol=2.0 * tolerance)


def test_round_off_in_short_steps_is_no_error() -> None:
    """Contacts make steps so short that less than a rounding is allowed in one: they were halved until nothing was left."""
    found = {}
    for tolerance in (1e-8, 1e-11):
        m = SliderCrankPlanar(joint="dry", clearance=5e-4).build()
        sol = m.simulate(0.003, tolerance=tolerance, output_step=0.001, **QUIET)
        found[tolerance] = sol.q[-1], sol.statistics.steps, sol.statistics.rejected
    assert_allclose(found[1e-8][0], found[1e-11][0], rtol=0, atol=1e-7)
    assert found[1e-11][1] < 6 * found[1e-8][1]
    assert found[1e-11][2] < 0.2 * found[1e-11][1]


@pytest.mark.parametrize(("steps", "lost"), [(20, 1.1e-4), (52, 1e-6)])
def test_what_a_free_rotor_loses_in_twenty_turns(steps: int, lost: float) -> None:
    """(omega h)^6 / 3600 a step: at twenty steps a turn it is a ten-thousandth, a millionth takes fifty-two."""
    m = fm.Model("rotor")
    m.add(fm.RigidBody("rotor", mass=1.0, inertia=(0.1, 0.2, 0.3), com=(0, 0, 0), spin=(0, 0, 2.0 * np.pi)))
    sol = m.simulate(20.0, step=1.0 / steps, output_step=20.0, energy_tolerance=None, **QUIET)
    energy = np.asarray(sol.energy.kinetic)
    expected = 20 * steps * (2.0 * np.pi / steps) ** 6 / 3600
    assert 1.0 - energy[-1] / energy[0] == pytest.approx(expected, rel=0.05)
    assert expected < lost
    assert_allclose(sol.energy.numerical[-1], energy[0] - energy[-1], rtol=0.02)


def test_frames_inside_steps_are_as_good_as_their_ends() -> None:
    exact = chain().simulate(1.0, tolerance=1e-11, output_step=0.01, **QUIET)
    sol = chain().simulate(1.0, tolerance=1e-7, output_step=0.01, **QUIET)
    assert sol.statistics.steps < 0.02 / 0.01 * 100  # frames do not cut steps
    assert np.abs(sol.q - exact.q).max() < 1e-6
    assert np.abs(sol.v - exact.v).max() < 1e-3 * np.abs(exact.v).max()
    assert np.abs(sol.lam - exact.lam).max() < 1e-2 * np.abs(exact.lam).max()


def test_an_ideal_slider_crank_takes_few_steps() -> None:
    m = SliderCrankPlanar().build()
    sol = m.simulate(0.024, tolerance=1e-8, output_step=1e-3, **QUIET)
    angle = 2.0 * np.pi * 5000 / 60 * sol.t
    place = 0.05 * np.cos(angle) + np.sqrt(0.12**2 - (0.05 * np.sin(angle)) ** 2)
    assert_allclose(sol.position(m["slider"].com)[:, 0], place, rtol=0, atol=1e-8)
    assert sol.statistics.steps < 300


def test_impacts_of_the_dry_slider_crank() -> None:
    """Seven impacts, to 1e-8 s, in a fortieth of the steps of second order; starts and ends of contacts end steps."""
    m, rod, slider = slider_crank()
    sol = m.simulate(2e-3, tolerance=1e-9, output_step=5e-4, **QUIET)
    impacts = sol.clearance("pin").impacts
    assert sol.statistics.contacts == len(impacts) == 7
    assert sol.statistics.steps < 700
    assert_allclose([impact.t for impact in impacts], [x["t"] for x in CRANK["impacts"]], rtol=0, atol=1e-8)
    assert_allclose([x.approach_speed for x in impacts], [x["approach_speed"] for x in CRANK["impacts"]], rtol=1e-4)
    assert_allclose(sol.angle(rod)[1:], CRANK["theta_rod"], rtol=1e-7)
    assert_allclose(sol.position(slider.com)[1:, 0], CRANK["x_slider"], rtol=1e-7)
    assert np.abs(sol.energy.balance).max() < 1e-6 * sol.energy.work[-1]


@pytest.mark.parametrize("tolerance", [1e-5, 1e-6, 1e-7])
@pytest.mark.parametrize("frames", [1.1e-3, 1e-5])
def test_loose_tolerances_lose_no_impact(tolerance: float, frames: float) -> None:
    m, _, _ = slider_crank()
    impacts = m.simulate(1.1e-3, tolerance=tolerance, output_step=frames, **QUIET).clearance("pin").impacts
    assert_allclose([impact.t for impact in impacts], [x["t"] for x in CRANK["impacts"]], rtol=0, atol=5e-6)


def test_a_film_needs_no_special_start() -> None:
    """Its transient is over in microseconds; angles to 3e-8 and positions to 1e-8 over two turns."""
    m = film_crank()
    sol = m.simulate(0.024, tolerance=1e-8, output_step=1e-3, **QUIET)
    joint, force = sol.clearance("pin"), sol.reaction("pin").force
    for row in FILM["rows"]:
        k = int(np.argmin(np.abs(sol.t - row["t"])))
        assert abs(sol.angle(m["rod"])[k] - row["theta_rod"]) < 3e-8
        assert abs(sol.position(m["slider"].com)[k, 0] - row["x_slider"]) < 1e-8
        assert_allclose(np.linalg.norm(joint.eccentricity[k]) / FILM["parameters"]["c"], row["eccentricity_ratio"], rtol=1e-3)
        assert np.linalg.norm(force[k] - row["force_on_slider"]) < 5e-3 * np.linalg.norm(row["force_on_slider"])
    assert sol.statistics.steps < 1000
    assert np.abs(sol.energy.balance).max() < 1e-5 * np.ptp(sol.energy.kinetic)


@pytest.mark.parametrize("kind", ["dense", "banded", "scipy", "petsc:klu"])
def test_linear_solvers_agree(kind: str) -> None:
    expected = beams().simulate(0.05, step=2e-3, output_step=0.05, **QUIET)
    sol = beams().simulate(0.05, step=2e-3, output_step=0.05, linear_solver=kind, **QUIET)
    assert_allclose(sol.q, expected.q, rtol=0, atol=1e-9)


def test_vibrations_far_above_the_step_are_damped_and_the_slow_motion_keeps_its_order() -> None:
    """What the tolerance asks for is kept, though no step resolves the links' fastest vibrations."""
    fine, other = (beams().simulate(0.2, tolerance=tolerance, output_step=0.2, **QUIET).q[-1] for tolerance in (1e-8, 1e-6))
    coarse = beams().simulate(0.2, tolerance=1e-4, output_step=0.2, **QUIET)
    assert np.abs(other - fine).max() < 2e-6
    assert np.abs(coarse.q[-1] - fine).max() < 2e-4


def test_energy_is_what_the_stages_book() -> None:
    sol = loaded().simulate(0.2, tolerance=1e-8, output_step=0.02, **QUIET)
    assert np.abs(sol.energy.balance).max() < 1e-6 * np.ptp(sol.energy.kinetic)


@pytest.mark.parametrize("settings", [{"step": 4e-3}, {"tolerance": 1e-7}], ids=["fixed", "error control"])
@pytest.mark.parametrize("build", [chain, beams, lambda: slider_crank()[0]], ids=["chain", "beams", "contacts"])
def test_a_continued_run_ends_like_an_uninterrupted_one(
    build: Any, settings: dict[str, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dry = build not in (chain, beams)
    t_end = 1.1e-3 if dry else 0.2
    options = {**({"step": 2e-6} if dry and "step" in settings else settings), "output_step": t_end / 40, **QUIET}
    whole, path, pause, seen = build().simulate(t_end, **options), tmp_path / "run.h5", Recorder.pause, 0

    def noted(self: Recorder, state: Any) -> None:
        nonlocal seen
        seen += 1
        if seen == 6:
            self.checkpoint(state)
        elif seen == 9:
            raise KeyboardInterrupt
        else:
            pause(self, state)

    monkeypatch.setattr(Recorder, "pause", noted)
    with pytest.raises(fm.Interrupted):
        build().simulate(t_end, checkpoint=path, **options)
    monkeypatch.undo()
    continued = build().simulate(t_end, checkpoint=path, **options)
    for name in ("t", "q", "v", "a", "lam", "history", "step_times"):
        assert_array_equal(getattr(continued, name), getattr(whole, name))


def test_what_it_refuses() -> None:
    m = chain()
    with pytest.raises(fm.ModelError, match=r"order = 3"):
        fm.Radau(order=3)
    with pytest.raises(fm.ModelError, match=r"the smallest that makes sense is 1e-13"):
        m.simulate(1.0, tolerance=1e-15, **QUIET)
    with pytest.raises(fm.ModelError, match=r"tangent = 'numerical' is for fm.GeneralizedAlpha"):
        m.simulate(1.0, tolerance=1e-6, tangent="numerical", **QUIET)
    with pytest.raises(fm.ModelError, match=r"neither step nor tolerance"):
        m.simulate(1.0, **QUIET)
