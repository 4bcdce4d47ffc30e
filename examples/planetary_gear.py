"""A planetary gear whose ring stands: the arm turns with 1/(1 + z_ring/z_sun) of the sun (Willis 1841)."""

import fmbs as fm


def run():
    m = fm.Model("planetary gear")
    centre = m.ground.at(0, 0)
    sun = m.add(fm.PlanarBody("sun", mass=1.0, inertia=0.01, com=(0, 0)))
    arm = m.add(fm.PlanarBody("arm", mass=1.0, inertia=0.02, com=(0.03, 0)))
    planet = m.add(fm.PlanarBody("planet", mass=0.5, inertia=0.001, com=(0.06, 0)))
    m.add(fm.Revolute(centre, sun.com))
    m.add(fm.Revolute(centre, arm.at(0, 0)))
    pin = m.add(fm.Revolute(arm.at(0.06, 0), planet.com))
    m.add(fm.RotationDrive(centre, sun.com, speed=30.0))
    m.add(fm.Gears(fm.Revolute(arm.at(0, 0), sun.com), pin, ratio=-24 / 12))
    m.add(fm.Gears(pin, fm.Revolute(arm.at(0, 0), centre), ratio=12 / 48))
    sol = m.kinematics([0.0, 0.01, 0.02, 0.03])
    shapes = {
        "sun": fm.shapes.Cylinder((0, 0, 0), (0, 0, 0.01), 0.04),
        "planet": fm.shapes.Cylinder((0.06, 0, 0), (0.06, 0, 0.01), 0.02),
    }
    return sol, {"speed of the arm, rad/s": (sol.angle(arm)[-1] / 0.03, 10.0, 1e-9)}, {"shapes": shapes}
