"""Kernels on the disk: stored by one process, loaded by another; what users compile themselves stays where numba puts it."""

from __future__ import annotations

import os
import random
import resource
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fmbs.jit import kernel_cache
from fmbs.jit.compiled import kernel
from fmbs.jit.kernel_cache import PACKAGE, KernelCache, kernel_folder
from fmbs.jit.slots import LINE

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


HOMES = "FMBS_KERNELS", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"
WHERE = "from fmbs.jit.kernel_cache import kernel_folder; print(kernel_folder().parent)"


@pytest.fixture
def default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody says where kernels are kept."""
    for name in HOMES:
        monkeypatch.delenv(name, raising=False)


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
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path / "kernels"))
    assert [said(tmp_path, "own.py", OWN)[0] for _ in range(2)] == ["6.0 0", "6.0 1"]
    assert list((tmp_path / "__pycache__").glob("own.tripled-*.nbi"))
    assert not (tmp_path / "kernels").exists()


@pytest.mark.usefixtures("default")
@pytest.mark.parametrize(
    ("name", "value", "folder"),
    [
        ("FMBS_KERNELS", "{}/own", "{}/own"),
        ("NUMBA_CACHE_DIR", "{}/numba", "{}/numba"),
        ("XDG_CACHE_HOME", "{}/xdg", "{}/xdg/fmbs"),
        ("HOME", "{}", "{}/.cache/fmbs"),
    ],
)
def test_the_user_says_where_kernels_are_kept(
    name: str, value: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(name, value.format(tmp_path))
    assert said(tmp_path, "where.py", WHERE)[0] == folder.format(tmp_path)


@pytest.mark.usefixtures("default")
def test_nothing_is_left_in_the_package(monkeypatch: pytest.MonkeyPatch):
    """pip uninstall deletes what it has installed: a folder with anything else in it would still be importable."""
    assert PACKAGE not in kernel_folder().parents
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert kernel_folder().parent == Path.home() / ".cache" / "fmbs"


@pytest.mark.usefixtures("default")
def test_without_a_home_kernels_are_compiled_into_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """HOME is no folder, as for users of services; and there is none at all, nor an entry in the list of users."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    assert said(tmp_path, "both.py", BOTH)[0] == "6.0 0"
    monkeypatch.delenv("HOME")
    nobody = "import pwd\ndef unknown(uid): raise KeyError(uid)\npwd.getpwuid = unknown\n"
    text = f"{nobody}{BOTH}\nfrom fmbs.jit import kernel_folder; print(kernel_folder())"
    assert said(tmp_path, "nobody.py", text)[:2] == ["6.0 0", "None"]


def test_folders_are_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Who can write there decides what the owner runs."""
    before = os.umask(0)
    try:
        monkeypatch.setenv("FMBS_KERNELS", str(tmp_path / "new" / "kernels"))
        compiled_anew()
    finally:
        os.umask(before)
    made = [path for path in (tmp_path / "new").rglob("*") if path.is_dir()]
    assert len(made) == 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in [tmp_path / "new", *made]} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in made[-1].rglob("*.kernel")} == {0o600}


def test_damaged_files_are_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Cut off, overwritten, or one bit of them changed: in machine code that would be run as it is."""
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path))
    assert compiled_anew() == 0
    (path,) = tmp_path.rglob("*.kernel")
    sound, chance = path.read_bytes(), random.Random(20)
    damaged = [sound[: chance.randrange(len(sound))] for _ in range(10)] + [b"", b"\0" * len(sound), sound + b"\0", sound[32:]]
    for _ in range(40):
        place = chance.randrange(len(sound))
        damaged.append(sound[:place] + bytes([sound[place] ^ 1 << chance.randrange(8)]) + sound[place + 1 :])
    for content in damaged:
        path.write_bytes(content)
        assert compiled_anew() == 0
        assert compiled_anew() == 1


def test_a_sound_file_of_something_else_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path))
    compiled_anew()
    (path,) = tmp_path.rglob("*.kernel")
    for content in (b"cmodule_that_is_gone\nKernel\n.", b"(I1\nN."):
        path.write_bytes(kernel_cache._checksum(content) + content)
        assert [compiled_anew(), compiled_anew()] == [0, 1]


def test_kernels_belong_to_the_text_that_they_are_made_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Another copy of the package, written at another time, finds them; only a change in what is imported makes them anew."""
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path / "kernels"))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    copies = [tmp_path / name for name in ("first", "second")]
    for copy in copies:
        shutil.copytree(PACKAGE, copy / "fmbs", ignore=shutil.ignore_patterns("__pycache__"))
    told = [said(copy, "ask.py", ASKED)[0] for copy in copies]
    for file in ("gaps/contact_kernels.py", "jit/own_code.py"):
        path = copies[1] / "fmbs" / file
        path.write_text(path.read_text() + "\n# another text\n")
        told.append(said(copies[1], "ask.py", ASKED)[0])
    assert told == ["0", "1", "1", "0"]


ASKED = """
import numpy as np
from fmbs.results.store.checks import add_sums, row_sums

row_sums("q", np.ones((2, 3)))
print(sum(add_sums.stats.cache_hits.values()))
"""


def test_a_full_disk_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        assert [compiled_anew(), compiled_anew()] == [0, 0]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_processes_that_compile_at_once_do_not_mix_up_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """One function for different types: numba's own files would be overwritten by the other process's."""
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path / "kernels"))
    (tmp_path / "both.py").write_text(BOTH)
    for _ in range(2):
        running = [
            subprocess.Popen([sys.executable, "both.py", kind], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
            for kind in ("float64", "int64")
        ]
        told = [process.communicate(timeout=120.0)[0].split() for process in running]
        assert [process.returncode for process in running] == [0] * 2
        assert [answer for answer, _ in told] == ["6.0", "6"]
    assert [hits for _, hits in told] == ["1"] * 2
    assert len(list((tmp_path / "kernels").rglob("*"))) == 2 + 2  # folders and kernels: nothing else is left


BOTH = """
import sys
import numpy as np
from fmbs.jit import kernel

@kernel
def doubled(x):
    return 2 * x[0]

print(doubled(np.full(1, 3, (sys.argv + ['float64'])[1])), sum(doubled.stats.cache_hits.values()))
"""


def compiled_anew() -> int:
    """Have a kernel as in a new process: 1 if it was on the disk, 0 if it was compiled."""
    one._cache = KernelCache(one.py_func)
    one.overloads.clear()
    one._cache_hits.clear()
    one.compile((LINE,))
    out = np.zeros(1)
    one(out)
    assert out[0] == 1.0
    return sum(one.stats.cache_hits.values())


@kernel(plain=True)
def one(out: np.ndarray) -> None:
    out[0] = 1.0


def test_a_function_without_a_file_is_a_kernel_too():
    names: dict = {"kernel": kernel(plain=True), "np": np}
    exec("@kernel\ndef two(out):\n    out[0] = 2.0", names)
    out = np.zeros(1)
    names["two"](out)
    assert out[0] == 2.0
