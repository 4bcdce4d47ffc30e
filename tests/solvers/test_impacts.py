"""Rigid surfaces (fm.impact) in event-driven runs, against closed forms and impacts integrated by other means."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import fmbs as fm
from fmbs.models import SliderCrankPlanar
from tests.solvers.impact_models import GRAVITY, RULES, ball, smoothed

LAWS = [fm.impact.Newton, fm.impact.Poisson, fm.impact.Stronge]


@pytest.mark.parametrize(
    ("law", "kind", "options"),
    [
        (fm.impact.Newton, "round", {"step": 7e-3}),
        (fm.impact.Poisson, "round", {"tolerance": 1e-6}),
        (fm.impact.Stronge, "block", {"step": 7e-3}),
        (fm.impact.Newton, "block", {"tolerance": 1e-6, "integrator": fm.Radau()}),
        (fm.impact.Stronge, "round", {"tolerance": 1e-4}),
    ],
    ids=lambda x: getattr(x, "__name__", None),
)
def test_ball_on_a_plate(law: Any, kind: str, options: dict[str, Any]) -> None:
    """From h: t_n = t_1 + 2 t_1 (e + ... + e^n), speeds g t_1 e^n; at rest after t_1 + 2 t_1 e/(1 - e)."""
    e, h = 0.5, 0.1
    m, b, j = ball(law(restitution=e), kind)
    run = m.simulate(1.0, **options, progress=False)
    first = np.sqrt(2 * h / GRAVITY)
    own = [x for x in run.clearance(j).impacts if x.end == run.clearance(j).impacts[0].end]
    assert len(own) > 15
    powers = e ** np.arange(len(own))
    assert_allclose([x.t for x in own], first * (1 + 2 * np.concatenate([[0], np.cumsum(powers[1:])])), atol=1e-10)
    assert_allclose([x.approach_speed for x in own], GRAVITY * first * powers, atol=1e-10)
    assert_allclose([x.separation_speed for x in own[:-1]], GRAVITY * first * powers[1:], atol=1e-10)
    assert_allclose(
        [x.impulse for x in own[:3]], 2.0 * (1 + e) * GRAVITY * first * powers[:3] / (1 if kind == "round" else 2), rtol=1e-9
    )
    assert sum(x.lost for x in run.clearance(j).impacts if not np.isnan(x.lost)) == pytest.approx(2.0 * GRAVITY * h, rel=1e-9)
    rests = run.clearance(j).rests
    assert len(rests) == (1 if kind == "round" else 2)
    assert rests[0][1] == pytest.approx(first * (1 + 2 * e / (1 - e)), abs=1e-6) and np.isnan(rests[0][2])
    assert np.sum(run.clearance(j).normal_force[-1]) == pytest.approx(2.0 * GRAVITY, rel=1e-9)
    assert_allclose(run.position(b.com)[-1, 1], -h, atol=1e-12)
    assert np.abs(run.energy.balance).max() < 1e-12


ROD, HALF, MASS, INERTIA = 0.3, 0.5, 2.0, 2.0 / 12.0  # rad of slope, m, kg, kg m^2


def _rod(law: Any, mu: float, velocity: tuple[float, float], spin: float) -> tuple[np.ndarray, np.ndarray, Any]:
    """A rod without weight whose lower end meets the floor; impulses by the run, by `smoothed`, and the run."""
    m = fm.Model("rod", gravity=(0.0, 0.0))
    b = m.add(fm.PlanarBody("rod", mass=MASS, inertia=INERTIA, com=(0.0, 0.0), velocity=velocity, spin=spin, angle=0.0))
    friction = fm.friction.Ambrosio(mu, v0=1e-4, v1=1e-3) if mu else None
    centre = m.ground.at(0.0, 0.0)
    j = m.add(fm.ClearancePrismatic(
        centre, b.com, axis=(1.0, 0.0), length=2 * HALF, height=2e-3, clearance=0.05, contact=law, friction=friction
    ))  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fm.EnergyCreated)
        run = m.simulate(0.2, step=1e-3, output_step=1e-3, progress=False)
    hit = run.clearance(j).impacts[0]
    angle = spin * hit.t
    arm = np.array([-HALF * np.cos(angle), -HALF * np.sin(angle) - 1e-3])  # of the lower, rear end
    gap = np.array([0.0, -1.0, -arm[0]])  # > 0: going in
    slip = np.array([1.0, 0.0, -arm[1]])
    G, inverse = np.stack([gap, slip]), np.diag([1 / MASS, 1 / MASS, 1 / INERTIA])
    u = G @ np.array([*velocity, spin])
    assert hit.approach_speed == pytest.approx(u[0], rel=1e-9)
    expected = smoothed(G @ inverse @ G.T, u, mu, law.restitution, law.rule)
    return np.array([hit.impulse, hit.friction_impulse]), np.abs(expected), run


@pytest.mark.parametrize("rule", ["speed", "impulse", "work"])
@pytest.mark.parametrize(
    ("mu", "velocity", "spin"),
    [(0.0, (1.0, -0.2), 1.0), (0.1, (1.0, -0.2), 1.0), (0.6, (0.3, -0.2), 1.0), (0.3, (-0.15, -0.2), 1.0)],
)
def test_rod_with_friction(rule: str, mu: float, velocity: tuple[float, float], spin: float) -> None:
    """Slips that go on, stop and turn within an impact; without friction the laws are one."""
    found, expected, run = _rod(RULES[rule](restitution=0.6), mu, velocity, spin)
    assert_allclose(found, expected, rtol=2e-6, atol=1e-8)
    assert np.abs(run.energy.balance).max() < 1e-10


def _kane(law: Any, mu: float) -> tuple[Any, float]:
    """Kane's double pendulum strikes the floor (Kane & Levinson 1985): run, and energy lost in the first impact."""
    m = fm.Model("Kane", gravity=(0.0, 0.0))
    first, second = np.deg2rad(20.0), np.deg2rad(30.0)
    way = [np.array([np.sin(a), -np.cos(a)]) for a in (first, second)]
    across = [np.array([np.cos(a), np.sin(a)]) for a in (first, second)]
    spins = (-0.1, -0.2)
    knee = way[0]
    c = [0.5 * way[0], knee + 0.5 * way[1]]
    v = [0.5 * spins[0] * across[0], spins[0] * across[0] + 0.5 * spins[1] * across[1]]
    links = [
        m.add(fm.PlanarBody(f"link {k}", mass=1.0, inertia=1.0 / 12.0, com=tuple(c[k]), velocity=tuple(v[k]), spin=spins[k]))
        for k in range(2)
    ]
    m.add(fm.Revolute(m.ground.at(0.0, 0.0), links[0].at(0.0, 0.0)))
    m.add(fm.Revolute(links[0].at(*knee), links[1].at(*knee)))
    foot = knee + way[1]
    drop = 1e-3
    j = m.add(fm.ClearanceRevolute(
        m.ground.at(foot[0], foot[1] + 1.0 - drop), links[1].at(*foot), bearing_radius=1.1, clearance=1.0, length=0.1,
        contact=law, friction=fm.friction.Ambrosio(mu, v0=1e-4, v1=1e-3),
    ))  # fmt: skip
    run = m.simulate(0.02, step=1e-3, progress=False)
    return run, run.clearance(j).impacts[0].lost


