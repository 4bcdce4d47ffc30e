# mypy: disable-error-code="no-untyped-call,import-untyped"
"""Slots: the signature of kernels that are called by address, declared once and checked on both sides.

    PUSH = Slot("push", TABLE, LINE, float, LINE)

    place = PUSH.address(my_kernel, my_table)          # Python: compiled for these types, or a TypeError that names both

    @kernel
    def driver(place: int, table: int, q: Array, h: float, out: Array) -> None:
        call(PUSH, place, table, q, h, out)            # a kernel: arguments of other types are an error of the compiler

An address is only a number: machine code that is called with other arguments than it was made for reads and writes whatever
lies there. So nobody should match the two sides by hand.
"""

from __future__ import annotations

import inspect
from dataclasses import is_dataclass
from typing import Any, get_args, get_origin

import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError, TypingError
from numba.core.imputils import lower_constant
from numba.extending import models, register_model

from fmbs.jit.addresses import address_for, planning
from fmbs.jit.c_functions import NUMBERS, c_address, c_type, check_c_function, is_c_function
from fmbs.jit.tables import TableType


class _AnyTable:
    """A table of any class: the kernel's own, which only it knows."""

    __name__ = "table"


TABLE = _AnyTable()
LINE = types.Array(types.float64, 1, "C")
ROWS = types.Array(types.float64, 2, "C")
BLOCK = types.Array(types.float64, 3, "C")
INTEGERS = types.Array(types.int64, 1, "C")

_SCALARS: dict[Any, Any] = {float: types.float64, int: types.int64, bool: types.boolean}


class Slot:
    """A name, and what is passed to the kernel in it, which returns nothing.

    Arguments are float, int, bool, LINE (contiguous floats in one dimension), ROWS, BLOCK, INTEGERS, any other array of numba,
    TABLE, a class of tables, or NUMBERS: where floats begin, `double *` in C. Kernels index them as an array whose length is
    not known, and callers pass any contiguous array of floats.
    A slot of numbers and NUMBERS takes functions of C too.
    """

    def __init__(self, name: str, *arguments: Any) -> None:
        self.name, self.arguments = name, tuple(_SCALARS.get(argument, argument) for argument in arguments)
        for argument in self.arguments:
            if not (argument is TABLE or _is_table(argument) or isinstance(argument, types.Type)):
                raise TypeError(f"slot {name!r}: {argument!r} is not the type of an argument; see fmbs.jit.slots.")
        self._numba_type_ = SlotType(self)
        self._checked: set[Any] = set()

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(_word(argument) for argument in self.arguments)})"

    def address(self, kernel: Any, *tables: Any) -> int:
        """Where the machine code of a kernel begins that fits this slot.

        tables: those that it will be called with, one for each TABLE or class of tables among the arguments, in their order
        """
        if is_c_function(kernel):
            check_c_function(self, kernel)
            return c_address(kernel)
        kinds = self._kinds(kernel, tables)
        if (kernel, kinds) not in self._checked:
            self._check(kernel, kinds)
        try:
            place = address_for(kernel, kinds)
        except NumbaError as error:
            raise TypeError(f"{_signature(kernel)} cannot be compiled for the slot {self}: {error}") from error
        if not planning():
            result = kernel.overloads[kinds].signature.return_type
            if result != types.none:
                raise TypeError(f"{_signature(kernel)} returns {result}, but a kernel in the slot {self} returns nothing.")
        self._checked.add((kernel, kinds))
        return place

    def check(self, kernel: Any) -> None:
        """Raise a TypeError where it can be seen without compiling it that a kernel, or a function of C, does not fit."""
        if is_c_function(kernel):
            check_c_function(self, kernel)
        else:
            self._check(kernel, self.arguments)

    @property
    def c_type(self) -> Any:
        """The function type of ctypes: SLOT.c_type(address) is a function of C that fits, if the address is that of one."""
        return c_type(self)

    def accepted(self, given: tuple[Any, ...]) -> tuple[Any, ...]:
        """The types that a kernel passes to this slot: numbers are converted; a table may be given by its address."""
        if len(given) != len(self.arguments):
            raise TypingError(f"the slot {self} takes {len(self.arguments)} arguments, but is called with {len(given)}.")
        return tuple(self._accepted(k, *pair) for k, pair in enumerate(zip(self.arguments, given, strict=True)))

    def _accepted(self, k: int, wanted: Any, given: Any) -> Any:
        number = isinstance(given, (types.Integer, types.Boolean))
        if wanted is TABLE or _is_table(wanted):
            fits = given == types.int64 or (
                isinstance(given, TableType) and (wanted is TABLE or given.title == wanted.__name__)
            )
            wanted = given
        elif isinstance(wanted, types.Array):
            fits = isinstance(given, types.Array) and _layout(given) == _layout(wanted)
        elif wanted == NUMBERS:
            fits = given == NUMBERS or (isinstance(given, types.Array) and (given.dtype, given.layout) == (types.float64, "C"))
        else:
            fits = given == wanted or number or (wanted == types.float64 and isinstance(given, types.Float))
        if not fits:
            raise TypingError(f"argument {k + 1} of the slot {self} is called with {given}, which is another type.")
        return wanted

    def _kinds(self, kernel: Any, tables: tuple[Any, ...]) -> tuple[Any, ...]:
        rest = list(tables)
        kinds = []
        for argument in self.arguments:
            if argument is TABLE or _is_table(argument):
                table = rest.pop(0) if rest else None
                kind = getattr(table, "_numba_type_", None)
                if not isinstance(kind, TableType) or (argument is not TABLE and not isinstance(table, argument)):
                    raise TypeError(
                        f"{_signature(kernel)} in the slot {self}: {type(table).__name__} was given for {_word(argument)}."
                    )
                kinds.append(kind)
            else:
                kinds.append(argument)
        if rest:
            raise TypeError(f"{_signature(kernel)} in the slot {self}: {len(rest)} tables too many were given.")
        return tuple(kinds)

    def _check(self, kernel: Any, kinds: tuple[Any, ...]) -> None:
        """What can be seen of a kernel without compiling it: the number of its arguments, and what it says that they are."""
        if not isinstance(kernel, Dispatcher):
            raise TypeError(f"{kernel!r} is not a kernel and does not fit the slot {self}: decorate it with fm.jit.kernel.")
        if kernel.targetoptions.get("no_cfunc_wrapper"):
            raise TypeError(
                f"{_signature(kernel)} is a part of kernels and has no address: make it a kernel for the slot {self}."
            )
        parameters = list(inspect.signature(kernel.py_func).parameters.values())
        if len(parameters) != len(kinds):
            raise TypeError(f"{_signature(kernel)} takes {len(parameters)} arguments, but the slot {self} passes {len(kinds)}.")
        for parameter, kind in zip(parameters, kinds, strict=True):
            if not _agrees(_resolved(parameter.annotation, kernel.py_func), kind):
                raise TypeError(
                    f"{_signature(kernel)} does not fit the slot {self}, which passes {_word(kind)} for {parameter.name!r}."
                )


