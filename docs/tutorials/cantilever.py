"""A cantilever whose tip is pulled aside by 60 % of its length: for `fmbs converge`."""

import fmbs as fm


def cantilever(elements=4, interpolation="cubic"):
    m = fm.Model("cantilever")
    steel = fm.Material(E=207e9, nu=0.3, density=7800.0)
    section = fm.Rectangle(0.1, 0.1)
    beam = m.add(
        fm.Beam(
            "beam",
            start=(0, 0, 0),
            end=(2, 0, 0),
            section=section,
            material=steel,
            elements=elements,
            interpolation=interpolation,
        )
    )
    m.add(fm.Fixed(m.ground.at(0, 0, 0), beam.start))
    m.add(fm.PointForce(beam.end, (0, 1.29e6, 0)))
    return m.equilibrium(load_steps=4)
