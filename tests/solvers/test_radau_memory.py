"""What contacts remember, to the order of fm.Radau: beside SciPy's integration of equations written here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import solve_ivp

import fmbs as fm
from fmbs.results.recorder import Recorder

MASS, INERTIA, R_B, C, SECTORS = 0.14, 1e-5, 0.01, 1e-3, 72
R_J = R_B - C
K, DAMPING, K_0 = 1e6, 400.0, 5e5
START = np.radians(-92.5)  # the middle of a sector
LUGRE = {"static": 0.2, "kinetic": 0.1, "stribeck_speed": 0.05, "viscous": 0.01, "stiffness": 1e4, "damping": 1.0}
WEAR = fm.wear.Archard(coefficient=1e-3, hardness=1e9, acceleration=10.0, sectors=SECTORS)
LAWS: dict[str, dict[str, Any]] = {
    "LuGre": {"contact": fm.contact.KelvinVoigt(stiffness=K, damping=0.0), "friction": fm.friction.LuGre(**LUGRE)},
    "Dahl": {"contact": fm.contact.KelvinVoigt(stiffness=K, damping=0.0), "friction": fm.friction.Dahl(0.1, stiffness=1e4)},
    "BlimanSorine": {
        "contact": fm.contact.KelvinVoigt(stiffness=K, damping=0.0),
        "friction": fm.friction.BlimanSorine(static=0.2, kinetic=0.1, length=1e-4, viscous=0.01),
    },
    "Maxwell": {"contact": fm.contact.Maxwell(stiffness=K, damping=DAMPING)},
    "SLS": {"contact": fm.contact.StandardLinearSolid(stiffness=K, damping=DAMPING, parallel_stiffness=K_0)},
    "wear": {"contact": fm.contact.KelvinVoigt(stiffness=K, damping=0.0), "wear": WEAR, "length": 0.02},
}
FINE = fm.Radau(newton_tolerance=1e-15)


def ball(**laws: Any) -> fm.Model:
    """A spinning journal that touches its bearing at t = 0."""
    m, n = fm.Model("ball", gravity=(0, 0)), np.array([np.cos(START), np.sin(START)])
    body = m.add(fm.PlanarBody("ball", mass=MASS, inertia=INERTIA, com=C * n, velocity=0.1 * n, spin=20.0))
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), body.com, bearing_radius=R_B, clearance=C, name="pin", **laws))
    return m


def rates(name: str, t: float, y: np.ndarray, released: bool = False) -> np.ndarray:
    """y = x, y, angle, their rates, memory (of friction, force of the branch, or wear of two sectors)."""
    r, v, spin, z = y[:2], y[3:5], y[5], y[6:]
    e = np.linalg.norm(r)
    n = r / e
    t_ = np.array([-n[1], n[0]])
    depth, rate, slip = e - C, v @ n, v @ t_ + R_J * spin
    mu, dz = 0.0, np.zeros(2)
    if name == "LuGre":
        g = 0.1 + 0.1 * np.exp(-((slip / 0.05) ** 2))
        dz[0] = slip - 1e4 * abs(slip) / g * z[0]
        mu = 1e4 * z[0] + 1.0 * g / (g + 1.0 * abs(slip)) * dz[0] + 0.01 * slip
        force = K * depth
    elif name == "Dahl":
        dz[0] = slip - 1e4 * abs(slip) / 0.1 * z[0]
        mu, force = 1e4 * z[0], K * depth
    elif name == "BlimanSorine":
        f_1, f_2, l_1, l_2, _ = LAWS[name]["friction"].parameters()
        dz = np.array([(f_1 * slip - abs(slip) * z[0]) / l_1, (f_2 * slip - abs(slip) * z[1]) / l_2])
        mu, force = z[0] - z[1] + 0.01 * slip, K * depth
    elif name == "wear":
        angle = np.arctan2(n[1], n[0]) / (2 * np.pi) * SECTORS
        x = angle - np.floor(angle)
        force = K * (depth - (1 - x) * z[0] - x * z[1])
        area = 2 * np.pi * R_B / SECTORS * 0.02
        dz = 10.0 * 1e-3 / (1e9 * area) * force * abs(slip) * np.array([1 - x, x])
    else:
        dz[0] = K * (rate - z[0] / DAMPING)
        force = z[0] + (K_0 * depth if name == "SLS" else 0.0)
    force = 0.0 if released else force
    a = -force / MASS * (n + mu * t_)
    return np.concatenate([v, [spin], a, [-force * mu * R_J / INERTIA], dz])


def begin() -> np.ndarray:
    n = np.array([np.cos(START), np.sin(START)])
    return np.concatenate([C * n, [0.0], 0.1 * n, [20.0], [0.0, 0.0]])


def memory(name: str, history: np.ndarray) -> np.ndarray:
    if name == "wear":
        return history[-1, 5:][history[-1, 5:] > 0.0]
    return history[-1, {"LuGre": [2], "Dahl": [2], "BlimanSorine": [2, 5]}.get(name, [4])]


@pytest.mark.parametrize("name", LAWS)
def test_memories_are_of_the_methods_order(name: str) -> None:
    """While the journal is pressed in; the motion with them. Fifth order."""
    t_end = 4e-4
    exact = solve_ivp(lambda t, y: rates(name, t, y), (0, t_end), begin(), method="DOP853", rtol=1e-13, atol=1e-20).y[:, -1]
    errors = []
    for steps in (16, 32):
        run = {"step": t_end / steps, "output_step": t_end, "integrator": FINE, "progress": False, "energy_tolerance": None}
        sol = ball(**LAWS[name]).simulate(t_end, **run)
        kept, expected = memory(name, sol.history), exact[6:]
        kept, expected = np.sort(kept), np.sort(expected[expected > 0.0])
        errors.append([
            np.abs(sol.q[-1] - exact[:3]).max() / 1e-5, np.abs(sol.v[-1] - exact[3:6]).max(),
            np.abs(kept - expected).max() / np.abs(expected).max(),
        ])  # fmt: skip
    coarse, fine = np.array(errors)
    assert (fine < 1e-8).all()
    order = np.log2(coarse / fine)
    assert (order > 4.9).all(), (errors, order)


@pytest.mark.parametrize("name", ["Maxwell", "SLS"])
def test_a_surface_lets_go_where_it_would_pull(name: str) -> None:
    """The step ends there: the speed after the impact is SciPy's up to where the force vanishes."""

    def force(t: float, y: np.ndarray) -> float:
        return float(y[6] + (K_0 * (np.linalg.norm(y[:2]) - C) if name == "SLS" else 0.0)) + (1.0 if t < 1e-5 else 0.0)

    force.terminal, force.direction = True, -1  # type: ignore[attr-defined]
    pressed = solve_ivp(
        lambda t, y: rates(name, t, y), (0, 1e-2), begin(), method="DOP853", rtol=1e-13, atol=1e-20, events=force
    )
    v, t_gone = pressed.y[3:5, -1], pressed.t[-1]
    sol = ball(**LAWS[name]).simulate(4e-3, tolerance=1e-10, output_step=2e-3, integrator=fm.Radau(), progress=False)
    assert t_gone < sol.t[1]
    assert_allclose(sol.v[-1, :2], v, rtol=0, atol=2e-8 * np.linalg.norm(v))
    assert sol.statistics.steps < 100
    assert np.abs(sol.energy.balance).max() < 1e-7 * sol.energy.kinetic[0]
    (impact,) = sol.clearance("pin").impacts
    assert impact.restitution == pytest.approx(np.linalg.norm(v) / 0.1, rel=1e-6)


