"""A load as a function of time: constants or a callable, checked once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import vector
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker

Array = NDArray[np.float64]
Load = ArrayLike | Callable[[float], ArrayLike]


def check_marker(part: str, argument: str, marker: object) -> None:
    """Forces act on markers."""
    if not isinstance(marker, Marker):
        raise ModelError(f"{part}: {argument} = {marker!r} is not a marker; give body.at(...), body.com or m.ground.at(...).")


class Loads:
    """Vectors of many loads at time t, those that are constant evaluated once."""

    def __init__(self, loads: list[tuple[str, Load, bool]]) -> None:
        """loads: (part, load, moment about z only?)."""
        self._values = np.zeros((len(loads), 3))
        self._varying: list[tuple[int, str, Callable[[float], ArrayLike], bool]] = []
        for i, (part, load, planar_moment) in enumerate(loads):
            if callable(load):
                self._varying.append((i, part, load, planar_moment))
            else:
                self._values[i] = components(part, load, planar_moment)

    def at(self, t: float) -> Array:  # (n, 3)
        for i, part, load, planar_moment in self._varying:
            self._values[i] = components(part, load(t), planar_moment)
        return self._values


def components(part: str, load: ArrayLike, planar_moment: bool) -> Array:
    """Three components from a vector of two or three, or from a scalar moment about z. Checked for NaN at every call."""
    if planar_moment and np.ndim(load) == 0:
        return vector(part, "moment", np.array([0.0, 0.0, load], dtype=object))
    size = 2 if np.shape(load) == (2,) else 3
    return np.append(vector(part, "load", load, size), np.zeros(3 - size))
