"""Processes that miss a kernel at the same time: one compiles it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fmbs.jit import turns
from fmbs.jit.turns import turn

COMPILE = """
import sys, time
import numpy as np
from tests.jit.test_turns import wait_for
from fmbs.math.vector_kernels import vector_values
from fmbs.jit.assign_kernels import assign_table
from fmbs.jit.compiled import kernel
from fmbs.jit.lanes import load
from fmbs.jit.tables import address
from fmbs.assembly.pattern import scatter
wait_for(sys.argv[1])
scatter(np.zeros(1, np.int32), np.zeros(1), np.zeros(1))
print(sum(scatter.stats.cache_misses.values()), sum(scatter.stats.cache_hits.values()))
"""


def wait_for(path: str) -> None:
    while not os.path.exists(path):
        time.sleep(1e-3)


def test_of_two_processes_one_compiles(tmp_path: Path):
    start = tmp_path / "start"
    environment = os.environ | {
        "FMBS_KERNELS": str(tmp_path / "kernels"),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    command = [sys.executable, "-c", COMPILE, str(start)]
    running = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    start.touch()
    said = sorted(process.communicate(timeout=100)[0].split() for process in running)
    assert said == [["0", "1"], ["1", "0"]]
    assert not list((tmp_path / "kernels").rglob("*.turn"))


def test_a_turn_is_over_when_its_process_dies(tmp_path: Path):
    kernel = tmp_path / "one.kernel"
    imports = "import sys, time; from pathlib import Path; from fmbs.jit.turns import turn"
    text = f"{imports}\nwith turn(Path(sys.argv[1])): time.sleep(60)"
    held = subprocess.Popen([sys.executable, "-c", text, str(kernel)])
    wait_for(str(kernel.with_suffix(".turn")))
    time.sleep(0.1)
    held.kill()
    held.wait()
    begin = time.monotonic()
    with turn(kernel):
        assert time.monotonic() - begin < 5.0


def test_nobody_waits_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(turns, "LONGEST", 0.1)
    entered = []
    with turn(tmp_path / "one.kernel"), turn(tmp_path / "one.kernel"):
        entered.append(1)
    assert entered


def test_where_nothing_can_be_written_there_are_no_turns(tmp_path: Path):
    with turn(tmp_path / "missing" / "one.kernel"):
        assert not (tmp_path / "missing").exists()
