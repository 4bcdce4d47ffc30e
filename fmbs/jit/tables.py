# mypy: disable-error-code="no-untyped-call,import-untyped,override"
"""Tables: named arrays and numbers that kernels take by reference.

A kernel that takes thirty arrays in a named tuple unpacks, copies and passes on two hundred numbers, in every call and through
every stage of the compiler. A table is one pointer: to a block of addresses, lengths and numbers, from which an attribute is
read where it is used. The block never changes; what the arrays hold may.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, models, register_model, unbox
from numba.np.numpy_support import from_dtype

Made = TypeVar("Made")

WORD, FLOAT = ir.IntType(64), ir.DoubleType()


class TableType(types.Type):
    """What numba knows of a table: the word at which each entry begins, and its type."""

    def __init__(self, title: str, names: tuple[str, ...], kinds: tuple[types.Type, ...]) -> None:
        self.title = title
        self.places: dict[str, tuple[int, types.Type]] = {}
        word = 0
        for name, kind in zip(names, kinds, strict=True):
            self.places[name] = word, kind
            word += 1 + kind.ndim if isinstance(kind, types.Array) else 1
        super().__init__(name=f"{title}({' '.join(_short(kind) for kind in kinds)})")


def _short(kind: types.Type) -> str:
    return f"{kind.dtype}{kind.ndim}" if isinstance(kind, types.Array) else str(kind)


@dataclass_transform(frozen_default=True, eq_default=False)
def table(made: type[Made]) -> type[Made]:
    """A frozen dataclass of arrays, numbers and other tables that kernels take by reference.

    Arrays are contiguous; one that is not is copied.
    """
    names = tuple(made.__annotations__)

    def describe(self: Any) -> None:
        own = self.__dict__
        own.update({name: np.ascontiguousarray(x) for name, x in own.items() if isinstance(x, np.ndarray)})
        values = [own[name] for name in names]
        words = np.concatenate([_words(value) for value in values])
        kind = TableType(made.__name__, names, tuple(_kind(value) for value in values))
        own.update({"_words": words, "_address": words.ctypes.data, "_numba_type_": kind})

    def reduced(self: Any) -> Any:
        return made, tuple(getattr(self, name) for name in names)  # for pickle and copies: the block is made anew

    made.__post_init__ = describe  # type: ignore[attr-defined]
    made.__reduce__ = reduced  # type: ignore[method-assign]
    return dataclass(frozen=True, eq=False, repr=False)(made)


def address(made: Any) -> int:
    """Where a table lies, for kernels that are called by address."""
    return int(made._address)


def _kind(value: Any) -> types.Type:
    if isinstance(value, np.ndarray):
        return types.Array(from_dtype(value.dtype), value.ndim, "C")
    return getattr(value, "_numba_type_", types.float64 if isinstance(value, float) else types.int64)


def _words(value: Any) -> Any:
    """What stands for an entry in the block: address and lengths of an array, a number, the address of a table."""
    if isinstance(value, np.ndarray):
        return np.array([value.ctypes.data, *value.shape], np.int64)
    if isinstance(value, float):
        return np.array([value]).view(np.int64)
    return np.array([getattr(value, "_address", value)], np.int64)


register_model(TableType)(models.OpaqueModel)


@unbox(TableType)
def _unbox(kind: Any, value: Any, c: Any) -> NativeValue:
    address = c.pyapi.object_getattr_string(value, "_address")
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(pointer)


@infer_getattr
class _Entries(AttributeTemplate):
    key = TableType

    def generic_resolve(self, kind: TableType, name: str) -> Any:
        return kind.places[name][1] if name in kind.places else None


@lower_getattr_generic(TableType)
def _read(context: Any, builder: Any, kind: TableType, pointer: Any, name: str) -> Any:
    from numba.np.arrayobj import make_array, populate_array  # slow to import, and only the compiler comes here

    word, entry = kind.places[name]
    block = builder.bitcast(pointer, WORD.as_pointer())

    def load(k: int, what: Any = WORD) -> Any:
        place = builder.gep(block, [ir.Constant(ir.IntType(32), k)])
        value = builder.load(place if what is WORD else builder.bitcast(place, what.as_pointer()))
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
        return value

    if entry is types.float64:
        return load(word, FLOAT)
    if isinstance(entry, TableType):
        return builder.inttoptr(load(word), context.get_value_type(entry))
    if not isinstance(entry, types.Array):
        return load(word)
    itemsize = context.get_abi_sizeof(context.get_data_type(entry.dtype))
    shape = [load(word + 1 + k) for k in range(entry.ndim)]
    strides = [WORD(itemsize)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = make_array(entry)(context, builder)
    data = builder.inttoptr(load(word), context.get_data_type(entry.dtype).as_pointer())
    populate_array(array, data, shape, strides, itemsize, None)
    return array._getvalue()
