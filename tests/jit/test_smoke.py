"""A model through the compiled driver, for `make smoke`: numbers that do not depend on the version of numba or numpy."""

from __future__ import annotations

import numpy as np

import fmbs as fm


def test_a_pendulum_swings():
    """Released level, it keeps its energy: m g y + (m/2 + I/(2 l^2)) v^2 = 0."""
    m = fm.Model("pendulum", gravity=(0, -9.81))
    rod = m.add(fm.PlanarBody("rod", mass=2.0, inertia=0.3, com=(0.5, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), rod.at(0, 0)))
    sol = m.simulate(0.5, step=1e-3, progress=False)
    speed = np.linalg.norm(sol.velocity(rod.com), axis=1)
    energy = 2.0 * 9.81 * sol.position(rod.com)[:, 1] + 0.5 * (2.0 + 0.3 / 0.25) * speed**2
    assert speed[-1] > 2.0
    np.testing.assert_allclose(energy, 0.0, atol=1e-4)  # J, of 10 that are exchanged
