"""A solid as it is drawn: its skin in pictures and reports, all of its cells in ParaView."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import TRIANGLE, Cells, Snapshot
from fmbs.elements.solid.stresses import NodalStress, principal, von_mises

if TYPE_CHECKING:
    from fmbs.elements.solid.solid import Solid

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

TRIANGLES = {  # of faces with so many nodes
    3: [(0, 1, 2)],
    6: [(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)],
    4: [(0, 1, 2), (0, 2, 3)],
    8: [(0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 6), (4, 6, 7)],
    9: [(0, 4, 8), (4, 1, 8), (1, 5, 8), (5, 2, 8), (2, 6, 8), (6, 3, 8), (3, 7, 8), (7, 0, 8)],
}


class SolidSkin:
    """Triangles between the nodes of the skin, coloured by von Mises' stress."""

    def __init__(self, solid: Solid) -> None:
        faces = [f.nodes[:, TRIANGLES[f.shape.size]].reshape(-1, 3) for f in solid.mesh.skin if len(f)]
        self._nodes, number = np.unique(np.concatenate(faces), return_inverse=True)
        self._solid, self._stress = solid, NodalStress(solid)
        connectivity = number.astype(np.int64).ravel()
        count = connectivity.size // 3
        self.cells = Cells(connectivity, 3 * np.arange(count + 1), np.full(count, TRIANGLE, np.uint8))

    def snapshot(self, q: Array, v: Array) -> Snapshot:
        fields = {
            "velocity": self._solid.positions(v)[self._nodes],
            "von_mises": von_mises(self._stress(q)[self._nodes]),
        }
        return Snapshot(self._solid.positions(q)[self._nodes], fields)


class SolidVolume:
    """All cells as they are computed, with stresses averaged at the nodes."""

    def __init__(self, solid: Solid) -> None:
        self._solid, self._stress = solid, NodalStress(solid)
        blocks = solid.mesh.shaped()
        sizes = np.concatenate([np.full(len(cells), shape.size) for shape, cells in blocks])
        self.cells = Cells(
            np.concatenate([cells.ravel() for _, cells in blocks]),
            np.append(0, np.cumsum(sizes)),
            np.concatenate([np.full(len(cells), shape.vtk, np.uint8) for shape, cells in blocks]),
        )

    def snapshot(self, q: Array, v: Array) -> Snapshot:
        stress = self._stress(q)
        fields = {
            "velocity": self._solid.positions(v),
            "stress": stress,
            "von_mises": von_mises(stress),
            "principal_stress": principal(stress),
        }
        return Snapshot(self._solid.positions(q), fields)
