"""Models for time stepping: a slider with clearance in its guide (Flores, Leine & Glocker 2010), and a chain of journals."""

from __future__ import annotations

from typing import Any

import fmbs as fm

LENGTHS, MASSES, INERTIAS = (0.153, 0.306), (0.038, 0.038, 0.076), (7.4e-5, 5.9e-4, 2.7e-6)
BLOCK, GAP, SPINS = (0.1, 0.05), 1e-3, (150.0, -75.0)


def guided_slider(law: Any, mu: float = 0.01) -> tuple[Any, Any, Any]:
    """Model, slider and guide of Flores, Leine & Glocker 2010: stretched at the start, in the middle of the gap."""
    m = fm.Model("guided slider", gravity=(0.0, -9.81))
    a, b = LENGTHS
    crank = m.add(
        fm.PlanarBody(
            "crank", mass=MASSES[0], inertia=INERTIAS[0], com=(a / 2, 0), spin=SPINS[0], velocity=(0, a / 2 * SPINS[0])
        )
    )
    tip = a * SPINS[0]
    turning = {"spin": SPINS[1], "velocity": (0, tip + b / 2 * SPINS[1])}
    rod = m.add(fm.PlanarBody("rod", mass=MASSES[1], inertia=INERTIAS[1], com=(a + b / 2, 0), **turning))
    slider = m.add(
        fm.PlanarBody("slider", mass=MASSES[2], inertia=INERTIAS[2], com=(a + b, 0), velocity=(0, tip + b * SPINS[1]))
    )
    m.add(fm.Revolute(m.ground.at(0, 0), crank.at(0, 0), name="main"))
    m.add(fm.Revolute(crank.at(a, 0), rod.at(a, 0), name="crank pin"))
    m.add(fm.Revolute(rod.at(a + b, 0), slider.com, name="wrist pin"))
    friction = fm.friction.Ambrosio(mu, v0=1e-4, v1=1e-3) if mu else None
    guide = m.add(fm.ClearancePrismatic(
        m.ground.at(a + b, 0), slider.com, axis=(1, 0), length=BLOCK[0], height=BLOCK[1], clearance=GAP, contact=law,
        friction=friction, name="guide",
    ))  # fmt: skip
    return m, slider, guide


def chain(count: int, law: Any, mu: float = 0.1) -> tuple[Any, list[Any], list[Any]]:
    """Links that hang from each other by journals with clearance, drawn with closed gaps: every one is in contact."""
    m, gap, pitch = fm.Model("chain", gravity=(0.0, -9.81)), 1e-3, 0.1
    links, joints = [], []
    last = m.ground
    for k in range(count):
        top = -k * pitch
        links.append(m.add(fm.PlanarBody(f"link {k}", mass=0.1, inertia=1e-4, com=(0.0, top - 0.5 * pitch))))
        joints.append(
            m.add(
                fm.ClearanceRevolute(
                    last.at(0.0, top + gap),
                    links[-1].at(0.0, top),
                    bearing_radius=0.01,
                    clearance=gap,
                    length=0.01,
                    contact=law,
                    friction=fm.friction.Ambrosio(mu, v0=1e-4, v1=1e-3) if mu else None,
                    name=f"joint {k}",
                )
            )
        )
        last = links[-1]
    return m, links, joints
