"""Planar and spatial four-bar linkages at constant crank speed against closed-form kinematics and inverse dynamics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.literature.mechanisms import FOUR_BAR, error, four_bar, rssr
from tests.oracles import four_bar as planar_oracle
from tests.oracles import spatial_four_bar

INPUT = spatial_four_bar.Crank(
    pivot=(0, 0, 0), axis=(0, 0, 2), ball=(0.1, 0, 0.02), inertia=0.02, mass=0.4, centre=(0.05, 0.01, 0)
)
OUTPUT = spatial_four_bar.Crank(
    pivot=(0.3, 0.1, 0), axis=(0.2, 1, 0.1), ball=(0.35, 0.1, 0.3), inertia=0.05, mass=0.7, centre=(0.3, 0.1, 0.2)
)
COUPLER, SPEED = 0.38, 3.5  # m, rad/s


@pytest.mark.parametrize(("analysis", "tolerance"), [("kinematics", 1e-12), ("simulate", 2e-5)])
@pytest.mark.parametrize("branch", [1, -1])
def test_planar_four_bar(branch: int, analysis: str, tolerance: float) -> None:
    """One turn, open and crossed; kinematics to round-off, the run (h = 5e-4 s) to its second-order error."""
    linkage = replace(FOUR_BAR, branch=branch)
    p = four_bar(linkage)
    kinematics = analysis == "kinematics"
    sol = p.model.kinematics(np.linspace(0.0, 1.1, 45)) if kinematics else p.model.simulate(1.1, step=5e-4)
    exact = planar_oracle.solve(linkage, sol.t)
    assert error(sol.angle(p.coupler), exact.coupler) < 1e-12
    assert error(sol.angle(p.rocker), exact.rocker) < 1e-12
    assert error(sol.spin(p.coupler.com), exact.coupler_t) < tolerance
    assert error(sol.spin(p.rocker.com), exact.rocker_t) < tolerance
    assert error(sol.reaction("O").force, exact.ground_on_crank) < tolerance
    assert error(sol.reaction("A").force, exact.crank_on_coupler) < tolerance
    assert error(sol.reaction("B").force, exact.coupler_on_rocker) < tolerance
    assert error(sol.reaction("D").force, exact.ground_on_rocker) < tolerance
    assert error(sol.reaction("motor").moment, exact.drive_moment) < tolerance


@pytest.mark.parametrize(("analysis", "tolerance"), [("kinematics", 1e-12), ("simulate", 2e-5)])
@pytest.mark.parametrize("branch", [1, -1])
def test_spatial_four_bar(branch: int, analysis: str, tolerance: float) -> None:
    """RSSR, more than a turn; kinematics to round-off, the run (h = 1e-3 s) to its second-order error."""
    psi = spatial_four_bar.solve(INPUT, OUTPUT, COUPLER, SPEED, np.zeros(1), branch=branch).psi[0]
    p = rssr(INPUT, OUTPUT, psi, SPEED)
    kinematics = analysis == "kinematics"
    sol = p.model.kinematics(np.linspace(0.0, 2.0, 81)) if kinematics else p.model.simulate(2.0, step=1e-3)
    exact = spatial_four_bar.solve(INPUT, OUTPUT, COUPLER, SPEED, sol.t, branch=branch)
    axes = [np.asarray(link.axis) / np.linalg.norm(link.axis) for link in (INPUT, OUTPUT)]
    assert error(sol.position(p.input_ball), exact.a) < 1e-12
    assert error(sol.position(p.output_ball), exact.b) < 1e-12
    assert error(output_angle(sol.rotation(p.output.com), axes[1]), exact.psi - psi) < 1e-12
    assert error(sol.spin(p.output.com) @ axes[1], exact.psi_t) < tolerance
    assert error(sol.reaction("motor").moment @ axes[0], exact.drive_moment) < tolerance
    pull = np.einsum("ni,ni->n", sol.reaction("coupler").force, exact.a - exact.b) / COUPLER
    assert error(pull, exact.coupler_force) < tolerance


def output_angle(R: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Angle of rotation matrices about n, counted on."""
    skew = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1)
    return np.unwrap(np.arctan2(0.5 * skew @ n, 0.5 * (np.trace(R, axis1=1, axis2=2) - 1.0)))
