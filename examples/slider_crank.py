"""A slider-crank at constant speed: what must the motor give?

The driving moment at phi = pi/2 from the power of the parts, in closed form for a rod without mass.
"""

import numpy as np

import fmbs as fm


def run():
    m = fm.Model("slider-crank")
    crank = m.add(fm.PlanarBody("crank", mass=0.3, inertia=1e-4, com=(0.025, 0)))
    rod = m.add(fm.PlanarBody("rod", mass=1e-9, inertia=1e-12, com=(0.11, 0)))
    slider = m.add(fm.PlanarBody("slider", mass=0.14, inertia=1e-4, com=(0.17, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), crank.at(0, 0)))
    m.add(fm.Revolute(crank.at(0.05, 0), rod.at(0.05, 0)))
    m.add(fm.Revolute(rod.at(0.17, 0), slider.com))
    m.add(fm.Prismatic(m.ground.at(0, 0), slider.com, axis=(1, 0)))
    motor = m.add(fm.RotationDrive(m.ground.at(0, 0), crank.at(0, 0), speed=100.0))
    sol = m.kinematics(np.linspace(0, 2 * np.pi / 100.0, 81))
    moment = sol.reaction(motor).moment[20]  # at phi = pi/2
    gap = np.sqrt(0.12**2 - 0.05**2)
    slope, bend = -0.05, 0.05**2 / gap  # dx/dphi and d2x/dphi2 of the slider there
    return sol, {"moment of the motor, N m": (moment, 0.14 * 100.0**2 * slope * bend, 1e-6)}, {"t": 0.008}
