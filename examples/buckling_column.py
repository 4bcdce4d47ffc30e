"""A column under its tip load: Euler's load from `m.buckling`, without a single run."""

import numpy as np

import fmbs as fm


def run():
    steel = fm.Material(E=2.1e11, nu=0.3, density=7850)
    section = fm.Rectangle(0.01, 0.012)
    m = fm.Model("column")
    column = m.add(fm.Beam("column", start=(0, 0, 0), end=(0, 0, 1), up=(1, 0, 0), section=section, material=steel, elements=4))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), column.start))
    m.add(fm.PointForce(column.end, (0, 0, -1.0)))
    found = m.buckling(1)
    stiff = 2.1e11 * min(section.Iy, section.Iz)
    m.add(fm.PointForce(column.end, (0.05, 0.03, -1.0)))
    sol = m.equilibrium()
    return sol, {"critical load, N": (found.factors[0], np.pi**2 * stiff / 4, 1e-3)}, {}
