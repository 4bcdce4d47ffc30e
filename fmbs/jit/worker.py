"""The process that `CompilerBeside` starts."""

from __future__ import annotations

import io
import os
import pickle
import signal
from contextlib import suppress
from importlib import import_module

from fmbs.jit.addresses import Job

ALL = 1 << 24  # bytes


class Jobs:
    """Jobs from a file that the other process still writes to: lists of module, name and types of arguments."""

    def __init__(self, file: int) -> None:
        self._file, self._read = file, 0
        self._jobs: list[tuple[str, str, bytes]] = []

    def __getitem__(self, number: int) -> Job:
        if number >= len(self._jobs):
            text = io.BytesIO(os.pread(self._file, ALL, self._read))
            with suppress(EOFError):
                while True:
                    self._jobs += pickle.load(text)
            self._read += text.tell()
        module, name, kinds = self._jobs[number]
        return getattr(import_module(module), name), pickle.loads(kinds)


def work(queue: int, file: int) -> None:
    """Compile jobs until the queue is empty. One that fails is left to the other process, which can tell its user."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process is interrupted, and ends this one
    jobs = Jobs(file)
    while number := os.read(queue, 1):
        with suppress(Exception):
            function, kinds = jobs[number[0]]
            function.compile(kinds)
