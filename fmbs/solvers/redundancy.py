"""Redundant constraints: found by rank, told apart from singular positions, named.

Equations that repeat what those before them impose (a closed spatial loop with parallel axes has three) are left out, the last
ones first; the reactions of what remains are one of the possible ways to share the load.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags_array, identity

from fmbs.assembly.system import System
from fmbs.core.errors import ModelError
from fmbs.solvers.assembled import assembled
from fmbs.solvers.linear import LinearSolver, linear_solver
from fmbs.solvers.projection import project_position, project_velocity
from fmbs.solvers.saddle import Saddle

Array = NDArray[np.float64]

DENSE_LIMIT = 600  # equations; above, sparse factorisation instead of a singular value decomposition
RANK_TOLERANCE = 1e-7  # singular value of the row-normalised Jacobian
NEAR = 1e-2  # the same: positions where it is less are close to a singular one


class RedundantConstraints(UserWarning):
    """Some equations repeat others; the run goes on without them."""


def without_redundancy(build: Callable[[frozenset[int]], System], tolerance: float) -> System:
    """The system without redundant equations. Raises ModelError for contradictions and singular starting positions.

    build: makes the system with a set of equations left out
    tolerance: how far positions may be moved to assemble the model, relative to its size
    """
    full = build(frozenset())
    if not full.multipliers:
        return full
    t = full.initial_time
    drop = _redundant(_scaled_jacobian(full, t, full.initial_position))
    if not drop:
        return full
    system = build(frozenset(drop))
    linear = linear_solver("auto", system.size + system.multipliers, system.ranks)
    q = assembled(system, linear, t, system.initial_position).q
    v = project_velocity(system, linear, t, q, system.initial_velocity)
    if float(np.abs((q - system.initial_position) / system.scale).max()) <= tolerance:
        _check_contradiction(full, drop, t, q, v)
        _check_moved(full, system, linear, drop, t, q, v)
    return system


def singular_position(system: System, t: float, q: Array) -> str:
    """Equations that cannot be told from others near this place, unlike at the start, in words; "" where there are none."""
    if not system.multipliers or system.ranks.count > 1:
        return ""
    before = _redundant(_scaled_jacobian(system, system.initial_time, system.initial_position), NEAR)
    lost = [row for row in _redundant(_scaled_jacobian(system, t, q), NEAR) if row not in before]
    return _listed([system.equations.labels[row] for row in lost])


def _check_contradiction(full: System, drop: list[int], t: float, q: Array, v: Array) -> None:
    """A left-out equation must hold by itself, in position and in velocity."""
    phi, rate = full.constraints(t, q), full.equations.rates(t, q, v)
    speed = max(1.0, float(np.abs(v).max(initial=0.0)))
    for row in drop:
        label = full.equations.labels[row]
        if abs(phi[row]) > 1e-6 * max(1.0, full.length_scale):
            raise ModelError(
                f"'{label}' contradicts {_others(full, drop, row, t, q)}: it is off by {phi[row]:.3g} and they leave no way. "
                "Remove one of them, or draw the parts where they agree."
            )
        if abs(rate[row]) > 1e-6 * speed:
            raise ModelError(
                f"'{label}' contradicts {_others(full, drop, row, t, q)}: the velocities disagree by {rate[row]:.3g}. "
                "Remove one of the drives or give them speeds that fit each other."
            )


def _others(full: System, drop: list[int], row: int, t: float, q: Array) -> str:
    """The joints and drives that together impose what equation `row` does, drives first."""
    jacobian = _scaled_jacobian(full, t, q)
    kept = np.setdiff1d(np.arange(full.multipliers), drop)
    weights = np.zeros(full.multipliers)
    weights[kept] = scipy.sparse.linalg.lsqr(
        csr_matrix(jacobian[kept].T), jacobian[[row]].toarray().ravel(), atol=1e-10, btol=1e-10
    )[0]
    names: dict[bool, list[str]] = {True: [], False: []}
    for joint in full.joints:
        rows = full.dofs.multipliers_of(joint)
        if np.abs(weights[rows]).max(initial=0.0) > 1e-4:
            driven = bool(full.equations.explicit_rate(t, q)[rows].any())
            names[driven].append(full.equations.labels[rows.start].partition(":")[0])
    return _listed(names[True] + names[False]) or "the equations before it"


def _listed(names: list[str], most: int = 6) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more


def _check_moved(
    full: System, system: System, linear: LinearSolver, drop: list[int], t: float, q: Array, v: Array
) -> None:  # fmt: skip
    """Redundant equations stay so, and agree, when the model moves; at a singular position the rank comes back."""
    admissible = project_velocity(system, linear, t, q, v + np.random.default_rng(1).standard_normal(v.size) * system.scale)
    bend, _ = Saddle(system, linear, t, q).solve(0.0 * q, -system.equations.accelerations(t, q, admissible))
    speed, push = (float(np.abs(x / system.scale).max(initial=0.0)) for x in (admissible, bend))
    dt = 1e-2 / max(speed, np.sqrt(push), 1.0)
    moved = project_position(system, linear, t + dt, q + dt * admissible + 0.5 * dt * dt * bend)
    still = _redundant(_scaled_jacobian(full, t + dt, moved))
    if len(still) < len(drop):
        lost = [full.equations.labels[row] for row in drop if row not in still]
        raise ModelError(
            f"the model starts in a singular position, where {_listed(lost)} cannot be told from the other "
            "equations (a linkage folded flat?). Draw it a little apart from there."
        )
    _check_contradiction(full, drop, t + dt, moved, project_velocity(system, linear, t + dt, moved, admissible))


def _scaled_jacobian(system: System, t: float, q: Array) -> csr_matrix:
    """Phi_q for dimensionless coordinates, rows of length 1."""
    matrix = csr_matrix(system.constraint_jacobian(t, q) @ diags_array(np.where(system.lengths, _lever(system), 1.0)))
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return csr_matrix(diags_array(1.0 / np.maximum(lengths, 1e-300)) @ matrix)


def _lever(system: System) -> float:
    """Median distance of the joints' markers from the origins of their bodies: with the model's whole length, long chains
    would look singular.
    """
    q = system.drawn_position
    levers = []
    for joint in system.joints:
        for marker in (joint.a, joint.b):
            if marker.body.size:
                first, n = system.dofs[marker.body], 2 + (not marker.body.planar)
                levers.append(float(np.linalg.norm(marker.position[:n] - q[first : first + n])))
    scale = system.length_scale
    return float(np.median([x for x in levers if x > 1e-9 * scale] or [scale]))


def _redundant(jacobian: csr_matrix, tolerance: float = RANK_TOLERANCE) -> list[int]:
    """Rows that depend on those before them, from the left null space brought to echelon form from the back."""
    if jacobian.shape[0] > DENSE_LIMIT:
        return _small_pivots(jacobian, max(1e-9, tolerance**2))
    null = _left_null_space(jacobian, tolerance)  # (m, k)
    rows: list[int] = []
    for _ in range(null.shape[1]):
        live = np.flatnonzero(np.abs(null).max(axis=1) > 1e-4)
        row = int(live[-1])
        column = int(np.argmax(np.abs(null[row])))
        pivot = null[:, [column]] / null[row, column]
        null = np.delete(null - pivot @ null[[row]], column, axis=1)
        rows.append(row)
        norms = np.linalg.norm(null, axis=0)
        null = null / np.where(norms > 0.0, norms, 1.0)
    return sorted(rows)


def _left_null_space(jacobian: csr_matrix, tolerance: float) -> Array:  # (m, k)
    dense = jacobian[:, np.unique(jacobian.indices)].toarray()  # beams have many coordinates that no joint touches
    u, s, _ = np.linalg.svd(dense, full_matrices=jacobian.shape[0] > dense.shape[1])
    null: Array = u[:, int((s > tolerance).sum()) :]
    return null


def _small_pivots(jacobian: csr_matrix, least: float) -> list[int]:
    """In L D L^T of the Gram matrix, rows in their order, the pivot is the squared distance of a row from those before it.

    The little that is added to the diagonal lets the elimination pass a dependent row.
    """
    gram = (jacobian @ jacobian.T + 1e-12 * identity(jacobian.shape[0])).tocsc()
    factor = scipy.sparse.linalg.splu(gram, permc_spec="NATURAL", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    pivots = np.abs(factor.U.diagonal())[factor.perm_c]
    return [int(row) for row in np.flatnonzero(pivots < least)]
