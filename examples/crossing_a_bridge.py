"""A trolley crosses a beam slowly: its weight bends the beam by P l^3/48 E I in the middle."""

import fmbs as fm


def run():
    steel = fm.Material(E=2e11, nu=0.3, density=78.0)  # light
    section = fm.Rectangle(0.02, 0.02)
    m = fm.Model("bridge", gravity=(0, -9.81))
    deck = m.add(fm.PlanarBeam("deck", start=(0, 0), end=(2, 0), section=section, material=steel, elements=8))
    m.add(fm.Revolute(m.ground.at(0, 0), deck.start))
    m.add(fm.PointOnLine(m.ground.at(2, 0), deck.end, axis=(1, 0)))
    trolley = m.add(fm.PlanarBody("trolley", mass=5.0, inertia=1e-4, com=(0, 0), velocity=(0.1, 0)))
    m.add(fm.PointOnBeam(deck.at(0.0), trolley.com, name="wheel"))
    m.add(fm.TranslationDrive(m.ground.at(0, 0), trolley.com, axis=(1, 0), speed=0.1))
    sol = m.simulate(10.0, step=0.02)
    sag = -sol.position(deck.at(0.5))[:, 1]
    shapes = {"trolley": fm.shapes.Box(0.1, 0.05, 0.05)}
    return sol, {"sag at mid-span, m": (sag[-1], 5.0 * 9.81 * 2.0**3 / (48 * 2e11 * section.Iz), 0.01)}, {"shapes": shapes}
