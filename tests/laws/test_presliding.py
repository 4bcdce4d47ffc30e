"""Karnopp, Dahl, reset integrator, bristles, Leuven, Bliman-Sorine: against their state equations integrated apart, and for
what friction must do: dissipate, yield a little before it slides, break away, slide."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import fmbs as fm
from tests.laws.law_cases import friction

MU_S, MU_K, V_S, S_0 = 0.3, 0.2, 0.01, 1e5
FALL = {"static": MU_S, "kinetic": MU_K}
CURVE = {**FALL, "stribeck_speed": V_S}
LAWS = {
    "Karnopp": fm.friction.Karnopp(**FALL, band=1e-4),
    "Dahl": fm.friction.Dahl(MU_K),
    "ResetIntegrator": fm.friction.ResetIntegrator(**FALL),
    "Bristles": fm.friction.Bristles(kinetic=MU_K),
    "Leuven": fm.friction.Leuven(**CURVE),
    "Leuven, n = 2": fm.friction.Leuven(**CURVE, exponent=2.0, count=6),
    "BlimanSorine": fm.friction.BlimanSorine(**FALL),
}
every_law = pytest.mark.parametrize("name", LAWS)
Slip = Callable[[float], float]


def curve(v: float) -> float:
    return MU_K + (MU_S - MU_K) * np.exp(-((v / V_S) ** 2))


def follow(law: fm.friction.FrictionLaw, slip: Callable[[float], np.ndarray], t: np.ndarray) -> np.ndarray:
    """mu along a prescribed slip, step by step  # (steps + 1, 2)."""
    z, states, mu = np.zeros(2), np.zeros(law.further_states), [np.zeros(2)]
    for a, b in itertools.pairwise(t):
        out = friction(law, *slip(b), *slip(a), *z, b - a, states=states)
        z, states = out[6:8].copy(), out[8:].copy()
        mu.append(out[:2].copy())
    return np.array(mu)


def along(slip: Slip) -> Callable[[float], np.ndarray]:
    return lambda t: np.array([slip(t), 0.0])


def shake(t: float) -> float:
    """There and back over ten and more bristles, with speeds across the Stribeck speed."""
    return 0.02 * np.sin(400 * t) + 0.004 * np.sin(930 * t)


END = 0.03


def dahl(t: np.ndarray) -> np.ndarray:
    sol = solve_ivp(lambda t, z: shake(t) - S_0 * abs(shake(t)) / MU_K * z, (0, END), [0.0], t_eval=t, rtol=1e-10, atol=1e-14)
    return S_0 * sol.y[0]


def bliman_sorine(t: np.ndarray) -> np.ndarray:
    """Two first-order models; f_2 from the largest value on the way from rest, found on a fine grid."""
    l_2, l_1 = 1e-5, 1e-6
    x = np.linspace(0, 2e-4, 400001)
    low, high = 0.0, 1.0
    for _ in range(60):
        f = 0.5 * (low + high)
        peak = ((MU_K + f) * (1 - np.exp(-x / l_1)) - f * (1 - np.exp(-x / l_2))).max()
        low, high = (f, high) if peak < MU_S else (low, f)

    def rate(t: float, y: np.ndarray) -> list[float]:
        v = shake(t)
        return [((MU_K + f) * v - abs(v) * y[0]) / l_1, (f * v - abs(v) * y[1]) / l_2]

    sol = solve_ivp(rate, (0, END), [0.0, 0.0], t_eval=t, method="Radau", rtol=1e-9, atol=1e-12)
    return sol.y[0] - sol.y[1]


def leuven(count: int, n: float) -> Callable[[np.ndarray], np.ndarray]:
    """All elements as states of LSODA: f_i' = k_i z' except outward at their limits."""
    k = np.array([1.0 / i for i in range(1, count + 1)])
    k *= S_0 / k.sum()

    def bristle(v: float, force: float) -> float:
        return v - abs(v) * np.sign(force) * (abs(force) / curve(v)) ** n

    def rate(t: float, f: np.ndarray) -> np.ndarray:
        z = bristle(shake(t), f.sum())
        held = (np.abs(f) >= MU_S / count) & (np.sign(f) == np.sign(z))
        return np.where(held, 0.0, k * z)

    def mu(t: np.ndarray) -> np.ndarray:
        f, found = np.zeros(count), [0.0]
        for a, b in itertools.pairwise(t):  # many short steps: the limits are kinks
            for s in np.linspace(a, b, 41)[:-1]:
                d = (b - a) / 40
                f = np.clip(f + d * rate(s + d / 2, f + d / 2 * rate(s, f)), -MU_S / count, MU_S / count)
            v, force = shake(b), f.sum()
            damping = 400 * curve(v) / (curve(v) + 400 * abs(v))
            found.append(force + damping * bristle(v, force))
        return np.array(found)

    return mu


