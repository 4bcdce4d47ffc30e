"""Where a path begins: the equilibrium without loads, or where the model comes to rest."""

from __future__ import annotations

from collections.abc import Sequence

from fmbs.solvers.equilibrium.corrector import corrected
from fmbs.solvers.equilibrium.relaxation import relaxed
from fmbs.solvers.equilibrium.statics import Point, Statics
from fmbs.solvers.linear import LinearSolveError
from fmbs.solvers.stability import unstable_directions

NEAR = 0.1  # model sizes (and radians) within which an equilibrium belongs to the drawn position
STILL = 1e-6  # model sizes: the model was drawn in equilibrium
SOFT = 1e9  # model sizes that the whole load would move a model with some stiffness at most


def unloaded(statics: Statics, start: Point) -> Point | None:
    """The equilibrium without loads next to the drawn position; None if it is elsewhere or the model has no stiffness there."""
    found = corrected(statics, start._replace(load=0.0), NEAR)
    if found is None:
        return None
    try:
        if not statics.size(statics.response(found.point)) <= SOFT:
            return None
    except LinearSolveError:
        return None
    if found.distance > STILL and unstable_directions(statics.system, found.point.q, found.point.lam, 0.0).directions:
        return None  # prestress takes the model away from there
    return found.point


def at_rest(statics: Statics, start: Point, loads: Sequence[float]) -> Point | None:
    """Where the drawn model comes to rest, under the first of these load factors for which that is found."""
    return next((point for load in loads if (point := relaxed(statics, start._replace(load=load)))), None)
