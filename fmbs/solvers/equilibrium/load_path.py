"""Equilibria under loads that grow: load steps that find their own size.

A step is a guess, from a polynomial through the last points, and Newton's method from there. It is accepted if the
equilibrium is close to the guess, compared with the step: then it belongs to the same path. Otherwise the step is halved. A
path that turns back ends there: beyond, Newton's method would find another one, or none.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fmbs.core.status import Status
from fmbs.solvers.equilibrium.corrector import Found, corrected
from fmbs.solvers.equilibrium.origin import at_rest, unloaded
from fmbs.solvers.equilibrium.predictor import extrapolated
from fmbs.solvers.equilibrium.statics import Point, Statics
from fmbs.solvers.linear import LinearSolveError

Array = NDArray[np.float64]

LONGEST = 0.3  # step, model sizes and radians
SHARE = 0.5  # of the step that Newton's method may correct
UNSEEN = 1e-6  # model sizes: corrections below are not looked at
SHORTEST = 1e-4  # step, in units of the longest so far: below, the path has ended
GROWTH = (2.0, 2.0, 2.0, 2.0, 2.0, 1.5, 1.2, 1.0)  # of the step after so many iterations
SLOW = 0.8
KEPT = 40  # points of the path that guesses may need


class EquilibriumFailure(Exception):
    """The path ends at this load factor."""

    def __init__(self, load: float, status: Status = Status.NO_EQUILIBRIUM) -> None:
        super().__init__(status.text)
        self.load, self.status = load, status


class LoadPath:
    """From the unloaded model to the whole load, or with `up_to` from one equilibrium on.

    steps: equilibria at 1/steps ... 1 are given, whatever lies between them; None: every one that was found
    """

    def __init__(self, statics: Statics, start: Point, steps: int | None) -> None:
        self._statics, self._start, self._steps = statics, start, steps
        self._path: list[Point] = []
        self._known: list[Point] = [start]
        self._step = self._widest = 1.0 / (steps or 1)

    def points(self) -> Iterator[Point]:
        origin = unloaded(self._statics, self._start)
        if origin is not None:
            self._path.append(origin)
        for k in range(1, (self._steps or 1) + 1):
            for point in self._growing(k / (self._steps or 1)):
                if self._steps is None or point.load == k / self._steps:
                    yield point

    def up_to(self, target: float) -> Point | None:
        """The equilibrium at this load factor on the path that the start belongs to; None where the path ends before.

        Loads may be asked for in any order. `end` is the last equilibrium that was found below.
        """
        below = [point for point in self._known if point.load <= target]
        self._path = (below or [self._start])[-KEPT:]
        self._step = self._widest = max(target - self._path[-1].load, 1e-300)
        while self._path[-1].load < target:
            point = self._next(target)
            if point is None:
                return None
            self._path = [*self._path[-KEPT:], point]
            self._known = sorted([*self._known, point], key=lambda one: one.load)
        return self._path[-1]

    @property
    def end(self) -> Point:
        return self._path[-1]

    def _growing(self, target: float) -> Iterator[Point]:
        while not self._path or self._path[-1].load < target:
            point = self._next(target) if self._path else None
            if point is None and (not self._path or self._path[-1].load == 0.0):
                self._path = []  # what comes to rest elsewhere begins a path of its own
                point = self._settled(target)
            if point is None:
                if not self._path:
                    raise EquilibriumFailure(0.0, Status.NOT_AT_REST)
                raise EquilibriumFailure(self._path[-1].load)
            self._statics.counters.steps += 1
            self._path = [*self._path[-KEPT:], point]
            yield point

    def _next(self, target: float) -> Point | None:
        """The next equilibrium on the path; None where it ends."""
        last, response = self._path[-1], None
        if len(self._path) == 1:
            response = self._response(last)
            if response is None:
                return None
            # So soft, or so heavily loaded: no use in halving again and again.
            self._step = self._widest = min(self._step, LONGEST / max(self._statics.size(response), 1e-300))
        while self._step >= SHORTEST * self._widest:
            gap = target - last.load
            load = target if self._step > 0.999 * gap else last.load + self._step
            found = self._tried(load, response)
            if found is not None:
                step = load - last.load
                growth = GROWTH[found.iterations] if found.iterations < len(GROWTH) else SLOW
                self._widest = step if len(self._path) == 1 else max(self._widest, step)
                self._step = max(self._step, growth * step) if load == target else growth * step
                return found.point
            self._statics.counters.rejected += 1
            self._step = 0.5 * min(self._step, gap)
            if response is None:  # short steps need the direction of the path here, not that of longer ones before
                response = self._response(last)
        return None

    def _response(self, point: Point) -> Array | None:
        try:
            return self._statics.response(point)
        except LinearSolveError:
            return None

    def _tried(self, load: float, response: Array | None) -> Found | None:
        """A step to this load factor; response: of the last point, to go straight on from there."""
        last = self._path[-1]
        if response is None:
            guess = extrapolated(self._path, load)
        else:
            guess = self._statics.moved(last, (load - last.load) * response)._replace(load=load)
        step = self._statics.size(guess.q - last.q)
        if step > 1.001 * LONGEST:
            return None
        return corrected(self._statics, guess, max(SHARE * step, UNSEEN))

    def _settled(self, target: float) -> Point | None:
        """For a model that is not in equilibrium where it is drawn, or has no stiffness there."""
        loads = (target,) if self._steps else (target, target / 4.0, target / 16.0)
        self._step = self._widest = target
        return at_rest(self._statics, self._start, loads)
