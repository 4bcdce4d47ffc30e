"""Kernels compiled by a second process."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numba
import numpy as np
import pytest

import fmbs as fm
from fmbs.jit.beside import CompilerBeside
from fmbs.jit.calls import address_of, call, collected
from fmbs.jit.compiled import plain_kernel
from fmbs.solvers._stretch_connect import ask_for_core
from fmbs.solvers.linear import linear_solver


@plain_kernel
def doubled(x: np.ndarray) -> None:
    x[0] *= 2.0


@plain_kernel
def squared(x: np.ndarray) -> None:
    x[0] *= x[0]


@plain_kernel
def at(address: int, x: np.ndarray) -> None:
    call(address, x)


def addresses() -> list[int]:
    return [address_of(kernel, np.zeros(1)) for kernel in (doubled, squared)]


def test_two_processes_compile_a_set_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    forks = []
    fork = os.fork
    monkeypatch.setattr(os, "fork", lambda: forks.append(1) or fork())
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(threading, "active_count", lambda: 1)  # those of the test runner do not count
    for _ in range(2):
        with CompilerBeside(addresses):
            pass
    assert len(forks) == 1  # the second time the set is known
    assert [path.name[:4] for path in tmp_path.iterdir() if path.name.startswith("set-")] == ["set-"]
    x = np.array([3.0])
    for address in addresses():
        at(address, x)
    assert x[0] == 36.0


def test_a_plan_without_kernels_needs_nobody(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("nothing to compile"))
    with CompilerBeside(lambda: None):
        pass


def test_after_an_error_the_second_process_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    beside = CompilerBeside(addresses)
    with pytest.raises(ValueError, match="no start"), beside:
        raise ValueError("no start")
    with pytest.raises(ChildProcessError):
        os.waitpid(beside._child, os.WNOHANG)
    assert not list(tmp_path.glob("set-*"))


def test_a_process_with_threads_is_not_forked(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a thread may hold a lock"))
    monkeypatch.setattr(threading, "active_count", lambda: 3)
    with CompilerBeside(addresses):
        pass


def test_jobs_of_another_are_left_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    with CompilerBeside(lambda: address_of(doubled, np.zeros(1))) as first, CompilerBeside(addresses, first) as second:
        assert [function.__name__ for function, _ in second.jobs] == ["squared"]


@pytest.mark.parametrize("paced", [False, True])
def test_core_of_the_driver_is_known_before_any_model(paced: bool):
    """Kernels that are compiled while a model is assembled are those that its driver asks for afterwards."""
    m, options = fm.Model("bounce", gravity=(0.0, -9.81)), {"tolerance": 1e-3} if paced else {"step": 1e-4}
    ball = m.add(fm.PlanarBody("ball", mass=1.0, inertia=1.0, com=(0.0, 0.0)))
    contact = fm.contact.Hertz(stiffness=1e9)
    m.add(fm.ClearanceRevolute(m.ground.at(0.0, 0.0), ball.com, bearing_radius=0.02, clearance=1e-3, contact=contact))
    system = m.system()
    core = collected(lambda: ask_for_core(contacts=True, paced=paced))
    asked = collected(
        lambda: fm.GeneralizedAlpha().start(
            system, linear_solver("auto", 3), "exact", *map(options.get, ("step", "tolerance")), 1
        )
    )
    assert len(core) > 12
    assert set(core) <= set(asked)
    assert {function.__name__ for function, _ in set(asked) - set(core)} == {"factorize", "solve"}
