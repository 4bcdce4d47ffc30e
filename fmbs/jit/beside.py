"""A second process that compiles kernels while this one does, so that a first run waits half as long."""

from __future__ import annotations

import hashlib
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

import numba

from fmbs.jit.calls import Job, collected

MOST = 255  # jobs: a byte each in the queue


class CompilerBeside:
    """Compiles what `plan` asks for with `address_of`, from now on, in a fork of this process that leaves it on the disk.

    The jobs wait in a pipe, from which this process takes some too at the end of the `with` block. A set that has been compiled
    before is known by an empty file among the kernels. A process with threads of its own, such as a notebook's, is not forked:
    one of them might hold a lock that the fork would wait for.
    """

    def __init__(self, plan: Callable[[], object], first: CompilerBeside | None = None) -> None:
        """first: another one at work, whose jobs are left to it."""
        self.jobs: list[Job] = []
        if not hasattr(os, "fork") or (os.cpu_count() or 1) < 2 or threading.active_count() > 2:  # 2: the compile notice
            return
        asked, others = collected(plan), set() if first is None else set(first.jobs)
        jobs = [job for job in asked if job not in others][: -MOST - 1 : -1]  # the last are the longest, and needed last
        text = " ".join(f"{function.__module__}.{function.__qualname__}{kinds}" for function, kinds in jobs)
        name = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:12]
        self._mark = Path(str(numba.config.CACHE_DIR)) / f"set-{name}"  # type: ignore[attr-defined]
        if not jobs or self._mark.exists():
            return
        self.jobs = jobs
        self._queue, filled = os.pipe()
        os.write(filled, bytes(range(len(jobs))))
        os.close(filled)
        self._child = os.fork()
        if not self._child:
            try:
                self._work()
            finally:
                os._exit(0)

    def _work(self) -> None:
        while number := os.read(self._queue, 1):
            function, kinds = self.jobs[number[0]]
            function.compile(kinds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Help with what is left, and wait for the rest; after an error nobody needs it."""
        if not self.jobs:
            return
        if error is None:
            self._work()
        else:
            os.kill(self._child, signal.SIGKILL)
        os.close(self._queue)
        os.waitpid(self._child, 0)
        if error is None:
            self._mark.parent.mkdir(parents=True, exist_ok=True)
            self._mark.touch()
