"""A flyball governor: arms on hinges that turn with a shaft rise until cos(alpha) = g/(omega^2 l)."""

import numpy as np

import fmbs as fm


def run():
    m, speed, length = fm.Model("governor", gravity=(0, 0, -9.81)), 8.0, 0.4
    shaft = m.add(fm.RigidBody("shaft", mass=1.0, inertia=(0.01, 0.01, 0.01)))
    m.add(fm.Revolute(m.ground.at(0, 0, 0), shaft.com))
    m.add(fm.RotationDrive(m.ground.at(0, 0, 0), shaft.com, speed=speed))
    drawn = 0.9
    for side in (1, -1):
        ball = side * length * np.array([np.sin(drawn), 0, -side * np.cos(drawn)])
        arm = m.add(fm.RigidBody(f"arm {side}", mass=0.5, inertia=(1e-7, 1e-7, 1e-7), com=ball))
        m.add(fm.Revolute(shaft.com, arm.at(0, 0, 0), axis=(0, 1, 0)))
        hinge = (shaft.com, arm.at(0, 0, 0))
        m.add(fm.RotationSpringDamper(*hinge, axis=(0, 1, 0), stiffness=0.0, damping=0.3))
    sol = m.simulate(4.0, step=2e-3)
    angle = np.arccos(-sol.position(m["arm 1"].com)[-1, 2] / length)
    shapes = {"arm 1": fm.shapes.Sphere(0.06), "arm -1": fm.shapes.Sphere(0.06)}
    return sol, {"angle of the arms, rad": (angle, np.arccos(9.81 / (speed**2 * length)), 5e-4)}, {"shapes": shapes}