ODES = {"Dahl": dahl, "BlimanSorine": bliman_sorine, "Leuven": leuven(4, 1.0), "Leuven, n = 2": leuven(6, 2.0)}


@pytest.mark.parametrize("name", ODES)
def test_state_equation(name: str) -> None:
    """Second order towards an independent integration."""
    t = np.linspace(0, END, 301)
    exact, errors = ODES[name](t), []
    for steps in (900, 1800):
        fine = np.linspace(0, END, steps + 1)
        mu = follow(LAWS[name], along(shake), fine)[:: steps // 300, 0]
        errors.append(np.sqrt(((mu - exact) ** 2).mean()))
    assert errors[1] < 2e-3 * MU_K
    assert errors[1] < max(0.45 * errors[0], 3e-5)  # which is the error of the reference


def test_reset_integrator_follows_its_state() -> None:
    """z' = v up to x_0, held there; (1 + a) s_0 z while it moves, s_0 z while it is held."""
    t, x_0 = np.linspace(0, END, 6001), MU_K / S_0
    mu, z, expected = follow(LAWS["ResetIntegrator"], along(shake), t)[:, 0], 0.0, [0.0]
    for a, b in itertools.pairwise(t):
        held = abs(z) >= x_0 and z * shake(b) > 0
        z = np.clip(z + 0.5 * (b - a) * (shake(a) + shake(b)), -x_0, x_0)
        expected.append((MU_K if held else MU_S) * z / x_0)
    off = np.abs(mu - expected) > 1e-9
    assert off.mean() < 0.02  # the one step in which it lets go or is turned
    assert mu.max() == pytest.approx(MU_S) and mu[[shake(x) > 0.019 for x in t]].max() == pytest.approx(MU_K)


def test_karnopp_holds_and_lets_go() -> None:
    """Outside the band kinetic friction; inside a spring and a damper up to static friction."""
    t, z, band = np.linspace(0, END, 6001), 0.0, 1e-4
    mu, expected = follow(LAWS["Karnopp"], along(shake), t)[:, 0], [0.0]
    for a, b in itertools.pairwise(t):
        if abs(shake(a)) >= band:
            z, force = 0.0, MU_K * np.sign(shake(b)) * min(abs(shake(b)) / band, 1.0)
        else:
            z = np.clip(z + 0.5 * (b - a) * (shake(a) + shake(b)), -MU_S / S_0, MU_S / S_0)
            force = np.clip(S_0 * z + MU_S / band * shake(b), -MU_S, MU_S)
        expected.append(force)
    assert_allclose(mu, expected, atol=1e-9)


def test_bristles_snap_one_by_one() -> None:
    """Every bond by itself, in many small moves."""
    law = LAWS["Bristles"]
    s, _, count, *rest = law.parameters()
    d, b = np.array(rest[:20]), np.array(rest[20:])
    assert count == 20 and (b < 0.5 * d).all() and s * 0.5 * (b + d).sum() == pytest.approx(MU_K)
    t = np.linspace(0, END, 1501)
    mu, z, expected = follow(law, along(shake), t)[:, 0], np.zeros(20), [0.0]
    for one, two in itertools.pairwise(t):
        move = 0.5 * (two - one) * (shake(one) + shake(two))
        for _ in range(25):
            z = z + move / 25
            z = np.where(np.abs(z) >= d, np.sign(move) * (b + np.abs(z) - d), z)
        expected.append(s * z.sum())
    assert np.sqrt(np.mean((mu - expected) ** 2)) < 0.03 * MU_K  # averaged over the way of a step where bonds snap
    slow = follow(law, along(lambda t: 1e-3), np.linspace(0, 0.05, 2001))[:, 0]
    assert slow[1000:].mean() == pytest.approx(MU_K, rel=0.02)
    assert 1.05 * MU_K < slow.max() < 2 * MU_K  # break-away: all bonds were relaxed at the start


@every_law
def test_friction_dissipates(name: str) -> None:
    """From rest no path gives back more than was put in, and what sliding takes is about kinetic friction times the way."""
    law = LAWS[name]
    rng = np.random.default_rng(11)
    for scale in (3e-4, 3e-3, 3e-2):
        phase, angle = rng.uniform(0, 6, 4), rng.uniform(0, 6)

        def slip(t: float, scale: float = scale, phase: np.ndarray = phase, angle: float = angle) -> np.ndarray:
            x, y = scale * np.sin(500 * t + phase[0]), 0.3 * scale * np.sin(800 * t + phase[1])
            return np.array([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)])

        t = np.linspace(0, 0.05, 2001)
        v = np.array([slip(x) for x in t])
        power = (follow(law, slip, t) * v).sum(axis=1)
        work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])
        way = np.linalg.norm(v, axis=1).mean() * t[-1]
        assert work.min() > -1e-3 * MU_K * 4e-6 and work[-1] >= 0.0
        if scale > 1e-3:
            assert 0.5 * MU_K * way < work[-1] < 1.6 * MU_S * way


