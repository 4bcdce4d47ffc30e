"""What is done to runs and their files, and what must come of it: kills, two runs in one place, garbled files.

Every case is one draw of random numbers. Runs are forked from a process that has the kernels already, so that a kill hits the
run and not its imports; they flush and note checkpoints every few hundredths of a second, so that it often hits a write.
"""

from __future__ import annotations

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

import h5py
import numpy as np

import fmbs as fm
from fmbs.results import run_file
from fmbs.results.store import writer

OFTEN = 0.03  # s between flushes, and between checkpoints
FORK: Any = multiprocessing.get_context("fork")
STEEL = fm.Material(E=2.1e9, nu=0.3, density=7850.0)


@dataclass(frozen=True)
class Outcome:
    """What a case did, in which kind, and what went wrong if anything did; counts: whatever is worth adding up."""

    kind: str
    wrong: str = ""
    counts: tuple[tuple[str, int], ...] = ()


def swing() -> fm.Model:
    """A double pendulum."""
    m = fm.Model("swing", gravity=(0.0, -9.81))
    one = m.add(fm.PlanarBody("one", mass=1.0, inertia=0.1, com=(0.5, 0.0)))
    two = m.add(fm.PlanarBody("two", mass=1.0, inertia=0.1, com=(1.5, 0.0)))
    m.add(fm.Revolute(m.ground.at(0, 0), one.at(0, 0)))
    m.add(fm.Revolute(one.at(1, 0), two.at(1, 0)))
    m.add(fm.PointForce(two.at(1, 0), lambda t: (np.sin(20.0 * t), 0.0), name="push"))
    return m


def rattle() -> fm.Model:
    """A disc in a hole: impacts, friction with memory."""
    m = fm.Model("rattle", gravity=(0.0, -9.81))
    disc = m.add(fm.PlanarBody("disc", mass=1.0, inertia=2e-4, com=(1e-4, 0.0), velocity=(0.02, 0.0), spin=5.0))
    contact = fm.contact.LankaraniNikravesh(restitution=0.8, stiffness=1e8)
    friction = fm.friction.LuGre(static=0.2, kinetic=0.15, stribeck_speed=1e-2)
    hole = {"bearing_radius": 0.02, "clearance": 1e-3, "contact": contact, "friction": friction}
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), disc.com, name="hole", **hole))
    return m


def flexible() -> fm.Model:
    """A crank with a flexible rod."""
    m = fm.Model("flexible", gravity=(0.0, -9.81))
    crank = m.add(fm.PlanarBody("crank", mass=0.3, inertia=1e-4, com=(0.05, 0.0)))
    section = fm.Rectangle(0.01, 0.02)
    rod = m.add(fm.PlanarBeam("rod", start=(0.1, 0), end=(0.4, 0), section=section, material=STEEL, elements=3))
    m.add(fm.Revolute(m.ground.at(0, 0), crank.at(0, 0)))
    m.add(fm.Revolute(crank.at(0.1, 0), rod.start))
    m.add(fm.PointOnLine(m.ground.at(0, 0), rod.end, axis=(1, 0)))
    return m


def oiled() -> fm.Model:
    """A shaft in an oil film."""
    m = fm.Model("oiled", gravity=(0.0, -9.81))
    shaft = m.add(fm.PlanarBody("shaft", mass=1.0, inertia=1e-3, com=(2e-5, 0.0), spin=100.0))
    film = fm.film.ShortBearing(viscosity=0.1)
    place = {"bearing_radius": 0.02, "clearance": 1e-4, "length": 0.02}
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), shaft.com, film=film, name="bearing", **place))
    return m


def spatial() -> fm.Model:
    """A cable and a ball in space."""
    m = fm.Model("spatial", gravity=(0.0, 0.0, -9.81))
    rope = m.add(fm.Cable("rope", start=(0, 0, 0), end=(0.4, 0, 0), section=fm.Circle(0.004), material=STEEL, elements=3))
    ball = m.add(fm.RigidBody("ball", mass=0.2, inertia=(1e-4, 2e-4, 2.5e-4), com=(0.5, 0, 0), spin=(0, 0, 3.0)))
    m.add(fm.Spherical(m.ground.at(0, 0, 0), rope.start, name="hook"))
    m.add(fm.Spherical(rope.end, ball.at(0.4, 0, 0), name="knot"))
    return m


