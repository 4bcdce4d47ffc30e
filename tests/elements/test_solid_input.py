"""Meshes that are refused or warned of, in one clear line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fmbs as fm
from fmbs.elements.solid.block import block_mesh
from fmbs.elements.solid.volume_mesh import VolumeMesh
from tests.conftest import require
from tests.elements.solid_cases import RUBBER, solid_of

HEXA = block_mesh("box", (1.0, 1.0, 1.0), (2, 1, 1), "hexahedron", (0.0, 0.0, 0.0))
TETRA10 = block_mesh("box", (1.0, 1.0, 1.0), (1, 1, 1), "tetra10", (0.0, 0.0, 0.0))
POINTS, CELLS = HEXA.points, HEXA.cells["hexahedron"]


def made(points: Any = POINTS, cells: Any = None, **options: Any) -> fm.Solid:
    options = {"material": RUBBER, "sets": HEXA.sets} | options
    return fm.Solid("box", points, {"hexahedron": CELLS} if cells is None else cells, **options)


def turned(cells: np.ndarray, rows: Any) -> dict[str, np.ndarray]:
    """Cells whose first and last four nodes are exchanged: inverted."""
    changed = cells.copy()
    changed[rows] = changed[rows][:, [4, 5, 6, 7, 0, 1, 2, 3]]
    return {"hexahedron": changed}


def moved(point: int, place: tuple[float, ...]) -> np.ndarray:
    points = POINTS.copy()
    points[point] = place
    return points


TWICE = {"hexahedron": np.concatenate([CELLS, CELLS + 12])}
FAR, NEAR = (np.concatenate([POINTS, POINTS + np.array([x, 0.0, 0.0])]) for x in (5.0, 1.0))
SHIFTED = TETRA10.cells["tetra10"][:, [0, 1, 2, 3, 5, 4, 6, 7, 8, 9]]

REFUSED: list[tuple[str, Callable[[], Any], str]] = [
    ("inverted", lambda: made(cells=turned(CELLS, [1])), "inverted cells: 1 hexahedron cell of 2, the first is 1"),
    ("folded", lambda: made(moved(0, (0.4, 0.9, 0.9))), "folded, with a negative volume in places: 1 hexahedron cell of 2"),
    ("flat", lambda: made(POINTS * (1, 1, 0)), "cells without volume: 2 hexahedron cells of 2"),
    ("parts", lambda: made(FAR, TWICE), r"2 parts that are not connected, of 12, 12"),
    ("unmerged", lambda: made(NEAR, TWICE), "merge the points that lie at the same places"),
    ("nothing", lambda: made(cells={}), "no volume cells; give some of tetra, tetra10"),
    ("kind", lambda: made(cells={"hexaedron": CELLS}), "no solid elements for cells 'hexaedron'. Did you mean 'hexahedron'"),
    ("width", lambda: made(cells={"tetra": CELLS}), r"cells\['tetra'\] of shape \(2, 8\) must be whole numbers \(cells, 4\)"),
    ("number", lambda: made(POINTS[:5]), r"has the point 11; there are points 0 to 4"),
    ("nan", lambda: made(moved(0, (np.nan, 0, 0))), "must be finite numbers"),
    ("order of nodes", lambda: fm.Solid("box", TETRA10.points, {"tetra10": SHIFTED}, material=RUBBER),
     "nodes must be in the order"),
    ("set", lambda: made(sets={"a": [99]}), r"sets\['a'\] has the point 99"),
    ("empty set", lambda: made(sets={"a": []}), r"must be numbers of points"),
    ("interface", lambda: made(sets={"big end": [0, 1, 2, 3]}).interface("bigend"),
     "no set of the mesh called 'bigend'. Did you mean 'big end'"),
    ("kind of interface", lambda: made().interface("x-", kind="stiff"), "kind = 'stiff' is unknown"),
    ("point", lambda: made(sets={"a": [0]}).interface("a"), r"1 nodes on a line or at a point"),
    ("line", lambda: made(sets={"a": [0, 4, 8]}).interface("a"), r"3 nodes on a line"),
    ("shared", lambda: made(interfaces={"x-": "rigid", "y-": "rigid"}), "share 2 nodes, which can follow one of them only"),
    ("both", lambda: made(interfaces={"x-": "rigid"}).interface("x-", kind="average"), "is rigid already"),
    ("pressure", lambda: fm.Pressure(made(sets={"a": [0, 4, 8]}), "a", 1.0), "has no faces on the skin"),
    ("pressed", lambda: fm.Pressure(made(), "x", 1.0), "no set of the mesh called 'x'"),
    ("pressure of", lambda: fm.Pressure(fm.RigidBody("r", mass=1, inertia=(1, 1, 1)), "x", 1.0),
     "has no surfaces; give a fm.Solid"),
    ("pressure value", lambda: fm.Pressure(made(), "x-", "high"), "pressure = 'high' is not a number"),
    ("elasticity", lambda: made(elasticity="hooke"), "elasticity = 'hooke' is unknown"),
    ("material", lambda: made(material="steel"), "is not a material"),
    ("nu", lambda: made(material=fm.Material(E=1e9, nu=0.5, density=1.0)), r"nu = 0.5 is outside \(-1, 0.5\)"),
    ("node", lambda: made().node(12), "point 12 does not exist; there are 0 to 11"),
    ("size", lambda: fm.Solid.block("b", size=(1, 1, 0), divisions=(1, 1, 1), material=RUBBER), "size = 0 must be positive"),
    ("divisions", lambda: fm.Solid.block("b", size=(1, 1, 1), divisions=(1, 1, 0.5), material=RUBBER),
     "divisions = 0.5 must be"),
]  # fmt: skip


@pytest.mark.parametrize(("build", "message"), [x[1:] for x in REFUSED], ids=[x[0] for x in REFUSED])
def test_refused(build: Callable[[], Any], message: str):
    with pytest.raises(fm.ModelError, match=message):
        build()


def test_interfaces_come_before_the_run():
    solid = made()
    model = fm.Model("m")
    model.add(solid)
    model.system()
    with pytest.raises(fm.ModelError, match="comes after the model was computed"):
        solid.interface("x-")


def test_warnings():
    """What can be computed, but not well; each in one line."""
    with pytest.warns(fm.PoorMesh, match="4 nodes have constant strains: they lock"):
        fm.Solid.block("b", size=(1, 1, 1), divisions=(1, 1, 1), kind="tetra", material=RUBBER)
    with pytest.warns(fm.PoorMesh, match="without internal modes lock in bending"):
        made(bending="none")
    with pytest.warns(fm.PoorMesh, match="2 cells of the mesh are nearly flat"):
        made(POINTS * (1.0, 1.0, 0.003))
    with pytest.warns(fm.PoorMesh, match="2 points of the mesh belong to no volume cell, the first is 12"):
        solid = made(np.concatenate([POINTS, [[5.0, 0, 0], [6.0, 0, 0]]]), sets={"far": [13], "x-": HEXA.sets["x-"]})
    assert solid.sets == ["x-"] and len(solid.mesh.points) == 12


def write(path: Path, mesh: VolumeMesh, scale: float = 1.0, **more: Any) -> Path:
    """A gmsh file with a physical group of faces and one of cells, by meshio."""
    meshio = require("meshio")
    cells = [(kind, nodes) for kind, nodes in mesh.cells.items()]
    cells += [(f.shape.name, f.nodes) for f in mesh.facets_of("box", "x-")]
    tags = [np.full(len(nodes), 1 if kind in mesh.cells else 7) for kind, nodes in cells]
    data = {"gmsh:physical": tags, "gmsh:geometrical": tags}
    groups = {"big end": np.array([7, 2]), "steel": np.array([1, 3])}
    made = meshio.Mesh(scale * mesh.points, cells, cell_data=data, field_data=groups, **more)
    meshio.write(path, made, file_format="gmsh22", binary=False)
    return path


@pytest.mark.parametrize("kind", ["tetra", "tetra10", "hexahedron", "hexahedron20", "hexahedron27"])
def test_reading(tmp_path: Path, kind: str):
    """Cells and physical groups come back; millimetres are suspected, and told by scale."""
    mesh = block_mesh("box", (0.5, 0.2, 0.3), (2, 1, 1), kind, (0.0, 0.0, 0.0))
    path = write(tmp_path / "rod.msh", mesh)
    order = 2 if kind == "tetra" else None
    solid = fm.Solid.from_mesh(path, material=RUBBER, order=order)
    assert solid.name == "rod" and set(solid.sets) == {"big end", "steel"}
    assert list(solid.mesh.cells) == ["tetra10" if order else kind]
    assert solid.mass == pytest.approx(0.03 * RUBBER.density)
    nodes = solid.mesh.nodes_of("rod", "big end")
    assert (solid.mesh.points[nodes, 0] == 0.0).all() and nodes.size == (solid.mesh.points[:, 0] == 0.0).sum()
    assert solid.interface("big end").position == pytest.approx([0.0, 0.1, 0.15])
    large = write(tmp_path / "large.msh", mesh, 1000.0)
    with pytest.warns(fm.PoorMesh, match=r"500 m long; if it was drawn in millimetres give scale=1e-3"):
        fm.Solid.from_mesh(large, material=RUBBER, order=order)
    assert fm.Solid.from_mesh(large, material=RUBBER, order=order, scale=1e-3).mass == pytest.approx(0.03 * RUBBER.density)


def test_files_that_are_refused(tmp_path: Path):
    meshio = require("meshio")
    triangles = tmp_path / "shell.vtk"
    meshio.write(triangles, meshio.Mesh(np.eye(3), [("triangle", [[0, 1, 2]])]))
    with pytest.raises(fm.ModelError, match=r"has no volume cells, only: triangle\. Mesh the volume"):
        fm.Solid.from_mesh(triangles, material=RUBBER)
    wedge = tmp_path / "wedge.vtk"
    meshio.write(wedge, meshio.Mesh(np.vstack([np.eye(3), 1 + np.eye(3)]), [("wedge", [[0, 1, 2, 3, 4, 5]])]))
    with pytest.raises(fm.ModelError, match="1 cells 'wedge', for which there are no solid elements"):
        fm.Solid.from_mesh(wedge, material=RUBBER)
    with pytest.raises(fm.ModelError, match=r"cannot be read as a mesh"):
        fm.Solid.from_mesh(tmp_path / "none.msh", material=RUBBER)
    good = write(tmp_path / "rod.msh", HEXA)
    with pytest.raises(fm.ModelError, match="order = 3 must be 2"):
        fm.Solid.from_mesh(good, material=RUBBER, order=3)


def test_mixed_cells_and_parts_of_sets():
    """Tetrahedra and hexahedra in one body; faces of a set of nodes are those that have all their nodes in it."""
    points = np.vstack([POINTS, [[2.0, 0.5, 0.5]]])
    corner = [11, 9, 10, 12]  # of the side x+, and a tip
    solid = solid_of(VolumeMesh(points, {"hexahedron": CELLS, "tetra": np.array([corner])}, HEXA.sets))
    volume = abs(np.linalg.det(points[corner[1:]] - points[corner[0]])) / 6.0
    assert solid.mass == pytest.approx((1.0 + volume) * RUBBER.density)
    assert len(solid.mesh.facets_of("box", "x-")) == 1