def test_kanes_pendulum() -> None:
    """Newton's law creates energy, and says so; Stronge's does not."""
    with pytest.warns(fm.EnergyCreated, match="has created"):
        run, lost = _kane(fm.impact.Newton(restitution=0.7), 0.7)
    assert lost < -1e-4
    assert np.abs(run.energy.balance).max() < 1e-8  # J: what the integrator damps
    with warnings.catch_warnings():
        warnings.simplefilter("error", fm.EnergyCreated)
        _, lost = _kane(fm.impact.Stronge(restitution=0.7), 0.7)
    assert lost > 0.0


def _block(mu: float, force: Any, velocity: float = 0.0) -> tuple[Any, ...]:
    m, g = fm.Model("block", gravity=(0.0, -GRAVITY)), 1e-3
    b = m.add(fm.PlanarBody("block", mass=2.0, inertia=0.01, com=(0.0, -g), velocity=(velocity, 0.0)))
    m.add(fm.PointForce(b.com, force))
    j = m.add(fm.ClearancePrismatic(
        m.ground.at(0, 0), b.at(0, -g), axis=(1, 0), length=0.1, height=0.01, clearance=g,
        contact=fm.impact.Newton(restitution=0.5), friction=fm.friction.Ambrosio(mu, v0=1e-4, v1=1e-3),
    ))  # fmt: skip
    return m, b, j


