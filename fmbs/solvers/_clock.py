"""Functions of time in Python that kernels ask for: loads, parameters of springs, viscosities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, c_double, c_void_p, cast

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Update = Callable[[float], None]


class Clock:
    """One address that kernels call with a time, exactly when they need the values of that time; it must outlive the kernels.

    updates: write the values at a time into the tables of the kernels
    on_time: (1,) which they set to 0 before the call; 1 says that all values are those of the time
    address: 0 where nothing changes in time
    """

    def __init__(self, updates: Sequence[Update], on_time: Integers) -> None:
        self._updates, self._on_time = updates, on_time
        self._error: BaseException | None = None
        self._function = CFUNCTYPE(None, c_double)(self._set) if updates else None
        self.address = 0 if self._function is None else int(cast(self._function, c_void_p).value or 0)

    def _set(self, t: float) -> None:
        try:
            for update in self._updates:
                update(t)
            self._on_time[0] = 1
        except BaseException as error:  # an interruption too: nothing can be raised through a kernel
            self._error = error

    def check(self) -> None:
        """Raise what an update has raised since the last time."""
        if self._error is not None:
            error, self._error = self._error, None
            raise error
