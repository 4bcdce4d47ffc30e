"""One place that says how kernels are compiled."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile a module-level function of arrays and scalars, cached on disk beside its file.

    No full fastmath: NaN must stay NaN, since a run stops on it with a clear message.
    """
    compiled: Function = njit(  # type: ignore[assignment]
        cache=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz", "arcp"}
    )(function)
    return compiled


@contextmanager
def compile_notice(seconds: float = 1.5) -> Iterator[None]:
    """Tell a user at a terminal that a long first call is the compiler at work, not a hang."""

    def tell() -> None:
        print("fmbs: compiling kernels, once (later runs load them from disk) ...", file=sys.stderr, flush=True)

    timer = threading.Timer(seconds, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
