"""A function of one's own for studies: a slender cantilever under a tip force, in equilibrium."""

from __future__ import annotations

import fmbs as fm


def build(elements: int = 4, interpolation: str = "cubic", formulation: str = "structural", E: float = 207e9) -> fm.Solution:
    """2 m x 0.1 x 0.1 m, P l^2 / E I = 3, nu = 0.3 (tests/literature/test_beam_cantilever.py)."""
    m = fm.Model("cantilever")
    steel = fm.Material(E=E, nu=0.3, density=7800.0)
    beam = m.add(
        fm.Beam(
            "beam", start=(0, 0, 0), end=(2, 0, 0), section=fm.Rectangle(0.1, 0.1), material=steel, elements=elements,
            interpolation=interpolation, formulation=formulation,
        )
    )  # fmt: skip
    m.add(fm.Fixed(m.ground.at(0, 0, 0), beam.start))
    m.add(fm.PointForce(beam.end, (0, 3.0 * E * 0.1**4 / 12.0 / 4.0, 0)))
    return m.equilibrium(load_steps=4)
