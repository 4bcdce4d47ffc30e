"""A brake: a hinge that locks while the arm swings, and what the lock takes out of the motion."""

import fmbs as fm


def run():
    m = fm.Model("brake", gravity=(0, -9.81))
    arm = m.add(fm.PlanarBody("arm", mass=2.0, inertia=0.3, com=(0.5, 0)))
    hinge = m.add(fm.Revolute(m.ground.at(0, 0), arm.at(0, 0), name="hinge"))
    sim = m.start(step=2e-3)
    sim.run(until=0.3)
    sim.lock(hinge)
    sol = sim.run(until=0.5)
    lost = sol.energy.dissipated[-1]
    return sol, {"energy lost, J": (lost, -2.0 * 9.81 * sol.position(arm.com)[-1, 1], 1e-4)}, {}
