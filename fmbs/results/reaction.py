"""Reactions of joints and drives from the multipliers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.core.described import Described
from fmbs.core.equations import Equation, Term
from fmbs.core.marker import Marker
from fmbs.core.protocols import Offsets
from fmbs.core.vectors import VectorPool
from fmbs.math.vector_kernels import vector_values

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Reaction(Described):
    """What a joint or drive does to the body of its second marker, in global axes.

    force: N, at the marker  # (frames, 3), or (frames, 2) in the plane
    moment: N m, about the marker  # (frames, 3), or (frames,) in the plane
    """

    force: Array
    moment: Array


def reaction(equations: list[Equation], b: Marker, planar: bool, t: Array, q: Array, lam: Array, offsets: Offsets) -> Reaction:
    """The virtual work -lam dPhi of a displacement and a rotation of b's body.

    A term w u . z of an equation moves a point u of that body with the force -lam w z, and turns a direction u with the
    moment u x (-lam w z).
    """
    pool = VectorPool()
    centre = pool.number(b.point)
    sides = []  # (equation, term, moving vector, its partner)
    for row, equation in enumerate(equations):
        for term in equation.terms:
            for mine, other in ((term.u, term.z), (term.z, term.u)):
                if mine.body is b.body:
                    sides.append((row, term, pool.number(mine), pool.number(other), mine.is_point))
    table = pool.table(offsets)
    u = np.empty((t.size, table.kind.size, 3))
    for frame in range(t.size):
        vector_values(table, q[frame], u[frame])
    force, moment = np.zeros((t.size, 3)), np.zeros((t.size, 3))
    for row, term, i, j, is_point in sides:
        weight = _weights(term, t, q, offsets)
        push: Array = -(lam[:, row] * weight)[:, None] * u[:, j]
        if is_point:
            force += push
            moment += np.cross(u[:, i] - u[:, centre], push)
        else:
            moment += np.cross(u[:, i], push)
    return Reaction(force[:, :2], moment[:, 2]) if planar else Reaction(force, moment)


def _weights(term: Term, t: Array, q: Array, offsets: Offsets) -> Array:
    if term.by is not None:
        return term.weight * term.by.values(q[:, offsets[term.by.body] + term.by.index])
    if not callable(term.phase):
        return np.full(t.size, term.weight)
    angles = np.array([term.phase(float(x))[0] for x in t])
    weights: Array = term.weight * (np.sin(angles) if term.sine else np.cos(angles))
    return weights
