"""A frame from a mesh file: a square portal of three wires sways by 5 F h^3/(84 E I)."""

import tempfile
from pathlib import Path

import meshio
import numpy as np

import fmbs as fm


def run():
    points = np.array([(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)], dtype=float)
    path = Path(tempfile.mkdtemp()) / "portal.vtk"
    meshio.Mesh(points, [("line", np.array([(0, 1), (1, 2), (2, 3)]))]).write(path)
    steel = fm.Material(E=2e11, nu=0.3, density=7850)
    section = fm.Rectangle(0.01, 0.01)
    m = fm.Model("portal")
    frame = fm.beams_from_mesh(path, section, steel, refine=2)
    for part in frame:
        m.add(part)
    for point in (0, 3):
        m.add(fm.Fixed(m.ground.at(*points[point]), frame.at(point)))
    m.add(fm.PointForce(frame.at(1), (1.0, 0, 0)))
    sol = m.equilibrium()
    stiff = 2e11 * section.Iy
    sway = sol.position(frame.at(1))[-1, 0]
    return sol, {"sway, m": (sway, 5 / (84 * stiff), 2e-3)}, {"view": "y"}
