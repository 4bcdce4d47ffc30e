"""Runs that are stored while they go, killed, and continued."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import fmbs as fm
from fmbs.core.state import State

SETTINGS = {"fixed": {"step": 2e-4}, "error-controlled": {"tolerance": 1e-4}, "compiled": {"step": 2e-4}}


def rattle() -> fm.Model:
    """A disc that bounces in a hole: contacts, bristles and impacts are part of what is continued."""
    m = fm.Model("rattle", gravity=(0.0, -9.81))
    disc = m.add(fm.PlanarBody("disc", mass=1.0, inertia=2e-4, com=(1e-4, 0.0), velocity=(0.02, 0.0), spin=5.0))
    contact = fm.contact.LankaraniNikravesh(restitution=0.8, stiffness=1e8)
    friction = fm.friction.LuGre(static=0.2, kinetic=0.15, stribeck_speed=1e-2)
    hole = {"bearing_radius": 0.02, "clearance": 1e-3, "contact": contact, "friction": friction}
    m.add(fm.ClearanceRevolute(m.ground.at(0, 0), disc.com, name="hole", **hole))
    return m


def swing() -> fm.Model:
    """A double pendulum: its fixed steps are taken by the compiled driver."""
    m = fm.Model("swing", gravity=(0.0, -9.81))
    one = m.add(fm.PlanarBody("one", mass=1.0, inertia=0.1, com=(0.5, 0.0)))
    two = m.add(fm.PlanarBody("two", mass=1.0, inertia=0.1, com=(1.5, 0.0)))
    m.add(fm.Revolute(m.ground.at(0, 0), one.at(0, 0)))
    m.add(fm.Revolute(one.at(1, 0), two.at(1, 0)))
    return m


def run(kind: str, path: Path | None, t_end: float = 0.2) -> fm.Solution:
    model = swing() if kind == "compiled" else rattle()
    return model.simulate(t_end, output_step=1e-2, checkpoint=path, progress=False, **SETTINGS[kind])


def interrupted(kind: str, path: Path, monkeypatch: pytest.MonkeyPatch, at: float) -> None:
    """A run that is killed without warning once it has passed `at`: nothing after the checkpoint is put in order."""
    from fmbs.results.recorder import Recorder

    pause = Recorder.pause

    def pause_and_die(self, state):
        if state.t >= at:
            raise KeyboardInterrupt
        if state.t >= 0.5 * at and not hasattr(self, "noted"):
            self.noted = True
            self.checkpoint(state)
        else:
            pause(self, state)

    monkeypatch.setattr(Recorder, "pause", pause_and_die)
    with pytest.raises(fm.Interrupted) as stop:
        run(kind, path)
    assert stop.value.solution.t[-1] > 0.5 * at  # nothing computed is lost
    monkeypatch.undo()


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_continued_run_ends_like_an_uninterrupted_one(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "run.h5"
    whole = run(kind, None)
    interrupted(kind, path, monkeypatch, at=0.1)
    assert not path.exists()
    assert fm.load(path).t[-1] >= 0.05  # what was written is readable
    continued = run(kind, path)
    for name in ("t", "q", "v", "a", "lam", "history", "step_times"):
        np.testing.assert_array_equal(getattr(continued, name), getattr(whole, name))
    np.testing.assert_array_equal(continued.energy.balance, whole.energy.balance)
    assert continued.statistics.steps == whole.statistics.steps
    assert len(whole.impacts) > 2 or kind == "compiled"
    assert [(i.t, i.lost) for i in continued.impacts[:-1]] == [(i.t, i.lost) for i in whole.impacts[:-1]]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.h5"]
    np.testing.assert_array_equal(fm.load(path).q, whole.q)


@pytest.mark.parametrize("method", ["BDF", "Radau", "LSODA", "DOP853", "RK45", "RK23"])
@pytest.mark.parametrize("kind", [fm.BaumgarteODE, fm.AugmentedLagrangian, fm.CoordinatePartitioning])
def test_integrators_of_scipy_continue_to_the_last_bit(
    kind: type, method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Without their history they start anew with small steps, and the result differs within its tolerance."""
    settings = {"integrator": kind(method=method, rtol=1e-5, atol=1e-7), "output_step": 0.01, "progress": False}
    whole = swing().simulate(0.1, energy_tolerance=None, **settings)
    path, steps = tmp_path / "run.h5", 0

    def pause(self, state):
        nonlocal steps
        steps += 1
        if steps == 3:
            self.checkpoint(state)
        if steps == 4:
            raise KeyboardInterrupt

    from fmbs.results.recorder import Recorder

    monkeypatch.setattr(Recorder, "pause", pause)
    with pytest.raises(fm.Interrupted):
        swing().simulate(0.1, energy_tolerance=None, checkpoint=path, **settings)
    monkeypatch.undo()
    continued = swing().simulate(0.1, energy_tolerance=None, checkpoint=path, **settings)
    for name in ("t", "q", "v", "a", "lam", "step_times"):
        np.testing.assert_array_equal(getattr(continued, name), getattr(whole, name))
    assert continued.statistics.iterations == whole.statistics.iterations