@pytest.mark.parametrize("name", LAWS)
def test_both_integrators_find_one_motion(name: str) -> None:
    """A whole impact, and frames inside the steps."""
    run = {"output_step": 5e-5, "progress": False}
    ours = ball(**LAWS[name]).simulate(2e-3, tolerance=1e-9, integrator=fm.Radau(), **run)
    theirs = ball(**LAWS[name]).simulate(2e-3, step=1e-7, integrator=fm.GeneralizedAlpha(), **run)
    assert_allclose(ours.q, theirs.q, rtol=0, atol=1e-7)
    assert_allclose(ours.v, theirs.v, rtol=0, atol=2e-4 * np.abs(theirs.v).max())
    ours, theirs = ours.clearance("pin"), theirs.clearance("pin")
    assert_allclose(ours.normal_force, theirs.normal_force, rtol=0, atol=1e-3 * theirs.normal_force.max())
    assert_allclose(ours.friction_force, theirs.friction_force, rtol=0, atol=2e-3 * theirs.normal_force.max())
    assert_allclose(ours.wear, theirs.wear, rtol=0, atol=1e-3 * max(np.abs(theirs.wear).max(initial=0.0), 1e-300))


@pytest.mark.parametrize("name", ["SLS", "LuGre", "wear"])
def test_a_continued_run_remembers(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last bit, also where a surface has let go."""
    run: dict[str, Any] = {"tolerance": 1e-8, "output_step": 2e-5, "integrator": fm.Radau(), "progress": False}
    path, pause, seen, ends = tmp_path / "run.h5", Recorder.pause, 0, []

    def counted(self: Recorder, state: Any) -> None:
        ends.append(state.t)
        pause(self, state)

    monkeypatch.setattr(Recorder, "pause", counted)
    whole = ball(**LAWS[name]).simulate(2e-3, **run)
    for at in (len(ends) // 4, len(ends) // 2, 3 * len(ends) // 4):
        seen = 0

        def noted(self: Recorder, state: Any) -> None:
            nonlocal seen
            seen += 1
            if seen == at:  # noqa: B023
                self.checkpoint(state)
                raise KeyboardInterrupt
            pause(self, state)

        monkeypatch.setattr(Recorder, "pause", noted)
        with pytest.raises(fm.Interrupted):
            ball(**LAWS[name]).simulate(2e-3, checkpoint=path, **run)
        monkeypatch.undo()
        continued = ball(**LAWS[name]).simulate(2e-3, checkpoint=path, **run)
        for each in ("t", "q", "v", "lam", "history", "step_times"):
            assert_array_equal(getattr(continued, each), getattr(whole, each))
        path.unlink()


@fm.jit.law
def branch(p, depth, rate, impact_speed, depth_0, memory_0, h, out):  # type: ignore[no-untyped-def]
    """Maxwell's law, the memory by backward Euler."""
    memory = (memory_0 + p[0] * (depth - max(depth_0, 0.0))) / (1.0 + h * p[0] / p[1]) if h > 0.0 else memory_0
    out[0], out[3] = memory, max(memory, 0.0)


@fm.jit.law
def branch_memory(p, depth, rate, impact_speed, memory, out):  # type: ignore[no-untyped-def]
    out[0], out[1] = p[0] * (rate - memory / p[1]), 0.0


class Silent(fm.contact.ContactLaw, kernel=branch):
    """Remembers without telling a rate."""

    def parameters(self) -> tuple[float, ...]:
        return K, DAMPING


@fm.jit.law
def sly_branch(p, depth, rate, impact_speed, depth_0, memory_0, h, out):  # type: ignore[no-untyped-def]
    """Remembers in a narrow range only."""
    out[0] = p[0] * depth
    out[3] = 1.0 if 1.2e-5 < depth < 2e-5 else 0.0


class Sly(Silent, kernel=sly_branch):
    """Writes a memory where nobody looks before the run."""


class Frank(Silent, kernel=branch, memory=branch_memory):
    """The same with a rate."""


class Confessed(Silent):
    """Says that it remembers."""

    remembers = True


def test_laws_from_outside_are_of_the_order_or_refused() -> None:
    run: dict[str, Any] = {"tolerance": 1e-9, "output_step": 1e-3, "integrator": fm.Radau(), "progress": False}
    ours, theirs = (ball(contact=law).simulate(2e-3, **run) for law in (LAWS["Maxwell"]["contact"], Frank()))
    assert_allclose(theirs.q, ours.q, rtol=0, atol=1e-10)
    assert_allclose(theirs.v, ours.v, rtol=0, atol=1e-8)
    for law in (Silent(), Confessed()):
        with pytest.raises(fm.ModelError, match=rf"has {type(law).__name__}, which tells no rate of what it remembers"):
            ball(contact=law).simulate(2e-3, **run)
    with pytest.raises(fm.ConvergenceError, match=r"remembers something of which it tells no rate") as refused:
        ball(contact=Sly()).simulate(2e-3, **run)
    assert "memory= beside kernel=" in str(refused.value)
    with pytest.raises(TypeError, match=r"remember nothing"):
        type("Film", (fm.film.Film,), {}, memory=branch_memory)
