"""Elastic elements of a system: the stiffness of their material apart from that of their stresses.

With strains E(q), B = E_q and the material's stiffness C the elastic force is B^T C E and its derivative
B^T C B + (B^T)_q C E. The part of the material turns with a body, that of the stresses hardly does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import ElasticBatch, ElementBatch

Array = NDArray[np.float64]
Slots = NDArray[np.int32]


class ElasticBatches:
    """Those of the given batches that are elastic; False if there are none.

    slots: where their tangents go, as in ElementBatch.add_tangent
    gather: makes a force known to all ranks
    """

    def __init__(
        self, batches: Sequence[ElementBatch], slots: Sequence[Slots], size: int, gather: Callable[[Array], None]
    ) -> None:
        pairs = list(zip(batches, slots, strict=True))
        self._batches = [(batch, first) for batch, first in pairs if isinstance(batch, ElasticBatch)]
        self._still, self._gather = np.zeros(size), gather

    def __bool__(self) -> bool:
        return bool(self._batches)

    @cached_property
    def _viscous(self) -> list[tuple[ElementBatch, Slots]]:
        return [(batch.viscous(), first) for batch, first in self._batches if isinstance(batch, ElasticBatch)]

    def add_stiffness(self, q: Array, share: float, data: Array) -> None:
        """data += share B^T C B."""
        for batch, first in self._viscous:
            batch.add_tangent(0.0, q, self._still, 0.0, share, first, data)

    def force(self, q: Array) -> Array:  # (n,)
        """B^T C E."""
        return self._sum([batch for batch, _ in self._batches], q, self._still)

    def viscous_force(self, q: Array, v: Array) -> Array:  # (n,)
        """B^T C B v."""
        batches = [batch for batch, _ in self._viscous]
        return self._sum(batches, q, v) - self._sum(batches, q, self._still)

    def _sum(self, batches: Sequence[ElementBatch], q: Array, v: Array) -> Array:
        force = np.zeros(q.size)
        for batch in batches:
            batch.residual(0.0, q, v, force)
        self._gather(force)
        return force
