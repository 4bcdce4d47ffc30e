"""One place that says how kernels are compiled."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, overload

from numba import njit
from numba.core.compiler_lock import global_compiler_lock

from fmbs.jit.kernel_cache import KernelCache
from fmbs.jit.own_code import OwnCompiler

Function = TypeVar("Function", bound=Callable[..., object])


_COUNTED: dict[str, Any] = {
    "error_model": "numpy", "fastmath": {"contract", "reassoc", "nsz", "arcp"}, "_nrt": True,
}  # fmt: skip


@overload
def kernel(function: Function, /) -> Function: ...
@overload
def kernel(
    *, plain: bool = False, part: bool = False, threads: bool = False, inline: bool = False
) -> Callable[[Function], Function]: ...


def kernel(
    function: Any = None, /, *, plain: bool = False, part: bool = False, threads: bool = False, inline: bool = False
) -> Any:
    """Compile a module-level function of arrays, numbers and tables when it is first called, and keep it on the disk.

    No full fastmath: NaN must stay NaN, since a run stops on it with a clear message. The options save time, most of it the
    compiler's; without any of them a kernel does all that numba can.

    plain: it makes no arrays and returns none, so that references need not be counted. Otherwise every array that is passed on,
           alone or in a tuple, is counted up and down again, which takes time in a step and most of the compiler's time. Slices
           are copied by `assign_kernels`.
    part: other kernels call it, never Python and never by address, so that it needs no wrappers for these. They unpack every
          array; to write, optimise and translate them for each part of a kernel took a fifth of all the time.
    threads: its `prange` loops are shared by threads.
    inline: it is written into its callers before they are compiled, and plain. For inner loops, where a call with array views
            costs more than its work, and for kernels that would pass many tables on.
    """
    if threads + inline > 1 or ((plain or part) and (threads or inline)):
        raise TypeError("a kernel has threads, or is inline, or is plain or a part or both: see fmbs.jit.compiled")
    options = _COUNTED | ({"_nrt": False} if plain or inline else {}) | ({"inline": "always"} if inline else {})
    options |= {"parallel": True} if threads else {}

    def compiled(function: Any) -> Any:
        if part:
            why = "is a part of kernels and is called by them only"
            return _without_python(function, options | {"no_cfunc_wrapper": True}, why)
        return _compiled(function, options)

    return compiled if function is None else compiled(function)


def law(function: Function) -> Function:
    """Compile a module-level function of numbers and pointers to numbers that kernels call by its address, as they do C's.

    A contact law, a friction law or a film for example. It does all that numba can and is kept on the disk as other kernels
    are; Python cannot call it, since Python has no pointers.
    """
    made: Function = _without_python(function, _COUNTED, "is a law and is called by its address only")
    return made


def _compiled(function: Any, options: dict[str, Any]) -> Any:
    made: Any = njit(pipeline_class=OwnCompiler, **options)(function)
    made._cache = KernelCache(function)
    compiled = made.compile

    def take_turn(sig: Any) -> Any:
        with global_compiler_lock, made._cache.turn(sig, made.targetctx):  # in this order: threads of one process wait once
            return compiled(sig)

    made.compile = take_turn
    return made


def _without_python(function: Any, options: dict[str, Any], why: str) -> Any:
    made = _compiled(function, options | {"no_cpython_wrapper": True})

    def refuse(*arguments: object, **named: object) -> None:
        raise TypeError(f"{function.__name__} {why}; see fmbs.jit.compiled")

    def keep(result: Any) -> None:
        made.overloads[tuple(result.signature.args)] = result  # but tell Python's calls nothing of it: they would crash

    made._compile_for_args, made.add_overload = refuse, keep
    return made


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
