"""A slider-crank between a torque and what it does, for an FMU."""

from __future__ import annotations

from typing import Any

import fmbs as fm


def build() -> Any:
    m = fm.Model("crank", gravity=(0, -9.81))
    crank = m.add(fm.PlanarBody("crank", mass=0.30, inertia=1e-3, com=(0.025, 0)))
    rod = m.add(fm.PlanarBody("rod", mass=0.21, inertia=2.5e-4, com=(0.11, 0)))
    slider = m.add(fm.PlanarBody("slider", mass=0.14, inertia=1e-4, com=(0.17, 0)))
    m.add(fm.Revolute(m.ground.at(0, 0), crank.at(0, 0)))
    m.add(fm.Revolute(crank.at(0.05, 0), rod.at(0.05, 0)))
    m.add(fm.Revolute(rod.at(0.17, 0), slider.com))
    m.add(fm.Prismatic(m.ground.at(0, 0), slider.com, axis=(1, 0)))
    u = fm.Input("torque", 0.5)
    m.add(fm.Torque(crank.com, u))
    return m, [u], {"x": lambda sol: sol.position(slider.com)[:, 0], "speed": lambda sol: sol.spin(crank.com)}


def wrong() -> Any:
    return 3
