"""A narrow cantilever under its tip load falls to the side: P = 4.013 sqrt(E I G J)/l^2 (Timoshenko and Gere 1961)."""

import numpy as np

import fmbs as fm


def run():
    steel = fm.Material(E=2.1e11, nu=0.3, density=7850)
    section = fm.Rectangle(0.002, 0.04)
    m = fm.Model("strip")
    strip = m.add(fm.Beam("strip", start=(0, 0, 0), end=(1, 0, 0), section=section, material=steel, elements=6))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), strip.start))
    load = m.add(fm.PointForce(strip.end, (0, 0, -1.0)))
    found = m.buckling(1)
    expected = 4.013 * np.sqrt(2.1e11 * section.Iz * 2.1e11 / 2.6 * section.J)
    m.add(fm.PointForce(strip.end, (0, 0.01, 0)))
    assert load in m.forces
    return m.equilibrium(), {"critical load, N": (found.factors[0], expected, 0.01)}, {}
