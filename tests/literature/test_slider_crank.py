"""Planar slider-crank (Flores2006) against closed-form kinematics and inverse dynamics, and its spatial twin."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from tests.literature.mechanisms import FLORES, SLOW, error, slider_crank, slider_crank_spatial
from tests.oracles.slider_crank import solve

TURN = 2.0 * np.pi / FLORES.omega


@pytest.fixture(scope="module")
def parts():
    return slider_crank(FLORES)


@pytest.fixture(scope="module", params=["kinematics", "simulate"])
def run(request, parts) -> tuple[fm.Solution, float]:
    """One turn at 5000 rpm and the relative error allowed: round-off, or that of 2000 steps of second order."""
    if request.param == "kinematics":
        return parts.model.kinematics(np.linspace(0.0, TURN, 61)), 1e-12
    return parts.model.simulate(TURN, step=TURN / 2000), 1e-5


def test_motion(parts, run) -> None:
    sol, tolerance = run
    exact = solve(FLORES, sol.t)
    slider, rod = parts.slider.com, parts.rod.com
    assert error(sol.position(slider)[:, 0], exact.x) < 1e-12  # the drive fixes every position
    assert error(sol.angle(parts.rod), exact.theta) < 1e-12
    assert error(sol.position(rod), exact.rod_centre) < 1e-12
    assert error(sol.velocity(slider)[:, 0], exact.x_t) < tolerance
    assert error(sol.spin(rod), exact.theta_t) < tolerance
    assert error(sol.acceleration(slider)[:, 0], exact.x_tt) < tolerance
    assert error(sol.acceleration(rod), exact.rod_centre_tt) < tolerance


def test_reactions_and_crank_moment(parts, run) -> None:
    sol, tolerance = run
    exact = solve(FLORES, sol.t)
    assert error(sol.reaction("O").force, exact.ground_on_crank) < tolerance
    assert error(sol.reaction("A").force, exact.crank_on_rod) < tolerance
    assert error(sol.reaction("B").force, exact.rod_on_slider) < tolerance
    assert error(sol.reaction("guide").force[:, 1], exact.ground_on_slider) < tolerance
    assert error(sol.reaction("motor").moment, exact.drive_moment) < tolerance
    largest = np.abs(exact.rod_on_slider).max()
    assert_allclose(
        sol.reaction("guide").force[:, 0], 0.0, rtol=0, atol=1e-12 * largest
    )  # a guide does not hold along its axis
    assert_allclose(sol.reaction("guide").moment, 0.0, rtol=0, atol=1e-9 * largest * FLORES.l)  # all forces meet in B
    for pin in "OAB":
        assert_allclose(sol.reaction(pin).moment, 0.0, rtol=0, atol=1e-12)
    assert_allclose(sol.reaction("motor").force, 0.0, rtol=0, atol=1e-12)


@pytest.fixture(scope="module")
def planar() -> tuple:
    p = slider_crank(SLOW)
    return p, p.model.simulate(0.3, step=5e-4), p.model.kinematics(np.linspace(0.0, 0.3, 31))


@pytest.mark.parametrize("redundant", [False, True])
def test_planar_and_spatial_models_move_alike(planar, redundant: bool) -> None:
    """The same motion to 1e-9, and the same spins and driving moment: to round-off from kinematics, within 5e-5 in a
    simulation at h = 5e-4 s, where angles and natural coordinates have different second-order errors."""
    flat, flat_run, flat_kinematics = planar
    p = slider_crank_spatial(SLOW, redundant=redundant)
    if redundant:  # a planar loop of four spatial joints repeats three equations
        with pytest.warns(fm.RedundantConstraints, match="3 redundant equations"):
            run = p.model.simulate(0.3, step=5e-4)
        with pytest.warns(fm.RedundantConstraints):
            kinematics = p.model.kinematics(flat_kinematics.t)
    else:
        run, kinematics = p.model.simulate(0.3, step=5e-4), p.model.kinematics(flat_kinematics.t)
    assert len(run.statistics.redundant) == (3 if redundant else 0)
    for name in ("crank", "rod", "slider"):
        body, twin = getattr(p, name).com, getattr(flat, name).com
        assert_allclose(run.position(body)[:, :2], flat_run.position(twin), rtol=0, atol=1e-9)
        assert_allclose(run.position(body)[:, 2], 0.0, rtol=0, atol=1e-12)
        assert error(run.velocity(body)[:, :2], flat_run.velocity(twin)) < 1e-9
        turn = flat_run.angle(getattr(flat, name)) - flat_run.angle(getattr(flat, name))[0]
        assert_allclose(run.rotation(body)[:, :2, 0], np.stack([np.cos(turn), np.sin(turn)], axis=1), rtol=0, atol=1e-9)
        assert_allclose(run.spin(body)[:, 2], flat_run.spin(twin), rtol=0, atol=2e-5 * SLOW.omega)
        assert_allclose(kinematics.spin(body)[:, 2], flat_kinematics.spin(twin), rtol=0, atol=1e-12 * SLOW.omega)
        assert error(kinematics.acceleration(body)[:, :2], flat_kinematics.acceleration(twin)) < 1e-12
    assert error(kinematics.reaction("motor").moment[:, 2], flat_kinematics.reaction("motor").moment) < 1e-12
    for moment in (flat_run.reaction("motor").moment, solve(SLOW, run.t).drive_moment):
        assert error(run.reaction("motor").moment[:, 2], moment) < 5e-5
