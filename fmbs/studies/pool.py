"""A pool of processes that outlives its workers: one that is killed is replaced, and its task tried once more."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import Any

from fmbs.core.checks import whole
from fmbs.core.errors import ConvergenceError, ModelError

Task = Callable[[Any], dict[str, Any]]
TRIES = 2
ORPHAN_CHECK = 5.0  # s


@dataclass(frozen=True)
class Outcome:
    """status: "done" (warnings are in reason), "failed" (an error, see reason) or "killed" (the process died); wall: s."""

    status: str
    values: dict[str, Any]
    reason: str = ""
    wall: float = 0.0
    attempts: int = 1

    @property
    def worth_retrying(self) -> bool:
        """Errors of input and of convergence come again; a lack of memory or a killed worker may not."""
        return self.status == "killed" or (self.status == "failed" and self.reason.startswith("unexpected"))


def attempt(task: Task, item: Any) -> Outcome:
    """Run a task; an error becomes a value, warnings become its reason."""
    clock = time.perf_counter()
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", UserWarning)
            values = task(item)
        status, reason = "done", " ".join(str(each.message) for each in told)
    except (ModelError, ConvergenceError) as error:
        values, status, reason = {}, "failed", f"{type(error).__name__}: {error}"
    except Exception as error:  # whatever a user's function raises stops no other case
        values, status, reason = {}, "failed", f"unexpected {type(error).__name__}: {error}"
    return Outcome(status, values, reason, time.perf_counter() - clock)


def checked_jobs(study: str, jobs: int | None) -> int:
    """Processes at a time; one a core if not given."""
    return (os.cpu_count() or 1) if jobs is None else whole(study, "jobs", jobs)


def run_pool(
    task: Task, items: Sequence[Any], jobs: int, finished: Callable[[int, Outcome], None], timeout: float | None = None
) -> None:
    """Run a task on all items; finished(place, outcome) is called here as they end. Ctrl-C ends the workers and is passed on.

    timeout: s of wall time after which a case is killed, and not tried again
    """
    todo = deque((place, 1) for place in range(len(items)))
    workers: list[_Worker] = []
    try:
        while todo or any(worker.busy for worker in workers):
            while todo and len([worker for worker in workers if worker.busy]) < jobs:
                worker = next((worker for worker in workers if not worker.busy), None)
                if worker is None:
                    worker = _Worker(task, items)
                    workers.append(worker)
                place, tries = todo.popleft()
                worker.give(place, tries)
            wait([worker.pipe for worker in workers if worker.busy], timeout=None if timeout is None else 0.2)
            for worker in [worker for worker in workers if worker.busy]:
                outcome = worker.outcome(timeout)
                if outcome is None:
                    continue
                place, tries = worker.take()
                if not worker.process.is_alive() or outcome.status == "killed":
                    worker.stop()
                    workers.remove(worker)
                if outcome.worth_retrying and tries < TRIES and "timeout" not in outcome.reason:
                    todo.appendleft((place, tries + 1))
                else:
                    finished(place, replace(outcome, attempts=tries))
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """A process and the pipe to it."""

    def __init__(self, task: Task, items: Sequence[Any]) -> None:
        forked = _can_fork()
        context: Any = multiprocessing.get_context("fork" if forked else "spawn")
        self.pipe, theirs = context.Pipe()
        work = (task, items) if forked else _packed(task, items)
        self.process = context.Process(target=_serve, args=(work, theirs, os.getpid()), daemon=True)
        with warnings.catch_warnings(), nullcontext() if forked else _hidden_script():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # Python >= 3.12 warns of the threads of BLAS, which knows of forks
            self.process.start()
        theirs.close()  # or its end would not be seen when the process dies
        self.busy = False
        self._place, self._tries, self._since = 0, 1, 0.0

    def give(self, place: int, tries: int) -> None:
        self.busy, self._place, self._tries, self._since = True, place, tries, time.monotonic()
        with suppress(BrokenPipeError, ConnectionResetError):  # it died while idle: `outcome` sees the end of the pipe
            self.pipe.send(place)

    def outcome(self, timeout: float | None) -> Outcome | None:
        """None while it is at work."""
        wall = time.monotonic() - self._since
        if self.pipe.poll():
            try:
                found: Outcome | None = self.pipe.recv()
                if found is None:  # it is ready: its time begins now
                    self._since = time.monotonic()
                return found
            except (EOFError, OSError):
                self.process.join(1.0)
                return Outcome("killed", {}, f"the process died ({_cause(self.process.exitcode)})", wall)
        if timeout is not None and wall > timeout:
            self.process.kill()
            return Outcome("killed", {}, f"timeout: longer than {timeout:g} s", wall)
        return None

    def take(self) -> tuple[int, int]:
        self.busy = False
        return self._place, self._tries

    def stop(self) -> None:
        self.pipe.close()
        self.process.kill()  # between cases it does nothing, within one there is nothing to save
        self.process.join()


def _cause(code: int | None) -> str:
    if code is None:
        return "without a trace"
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


def _can_fork() -> bool:
    """A forked worker has the package, its kernels and the items at once, but no threads: what they had locked stays locked."""
    compiled = sys.modules.get("numba.np.ufunc.parallel")  # kernels with threads, which do not survive a fork
    alone = threading.active_count() == 1 and not getattr(compiled, "_is_initialized", False)
    return alone and "fork" in multiprocessing.get_all_start_methods()


def _packed(task: Task, items: Sequence[Any]) -> bytes:
    """Functions of a script or a notebook, and local ones, are sent as they are."""
    from numba import cloudpickle

    try:
        packed: bytes = cloudpickle.dumps((task, items))  # type: ignore[no-untyped-call]
    except Exception as error:
        raise ModelError(
            f"the cases cannot be sent to other processes ({error}). Where no other threads run they need not be; or build "
            "models from a function that uses only names of its own module."
        ) from error
    return packed


@contextmanager
def _hidden_script() -> Iterator[None]:
    """A new process would run the user's script once more, to have its functions; they are sent instead."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def _serve(work: tuple[Task, Sequence[Any]] | bytes, pipe: Connection, parent: int) -> None:
    """What a worker does until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    os.environ["FMBS_CORES"] = "1"  # the other cores have workers of their own
    task, items = pickle.loads(work) if isinstance(work, bytes) else work
    pipe.send(None)
    while True:
        while not pipe.poll(ORPHAN_CHECK):
            if os.getppid() != parent:
                return
        try:
            place = pipe.recv()
        except EOFError:
            return
        pipe.send(attempt(task, items[place]))
