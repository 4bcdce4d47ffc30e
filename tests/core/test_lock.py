"""One writer at a time, whatever became of the one before."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import fmbs as fm
from fmbs.core import lock
from fmbs.core.lock import Holder, Lock, process_start

FORK: Any = multiprocessing.get_context("fork")


def put(path: Path, **changed: Any) -> Path:
    """A lock as somebody else left it."""
    file = path.with_name(path.name + ".lock")
    file.write_text(json.dumps({**vars(Holder.here()), **changed}))
    return file


def aged(file: Path, seconds: float) -> None:
    os.utime(file, times=(time.time() - seconds,) * 2)


def test_a_lock_is_there_while_it_is_held_and_gone_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    with Lock(path) as held:
        assert held.file.exists()
        with Lock(path):  # the same thread may
            assert held.file.exists()
        assert held.kept()
    assert list(tmp_path.iterdir()) == []


def test_another_thread_and_another_process_are_refused(tmp_path: Path) -> None:
    path, said = tmp_path / "run.h5", []

    def other() -> None:
        try:
            Lock(path).acquire()
        except fm.FileInUse as error:
            said.append(str(error))

    with Lock(path):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        code = "import sys, pathlib; from fmbs.core.lock import Lock; Lock(pathlib.Path(sys.argv[1])).acquire()"
        done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert f"process {os.getpid()} on" in said[0] and "\n" not in said[0]
    assert "FileInUse" in done.stderr and f"process {os.getpid()} on" in done.stderr
    with Lock(path):
        pass


def hold(path: Path, ready: Any) -> None:
    Lock(path).acquire()
    ready.set()
    time.sleep(60.0)


def test_a_killed_writer_leaves_a_stale_lock(tmp_path: Path) -> None:
    path, ready = tmp_path / "run.h5", FORK.Event()
    process = FORK.Process(target=hold, args=(path, ready), daemon=True)
    process.start()
    assert ready.wait(30.0)
    with pytest.raises(fm.FileInUse, match=f"process {process.pid}"):
        Lock(path).acquire()
    os.kill(process.pid, signal.SIGKILL)
    while process_start(process.pid):  # it need not have been waited for
        time.sleep(0.01)
    with Lock(path):
        assert Lock(path).file.exists()
    process.join()


def test_a_process_with_the_same_number_is_not_taken_for_the_writer(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    put(path, pid=os.getppid(), began="1")
    with Lock(path):
        pass
    put(path, pid=os.getppid(), began=process_start(os.getppid()))
    with pytest.raises(fm.FileInUse):
        Lock(path).acquire()


def test_a_writer_on_another_machine_is_alive_while_its_lock_is_renewed(tmp_path: Path) -> None:
    """By the clock of the file system; so it is for a machine that was started anew, and for another container."""
    path = tmp_path / "run.h5"
    file = put(path, machine="elsewhere", node="elsewhere")
    aged(file, lock.SILENT - 20.0)
    with pytest.raises(fm.FileInUse, match=r"elsewhere.*last sign of life is 1\d\d s old"):
        Lock(path).acquire()
    aged(file, lock.SILENT + 20.0)
    with Lock(path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_without_words_counts_by_its_age(tmp_path: Path) -> None:
    path, file = tmp_path / "run.h5", tmp_path / "run.h5.lock"
    file.write_text("")
    with pytest.raises(fm.FileInUse):
        Lock(path).acquire()
    aged(file, lock.SILENT + 20.0)
    with Lock(path):
        pass


def test_the_lock_is_renewed_and_a_takeover_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "BEAT", 0.05)
    path = tmp_path / "run.h5"
    with Lock(path) as held:
        aged(held.file, 1000.0)
        time.sleep(0.5)
        assert time.time() - held.file.stat().st_mtime < 10.0
        held.confirm()
        put(path)
        with pytest.raises(fm.FileInUse, match="taken it over"):
            held.confirm()
    assert held.file.exists()  # that of the other one


def test_a_forked_process_does_not_release_its_parents_lock(tmp_path: Path) -> None:
    with Lock(tmp_path / "run.h5") as held:
        child = FORK.Process(target=held.release)
        child.start()
        child.join()
        assert held.kept()


def contend(path: Path, count: Any, worst: Any, begin: Any) -> None:
    begin.wait()
    for _ in range(20):
        try:
            with Lock(path):
                with count.get_lock():
                    count.value += 1
                    worst.value = max(worst.value, count.value)
                time.sleep(0.001)
                with count.get_lock():
                    count.value -= 1
                put(path, pid=2**22 + 1)  # leaves a stale one behind
        except fm.FileInUse:
            time.sleep(0.002)


def test_many_that_find_a_stale_lock_at_once(tmp_path: Path) -> None:
    """There is never more than one holder."""
    path = tmp_path / "run.h5"
    put(path, pid=2**22 + 1)
    count, worst, begin = FORK.Value("i", 0), FORK.Value("i", 0), FORK.Barrier(4)
    processes = [FORK.Process(target=contend, args=(path, count, worst, begin)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert worst.value == 1


def test_errors_of_files_can_be_pickled() -> None:
    for kind in (fm.FileError, fm.FileInUse, fm.DiskFull):
        again = pickle.loads(pickle.dumps(kind("run.h5: no")))
        assert type(again) is kind and str(again) == "run.h5: no" and isinstance(again, fm.ModelError)
