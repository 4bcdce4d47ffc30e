"""Errors for people: which part, which argument, which value, what is allowed, what to try."""

from __future__ import annotations

import pickle
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fmbs.core.status import Status

PORTABLE = 1 << 24  # bytes: a larger solution stays in its process


class ModelError(ValueError):
    """Bad input, found before anything runs: names the part, the argument, the value and what is allowed."""


class UnknownArgument(ModelError, TypeError):
    """An argument that does not exist, most often a misspelt one; a TypeError too, as Python's own error for it is."""


class _RunEnded(BaseException):
    """With the time that a run had reached and what was computed. It can be pickled: a pool that cannot send it would hang.

    The solution goes with it to another process if it is small and pickle can handle it; if not, it is None there.
    """

    time: float
    solution: object

    def __reduce__(self) -> Any:
        packed = None
        if sum(getattr(column, "nbytes", 0) for column in getattr(self.solution, "__dict__", {}).values()) <= PORTABLE:
            with suppress(Exception):  # pickle raises what it likes, for a drive that is a lambda for example
                packed = pickle.dumps(self.solution)
        return _rebuilt, (type(self), self.args, self.__dict__ | {"solution": None}, packed)


def _rebuilt(kind: type[_RunEnded], arguments: tuple[object, ...], entries: dict[str, Any], packed: bytes | None) -> _RunEnded:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(entries)
    if packed is not None:
        with suppress(Exception):  # a class that this process does not know; the error matters more
            error.solution = pickle.loads(packed)
    return error


class ConvergenceError(_RunEnded, RuntimeError):
    """A run could not go on. Carries the time, what was computed so far and what to try.

    time: simulated time reached, s (or the load factor of an equilibrium)
    status: the reason as a value, with its remedy
    solution: the partial Solution, everything computed up to `time`
    """

    def __init__(self, message: str, *, time: float, status: Status, solution: object = None) -> None:
        super().__init__(f"{message} What to try: {status.remedy}")
        self.time = time
        self.status = status
        self.solution = solution

    @property
    def remedy(self) -> str:
        return self.status.remedy


class Interrupted(_RunEnded, KeyboardInterrupt):
    """Ctrl-C during a run; `solution` holds everything computed up to `time`."""

    def __init__(self, time: float, solution: object) -> None:
        super().__init__(f"interrupted at t = {time:.6g} s; everything computed is in the exception's .solution")
        self.time = time
        self.solution = solution


class FileError(ModelError):
    """A file cannot be read, continued or written: names the file, what is wrong with it and what can still be had."""


class FileInUse(FileError):
    """Another run is writing the file or the folder."""


class DiskFull(FileError):
    """There is no room left to write; what was written before is there."""
