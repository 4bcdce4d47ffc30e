"""Kernels compiled by a second process."""

from __future__ import annotations

import os
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


@pytest.mark.skipif(not hasattr(os, "fork") or (os.cpu_count() or 1) < 2, reason="one process compiles here")
def test_two_processes_compile_a_set_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    forks = []
    fork = os.fork
    monkeypatch.setattr(os, "fork", lambda: forks.append(1) or fork())
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    for _ in range(2):
        beside = CompilerBeside(addresses)
        beside.join()
    assert len(forks) == 1  # the second time the set is known
    assert [path.name[:4] for path in tmp_path.iterdir() if path.name.startswith("set-")] == ["set-"]
    x = np.array([3.0])
    for address in addresses():
        at(address, x)
    assert x[0] == 36.0


def test_a_plan_without_kernels_needs_nobody(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("nothing to compile"))
    CompilerBeside(lambda: None).join()
