# mypy: disable-error-code="no-untyped-call,attr-defined"
"""Functions of C, or of anything else that compiles to its calling convention, in place of kernels.

An address says nothing about the arguments of what is there, so a function comes with its signature: as a function of ctypes
with `argtypes` and `restype`, or as a `numba.cfunc`.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from numba import types
from numba.core.ccallback import CFunc

if TYPE_CHECKING:
    from fmbs.jit.slots import Slot

NUMBERS = types.CPointer(types.float64)

_KINDS: dict[Any, Any] = {
    types.float64: ctypes.c_double,
    types.int64: ctypes.c_int64,
    types.boolean: ctypes.c_bool,
    NUMBERS: ctypes.POINTER(ctypes.c_double),
}
_NAMES = dict(zip(_KINDS.values(), ("double", "int64_t", "bool", "double *"), strict=True))
_FunctionPointer = ctypes.CFUNCTYPE(None).__mro__[1]


def is_c_function(function: Any) -> bool:
    return isinstance(function, (CFunc, _FunctionPointer))


def c_type(slot: Slot) -> Any:
    """The function type of ctypes that a slot calls."""
    others = [argument for argument in slot.arguments if argument not in _KINDS]
    if others:
        raise TypeError(f"the slot {slot} passes arrays or tables, which functions of C do not know; it takes kernels only.")
    return ctypes.CFUNCTYPE(None, *(_KINDS[argument] for argument in slot.arguments))


def check_c_function(slot: Slot, function: Any) -> None:
    """Does it say that it takes what the slot passes, and returns nothing?"""
    kind = c_type(slot)
    if isinstance(function, CFunc):
        fits = function._sig.args == slot.arguments and function._sig.return_type == types.none
        remedy = "declare it with the types of the slot; types.CPointer(types.float64) is a pointer to numbers"
    else:
        fits = _typed(function.argtypes) == kind._argtypes_ and function.restype is None
        remedy = "set argtypes and restype = None as C declares them, or give SLOT.c_type(address)"
    if not fits:
        passed = _listed(kind._argtypes_)
        raise TypeError(f"{described(function)} does not fit the slot {slot}, which passes {passed}: {remedy}.")
    if not c_address(function):
        raise TypeError(f"{described(function)} for the slot {slot} has the address 0, where there is nothing.")


def c_address(function: Any) -> int:
    if isinstance(function, CFunc):
        return int(function.address or 0)
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


def described(function: Any) -> str:
    """Name and declared signature."""
    if isinstance(function, CFunc):
        return f"the C function {function.__qualname__}{function._sig}"
    name = getattr(function, "__name__", "at an address")
    if function.argtypes is None:
        return f"the C function {name} (argtypes are not declared)"
    result = "nothing" if function.restype is None else function.restype.__name__
    return f"the C function {name}({_listed(function.argtypes)}), which returns {result},"


def _listed(argtypes: Any) -> str:
    return ", ".join(_NAMES.get(kind, kind.__name__) for kind in argtypes)


def _typed(argtypes: Any) -> tuple[Any, ...] | None:
    """A pointer to anything may be one to numbers."""
    if argtypes is None:
        return None
    return tuple(_KINDS[NUMBERS] if kind is ctypes.c_void_p else kind for kind in argtypes)