def test_block_slides_and_sticks() -> None:
    """A block slides to a stop in v/(mu g), sticks until the push is more than mu m g, and slides on with (F - mu m g)/m."""
    mu, v, slope = 0.3, 1.0, 40.0
    stop, start = v / (mu * GRAVITY), mu * 2.0 * GRAVITY / slope + 0.4
    m, b, _ = _block(mu, lambda t: (slope * max(t - 0.4, 0.0), 0.0), v)
    run = m.simulate(0.8, step=1e-3, output_step=1e-3, progress=False)
    x, t = run.position(b.com)[:, 0], run.t
    expected = (
        np.where(t < stop, v * t - 0.5 * mu * GRAVITY * t**2, 0.5 * v * stop) + np.maximum(t - start, 0.0) ** 3 * slope / 12.0
    )
    assert_allclose(x, expected, atol=2e-6)
    still = (t > stop + 2e-3) & (t < start - 2e-3)
    assert np.abs(run.velocity(b.com)[still, 0]).max() < 1e-9
    assert np.abs(run.position(b.com)[:, 1] + 1e-3).max() < 1e-9
    assert run.energy.dissipated[-1] == pytest.approx(
        0.5 * 2.0 * v**2 + mu * 2.0 * GRAVITY * (expected[-1] - 0.5 * v * stop), rel=1e-3
    )
    assert np.abs(run.energy.balance).max() < 2e-4


def test_resting_contact_opens() -> None:
    """A block that is lifted by a growing force leaves the floor when the force is its weight."""
    m, b, j = _block(0.2, lambda t: (0.0, 98.1 * t))
    run = m.simulate(0.25, step=1e-3, output_step=1e-3, progress=False)
    leaves = 2.0 * GRAVITY / 98.1
    assert [end for _, _, end in run.clearance(j).rests] == pytest.approx([leaves, leaves], abs=2e-3)
    rise = np.maximum(run.t - leaves, 0.0) ** 3 * 98.1 / 12.0
    assert_allclose(run.position(b.com)[:, 1] + 1e-3, rise, atol=1e-6)
    assert run.clearance(j).normal_force.min() >= 0.0


