"""What the time loop knows of its matrix."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import Blocks
from fmbs.jit.pieces import PIECE
from fmbs.jit.slots import LINE, TABLE, Slot
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Short = NDArray[np.int32]


FACTORIZE = Slot("factorize", TABLE)
SOLVE = Slot("solve", TABLE, LINE)


@table
class Matrix:
    """Values to be assembled, and addresses: of the table of its kind and of that kind's kernels."""

    data: Array
    kind: int
    factorize: int  # FACTORIZE: (kind)
    solve: int  # SOLVE: (kind, x), x = A^-1 x
    regular: Integers  # (1,) what factorize finds


class Storage(Protocol):
    """One kind of matrix: where entries go, and what a resumed run needs to repeat itself to the last bit."""

    matrix: Matrix

    def places(self, row: Integers, column: Integers) -> Short: ...
    def snapshot(self) -> dict[str, Any]: ...
    def restore(self, kept: dict[str, Any]) -> None: ...


class Leading(Storage, Protocol):
    """One whose values come last in an array that begins with those of others."""

    values: Array


def aligned_zeros(count: int) -> Array:
    """From the beginning of a line of the cache on: vectors that are loaded from two of them take twice as long."""
    room = np.zeros(count + PIECE)
    first = -(room.ctypes.data // room.itemsize) % PIECE
    return room[first : first + count]


def slots(storage: Storage, blocks: Blocks) -> Short:  # (elements, columns, nodes)
    """Place of the first entry of each node in each column of each element's block; its others follow."""
    elements, nodes = blocks.first.shape
    columns = (blocks.first[:, :, None] + np.arange(blocks.width)).reshape(elements, nodes * blocks.width, 1)
    shape = (elements, columns.shape[1], nodes)
    row, column = (np.broadcast_to(x, shape).ravel() for x in (blocks.first[:, None, :], columns))
    return storage.places(row, column).reshape(shape)
