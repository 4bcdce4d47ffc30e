"""Two models have the same fingerprint exactly if they move alike, as far as can be told."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.results.store.description import describe
from fmbs.results.store.fingerprint import fingerprint

T_END = 2.0
SIZE = 3.0


def of(force: Any, t_end: float = T_END) -> str:
    m = fm.Model("pushed")
    ball = m.add(fm.RigidBody("ball", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    m.add(fm.PointForce(ball.com, force))
    return fingerprint(describe(m.system(), "pushed", t_end))


def pulse(at: float, width: float) -> Callable[[float], tuple[float, float, float]]:
    """A load between two samples is in no table."""
    return lambda t: (1.0 if at < t < at + width else 0.0, 0.0, 0.0)


class Table:
    def __init__(self, values: list[float]) -> None:
        self.values = np.array(values)

    def __call__(self, t: float) -> tuple[float, float, float]:
        return float(np.interp(t, [0.0, 1e-9, 2e-9, T_END], self.values)), 0.0, 0.0


def test_functions_that_differ_late_in_the_run_differ() -> None:
    assert of(lambda t: (np.sin(t), 0.0, 0.0)) == of(lambda t: (np.sin(t), 0.0, 0.0))
    assert of(lambda t: (0.0 if t < 1.5 else 1.0, 0.0, 0.0)) != of(lambda t: (0.0 if t < 1.5 else 2.0, 0.0, 0.0))


def test_values_taken_from_outside_count() -> None:
    assert of(pulse(0.5, 1e-9)) == of(pulse(0.5, 1e-9))
    assert of(pulse(0.5, 1e-9)) != of(pulse(0.6, 1e-9))
    assert of(functools.partial(lambda a, t: (a * (1.0 < t < 1.0 + 1e-9), 0, 0), 1.0)) != of(
        functools.partial(lambda a, t: (a * (1.0 < t < 1.0 + 1e-9), 0, 0), 2.0)
    )
    assert of(Table([0, 1, 0, 0])) == of(Table([0, 1, 0, 0])) != of(Table([0, 2, 0, 0]))
    assert of(Table([0, 1, 0, 0]).__call__) != of(Table([0, 2, 0, 0]).__call__)


def test_values_of_the_module_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def force(t: float) -> tuple[float, float, float]:
        return (SIZE if 1.0 < t < 1.0 + 1e-9 else 0.0), 0.0, 0.0

    before = of(force)
    assert before == of(force)
    monkeypatch.setattr(sys.modules[__name__], "SIZE", 4.0)
    assert of(force) != before


def test_two_forces_without_names_both_count() -> None:
    def two(late: float) -> str:
        m = fm.Model("pushed")
        ball = m.add(fm.RigidBody("ball", mass=1.0, inertia=(1.0, 1.0, 1.0)))
        m.add(fm.PointForce(ball.com, pulse(late, 1e-9)))
        m.add(fm.PointForce(ball.com, pulse(0.5, 1e-9)))
        return fingerprint(describe(m.system(), "pushed", T_END))

    assert two(0.3) == two(0.3) != two(0.4)


def test_the_same_in_another_process() -> None:
    """No address and no order of a set is in it."""
    code = """
from dataclasses import dataclass
import numpy as np, fmbs as fm
from fmbs.results.store.description import describe
from fmbs.results.store.fingerprint import fingerprint
class Own:
    def __init__(self): self.known = {"a", "b", "c", "d"}; self.other = object()
    def __call__(self, t): return 1.0, 0.0, 0.0
m = fm.Model("pushed")
ball = m.add(fm.RigidBody("ball", mass=1.0, inertia=(1.0, 1.0, 1.0)))
m.add(fm.PointForce(ball.com, Own()))
@dataclass(frozen=True, eq=False)
class Wind(fm.UserForce):
    at: fm.Marker
    known: object
    def force(self, t, state): return [(1.0, 0.0, 0.0)]
m.add(Wind(ball.com, Own()))
print(fingerprint(describe(m.system(), "pushed", 1.0)))
"""
    env = {"PYTHONPATH": str(Path(fm.__file__).parents[1]), "PATH": ""}
    runs = [[sys.executable, "-c", code] for _ in range(2)]
    found = [subprocess.run(run, capture_output=True, text=True, check=True, env=env).stdout for run in runs]
    assert found[0] == found[1] != ""
