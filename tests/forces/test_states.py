"""Forces with states of their own, sampled ones, and linear controllers, against SciPy's integrator."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.signal
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import fmbs as fm

J, WEIGHT = 0.1 + 0.3**2, 9.81 * 0.3  # of the crank about its hinge, kg m^2, and the moment of its weight, N m
PRECISE = {"tolerance": 1e-10, "integrator": fm.Radau(), "output_step": 0.1}


def target(t: float) -> float:
    return float(20.0 * np.sin(3.0 * t))


@dataclass(frozen=True, eq=False)
class SpeedPI(fm.UserForce):
    """u = 2 e + 10 z, z' = e."""

    crank: fm.Marker
    initial_states = (0.0,)

    def rates(self, t: float, crank: Any, z: Any) -> Any:
        return [target(t) - crank.omega[2]]

    def force(self, t: float, crank: Any, z: Any) -> Any:
        return [(np.zeros(3), (0.0, 0.0, 2.0 * (target(t) - crank.omega[2]) + 10.0 * z[0]))]


@dataclass(frozen=True, eq=False)
class SampledPI(fm.UserForce):
    """The same every 50 ms, with u held; z = (sum of e, u)."""

    crank: fm.Marker
    every: float = field(default=0.05, kw_only=True)
    initial_states = (0.0, 0.0)

    def sample(self, t: float, crank: Any, z: Any) -> Any:
        e = target(t) - crank.omega[2]
        return [z[0] + 0.05 * e, 2.0 * e + 10.0 * (z[0] + 0.05 * e)]

    def force(self, t: float, crank: Any, z: Any) -> Any:
        return [(np.zeros(3), (0.0, 0.0, z[1]))]


def crank() -> tuple[fm.Model, fm.PlanarBody]:
    m = fm.Model("crank", gravity=(0, -9.81))
    body = m.add(fm.PlanarBody("crank", mass=1.0, inertia=0.1, com=(0.3, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), body.at(0, 0)))
    return m, body


def continuous() -> np.ndarray:
    """phi, phi', z after 1 s."""

    def rates(t: float, y: Any) -> Any:
        e = target(t) - y[1]
        return [y[1], (2.0 * e + 10.0 * y[2] - WEIGHT * np.cos(y[0])) / J, e]

    return solve_ivp(rates, (0, 1), [0, 0, 0], method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]


def sampled() -> np.ndarray:
    """phi, phi' and the sum of e after 1 s, before the sample there."""
    y, total = np.zeros(2), 0.0
    for k in range(20):
        t = 0.05 * k
        e = target(t) - y[1]
        total += 0.05 * e
        u = 2.0 * e + 10.0 * total
        done = solve_ivp(
            lambda _, y, u=u: [y[1], (u - WEIGHT * np.cos(y[0])) / J], (t, t + 0.05), y, method="DOP853", rtol=1e-13, atol=1e-13
        )
        y = done.y[:, -1]
    return np.append(y, total)


def controller(kind: str, body: fm.PlanarBody, ground: fm.Marker) -> Any:
    speed = {"measure": "speed", "target": target, "name": "pi"}
    makers = {
        "user": lambda: SpeedPI(body.com, name="pi"),
        "sampled user": lambda: SampledPI(body.com, name="pi"),
        "fraction": lambda: fm.Feedback(ground, body.com, controller=([2.0, 10.0], [1.0, 0.0]), **speed),
        "scipy": lambda: fm.Feedback(ground, body.com, controller=scipy.signal.TransferFunction([2, 10], [1, 0]), **speed),
        "discrete": lambda: fm.Feedback(ground, body.com, controller=([[1.0]], [0.05], [10.0], 2.5, 0.05), **speed),
    }
    return makers[kind]()


@pytest.mark.parametrize("kind", ["user", "sampled user", "fraction", "scipy", "discrete"])
def test_a_controlled_crank_against_scipy(kind: str):
    m, body = crank()
    own = m.add(controller(kind, body, m.ground.at(0, 0)))
    sol = m.simulate(1.0, **PRECISE)
    expected = sampled() if own.every else continuous()
    assert_allclose([sol.angle(body)[-1], sol.v[-1, 2], sol.states("pi")[-1, 0]], expected, rtol=0.0, atol=1e-8)
    assert sol.statistics.energy_error < 1e-6


@pytest.mark.parametrize("kind", ["user", "sampled user", "fraction", "discrete"])
def test_the_order_of_the_method(kind: str):
    """Generalized-alpha with steps that fit the samples and with those that do not."""
    m, body = crank()
    own = m.add(controller(kind, body, m.ground.at(0, 0)))
    expected = (sampled() if own.every else continuous())[[0, 2]]
    errors = []
    for step in (8e-3, 4e-3):
        sol = m.simulate(1.0, step=step)
        errors.append(np.abs(np.array([sol.angle(body)[-1], sol.states(own)[-1, 0]]) - expected).max())
    assert errors[0] < 1e-2 and 3.5 < errors[0] / errors[1] < 4.6


