"""Sweeps: nothing is lost, nothing is run twice, failures have reasons."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.cli import main
from fmbs.studies import grid, latin_hypercube, random, sweep
from tests.conftest import listen
from tests.studies import falling

LAST = "last(position(stone).y)"
SHORT: dict[str, Any] = {"t_end": 0.1, "step": 0.05, "progress": False}


def test_grid_and_samples() -> None:
    values = {"a": [0.0, 1.0], "n": [1, 4], "kind": ["x", "y", "z"]}
    assert len(grid(values)) == 12 and grid(values)[1] == {"a": 0.0, "n": 1, "kind": "y"}
    for draw in (random, latin_hypercube):
        cases = draw(values, 40, seed=3)
        assert cases == draw(values, 40, seed=3) != draw(values, 40, seed=4)
        assert all(0.0 <= case["a"] < 1.0 and case["n"] in (1, 2, 3, 4) and case["kind"] in "xyz" for case in cases)
    strata = sorted(int(case["a"] * 40) for case in latin_hypercube(values, 40))
    assert strata == list(range(40))


def test_broken_cases_and_a_killed_worker_lose_nothing(tmp_path: Path) -> None:
    """100 cases, 5 of them refused, one killed once: 95 results; then again without a run."""
    masses = [7.0, *np.linspace(1.0, 6.0, 94), *(-1.0, -2.0, -3.0, -4.0, -5.0)]
    cases = [{"gravity": 10.0 + i, "mass": mass, "folder": str(tmp_path)} for i, mass in enumerate(masses)]
    found = sweep(falling.breaking, cases, [LAST], folder=tmp_path / "sweep", jobs=2, **SHORT)
    assert (len(found.done), len(found.failed), found.computed) == (95, 5, 100)
    assert 0.0 < found.busy <= 1.0
    assert all(row.status == "failed" and "mass" in row.reason and row.attempts == 1 for row in found.failed)
    assert found.rows[0].attempts == 2
    exact = -0.5 * (10.0 + np.arange(95)) * 0.1**2
    assert found.column(LAST)[:95] == pytest.approx(exact, rel=1e-9) and np.isnan(found.column(LAST)[95:]).all()
    with (tmp_path / "sweep" / "table.csv").open() as file:
        table = list(csv.DictReader(file))
    assert len(table) == 100 and sum(line["status"] == "failed" for line in table) == 5
    columns = found.table()
    assert (
        set(columns) == set(table[0]) and columns[LAST][:95] == pytest.approx(exact, rel=1e-9) and np.isnan(columns[LAST][99])
    )
    again = sweep(falling.breaking, cases, [LAST], folder=tmp_path / "sweep", jobs=2, **SHORT)
    assert again.computed == 0 and again.rows == found.rows and np.isnan(again.busy)
    more = sweep(falling.breaking, [*cases, {**cases[0], "gravity": 1.0}], [LAST], folder=tmp_path / "sweep", jobs=1, **SHORT)
    assert more.computed == 1 and len(more.rows) == 101
    retried = sweep(falling.breaking, cases, [LAST], folder=tmp_path / "sweep", jobs=1, retry_failed=True, **SHORT)
    assert retried.computed == 5 and len(retried.failed) == 5


def test_a_case_that_always_kills_and_one_that_hangs(tmp_path: Path) -> None:
    falling.fall().simulate(0.1, step=0.05)  # compiles where nothing is compiled yet: no worker's time is spent on it
    cases = [{"gravity": 10.0, "mass": mass, "folder": str(tmp_path)} for mass in (8.0, 9.0, 1.0)]
    found = sweep(falling.breaking, cases, [LAST], folder=tmp_path / "s", jobs=2, timeout=8.0, **SHORT)
    assert [row.status for row in found.rows] == ["killed", "killed", "done"]
    assert "SIGKILL" in found.rows[0].reason and found.rows[0].attempts == 2
    assert "timeout" in found.rows[1].reason and found.rows[1].attempts == 1


def test_equal_cases_are_one_and_runs_can_be_kept(tmp_path: Path) -> None:
    found = sweep(falling.fall, [{"mass": 1.0}, {"mass": 1.0}], [LAST], folder=tmp_path, jobs=1, keep_runs=True, **SHORT)
    assert len(found.rows) == 1
    assert fm.load(tmp_path / found.rows[0].folder / "run.h5").t[-1] == pytest.approx(0.1)
    with pytest.raises(fm.ModelError, match="other measures"):
        sweep(falling.fall, [{"mass": 1.0}], ["peak(position(stone).y)"], folder=tmp_path, **SHORT)


def test_local_functions_and_their_errors(tmp_path: Path) -> None:
    """What a notebook has: a function that cannot be pickled, and an error that is nobody's fault but its own."""

    def build(mass: float) -> fm.Model:
        if mass == 2.0:
            raise ZeroDivisionError("mine")
        return falling.fall(mass=mass)

    found = sweep(build, [{"mass": 1.0}, {"mass": 2.0}], [LAST], folder=tmp_path, jobs=2, **SHORT)
    assert [row.status for row in found.rows] == ["done", "failed"]
    assert found.rows[1].reason == "unexpected ZeroDivisionError: mine" and found.rows[1].attempts == 2


SCRIPT = """
import os, sys, threading
from fmbs.studies import sweep
from tests.studies import falling

print("run")
os.fork = None
locked, done = threading.Lock(), threading.Event()
thread = threading.Thread(target=lambda: locked.acquire() and done.wait())
thread.start()
found = sweep(lambda mass: falling.fall(mass=mass), [{"mass": 1.0}, {"mass": -1.0}], ["last(position(stone).y)"],
              folder=sys.argv[1], jobs=2, t_end=0.1, step=0.05, progress=False)
print([row.status for row in found.rows])
done.set()
"""


