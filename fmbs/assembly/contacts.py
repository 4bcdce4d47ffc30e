"""Contacts: all batches with a history, seen as one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import Batch, ContactBatch, Part

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Contacts:
    """Histories and gaps of a system; empty for most models. Stations of all batches are numbered through."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self.batches = [batch for batch in batches if isinstance(batch, ContactBatch)]
        self._histories = _slices([batch.history_size for batch in self.batches])
        self._stations = _slices([batch.free(batch.initial_history()).size for batch in self.batches])

    @property
    def overdamped(self) -> bool:
        """Are there films, whose transients are over in microseconds?"""
        return any(batch.overdamped for batch in self.batches)

    def __bool__(self) -> bool:
        return bool(self.batches)

    def initial_history(self) -> Array:
        return _join([batch.initial_history() for batch in self.batches])

    def begin(self, t: float, q: Array, v: Array, history: Array, h: float = 0.0) -> None:
        """A step of size h starts at this state; h = 0: forces are those of this instant."""
        for batch, own in self._own(history):
            batch.begin(t, q, v, own, h)

    def end(self, t: float, q: Array, v: Array) -> Array:
        """History after the step that `begin` started."""
        return _join([batch.end(t, q, v) for batch in self.batches])

    def gaps(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Penetrations, m (negative: open), and their rates, m/s."""
        parts = [batch.gaps(q, v) for batch in self.batches]
        return _join([depth for depth, _ in parts]), _join([rate for _, rate in parts])

    def free(self, history: Array) -> Flags:
        """Stations that are not in contact."""
        flags = [batch.free(own) for batch, own in self._own(history)]
        return flags[0] if len(flags) == 1 else np.concatenate([np.empty(0, bool), *flags])

    def touch(self, history: Array, stations: Flags, speed: Array) -> Array:
        """History when these stations come into contact at these approach speeds."""
        own = zip(self._own(history), self._stations, strict=True)
        return _join([batch.touch(past, stations[part], speed[part]) for (batch, past), part in own])

    def exchange(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        """Power that flows into each station, W, and the elastic energy that it stores, J."""
        parts = [batch.exchange(t, q, v) for batch in self.batches]
        return _join([power for power, _ in parts]), _join([stored for _, stored in parts])

    def names(self) -> list[tuple[Part, str]]:
        """Joint and end of every station."""
        return [name for batch in self.batches for name in batch.names()]

    def labels(self) -> list[tuple[str, str]]:
        """The same in words: name of the joint, or its class where it has none, and end."""
        return [(part.name or type(part).__name__, end) for part, end in self.names()]

    def slices(self, batch: ContactBatch) -> tuple[slice, slice]:
        """Where a batch's history and stations stand among all."""
        i = self.batches.index(batch)
        return self._histories[i], self._stations[i]

    def _own(self, history: Array) -> list[tuple[ContactBatch, Array]]:
        return [(batch, history[part]) for batch, part in zip(self.batches, self._histories, strict=True)]


def _slices(sizes: Sequence[int]) -> list[slice]:
    ends = np.cumsum([0, *sizes])
    return [slice(int(a), int(b)) for a, b in pairwise(ends)]


def _join(pieces: Sequence[Array]) -> Array:
    return pieces[0] if len(pieces) == 1 else np.concatenate([np.empty(0), *pieces])
