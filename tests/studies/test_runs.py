"""Measures, contact statistics, bifurcation and sensitivities on runs of models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fmbs as fm
from fmbs.studies import Measure, Subject, bifurcation, contact_statistics, pv_map, sensitivities
from tests.studies import falling


@pytest.fixture(scope="module")
def rattling() -> fm.Solution:
    model = fm.models.SliderCrankPlanar(joint="dry", friction="Ambrosio")
    return model.build().simulate(2e-3, tolerance=1e-4, output_step=1e-5, progress=False)


def test_contact_statistics_add_up(rattling: fm.Solution) -> None:
    found = contact_statistics(rattling, "wrist pin")
    record = rattling.clearance("wrist pin")
    assert sum(found.shares.values()) == pytest.approx(1.0)
    assert found.impacts == len(record.impacts) == found.speeds.size > 2
    assert found.shares["free flight"] == pytest.approx((record.mode == "free flight").mean())
    assert Measure.parse("impacts(wrist pin)").of(rattling, {}) == found.impacts
    assert Measure.parse("touching(wrist pin)").of(rattling, {}) == pytest.approx(1.0 - found.shares["free flight"])
    later = contact_statistics(rattling, "wrist pin", skip=1e-3)
    assert later.impacts == sum(impact.t >= 1e-3 for impact in record.impacts)


def test_pv_map_is_the_force_over_the_projected_area(rattling: fm.Solution) -> None:
    """The sum over the sectors of the mean pressure times 2 R_j L is the mean normal force."""
    found = pv_map(rattling, "wrist pin", sectors=24)
    record, model = rattling.clearance("wrist pin"), fm.models.SliderCrankPlanar()
    area = 2.0 * (model.bearing_radius - model.clearance) * model.bearing_length
    assert found.mean_pressure.sum() * area == pytest.approx(record.normal_force.mean(), rel=1e-12)
    speed = np.linalg.norm(record.slip, axis=1)
    assert found.largest_pv.max() == pytest.approx((record.normal_force * speed).max() / area, rel=1e-12)
    assert Measure.parse("pv(wrist pin)").of(rattling, {}) == pytest.approx(found.largest_pv.max())


def test_measures_against_the_arrays(rattling: fm.Solution) -> None:
    v = rattling.velocity(rattling.model["slider"].com)[:, 0]
    for text, value in {
        "peak(velocity(slider).x)": np.abs(v).max(), "last(velocity(slider).x)": v[-1], "velocity(slider).x": v[-1],
        "min( velocity(slider).x )": v.min(), "range(velocity(slider).x)": np.ptp(v),
    }.items():  # fmt: skip
        assert Measure.parse(text).of(rattling, {}) == pytest.approx(value)
    sine = np.sin(2 * np.pi * np.linspace(0, 1, 101))
    from fmbs.studies.measure import REDUCTIONS

    assert REDUCTIONS["rms"](np.linspace(0, 1, 101), sine) == pytest.approx(np.sqrt(0.5), rel=1e-3)
    assert REDUCTIONS["mean"](np.linspace(0, 1, 101), sine**2) == pytest.approx(0.5, rel=1e-3)


def test_ideal_slider_crank_has_one_branch(tmp_path: Path) -> None:
    """A driven mechanism with ideal joints repeats itself every turn, whatever its speed."""
    found = bifurcation(
        "slider_crank_planar", "rpm", (1000.0, 3000.0), "velocity(slider).x", folder=tmp_path, turns=3, skip_turns=1,
        step=2e-4, jobs=1, progress=False,
    )  # fmt: skip
    assert [x.size for x in found.samples] == [3, 3]
    assert max(np.ptp(x) for x in found.samples) < 0.02 * 0.05 * 3000 * np.pi / 30
    assert found.figure().axes[0].get_xlabel() == "rpm [1/min]"


def test_runs_in_turns() -> None:
    """Two turns of 50 steps at any speed."""
    for rpm in (600.0, 6000.0):
        sol = Subject.of("slider_crank_planar", {"turns": 2, "steps_per_turn": 50}).run({"rpm": rpm})
        assert sol.t[-1] == pytest.approx(120.0 / rpm) and sol.statistics.steps == 100
        few = Subject.of("slider_crank_planar", {"turns": 2, "steps_per_turn": 50, "frames_per_turn": 5}).run({"rpm": rpm})
        assert few.t.size == 11 and few.statistics.steps == 100
    with pytest.raises(fm.ModelError, match="not both"):
        Subject.of("slider_crank_planar", {"turns": 2, "t_end": 1.0}).run({})
    with pytest.raises(fm.ModelError, match="neither"):
        Subject.of("flexible_pendulum", {"turns": 2}).run({})


def test_sensitivities_of_a_fall() -> None:
    """y = - g t^2 / 2 at t = 0.1 s: dy/dg = -0.005 s^2, and no influence of the mass."""
    found = {
        each.parameter: each
        for each in sensitivities(
            falling.fall, {"gravity": 9.81, "mass": 2.0}, ["last(position(stone).y)"], jobs=1, t_end=0.1, step=0.05
        )
    }
    assert found["gravity"].value == pytest.approx(-0.005, rel=1e-9) and found["gravity"].elasticity == pytest.approx(1.0)
    assert abs(found["mass"].value) <= 1e-12
    assert found["gravity"].uncertainty < 1e-9


def test_sensitivity_where_the_function_is_curved() -> None:
    """The tip of a falling rigid pendulum over gravity, against differences of one much smaller step by hand."""
    text = "last(position(tip).y)"
    rigid = {"flexible": False, "joint": "ideal"}
    found = sensitivities("flexible_pendulum", {"gravity": 9.81}, [text], fixed=rigid, jobs=1, t_end=0.3, step=2e-3)[0]

    def tip(g: float) -> float:
        model = fm.models.FlexiblePendulum(gravity=g, flexible=False)
        m = model.build()
        return float(m.simulate(0.3, step=2e-3, progress=False).position(model.points(m)["tip"])[-1, 1])

    by_hand = (tip(9.81 + 1e-3) - tip(9.81 - 1e-3)) / 2e-3
    assert found.value == pytest.approx(by_hand, rel=1e-4) and abs(found.value - by_hand) <= 10 * found.uncertainty
    with pytest.raises(fm.ModelError, match="zero"):
        sensitivities("flexible_pendulum", {"gravity": 0.0}, [text])
    with pytest.raises(fm.ModelError, match="runs failed"):
        sensitivities("flexible_pendulum", {"length": -1.0}, [text], jobs=1)