@pytest.mark.parametrize("rule", ["speed", "work"])
def test_ball_in_a_socket(rule: str) -> None:
    """A ball with spin and a slip that turns in the tangent plane while it is hit: impulses integrated over the normal one."""
    m, mass, radius, mu, e = fm.Model("socket", gravity=(0.0, 0.0, 0.0)), 2.0, 0.1, 0.25, 0.7
    inertia, velocity, spin = np.diag([0.01, 0.02, 0.03]), np.array([0.4, 0.3, -1.0]), np.array([3.0, -8.0, 5.0])
    b = m.add(fm.RigidBody("ball", mass=mass, inertia=inertia, com=(0, 0, 0), velocity=tuple(velocity), spin=tuple(spin)))
    friction = fm.friction.Ambrosio(mu, v0=1e-4, v1=1e-3)
    j = m.add(fm.ClearanceSpherical(
        m.ground.at(0, 0, 0), b.com, bearing_radius=0.15, clearance=0.05, contact=RULES[rule](restitution=e), friction=friction
    ))  # fmt: skip
    run = m.simulate(0.05, step=1e-4, output_step=1e-4, progress=False)
    hit = run.clearance(j).impacts[0]
    normal = velocity / np.linalg.norm(velocity)  # the ball flies straight from the centre
    assert hit.t == pytest.approx(0.05 / np.linalg.norm(velocity), rel=1e-9)
    k = int(np.argmin(np.abs(run.t - hit.t)))
    frames = [run.position(b.at(*(0.1 * x)))[k] - run.position(b.com)[k] for x in np.eye(3)]
    turned = np.stack(frames, axis=1) / 0.1
    axes = [np.cross([0.0, 0.0, 1.0], normal)]
    axes[0] /= np.linalg.norm(axes[0])
    axes.append(np.cross(normal, axes[0]))
    lost = run.energy.kinetic[0] - run.energy.kinetic[-1]
    first = [x for x in run.clearance(j).impacts if x.t < 0.0499]
    assert sum(x.lost for x in first) == pytest.approx(lost, rel=1e-6)
    tensor = np.linalg.inv(turned @ inertia @ turned.T)
    rows = np.stack([np.concatenate([a, np.cross(radius * normal, a)]) for a in (normal, *axes)])
    inverse = np.zeros((6, 6))
    inverse[:3, :3], inverse[3:, 3:] = np.eye(3) / mass, tensor
    spun = _spin(inertia, spin, hit.t)
    expected = smoothed(rows @ inverse @ rows.T, rows @ np.concatenate([velocity, spun]), mu, e, rule)
    assert_allclose([hit.impulse, hit.friction_impulse], [expected[0], np.linalg.norm(expected[1:])], rtol=1e-4)


def _spin(inertia: np.ndarray, spin: np.ndarray, t: float) -> np.ndarray:
    """Euler's equations with the attitude: spin in global axes at t."""

    def rate(_: float, y: np.ndarray) -> np.ndarray:
        turned, own = y[:9].reshape(3, 3), y[9:]
        skew = np.array([[0, -own[2], own[1]], [own[2], 0, -own[0]], [-own[1], own[0], 0]])
        return np.concatenate([(turned @ skew).ravel(), np.linalg.solve(inertia, -np.cross(own, inertia @ own))])

    y = solve_ivp(rate, (0.0, t), np.concatenate([np.eye(3).ravel(), spin]), rtol=1e-11, atol=1e-12).y[:, -1]
    return np.asarray(y[:9].reshape(3, 3) @ y[9:])


def _hit(gravity: tuple[float, float]) -> tuple[Any, Any]:
    """A free beam and a pin in its eye."""
    m = fm.Model("hit", gravity=gravity)
    steel = fm.Material(E=2e9, nu=0.3, density=2700.0)
    rod = m.add(fm.PlanarBeam("rod", start=(0, 0), end=(0.5, 0), section=fm.Rectangle(0.01, 0.01), material=steel, elements=4))
    b = m.add(fm.PlanarBody("pin", mass=0.05, inertia=1e-5, com=(0.5, 0.0), velocity=(0.3, -1.0)))
    j = m.add(fm.ClearanceRevolute(
        rod.end, b.com, bearing_radius=0.01, clearance=1e-3, length=0.01, contact=fm.impact.Stronge(restitution=0.8),
        friction=fm.friction.Ambrosio(0.2, v0=1e-4, v1=1e-3),
    ))  # fmt: skip
    return m, j


