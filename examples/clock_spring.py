"""A wheel winds a spiral spring up over three turns and comes back: phi = spin/omega sin(omega t)."""

import numpy as np

import fmbs as fm


def run():
    m = fm.Model("clock")
    wheel = m.add(fm.PlanarBody("wheel", mass=1.0, inertia=0.5, com=(0, 0), spin=20.0))
    m.add(fm.Revolute(m.ground.at(0, 0), wheel.com))
    spring = m.add(fm.RotationSpringDamper(m.ground.at(0, 0), wheel.com, stiffness=0.5))
    sol = m.simulate(2 * np.pi, step=5e-3)
    return (
        sol,
        {"largest angle, turns": (sol.coordinate(spring).max() / (2 * np.pi), 20.0 / (2 * np.pi), 1e-4)},
        {"curve": (sol.t, sol.coordinate(spring) / (2 * np.pi), "t [s]", "turns")},
    )
