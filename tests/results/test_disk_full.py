"""A full disk: an error of its own, and everything that was written before is there."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fmbs as fm

ROOT = Path(__file__).parents[2]

LIMITED = """
import resource, signal, sys
sys.path.insert(0, {root!r})
from pathlib import Path
import fmbs as fm
from fmbs.results import run_file
from fmbs.results.store import writer
from tests.results.test_identity import crank
run_file.EVERY = writer.FLUSH_SECONDS = 0.01
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))  # writes beyond fail, as on a full disk
try:
    crank(3000.0).simulate(0.5, step=1e-5, output_step=1e-5, checkpoint=Path({path!r}), progress=False)
except fm.DiskFull as error:
    print("said:", error)
"""


def test_a_run_that_finds_no_room_keeps_what_it_has(tmp_path: Path) -> None:
    """HDF5 itself would crash: the process says what happened and ends by itself."""
    path = tmp_path / "run.h5"
    code = LIMITED.format(root=str(ROOT), size=1_500_000, path=str(path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "cannot be written (File too large)" in done.stdout and "run.h5.partial, which fm.load reads" in done.stdout
    assert "Error" not in done.stderr and "Exception ignored" not in done.stderr
    found = fm.load(path)
    assert 100 < len(found) < 50_001
    assert sorted(file.name for file in tmp_path.iterdir()) == ["run.h5.checkpoint", "run.h5.partial"]
    assert all(file.stat().st_size <= 1_500_000 for file in tmp_path.iterdir())


@pytest.mark.parametrize("size", [1_000, 5_000, 20_000, 300_000, 600_000])
def test_no_room_at_any_place_is_one_line(size: int, tmp_path: Path) -> None:
    """At the lock, the model, the first frames, a checkpoint."""
    code = LIMITED.format(root=str(ROOT), size=size, path=str(tmp_path / "run.h5"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "said:" in done.stdout and "File too large" in done.stdout
    assert not [file.name for file in tmp_path.iterdir() if file.name.endswith((".lock", ".new"))]


@pytest.fixture
def small_disk(tmp_path: Path):
    """3 MB of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)], capture_output=True, check=False)
    if mount.returncode:
        pytest.skip("needs root, to mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=False)


def test_the_command_line_on_a_full_disk(small_disk: Path) -> None:
    """Exit code 5, summary.json, and a command that goes on when there is room."""
    words = ["run", "four_bar", "--step=1e-6", "--output-step=1e-6", "--t-end=0.0101", "--no-files", "--out", str(small_disk)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "fmbs", *words], capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 5, done.stderr
    assert "No space left on device" in done.stderr and "Traceback" not in done.stderr
    found = json.loads((small_disk / "summary.json").read_text())
    partial = fm.load(small_disk / "run.h5")
    assert not found["complete"] and found["t"][1] == partial.t[-1] > 0.0
    assert all(Path(file).exists() for file in found["files"])
    command = shlex.split(done.stderr.partition("go on with  ")[2])
    assert command[:3] == ["fmbs", "run", "four_bar"] and command[-1] == "--resume"
    subprocess.run(["mount", "-o", "remount,size=100m", str(small_disk)], check=True)
    more = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False, env=env)
    assert more.returncode == 0, more.stderr
    whole = fm.load(small_disk / "run.h5")
    assert whole.t[-1] == 0.0101 and not (small_disk / "run.h5.partial").exists()
    np.testing.assert_array_equal(whole.q[: len(partial)], partial.q)


def test_what_is_needed_most_is_written_first(small_disk: Path) -> None:
    """The run ends; the files for ParaView do not fit any more."""
    words = ["run", "four_bar", "--step=1e-5", "--t-end=0.01", "--out", str(small_disk)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "fmbs", *words], capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 5, done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads((small_disk / "summary.json").read_text())["complete"]
    assert fm.load(small_disk / "run.h5").t[-1] == pytest.approx(0.01)
