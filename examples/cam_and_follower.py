"""An eccentric disc lifts a flat-faced follower by e sin(phi)."""

import numpy as np

import fmbs as fm


def run():
    m, beside, radius = fm.Model("cam", gravity=(0, -9.81)), 0.01, 0.03
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    profile = np.column_stack([beside + radius * np.cos(angle), radius * np.sin(angle)])
    cam = m.add(fm.PlanarBody("cam", mass=1.0, inertia=1e-3, com=(0, 0)))
    follower = m.add(fm.PlanarBody("follower", mass=0.5, inertia=1e-3, com=(0, radius)))
    m.add(fm.Revolute(m.ground.at(0, 0), cam.com))
    m.add(fm.RotationDrive(m.ground.at(0, 0), cam.com, speed=20.0))
    m.add(fm.Prismatic(m.ground.at(0, 0), follower.com, axis=(0, 1)))
    m.add(fm.SpringDamper(follower.com, m.ground.at(0, 0.3), stiffness=500.0, length=0.4))
    law = fm.contact.KelvinVoigt(stiffness=1e7, damping=1e3)
    m.add(fm.CamFlat(follower.com, cam.com, profile=profile, normal=(0, -1), contact=law))
    sol = m.simulate(0.1, step=3e-5, output_step=1e-3)
    shapes = {
        "cam": fm.shapes.Cylinder((beside, 0, -0.005), (beside, 0, 0.005), radius),
        "follower": fm.shapes.Box(0.06, 0.004, 0.02, centre=(0, radius + 0.002, 0)),
    }
    lift = sol.position(follower.com)[-1, 1]
    return sol, {"height, m": (lift, radius + beside * np.sin(20.0 * sol.t[-1]), 1e-3)}, {"shapes": shapes}
