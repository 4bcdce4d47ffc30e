"""Matrices of other programs: read, checked, brought into the order x, y, z of node 0, of node 1, ..."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from fmbs.core.checks import array, shown
from fmbs.core.errors import FileError, ModelError

Array = NDArray[np.float64]

ALIKE = 1e-8  # relative differences that an export in nine digits makes
FREE = 1e-6  # force that a rigid motion may cause, relative to what its parts cause


class Structure(NamedTuple):
    """A linear structure that floats freely, by n vectors: displacements of nodes, and perhaps internal ones of elements.

    mass: kg between them, the same in all three directions  # (n, n)
    stiffness: N/m  # (3n, 3n)
    drawn: nodes, m, and zeros for internal ones  # (n, 3)
    constant: 1 of nodes, 0 of internal ones: what a unit translation is
    """

    mass: csr_array
    stiffness: csr_array
    drawn: Array
    constant: Array

    @property
    def nodes(self) -> Array:
        """Those come first  # (nodes, 3)."""
        return self.drawn[self.constant > 0.0]


def structure_of(part: str, mass: Any, stiffness: Any, nodes: ArrayLike, dofs: ArrayLike | None) -> Structure:
    """dofs: rows that belong to x, y and z of each node  # (n, 3); None: in this order."""
    points = array(part, "nodes", nodes, "give an array of coordinates, (nodes, 3), m")
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 4 or not np.isfinite(points).all():
        raise ModelError(
            f"{part}: nodes has shape {points.shape}; give finite coordinates of four nodes or more, (nodes, 3), m."
        )
    full, k = (_matrix(part, name, given) for name, given in (("M", mass), ("K", stiffness)))
    order = np.arange(points.size) if dofs is None else _order(part, dofs, len(points), k.shape[0])
    for name, matrix in (("M", full), ("K", k)):
        if matrix.shape != (order.size, order.size):
            raise ModelError(
                f"{part}: {name} has shape {matrix.shape}, and {len(points)} nodes have {points.size} coordinates; give "
                "matrices of displacements x, y, z only (condense rotations before), without rows of other parts."
            )
    full, k = (csr_array(matrix[order][:, order]) for matrix in (full, k))
    for name, matrix in (("M", full), ("K", k)):
        if abs(matrix - matrix.T).max() > ALIKE * abs(matrix).max():
            raise ModelError(
                f"{part}: {name} is not symmetric; an export of one triangle needs the other one: A + A^T - diag(A)."
            )
    m = _scalar_mass(part, full)
    _check_free(part, k, points)
    return Structure(m, csr_array((k + k.T) / 2), points, np.ones(len(points)))


def _matrix(part: str, name: str, given: Any) -> csr_array:
    if isinstance(given, (str, Path)):
        try:
            given = scipy.io.mmread(given)
        except (OSError, ValueError) as error:
            raise FileError(
                f"{part}: {name} cannot be read from {given} ({error}); give a Matrix Market file (.mtx)."
            ) from None
    try:
        matrix = csr_array(given, dtype=float)
        good = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1] and bool(np.isfinite(matrix.data).all())
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ModelError(
            f"{part}: {name} = {shown(given)} is not a square matrix of finite numbers; give a sparse matrix of SciPy, an "
            "array or the path of a Matrix Market file."
        )
    return matrix


def _order(part: str, dofs: ArrayLike, nodes: int, rows: int) -> NDArray[np.int64]:
    order = np.asarray(dofs)
    if order.shape != (nodes, 3) or order.dtype.kind not in "iu" or not np.array_equal(np.sort(order.ravel()), np.arange(rows)):
        raise ModelError(
            f"{part}: dofs of shape {order.shape} do not number the {rows} rows of K once each; give the rows of x, y and z of "
            f"each of the {nodes} nodes, ({nodes}, 3), from 0 on."
        )
    return order.ravel().astype(np.int64)


def _scalar_mass(part: str, mass: csr_array) -> csr_array:
    """m of M = m (x) 1: inertia of points knows no direction."""
    m = csr_array(mass[::3, ::3])
    if abs(mass - scipy.sparse.kron(m, scipy.sparse.eye_array(3))).max() > ALIKE * abs(mass).max():
        raise ModelError(
            f"{part}: M differs between x, y and z of the nodes, or couples them; it must be that of displacements alone. "
            "Order the rows by node (x, y, z of node 0, of node 1, ...), or say their order with dofs=."
        )
    if not (m.diagonal() > 0.0).all():
        empty = int(np.argmin(m.diagonal()))
        raise ModelError(f"{part}: node {empty} has no mass; leave nodes out that belong to no element.")
    return csr_array((m + m.T) / 2)


def _check_free(part: str, stiffness: csr_array, nodes: Array) -> None:
    """Rigid motions cause no force."""
    for motion in rigid_fields(nodes, np.ones(len(nodes))):
        u = motion.ravel()
        if np.abs(stiffness @ u).max() > FREE * (abs(stiffness) @ np.abs(u)).max():
            raise ModelError(
                f"{part}: K resists rigid motions: supports are in it, or the units of K and nodes differ. Export the free "
                "structure; joints of the model hold it."
            )


def rigid_fields(drawn: Array, constant: Array) -> Array:
    """Unit translations, and rotations about the mean of the nodes, relative to their distance  # (6, n, 3)."""
    arms = drawn - np.outer(constant, constant @ drawn / constant.sum())
    arms = arms / np.abs(arms).max()
    moves = constant[None, :, None] * np.eye(3)[:, None]
    return np.concatenate([moves, np.cross(np.eye(3)[:, None], arms)])