def test_numerical_tangents_continue_to_the_last_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Broken off where the steps with a frame inside have a matrix of their own."""
    from fmbs.results.recorder import Recorder

    settings = {"step": 1e-3, "output_step": 1.25e-3, "tangent": "numerical", "progress": False}
    whole = swing().simulate(0.05, **settings)
    for at in range(20, 26):
        path, steps = tmp_path / f"{at}.h5", 0

        def pause(self, state, at=at):
            nonlocal steps
            steps += 1
            if steps == at:
                self.checkpoint(state)
                raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(Recorder, "pause", pause)
            with pytest.raises(fm.Interrupted):
                swing().simulate(0.05, checkpoint=path, **settings)
        np.testing.assert_array_equal(swing().simulate(0.05, checkpoint=path, **settings).q, whole.q)


def test_a_file_of_a_run_is_that_of_save(tmp_path: Path):
    stored = run("fixed", tmp_path / "run.h5", t_end=0.1)
    kept = run("fixed", None, t_end=0.1)
    kept.save(tmp_path / "saved.h5")
    one, other = fm.load(tmp_path / "run.h5"), fm.load(tmp_path / "saved.h5")
    for name in ("t", "q", "lam", "history", "step_times"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert one.clearance("hole").impacts == one.impacts
    assert [i.t for i in one.impacts] == [i.t for i in other.impacts] == [i.t for i in stored.impacts]


def test_other_settings_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "run.h5"
    interrupted("fixed", path, monkeypatch, at=0.06)
    with pytest.raises(fm.ModelError, match="another step"):
        rattle().simulate(0.2, step=1e-4, output_step=1e-2, checkpoint=path)
    other = rattle()
    other.add(fm.PlanarBody("stranger", mass=1.0, inertia=1.0, com=(1, 0)))
    with pytest.raises(fm.ModelError, match="another model"):
        other.simulate(0.2, step=2e-4, output_step=1e-2, checkpoint=path)
    (tmp_path / "run.h5.checkpoint").write_bytes(b"not a checkpoint")
    with pytest.raises(fm.ModelError, match="damaged"):
        run("fixed", path)


KILLED = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from fmbs.results import run_file
from tests.results.test_checkpoint import run
run_file.EVERY = 0.2
run("fixed", Path({path!r}), t_end=60.0)
"""


def test_kill(tmp_path: Path):
    """SIGKILL in the middle: the file is readable, and the notes for going on are whole."""
    path = tmp_path / "run.h5"
    script = KILLED.format(root=str(Path(__file__).parents[2]), path=str(path))
    process = subprocess.Popen([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])})
    notes, first = tmp_path / "run.h5.checkpoint", None
    try:
        for _ in range(2400):
            time.sleep(0.1)
            assert process.poll() is None, "the run ended by itself"
            if notes.exists():
                first = first or notes.stat().st_mtime_ns
                if notes.stat().st_mtime_ns != first:
                    break
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    killed = fm.load(path)
    assert len(killed) > 1
    short = run("fixed", None, t_end=float(killed.t[min(len(killed), 20) - 1]))
    count = min(len(killed), len(short))
    np.testing.assert_allclose(killed.q[: count - 1], short.q[: count - 1], rtol=1e-12, atol=1e-15)  # another process


@pytest.mark.slow
def test_memory_stays_flat(tmp_path: Path):
    """100,000 steps with a frame every 100: what the process holds does not grow with the run."""
    from fmbs.results.recorder import Recorder

    resident: list[int] = []
    pause = Recorder.pause  # after every step of the open path, after every stretch of the compiled driver

    def watch(self: Recorder, state: State) -> None:
        pause(self, state)
        if self.frames.steps % 10_000 == 0:
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            resident.append(pages * os.sysconf("SC_PAGE_SIZE"))

    m = fm.Model("pendulum", gravity=(0.0, -9.81))
    bob = m.add(fm.PlanarBody("bob", mass=1.0, inertia=0.01, com=(1.0, 0.0)))
    m.add(fm.Revolute(m.ground.at(0, 0), bob.at(0, 0)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Recorder, "pause", watch)
        sol = m.simulate(10.0, step=1e-4, output_step=1e-2, checkpoint=tmp_path / "long.h5", progress=False)
    assert sol.statistics.steps == 100_000 and len(sol) == 1001
    assert len(resident) == 10
    assert max(resident[1:]) - resident[1] < 4 << 20  # bytes
