"""The lowest frequencies of a cantilever: 3.516, 22.03, 61.70 sqrt(E I/rho A)/l^2."""

import numpy as np

import fmbs as fm


def run():
    steel = fm.Material(E=2.1e11, nu=0.3, density=7850)
    section = fm.Rectangle(0.004, 0.008)
    m = fm.Model("prong")
    prong = m.add(fm.Beam("prong", start=(0, 0, 0), end=(0.2, 0, 0), section=section, material=steel, elements=6))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), prong.start))
    modes = m.modes(1)
    expected = 3.516 / 0.2**2 * np.sqrt(2.1e11 * section.Iz / (7850 * section.area)) / (2 * np.pi)
    m.add(fm.PointForce(prong.end, (0, 50.0, 0)))
    return m.equilibrium(), {"lowest frequency, Hz": (modes.frequencies[0], expected, 2e-3)}, {"view": "z"}
