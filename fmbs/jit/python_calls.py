"""Functions in Python that kernels call by address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, c_double, c_int64, c_void_p, cast
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.slots import Slot

Integers = NDArray[np.int64]

PYTHON = Slot("function in Python", int)  # the number says what is asked for
CLOCK = Slot("function of time", float)


@dataclass
class CallCount:
    """How often a function was called, and for how long, s."""

    count: int = 0
    seconds: float = 0.0


class PythonCalls:
    """Addresses of functions in Python, as kernels call them; it must outlive the kernels.

    An exception cannot pass through a kernel: it is kept, and `check` raises it when the kernels have returned.

    fine: (1,) set to 0 when a function fails; kernels look at it and return
    """

    def __init__(self, fine: Integers) -> None:
        self._fine, self._kept = fine, []  # type: tuple[Integers, list[Any]]
        self._error: BaseException | None = None
        self._owners: dict[str, CallCount] = {}

    def of_number(self, owner: str, function: Callable[[int], None]) -> int:
        """Address of void f(int64): the number says what is asked for."""
        return self._address(CFUNCTYPE(None, c_int64), self._guarded(owner, function))

    def of_time(self, updates: Sequence[tuple[str, Callable[[float], None]]]) -> int:
        """Address of void f(double), which calls all updates with a time; 0 without any. It sets `fine` to 1."""
        if not updates:
            return 0
        guarded = [self._guarded(*update) for update in updates]

        def update_all(t: float) -> None:
            self._fine[0] = 1
            for update in guarded:
                update(t)

        return self._address(CFUNCTYPE(None, c_double), update_all)

    @property
    def called(self) -> tuple[tuple[str, int, float], ...]:
        """Owners of the functions that were called: name, number of calls and their time, s, slowest first."""
        called = [(name, calls.count, calls.seconds) for name, calls in self._owners.items() if calls.count]
        return tuple(sorted(called, key=lambda each: -each[2]))

    def check(self) -> None:
        """Raise what a function has raised since the last time."""
        if self._error is not None:
            error, self._error = self._error, None
            self._fine[0] = 1
            raise error

    def _guarded(self, owner: str, function: Callable[[Any], None]) -> Callable[[Any], None]:
        calls, fine = self._owners.setdefault(owner, CallCount()), self._fine

        def guarded(argument: Any) -> None:
            if self._error is not None:  # what comes after a failure is not wanted any more
                fine[0] = 0
                return
            begin = perf_counter()
            try:
                function(argument)
            except BaseException as error:  # an interruption too
                self._error = error
                fine[0] = 0
            calls.count += 1
            calls.seconds += perf_counter() - begin

        return guarded

    def _address(self, kind: Any, function: Callable[[Any], None]) -> int:
        made = kind(function)
        self._kept.append(made)
        return int(cast(made, c_void_p).value or 0)
