"""Errors for people: which part, which argument, which value, what is allowed, what to try."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fmbs.core.status import Status


class ModelError(ValueError):
    """Bad input, found before anything runs: names the part, the argument, the value and what is allowed."""


class UnknownArgument(ModelError, TypeError):
    """An argument that does not exist, most often a misspelt one; a TypeError too, as Python's own error for it is."""


class ConvergenceError(RuntimeError):
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


class Interrupted(KeyboardInterrupt):
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
