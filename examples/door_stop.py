"""A door swings between two stops: from the one to the other with the same speed."""

import fmbs as fm


def run():
    m = fm.Model("door")
    door = m.add(fm.PlanarBody("door", mass=2.0, inertia=0.5, com=(0.4, 0), spin=3.0, velocity=(0, 1.2)))
    m.add(fm.Revolute(m.ground.at(0, 0), door.at(0, 0)))
    law, hinge = fm.contact.Hertz(stiffness=1e9), (m.ground.at(0, 0), door.at(0, 0))
    m.add(fm.RotationStop(*hinge, lower=-0.4, upper=0.7, radius=0.3, contact=law, name="stop"))
    sol = m.simulate(0.8, tolerance=1e-5)
    first, second = sol.clearance("stop").impacts[:2]
    shapes = {"door": fm.shapes.Box(0.8, 0.03, 0.4)}
    return sol, {"from stop to stop, s": (second.t - first.t_end, 1.1 / 3.0, 0.01)}, {"shapes": shapes}
