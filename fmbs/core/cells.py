"""Meshes whose points move: what bodies give to be drawn, and what all writers of files take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

VERTEX, LINE, POLYGON, TRIANGLE, QUAD = 1, 3, 7, 5, 9  # VTK's numbers
SIZES = {VERTEX: 1, LINE: 2, TRIANGLE: 3, QUAD: 4}


@dataclass(frozen=True)
class Cells:
    """Cells of any kinds by their points.

    connectivity: point numbers, cell after cell
    offsets: where each cell begins, and the end  # (cells + 1,)
    types: VTK's numbers  # (cells,)
    """

    connectivity: Integers
    offsets: Integers
    types: NDArray[np.uint8]

    @classmethod
    def of(cls, cells: Sequence[Sequence[int]]) -> Cells:
        """From lists of points; 1: a vertex, 2: a line, 3: a triangle, 4: a quadrangle, more: a polygon."""
        names = {size: kind for kind, size in SIZES.items()}
        connectivity = np.array([point for cell in cells for point in cell], dtype=np.int64)
        offsets = np.concatenate([[0], np.cumsum([len(cell) for cell in cells])]).astype(np.int64)
        return cls(connectivity, offsets, np.array([names.get(len(cell), POLYGON) for cell in cells], dtype=np.uint8))

    @classmethod
    def merged(cls, pieces: Sequence[tuple[Cells, int]]) -> Cells:
        """Several meshes as one, from (cells, number of points)."""
        first = np.concatenate([[0], np.cumsum([count for _, count in pieces])]).astype(np.int64)
        ends = np.cumsum([0, *(piece.connectivity.size for piece, _ in pieces)])
        return cls(
            np.concatenate([np.empty(0, np.int64), *(p.connectivity + start for (p, _), start in zip(pieces, first))]),
            np.concatenate([[0], *(p.offsets[1:] + start for (p, _), start in zip(pieces, ends))]).astype(np.int64),
            np.concatenate([np.empty(0, np.uint8), *(p.types for p, _ in pieces)]),
        )

    def __len__(self) -> int:
        return int(self.types.size)

    def triangles(self) -> Integers:
        """Faces cut into triangles, fans around their first points  # (n, 3)."""
        size = np.diff(self.offsets)
        found = [np.empty((0, 3), np.int64)]
        for count in np.unique(size[size > 2]):
            cell = self.connectivity[self.offsets[:-1][size == count][:, None] + np.arange(count)]  # (cells, count)
            found += [cell[:, [0, k, k + 1]] for k in range(1, count - 1)]
        return np.concatenate(found)


@dataclass(frozen=True)
class Snapshot:
    """Points and fields of a mesh at one instant; a field has one row a point."""

    points: Array  # (n, 3)
    fields: dict[str, NDArray[Any]] = field(default_factory=dict)


class Surface(Protocol):
    """A body as it is drawn: the same cells and fields at every instant."""

    @property
    def cells(self) -> Cells: ...
    def snapshot(self, q: Array, v: Array) -> Snapshot:
        """Points and fields at the body's own coordinates and velocities.

        `velocity` (n, 3), m/s, is always there; `von_mises`, Pa, and `axial_strain` colour pictures and animations, any
        others are for ParaView. The displacement is added by whoever draws.
        """
