# mypy: disable-error-code="no-untyped-call,import-untyped"
"""Calls by address: a kernel that calls others this way is compiled without them.

Numba writes the code of every kernel that is called into the caller and optimises it there once more. The compiled driver
would so contain all laws, films and elements there are; with addresses a model compiles the kernels that it uses, each once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from typing import Any

from llvmlite import ir
from numba import typeof, types
from numba.core.cgutils import unpack_tuple
from numba.extending import intrinsic

from fmbs.jit.compiled import compile_notice

Job = tuple[Any, tuple[Any, ...]]  # a kernel and the types of its arguments

_wanted: ContextVar[list[Job] | None] = ContextVar("wanted", default=None)


def address_of(function: Any, *arguments: Any) -> int:
    """Where the machine code of a kernel for arguments of these types begins; it is compiled if need be."""
    kinds, wanted = tuple(typeof(argument) for argument in arguments), _wanted.get()
    if wanted is None:
        return _address_of(function, kinds)
    wanted.append((function, kinds))
    return 0


def ask_for(function: Any, *arguments: Any) -> None:
    """Have a kernel compiled for arguments of these types, which Python calls soon: beside, where that is possible."""
    address_of(function, *arguments)


def collected(plan: Callable[[], object]) -> list[Job]:
    """The kernels that `plan` asks the addresses of: none is compiled, so nothing that it makes can be used."""
    wanted: list[Job] = []
    token = _wanted.set(wanted)
    try:
        plan()
    finally:
        _wanted.reset(token)
    return wanted


@cache
def _address_of(function: Any, kinds: tuple[Any, ...]) -> int:
    with compile_notice():
        function.compile(kinds)
    made = function.overloads[kinds]
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name))


@intrinsic
def call(typing_context: Any, address: Any, *arguments: Any) -> Any:
    """Call the kernel at `address`, which returns nothing. Types are not checked: they are those given to `address_of`."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place, packed = values
        given = unpack_tuple(builder, packed)
        shape = ir.FunctionType(ir.VoidType(), [value.type for value in given])
        builder.call(builder.inttoptr(place, shape.as_pointer()), given)
        return context.get_dummy_value()

    return types.none(address, types.StarArgTuple.from_types(arguments)), generate


@intrinsic
def answer(typing_context: Any, address: Any, *arguments: Any) -> Any:
    """Call a function of a library at `address`, which returns an address."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place, packed = values
        given = unpack_tuple(builder, packed)
        shape = ir.FunctionType(ir.IntType(64), [value.type for value in given])
        return builder.call(builder.inttoptr(place, shape.as_pointer()), given)

    return types.int64(address, types.StarArgTuple.from_types(arguments)), generate
