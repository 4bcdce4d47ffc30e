"""Error-controlled steps: the error at the end is of the size that was asked for."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import fmbs as fm
from tests.literature.mechanisms import DOUBLE, double_pendulum
from tests.oracles.double_pendulum import double_pendulum as double_oracle
from tests.oracles.double_pendulum import simple_pendulum

TOLERANCES = [1e-3, 1e-4, 1e-5]


@cache
def pendulum_error(tolerance: float, rho_inf: float) -> tuple[float, fm.Solution]:
    """A point mass from (-1, 0), 2 s; relative to the model's size, 1 m."""
    m = fm.Model("pendulum", gravity=(0.0, -9.81))
    bob = m.add(fm.PlanarBody("bob", mass=1.0, inertia=1e-8, com=(-1.0, 0.0)))
    m.add(fm.Distance(m.ground.at(0.0, 0.0), bob.com))
    sol = m.simulate(2.0, tolerance=tolerance, output_step=0.02, integrator=fm.GeneralizedAlpha(rho_inf))
    exact = simple_pendulum(1.0, 1.0, sol.t, angle=np.pi)
    return float(np.abs(sol.position(bob.com) - exact.end).max()), sol


@cache
def double_pendulum_error(tolerance: float, rho_inf: float) -> tuple[float, fm.Solution]:
    """2 s; the model's size is 0.86 m, the extent of its points at the start."""
    p = double_pendulum(**DOUBLE)
    sol = p.model.simulate(2.0, tolerance=tolerance, output_step=0.02, integrator=fm.GeneralizedAlpha(rho_inf))
    exact = double_oracle(**DOUBLE, t=sol.t)
    return float(np.abs(sol.position(p.tip) - exact.tip).max() / 0.86), sol


@pytest.mark.parametrize("rho_inf", [1.0, 0.8])
@pytest.mark.parametrize("run", [pendulum_error, double_pendulum_error])
def test_error_follows_the_tolerance(run, rho_inf: float) -> None:
    """Within a factor 10 of the tolerance either way, and smaller for smaller tolerances, with few rejected steps."""
    found = [run(tolerance, rho_inf) for tolerance in TOLERANCES]
    errors = [error for error, _ in found]
    for tolerance, (error, sol) in zip(TOLERANCES, found, strict=True):
        assert 0.1 * tolerance < error < 10.0 * tolerance
        assert sol.statistics.rejected < 0.2 * sol.statistics.steps
    assert errors == sorted(errors, reverse=True)


def test_cost_grows_with_the_root_of_the_accuracy() -> None:
    """Second order: a hundredth of the tolerance costs ten times the steps."""
    steps = [double_pendulum_error(tolerance, 0.8)[1].statistics.steps for tolerance in (1e-3, 1e-5)]
    assert steps[1] / steps[0] == pytest.approx(10.0, rel=0.3)


def test_multipliers_are_as_smooth_as_the_motion() -> None:
    """Changes of the step leave no spikes in the reactions: 0.02 N of 30 N at a tolerance of 1e-4."""
    p = double_pendulum(**DOUBLE)
    sol = p.model.simulate(2.0, tolerance=1e-4, integrator=fm.GeneralizedAlpha())
    exact = double_oracle(**DOUBLE, t=sol.t)
    assert len(np.unique(np.round(np.diff(sol.step_times), 9))) > 3  # steps did change
    assert np.abs(sol.reaction("elbow").force - exact.rod1_on_rod2).max() < 0.1
