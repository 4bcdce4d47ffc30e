"""A joint that rattles: two integrators part within a turn, but what they say of the motion on average agrees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.models import SliderCrankPlanar

FRAMES = 200  # a turn
PUSH = 0.01  # N, on the slider: another one in every run


def statistics(integrator: Any, tolerance: float, runs: int, turns: int) -> np.ndarray:  # (runs, 3)
    """Impacts and dissipated energy a turn, and root mean square of the contact force, after the first turn."""
    model = SliderCrankPlanar(joint="dry", clearance=5e-4, rpm=500.0)
    rows = []
    for run in range(1, runs + 1):
        m = model.build()
        m.add(fm.PointForce(m["slider"].com, (PUSH * run, 0.0)))
        frame = model.turn / FRAMES
        sol = m.simulate(turns * model.turn, tolerance=tolerance, output_step=frame, integrator=integrator, progress=False)
        pin, dissipated = sol.clearance("wrist pin"), np.asarray(sol.energy.dissipated)
        hits = sum(impact.t > model.turn for impact in pin.impacts)
        energy = dissipated[-1] - dissipated[FRAMES]
        rows.append((hits / (turns - 1), energy / (turns - 1), np.sqrt(np.mean(pin.normal_force[FRAMES:] ** 2))))
    return np.array(rows)


def test_means_of_few_runs_are_alike() -> None:
    high, second = statistics(fm.Radau(), 1e-6, 3, 2), statistics(fm.GeneralizedAlpha(), 1e-5, 3, 2)
    assert np.ptp(high[:, 0]) > 0  # pushes are felt
    assert_allclose(high.mean(axis=0), second.mean(axis=0), rtol=0.5)


@pytest.mark.slow
def test_means_agree_within_the_spread() -> None:
    high, second = statistics(fm.Radau(), 1e-6, 10, 4), statistics(fm.GeneralizedAlpha(), 1e-6, 10, 4)
    spread = 0.5 * (high.std(axis=0, ddof=1) + second.std(axis=0, ddof=1))
    assert (spread > 0.03 * second.mean(axis=0)).all()  # it does rattle
    assert (np.abs(high.mean(axis=0) - second.mean(axis=0)) < spread).all()
