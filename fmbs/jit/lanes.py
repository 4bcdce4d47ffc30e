# mypy: disable-error-code="no-untyped-call,import-untyped"
"""Eight numbers at a time: the same sum for eight elements, in vector registers.

Arrays of lanes are float arrays whose last dimension is LANES; load(x, i, j) is what x[i, j, :] holds, store(x, i, j, value)
puts it there, and + - * / between lanes, or lanes and a number, and root(value) work on all eight at once. Numba's compiler
makes vectors of long loops over one array only; the sums of an element are short, but those of eight elements are the same. For
kernels only; places are not checked.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

LANES = 8
FLAGS = ("contract", "reassoc", "nsz", "arcp")  # as all kernels are compiled
VECTOR = ir.VectorType(ir.DoubleType(), LANES)


class LanesType(types.Type):
    """Eight floats."""

    def __init__(self) -> None:
        super().__init__(name="lanes")


lanes = LanesType()


@register_model(LanesType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def _for_kernels(function: Any) -> Any:
    """Any: kernels call it with other arguments than those that mypy sees."""
    return intrinsic(function)


def _place(context: Any, builder: Any, kind: Any, array: Any, indices: Any) -> Any:
    """Pointer to the lanes at the first indices of an array."""
    from numba.np.arrayobj import make_array  # here: a process that only loads kernels does without

    made = make_array(kind)(context, builder, array)
    shape = [builder.extract_value(made.shape, k) for k in range(kind.ndim)]
    flat = ir.Constant(ir.IntType(64), 0)
    for index, length in zip(indices, shape, strict=False):
        flat = builder.add(builder.mul(flat, length), index)
    first = builder.mul(flat, ir.Constant(ir.IntType(64), LANES))
    return builder.bitcast(builder.gep(made.data, [first]), VECTOR.as_pointer())


def _unpacked(builder: Any, packed: Any) -> list[Any]:
    return [builder.extract_value(packed, k) for k in range(len(packed.type.elements))]


@_for_kernels
def load(typing_context: Any, array: Any, *indices: Any) -> Any:
    """array[*indices, :]."""

    def generate(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
        given, packed = values
        wide = [context.cast(builder, x, k, types.int64) for x, k in zip(_unpacked(builder, packed), indices, strict=True)]
        return builder.load(_place(context, builder, array, given, wide), align=8)

    return lanes(array, types.StarArgTuple.from_types(indices)), generate


@_for_kernels
def store(typing_context: Any, array: Any, *rest: Any) -> Any:
    """array[*indices, :] = value; rest: indices, value."""

    def generate(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
        given, packed = values
        *places, value = _unpacked(builder, packed)
        wide = [context.cast(builder, x, k, types.int64) for x, k in zip(places, rest[:-1], strict=True)]
        builder.store(value, _place(context, builder, array, given, wide), align=8)
        return context.get_dummy_value()

    return types.none(array, types.StarArgTuple.from_types(rest)), generate


def _same(builder: Any, x: Any) -> Any:
    """A number in all lanes."""
    one = builder.insert_element(VECTOR(ir.Undefined), x, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


@_for_kernels
def same(typing_context: Any, x: Any) -> Any:
    """The number x in all lanes."""
    return lanes(types.float64), lambda context, builder, kinds, values: _same(builder, values[0])


@_for_kernels
def root(typing_context: Any, x: Any) -> Any:
    """Square roots."""

    def generate(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
        kind = ir.FunctionType(VECTOR, [VECTOR])
        return builder.call(get_or_insert_function(builder.module, kind, f"llvm.sqrt.v{LANES}f64"), values)

    return lanes(lanes), generate


class _Operation(AbstractTemplate):
    def generic(self, arguments: Any, named: Any) -> Any:
        if lanes in arguments and all(kind in (lanes, types.float64) for kind in arguments):
            return signature(lanes, *arguments)
        return None


def _define(operation: Any, name: str) -> None:
    infer_global(operation)(type(f"_{name}", (_Operation,), {"key": operation}))

    def lower(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
        both = (x if kind is lanes else _same(builder, x) for x, kind in zip(values, kinds.args, strict=True))
        return getattr(builder, name)(*both, flags=FLAGS)

    for kinds in ((LanesType, LanesType), (types.Float, LanesType), (LanesType, types.Float)):
        lower_builtin(operation, *kinds)(lower)


for _name in ("add", "sub", "mul", "truediv"):
    for _operation in (getattr(operator, _name), getattr(operator, f"i{_name}")):
        _define(_operation, "fdiv" if _name == "truediv" else f"f{_name}")
