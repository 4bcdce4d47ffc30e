"""Kernels compiled by a second process."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import fmbs as fm
from fmbs.jit import beside as module
from fmbs.jit.beside import CompilerBeside
from fmbs.jit.calls import address_of, call, collected
from fmbs.jit.compiled import kernel
from fmbs.jit.kernel_cache import KernelCache
from fmbs.jit.slots import LINE
from fmbs.solvers.linear import linear_solver
from fmbs.solvers.loop.connect import ask_for_core


@kernel(plain=True)
def doubled(x: np.ndarray) -> None:
    x[0] *= 2.0


@kernel(plain=True)
def squared(x: np.ndarray) -> None:
    x[0] *= x[0]


@kernel(plain=True)
def first(x: np.ndarray) -> float:
    return x[0]


@kernel(plain=True)
def at(address: int, x: np.ndarray) -> None:
    call(address, x)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is compiled yet, and there are two cores."""
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path))
    monkeypatch.setattr(module.os, "cpu_count", lambda: 2)
    for each in (doubled, squared, first):
        forget(each)
    return tmp_path


def forget(each) -> None:
    """As in a new process."""
    each._cache = KernelCache(each.py_func)
    each.overloads.clear()


def addresses() -> list[int]:
    return [address_of(each, np.zeros(1)) for each in (doubled, squared)]


def miss() -> None:
    """Need a kernel that is not on the disk."""
    first.compile((LINE,))


def test_nothing_is_planned_while_all_kernels_are_on_the_disk(empty: Path, monkeypatch: pytest.MonkeyPatch):
    with CompilerBeside() as beside:
        beside.plan(lambda: pytest.fail("there is nothing to compile"))


def test_two_processes_compile_what_is_planned(empty: Path):
    with CompilerBeside() as beside:
        beside.plan(addresses)
        assert not beside.jobs
        miss()
        assert {function.__name__ for function, _ in beside.jobs} == {"doubled", "squared"}
    made = {path.name.split("-")[0].split(".")[-1] for path in empty.rglob("*.kernel")}
    assert made == {"doubled", "squared", "first"}
    x = np.array([3.0])
    for address in addresses():
        at(address, x)
    assert x[0] == 36.0


def test_a_plan_after_the_first_missing_kernel_begins_at_once(empty: Path):
    with CompilerBeside() as beside:
        miss()
        beside.plan(addresses)
        assert len(beside.jobs) == 2


def test_what_is_on_the_disk_is_no_job(empty: Path, monkeypatch: pytest.MonkeyPatch):
    doubled.compile((LINE,))
    squared.compile((LINE,))
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("there is nothing to compile"))
    with CompilerBeside() as beside:
        beside.plan(addresses)
        miss()


def test_the_worker_alone_compiles_what_it_is_given(empty: Path):
    """Nobody helps it: the queue is closed and the process waited for."""
    with CompilerBeside() as beside:
        beside.plan(addresses)
        miss()
        module.os.close(beside._filled)
        beside._child.wait(60)
        beside._filled = module.os.dup(beside._queue)
    for each in (doubled, squared):
        forget(each)
        each.compile((LINE,))
        assert sum(each.stats.cache_hits.values()) >= 1


def test_a_full_disk_or_no_more_processes_leave_it_to_this_process(empty: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    for owner, name in ((subprocess, "Popen"), (module.tempfile, "TemporaryFile"), (module.os, "write")):
        with monkeypatch.context() as changed, CompilerBeside() as beside:
            changed.setattr(owner, name, refuse)
            beside.plan(addresses)
            forget(first)
            shutil.rmtree(empty)
            miss()
            assert not beside.jobs


def test_ignored_children_are_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A program that ignores SIGCHLD never hears of the end of a process."""
    monkeypatch.setenv("FMBS_KERNELS", str(tmp_path / "kernels"))
    text = (
        "import signal, sys; sys.path[:0] = [{!r}]; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "import test_beside as own; own.module.os.cpu_count = lambda: 2\n"
        "with own.CompilerBeside() as beside:\n    beside.plan(own.addresses)\n    own.miss()\n"
        "print(len(beside.jobs), all(own.addresses()))"
    )
    command = [sys.executable, "-c", text.format(str(Path(__file__).parent))]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120.0)
    assert done.stdout.split() == ["2", "True"]


def test_after_an_error_the_second_process_is_gone(empty: Path):
    def fail() -> None:
        with beside:
            beside.plan(addresses)
            miss()
            raise ValueError("no start")

    beside = CompilerBeside()
    with pytest.raises(ValueError, match="no start"):
        fail()
    assert beside._child.returncode is not None


def test_threads_do_no_harm(empty: Path, monkeypatch: pytest.MonkeyPatch):
    """One that holds a lock is not taken over into the second process."""
    monkeypatch.setattr(module.os, "fork", lambda: pytest.fail("a thread may hold a lock"))
    lock, done = threading.Lock(), threading.Event()
    thread = threading.Thread(target=lambda: lock.acquire() and done.wait())
    thread.start()
    try:
        with CompilerBeside() as beside:
            beside.plan(addresses)
            miss()
    finally:
        done.set()
        thread.join()
    assert beside._child.returncode == 0


@pytest.mark.parametrize("program", ["/usr/bin/blender", ""])
def test_a_program_with_python_inside_is_not_started_again(program: str, empty: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module.sys, "executable", program)
    with CompilerBeside() as beside:
        beside.plan(addresses)
        miss()
        beside.plan(addresses)
        assert not beside.jobs


def test_a_plan_leaves_addresses_in_use_alone():
    known = addresses()
    kept = []
    assert len(collected(lambda: kept.extend(addresses()))) == 2
    assert kept == known


@pytest.mark.parametrize("paced", [False, True])
def test_core_of_the_driver_is_known_before_any_model(paced: bool):
    """Kernels that are compiled while a model is assembled are those that its driver asks for afterwards."""
    m, options = fm.Model("bounce", gravity=(0.0, -9.81)), {"tolerance": 1e-3} if paced else {"step": 1e-4}
    ball = m.add(fm.PlanarBody("ball", mass=1.0, inertia=1.0, com=(0.0, 0.0)))
    contact = fm.contact.Hertz(stiffness=1e9)
    m.add(fm.ClearanceRevolute(m.ground.at(0.0, 0.0), ball.com, bearing_radius=0.02, clearance=1e-3, contact=contact))
    system = m.system()
    core = collected(lambda: ask_for_core(contacts=True))
    asked = collected(
        lambda: fm.GeneralizedAlpha().start(
            system, linear_solver("auto", 3), "exact", *map(options.get, ("step", "tolerance")), 1
        )
    )
    assert len(core) > 12
    assert set(core) <= set(asked)
    assert {function.__name__ for function, _ in set(asked) - set(core)} == {"factorize", "solve"}
