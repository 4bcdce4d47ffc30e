"""Mesh of a connecting rod, drawn as CAD programs do: cylinders, a bar, bores. Needs gmsh (pip install gmsh).

python scripts/connecting_rod_mesh.py fmbs/models/connecting_rod.msh
"""

from __future__ import annotations

import sys

import gmsh

START, LENGTH = 0.05, 0.12  # m: where the big end is, and from there to the small end
SIDE = 0.015  # of the square shank
WIDTH = 0.02  # of the eyes, along y
# of each eye: place, radius of the bore, outer radius, name
EYES = ((START, 0.010, 0.018, "big end"), (START + LENGTH, 0.0152, 0.0215, "small end"))
SIZE = 0.011  # of the cells


def main(path: str) -> None:
    gmsh.initialize()
    gmsh.option.setNumber("General.Verbosity", 1)
    shapes = gmsh.model.occ

    def cylinder(x: float, radius: float) -> tuple[int, int]:
        return 3, shapes.addCylinder(x, -WIDTH / 2, 0.0, 0.0, WIDTH, 0.0, radius)

    bar = 3, shapes.addBox(START, -SIDE / 2, -SIDE / 2, LENGTH, SIDE, SIDE)
    solid, _ = shapes.fuse([bar], [cylinder(x, outer) for x, _, outer, _ in EYES])
    solid, _ = shapes.cut(solid, [cylinder(x, bore) for x, bore, _, _ in EYES])
    shapes.synchronize()
    gmsh.model.addPhysicalGroup(3, [tag for _, tag in solid], name="rod")
    for x, bore, _, name in EYES:
        walls = []
        for _, tag in gmsh.model.getEntities(2):
            low_x, _, low_z, high_x, _, high_z = gmsh.model.getBoundingBox(2, tag)
            if max(abs(low_x - x + bore), abs(high_x - x - bore), abs(low_z + bore), abs(high_z - bore)) < 1e-5:
                walls.append(tag)
        gmsh.model.addPhysicalGroup(2, walls, name=name)
    gmsh.option.setNumber("Mesh.MeshSizeMax", SIZE)
    gmsh.option.setNumber("Mesh.MeshSizeMin", SIZE / 2)
    gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", 8)
    gmsh.option.setNumber("Mesh.ElementOrder", 2)
    gmsh.option.setNumber("Mesh.HighOrderOptimize", 1)
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.model.mesh.generate(3)
    gmsh.write(path)
    gmsh.finalize()


if __name__ == "__main__":
    main(sys.argv[1])
