"""A rack falls and turns its pinion: x'' = g m/(m + J/r^2)."""

import fmbs as fm


def run():
    m = fm.Model("rack", gravity=(0, -9.81))
    pinion = m.add(fm.PlanarBody("pinion", mass=1.0, inertia=0.02, com=(0, 0)))
    rack = m.add(fm.PlanarBody("rack", mass=3.0, inertia=0.1, com=(0.1, 0)))
    pin = m.add(fm.Revolute(m.ground.at(0, 0), pinion.com))
    slide = m.add(fm.Prismatic(m.ground.at(0.1, 0), rack.com, axis=(0, 1)))
    m.add(fm.Rack(pin, slide, radius=0.1))
    sol = m.simulate(0.3, step=2e-3)
    shapes = {
        "pinion": fm.shapes.Cylinder((0, 0, 0), (0, 0, 0.02), 0.1),
        "rack": fm.shapes.Box(0.02, 0.6, 0.02, centre=(0.11, 0, 0.01)),
    }
    fall = -sol.position(rack.com)[-1, 1]
    return sol, {"fall, m": (fall, 0.5 * 0.3**2 * 9.81 * 3.0 / (3.0 + 0.02 / 0.1**2), 1e-6)}, {"shapes": shapes}
