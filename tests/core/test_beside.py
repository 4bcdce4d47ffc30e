"""Kernels compiled by a second process."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numba
import numpy as np
import pytest

from fmbs.math.beside import CompilerBeside
from fmbs.math.calls import address_of, call
from fmbs.math.compiled import plain_kernel


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
