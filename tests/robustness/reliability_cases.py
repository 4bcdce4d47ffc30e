"""What is done to runs, and what must come of it: kills, two runs in one place.

Every case is one draw of random numbers. Runs are forked from a process that has the kernels already, so that a kill hits the
run and not its imports; they flush and note checkpoints every few hundredths of a second, so that it often hits a write.
"""

from __future__ import annotations

import faulthandler
import json
import multiprocessing
import os
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import fmbs as fm
from fmbs.results import run_file
from fmbs.results.store import writer
from tests.robustness.reliability_models import JOBS

OFTEN = 0.03  # s between flushes, and between checkpoints
FORK: Any = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Outcome:
    """What a case did, in which kind, and what went wrong if anything did; counts: whatever is worth adding up."""

    kind: str
    wrong: str = ""
    counts: tuple[tuple[str, int], ...] = ()


ARRAYS = ("t", "q", "v", "a", "lam", "history", "step_times")


@cache
def whole(name: str) -> tuple[fm.Solution, float]:
    """A run without interruption, and how long it takes, s: the second one, when its kernels are there."""
    JOBS[name].run(None)
    begin = time.monotonic()
    return JOBS[name].run(None), time.monotonic() - begin


def difference(one: fm.Solution, other: fm.Solution) -> str:
    """What is not the same to the last bit."""
    for name in ARRAYS:
        if not np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True):
            return name
    for field in fields(one.energy):
        if not np.array_equal(getattr(one.energy, field.name), getattr(other.energy, field.name), equal_nan=True):
            return field.name
    impacts = ([(i.t, i.t_end, i.lost) for i in each.impacts] for each in (one, other))
    return "" if np.array_equal(*(np.array(rows, dtype=float) for rows in impacts), equal_nan=True) else "impacts"


def _busy(work: Callable[[], Any], flushed: Any, said: Any) -> None:
    """In a process of its own: write often, tell what is on the disk."""
    faulthandler.enable()
    writer.FLUSH_SECONDS = run_file.EVERY = OFTEN
    run_file.SHARE = 0.0
    flush = writer.RunWriter.flush

    def flush_and_tell(self: writer.RunWriter) -> None:
        flush(self)
        flushed.value = max(flushed.value, self._counts.get("frames/t", 0))

    writer.RunWriter.flush = flush_and_tell  # type: ignore[method-assign]
    try:
        work()
    except fm.FileInUse:
        said.value = 4
    except fm.FileError as error:
        print(error, flush=True)
        said.value = 3


def started(work: Callable[[], Any]) -> tuple[Any, Any, Any]:
    """Process, frames that it has put on the disk, what it ended with."""
    flushed, said = FORK.Value("q", 0), FORK.Value("q", 0)
    process = FORK.Process(target=_busy, args=(work, flushed, said))
    process.start()
    return process, flushed, said


def kill_case(seed: int, folder: Path) -> Outcome:
    """Kill a run at random, look at what is there, go on, perhaps be killed again; at last compare with a run left alone."""
    rng = np.random.default_rng(seed)
    name = [*JOBS][seed % len(JOBS)]
    job, (solution, wall) = JOBS[name], whole(name)
    folder.mkdir()
    path, kills, seen = folder / "run.h5", 0, 0
    for _ in range(1 + int(rng.integers(3))):
        process, flushed, said = started(lambda: job.run(path))
        process.join(rng.uniform(0.0, 1.3) * wall)
        if process.is_alive():
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.join()
        if said.value or process.exitcode not in (0, -signal.SIGKILL):
            return Outcome(name, f"ended with {process.exitcode}, {said.value} after {kills} kills")
        seen = max(seen, flushed.value)  # what was there before a run was continued stays until it is computed again
        if seen:
            there = fm.load(path)
            if len(there) < seen:
                return Outcome(name, f"{len(there)} frames of {seen} that were flushed")
            if not np.array_equal(there.q, solution.q[: len(there)]):
                return Outcome(name, "frames after a kill differ")
    process, _, said = started(lambda: job.run(path))
    process.join()
    if process.exitcode or said.value:
        return Outcome(name, f"the last run ended with {process.exitcode}, {said.value}")
    wrong = difference(fm.load(path), solution)
    left = sorted(file.name for file in folder.iterdir())
    shutil.rmtree(folder)
    if left != ["run.h5"]:
        return Outcome(name, f"files left: {left}")
    return Outcome(name, f"{wrong} differ" if wrong else "", (("kills", kills),))


