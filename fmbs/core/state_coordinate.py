"""States of controllers and actuators: z' = g(t, z, y), integrated with the model to the order of its method.

z is the rate of a coordinate p of a tiny mass: p' = z, mass p'' = mass g. So it has what every coordinate has: error control,
Newton's matrix, frames, checkpoints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fmbs.core.lone_coordinate import LoneCoordinate
from fmbs.core.protocols import Triplets

Array = NDArray[np.float64]

TINY = 1e-12  # kg: the ledger does not see what it moves


@dataclass(frozen=True, eq=False)
class StateCoordinate(LoneCoordinate):
    """One state, in the place of a body. value: at t = 0; place: where p begins, m, so that it does not stretch the model."""

    name: str
    value: float = 0.0
    place: float = 0.0

    planar = True
    given = (True, True)

    def initial_position(self) -> Array:
        return np.array([self.place])

    def initial_velocity(self) -> Array:
        return np.array([self.value])

    def is_length(self) -> NDArray[np.bool_]:
        return np.array([True])

    def mass_matrix(self) -> Triplets:
        return Triplets(np.zeros(1, np.int64), np.zeros(1, np.int64), np.array([TINY]))


@runtime_checkable
class StateOwner(Protocol):
    """A force with states of its own."""

    @property
    def name(self) -> str: ...
    @property
    def own_states(self) -> tuple[StateCoordinate, ...]: ...  # the same objects whenever it is asked


@runtime_checkable
class SampledPart(StateOwner, Protocol):
    """A force whose states also jump, at multiples of a period."""

    @property
    def every(self) -> float | None: ...  # s; None: they do not
    def sampled(self, t: float, q: Array, v: Array, offsets: Any) -> Array: ...  # states after it; v holds those before


def states_of(parts: Any) -> list[StateCoordinate]:
    """Of all parts, in their order."""
    return [x for part in parts if isinstance(part, StateOwner) for x in part.own_states]
