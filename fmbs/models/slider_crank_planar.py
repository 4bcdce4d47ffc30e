"""Planar slider-crank of Flores2006."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import fmbs as fm


@dataclass(frozen=True, kw_only=True)
class SliderCrankPlanar:
    """Rigid crank, rod and slider at constant crank speed, gravity along -y (Flores2006 sect. 6, Table 1).

    It starts at the top dead point with the velocities of ideal joints. The paper's slider does not turn, so its moment of
    inertia has no influence; it is not printed there.
    """

    crank_length: float = 0.05  # m
    crank_mass: float = 0.30  # kg
    crank_inertia: float = 1e-5  # kg m^2
    rod_length: float = 0.12  # m
    rod_mass: float = 0.21  # kg
    rod_inertia: float = 2.5e-4  # kg m^2
    slider_mass: float = 0.14  # kg
    slider_inertia: float = 1e-4  # kg m^2
    rpm: float = 5000.0  # crank speed, 1/min

    def build(self) -> fm.Model:
        """The model; m["wrist pin"] finds its parts: crank, rod, slider, main bearing, crank pin, wrist pin, guide, motor."""
        r, l, speed = self.crank_length, self.rod_length, self.rpm * pi / 30.0
        m = fm.Model("slider_crank_planar", gravity=(0.0, -9.81))
        crank = m.add(fm.PlanarBody("crank", mass=self.crank_mass, inertia=self.crank_inertia, com=(r / 2, 0), spin=speed))
        rod = m.add(fm.PlanarBody("rod", mass=self.rod_mass, inertia=self.rod_inertia, com=(r + l / 2, 0)))
        slider = m.add(fm.PlanarBody("slider", mass=self.slider_mass, inertia=self.slider_inertia, com=(r + l, 0)))
        centre = m.ground.at(0, 0)
        m.add(fm.Revolute(centre, crank.at(0, 0), name="main bearing"))
        m.add(fm.Revolute(crank.at(r, 0), rod.at(r, 0), name="crank pin"))
        m.add(fm.Revolute(rod.at(r + l, 0), slider.com, name="wrist pin"))
        m.add(fm.Prismatic(centre, slider.com, axis=(1, 0), name="guide"))
        m.add(fm.RotationDrive(centre, crank.at(0, 0), speed=speed, name="motor"))
        return m
