"""A ball between rigid surfaces: each bounce returns e times the speed, and the height falls with e^2."""

import numpy as np

import fmbs as fm


def run():
    m = fm.Model("bounce", gravity=(0, -9.81))
    ball = m.add(fm.PlanarBody("ball", mass=1.0, inertia=0.01, com=(0, 1.1), velocity=(0.5, 0)))
    law = fm.impact.Newton(restitution=0.8)
    m.add(fm.SphereOnPlane(m.ground.at(0, 0), ball.com, normal=(0, 1), radius=0.1, contact=law, name="floor"))
    sol = m.simulate(1.5, step=5e-3)
    second = sol.clearance("floor").impacts[1]
    fall = np.sqrt(2 / 9.81)
    return (
        sol,
        {"second bounce, s": (second.t, fall * (1 + 2 * 0.8), 1e-5)},
        {"curve": (sol.t, sol.position(ball.com)[:, 1], "t [s]", "height [m]")},
    )