def test_flexible_link_keeps_momentum() -> None:
    """A flexible link is hit at its end again and again: momentum stays to round-off, and the energy adds up."""
    m, j = _hit((0.0, 0.0))
    run = m.simulate(0.02, step=2e-5, output_step=2e-4, progress=False)
    assert len(run.clearance(j).impacts) >= 3
    weights = [_hit(way)[0].system().weight for way in ((1.0, 0.0), (0.0, 1.0))]  # M times a translation, but for the sign
    momentum = np.abs(run.v @ np.stack(weights, axis=1))
    assert_allclose(momentum, np.broadcast_to([0.05 * 0.3, 0.05], momentum.shape), atol=1e-14)
    assert np.abs(run.energy.balance).max() < 1e-3 * run.energy.kinetic[0]  # waves in the beam, of second order in the step


def test_bad_input() -> None:
    """Restitutions outside [0, 1], films, overlaps at the start, analyses and integrators that know no impacts."""
    for e in (-0.1, 1.1):
        with pytest.raises(fm.ModelError, match=r"outside \[0, 1\]"):
            fm.impact.Newton(restitution=e)
    m, b, _ = ball(fm.impact.Newton(restitution=0.5))
    options: dict[str, Any] = {
        "bearing_radius": 0.2,
        "clearance": 0.1,
        "length": 0.1,
        "contact": fm.impact.Poisson(restitution=0.5),
    }
    with pytest.raises(fm.ModelError, match=r"leave film= out"):
        fm.ClearanceRevolute(m.ground.at(0, 0), b.com, **options, film=fm.film.ShortBearing(0.1))
    with pytest.raises(fm.ModelError, match="without a stiffness"):
        m.equilibrium()
    with pytest.raises(fm.ModelError, match=r"BaumgarteODE does not know"):
        m.simulate(0.1, integrator=fm.BaumgarteODE(), progress=False)
    deep = fm.Model("deep", gravity=(0.0, -GRAVITY))
    b = deep.add(fm.PlanarBody("ball", mass=2.0, inertia=0.01, com=(0.0, -0.11)))
    with pytest.raises(fm.ModelError, match=r"outside the bearing at t = 0"):
        deep.add(fm.ClearanceRevolute(deep.ground.at(0, 0), b.com, **options))


def test_runs_of_endless_bounces_end() -> None:
    """Bounces that are far shorter than a step accumulate: the run comes to rest and to its end."""
    m, _, j = ball(fm.impact.Newton(restitution=0.9), "block", gap=1e-7)
    run = m.simulate(0.05, step=1e-3, progress=False)
    assert run.t[-1] == pytest.approx(0.05) and run.clearance(j).rests


def test_saved(tmp_path: Any) -> None:
    """Impulses are in the file."""
    m, _, j = ball(fm.impact.Stronge(restitution=0.6), gap=0.02)
    whole = m.simulate(0.2, step=2e-3, output_step=0.02, progress=False)
    whole.save(tmp_path / "run.h5")
    loaded = fm.load(tmp_path / "run.h5")
    joint = next(iter(loaded.system.contacts.names()))[0]
    assert [x.impulse for x in loaded.clearance(joint).impacts] == [x.impulse for x in whole.clearance(j).impacts]


def test_journal_runs_round_at_rest() -> None:
    """A journal that has come to rest on its bearing runs round in the clearance far faster than the crank turns."""
    four_bar = fm.models.MODELS["four_bar"](joint="dry", contact="Newton")
    m = four_bar.build()
    run = m.simulate(0.009, progress=False, **four_bar.settings())
    assert run.clearance(m["joint C"]).rests
    assert run.statistics.energy_error < 2e-3


@pytest.mark.slow
def test_a_gap_below_round_off_is_closed() -> None:
    """A slider-crank in whose second turn a gap of 5e-18 m closes with 7 mm/s: time could not move on to where it is shut."""
    model = SliderCrankPlanar(joint="dry", contact="Newton")
    sol = model.build().simulate(1.45 * model.turn, **model.settings(), progress=False)
    assert sol.statistics.steps < 10_000
    assert sol.clearance("wrist pin").rests