class SlotType(types.Type):
    """What numba knows of a slot: all of it, and nothing that is left when it is compiled."""

    def __init__(self, slot: Slot) -> None:
        self.slot = slot
        super().__init__(name=f"slot {slot}")


register_model(SlotType)(models.OpaqueModel)


@lower_constant(SlotType)
def _constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()


def _is_table(argument: Any) -> bool:
    return isinstance(argument, type) and is_dataclass(argument)


def _layout(kind: Any) -> tuple[Any, ...]:
    return kind.dtype, kind.ndim, kind.layout


def _word(argument: Any) -> str:
    if argument == NUMBERS:
        return "numbers"
    if isinstance(argument, TableType):
        return argument.title
    if isinstance(argument, types.Array):
        return f"{argument.dtype}[{', '.join(':' * argument.ndim)}]"
    return str(getattr(argument, "__name__", argument))


def _signature(kernel: Any) -> str:
    function = getattr(kernel, "py_func", kernel)
    try:
        return f"{function.__module__}.{function.__qualname__}{inspect.signature(function)}"
    except (AttributeError, TypeError, ValueError):
        return repr(kernel)


def _resolved(annotation: Any, function: Any) -> Any:
    """What an annotation stands for; None where that is not known."""
    if annotation is inspect.Parameter.empty:
        return None
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, function.__globals__)
    except Exception:  # a name that is imported for the type checker only
        return None


def _agrees(said: Any, kind: Any) -> bool:
    """Is a numba type what an annotation says? What is not known agrees."""
    if said in _SCALARS:
        return bool(_SCALARS[said] == kind)
    if _is_table(said):
        return isinstance(kind, TableType) and kind.title == said.__name__
    if said is np.ndarray:
        return kind == NUMBERS or isinstance(kind, types.Array)
    if get_origin(said) is np.ndarray:
        scalars = [scalar for scalar in get_args(get_args(said)[1]) if isinstance(scalar, type)]
        return isinstance(kind, (types.Array, types.CPointer)) and (
            not scalars or issubclass(np.dtype(str(kind.dtype)).type, scalars[0])
        )
    return True
