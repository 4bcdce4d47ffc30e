"""A dry pin with a gap of 0.1 mm: the first impact, from the time of free fall through the gap."""

import numpy as np

import fmbs as fm


def run():
    m = fm.Model("pin", gravity=(0, -9.81))
    block = m.add(fm.PlanarBody("block", mass=1.0, inertia=1e-3, com=(0, 0)))
    contact = fm.contact.LankaraniNikravesh(restitution=0.7, stiffness=1e9)
    pin = m.add(fm.ClearanceRevolute(m.ground.at(0, 0), block.com, bearing_radius=0.01, clearance=1e-4, contact=contact))
    sol = m.simulate(0.02, tolerance=1e-5)
    first = sol.clearance(pin).impacts[0]
    return (
        sol,
        {"first impact, s": (first.t, np.sqrt(2e-4 / 9.81), 1e-4)},
        {"curve": (sol.t, 1e6 * sol.position(block.com)[:, 1], "t [s]", "height [um]")},
    )
