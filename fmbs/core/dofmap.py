"""Where every body and every joint sits in the global vectors; nothing is written onto the user's objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fmbs.core.protocols import Body, Part


@dataclass(frozen=True)
class DofMap:
    """Global numbering.

    bodies: in the order they were added; body i owns coordinates offsets[i] : offsets[i + 1]
    rows: for each part with equations, the multipliers it owns
    """

    bodies: tuple[Body, ...]
    start: dict[int, int]  # id(body) -> first coordinate
    rows: dict[int, slice]  # id(part) -> multipliers
    coordinates: int
    multipliers: int

    @classmethod
    def number(cls, bodies: Sequence[Body], equations: Sequence[tuple[Part, int]]) -> DofMap:
        """Count through bodies and through (part, number of equations)."""
        start: dict[int, int] = {}
        n = 0
        for body in bodies:
            start[id(body)] = n
            n += body.size
        rows: dict[int, slice] = {}
        m = 0
        for part, count in equations:
            rows[id(part)] = slice(m, m + count)
            m += count
        return cls(tuple(bodies), start, rows, n, m)

    def __getitem__(self, body: Body) -> int:
        return self.start[id(body)]

    def coordinates_of(self, body: Body) -> slice:
        """The body's slice of q."""
        first = self[body]
        return slice(first, first + body.size)

    def multipliers_of(self, part: Part) -> slice:
        """The part's slice of lam."""
        return self.rows[id(part)]
