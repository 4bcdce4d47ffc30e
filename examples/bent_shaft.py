"""A pull beside the centre line of a cantilever twists it: P y l/(G J)."""

import numpy as np

import fmbs as fm


def run():
    steel = fm.Material(E=2e11, nu=0.3, density=7850)
    section = fm.Circle(0.01)
    m = fm.Model("shaft")
    shaft = m.add(fm.Beam("shaft", start=(0, 0, 0), end=(1, 0, 0), section=section, material=steel, elements=3))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), shaft.start))
    m.add(fm.PointForce(shaft.at(1.0, offset=(0, 0.1, 0)), (0, 0, 10.0)))
    sol = m.equilibrium()
    twist = np.arcsin(sol.rotation(shaft.end)[-1, 2, 1])
    return sol, {"twist, rad": (twist, 10.0 * 0.1 / (2e11 / 2.6 * section.J), 2e-3)}, {}