@dataclass(frozen=True)
class Job:
    """A run: `frames` of them, about a second of it."""

    build: Callable[[], fm.Model]
    t_end: float
    settings: tuple[tuple[str, Any], ...]
    frames: int = 400

    def run(self, path: Path | None, **changed: Any) -> fm.Solution:
        options = {"output_step": self.t_end / self.frames, **dict(self.settings), **changed}
        return self.build().simulate(self.t_end, checkpoint=path, progress=False, energy_tolerance=None, **options)


def _ode(kind: type, method: str) -> tuple[tuple[str, Any], ...]:
    return (("integrator", kind(method=method, rtol=1e-6, atol=1e-8)),)


JOBS = {
    "rigid, fixed step": Job(swing, 2.0, (("step", 1e-4),)),
    "rigid, error control": Job(swing, 2.0, (("tolerance", 1e-6),)),
    "contact, fixed step": Job(rattle, 0.4, (("step", 2e-5),)),
    "contact, error control": Job(rattle, 0.4, (("tolerance", 1e-5),)),
    "flexible, fixed step": Job(flexible, 0.2, (("step", 2e-5),)),
    "flexible, error control": Job(flexible, 0.1, (("tolerance", 1e-4),)),
    "film, fixed step": Job(oiled, 0.2, (("step", 1e-5),)),
    "spatial, fixed step": Job(spatial, 0.1, (("step", 2e-5),)),
    "rigid, numerical tangent": Job(swing, 0.5, (("step", 1e-3), ("tangent", "numerical"))),
    "rigid, scipy solver": Job(swing, 0.5, (("step", 5e-4), ("linear_solver", "scipy"))),
    "Baumgarte, BDF": Job(swing, 1.0, _ode(fm.BaumgarteODE, "BDF")),
    "Baumgarte, RK45": Job(swing, 1.0, _ode(fm.BaumgarteODE, "RK45")),
    "Baumgarte, LSODA": Job(swing, 1.0, _ode(fm.BaumgarteODE, "LSODA")),
    "Baumgarte in contact, BDF": Job(rattle, 0.03, _ode(fm.BaumgarteODE, "BDF")),
    "augmented Lagrangian, Radau": Job(swing, 0.2, _ode(fm.AugmentedLagrangian, "Radau")),
    "augmented Lagrangian, RK23": Job(swing, 0.1, _ode(fm.AugmentedLagrangian, "RK23")),
    "partitioning, BDF": Job(swing, 0.5, _ode(fm.CoordinatePartitioning, "BDF")),
    "partitioning, DOP853": Job(swing, 1.0, _ode(fm.CoordinatePartitioning, "DOP853")),
}
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
        if said.value:
            return Outcome(name, f"going on was refused after {kills} kills")
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
    table = json.loads((folder / "cases" / "0001" / "case.json").read_text())
    rows = [json.loads(case.read_text()) for case in sorted(folder.glob("cases/*/case.json"))]
    heights = sorted(row["parameters"]["height"] for row in rows)
    wanted = sorted(case["height"] for k in range(2) if codes[k] == 0 for case in cases[k])
    off = [row for row in rows if abs(row["values"]["last(position(ball).y)"] - row["parameters"]["height"]) > 0.01]
    shutil.rmtree(folder)
    wrong = (
        ""
        if heights == wanted and not off and table
        else f"{len(heights)} of {len(wanted)} results, {len(off)} of another case"
    )
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


def garble(data: bytes, rng: np.random.Generator) -> bytes:
    """Flip bytes, cut, zero a block, exchange blocks."""
    found = bytearray(data)
    what = int(rng.integers(5))
    at, size = int(rng.integers(len(data))), int(rng.choice([1, 8, 64, 512, 4096]))
    if what == 0:
        for place in rng.integers(len(data), size=int(rng.integers(1, 10))):
            found[place] ^= int(rng.integers(1, 256))
    elif what == 1:
        return data[:at]
    elif what == 2:
        found[at : at + size] = bytes(len(found[at : at + size]))
    elif what == 3:
        other = int(rng.integers(len(data)))
        block = data[other : other + size]
        found[at : at + len(block)] = block[: len(found) - at]
    else:
        found[at : at + size] = rng.integers(256, size=len(found[at : at + size]), dtype=np.uint8).tobytes()
    return bytes(found)


