"""Processes that miss the same kernel on the disk take turns: the first compiles it, the others wait and load what it left."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on Windows, where every process compiles for itself
    fcntl = None  # type: ignore[assignment]

LONGEST = 120.0  # s, after which a process compiles for itself: whoever has the turn may have been stopped
PAUSE = 0.01  # s


@contextmanager
def turn(path: Path) -> Iterator[None]:
    """Hold the turn for a file that is about to be made, in a folder that exists.

    Nobody has to give it back: the system does it where a process dies. Kernels wait only for those that they call, and these
    are no circle, so that no two processes wait for each other.
    """
    name, handle = path.with_suffix(".turn"), None
    try:
        if fcntl is not None:
            with suppress(OSError):
                handle = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
        if handle is not None:
            _wait(handle)
        yield
    finally:
        if handle is not None:
            with suppress(OSError):
                name.unlink()
            os.close(handle)


def _wait(handle: int) -> None:
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(PAUSE)
        except OSError:  # a file system without locks
            return
        else:
            return
