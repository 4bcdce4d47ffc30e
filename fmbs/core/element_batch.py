"""Finite elements of one kind from a table and three kernels."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import BatchEnergy, Blocks, BlockTarget, CompiledPart, ElasticBatch
from fmbs.jit.calls import ask_for
from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

NONE = np.zeros(0)


class CompiledElements:
    """All that `ElementBatch` and the compiled driver ask of elements; a subclass names its kernels and makes its table.

    force: kernel (table, q, v, out), out += f
    tangent: kernel (table, q, v, stiffness, damping, target), target += stiffness df/dq + damping df/dv, by `add_block`
    stored: kernel (table, q, v) that returns the energy stored, J, and the power dissipated, W
    rows: arrays of the table with one row for each element; the other arrays are shared by all
    """

    force: ClassVar[Any]
    tangent: ClassVar[Any]
    stored: ClassVar[Any]
    rows: ClassVar[tuple[str, ...]]

    def __init__(self, table: Any, width: int, *, damped: bool = False) -> None:
        """table: has `first`, the first coordinate of each node  # (elements, nodes); width: coordinates of a node
        damped: do forces depend on velocities?
        """
        self.table, self._width, self._damped = table, width, damped

    def with_table(self, **changed: Array | Integers) -> Self:
        """The same elements with other arrays in their table."""
        other = copy(self)
        other.table = replace(self.table, **changed)
        return other

    def blocks(self) -> Blocks:
        return Blocks(self.table.first, self._width)

    def subset(self, elements: Integers) -> Self:
        return self.with_table(**{name: getattr(self.table, name)[elements] for name in self.rows})

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        self.force(self.table, q, v, out)

    def add_tangent(
        self, t: float, q: Array, v: Array, stiffness: float, damping: float, slots: NDArray[np.int32], data: Array
    ) -> None:
        self.tangent(self.table, q, v, stiffness, damping, BlockTarget(slots, data))

    def energy(self, t: float, q: Array, v: Array) -> BatchEnergy:
        stored, dissipated = self.stored(self.table, q, v)
        return BatchEnergy(stored, dissipated, 0.0)

    def compiled(self) -> CompiledPart:
        ask_for(self.stored, self.table, NONE, NONE)
        viscous: Any = self.viscous() if isinstance(self, ElasticBatch) else None
        return CompiledPart(
            self.table, self.force, self.tangent, damped=self._damped, viscous=None if viscous is None else viscous.table
        )


@kernel(plain=True, part=True)
def add_block(block: Array, e: int, target: BlockTarget) -> None:
    """Add the matrix of element e: rows and columns node by node, `width` coordinates of each."""
    slots, data = target.slots, target.data  # slots: (elements, columns, nodes) of the nodes' first rows
    width = block.shape[0] // slots.shape[2]
    for j in range(block.shape[1]):
        for node in range(slots.shape[2]):
            s = slots[e, j, node]
            for k in range(width):
                data[s + k] += block[node * width + k, j]
