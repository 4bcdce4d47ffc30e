"""Pseudo-transient continuation: to an equilibrium that is not next to the drawn position.

(M / tau + K) dq = -residual, with tau growing as the residual falls: the motion in heavy oil, downhill to a stable
equilibrium, which ends as Newton's method (Kelley & Keyes 1998). A pendulum drawn sideways, without any stiffness, needs it.
"""

from __future__ import annotations

import numpy as np

from fmbs.solvers.equilibrium.statics import Point, Statics
from fmbs.solvers.linear import LinearSolveError

LARGEST = 0.3  # increment of one iteration, relative to the model's size
GROWTH = 1e8  # of tau, when the continuation has become Newton's method
FAR = 100.0  # model sizes: a body that nothing holds goes there
TIMES = 20  # as many iterations as a load step may take


def relaxed(statics: Statics, start: Point) -> Point | None:
    """A stable equilibrium downhill from the start, at its load factor; None if there is none."""
    if statics.balanced(start):  # nothing pulls
        return start
    system, n, point = statics.system, statics.system.size, start
    force = float(np.abs(statics.residual(start)[:n] * system.scale).max(initial=0.0)) / system.length_scale
    pull = force / system.mass_scale or 1.0
    first = tau = 0.1 * system.length_scale / pull  # moves the model by a tenth of its size
    last = np.inf
    for _ in range(TIMES * statics.settings.max_iterations):
        try:
            change = statics.factorize(point, 1.0 / tau).solve(-statics.residual(point))
        except LinearSolveError:
            return None
        size = statics.size(change)
        point = statics.moved(point, min(1.0, LARGEST / max(size, LARGEST)) * change)
        statics.searched = point
        if not statics.size(point.q - start.q) < FAR:
            return None
        if size <= statics.settings.tolerance and tau > GROWTH * first and statics.balanced(point):
            return point
        left = float(np.abs(system.mass_matrix @ change[:n]).max(initial=0.0)) / tau
        if size <= statics.settings.tolerance:  # nothing moves any more: what is left of the residual is round-off
            tau *= 6.0
        elif np.isfinite(last):
            tau *= 1.5 * min(4.0, max(0.3, last / max(left, 1e-300)))
        last = left
    return None