@every_law
def test_presliding_is_a_spring(name: str) -> None:
    """A tenth of the deflection of sliding and back: the force is elastic there, and next to nothing is left of it."""
    law, x = LAWS[name], 1e-7
    speed = along(lambda t: 1e-7 if t < 1 else -1e-7)
    mu = follow(law, speed, np.linspace(0, 2, 400))[:, 0]
    top = mu[199]
    expected = {"ResetIntegrator": S_0 * MU_S / MU_K, "BlimanSorine": None}.get(name, S_0)
    damping = {"Karnopp": MU_S / 1e-4, "Leuven": 400.0, "Leuven, n = 2": 400.0}.get(name, 0.0) * 1e-7
    if expected:
        assert top - damping == pytest.approx(expected * x, rel=0.06)
    assert top > 0.5 * S_0 * x and abs(mu[-1] + damping) < 0.12 * top


@every_law
def test_break_away_and_sliding(name: str) -> None:
    """Pulled from rest: static friction first where the law has it, then the sliding one, however long the steps."""
    law = LAWS[name]
    mu = follow(law, along(lambda t: 0.04 * min(t / 0.1, 1.0)), np.linspace(0, 0.2, 4001))[:, 0]
    known = {"Dahl": (MU_K, MU_K), "Bristles": (1.05 * MU_K, 2 * MU_K), "Leuven, n = 2": (MU_S, 1.25 * MU_S)}
    low, high = known.get(name, (0.95 * MU_S, MU_S))
    assert 0.999 * low <= mu.max() <= 1.001 * high
    assert mu[-400:].mean() == pytest.approx(MU_K, rel=0.02 if name == "Bristles" else 1e-6)
    for h in (1e-4, 1e-2, 10.0):
        far = follow(law, along(lambda t: 0.05), np.linspace(0, 40 * h, 41))[-1, 0]
        assert far == pytest.approx(MU_K, rel=0.15 if name == "Bristles" else 1e-6)
    assert_allclose(law.mu([-0.5, 0.0, 0.5]), [-MU_K, 0.0, MU_K], rtol=1e-6)


@every_law
def test_derivatives_and_isotropy(name: str) -> None:
    law, rng = LAWS[name], np.random.default_rng(3)
    turn = np.array([[np.cos(0.7), -np.sin(0.7)], [np.sin(0.7), np.cos(0.7)]])
    for _ in range(40):
        slip, slip_0 = 0.003 * rng.normal(size=(2, 2))
        z, states, h = 3e-7 * rng.normal(size=2), 1e-7 * rng.normal(size=(law.further_states // 2, 2)), 1e-5
        if name.startswith(("Leuven", "BlimanSorine")):
            states *= S_0
        if name == "BlimanSorine":
            z *= S_0
        here = friction(law, *slip, *slip_0, *z, h, states=states.ravel())
        assert np.isfinite(here).all()
        step = 1e-5 * np.linalg.norm(slip)
        ends = [
            friction(law, *(slip + s * e), *slip_0, *z, h, states=states.ravel())[:2] for e in step * np.eye(2) for s in (1, -1)
        ]
        slopes = np.array([ends[0] - ends[1], ends[2] - ends[3]]).T / (2 * step)
        scale = np.abs(here[2:6]).max() + np.linalg.norm(here[:2]) / np.linalg.norm(slip)
        assert_allclose(here[2:6].reshape(2, 2), slopes, rtol=0, atol=1e-4 * scale)
        there = friction(law, *(turn @ slip), *(turn @ slip_0), *(turn @ z), h, states=(states @ turn.T).ravel())
        assert_allclose(there[:2], turn @ here[:2], rtol=1e-9, atol=1e-12)
        assert_allclose(there[8:].reshape(-1, 2), here[8:].reshape(-1, 2) @ turn.T, rtol=1e-7, atol=1e-13)


def test_leuven_with_one_strong_element_is_lugre() -> None:
    """n = 1 and one element that does not slip before g: the same equations."""
    same = {"static": MU_K, "kinetic": MU_K, "stribeck_speed": V_S, "stiffness": S_0, "damping": 300.0}
    t = np.linspace(0, END, 1501)
    one, two = (
        follow(kind, along(shake), t)[:, 0] for kind in (fm.friction.Leuven(**same, count=1), fm.friction.LuGre(**same))
    )
    assert_allclose(one, two, atol=1e-9)