def edit(path: Path, rng: np.random.Generator) -> None:
    """Change the file by HDF5's own means, so that its own checks are right."""
    with h5py.File(path, "r+") as file:
        names: list[str] = []
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) and item.size else None)
        item = file[names[int(rng.integers(len(names)))]]
        what = int(rng.integers(4))
        if what == 0 and item.attrs:
            key = str(rng.choice(list(item.attrs)))
            item.attrs[key] = "0" if isinstance(item.attrs[key], str) else item.attrs[key] + 1
        elif what == 1 and file.attrs:
            key = str(rng.choice(list(file.attrs)))
            value = file.attrs[key]
            file.attrs[key] = value + "x" if isinstance(value, str) else not value if value.dtype == bool else value + 1
        elif what == 2 and item.chunks:
            item.resize(int(rng.choice([0, 1, len(item) - 1, len(item) + 1, 10**9])), axis=0)
        elif item.dtype.kind == "S":
            text = item[()].replace(b"1", b"2", 1).replace(b'"elements": 3', b'"elements": 9')
            item[()] = np.array(text, item.dtype)
        else:
            values = item[()]
            place = tuple(int(rng.integers(n)) for n in values.shape)
            change = (
                values[place] + values.dtype.type(1) if values.dtype.kind in "iu" else values[place] * (1.0 + 1e-15) + 1e-300
            )
            item[place] = change


GARBLED = "contact, fixed step"


@cache
def material() -> dict[str, bytes]:
    """Files to garble: of a run that ended, and of one that was killed after a checkpoint."""
    import tempfile

    from fmbs.results.recorder import Recorder

    def run_and_die() -> None:
        pause, step = Recorder.pause, 0

        def pause_and_die(self: Recorder, state: Any, pace: Any) -> None:
            nonlocal step
            step += 1
            if step == 100:
                self.checkpoint(state, pace)
            if step == 150:
                self.frames.flush()
                os.kill(os.getpid(), signal.SIGKILL)
            pause(self, state, pace)

        Recorder.pause = pause_and_die  # type: ignore[method-assign]
        garbled_run(path)

    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "run.h5"
        garbled_run(path)
        found = {"run.h5": path.read_bytes()}
        path.unlink()
        process, _, _ = started(run_and_die)
        process.join()
        return found | {each: (Path(name) / each).read_bytes() for each in ("run.h5.partial", "run.h5.checkpoint")}


def garbled_run(path: Path | None) -> fm.Solution:
    """Short: every garbled checkpoint is tried."""
    return rattle().simulate(0.02, step=1e-4, output_step=1e-4, checkpoint=path, progress=False, energy_tolerance=None)


@cache
def garbled_whole() -> fm.Solution:
    return garbled_run(None)


def garbled_case(seed: int, folder: Path) -> Outcome:
    """Garble one file of a run, load it or go on from it: refused by fmbs, or the same numbers. None takes long."""
    rng = np.random.default_rng(seed)
    name = ("run.h5", "run.h5.partial", "run.h5.checkpoint")[seed % 3]
    edited = seed % 5 == 0 and name != "run.h5.partial"  # which HDF5 cannot open for writing
    kind, files = f"{name}, {'edited' if edited else 'garbled'}", material()
    folder.mkdir()
    for each in ("run.h5.partial", "run.h5.checkpoint") if name == "run.h5.checkpoint" else (name,):
        (folder / each).write_bytes(files[each])
    if edited:
        edit(folder / name, rng)
    else:
        (folder / name).write_bytes(garble(files[name], rng))
    begin = time.monotonic()
    try:
        found = garbled_run(folder / "run.h5") if name == "run.h5.checkpoint" else fm.load(folder / name)
        full = garbled_whole()
        there = full.q[: len(found)] if name == "run.h5.partial" else full.q
        intact = _loaded(name)
        same = np.array_equal(found.q, there) and (intact is None or not difference(found, intact))
        result, wrong = "equal", "" if same else "other numbers"
    except fm.FileError as error:
        result, wrong = "refused", "" if str(folder) in str(error) else f"does not name the file: {error}"
    except Exception as error:
        result, wrong = "raw", f"{type(error).__name__}: {error}"
    if time.monotonic() - begin > 20.0:
        wrong = wrong or f"took {time.monotonic() - begin:.0f} s"
    shutil.rmtree(folder)
    return Outcome(kind, wrong, ((result, 1),))


@cache
def _loaded(name: str) -> fm.Solution | None:
    """The file as it was."""
    import tempfile

    if name == "run.h5.checkpoint":
        return garbled_whole()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(material()[name])
        return fm.load(path)