def test_a_measure_may_be_a_function(tmp_path: Path) -> None:
    """Its column has its name. A folder is not continued when its code has changed, nor where what it gives is no number."""

    def fallen(sol: fm.Solution) -> float:
        y = sol.position(sol.model["stone"].com)[:, 1]
        return float(y[0] - y[-1])

    cases = grid({"mass": [1.0, 2.0]})
    found = sweep(falling.fall, cases, [fallen, LAST], folder=tmp_path / "a", jobs=2, **SHORT)
    np.testing.assert_allclose(found.column("fallen"), -found.column(LAST), rtol=1e-9)
    assert sweep(falling.fall, cases, [fallen, LAST], folder=tmp_path / "a", jobs=2, **SHORT).computed == 0

    def other(sol: fm.Solution) -> float:
        return float(sol.t[-1])

    other.__name__ = "fallen"
    with pytest.raises(fm.ModelError, match="functions"):
        sweep(falling.fall, cases, [other, LAST], folder=tmp_path / "a", jobs=1, **SHORT)

    def words(sol: fm.Solution) -> str:
        return "deep"

    refused = sweep(falling.fall, cases[:1], [words], folder=tmp_path / "b", jobs=1, **SHORT)
    assert "words = 'deep'" in refused.rows[0].reason
    with pytest.raises(fm.ModelError, match="has no name for its column"):
        sweep(falling.fall, cases, [lambda sol: 1.0], folder=tmp_path / "c", **SHORT)
    with pytest.raises(fm.ModelError, match="two have the same name"):
        sweep(falling.fall, cases, [fallen, other], folder=tmp_path / "c", **SHORT)


def test_threads_are_not_forked(tmp_path: Path) -> None:
    """Workers are new processes then, and know the local functions of a script that they do not run again."""
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, str(tmp_path / "script.py"), str(tmp_path / "sweep")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])}
    done = subprocess.run(command, capture_output=True, text=True, timeout=180.0, env=environment, check=False)
    assert done.stdout.splitlines() == ["run", "['done', 'failed']"], done.stderr


@pytest.mark.parametrize("threads", [False, True])
def test_ignored_children_do_no_harm(threads: bool, tmp_path: Path) -> None:
    """A program that ignores SIGCHLD never hears of the end of a worker, one that is killed among them."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    done = threading.Event()
    others = [threading.Thread(target=done.wait)] if threads else []
    for each in others:
        each.start()
    try:
        cases = [{"gravity": 10.0, "mass": mass, "folder": str(tmp_path)} for mass in (7.0, 1.0, 2.0)]
        found = sweep(falling.breaking, cases, [LAST], folder=tmp_path / "s", jobs=2, **SHORT)
    finally:
        done.set()
        signal.signal(signal.SIGCHLD, before)
    assert [row.status for row in found.rows] == ["done"] * 3
    assert found.rows[0].attempts == 2


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["flexible_pendulum", "E=1e9:2e9:0"], "count"),
        (["flexible_pendulum", "E=1e9,x"], "not a number"),
        (["flexible_pendulum", "E=1e9", "E=2e9"], "given twice"),
        (["flexible_pendulum", "="], "parameter=values"),
        (["flexible_pendulum", "E=1e9", "--measure", "peak(force)"], "kind(part)"),
        (["flexible_pendulum", "E=1e9", "--latin", "0"], "count"),
        (["flexible_pendulum", "E=1e9", "--jobs", "0"], "jobs"),
        (["flexible_pendulum", "E=1e9,2e9", "--random", "3", "--seed", "-1"], "seed"),
    ],
)
def test_wrong_words(words: list[str], answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", *words, "--out", str(tmp_path)]) == 2
    assert answer in capsys.readouterr().err


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sweep", f"{falling.__file__}:fall", "gravity=1:3:3", "mass=1,-1", "step=0.01", "--t-end", "0.05", "-j", "2"]
    assert main([*words, "--measure", LAST, "--out", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "3 of 6 cases done, 3 failed" in told and "mass = -1" in told
    assert main([*words, "--measure", LAST, "--out", str(tmp_path)]) == 0
    assert "0 run now" in capsys.readouterr().out


def test_section_draws_the_diagram(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "sweep",
        "slider_crank_planar",
        "rpm=1000,2000",
        "steps_per_turn=40",
        "--turns",
        "2",
        "--section",
        "velocity(slider).x",
    ]
    assert main([*words, "-j", "1", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "bifurcation.png").stat().st_size > 1000 and "2 of 2 cases done" in capsys.readouterr().out


def test_interrupted_sweep_goes_on(tmp_path: Path) -> None:
    """Ctrl-C after some cases; the second call runs the rest only."""
    script = (
        "import sys, time\nfrom fmbs.studies import sweep\nfrom tests.studies.falling import fall\n"
        "def slow(mass):\n    time.sleep(0.2)\n    return fall(mass=mass)\n"
        f"found = sweep(slow, [{{'mass': 1.0 + i}} for i in range(12)], [{LAST!r}], folder=sys.argv[1], jobs=2, "
        "t_end=0.1, step=0.05)\n"
        "print(found.computed, len(found.done))\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=listen)  # noqa: PLW1509
    deadline = time.monotonic() + 240
    while len(list(tmp_path.glob("cases/*/case.json"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    process.communicate()
    kept = len(list(tmp_path.glob("cases/*/case.json")))
    assert 3 <= kept < 12 and (tmp_path / "table.csv").exists()
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert again.stdout.split() == [str(12 - kept), "12"]