def test_a_measured_angle_counts_turns_in_space():
    """A wheel about a slanted axis is turned by five turns and held there by a PD controller with a filter."""
    m = fm.Model("wheel")
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    wheel = m.add(fm.RigidBody("wheel", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0, 0, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0, 0), wheel.com, axis=axis))
    far = 10.0 * np.pi

    def turning(t: float) -> float:
        return far * min(t, 1.0) ** 2 * (3.0 - 2.0 * min(t, 1.0))

    motor = m.add(fm.Feedback(m.ground.at(0, 0, 0), wheel.com, axis=axis, controller=([1.0, 4.0], [0.01, 1.0]), target=turning))
    sol = m.simulate(3.0, step=2e-3)
    assert_allclose(sol.coordinate(motor)[-1], far, rtol=1e-3)
    assert sol.coordinate(motor).max() > far and len(sol.states(motor)) == len(sol)
    linear = m.linearise(at=sol)
    s = np.roots([0.1 * 0.01, 0.1, 1.0, 4.0])  # J p^2 (0.01 p + 1) + p + 4 = 0
    assert_allclose(np.sort_complex(linear.eigenvalues), np.sort_complex(s), rtol=1e-6)


@pytest.mark.parametrize("kind", ["user", "sampled user", "discrete"])
def test_a_continued_run_repeats_itself(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from fmbs.results.recorder import Recorder

    m, body = crank()
    m.add(controller(kind, body, m.ground.at(0, 0)))
    options: dict[str, Any] = {"step": 3e-3, "output_step": 0.02, "progress": False}
    whole = m.simulate(0.3, **options)

    def note_and_die(self: Any, state: Any) -> None:
        if state.t >= 0.16:
            self.checkpoint(state)
            raise KeyboardInterrupt

    monkeypatch.setattr(Recorder, "pause", note_and_die)
    with pytest.raises(fm.Interrupted):
        m.simulate(0.3, checkpoint=tmp_path / "run.h5", **options)
    monkeypatch.undo()
    rest = m.simulate(0.3, checkpoint=tmp_path / "run.h5", **options)
    assert np.array_equal(rest.q, whole.q) and np.array_equal(rest.v, whole.v)


def test_states_go_on_and_are_stored(tmp_path: Path):
    m, body = crank()
    m.add(controller("fraction", body, m.ground.at(0, 0)))
    half = m.simulate(0.5, **PRECISE)
    rest = m.simulate(1.0, start=half, **PRECISE)
    assert_allclose(rest.states("pi")[0], half.states("pi")[-1], atol=1e-12)
    assert_allclose(rest.states("pi")[-1, 0], continuous()[2], atol=1e-8)
    again = fm.load(half.save(tmp_path / "half.h5"))
    assert np.array_equal(again.states("pi"), half.states("pi")) and again.model["pi"].controller == m["pi"].controller


def test_controllers_of_python_control():
    """By what it has: num and den as lists of lists, A to D as matrices, dt."""
    fraction = SimpleNamespace(num=[[np.array([2.0, 10.0])]], den=[[np.array([1.0, 0.0])]], dt=0)
    matrices = SimpleNamespace(A=np.zeros((1, 1)), B=np.ones((1, 1)), C=10.0 * np.ones((1, 1)), D=2.0 * np.ones((1, 1)), dt=0)
    m, body = crank()
    for k, given in enumerate((fraction, matrices)):
        form = m.add(fm.Feedback(m.ground.at(0, 0), body.com, controller=given, name=f"{k}")).form
        assert (form.A.item(), form.B.item() * form.C.item(), form.D, form.dt) == (0.0, 10.0, 2.0, 0.0)


def test_bad_input():
    m, body = crank()
    ground = m.ground.at(0, 0)
    cases = [
        ({"controller": "pid"}, "controller = 'pid' is none; give"),
        ({"controller": ([1.0, 0.0], [1.0])}, "grows with frequency"),
        ({"controller": ([1.0], [1.0, np.nan])}, "has not one finite input and one output"),
        ({"controller": SimpleNamespace(num=[1.0], den=[1.0, 1.0], dt=True)}, "discrete with a period that is not given"),
        ({"controller": ([1.0], [1.0]), "measure": "place"}, "measure = 'place' is unknown"),
        ({"controller": ([1.0], [1.0]), "target": "far"}, "target = 'far' is not a number"),
        ({"controller": ([1.0], [1.0]), "axis": (1, 0, 0)}, "does not fit planar bodies"),
    ]
    for options, words in cases:
        with pytest.raises(fm.ModelError, match=words):
            fm.Feedback(ground, body.com, **options)

    @dataclass(frozen=True, eq=False)
    class Wrong(SpeedPI):
        initial_states = ("x",)

    with pytest.raises(fm.ModelError, match=r"initial_states = \('x',\) are no finite numbers"):
        _ = Wrong(body.com).own_states
    m, body = crank()
    m.add(SampledPI(body.com, name="pi"))
    with pytest.raises(fm.ModelError, match=r"'?pi'? samples every 0.05 s, which this integrator .* does not know"):
        m.simulate(0.1, integrator=fm.BaumgarteODE(), tolerance=1e-6)
    with pytest.raises(fm.ModelError, match="equilibrium: pi has states of its own"):
        m.equilibrium()
    with pytest.raises(fm.ModelError, match="states: 'none' has no states in this solution"):
        m.simulate(0.01, step=1e-3).states("none")
