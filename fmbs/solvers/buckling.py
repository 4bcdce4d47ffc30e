"""Critical loads: K(load) x = 0 for motions that the constraints allow, Phi_q x = 0.

Guesses come from the tangent expanded about the start. The path of equilibria is followed to 80, 95 and 99 % of each, and the
tangent expanded there again: a guess that stays where it is is a critical load, one that moves along comes from the end of the
series. Where the path turns back, its end is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.described import Described, words
from fmbs.core.errors import ModelError
from fmbs.core.words import table
from fmbs.solvers.equilibrium import LoadPath, Point, Statics
from fmbs.solvers.equilibrium.origin import unloaded
from fmbs.solvers.linear import LinearSolveError
from fmbs.solvers.stability import Loose, has_potential, unstable_directions
from fmbs.solvers.tangent_expansion import Root, expanded

Array = NDArray[np.float64]

SOFT_MODES = (8, 4)  # so many, and so many more for each factor asked for
SHARES = (0.8, 0.95, 0.99)  # of the way to a guess, where it is looked for again
SAME = 0.02  # of that way, by which a critical load may seem to move from one of them to the next
HALVINGS = 12  # of the loads between a stable and an unstable equilibrium


@dataclass(frozen=True)
class Buckling(Described):
    """Critical load factors, lowest first.

    factors: multiples of gravity and the applied loads under which the model gives way  # (n,)
    shapes: columns, how it begins to; the largest coordinate, in lengths of the model or radians, is 1  # (coordinates, n)
    """

    factors: Array
    shapes: Array

    def _facts(self) -> dict[str, Any]:
        return {"factors": self.factors}

    def __str__(self) -> str:
        lines = [(str(k), words(factor)) for k, factor in enumerate(self.factors, 1)]
        return "\n".join(["Buckling", table([("mode", "load factor"), *lines])])


def critical_loads(name: str, statics: Statics, about: Point, count: int) -> Buckling:
    """Along the path from an equilibrium, or, where its load is 0, from the unloaded one next to it."""
    if not statics.system.applied(0.0, about.q).any():
        raise ModelError(f"{name}: there is neither gravity nor a load whose critical factor could be looked for; add one.")
    point = about if about.load else unloaded(statics, about)
    if point is None:
        raise ModelError(
            f"{name}: without its loads the model does not stand where it is drawn: it has no stiffness against them, or is "
            "not in equilibrium. What hangs or is free does not buckle: hold it, draw it in equilibrium, or give "
            "at=m.equilibrium()."
        )
    if not statics.balanced(point):
        raise ModelError(
            f"{name}: the last frame of at is not an equilibrium of this model; give a solution of m.equilibrium()."
        )
    if unstable_directions(statics.system, point.q, point.lam, point.load):
        raise ModelError(
            f"{name}: the equilibrium at load factor {point.load:g} is not stable, a critical load lies below it; give an "
            "equilibrium under smaller loads, or leave at out."
        )
    search = _Search(statics, point, SOFT_MODES[0] + SOFT_MODES[1] * count)
    try:
        roots = search.lowest(count)
    except LinearSolveError:
        raise ModelError(
            f"{name}: the model has no stiffness against its loads at load factor {point.load:g}; hold it."
        ) from None
    if search.missed is not None:
        raise ModelError(
            f"{name}: the model gives way at load factor {search.missed:.4g}, but not as its tangents below foretell; contacts "
            "that open or close do so. Look at m.equilibrium() under loads around there."
        )
    if not roots:
        raise ModelError(
            f"{name}: no multiple of these loads makes the model give way at rest: it gets stiffer as they grow, it deforms by "
            "a third of its size before (give at=, an equilibrium nearer to it), or loads that follow it make it flutter, "
            "which m.simulate shows. Check the directions of the loads."
        )
    x = np.column_stack([root.shape for root in roots])
    return Buckling(np.array([root.load for root in roots]), x / np.abs(x / statics.system.scale[:, None]).max(axis=0))


class _Search:
    """For critical loads on the path through a stable equilibrium; missed: a load that gives way though no root is there."""

    def __init__(self, statics: Statics, start: Point, soft: int) -> None:
        self._statics, self._start, self._soft = statics, start, soft
        self._path, self._end = LoadPath(statics, start, None), np.inf  # load at which the path turns back
        self._found: list[Root] = []
        self.missed: float | None = None

    def lowest(self, count: int) -> list[Root]:
        first = expanded(self._statics, self._start, self._soft)
        for root in first.roots:
            if root.load > self._start.load and len(self._found) < count:
                self._look_at(root.load)
        lower = self._gives_way_below(min((root.load for root in self._found), default=first.horizon))
        if lower is not None:
            known = len(self._found)
            self._look_at(lower)
            self.missed = lower if len(self._found) == known else None
        return sorted(self._found, key=lambda root: root.load)[:count]

    def _look_at(self, guess: float) -> None:
        """Keep the critical loads next to a guess, if there are any."""
        roots, moved = list[Root](), np.inf
        for share in SHARES:
            if guess >= self._end or any(self._same(guess, root.load) for root in self._found):
                return
            roots = self._roots(guess, share)
            if not roots:
                return
            nearest = min((root.load for root in roots), key=lambda load: abs(load - guess))
            moved, guess = abs(nearest - guess), nearest
        if moved <= self._width(guess) and not self._flutters_before(self._path.end):
            self._found += [root for root in roots if self._same(root.load, guess)]

    def _roots(self, guess: float, share: float) -> list[Root]:
        """Of the tangent at a share of the way to the guess."""
        point = self._path.up_to(self._start.load + share * (guess - self._start.load))
        if point is None:
            self._turn_back()
            return []
        try:
            return expanded(self._statics, point, self._soft).roots
        except LinearSolveError:
            return []

    def _turn_back(self) -> None:
        """The load cannot grow beyond the end of the path: that is a critical load, if the tangent below says so too."""
        self._end = end = self._path.end.load
        near = [root for root in self._roots(end, SHARES[-1]) if self._same(root.load, end)]
        if near:
            self._found.append(min(near, key=lambda root: abs(root.load - end))._replace(load=end))
        elif end > self._start.load:
            self.missed = end

    def _gives_way_below(self, load: float) -> float | None:
        """A load where the path has become unstable before; None if it has not."""
        low, high = self._start.load, self._start.load + SHARES[-1] * (min(load, self._end) - self._start.load)
        if not np.isfinite(high) or self._stable(high):
            return None
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self._stable(middle) else (low, middle)
        return high

    def _stable(self, load: float) -> bool:
        point = self._path.up_to(load)
        if point is None:
            self._turn_back()
            return True
        return not self._has_potential(point) or not self._loose(point)  # otherwise flutter may have come first

    def _flutters_before(self, point: Point) -> bool:
        """Two motions that have fluttered may become two that give way. Then there are more of these than critical loads."""
        loose = self._loose(point)
        return not self._has_potential(point) and loose.directions + 2 * loose.pairs > len(self._found)

    def _loose(self, point: Point) -> Loose:
        return unstable_directions(self._statics.system, point.q, point.lam, point.load)

    def _has_potential(self, point: Point) -> bool:
        n = self._statics.system.size
        return has_potential(self._statics.tangent(point)[:n, :n])

    def _same(self, load: float, other: float) -> bool:
        return abs(load - other) <= self._width(other)

    def _width(self, load: float) -> float:
        return SAME * (load - self._start.load)
