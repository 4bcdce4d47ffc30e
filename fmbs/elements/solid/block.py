"""Meshes of boxes, for trials and comparisons."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import choice, positive, vector, whole
from fmbs.elements.solid.shapes import HEXA8, HEXA20, TETRA4, TETRA10, VOLUMES
from fmbs.elements.solid.volume_mesh import VolumeMesh

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

SIX = ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))  # tetrahedra of a cube


def block_mesh(name: str, size: ArrayLike, divisions: object, kind: str, corner: ArrayLike) -> VolumeMesh:
    """A box from `corner` on with the sets x-, x+, y-, y+, z-, z+ of its sides."""
    kind = choice(name, "kind", kind, VOLUMES)
    lengths = np.array([positive(name, "size", x) for x in vector(name, "size", size)])
    count = [whole(name, "divisions", int(n) if float(n).is_integer() else n) for n in vector(name, "divisions", divisions)]
    fine = 2 if kind == "hexahedron27" else 1
    grid = [np.linspace(0.0, 1.0, fine * n + 1) for n in count]
    share = np.stack(np.meshgrid(*grid, indexing="ij"), axis=-1).reshape(-1, 3)
    points = vector(name, "corner", corner) + share * lengths
    shape = tuple(g.size for g in grid)
    first = np.stack(np.meshgrid(*(np.arange(0, fine * n, fine) for n in count), indexing="ij"), axis=-1).reshape(-1, 3)
    reference = VOLUMES[kind].nodes if fine == 2 else HEXA8.nodes
    places = first[:, None] + np.rint(fine * reference).astype(np.int64)
    cells = np.ravel_multi_index(tuple(np.moveaxis(places, 2, 0)), shape)
    sides = {
        f"{axis}{sign}": np.flatnonzero(share[:, k] == end)
        for k, axis in enumerate("xyz")
        for sign, end in (("-", 0), ("+", 1))
    }
    if kind in (TETRA4.name, TETRA10.name):
        mesh = VolumeMesh(points, {TETRA4.name: cells[:, SIX].reshape(-1, 4)}, sides)
    else:
        mesh = VolumeMesh(points, {HEXA8.name if fine == 1 else kind: cells}, sides)
    return mesh.quadratic() if kind in (TETRA10.name, HEXA20.name) else mesh
