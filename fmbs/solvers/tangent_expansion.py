"""Where a tangent becomes singular, as far as can be told from one equilibrium.

K(load) is the tangent along the path of equilibria, expanded about one of them: K + s K' + s^2 K'', s = factor - load. A beam
that turns before it gives way takes its stiff directions along, which no polynomial in s can follow. So the soft motions X,
some low natural modes, are looked at alone, and all others follow them as K and K' want it. To the same order in s that leaves

    [X^T K X + s X^T K' X + s^2 (X^T K'' X - X^T K' R K' X)] y = 0,   R = K^-1 - X (X^T K X)^-1 X^T
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.solvers.equilibrium import Point, Statics
from fmbs.solvers.equilibrium.corrector import corrected
from fmbs.solvers.equilibrium.origin import SOFT
from fmbs.solvers.linear import LinearSolveError
from fmbs.solvers.modes import lowest_modes

Array = NDArray[np.float64]

STEP = 1e-3  # model sizes by which the equilibrium moves in the differences of its tangents
REAL = 1e-6  # imaginary part of a real eigenvalue, relative to it
FINITE = 1e-9  # 1 / s of a finite s, relative to the largest
TRUSTED = 0.3  # model sizes and radians by which loads may deform the model before it gives way


class Root(NamedTuple):
    """A load factor at which the expanded tangent lets a motion go."""

    load: float
    shape: Array  # (n,)


class Expansion(NamedTuple):
    """Roots before and behind a point, lowest first, and the load factor from which on nothing is said."""

    roots: list[Root]
    horizon: float


def expanded(statics: Statics, point: Point, soft: int) -> Expansion:
    """About an equilibrium, with so many soft motions; raises LinearSolveError where it has no stiffness against its loads."""
    system, n = statics.system, statics.system.size
    here, first, second, reach = _tangents(statics, point)
    _, x = lowest_modes(here, csc_matrix(system.mass_matrix), soft)
    softening = first @ x
    follow = statics.factorize(point).solve(np.vstack([softening, np.zeros((system.multipliers, x.shape[1]))]))[:n]
    k, g = x.T @ (here[:n, :n] @ x), x.T @ softening
    back = np.linalg.solve(k, g)
    h = x.T @ (second @ x) - (first.T @ x).T @ follow + g @ back
    one, none = np.eye(k.shape[0]), np.zeros_like(k)
    companion = np.block([[-back, -np.linalg.solve(k, h)], [one, none]])  # of (y / s, y)
    inverse, y = scipy.linalg.eig(companion)
    size = np.abs(inverse.real)
    real = (np.abs(inverse.imag) <= REAL * size) & (size > max(reach / TRUSTED, FINITE * np.abs(inverse).max(initial=0.0)))
    s, y = 1.0 / inverse.real[real], y.real[: k.shape[0], real]
    shapes = x @ y - (follow - x @ back) @ (s * y)
    roots = [Root(float(point.load + s[i]), shapes[:, i]) for i in np.argsort(s)]
    return Expansion(roots, point.load + TRUSTED / reach if reach > 0.0 else np.inf)


def _tangents(statics: Statics, point: Point) -> tuple[csc_matrix, csc_matrix, csc_matrix, float]:
    """[K, Phi_q^T; Phi_q, 0], K' and K'' by differences of tangents of neighbouring equilibria; how far the loads move it."""
    n = statics.system.size
    response = statics.response(point)
    reach = statics.size(response)
    if not reach <= SOFT:
        raise LinearSolveError("no stiffness")
    step = STEP / reach if reach > 0.0 else 1.0
    here = statics.tangent(point)
    below, above = (statics.tangent(_neighbour(statics, point, response, s)) for s in (-step, step))
    first = csc_matrix((above - below)[:n, :n] / (2.0 * step))
    second = csc_matrix((above - 2.0 * here + below)[:n, :n] / (2.0 * step**2))
    return here, first, second, reach


def _neighbour(statics: Statics, point: Point, response: Array, step: float) -> Point:
    found = corrected(statics, statics.moved(point, step * response, step), STEP)
    if found is None:
        raise LinearSolveError("no equilibrium beside this one")
    return found.point