def pair_case(seed: int, folder: Path) -> Outcome:
    """Two runs with other settings in one file at once, perhaps one of them killed: the file is that of one of them."""
    rng = np.random.default_rng(seed)
    job, folder_path = JOBS["contact, fixed step"], folder / "run.h5"
    folder.mkdir()
    wanted = [_pair_result(k) for k in range(2)]
    wall = whole("contact, fixed step")[1]
    runs = []
    for k in range(2):
        runs.append(started(lambda k=k: job.run(folder_path, **PAIR[k])))  # type: ignore[misc]
        time.sleep(rng.choice([0.0, 0.01, 0.3, 1.5]) * wall * rng.uniform(0.5, 1.0))
    if rng.random() < 0.3 and runs[0][0].is_alive():
        os.kill(runs[0][0].pid, signal.SIGKILL)
    for process, _, _ in runs:
        process.join()
    kind = "two runs in one file"
    if any(process.exitcode not in (0, -signal.SIGKILL) for process, _, _ in runs):
        return Outcome(kind, f"ended with {[process.exitcode for process, _, _ in runs]}")
    # 4: the other one writes; 3: it was killed, and its checkpoint has other settings
    codes = [said.value if process.exitcode == 0 else -1 for process, _, said in runs]
    refused = (("refused", codes.count(4) + codes.count(3)), ("killed", codes.count(-1)))
    if 0 not in codes:
        shutil.rmtree(folder)
        return Outcome(kind, "" if -1 in codes else "nobody finished", refused)
    found = fm.load(folder_path)
    same = [k for k in range(2) if codes[k] == 0 and not difference(found, wanted[k])]
    left = {file.name for file in folder.iterdir()} - {"run.h5"}
    shutil.rmtree(folder)
    if left and -1 not in codes:
        return Outcome(kind, f"files left: {sorted(left)}")
    return Outcome(kind, "" if same else f"the file is that of none of those that finished: {codes}", refused)


PAIR = ({"step": 2e-5}, {"step": 1.6e-5})


@cache
def _pair_result(k: int) -> fm.Solution:
    return JOBS["contact, fixed step"].run(None, **PAIR[k])


def falling(height: float) -> fm.Solution:
    """A case of a sweep."""
    time.sleep(0.01)
    m = fm.Model("falling", gravity=(0.0, -9.81))
    ball = m.add(fm.PlanarBody("ball", mass=1.0, inertia=1.0, com=(0.0, height)))
    m.add(fm.SpringDamper(m.ground.at(0, 0), ball.com, stiffness=10.0, length=height, name="spring"))
    return m.simulate(0.01, step=1e-3, progress=False)


def sweep_pair_case(seed: int, folder: Path) -> Outcome:
    """Two sweeps in one folder at once; then one more, which finds what is done. No result is lost or of another case."""
    rng = np.random.default_rng(seed)
    cases = [fm.studies.grid({"height": list(np.arange(1.0 + 20 * k, 21.0 + 20 * k))}) for k in range(2)]

    def sweep(k: int) -> None:
        options = {"folder": folder, "jobs": 2, "progress": False}
        fm.studies.sweep(falling, cases[k], ["last(position(ball).y)"], **options)

    runs = []
    for k in range(2):
        runs.append(_free(lambda k=k: sweep(k)))  # type: ignore[misc]
        time.sleep(rng.choice([0.0, 0.05, 0.3]))
    for process, _ in runs:
        process.join()
    codes = [said.value if process.exitcode == 0 else -1 for process, said in runs]
    rows = [json.loads(case.read_text()) for case in sorted(folder.glob("cases/*/case.json"))]
    heights = sorted(row["parameters"]["height"] for row in rows)
    wanted = sorted(case["height"] for k in range(2) if codes[k] == 0 for case in cases[k])
    off = [row for row in rows if abs(row["values"]["last(position(ball).y)"] - row["parameters"]["height"]) > 0.01]
    shutil.rmtree(folder)
    wrong = f"{len(heights)} of {len(wanted)} results, {len(off)} of another case" if heights != wanted or off else ""
    return Outcome("two sweeps in one folder", wrong, (("refused", codes.count(4)),))


def _free(work: Callable[[], Any]) -> tuple[Any, Any]:
    """Like `started`, but it may have processes of its own."""
    said = FORK.Value("q", 0)
    process = FORK.Process(target=_quiet, args=(work, said), daemon=False)
    process.start()
    return process, said


def _quiet(work: Callable[[], Any], said: Any) -> None:
    try:
        work()
    except fm.FileInUse:
        said.value = 4
