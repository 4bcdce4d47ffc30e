"""A pendulum let go at 120 degrees: the period from an elliptic integral."""

import numpy as np
from scipy.special import ellipk

import fmbs as fm


def run():
    m = fm.Model("pendulum", gravity=(0, -9.81))
    start = np.deg2rad(120.0)
    bob = m.add(fm.PlanarBody("bob", mass=1.0, inertia=1e-9, com=(np.sin(start), -np.cos(start))))
    m.add(fm.Revolute(m.ground.at(0, 0), bob.at(0, 0)))
    sol = m.simulate(3.0, tolerance=1e-7)
    x = sol.position(bob.com)[:, 0]
    k = np.flatnonzero((x[:-1] > 0) & (x[1:] <= 0))[0]
    quarter = sol.t[k] + (sol.t[k + 1] - sol.t[k]) * x[k] / (x[k] - x[k + 1])
    return sol, {"period, s": (4 * quarter, 4 * np.sqrt(1 / 9.81) * ellipk(np.sin(start / 2) ** 2), 1e-4)}, {}
