"""Time stepping for rigid surfaces: fm.MoreauJean and fm.NonsmoothAlpha against closed forms and the event-driven runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.results.recorder import Recorder
from tests.solvers.impact_models import GRAVITY, ball
from tests.solvers.nonsmooth_models import chain, guided_slider
from tests.solvers.test_impacts import _block, _hit

BOTH = [fm.MoreauJean(), fm.NonsmoothAlpha()]
MJ_OR_ALPHA = pytest.mark.parametrize("integrator", BOTH, ids=lambda x: type(x).__name__)


@MJ_OR_ALPHA
@pytest.mark.parametrize("law", [fm.impact.Newton, fm.impact.Poisson, fm.impact.Stronge])
def test_ball_bounces_and_rests(integrator: Any, law: Any) -> None:
    """Bounces until flights last about a step, then rest with the weight as force; without friction the laws are one."""
    e, h = 0.5, 0.1
    m, b, j = ball(law(restitution=e), "round")
    run = m.simulate(0.5, step=1e-3, integrator=integrator, progress=False)
    found = run.clearance(j)
    first = np.sqrt(2 * h / GRAVITY)
    exact = first * (1 + 2 * np.concatenate([[0], np.cumsum(e ** np.arange(1, 4))]))
    assert_allclose([x.t for x in found.impacts[:4]], exact, atol=2e-5)  # a fiftieth of a step
    assert_allclose([x.approach_speed for x in found.impacts[:4]], GRAVITY * first * e ** np.arange(4), rtol=1e-3)
    (end, begun, opened) = found.rests[0]
    assert end == "A" and begun == pytest.approx(first * 3.0, abs=8e-3) and np.isnan(opened)
    assert found.normal_force[-1] == pytest.approx(2.0 * GRAVITY, rel=1e-12)
    assert run.position(b.com)[-1, 1] == pytest.approx(-h, abs=1e-13)
    assert np.abs(run.energy.balance).max() < 1e-12
    assert run.energy.dissipated[-1] == pytest.approx(2.0 * GRAVITY * h, rel=2e-4)


@MJ_OR_ALPHA
def test_impacts_of_a_slider_in_its_guide(integrator: Any) -> None:
    """Flores, Leine & Glocker 2010: the first ten impacts as in the event-driven run."""
    runs = []
    for options in ({}, {"integrator": integrator}):
        m, _, guide = guided_slider(fm.impact.Newton(restitution=0.4))
        run = m.simulate(0.026, step=1e-4, progress=False, **options)
        hits = sorted((x for x in run.clearance(guide).impacts if x.approach_speed > 0.02), key=lambda x: (x.t, x.end))
        runs.append((hits[:10], run))
    (event, whole), (ours, run) = runs
    assert len(ours) == 10 and [x.end for x in ours] == [x.end for x in event]
    assert_allclose([x.t for x in ours], [x.t for x in event], atol=2e-5)
    assert_allclose([x.approach_speed for x in ours], [x.approach_speed for x in event], rtol=0.015)
    assert_allclose([x.impulse for x in ours[:2]], [x.impulse for x in event[:2]], rtol=0.01)
    assert run.energy.dissipated[-1] == pytest.approx(whole.energy.dissipated[-1], rel=2e-3)
    assert run.statistics.drift < 1e-12 and run.statistics.energy_error < 1e-3


@pytest.mark.slow
def test_slider_in_its_guide_for_a_while() -> None:
    """0.2 s by three ways: lost energy, impacts and rests agree."""
    found = []
    for options in ({"step": 1e-4}, *({"step": 5e-5, "integrator": x} for x in BOTH)):
        m, _, guide = guided_slider(fm.impact.Newton(restitution=0.4))
        run = m.simulate(0.2, output_step=1e-3, progress=False, **options)
        gap = run.clearance(guide)
        fast = sum(x.approach_speed > 0.02 for x in gap.impacts)
        resting = sum((0.2 if np.isnan(end) else end) - begin for _, begin, end in gap.rests)
        found.append((run.energy.dissipated[-1], fast, len(gap.rests), resting))
    for other in found[1:]:
        assert other[0] == pytest.approx(found[0][0], rel=1e-3) and other[1:3] == found[0][1:3]
        assert other[3] == pytest.approx(found[0][3], abs=4 * 5e-5 * other[2])  # a rest begins where flights are about a step


def _arm() -> tuple[Any, Any]:
    """Two links on pins and a third end that touches nothing."""
    m = fm.Model("arm", gravity=(0, -GRAVITY))
    a = m.add(fm.PlanarBody("a", mass=1.0, inertia=0.02, com=(0.25, 0.0)))
    b = m.add(fm.PlanarBody("b", mass=0.5, inertia=0.01, com=(0.75, 0.0)))
    m.add(fm.Revolute(m.ground.at(0, 0), a.at(0, 0), name="wall"))
    m.add(fm.Revolute(a.at(0.5, 0), b.at(0.5, 0)))
    far: dict[str, Any] = {"bearing_radius": 9.1, "clearance": 9.0, "length": 0.1}
    m.add(fm.ClearanceRevolute(m.ground.at(0.9, -0.1), b.at(1.0, 0), **far, contact=fm.impact.Newton(restitution=0.5)))
    return m, b


@MJ_OR_ALPHA
def test_order_between_impacts(integrator: Any) -> None:
    """Halving the step divides the error of q and v by 4, and for generalized-alpha that of reactions too."""
    errors, steps = [], (8e-3, 4e-3, 2e-3)
    m, _ = _arm()
    exact = m.simulate(0.4, tolerance=1e-11, integrator=fm.Radau(), output_step=0.4, progress=False)
    for step in steps:
        run = _arm()[0].simulate(0.4, step=step, integrator=integrator, output_step=0.4, progress=False)
        errors.append([np.abs(getattr(run, k)[-1] - getattr(exact, k)[-1]).max() for k in ("q", "v", "lam")])
    ratio = np.array(errors[:-1]) / np.array(errors[1:])
    assert_allclose(ratio[-1, :2], 4.0, rtol=0.1)
    assert ratio[-1, 2] > (3.5 if isinstance(integrator, fm.NonsmoothAlpha) else 1.7)  # means over a step are half a step late


@MJ_OR_ALPHA
def test_block_slides_and_sticks(integrator: Any) -> None:
    """As the event-driven run: slides to a stop in v/(mu g), sticks, and slides on when the push is more than mu m g."""
    mu, v, slope = 0.3, 1.0, 40.0
    stop, start = v / (mu * GRAVITY), mu * 2.0 * GRAVITY / slope + 0.4
    m, b, j = _block(mu, lambda t: (slope * max(t - 0.4, 0.0), 0.0), v)
    run = m.simulate(0.8, step=2e-3, integrator=integrator, progress=False)
    x, t = run.position(b.com)[:, 0], run.t
    expected = np.where(t < stop, v * t - 0.5 * mu * GRAVITY * t**2, 0.5 * v * stop)
    expected = expected + np.maximum(t - start, 0.0) ** 3 * slope / 12.0
    assert_allclose(x, expected, atol=3e-4)  # first order
    still = (t > stop + 4e-3) & (t < start - 4e-3)
    assert np.abs(run.velocity(b.com)[still, 0]).max() < 1e-12
    assert np.abs(run.position(b.com)[:, 1] + 1e-3).max() < 1e-12
    assert np.abs(run.energy.balance).max() < 1e-3
    along = np.sum(run.clearance(j).friction_force[..., 0][still], axis=1)
    assert_allclose(np.abs(along), slope * np.maximum(t[still] - 0.4, 0.0), atol=slope * 2e-3)


@MJ_OR_ALPHA
def test_flexible_link_keeps_momentum(integrator: Any) -> None:
    """A flexible link is hit at its end: momentum stays to round-off, and the energy adds up."""
    m, j = _hit((0.0, 0.0))
    run = m.simulate(4e-3, step=2e-5, output_step=2e-4, integrator=integrator, progress=False)
    assert run.clearance(j).impacts
    weights = [_hit(way)[0].system().weight for way in ((1.0, 0.0), (0.0, 1.0))]
    momentum = np.abs(run.v @ np.stack(weights, axis=1))
    assert_allclose(momentum, np.broadcast_to([0.05 * 0.3, 0.05], momentum.shape), atol=1e-13)
    assert np.abs(run.energy.balance).max() < 2e-3 * run.energy.kinetic[0]


@MJ_OR_ALPHA
def test_chain_of_many_contacts(integrator: Any) -> None:
    """120 journals carry each other: all contacts are solved at once, in a few iterations however many they are."""
    counts = []
    for count in (30, 120):
        m, _, joints = chain(count, fm.impact.Newton(restitution=0.3))
        run = m.simulate(4e-3, step=1e-3, integrator=integrator, progress=False)
        forces = [float(run.clearance(joint).normal_force[-1]) for joint in joints]
        assert_allclose(forces, 0.1 * GRAVITY * np.arange(count, 0, -1), rtol=1e-9)
        assert run.statistics.rejected == 0
        counts.append(run.statistics.iterations)
    assert counts[1] <= counts[0] + 2


@MJ_OR_ALPHA
def test_soft_contacts_are_forces(integrator: Any) -> None:
    """A law of fm.contact beside: with steps that resolve an impact it is that of the other integrators."""
    found = []
    for options in ({}, {"integrator": integrator}):
        m, _, j = ball(fm.contact.Flores(restitution=0.7, stiffness=1e5), gap=0.02)
        run = m.simulate(0.09, step=1e-4, output_step=1e-3, progress=False, **options)
        found.append((run.clearance(j).impacts[0].t, run.clearance(j).impacts[0].separation_speed, run.energy.dissipated[-1]))
    assert_allclose(found[1], found[0], rtol=5e-3)


@MJ_OR_ALPHA
def test_frames_inside_steps(integrator: Any) -> None:
    """Frames need not lie at the ends of steps."""
    m, b, _ = ball(fm.impact.Newton(restitution=0.5))
    run = m.simulate(0.1, step=1e-3, output_step=2.5e-4, integrator=integrator, progress=False)
    assert_allclose(run.position(b.com)[:, 1], -0.5 * GRAVITY * run.t**2, atol=2e-6)


@MJ_OR_ALPHA
def test_a_continued_run_repeats_itself(integrator: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted and continued from its checkpoint a run is the same to the last bit."""
    options: dict[str, Any] = {"step": 1e-3, "integrator": integrator, "progress": False, "output_step": 1e-2}
    law = fm.impact.Newton(restitution=0.5)
    whole = ball(law)[0].simulate(0.45, **options)
    pause = Recorder.pause

    def pause_and_die(self: Any, state: Any) -> None:
        if state.t >= 0.3:
            self.checkpoint(state)
            raise KeyboardInterrupt
        pause(self, state)

    with monkeypatch.context() as patch:
        patch.setattr(Recorder, "pause", pause_and_die)
        with pytest.raises(fm.Interrupted):
            ball(law)[0].simulate(0.45, checkpoint=tmp_path / "run.h5", **options)
    m, _, j = ball(law)
    again = m.simulate(0.45, checkpoint=tmp_path / "run.h5", **options)
    assert np.array_equal(again.q, whole.q) and np.array_equal(again.v, whole.v)
    assert [x.t for x in again.clearance(j).impacts] == [x.t for x in whole.clearance(whole.system.forces[0]).impacts]


