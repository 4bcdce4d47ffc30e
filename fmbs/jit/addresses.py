# mypy: disable-error-code="no-untyped-call,import-untyped"
"""Addresses of compiled kernels, and how to learn which ones a program will ask for without compiling any."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from numba import typeof

from fmbs.jit.compiled import compile_notice

Job = tuple[Any, tuple[Any, ...]]  # a kernel and the types of its arguments

_wanted: ContextVar[list[Job] | None] = ContextVar("wanted", default=None)
_known: dict[Job, int] = {}


def address_of(function: Any, *arguments: Any) -> int:
    """Where the machine code of a kernel for arguments of these types begins; it is compiled if need be.

    Nothing is known of whoever calls it there: where both sides are written by different people, a `Slot` checks them.
    """
    return address_for(function, tuple(typeof(argument) for argument in arguments))


def address_for(function: Any, kinds: tuple[Any, ...]) -> int:
    """Where the machine code of a kernel for arguments of these numba types begins."""
    job, wanted = (function, kinds), _wanted.get()
    if wanted is not None:
        wanted.append(job)
        return _known.get(job, 0)
    if job not in _known:
        with compile_notice():
            function.compile(kinds)
        made = function.overloads[kinds]
        _known[job] = int(made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name))
    return _known[job]


def planning() -> bool:
    """Are addresses only collected now?"""
    return _wanted.get() is not None


def ask_for(function: Any, *arguments: Any) -> None:
    """Have a kernel compiled for arguments of these types, which Python calls soon: beside, where that is possible."""
    address_of(function, *arguments)


def collected(plan: Callable[[], object]) -> list[Job]:
    """The kernels that `plan` asks the addresses of: none is compiled, so nothing that it makes can be used.

    A kernel that has an address already keeps it, so that a plan may write into tables that are in use.
    """
    wanted: list[Job] = []
    token = _wanted.set(wanted)
    try:
        plan()
    finally:
        _wanted.reset(token)
    return wanted
