"""Where a run begins that does not begin with the drawing: the state of another run, body by body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Origin:
    """A state that another run left behind, in the coordinates of this model; bodies that it did not know are as drawn.

    t: s
    q, v: (n,)
    taken: which bodies were taken over  # (bodies,)
    given: which velocities and spins are known: those taken over, and those that the user gave of new bodies  # (bodies, 2)
    remembered: what contacts remember, from what they remember at first and the joint and end of every station
    told: parts that are new, gone or let go, in words
    """

    t: float
    q: Array
    v: Array
    taken: NDArray[np.bool_]
    given: NDArray[np.bool_]
    remembered: Callable[[Array, list[tuple[str, str]]], Array]
    told: tuple[str, ...] = ()
