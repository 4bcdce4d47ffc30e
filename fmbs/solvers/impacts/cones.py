"""Unilateral contact with Coulomb friction as equations, solved by a semismooth Newton method.

With impulses or forces p = (p_N, p_T) and rates u = (u_N, u_T) (u_N > 0: going in),

    0 <= p_N,  u_N <= 0,  p_N u_N = 0;   p_T in the disc of radius mu p_N, along u_T and on its edge where u_T is not zero

is p_N = max(0, p_N + r u_N), p_T = projection of p_T + r u_T onto the disc (Alart & Curnier 1991). Newton's method on it
changes all sets of closed, sticking and sliding contacts at once, as a primal-dual active set method does, with one sparse
matrix an iteration:

    [ A  Phi_q^T  G^T ]
    [ Phi_q  0    0   ]      of cost linear in the length of a chain of bodies.
    [ S G    0    C   ]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix, hstack, vstack

from fmbs.solvers.impacts.surfaces import Closed

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

SMALL = 160  # unknowns up to which a full matrix is quicker
GIVE = 1e-11  # relative compliance of contacts: without it a block on three corners has no unique forces
MOST = 60  # iterations, and one more for every contact
LITTLE = 1e-9  # of the speeds: an impulse that only says that a contact pushes
MANY = 8  # contacts: of more all push at the beginning; from none the sets would grow by one contact an iteration
TOLERANCE = 1e-11  # of the increment, relative to the unknowns
ALL_AT_ONCE = 20  # iterations after which fewer and fewer contacts change their state: all at once they may go round in circles


class Solved(NamedTuple):
    """z: (n,); lam: (m,); p: (k + slips,); iterations done; has it converged?"""

    z: Array
    lam: Array
    p: Array
    iterations: int
    converged: bool


class Linear(NamedTuple):
    """What a problem is at z, lam, p: residuals r (n,), phi (m,) and rates u (k + slips,), and the matrix of the first two.

    matrix: [A, s Phi_q^T; s Phi_q, 0], for phi times s; rows: G; pushes: as rows, but what p acts on, where it differs
    """

    r: Array
    phi: Array
    u: Array
    matrix: csc_matrix
    rows: csr_matrix
    pushes: csr_matrix


def solve(
    problem: Callable[[Array, Array, Array], Linear], closed: Closed, weights: Array, start: tuple[Array, Array, Array],
    scales: tuple[float, Array], low: Array | None = None, tolerance: float = TOLERANCE, floor: float = 1e-14,
) -> Solved:  # fmt: skip
    """z, lam and p. weights: r of every row; scales: s, and sizes of z; low: p_N is at least so much, 0 if not given.

    floor: a scaled increment of z that is smaller is round-off
    """
    z, lam, p = (x.copy() for x in start)
    s, size = scales
    low = np.zeros(closed.size) if low is None else low
    sets: Integers | None = None
    if closed.size > MANY:
        speed = float(np.abs(closed.rows @ z).max(initial=0.0)) + float(np.abs(z).max(initial=0.0))
        p[: closed.size] = np.maximum(p[: closed.size], LITTLE * weights[: closed.size] * speed)
    most = MOST + closed.size
    for iteration in range(1, most + 1):
        known = problem(z, lam, p)
        wanted = decide(closed, p, known.u, weights, low)
        if sets is not None and iteration > ALL_AT_ONCE:
            few = (
                1 + (iteration - ALL_AT_ONCE) // 4
            )  # powers of a half: of all changes, so that many contacts do not take longer
            wanted = _some(closed, sets, wanted, p, known.u, weights, 0.5**few)
        same = sets is not None and bool((sets == wanted).all())
        sets = wanted
        dz, dlam, dp = _increment(known, closed, p, weights, low, sets, s)
        z, lam, p = z + dz, lam + dlam, p + dp
        if not np.isfinite(z).all():
            break
        change, whole = (float(np.abs(x / size).max(initial=0.0)) for x in (dz, z))
        if (same or closed.size == 0) and change <= max(tolerance * whole, floor):
            return Solved(z, lam, p, iteration, True)
    return Solved(z, lam, p, most, False)


OPEN, SLIDES, STICKS = 0, 1, 2


def decide(closed: Closed, p: Array, u: Array, weights: Array, low: Array) -> NDArray[np.int64]:
    """OPEN, SLIDES or STICKS; a contact without friction slides."""
    k = closed.size
    shut = p[:k] - low + weights[:k] * u[:k] > 0.0
    reach = closed.slip_norms(p[k:] + weights[k:] * u[k:])
    limit = closed.mu * np.maximum(p[:k], 0.0)
    return np.where(shut, np.where((closed.mu > 0.0) & (reach <= limit), STICKS, SLIDES), OPEN)


def _some(
    closed: Closed, old: Integers, new: Integers, p: Array, u: Array, weights: Array, share: float
) -> Integers:  # fmt: skip
    """Of all changes a share, one at least: those of the contacts that are farthest from where they should be."""
    changed = np.flatnonzero(old != new)
    if changed.size < 2:
        return new
    k = closed.size
    off = np.abs(np.where(old == OPEN, weights[:k] * u[:k], np.minimum(p[:k], 0.0))) + closed.slip_norms(weights[k:] * u[k:])
    kept = old.copy()
    worst = changed[np.argsort(-off[changed], kind="stable")[: max(int(share * changed.size), 1)]]
    kept[worst] = new[worst]
    return kept


def _increment(
    known: Linear, closed: Closed, p: Array, weights: Array, low: Array, sets: Integers, s: float
) -> tuple[Array, Array, Array]:
    k, n, m = closed.size, known.r.size, known.phi.size
    select, force, right = _cone_rows(closed, p, known.u, weights, low, sets, s)
    total, all_rows = n + m + right.size, np.concatenate([-known.r, -s * known.phi, right])
    if total <= SMALL:
        full = np.zeros((total, total))
        full[: n + m, : n + m] = known.matrix.toarray()
        if k:
            full[:n, n + m :] = s * known.pushes.toarray().T
            full[n + m :, :n] = select @ known.rows.toarray()
            full[n + m :, n + m :] = force.toarray()
        try:
            x = np.linalg.solve(full, all_rows)
        except np.linalg.LinAlgError:
            raise ArithmeticError from None
    else:
        matrix = known.matrix
        if k:
            side = vstack([s * known.pushes.T, csr_matrix((m, right.size))])
            below = hstack([select @ known.rows, csr_matrix((right.size, m))])
            matrix = vstack([hstack([matrix, side]), hstack([below, force])], format="csc")
        try:
            x = scipy.sparse.linalg.splu(csc_matrix(matrix)).solve(all_rows)
        except RuntimeError:
            raise ArithmeticError from None
    return x[:n], s * x[n : n + m], s * x[n + m :]


def _cone_rows(
    closed: Closed, p: Array, u: Array, weights: Array, low: Array, sets: Integers, s: float
) -> tuple[csr_matrix, csr_matrix, Array]:
    """S, C and the right-hand side of S G dz + C dp/s = right."""
    k, owner = closed.size, closed.owner
    shut, slides, sticks = sets != OPEN, (sets == SLIDES)[owner], (sets == STICKS)[owner]
    y = p[k:] + weights[k:] * u[k:]
    norm = np.maximum(closed.slip_norms(y), 1e-300)[owner]
    limit = (closed.mu * np.maximum(p[:k], 0.0))[owner]
    way = np.where(slides, y / norm, 0.0)
    give = GIVE * s * s / weights  # rows of closed and sticking contacts: s G dz - give dp/s = -s u
    diagonal = np.concatenate([np.where(shut, -give[:k], 1.0), np.where(sticks, -give[k:], 1.0)])
    chosen = np.concatenate([np.where(shut, s, 0.0), np.where(sticks, s, 0.0)])
    right = np.concatenate([
        np.where(shut, -s * u[:k], (low - p[:k]) / s),
        np.where(sticks, -s * u[k:], np.where(slides, limit * way - p[k:], -p[k:]) / s),
    ])  # fmt: skip
    a, b = _pairs(owner)
    turn = np.where(slides[a], limit[a] / norm[a] * ((a == b) - way[a] * way[b]), 0.0)
    place = np.arange(k + owner.size)
    along = np.where(slides, -closed.mu[owner] * way, 0.0)
    shape = (place.size, place.size)
    select = csr_matrix(
        (np.concatenate([chosen, -weights[k + a] * turn / s]), (np.r_[place, k + a], np.r_[place, k + b])), shape
    )
    force = csr_matrix(
        (np.concatenate([diagonal, -turn, along]), (np.r_[place, k + a, k + place[: owner.size]], np.r_[place, k + b, owner])),
        shape,
    )
    return select, force, right


def _pairs(owner: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Slips of the same contact, each with itself and the other."""
    own = np.arange(owner.size)
    twin = np.flatnonzero(owner[1:] == owner[:-1]) if owner.size > 1 else np.empty(0, np.int64)
    return np.r_[own, twin, twin + 1], np.r_[own, twin + 1, twin]


def diagonal(matrix: csr_matrix) -> Array:
    """Of M: what is behind each coordinate."""
    return np.asarray(matrix.diagonal(), dtype=float)
