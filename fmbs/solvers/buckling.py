"""Critical loads: K(load) x = 0 for motions that the constraints allow, Phi_q x = 0.

K(load) is the tangent along the path of equilibria, expanded about one of them: K + s K' + s^2 K'', s = factor - load. A beam
that turns before it gives way takes its stiff directions along, which no polynomial in s can follow. So the soft motions X,
some low natural modes, are looked at alone, and all others follow them as K and K' want it. To the same order in s that leaves

    [X^T K X + s X^T K' X + s^2 (X^T K'' X - X^T K' R K' X)] y = 0,   R = K^-1 - X (X^T K X)^-1 X^T
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from fmbs.core.errors import ModelError
from fmbs.solvers.equilibrium import Point, Statics
from fmbs.solvers.equilibrium.corrector import corrected
from fmbs.solvers.equilibrium.origin import SOFT, unloaded
from fmbs.solvers.linear import LinearSolveError
from fmbs.solvers.modes import lowest_modes
from fmbs.solvers.stability import unstable_directions

Array = NDArray[np.float64]

STEP = 1e-3  # model sizes by which the equilibrium moves in the differences of its tangents
REAL = 1e-6  # imaginary part of a real eigenvalue, relative to it
FINITE = 1e-9  # 1 / s of a finite s, relative to the largest
TRUSTED = 0.3  # model sizes and radians by which loads may deform the model before it gives way
SOFT_MODES = (8, 4)  # so many, and so many more for each factor asked for


@dataclass(frozen=True, repr=False)
class Buckling:
    """Critical load factors, lowest first.

    factors: multiples of gravity and the applied loads under which the model gives way  # (n,)
    shapes: columns, how it begins to; the largest coordinate, in lengths of the model or radians, is 1  # (coordinates, n)
    """

    factors: Array
    shapes: Array

    def __repr__(self) -> str:
        rows = [f"{k:4d} {factor:16.6g}" for k, factor in enumerate(self.factors, 1)]
        return "\n".join(["Buckling", "mode      load factor", *rows])


def critical_loads(name: str, statics: Statics, about: Point, count: int) -> Buckling:
    """Expand about an equilibrium, or, where its load is 0, about the unloaded one next to it."""
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
    try:
        factors, shapes = _roots(statics, point, SOFT_MODES[0] + SOFT_MODES[1] * count)
    except LinearSolveError:
        raise ModelError(
            f"{name}: the model has no stiffness against its loads at load factor {point.load:g}; hold it."
        ) from None
    if not factors.size:
        raise ModelError(
            f"{name}: no multiple of these loads makes the model give way at rest: it gets stiffer as they grow, it deforms by "
            "a third of its size before (give at=, an equilibrium nearer to it), or loads that follow it make it flutter, "
            "which m.simulate shows. Check the directions of the loads."
        )
    x = shapes[:, :count]
    return Buckling(factors[:count], x / np.abs(x / statics.system.scale[:, None]).max(axis=0))


def _roots(statics: Statics, point: Point, soft: int) -> tuple[Array, Array]:
    """Factors beyond the load of the point, lowest first, and shapes."""
    system, n = statics.system, statics.system.size
    here, first, second, reach = _expanded(statics, point)
    _, x = lowest_modes(here, csc_matrix(system.mass_matrix), soft)
    softening = first @ x
    follow = statics.factorize(point).solve(np.vstack([softening, np.zeros((system.multipliers, x.shape[1]))]))[:n]
    k, g = x.T @ (here[:n, :n] @ x), x.T @ softening
    back = np.linalg.solve(k, g)
    h = x.T @ (second @ x) - (first.T @ x).T @ follow + g @ back
    one, none = np.eye(k.shape[0]), np.zeros_like(k)
    companion = np.block([[-back, -np.linalg.solve(k, h)], [one, none]])  # of (y / s, y)
    inverse, y = scipy.linalg.eig(companion)
    least = max(reach / TRUSTED, FINITE * float(np.abs(inverse).max(initial=0.0)))
    ahead = (np.abs(inverse.imag) <= REAL * inverse.real) & (inverse.real > least)
    order = np.flatnonzero(ahead)[np.argsort(-inverse.real[ahead])]
    s, y = 1.0 / inverse.real[order], y.real[: k.shape[0], order]
    return point.load + s, x @ y - (follow - x @ back) @ (s * y)


def _expanded(statics: Statics, point: Point) -> tuple[csc_matrix, csc_matrix, csc_matrix, float]:
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
