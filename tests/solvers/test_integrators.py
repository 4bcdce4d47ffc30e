"""Generalized-alpha, Baumgarte, augmented Lagrangian and coordinate partitioning on the same mechanisms."""

from __future__ import annotations

import numpy as np
import pytest

import fmbs as fm
from fmbs.models import DoublePendulum
from tests.literature.mechanisms import DOUBLE, SLOW, double_pendulum, error, slider_crank
from tests.oracles import slider_crank as crank_oracle
from tests.oracles.double_pendulum import double_pendulum as double_oracle
from tests.oracles.double_pendulum import pinned_rod

INTEGRATORS = {  # and the relative error allowed in positions, velocities, reactions: h^2, or 100 times rtol = 1e-8
    "alpha": (fm.GeneralizedAlpha(), 5e-5),
    "Baumgarte BDF": (fm.BaumgarteODE(), 1e-6),
    "Baumgarte Radau": (fm.BaumgarteODE(method="Radau"), 1e-6),
    "Baumgarte DOP853": (fm.BaumgarteODE(method="DOP853"), 1e-6),
    "augmented": (fm.AugmentedLagrangian(method="DOP853"), 1e-6),
    "partitioning": (fm.CoordinatePartitioning(), 1e-6),
    "partitioning DOP853": (fm.CoordinatePartitioning(method="DOP853"), 1e-6),
}


def run(model: fm.Model, t_end: float, name: str) -> fm.Solution:
    method = INTEGRATORS[name][0]
    step = {"step": 5e-4} if isinstance(method, fm.GeneralizedAlpha) else {}
    return model.simulate(t_end, integrator=method, output_step=0.01, **step)


@pytest.fixture(scope="module")
def pendulum_runs() -> dict[str, fm.Solution]:
    p = double_pendulum(**DOUBLE)
    return {"parts": p, **{name: run(p.model, 1.0, name) for name in INTEGRATORS}}


@pytest.mark.parametrize("name", INTEGRATORS)
def test_double_pendulum(pendulum_runs, name: str) -> None:
    p, sol, tolerance = pendulum_runs["parts"], pendulum_runs[name], INTEGRATORS[name][1]
    exact = double_oracle(**DOUBLE, t=sol.t)
    assert error(sol.position(p.tip), exact.tip) < tolerance
    assert error(sol.spin(p.lower.com), exact.rates[:, 1]) < tolerance
    assert error(sol.reaction("elbow").force, exact.rod1_on_rod2) < tolerance
    assert error(sol.reaction("pin").force, exact.ground_on_rod1) < tolerance
    assert np.abs(sol.energy.balance).max() < 10.0 * tolerance  # J; the pendulum turns over 8 J


@pytest.mark.parametrize("name", INTEGRATORS)
def test_driven_slider_crank(name: str) -> None:
    """A full turn; partitioning has nothing to integrate here and solves the constraints alone."""
    p = slider_crank(SLOW)
    sol, tolerance = run(p.model, 0.3, name), INTEGRATORS[name][1]
    exact = crank_oracle.solve(SLOW, sol.t)
    assert error(sol.position(p.slider.com)[:, 0], exact.x) < tolerance
    assert error(sol.velocity(p.slider.com)[:, 0], exact.x_t) < tolerance
    assert error(sol.reaction("A").force, exact.crank_on_rod) < tolerance * 10
    assert error(sol.reaction("motor").moment, exact.drive_moment) < tolerance * 10


def test_drift_is_reported_and_as_the_theory_says(pendulum_runs) -> None:
    """Baumgarte lets the constraints drift within its tolerance; generalized-alpha and partitioning hold them."""
    drift = {name: pendulum_runs[name].statistics.drift for name in INTEGRATORS}
    for name in INTEGRATORS:
        assert drift[name] == np.abs(pendulum_runs[name].drift).max()
    assert drift["alpha"] < 1e-12
    assert drift["partitioning"] < 1e-13 and drift["partitioning DOP853"] < 1e-13
    for name in ("Baumgarte BDF", "Baumgarte Radau", "Baumgarte DOP853", "augmented"):
        assert 1e2 * drift["alpha"] < drift[name] < 1e-6


