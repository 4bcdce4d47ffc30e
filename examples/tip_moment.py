"""A strip that a moment rolls up to a full circle: M = 2 pi E I/l."""

import numpy as np

import fmbs as fm


def run():
    rubber = fm.Material(E=1e7, nu=0.0, density=1000.0)
    section = fm.Rectangle(0.05, 0.01)
    m = fm.Model("strip")
    strip = m.add(fm.Beam("strip", start=(0, 0, 0), end=(1, 0, 0), section=section, material=rubber, elements=8))
    m.add(fm.Fixed(m.ground.at(0, 0, 0), strip.start))
    m.add(fm.Torque(strip.end, (0, -np.pi * 1e7 * section.Iy, 0)))  # half of it: a half circle
    sol = m.equilibrium()
    height = sol.position(strip.end)[-1, 2]
    return sol, {"height of the half circle, m": (height, 2 / np.pi, 1e-3)}, {"view": "y"}
