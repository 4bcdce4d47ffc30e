"""Frames of a run: columns that grow, in memory or on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.state import State

if TYPE_CHECKING:
    from fmbs.results.store import RunWriter

Array = NDArray[np.float64]

STEPS = 4096  # ends of steps that are kept before they go to the file
BLOCK = 64  # rows of the first buffer; every further one is twice as long


class Column:
    """An array that grows at its end."""

    def __init__(self) -> None:
        self._rows: NDArray[Any] = np.empty(0)
        self.count = 0

    def append(self, row: ArrayLike) -> None:
        self.extend(np.asarray(row, dtype=float)[None])

    def extend(self, rows: Array) -> None:
        end = self.count + len(rows)
        if end > len(self._rows):
            grown = np.empty((max(BLOCK, 2 * self.count, end), *rows.shape[1:]))
            if self.count:
                grown[: self.count] = self._rows[: self.count]
            self._rows = grown
        self._rows[self.count : end] = rows
        self.count = end

    @property
    def array(self) -> Array:
        return self._rows[: self.count].copy()

    def take(self) -> Array:
        """All rows; the column is empty afterwards."""
        rows, self.count = self.array, 0
        return rows


class Frames:
    """Rows of the quantities of a Solution; with a writer they are put into its file instead of being kept.

    last_only: another process writes the file, so that only the last frame is kept
    """

    def __init__(self, writer: RunWriter | None = None, *, last_only: bool = False) -> None:
        self.count = self.steps = 0  # frames and steps so far
        self.last_time = 0.0
        self._writer, self._last_only = writer, last_only
        self._columns: dict[str, Column] = {}
        self._steps = Column()

    def record(self, state: State, energy: Mapping[str, Any]) -> None:
        """Add a frame; energy: its `energy_row`."""
        row = {name: getattr(state, name) for name in ("t", "q", "v", "a", "lam", "history")}
        row |= {f"energy/{name}": value for name, value in energy.items()}
        self.count += 1
        self.last_time = state.t
        if self._last_only:
            self._columns.clear()
        if self._writer is None:
            for name, value in row.items():
                self._columns.setdefault(name, Column()).append(value)
        else:
            blocks = {name: np.asarray(value, dtype=float)[None] for name, value in row.items()}  # copied there
            self._writer.append(blocks, {"step_times": self._steps.take()})

    def many_steps(self, times: Array) -> None:
        """Note the ends of accepted steps."""
        self.steps += times.size
        self._steps.extend(times)
        self._pass_on()

    def step(self, t: float) -> None:
        """Note the end of an accepted step."""
        self.steps += 1
        self._steps.append(t)
        self._pass_on()

    def _pass_on(self) -> None:
        if self._writer is not None and self._steps.count >= STEPS:
            self._writer.append(rows={"step_times": self._steps.take()})

    def flush(self) -> None:
        """Put everything on the disk."""
        if self._writer is not None:
            self._writer.append(rows={"step_times": self._steps.take()})
            self._writer.flush()

    def arrays(self) -> Mapping[str, Array]:
        """All columns; those of a file are read back."""
        if self._writer is not None:
            self.flush()
            return self._writer.read_back()
        return {**{name: column.array for name, column in self._columns.items()}, "step_times": self._steps.array}