def test_baumgarte_takes_the_constraints_back() -> None:
    """Stronger stabilisation, less drift."""
    runs = [
        double_pendulum(**DOUBLE).model.simulate(2.0, integrator=fm.BaumgarteODE(alpha=rate, beta=rate, method="DOP853"))
        for rate in (0.1, 5.0, 50.0)
    ]
    weak, default, strong = (sol.statistics.drift for sol in runs)
    assert weak > default > strong


@pytest.mark.parametrize("method", ["BDF", "DOP853"])
def test_partitioning_survives_full_circles(method: str) -> None:
    """Neither x nor y of a rod that goes round can stay independent: new ones are chosen on the way. Three turns."""
    m = fm.Model("round and round", gravity=(0.0, -9.81))
    rod = m.add(
        fm.PlanarBody("rod", mass=1.0, inertia=1 / 12, com=(0.0, -0.5), angle=-np.pi / 2, velocity=(4.5, 0.0), spin=9.0)
    )
    m.add(fm.Revolute(m.ground.at(0.0, 0.0), rod.at(0.0, 0.0), name="pin"))
    sol = m.simulate(3.0, output_step=0.02, integrator=fm.CoordinatePartitioning(method=method))
    exact = pinned_rod(1.0, 1.0, 1 / 12, sol.t, angle=-np.pi / 2, rate=9.0)
    assert exact.angle[-1] - exact.angle[0] > 5.0 * np.pi
    assert np.abs(sol.angle(rod) - exact.angle).max() < 1e-5
    assert error(sol.reaction("pin").force, exact.ground_on_body) < 1e-5
    assert sol.statistics.drift < 1e-13


def test_partitioning_survives_full_circles_in_space() -> None:
    """The same with 12 natural coordinates, one turn."""
    m = fm.Model("round and round", gravity=(0.0, -9.81, 0.0))
    rod = m.add(
        fm.RigidBody(
            "rod", mass=1.0, inertia=(1 / 12, 1e-3, 1 / 12), com=(0.0, -0.5, 0.0), velocity=(4.5, 0.0, 0.0),
            spin=(0.0, 0.0, 9.0),
        )
    )  # fmt: skip
    m.add(fm.Revolute(m.ground.at(0.0, 0.0, 0.0), rod.at(0.0, 0.0, 0.0), name="pin"))
    end = rod.at(0.0, -1.0, 0.0)
    sol = m.simulate(1.2, output_step=0.02, integrator=fm.CoordinatePartitioning(method="DOP853"))
    exact = pinned_rod(1.0, 1.0, 1 / 12, sol.t, angle=-np.pi / 2, rate=9.0)
    assert exact.angle[-1] - exact.angle[0] > 2.0 * np.pi
    assert np.abs(sol.position(end)[:, :2] - exact.end).max() < 1e-5
    assert sol.statistics.drift < 1e-13


def test_simulate_tolerance_is_the_integrators_rtol() -> None:
    loose, tight = (
        double_pendulum(**DOUBLE).model.simulate(1.0, tolerance=tolerance, integrator=fm.BaumgarteODE())
        for tolerance in (1e-3, 1e-7)
    )
    assert loose.statistics.steps < 0.5 * tight.statistics.steps


@pytest.mark.parametrize("method", ["DOP853", "BDF"])
def test_partitioning_chooses_anew_within_a_long_step(method: str) -> None:
    """Of a spatial double pendulum the independent coordinates wear out within steps of some hundredths of a second; Newton's
    method would then end at another way to assemble it."""
    m = DoublePendulum(flexible=False).build()
    sol = m.simulate(4.0, tolerance=1e-6, output_step=0.05, integrator=fm.CoordinatePartitioning(method=method), progress=False)
    energy = np.asarray(sol.energy.kinetic) + np.asarray(sol.energy.potential)
    assert np.abs(energy - energy[0]).max() < 1e-4 * np.max(sol.energy.kinetic)
    assert np.abs(sol.drift).max() < 1e-13 and sol.statistics.rejected > 0
