"""A second process that compiles kernels while this one does, so that a first run waits half as long."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextvars import Token
from pathlib import Path
from typing import IO, Any, Self

from fmbs.jit.addresses import Job, collected
from fmbs.jit.kernel_cache import can_keep, missed

MOST = 255  # jobs: a byte each in the queue
WORKER = "import sys; sys.path[:] = {path!r}; from fmbs.jit.worker import work; work({queue}, {jobs})"


class CompilerBeside:
    """Has the kernels that plans ask for compiled by another process too, which leaves them on the disk.

    Plans are functions that take addresses of kernels. They are not even looked at until a kernel is missing on the disk: a
    later run, which finds all of them there, costs nothing. Then the jobs wait in a pipe, from which both processes take them,
    this one at the end of the `with` block. The other process is a new one, not a fork: this one may have threads, a notebook's
    or those of BLAS, and one of them may hold a lock that a fork would wait for.
    """

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self._plans: list[Callable[[], object]] = []
        self._begun = False
        self._child: subprocess.Popen[bytes] | None = None

    def plan(self, plan: Callable[[], object]) -> None:
        """Compile what this function asks the addresses of, as soon as it is clear that something is to be compiled."""
        if self._begun:
            self._add(plan)
        else:
            self._plans.append(plan)

    def __enter__(self) -> Self:
        self._token: Token[Any] = missed.set(self._begin)
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Help with what is left, and wait for the rest; after an error nobody needs it."""
        missed.reset(self._token)
        if self._child is None:
            return
        os.close(self._filled)
        try:
            if error is None:
                while number := os.read(self._queue, 1):
                    function, kinds = self.jobs[number[0]]
                    function.compile(kinds)
                self._child.wait()
        finally:
            self._child.kill()
            self._child.wait()
            os.close(self._queue)
            self._text.close()

    def _begin(self) -> None:
        self._begun = True
        if _possible():
            for plan in self._plans:
                self._add(plan)

    def _add(self, plan: Callable[[], object]) -> None:
        if not _possible():
            return
        asked = dict.fromkeys(job for job in collected(plan) if job not in self.jobs and _is_open(job))
        new = list(asked)[::-1][: MOST - len(self.jobs)]  # the last are the longest, and needed last
        if not new:
            return
        if self._child is None and not self._started():
            return
        named = [(function.__module__, function.__qualname__, pickle.dumps(kinds)) for function, kinds in new]
        try:
            os.write(self._text.fileno(), pickle.dumps(named))
        except OSError:  # a full disk: this process compiles them when they are needed
            return
        first, self.jobs = len(self.jobs), self.jobs + new
        os.write(self._filled, bytes(range(first, len(self.jobs))))

    def _started(self) -> bool:
        """False where nothing can be written to, or no more processes are allowed: this one compiles alone."""
        try:
            self._text: IO[bytes] = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        except OSError:
            return False
        self._queue, self._filled = os.pipe()
        text = WORKER.format(path=sys.path, queue=self._queue, jobs=self._text.fileno())
        try:
            self._child = subprocess.Popen(
                [sys.executable, "-c", text], pass_fds=(self._queue, self._text.fileno()),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError:
            os.close(self._queue)
            os.close(self._filled)
            self._text.close()
        return self._child is not None


def _possible() -> bool:
    """Is there a second core, a Python to start and a folder where it leaves what it made?

    Programs that have Python inside are not started again.
    """
    python = "python" in Path(sys.executable or "").name
    return os.name == "posix" and (os.cpu_count() or 1) > 1 and python and can_keep()


def _is_open(job: Job) -> bool:
    """Is the kernel yet to be compiled, and can another process import it?"""
    function, kinds = job
    module = sys.modules.get(function.__module__)
    importable = function.__module__ != "__main__" and getattr(module, function.__qualname__, None) is function
    return importable and not function._cache.holds(kinds, function.targetctx)
