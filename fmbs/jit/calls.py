# mypy: disable-error-code="no-untyped-call,import-untyped"
"""Calls by address: a kernel that calls others this way is compiled without them.

Numba writes the code of every kernel that is called into the caller and optimises it there once more. The time loop
would so contain all laws, films and elements there are; with addresses a model compiles the kernels that it uses, each once.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.cgutils import unpack_tuple
from numba.core.errors import TypingError
from numba.extending import intrinsic

from fmbs.jit.addresses import Job, address_of, ask_for, collected
from fmbs.jit.slots import SlotType

__all__ = ["Job", "address_of", "answer", "ask_for", "call", "collected"]


@intrinsic
def call(typing_context: Any, target: Any, *arguments: Any) -> Any:
    """call(SLOT, address, ...): the kernel at an address, with arguments that are checked against the slot's when compiled.

    call(address, ...) checks nothing: for functions of libraries, which are not kernels.
    """
    slot = target if isinstance(target, SlotType) else None
    given = arguments if slot is None else arguments[1:]
    if slot is None:
        wanted = given
    elif not arguments or not isinstance(arguments[0], types.Integer):
        raise TypingError(f"call({slot.slot.name}, address, ...): no address is given, but {arguments[:1]}")
    else:
        wanted = slot.slot.accepted(given)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place, packed = values
        passed = unpack_tuple(builder, packed)
        if slot is not None:
            place, *passed = passed
        passed = [_converted(context, builder, *each) for each in zip(passed, given, wanted, strict=True)]
        shape = ir.FunctionType(ir.VoidType(), [value.type for value in passed])
        builder.call(builder.inttoptr(place, shape.as_pointer()), passed)
        return context.get_dummy_value()

    return types.none(target, types.StarArgTuple.from_types(arguments)), generate


def _converted(context: Any, builder: Any, value: Any, given: Any, wanted: Any) -> Any:
    """A number in the type that the slot has, or where the numbers of an array begin."""
    if isinstance(given, types.Array) and isinstance(wanted, types.CPointer):
        from numba.np.arrayobj import make_array  # slow to import, and only the compiler comes here

        return make_array(given)(context, builder, value).data
    return context.cast(builder, value, given, wanted)


@intrinsic
def answer(typing_context: Any, address: Any, *arguments: Any) -> Any:
    """Call a function of a library at `address`, which returns an address."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place, packed = values
        given = unpack_tuple(builder, packed)
        shape = ir.FunctionType(ir.IntType(64), [value.type for value in given])
        return builder.call(builder.inttoptr(place, shape.as_pointer()), given)

    return types.int64(address, types.StarArgTuple.from_types(arguments)), generate
