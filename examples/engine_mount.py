"""A block on a rubber bushing: six frequencies sqrt(k/m) and sqrt(k/J)."""

import numpy as np

import fmbs as fm


def run():
    stiffness = np.array([1e5, 1e5, 4e5, 900.0, 800.0, 500.0])
    m = fm.Model("mount", gravity=(0, 0, -9.81))
    block = m.add(fm.RigidBody("block", mass=10.0, inertia=(0.1, 0.12, 0.05), spin=(1, 2, 0)))
    m.add(fm.Bushing(m.ground.at(0, 0, 0), block.com, stiffness=stiffness, damping=1e-3 * stiffness))
    found = m.modes(6, at=m.equilibrium()).omega
    expected = np.sort(np.sqrt(stiffness / (10, 10, 10, 0.1, 0.12, 0.05)))
    sol = m.simulate(0.1, step=5e-4)
    return (
        sol,
        {"lowest of six, rad/s": (found[0], expected[0], 1e-3), "highest, rad/s": (found[5], expected[5], 1e-3)},
        {"curve": (sol.t, sol.spin(block.com), "t [s]", "spin about x, y, z [rad/s]")},
    )
