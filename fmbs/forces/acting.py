"""What batches of forces share: the vectors of bodies that they act on, the numbers of each force, kernels that take both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import CompiledPart
from fmbs.core.vectors import VectorTable
from fmbs.jit.tables import table
from fmbs.math.vector_kernels import vector_rates, vector_values

Array = NDArray[np.float64]


@table
class Acting:
    """Forces of one kind for the kernels."""

    vectors: VectorTable
    values: Array  # (forces, k) at the current time: components of a load, parameters of a spring
    rates: Array  # (forces, k) of the parameters of springs, 1/s
    u: Array  # (vectors, 3) room for the vectors and their rates
    rate: Array


class ActingBatch:
    """Batch of forces on vectors of bodies.

    force: kernel (acting, q, v, out), out += f
    slopes: kernel (acting, q, v, stiffness, damping, out), out = stiffness df/dq + damping df/dv in the order of the pattern
    """

    is_load: ClassVar[bool]
    force: ClassVar[Any]
    slopes: ClassVar[Any]

    def __init__(self, vectors: VectorTable, values: Array, update: Callable[[float], None] | None) -> None:
        """update: writes the values at a time; None where they are constant."""
        u, rate = np.zeros((2, vectors.kind.size, 3))
        self._acting, self._update = Acting(vectors, values, np.zeros_like(values), u, rate), update

    def at(self, t: float) -> Acting:
        """The forces with their values at time t."""
        if self._update is not None:
            self._update(t)
        return self._acting

    def residual(self, t: float, q: Array, v: Array, out: Array) -> None:
        self.force(self.at(t), q, v, out)

    def tangent(self, t: float, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
        self.slopes(self.at(t), q, v, stiffness, damping, out)

    def compiled(self) -> CompiledPart:
        return CompiledPart(self._acting, self.force, self.slopes, self.is_load, damped=not self.is_load, update=self._update)

    def moved(self, q: Array, v: Array) -> tuple[Array, Array]:  # (vectors, 3)
        """The vectors and their rates."""
        a = self._acting
        vector_values(a.vectors, q, a.u)
        vector_rates(a.vectors, q, v, a.u, a.rate)
        return a.u, a.rate
