"""From an equilibrium to a run: half of the weight that bends a strip is cut off, and it swings about its new rest."""

import fmbs as fm


def hanging(weight):
    m = fm.Model("strip")
    steel = fm.Material(E=2.1e11, nu=0.3, density=7850)
    strip = m.add(
        fm.PlanarBeam("strip", start=(0, 0), end=(0.3, 0), section=fm.Rectangle(0.001, 0.02), material=steel, elements=4)
    )
    m.add(fm.Fixed(m.ground.at(0, 0), strip.start))
    m.add(fm.PointForce(strip.end, (0, -weight)))
    return m, strip


def run():
    m, _ = hanging(0.2)
    lighter, same = hanging(0.1)
    sol = lighter.simulate(0.2, step=1e-3, start=m.equilibrium())
    middle = sol.position(same.end)[:, 1]
    rest = lighter.equilibrium().position(same.end)[-1, 1]
    return sol, {"middle of the swing, m": (0.5 * (middle.max() + middle.min()), rest, 0.05)}, {"view": "z"}
