"""One place that says how kernels are compiled."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from numba import njit

from fmbs.jit.kernel_cache import KernelCache

Function = TypeVar("Function", bound=Callable[..., object])


def _compiled(function: Any, **options: Any) -> Any:
    made: Any = njit(**options)(function)
    made._cache = KernelCache(function)
    return made


_COUNTED: dict[str, Any] = {
    "error_model": "numpy", "fastmath": {"contract", "reassoc", "nsz", "arcp"}, "_nrt": True,
}  # fmt: skip
_PLAIN = _COUNTED | {"_nrt": False}


def kernel(function: Function) -> Function:
    """Compile a module-level function of arrays and scalars, cached on disk beside its file.

    No full fastmath: NaN must stay NaN, since a run stops on it with a clear message.
    """
    compiled: Function = _compiled(function, **_COUNTED)
    return compiled


def plain_kernel(function: Function) -> Function:
    """A kernel that makes no arrays and returns none, compiled without reference counts.

    Otherwise every array that is passed on, alone or in a tuple, is counted up and down again, which takes time in a step and
    most of the compiler's time. Slices are copied by `assign_kernels`.
    """
    compiled: Function = _compiled(function, **_PLAIN)
    return compiled


def kernel_part(function: Function) -> Function:
    """A kernel that other kernels call, never Python and never by address: without the wrappers that would take.

    These unpack every array; to write, optimise and translate them for each part of a kernel took a fifth of all the time.
    """
    return _unwrapped(function, _COUNTED)


def plain_part(function: Function) -> Function:
    """A plain kernel that other kernels call, never Python and never by address."""
    return _unwrapped(function, _PLAIN)


def _unwrapped(function: Function, options: dict[str, Any]) -> Function:
    made = _compiled(function, **options, no_cpython_wrapper=True, no_cfunc_wrapper=True)

    def refuse(*arguments: object, **named: object) -> None:
        raise TypeError(f"{function.__name__} is a part of kernels and is called by them only; see fmbs.jit.compiled")

    def keep(result: Any) -> None:
        made.overloads[tuple(result.signature.args)] = result  # but tell Python's calls nothing of it: they would crash

    made._compile_for_args, made.add_overload = refuse, keep
    compiled: Function = made
    return compiled


def threaded_kernel(function: Function) -> Function:
    """A kernel whose `prange` loops are shared by threads."""
    compiled: Function = _compiled(function, **_COUNTED, parallel=True)
    return compiled


def inlined(function: Function) -> Function:
    """Part of a longer kernel, written into it before it is compiled.

    For inner loops, where a call with array views costs more than its work, and for kernels that would pass many tables on.
    """
    compiled: Function = _compiled(function, **_PLAIN, inline="always")
    return compiled


_told = threading.Event()


@contextmanager
def compile_notice(seconds: float = 1.5) -> Iterator[None]:
    """Tell a user at a terminal, once, that a long first call is the compiler at work, not a hang."""

    def tell() -> None:
        if not _told.is_set():
            _told.set()
            print("fmbs: compiling kernels, once (later runs load them from disk) ...", file=sys.stderr, flush=True)

    timer = threading.Timer(seconds, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
