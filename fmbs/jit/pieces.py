# mypy: disable-error-code="no-untyped-call,import-untyped"
"""Columns in pieces of eight numbers, which fill vector registers.

Numba's compiler makes vectors of loops over sixteen numbers or more only, and the columns of small matrices are shorter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]

PIECE = 8


def padded(count: int) -> int:
    """Room for so many numbers in whole pieces."""
    return -(-count // PIECE) * PIECE


in_pieces = kernel(plain=True, part=True)(padded)  # the same for kernels


@kernel(plain=True, part=True)
def subtract_pieces(factor: float, column: Array, x: Array) -> None:
    """x -= factor column, for contiguous slices that are not checked: they hold the same number of whole pieces."""
    for c in range(x.size // PIECE):
        _subtract_piece(factor, column, x, c)  # type: ignore[call-arg]


@intrinsic
def _subtract_piece(typing_context: Any, factor: Any, column: Any, x: Any, piece: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        from numba.np.arrayobj import make_array  # slow to import, and only the compiler comes here

        share, *arrays, number = values
        several = ir.VectorType(ir.DoubleType(), PIECE)
        first = builder.mul(number, number.type(PIECE))
        source, target = (
            builder.bitcast(builder.gep(make_array(kind)(context, builder, value).data, [first]), several.as_pointer())
            for kind, value in zip(signature.args[1:3], arrays, strict=True)
        )
        same = several(ir.Undefined)
        for i in range(PIECE):
            same = builder.insert_element(same, share, ir.Constant(ir.IntType(32), i))
        product = builder.fmul(builder.load(source, align=8), same, flags=("contract",))
        builder.store(builder.fsub(builder.load(target, align=8), product, flags=("contract",)), target, align=8)
        return context.get_dummy_value()

    return types.none(types.float64, column, x, types.intp), generate
