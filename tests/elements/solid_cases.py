"""Small solids of every kind of cells, with cells that are distorted."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import fmbs as fm
from fmbs.elements.solid.block import block_mesh
from fmbs.elements.solid.volume_mesh import VolumeMesh

Array = np.ndarray
KINDS = ("tetra", "tetra10", "hexahedron", "hexahedron20", "hexahedron27")
LAWS = ("st-venant-kirchhoff", "neo-hookean")
SIZE = np.array([1.0, 0.8, 0.6])
RUBBER = fm.Material(E=2e6, nu=0.3, density=1000.0)


def distorted(
    kind: str, divisions: tuple[int, int, int] = (2, 2, 2), shift: tuple[float, ...] = (0.12, -0.1, 0.09)
) -> VolumeMesh:
    """A box whose inner node is moved; its cells have straight edges."""
    simple = {"tetra10": "tetra", "hexahedron20": "hexahedron"}.get(kind, kind)
    mesh = block_mesh("box", SIZE, divisions, simple, (0.0, 0.0, 0.0))
    hat = np.prod(1.0 - np.abs(2.0 * mesh.points / SIZE - 1.0), axis=1)
    moved = VolumeMesh(mesh.points + hat[:, None] * np.array(shift), mesh.cells, mesh.sets)
    return moved.quadratic() if simple != kind else moved


def solid_of(mesh: VolumeMesh, material: fm.Material = RUBBER, **options: Any) -> fm.Solid:
    """Without the warning of tetrahedra of 4 nodes, which tests know of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fm.PoorMesh)
        return fm.Solid("box", mesh.points, mesh.cells, sets=mesh.sets, material=material, **options)
