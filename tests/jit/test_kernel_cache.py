"""Kernels on the disk: stored by one process, loaded by another; what users compile themselves stays where numba puts it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fmbs.jit.compiled import kernel
from fmbs.jit.kernel_cache import kernel_folder

OWN = """
import sys
import fmbs
import numba

@numba.njit(cache=True)
def tripled(x):
    return 3.0 * x

print(tripled(2.0), sum(tripled.stats.cache_hits.values()))
"""
ROUND_TRIP = """
import numpy as np
from fmbs.jit.calls import call
from fmbs.jit.slots import LINE, TABLE, Slot
from fmbs.jit.compiled import kernel
from fmbs.jit.tables import address, table

PUSH = Slot("push", TABLE, LINE)

@table
class Weights:
    w: np.ndarray
    factor: float

@kernel(plain=True, part=True)
def times(a: float, b: float) -> float:
    return a * b

@kernel(plain=True)
def weigh(weights: Weights, out: np.ndarray) -> None:
    for i in range(out.size):
        out[i] += times(weights.factor, weights.w[i])

@kernel(plain=True)
def through(place: int, weights: int, out: np.ndarray) -> None:
    call(PUSH, place, weights, out)

@kernel
def solved(a: np.ndarray) -> np.ndarray:
    x = np.linalg.solve(a, np.ones(a.shape[0]))
    if not x.size:
        raise ValueError("nothing to solve")
    return np.sort(x)

weights, out = Weights(np.arange(3.0) / 7.0, 0.3), np.ones(3)
through(PUSH.address(weigh, weights), address(weights), out)
try:
    solved(np.eye(0))
except ValueError as error:
    told = str(error)
out = np.append(out, solved(np.array([[2.0, 1.0], [1.0, 3.0]])))
print(out.tobytes().hex(), told)
print(sum(sum(made.stats.cache_hits.values()) for made in (weigh, through, solved)))
"""


def said(folder: Path, name: str, text: str) -> list[str]:
    """What a new process prints that runs a file."""
    if not (folder / name).exists():  # older versions of numba compare the time of writing
        (folder / name).write_text(text)
    done = subprocess.run([sys.executable, name], capture_output=True, text=True, check=True, cwd=folder)
    return done.stdout.split("\n")


def test_a_round_trip_gives_the_same_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The guard on numba's internals: reference counts, tables, calls by address, LAPACK and errors come back from the disk.

    `make smoke` runs it with the oldest and the newest numba that pyproject.toml allows.
    """
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path / "kernels"))
    first, hits, _ = said(tmp_path, "trip.py", ROUND_TRIP)
    again, later, _ = said(tmp_path, "trip.py", ROUND_TRIP)
    assert first.endswith("nothing to solve")
    assert (again, hits, later) == (first, "0", "3")


def test_users_functions_stay_where_numba_puts_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    before = set(kernel_folder().glob("*"))
    assert [said(tmp_path, "own.py", OWN)[0] for _ in range(2)] == ["6.0 0", "6.0 1"]
    assert list((tmp_path / "__pycache__").glob("own.tripled-*.nbi"))
    assert set(kernel_folder().glob("*")) == before


def test_numbas_own_folder_is_used_where_the_user_gives_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("FMBS_KERNELS", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    text = "from fmbs.jit.kernel_cache import kernel_folder; print(kernel_folder().parent)"
    assert said(tmp_path, "where.py", text)[0] == str(tmp_path)


def test_a_folder_that_cannot_be_written_to_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path / "file" / "folder"))
    out = np.zeros(1)
    one(out)
    assert out[0] == 1.0


@kernel(plain=True)
def one(out: np.ndarray) -> None:
    out[0] = 1.0


def test_a_function_without_a_file_is_a_kernel_too():
    names: dict = {"kernel": kernel(plain=True), "np": np}
    exec("@kernel\ndef two(out):\n    out[0] = 2.0", names)
    out = np.zeros(1)
    names["two"](out)
    assert out[0] == 2.0