def test_bad_input() -> None:
    """Parameters out of range, error control, overlaps at the start."""
    with pytest.raises(fm.ModelError, match=r"theta = 0.4 is outside"):
        fm.MoreauJean(theta=0.4)
    with pytest.raises(fm.ModelError, match=r"rho_inf = 1.1 is outside"):
        fm.NonsmoothAlpha(rho_inf=1.1)
    m, _, _ = ball(fm.impact.Newton(restitution=0.5))
    with pytest.raises(fm.ModelError, match=r"takes equal steps over impacts and has no error control; give step="):
        m.simulate(0.1, tolerance=1e-6, integrator=fm.MoreauJean(), progress=False)
    with pytest.raises(fm.ModelError, match=r"takes tangent='exact'"):
        m.simulate(0.1, step=1e-3, tangent="numerical", integrator=fm.NonsmoothAlpha(), progress=False)


def test_damping_of_the_schemes() -> None:
    """What theta and rho_inf take from a vibration is booked: the ledger balances."""
    for integrator in (fm.MoreauJean(theta=0.51), fm.NonsmoothAlpha(rho_inf=0.8)):
        m = fm.Model("mass on a spring", gravity=(0.0, 0.0))
        b = m.add(fm.PlanarBody("mass", mass=2.0, inertia=0.01, com=(0.1, 0.0), velocity=(1.0, 0.0)))
        m.add(fm.SpringDamper(m.ground.at(0, 0), b.com, stiffness=2e4, damping=0.0, length=0.1))
        run = m.simulate(0.1, step=1e-3, integrator=integrator, progress=False)
        assert 1e-5 < run.energy.numerical[-1] < 0.1
        assert np.abs(run.energy.balance).max() < 1e-6
