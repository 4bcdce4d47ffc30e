"""Planar slider-crank of Flores2006."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any, ClassVar

import fmbs as fm
from fmbs.models.laws import FILMS, RIGID
from fmbs.models.links import planar_link
from fmbs.models.mechanism import Block, Mechanism
from fmbs.models.parameter import parameter, positive


@dataclass(frozen=True, kw_only=True)
class SliderCrankPlanar(Mechanism):
    """Crank at constant speed, rod and slider, gravity along -y; clearance at the wrist pin (Flores2006 sect. 6, Tables 1-2).

    It starts at the top dead point with the velocities of ideal joints. Not printed in the paper and chosen here: the bearing's
    length, 20 mm; the speeds of the friction law; the slider's size and inertia, which count only if the guide has clearance.
    """

    name: ClassVar[str] = "slider_crank_planar"
    title: ClassVar[str] = "planar slider-crank with clearance at the wrist pin"
    paper: ClassVar[str] = "Flores2006"
    joints: ClassVar[tuple[str, ...]] = ("main bearing", "crank pin", "wrist pin", "guide")
    quantities: ClassVar[tuple[str, ...]] = (
        "position(slider).x", "velocity(slider).x", "acceleration(slider).x", "force(wrist pin)", "moment(motor)",
        "eccentricity(wrist pin)", "penetration(wrist pin)", "eccentricity(crank pin)", "eccentricity(main bearing)",
        "penetration(guide)",
    )  # fmt: skip

    imperfect: tuple[str, ...] = parameter(("wrist pin",), "", "joints that have clearance", choices=joints)
    crank_length: float = positive(0.05, "m", "length of the crank")
    crank_mass: float = positive(0.30, "kg", "mass of the crank")
    crank_inertia: float = positive(1e-5, "kg m^2", "moment of inertia of the crank about its centre of mass")
    rod_length: float = positive(0.12, "m", "length of the rod, longer than the crank")
    rod_mass: float = positive(0.21, "kg", "mass of the rod")
    rod_inertia: float = positive(2.5e-4, "kg m^2", "moment of inertia of the rigid rod about its centre of mass")
    slider_mass: float = positive(0.14, "kg", "mass of the slider")
    slider_inertia: float = positive(1e-4, "kg m^2", "moment of inertia of the slider")
    slider_length: float = positive(0.05, "m", "length of the slider along its guide")
    slider_height: float = positive(0.03, "m", "height of the slider across its guide")
    slider_edge: float = positive(0.01, "m", "radius of the slider's edges, which touch the guide")
    contact_mass: float = positive(0.14, "kg", "mass that linear contact laws return with the restitution")
    rpm: float = positive(5000.0, "1/min", "speed of the crank")
    gravity: float = parameter(9.81, "m/s^2", "gravity along -y")
    film: str = parameter("LongBearing", "", "film law", choices=FILMS)
    flexible: bool = parameter(False, "", "is the rod a beam, of the same mass?")
    flexible_crank: bool = parameter(False, "", "is the crank a beam, uniform and of the same mass?")
    elements: int = parameter(4, "", "elements of a flexible link", at_least=1)
    E: float = positive(207e9, "Pa", "Young's modulus of flexible links")
    crank_thickness: float = positive(0.03, "m", "side of the square section of a flexible crank")
    thickness: float = positive(0.015, "m", "side of the square section of a flexible rod")

    def build(self) -> fm.Model:
        """Parts: crank, rod, slider, main bearing, crank pin, wrist pin, guide, motor."""
        r, l, speed = self.crank_length, self.rod_length, self.rpm * pi / 30.0
        if l <= r:
            raise fm.ModelError(f"{self.name}: rod_length = {l:g} m must be above crank_length = {r:g} m, or it jams.")
        m = fm.Model(self.name, gravity=self._weight)
        root, crank_pin = planar_link(
            m, "crank", (0, 0), (r, 0), mass=self.crank_mass, inertia=self.crank_inertia, velocity=(0, 0), spin=speed,
            beam=self._beam(self.flexible_crank, self.crank_thickness),
        )  # fmt: skip
        slider = m.add(fm.PlanarBody("slider", mass=self.slider_mass, inertia=self.slider_inertia, com=(r + l, 0)))
        big_end, small_end = planar_link(
            m, "rod", (r, 0), (r + l, 0), mass=self.rod_mass, inertia=self.rod_inertia, velocity=(0, speed * r),
            spin=-speed * r / l, beam=self._beam(self.flexible, self.thickness),
        )  # fmt: skip
        centre = m.ground.at(0, 0)
        m.add(self.revolute("main bearing", centre, root))
        m.add(self.revolute("crank pin", big_end, crank_pin))
        m.add(self.revolute("wrist pin", small_end, slider.com))
        block = Block(length=self.slider_length, height=self.slider_height, corner_radius=self.slider_edge)
        m.add(self.prismatic("guide", centre, slider.com, block))
        m.add(fm.RotationDrive(centre, root, speed=speed, name="motor"))
        return m

    @property
    def _weight(self) -> tuple[float, float]:
        return 0.0, -self.gravity

    def _beam(self, flexible: bool, thickness: float) -> dict[str, Any] | None:
        return {"E": self.E, "thickness": thickness, "elements": self.elements} if flexible else None

    @property
    def has_beams(self) -> bool:
        return self.flexible or self.flexible_crank

    @property
    def turn(self) -> float:
        """Time of one turn of the crank, s."""
        return 60.0 / self.rpm

    @property
    def t_end(self) -> float:
        return 2.0 * self.turn

    def settings(self) -> dict[str, Any]:
        """An impact lasts about 3e-5 s at 5000 rpm: sixty small steps, cheaper than error control."""
        frame = self.turn / 1200
        rattles = self.contact not in RIGID and (self.joint == "dry" or self.is_imperfect("guide"))
        return {"step": frame / (10 if self.has_beams else 20), "output_step": frame} if rattles else {"step": frame}
