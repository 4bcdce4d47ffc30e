"""Volume meshes from files, by meshio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import checked_path
from fmbs.core.errors import ModelError
from fmbs.elements.solid.shapes import VOLUMES

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

SURFACES = {"triangle": 3, "triangle6": 3, "triangle7": 3, "quad": 4, "quad8": 4, "quad9": 4}  # corners
FLAT = {"vertex", "line", "line3", "line4", *SURFACES}
Parts = tuple[Array, dict[str, Integers], dict[str, Integers]]


def read_volumes(name: str, path: str | Path) -> Parts:
    """Points, volume cells and sets of a mesh file: gmsh's physical groups, Abaqus' node and element sets."""
    file = checked_path(name, "path", path)
    try:
        import meshio
    except ImportError:
        raise ModelError(f"{name}: reading a mesh needs meshio; install it with pip install 'fmbs[viz]'.") from None
    try:
        mesh = meshio.read(file)
    except (Exception, SystemExit) as error:  # meshio exits where no reader fits
        raise ModelError(f"{name}: {file} cannot be read as a mesh ({error}); meshio reads .msh, .inp, .vtk, ...") from None
    points = np.zeros((len(mesh.points), 3))
    points[:, : mesh.points.shape[1]] = mesh.points
    cells: dict[str, list[Integers]] = {}
    for block in mesh.cells:
        if block.type in VOLUMES:
            cells.setdefault(block.type, []).append(np.asarray(block.data, np.int64))
        elif block.type not in FLAT:
            raise ModelError(
                f"{name}: {file} has {len(block.data)} cells {block.type!r}, for which there are no solid elements; mesh it "
                f"with {', '.join(VOLUMES)}."
            )
    if not cells:
        found = ", ".join(sorted({block.type for block in mesh.cells})) or "none"
        raise ModelError(
            f"{name}: {file} has no volume cells, only: {found}. Mesh the volume (gmsh -3), and with gmsh give it a physical "
            "group, or it is not saved."
        )
    return points, {kind: np.concatenate(blocks) for kind, blocks in cells.items()}, _sets(mesh)


def _sets(mesh: Any) -> dict[str, Integers]:
    """Named sets of faces as corners, of anything else as points."""
    found: dict[str, list[Integers]] = {}
    groups = mesh.cell_data.get("gmsh:physical")
    if groups is not None:
        for name, (tag, _) in mesh.field_data.items():
            found[name] = [np.asarray(block.data)[np.asarray(own) == tag] for block, own in zip(mesh.cells, groups)]
            dimension = int(mesh.field_data[name][1])
            keep = [_dimension(block.type) == dimension for block in mesh.cells]  # tags are numbered for each dimension
            found[name] = [x for x, own in zip(found[name], keep) if own]
            kinds = [block.type for block, own in zip(mesh.cells, keep) if own]
            found[name] = _as_set(found[name], kinds)
    for name, members in mesh.cell_sets.items():
        if name not in found and not name.startswith("gmsh:"):
            blocks = [
                np.asarray(block.data)[np.asarray(own, np.int64)] for block, own in zip(mesh.cells, members) if own is not None
            ]
            found[name] = _as_set(blocks, [b.type for b, own in zip(mesh.cells, members) if own is not None])
    for name, members in mesh.point_sets.items():
        found.setdefault(name, [np.asarray(members, np.int64)])
    return {name: x[0] for name, x in found.items() if x and x[0].size}


def _dimension(kind: str) -> int:
    if kind in VOLUMES:
        return 3
    return 2 if kind in SURFACES else int(kind != "vertex")


def _as_set(blocks: list[Integers], kinds: list[str]) -> list[Integers]:
    """One array: corners of faces where all cells are faces, else points."""
    full = [(block, kind) for block, kind in zip(blocks, kinds) if len(block)]
    if not full:
        return []
    if all(kind in SURFACES for _, kind in full):
        corners = [block[:, : SURFACES[kind]] for block, kind in full]
        width = max(c.shape[1] for c in corners)
        return [np.concatenate([np.pad(c, ((0, 0), (0, width - c.shape[1])), constant_values=-1) for c in corners])]
    return [np.unique(np.concatenate([block.ravel() for block, _ in full]))]
