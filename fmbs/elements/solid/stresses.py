"""Stresses at the nodes of a solid: from the points of the cells to their nodes, averaged by volume between cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.elements.solid._volume_kernels import volume_stress
from fmbs.elements.solid.shapes import HEXA8, TETRA4, CellShape
from fmbs.elements.solid.volume_batch import Volumes

if TYPE_CHECKING:
    from fmbs.elements.solid.solid import Solid

Array = NDArray[np.float64]

TENSOR = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2]])  # places of xx, yy, zz, xy, yz, xz


class NodalStress:
    """Called with the body's own coordinates it gives Cauchy's stress: xx, yy, zz, xy, yz, xz, Pa  # (points, 6)."""

    def __init__(self, solid: Solid) -> None:
        self._count, self._pieces = len(solid.mesh.points), []
        total = np.zeros(self._count)
        for piece in solid.pieces:
            cells = piece.places[:, : piece.shape.size]
            elements = Volumes.of(solid.batch.neo, [(solid, piece)], {solid: 0})
            table = elements.table
            volume = table.weight.sum(axis=1).ravel()[: len(cells)]
            np.add.at(total, cells, volume[:, None])
            self._pieces.append((table, cells, extrapolation(piece.shape), volume))
        self._total = total[:, None]

    def __call__(self, q: Array) -> Array:
        summed = np.zeros((self._count, 6))
        for table, cells, spread, volume in self._pieces:
            at_points = np.zeros((len(cells), spread.shape[1], 6))
            volume_stress(table, np.ascontiguousarray(q), at_points)
            at_nodes = volume[:, None, None] * (spread @ at_points)
            for k in range(6):
                summed[:, k] += np.bincount(cells.ravel(), at_nodes[:, :, k].ravel(), minlength=self._count)
        stress: Array = summed / self._total
        return stress


def extrapolation(shape: CellShape) -> Array:
    """Values at the nodes of a cell from those at its points: the (tri)linear field that fits them best  # (nodes, points)."""
    fitted = TETRA4 if shape.corners == 4 else HEXA8
    matrix: Array = fitted.value(shape.nodes) @ np.linalg.pinv(fitted.value(shape.rule[0]))
    return matrix


def von_mises(stress: Array) -> Array:
    """sqrt(3/2 s : s) of the deviator s."""
    xx, yy, zz, xy, yz, xz = stress.T
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    value: Array = np.sqrt(0.5 * normal + 3.0 * (xy**2 + yz**2 + xz**2))
    return value


def principal(stress: Array) -> Array:
    """The largest first  # (points, 3)."""
    values: Array = np.linalg.eigvalsh(stress[:, TENSOR])[:, ::-1]
    return values
