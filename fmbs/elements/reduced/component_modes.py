"""Modes of Craig and Bampton: static ones of the interfaces, and eigenmodes with the interfaces held.

With C u the mean displacement and rotation of every interface,

    static:  K u + C^T s = 0,  C u = e_k;        eigenmodes:  K u + C^T s = omega^2 M u,  C u = 0

Nodes of a rigid interface have no displacements but its own: u = T u'. Both need one factorisation of [K, C^T; C, 0].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array, csr_array, hstack, vstack

from fmbs.core.errors import ModelError
from fmbs.elements.reduced.interface import Seat
from fmbs.elements.reduced.matrices import Structure, rigid_fields

Array = NDArray[np.float64]


class ComponentModes(NamedTuple):
    """Displacements of all nodes  # (modes, n, 3), static ones first; omega of the eigenmodes, rad/s."""

    fields: Array
    omega: Array


def component_modes(part: str, structure: Structure, seats: Sequence[Seat], modes: int) -> ComponentModes:
    """Static modes, six for each interface, and so many eigenmodes."""
    n = len(structure.drawn)
    glue, holds = _glue(structure.drawn, seats), _holds(structure, seats)
    held = csr_array(holds @ glue)
    k, m = (csc_array(glue.T @ matrix @ glue) for matrix in (structure.stiffness, _threefold(structure.mass)))
    scale = float(abs(k.diagonal()).mean())  # or pivots of C were nothing beside those of K
    size, rows = k.shape[0], held.shape[0]
    most = size - rows - 2
    if modes > most:
        raise ModelError(f"{part}: modes = {modes}, and so few nodes have no more than {max(most, 0)}; ask for fewer.")
    above, below = hstack([k, scale * held.T]), hstack([scale * held, csr_array((rows, rows))])
    saddle = csc_array(vstack([above, below]))
    factor = scipy.sparse.linalg.splu(saddle, permc_spec="COLAMD")
    found = []
    if seats:
        given = np.zeros((size + rows, rows))
        given[size:] = scale * np.eye(rows)
        found.append(factor.solve(given)[:size].T)
    omega = np.zeros(0)
    if modes:
        inverse = scipy.sparse.linalg.LinearOperator(
            (size, size), lambda x: factor.solve(np.append(x.ravel(), np.zeros(rows)))[:size], dtype=float
        )
        start = np.random.default_rng(0).standard_normal(size)
        squares, shapes = scipy.sparse.linalg.eigsh(k, modes, m, sigma=0.0, OPinv=inverse, v0=inverse @ start, tol=1e-12)
        omega = np.sqrt(np.maximum(squares, 0.0))
        found.append(shapes.T)
    fields = np.concatenate([np.zeros((0, size)), *found]) @ glue.T
    return ComponentModes(fields.reshape(-1, n, 3), omega)


def _threefold(m: csr_array) -> csr_array:
    return csr_array(scipy.sparse.kron(m, scipy.sparse.eye_array(3)))


def _glue(nodes: Array, seats: Sequence[Seat]) -> csr_array:
    """T of u = T u': coordinates of free nodes, then displacement and rotation of every rigid interface."""
    rigid = [seat for seat in seats if seat.rigid]
    own = np.full(len(nodes), True)
    for seat in rigid:
        own[seat.nodes] = False
    free = 3 * np.flatnonzero(own)[:, None] + np.arange(3)
    row, column, value = [free.ravel()], [np.arange(free.size)], [np.ones(free.size)]
    for i, seat in enumerate(rigid):
        motions = rigid_motions(nodes[seat.nodes] - seat.centre)  # (6, nodes, 3)
        places = np.broadcast_to(3 * seat.nodes[:, None] + np.arange(3), motions.shape)
        first = free.size + 6 * i
        row.append(places.ravel())
        column.append(np.repeat(first + np.arange(6), motions[0].size))
        value.append(motions.ravel())
    size = free.size + 6 * len(rigid)
    where = np.concatenate(row), np.concatenate(column)
    return csr_array(coo_array((np.concatenate(value), where), shape=(nodes.size, size)))


def rigid_motions(arms: Array) -> Array:
    """Unit translations and unit rotations about the point from which arms begin  # (6, n, 3)."""
    moves = np.broadcast_to(np.eye(3)[:, None], (3, *arms.shape))
    return np.concatenate([moves, np.cross(np.eye(3)[:, None], arms)])


def _holds(structure: Structure, seats: Sequence[Seat]) -> csr_array:
    """C: mean displacement and rotation of every interface; without any, of the body, weighted by mass."""
    nodes = structure.drawn
    if not seats:
        rigid = rigid_fields(nodes, structure.constant)
        weighted = np.stack([structure.mass @ field for field in rigid]).reshape(6, -1)
        return csr_array(np.linalg.inv(weighted @ rigid.reshape(6, -1).T) @ weighted)
    rows = []
    for seat in seats:
        motions = rigid_motions(nodes[seat.nodes] - seat.centre).reshape(6, -1)
        assert seat.levers is not None  # of a mesh
        moves = np.kron(seat.shares, np.eye(3))
        shared = np.concatenate([moves, np.cross(np.eye(3)[:, None], seat.levers).reshape(3, -1)])
        mean = np.zeros((6, nodes.size))
        mean[:, (3 * seat.nodes[:, None] + np.arange(3)).ravel()] = np.linalg.solve(shared @ motions.T, shared)
        rows.append(csr_array(mean))
    return csr_array(vstack(rows))
