"""Does a motion repeat, and after how many turns?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SAME = 1e-3  # of the range: below, two turns are the same
LONGEST = 8  # turns


@dataclass(frozen=True)
class Period:
    """apart: (p - 1) -> difference of turns k and k + p, root mean square over the signal's range, mean of the last ones

    by_turn: difference of turn k + 1 from turn k, for every k; turns: smallest p below SAME, 0 if there is none
    """

    apart: Array
    by_turn: Array
    turns: int
    count: int

    @classmethod
    def of(cls, signal: Array) -> Period:
        """signal: (turns, frames). The last quarter of the turns is compared with those before it."""
        count = len(signal)
        size = np.ptp(signal[count // 2 :])

        def differs(p: int) -> Array:
            return np.asarray(np.sqrt(np.mean((signal[p:] - signal[:-p]) ** 2, axis=1)) / size)

        last = max(1, count // 4)
        apart = np.array([differs(p)[-last:].mean() for p in range(1, min(LONGEST, count - 1) + 1)])
        small = np.flatnonzero(apart < SAME)
        return cls(apart, differs(1), int(small[0]) + 1 if small.size else 0, count)

    def summary(self) -> dict[str, Any]:
        """For a record."""
        apart, by_turn = self.apart.tolist(), self.by_turn.tolist()
        return {"of": self.count, "turns": self.turns, "apart": apart, "smallest": min(apart), "by turn": by_turn}
