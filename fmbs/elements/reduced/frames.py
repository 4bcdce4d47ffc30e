"""Frames of interfaces: three directions each, which joints and forces take hold of.

A rigid interface keeps its slopes s_k orthonormal: they are the directions d_k; the one across a plane of nodes has no slope
and is a coordinate of its own, without mass. An average interface has three such directions, which are as near to its slopes as
a frame can be:

    sum_k J_k d_k x s_k = 0, that is J_k d_l.s_k = J_l d_k.s_l,   J: mean squares of the nodes' distances

This is the frame that turns with the mean rotation of the nodes, and a moment on it is spread over them as theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.equations import Equation, Term, dot
from fmbs.core.vectors import LINEAR, Vector
from fmbs.elements.reduced.interface import Seat

if TYPE_CHECKING:
    from fmbs.core.protocols import Body

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

NAMES = "123"
PAIRS = ((0, 1), (0, 2), (1, 2))


class SeatFrames:
    """Numbers of the vectors of a body that belong to its interfaces.

    centres: vector of each seat's centre; slopes: vectors of its slopes; directions: vectors of its frame, (3,)
    added: directions that are coordinates of their own, as drawn  # (added, 3)
    """

    def __init__(self, seats: Sequence[Seat], count: int) -> None:
        """count: vectors that the body has without these."""
        self.seats = seats
        self.centres = np.cumsum([0, *(1 + seat.slopes for seat in seats[:-1])])
        self.slopes = [first + 1 + np.arange(seat.slopes) for first, seat in zip(self.centres, seats, strict=True)]
        self.directions: list[Integers] = []
        added: list[Array] = []
        for seat, slopes in zip(seats, self.slopes, strict=True):
            kept = slopes if seat.rigid else slopes[:0]
            more = np.arange(kept.size, 3 if seat.name else 0)
            self.directions.append(np.concatenate([kept, count + len(added) + np.arange(more.size)]))
            added.extend(seat.axes[more])
        self.added = np.array(added).reshape(-1, 3)

    def equations(self, body: Body) -> list[Equation]:
        """What keeps the frames orthonormal and, of average interfaces, among their nodes."""
        found = []
        for seat, slopes, directions in zip(self.seats, self.slopes, self.directions, strict=True):
            d, s = ([Vector(body, LINEAR, (1.0,), (3 * int(k),)) for k in those] for those in (directions, slopes))
            found += [Equation(f"{seat.name} |{NAMES[k]}|", (Term(0.5, u, u),), 0.5) for k, u in enumerate(d)]
            if d:
                found += [dot(f"{seat.name} {NAMES[k]}.{NAMES[i]}", d[k], d[i]) for k, i in PAIRS]
            if d and not seat.rigid:
                for k, i in PAIRS:
                    share = seat.moments[[k, i]] / seat.moments[[k, i]].max()
                    terms = [Term(share[0], d[i], s[k])]
                    terms += [Term(-share[1], d[k], s[i])] if i < len(s) else []
                    found.append(Equation(f"{seat.name} mean turn {NAMES[k]}{NAMES[i]}", tuple(terms)))
        return found

    def named(self, name: str) -> int | None:
        """The number of a seat."""
        return next((number for number, seat in enumerate(self.seats) if name and seat.name == name), None)

    def point(self, body: Body, number: int, place: Array) -> Vector:
        """A point that moves with the frame of a seat: its centre and an arm."""
        seat = self.seats[number]
        return _sum(body, [self.centres[number], *self.directions[number]], [1.0, *(seat.axes @ (place - seat.centre))], True)

    def direction(self, body: Body, number: int, components: Array) -> Vector:
        return _sum(body, self.directions[number], self.seats[number].axes @ components, False)


def _sum(body: Body, vectors: Sequence[int] | Integers, shares: Sequence[float] | Array, is_point: bool) -> Vector:
    kept = [(float(share), 3 * int(k)) for share, k in zip(shares, vectors, strict=True) if abs(share) > 1e-14]
    return Vector(body, LINEAR, tuple(share for share, _ in kept), tuple(k for _, k in kept), is_point)
