"""Files of different runs are never mixed, whatever was killed in between; targets that are no files are left alone."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.results.recorder import Recorder
from fmbs.results.store import writer
from fmbs.results.store.reader import identity_of

FORK: Any = multiprocessing.get_context("fork")
T_END, FRAMES = 0.2, 200


def crank(rpm: float) -> fm.Model:
    m = fm.Model("crank", gravity=(0.0, -9.81))
    arm = m.add(fm.PlanarBody("arm", mass=1.0, inertia=0.1, com=(0.5, 0.0), spin=rpm * np.pi / 30.0))
    m.add(fm.Revolute(m.ground.at(0, 0), arm.at(0, 0), name="pin"))
    return m


def run(path: Path | None, rpm: float = 3000.0) -> fm.Solution:
    return crank(rpm).simulate(T_END, step=1e-4, output_step=T_END / FRAMES, checkpoint=path, progress=False)


def killed(work: Callable[[], Any], when: Callable[[], None]) -> None:
    """A process in which `when` prepares that it is killed."""

    def do() -> None:
        when()
        work()

    process = FORK.Process(target=do)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_in_run(checkpoint: float, flush: float) -> Callable[[], None]:
    """With a checkpoint at one time, s, and frames flushed until another."""

    def prepare() -> None:
        noted = False

        def pause(self: Recorder, state: Any) -> None:
            nonlocal noted
            if state.t >= checkpoint and not noted:
                noted = True
                self.checkpoint(state)
            if state.t >= flush:
                self.frames.flush()
                die()

        Recorder.pause = pause  # type: ignore[method-assign]

    return prepare


def die_before(name: str) -> Callable[[], None]:
    """Of the functions of `os` that the writer uses."""

    def prepare() -> None:
        setattr(writer.os, name, lambda *arguments: die())

    return prepare


def die_after_link() -> None:
    link = os.link

    def link_and_die(*arguments: Any) -> None:
        link(*arguments)
        die()

    writer.os.link = link_and_die


def die_in_copy() -> None:
    extend, count = writer.Table.extend, 0

    def half(self: Any, block: Any) -> None:
        nonlocal count
        extend(self, block)
        count += 1
        if count == 5:
            die()

    writer.Table.extend = half  # type: ignore[method-assign]


def names(folder: Path) -> set[str]:
    return {file.name.removeprefix("run.h5") for file in folder.iterdir()}


def test_frames_of_another_run_are_not_taken_for_ones_own(tmp_path: Path) -> None:
    """Killed at 3000 rpm; killed going on, when its frames lie aside; killed at 5000 rpm; gone on with: all is 5000 rpm."""
    path = tmp_path / "run.h5"
    killed(lambda: run(path, 3000.0), die_in_run(0.1, 0.15))
    killed(lambda: run(path, 3000.0), die_after_link)
    assert ".partial.earlier" in names(tmp_path)
    (tmp_path / "run.h5.checkpoint").unlink()  # as `fmbs run` does without --resume
    killed(lambda: run(path, 5000.0), die_in_run(0.1, 0.15))
    assert ".partial.earlier" not in names(tmp_path)
    assert fm.load(path).t[-1] == pytest.approx(0.15, abs=2e-3)
    found = run(path, 5000.0)
    np.testing.assert_array_equal(found.q, run(None, 5000.0).q)
    assert names(tmp_path) == {""}


@pytest.mark.parametrize("stranger", [".partial", ".partial.earlier", ".partial.new", ".checkpoint.new"])
def test_what_has_another_identity_is_never_read(stranger: str, tmp_path: Path) -> None:
    path, other = tmp_path / "run.h5", tmp_path / "other.h5"
    killed(lambda: run(path, 5000.0), die_in_run(0.1, 0.15))
    killed(lambda: run(other, 3000.0), die_in_run(0.1, 0.18))
    own = identity_of(tmp_path / "run.h5.partial")
    (tmp_path / "other.h5.partial").replace(tmp_path / f"run.h5{stranger}")
    if stranger == ".partial":
        with pytest.raises(fm.FileError, match=r"run\.h5\.checkpoint.*belongs to another run.*salvage"):
            run(path, 5000.0)
        return
    assert identity_of(tmp_path / "run.h5.partial") == own
    assert fm.load(path).t[-1] == pytest.approx(0.15, abs=2e-3)
    np.testing.assert_array_equal(run(path, 5000.0).q, run(None, 5000.0).q)
    assert names(tmp_path) >= {""} and not names(tmp_path) & {".partial.earlier", ".partial.new"}


@pytest.mark.parametrize("moment", [die_in_copy, die_before("link"), die_after_link, die_before("replace")])
def test_killed_while_going_on_everything_is_readable(moment: Callable[[], None], tmp_path: Path) -> None:
    """In the copy of what is kept, before and after the old frames get their other name."""
    path, whole = tmp_path / "run.h5", run(None)
    killed(lambda: run(path), die_in_run(0.1, 0.15))
    before = fm.load(path)
    for each in (moment, die_before("replace")):
        killed(lambda: run(path), each)
        np.testing.assert_array_equal(fm.load(path).q, before.q)
    np.testing.assert_array_equal(run(path).q, whole.q)
    assert names(tmp_path) == {""}


def test_frames_after_the_checkpoint_stay_until_they_are_computed_again(tmp_path: Path) -> None:
    path, whole = tmp_path / "run.h5", run(None)
    killed(lambda: run(path), die_in_run(0.05, 0.15))
    many = len(fm.load(path))
    killed(lambda: run(path), die_in_run(0.08, 0.1))  # goes on from 0.05 and does not come as far
    assert len(fm.load(path)) == many and ".partial.earlier" in names(tmp_path)
    killed(lambda: run(path), die_in_run(0.09, 0.18))
    assert len(fm.load(path)) > many and ".partial.earlier" not in names(tmp_path)
    np.testing.assert_array_equal(fm.load(path).q, whole.q[: len(fm.load(path))])
    np.testing.assert_array_equal(run(path).q, whole.q)


def test_without_hard_links_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*arguments: Any) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(writer.os, "link", no_links)
    path = tmp_path / "run.h5"
    killed(lambda: run(path), die_in_run(0.1, 0.15))
    many = len(fm.load(path))
    calls = 0

    def second() -> None:
        replace = os.replace

        def replace_once(*arguments: Any) -> None:
            nonlocal calls
            calls += 1
            if calls == 2:
                die()
            replace(*arguments)

        writer.os.replace = replace_once

    killed(lambda: run(path), second)
    assert ".partial" not in names(tmp_path) and len(fm.load(path)) == many
    np.testing.assert_array_equal(run(path).q, run(None).q)


def test_saving_elsewhere_leaves_a_killed_run_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    killed(lambda: run(path), die_in_run(0.1, 0.15))
    run(None, 1000.0).save(path)
    assert fm.load(path).t[-1] == T_END
    np.testing.assert_array_equal(run(path).q, run(None).q)


def test_devices_and_folders_are_not_replaced(tmp_path: Path) -> None:
    """Not even by root."""
    (tmp_path / "folder").mkdir()
    solution = run(None)
    for target in (Path("/dev/null"), tmp_path / "folder"):
        for write in (run, solution.save):
            with pytest.raises(fm.FileError, match=r"is a (device|folder)"):
                write(target)
    assert Path("/dev/null").is_char_device()
    assert not Path("/dev/null.partial").exists() and not Path("/dev/null.lock").exists()
    os.mkfifo(tmp_path / "run.h5.checkpoint")
    with pytest.raises(fm.FileError, match="is a pipe"):
        run(tmp_path / "run.h5")


def test_links_are_not_followed(tmp_path: Path) -> None:
    """Those beside the target are removed, what they name stays; the target itself is replaced."""
    precious = tmp_path / "precious"
    precious.write_text("mine")
    for ending in ("", ".partial", ".partial.new", ".partial.earlier", ".checkpoint.new", ".saving"):
        (tmp_path / f"run.h5{ending}").symlink_to(precious)
    found = run(tmp_path / "run.h5")
    assert precious.read_text() == "mine" and not (tmp_path / "run.h5").is_symlink()
    found.save(tmp_path / "run.h5")
    assert precious.read_text() == "mine"
    np.testing.assert_array_equal(fm.load(tmp_path / "run.h5").q, found.q)


def test_two_runs_in_one_file(tmp_path: Path) -> None:
    """The second gets one line, in its own process and in another, and spoils nothing."""
    path = tmp_path / "run.h5"
    said: list[str] = []
    pause = Recorder.pause

    def meanwhile(self: Recorder, state: Any) -> None:
        if state.t >= 0.1 and not said:
            said.append("")
            for write in (lambda: run(path, 5000.0), lambda: other.save(path)):
                result = FORK.Queue()
                process = FORK.Process(target=_told, args=(write, result))
                process.start()
                said.append(result.get())
                process.join()
        pause(self, state)

    other = run(None, 1000.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Recorder, "pause", meanwhile)
        found = run(path)
    assert all(f"another run is writing it (process {os.getpid()} on" in each for each in said[1:]) and len(said) == 3
    np.testing.assert_array_equal(found.q, run(None).q)
    assert names(tmp_path) == {""}


def _told(write: Callable[[], Any], result: Any) -> None:
    try:
        write()
        result.put("it wrote")
    except fm.FileInUse as error:
        result.put(str(error))


def test_a_changed_load_is_not_continued(tmp_path: Path) -> None:
    """It differs after the checkpoint only, and between the samples of its table."""

    def pushed(late: float) -> fm.Model:
        m = crank(0.0)
        m.add(fm.PointForce(m["arm"].com, lambda t: (late if 0.15 < t < 0.15 + 1e-6 else 0.0, 0.0), name="push"))
        return m

    path = tmp_path / "run.h5"
    settings = {"step": 1e-4, "output_step": 1e-3, "checkpoint": path, "progress": False}
    killed(lambda: pushed(1.0).simulate(T_END, **settings), die_in_run(0.05, 0.1))
    with pytest.raises(fm.FileError, match="another model"):
        pushed(2.0).simulate(T_END, **settings)
    with pytest.raises(fm.FileError, match="with another t_end;"):
        pushed(1.0).simulate(2.0 * T_END, **settings)
    assert pushed(1.0).simulate(T_END, **settings).t[-1] == T_END
