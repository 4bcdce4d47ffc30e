"""Generalized-alpha on constrained problems: second order in q, v and lambda, constraints kept, any step size, any rho_inf."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import fmbs as fm
from tests.literature.mechanisms import DOUBLE, FLORES, SLOW, double_pendulum, error, slider_crank
from tests.oracles import rigid_body
from tests.oracles import slider_crank as crank_oracle
from tests.oracles.double_pendulum import double_pendulum as pendulum_oracle

Errors = dict[str, np.ndarray]  # (frames, k) by quantity
END = 3  # frames at the end of which the mean is taken: round-off makes reactions alternate from step to step
TOP = {"mass": 15.0, "J": np.diag([0.234375, 0.46875, 0.234375]), "omega": np.array([0.0, 150.0, -4.61538])}


def double_pendulum_errors(step: float, method: fm.GeneralizedAlpha, t_end: float = 1.0) -> Errors:
    p = double_pendulum(**DOUBLE)
    sol = p.model.simulate(t_end, step=step, integrator=method)
    exact = pendulum_oracle(**DOUBLE, t=sol.t)
    return {
        "q": sol.position(p.tip) - exact.tip,
        "v": np.stack([sol.spin(p.upper.com), sol.spin(p.lower.com)], axis=1) - exact.rates,
        "lambda": np.hstack([sol.reaction("pin").force, sol.reaction("elbow").force])
        - np.hstack([exact.ground_on_rod1, exact.rod1_on_rod2]),
    }


def slider_crank_errors(step: float, method: fm.GeneralizedAlpha) -> Errors:
    """Positions are the drive's: there is no error of q."""
    p = slider_crank(SLOW)
    sol = p.model.simulate(0.3, step=step, integrator=method)
    exact = crank_oracle.solve(SLOW, sol.t)
    return {
        "v": np.stack([sol.velocity(p.slider.com)[:, 0] - exact.x_t, SLOW.l * (sol.spin(p.rod.com) - exact.theta_t)], axis=1),
        "pins": np.hstack([sol.reaction("A").force, sol.reaction("B").force])
        - np.hstack([exact.crank_on_rod, exact.rod_on_slider]),
        "moment": (sol.reaction("motor").moment - exact.drive_moment)[:, None],
    }


def heavy_top_model() -> tuple[fm.Model, fm.Marker]:
    com = np.array([0.0, 1.0, 0.0])
    m = fm.Model("top", gravity=(0.0, 0.0, -9.81))
    top = m.add(
        fm.RigidBody(
            "top", mass=TOP["mass"], inertia=TOP["J"], com=com, velocity=np.cross(TOP["omega"], com), spin=TOP["omega"]
        )
    )
    m.add(fm.Spherical(m.ground.at(0.0, 0.0, 0.0), top.at(0.0, 0.0, 0.0), name="pivot"))
    return m, top.com


def heavy_top_errors(step: float, method: fm.GeneralizedAlpha) -> Errors:
    m, com = heavy_top_model()
    sol = m.simulate(0.05, step=step, integrator=method)
    exact = rigid_body.heavy_top(TOP["mass"], TOP["J"], (0.0, 1.0, 0.0), sol.t, omega_body=TOP["omega"])
    return {
        "q": sol.position(com) - exact.position,
        "v": sol.velocity(com) - exact.velocity,
        "lambda": sol.reaction("pivot").force - exact.force,
    }


@pytest.mark.parametrize("rho_inf", [1.0, 0.8, 0.0])
@pytest.mark.parametrize(
    ("errors", "step"), [(double_pendulum_errors, 2e-3), (slider_crank_errors, 1e-3), (heavy_top_errors, 5e-5)]
)
def test_halving_the_step_quarters_the_errors(errors: Callable[..., Errors], step: float, rho_inf: float) -> None:
    """Ratio 4 +- 10 %, of the largest error of the run and of the last ones, in q, v and the reactions: order two."""
    method = fm.GeneralizedAlpha(rho_inf)
    coarse, fine = errors(step, method), errors(0.5 * step, method)
    for quantity in coarse:
        large, small = (np.linalg.norm(run[quantity], axis=1) for run in (coarse, fine))
        assert large.max() / small.max() == pytest.approx(4.0, rel=0.1), f"{quantity}, largest"
        last = [np.sqrt(np.mean(error**2)) for error in (large[-END:], small[1 - 2 * END :])]
        assert last[0] / last[1] == pytest.approx(4.0, rel=0.1), f"{quantity}, last"


def test_last_step_may_be_of_any_length() -> None:
    """A short last step must not spoil the multipliers: at h = 1e-3 s they are off by 1e-3 N of 17 N, however it ends."""
    for t_end in (0.3, 0.3005, 0.30001):
        errors = double_pendulum_errors(1e-3, fm.GeneralizedAlpha(), t_end)
        assert np.abs(errors["lambda"][-1]).max() < 1e-3


@pytest.mark.parametrize("rho_inf", [1.0, 0.99, 0.95, 0.9, 0.8])
def test_no_rho_inf_is_unstable(rho_inf: float) -> None:
    """10 s of the double pendulum in large steps (h = 0.01 s): the energy error stays below 0.5 J of the 6 J turned over."""
    sol = double_pendulum(**DOUBLE).model.simulate(
        10.0, step=1e-2, integrator=fm.GeneralizedAlpha(rho_inf), energy_tolerance=None
    )
    assert np.abs(sol.energy.balance).max() < 0.5
    assert sol.statistics.rejected == 0


@pytest.mark.parametrize(("mechanism", "rho_inf"), [("pendulum", 1.0), ("pendulum", 0.8), ("top", 0.8)])
@pytest.mark.parametrize("steps", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_constraints_hold_after_many_steps(steps: int, mechanism: str, rho_inf: float) -> None:
    """|Phi| <= 1e-10: the double pendulum at h = 5e-4 s, the heavy top in natural coordinates at h = 1e-4 s."""
    model, step = (double_pendulum(**DOUBLE).model, 5e-4) if mechanism == "pendulum" else (heavy_top_model()[0], 1e-4)
    sol = model.simulate(steps * step, step=step, output_step=steps / 100 * step, integrator=fm.GeneralizedAlpha(rho_inf))
    assert sol.statistics.steps == steps
    assert np.abs(sol.drift).max() == sol.statistics.drift < 1e-10


@pytest.mark.parametrize("rho_inf", [1.0, 0.8, 0.0])
def test_tiny_steps(rho_inf: float) -> None:
    """h = 1e-7 s, 300 steps at 5000 rpm: velocities to 1e-8; reactions, which carry round-off / h^2, to 1e-3."""
    p = slider_crank(FLORES)
    sol = p.model.simulate(3e-5, step=1e-7, integrator=fm.GeneralizedAlpha(rho_inf))
    exact = crank_oracle.solve(FLORES, sol.t)
    assert sol.statistics.steps == 300 and sol.statistics.rejected == 0
    assert error(sol.velocity(p.slider.com)[:, 0], exact.x_t) < 1e-8
    assert error(sol.spin(p.rod.com), exact.theta_t) < 1e-8
    assert error(sol.reaction("A").force, exact.crank_on_rod) < 1e-3
    assert error(sol.reaction("motor").moment, exact.drive_moment) < 1e-3
