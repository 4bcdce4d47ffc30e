"""Equilibria along a path that may turn back: spherical arc length with consistent linearisation.

|q - q_k|^2 / s^2 + (load - load_k)^2 = ds^2      beside the static equations, with the load factor as an unknown

and s the distance by which the whole load would move the unloaded model, if it stayed as soft. All is linearised together, so
that Newton's method converges quadratically (Schweizerhof & Wriggers 1986). Multipliers move along and do not count as
distance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.core.status import Status
from fmbs.solvers.equilibrium.corrector import Found, corrected
from fmbs.solvers.equilibrium.load_path import GROWTH, SHARE, SLOW, UNSEEN, EquilibriumFailure, LoadPath
from fmbs.solvers.equilibrium.origin import unloaded
from fmbs.solvers.equilibrium.statics import Point, Statics
from fmbs.solvers.linear import LinearSolveError

Array = NDArray[np.float64]

FIRST = 0.05  # arc length of the first step: a share of the whole load and of its response
LONGEST = 0.1  # step, model sizes and radians: a path is drawn from its points
SHORTEST = 1e-6  # arc length, in units of the longest so far
STRAIGHT = 0.9  # least cosine between one step and the next: curves are drawn from the points
KINK = 1e-3  # radius, in units of the widest, below which a corner is a corner
MOST = 2000  # points of a path that does not come back to the whole load


@dataclass(frozen=True)
class ArcSphere:
    """All points at the distance `radius` from the last one of the path."""

    last: Point
    radius: float
    scale: Array  # (n,) of the coordinates

    def shift(self, point: Point, change: Array, response: Array) -> float:
        """g + dg/dq (change + shift response) + dg/dload shift = 0 for g = |.|^2 - radius^2."""
        way, n = (point.q - self.last.q) / self.scale, self.scale.size
        load = point.load - self.last.load
        excess = way @ way + load**2 - self.radius**2
        slope = 2.0 * (way @ (response[:n] / self.scale) + load)
        return float(-(excess + 2.0 * way @ (change[:n] / self.scale)) / slope)


class ArcPath:
    """From the unloaded model along the path until it comes to the whole load."""

    def __init__(self, statics: Statics, start: Point) -> None:
        self._statics, self._start = statics, start
        self._radius = self._widest = FIRST

    def points(self) -> Iterator[Point]:
        origin = unloaded(self._statics, self._start)
        if origin is None:  # no stiffness, nothing to follow
            yield from LoadPath(self._statics, self._start, None).points()
            return
        scale = self._statics.system.scale
        reach = float(np.linalg.norm(self._statics.response(origin)[: scale.size] / scale))
        self._scale = scale * reach if reach > 0.0 else np.full(scale.size, np.inf)
        path = [origin]
        while path[-1].load < 1.0:
            point = self._next(path) if self._statics.counters.steps < MOST else None
            if point is None:
                raise EquilibriumFailure(path[-1].load, Status.PATH_LOST)
            self._statics.counters.steps += 1
            path = [path[-1], point]
            yield point

    def _next(self, path: list[Point]) -> Point | None:
        last = path[-1]
        way = None if len(path) == 1 else self._way(path[-2], last)
        try:
            response = self._statics.response(last)
        except LinearSolveError:
            return None
        pull = response[: self._scale.size] / self._scale
        sign = 1.0 if way is None or not pull.any() else float(np.sign(pull @ way[:-1]) or 1.0)
        rate = sign / np.sqrt(1.0 + pull @ pull)  # d load / d arc length
        self._radius = min(self._radius, LONGEST / max(abs(rate) * self._statics.size(response), 1e-300))
        while self._radius >= SHORTEST * self._widest:
            guess = self._statics.moved(last, self._radius * rate * response, self._radius * rate)
            step = self._statics.size(guess.q - last.q)
            sphere = ArcSphere(last, self._radius, self._scale)
            found = corrected(self._statics, guess, max(SHARE * step, UNSEEN), sphere)
            if found is not None and found.point.load >= 1.0:
                found = self._whole(last, found.point)
            if found is not None and self._goes_on(way, self._way(last, found.point)):
                self._widest = max(self._widest, self._radius)
                self._radius *= GROWTH[found.iterations] if found.iterations < len(GROWTH) else SLOW
                return found.point
            self._statics.counters.rejected += 1
            self._radius *= 0.5
        return None

    def _way(self, start: Point, end: Point) -> Array:
        """From one point to another, as arc length counts it  # (n + 1,)."""
        return np.append((end.q - start.q) / self._scale, end.load - start.load)

    def _goes_on(self, before: Array | None, now: Array) -> bool:
        """Does the path bend little from one step to the next? Otherwise it may have been taken back, or left."""
        if before is None:
            return True
        if self._radius > KINK * self._widest:
            return _cosine(before, now) >= STRAIGHT
        return _cosine(before[:-1], now[:-1]) >= 0.0

    def _whole(self, below: Point, above: Point) -> Found | None:
        """The equilibrium under the whole load, between these two."""
        share = (1.0 - below.load) / (above.load - below.load)
        guess = Point(1.0, below.q + share * (above.q - below.q), below.lam + share * (above.lam - below.lam))
        step = self._statics.size(above.q - below.q)
        return corrected(self._statics, guess, max(SHARE * step, UNSEEN))


def _cosine(a: Array, b: Array) -> float:
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / lengths) if lengths > 0.0 else 1.0
