"""Coordinates of a solid: free nodes, internal modes of elements and frames of interfaces, in blocks of three.

Everything that elements know are places x_p: mesh nodes, then internal modes. Each is x_p = sum_b W_pb y_b of the blocks y_b.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from fmbs.core.errors import ModelError
from fmbs.core.words import counted
from fmbs.elements.solid.interface import Interface
from fmbs.elements.solid.volume_mesh import VolumeMesh

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SolidLayout:
    """places: cells with the numbers of their nodes and internal modes; carriers: W  # (places, blocks).

    drawn: y_b at t = 0  # (blocks, 3); is_point, is_length: of each block; frames: first block of each interface
    """

    places: list[Integers]
    carriers: csr_matrix
    drawn: Array
    is_point: NDArray[np.bool_]
    is_length: NDArray[np.bool_]
    frames: dict[str, int]

    @classmethod
    def of(cls, part: str, mesh: VolumeMesh, modes: Sequence[int], interfaces: Sequence[Interface]) -> SolidLayout:
        """modes: internal modes of each cell, for each kind of cells."""
        nodes, count = len(mesh.points), len(mesh.points)
        places = []
        for cells, inner in zip(mesh.cells.values(), modes, strict=True):
            extra = count + np.arange(len(cells) * inner).reshape(len(cells), inner)
            count += extra.size
            places.append(np.hstack([cells, extra]))
        rigid = [interface for interface in interfaces if interface.rigid]
        _check_apart(part, rigid)
        free = np.ones(count, bool)
        for interface in rigid:
            free[interface.nodes] = False
        order = _order(places, count)
        order = order[free[order]]
        first = int(np.argmax(order < nodes))  # a body's first coordinates are those of a point
        order[[0, first]] = order[[first, 0]]
        number = np.full(count, -1)
        number[order] = np.arange(order.size)
        own = np.flatnonzero(free)
        rows, columns, values = [own], [number[own]], [np.ones(own.size)]
        frames = {interface.name: order.size + 4 * k for k, interface in enumerate(interfaces)}
        drawn = np.zeros((order.size + 4 * len(interfaces), 3))
        is_point, is_length = (np.ones(len(drawn), bool) for _ in range(2))
        drawn[: order.size] = np.concatenate([mesh.points, np.zeros((count - nodes, 3))])[order]
        is_point[: order.size] = order < nodes
        for interface in interfaces:
            first = frames[interface.name]
            drawn[first : first + 4] = np.vstack([interface.position, np.eye(3)])
            is_point[first + 1 : first + 4] = is_length[first + 1 : first + 4] = False
            if interface.rigid:
                share = _arms(mesh.points[interface.nodes] - interface.position)
                rows.append(np.repeat(interface.nodes, 4))
                columns.append(np.tile(first + np.arange(4), interface.nodes.size))
                values.append(share.ravel())
        data, place = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
        carriers = csr_matrix((data, place), shape=(count, len(drawn)))
        carriers.eliminate_zeros()
        return cls(places, carriers, drawn, is_point, is_length, frames)

    def combined(self, places: Integers, weights: Array) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """sum weights x_places: coefficients and first local coordinates of the blocks, for a vector."""
        row = csr_matrix(
            csr_matrix((weights, (np.zeros_like(places), places)), shape=(1, self.carriers.shape[0])) @ self.carriers
        )
        row.sum_duplicates()
        return tuple(row.data.tolist()), tuple((3 * row.indices.astype(np.int64)).tolist())


def _arms(arms: Array) -> Array:
    """1, X_1, X_2, X_3 of nodes; those that are zero to round-off are zero, so that fewer unknowns are coupled."""
    small = 1e-12 * np.abs(arms).max()
    return np.hstack([np.ones((len(arms), 1)), np.where(np.abs(arms) < small, 0.0, arms)])


def _check_apart(part: str, rigid: Sequence[Interface]) -> None:
    for k, one in enumerate(rigid):
        for other in rigid[:k]:
            shared = np.intersect1d(one.nodes, other.nodes)
            if shared.size:
                raise ModelError(
                    f"{part}: the rigid interfaces {other.name!r} and {one.name!r} share {counted(shared.size, 'node')}, which "
                    "can follow one of them only; make one of them kind='average', or choose sets that do not touch."
                )


def _order(places: Sequence[Integers], count: int) -> Integers:
    """Places so that elements see near numbers only (reverse Cuthill-McKee)."""
    elements = sum(map(len, places))
    starts = np.cumsum([0, *map(len, places)])
    rows = np.concatenate([first + np.repeat(np.arange(len(p)), p.shape[1]) for p, first in zip(places, starts)])
    columns = np.concatenate([p.ravel() for p in places])
    incidence = csr_matrix((np.ones(rows.size, np.int8), (rows, columns)), shape=(elements, count))
    around = csr_matrix((incidence.T.astype(bool) @ incidence.astype(bool)).astype(np.int8))
    order: Integers = scipy.sparse.csgraph.reverse_cuthill_mckee(around, symmetric_mode=True).astype(np.int64)
    return order
