"""Meshes of volume cells: points, cells, named sets, and the skin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
import scipy
from numpy.typing import NDArray

from fmbs.core.checks import nearest
from fmbs.core.errors import ModelError
from fmbs.elements.solid.shapes import TETRA10, VOLUMES, CellShape

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Facets:
    """Faces of one shape on the skin, anticlockwise from outside.

    nodes: (faces, nodes of each); owner: number of the cell that each belongs to, among those of all kinds
    """

    shape: CellShape
    nodes: Integers
    owner: Integers

    def __len__(self) -> int:
        return len(self.nodes)

    def shares(self, points: Array) -> Array:
        """int N_i dA, m^2, and int N_i x dA, m^3, of each face  # (faces, nodes of each, 4)."""
        x, w = self.shape.rule
        value = self.shape.value(x)
        slope = np.einsum("pik,fic->fpkc", self.shape.slope(x), points[self.nodes])
        area = w * np.linalg.norm(np.cross(slope[:, :, 0], slope[:, :, 1]), axis=2)
        place = np.einsum("pi,fic->fpc", value, points[self.nodes])
        share: Array = np.einsum("fp,pi,fpk->fik", area, value, np.insert(place, 0, 1.0, axis=2))
        return share


@dataclass(frozen=True, eq=False)
class VolumeMesh:
    """What a solid is made of.

    points: m  # (n, 3)
    cells: {"tetra10": (cells, 10), ...} in the order of nodes of VTK and meshio
    sets: {name: numbers of points, or corners of faces (faces, 3 or 4, -1 for none)}
    """

    points: Array
    cells: Mapping[str, Integers]
    sets: Mapping[str, Integers] = field(default_factory=dict)

    def shaped(self) -> list[tuple[CellShape, Integers]]:
        """Cells with their shapes."""
        return [(VOLUMES[kind], cells) for kind, cells in self.cells.items()]

    @cached_property
    def skin(self) -> list[Facets]:
        """Faces that belong to one cell only, by shape."""
        pieces: dict[str, list[tuple[CellShape, Integers, Integers]]] = {}
        first = 0
        for shape, cells in self.shaped():
            for face in shape.faces:
                owner = first + np.arange(len(cells))
                pieces.setdefault(shape.face.name, []).append((shape.face, cells[:, face], owner))
            first += len(cells)
        faces = [
            Facets(group[0][0], np.concatenate([nodes for _, nodes, _ in group]), np.concatenate([x for *_, x in group]))
            for group in pieces.values()
        ]
        keys = np.concatenate([_corner_keys(f.nodes[:, : f.shape.corners]) for f in faces])
        _, number, count = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
        alone = count[number] == 1
        ends = np.cumsum([0, *map(len, faces)])
        kept = [alone[a:b] for a, b in pairwise(ends)]
        return [Facets(f.shape, f.nodes[keep], f.owner[keep]) for f, keep in zip(faces, kept)]

    def nodes_of(self, part: str, name: str) -> Integers:
        """Points of a set."""
        chosen = self._set(part, name)
        nodes = np.unique(chosen[chosen >= 0])
        if chosen.ndim == 2:  # nodes between the corners too
            skin = [facets.nodes for facets in self.facets_of(part, name)]
            nodes = np.unique(np.concatenate([nodes, *(x.ravel() for x in skin)]))
        found: Integers = nodes
        return found

    def facets_of(self, part: str, name: str) -> list[Facets]:
        """Faces of the skin that a set has: those that it lists, or those of whose nodes it has all."""
        chosen = self._set(part, name)
        found = []
        inside = np.zeros(len(self.points), bool)
        inside[chosen[chosen >= 0]] = True
        listed = set(map(tuple, _corner_keys(chosen).tolist())) if chosen.ndim == 2 else None
        for facets in self.skin:
            corners = facets.nodes[:, : facets.shape.corners]
            keep = inside[corners].all(axis=1)
            if listed is not None:
                keep[keep] = [tuple(key) in listed for key in _corner_keys(corners[keep]).tolist()]
            if keep.any():
                found.append(Facets(facets.shape, facets.nodes[keep], facets.owner[keep]))
        return found

    def _set(self, part: str, name: str) -> Integers:
        if not isinstance(name, str) or name not in self.sets:
            raise ModelError(f"{part}: there is no set of the mesh called {name!r}.{nearest(name, self.sets)}")
        return self.sets[name]

    def quadratic(self) -> VolumeMesh:
        """The same shape with a node in the middle of every edge; cells of second order stay as they are."""
        points, cells, count = [self.points], {}, len(self.points)
        edges: dict[str, Integers] = {}
        for kind, nodes in self.cells.items():
            if VOLUMES[kind].linear:
                edges[kind] = np.sort(nodes[:, VOLUMES[kind].edges], axis=2)
            else:
                cells[kind] = nodes
        every = np.concatenate([pairs.reshape(-1, 2) for pairs in edges.values()])
        once, number = np.unique(every, axis=0, return_inverse=True)
        points.append(self.points[once].mean(axis=1))
        start = 0
        for kind, pairs in edges.items():
            own = count + number[start : start + pairs.shape[0] * pairs.shape[1]].reshape(pairs.shape[:2])
            start += own.size
            name = TETRA10.name if VOLUMES[kind].corners == 4 else "hexahedron20"
            made = np.hstack([self.cells[kind], own])
            cells[name] = np.vstack([cells[name], made]) if name in cells else made
        sets = {}
        for name, chosen in self.sets.items():
            if chosen.ndim == 1:
                inside = np.zeros(count, bool)
                inside[chosen] = True
                chosen = np.append(chosen, count + np.flatnonzero(inside[once].all(axis=1)))
            sets[name] = chosen
        return VolumeMesh(np.concatenate(points), cells, sets)

    def pieces(self) -> tuple[int, Integers]:
        """How many parts hang together, and in which each point is."""
        rows = np.concatenate([np.repeat(cells[:, 0], cells.shape[1] - 1) for cells in self.cells.values()])
        columns = np.concatenate([cells[:, 1:].ravel() for cells in self.cells.values()])
        graph = scipy.sparse.coo_array((np.ones(rows.size, bool), (rows, columns)), shape=(len(self.points),) * 2)
        count, label = scipy.sparse.csgraph.connected_components(graph, directed=False)
        return int(count), label.astype(np.int64)


def _corner_keys(corners: Integers) -> Integers:
    """Sorted corners of faces, four each: a triangle has -1 first."""
    four = corners if corners.shape[1] == 4 else np.pad(corners, ((0, 0), (0, 1)), constant_values=-1)
    return np.sort(four, axis=1)
