"""Newton's cradle: the last of four balls leaves with the speed of the first."""

from itertools import pairwise

import numpy as np

import fmbs as fm


def run():
    m, radius = fm.Model("cradle", gravity=(0, -9.81)), 0.05
    tilt = 0.5
    balls = []
    for k in range(4):
        x = 2.0001 * radius * k
        place = (x, -0.5) if k else (-0.5 * np.sin(tilt), -0.5 * np.cos(tilt))
        balls.append(m.add(fm.PlanarBody(f"ball {k}", mass=0.2, inertia=1e-8, com=place)))
        m.add(fm.Revolute(m.ground.at(x, 0), balls[-1].at(x, 0)))
    law = fm.contact.Hertz(stiffness=1e9)
    for a, b in pairwise(balls):
        m.add(fm.SphereOnSphere(a.com, b.com, bearing_radius=radius, journal_radius=radius, contact=law))
    sol = m.simulate(0.8, tolerance=1e-5)
    swing = np.abs(sol.angle(balls[3])).max()
    shapes = {ball.name: fm.shapes.Sphere(radius) for ball in balls}
    return sol, {"swing of the last ball, rad": (swing, tilt, 0.01)}, {"shapes": shapes}
