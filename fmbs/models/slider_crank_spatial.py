"""Spatial slider-crank with a flexible rod of Tian2010."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any, ClassVar

import fmbs as fm
from fmbs.models.links import cylinder_inertia, spatial_link
from fmbs.models.mechanism import Mechanism
from fmbs.models.parameter import parameter, positive

X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class SliderCrankSpatial(Mechanism):
    """Stiff crank about y at constant speed, flexible rod and slider along x; clearance at the wrist pin (Tian2010 sect. 5.2).

    It starts with crank and rod in line and the velocities of ideal joints. The paper neglects the slider's inertia; here it is
    that of its pin, which counts only where the guide has clearance: there the slider is a round piston in a bore. Not printed
    and chosen here: the piston's size; gravity, 9.81 m/s^2 along -z.

    Perfect main bearings and crank pins hold their journals along y too. If these may slide (sliding=True) nothing holds the
    rod along y, and its motion in the plane is unstable: with an oil film in the wrist pin round-off grows tenfold in 20 ms and
    throws the journal against the bearing after half a second.
    """

    name: ClassVar[str] = "slider_crank_spatial"
    title: ClassVar[str] = "spatial slider-crank with a flexible rod and clearance at the wrist pin"
    paper: ClassVar[str] = "Tian2010"
    joints: ClassVar[tuple[str, ...]] = ("main bearing", "crank pin", "wrist pin", "guide")
    quantities: ClassVar[tuple[str, ...]] = (
        "position(slider).x", "velocity(slider).x", "acceleration(slider).x", "force(wrist pin)", "moment(motor).y",
        "eccentricity(wrist pin)", "penetration(wrist pin)", "eccentricity(crank pin)", "eccentricity(main bearing)",
        "eccentricity(guide)",
    )  # fmt: skip

    imperfect: tuple[str, ...] = parameter(("wrist pin",), "", "joints that have clearance", choices=joints)
    crank_length: float = positive(0.05, "m", "length of the crank")
    crank_thickness: float = positive(0.03, "m", "side of the crank's square section")
    crank_density: float = positive(6666.66, "kg/m^3", "density of the crank")
    crank_E: float = positive(2.07e15, "Pa", "Young's modulus of a flexible crank")
    crank_elements: int = parameter(1, "", "elements of a flexible crank", at_least=1)
    rod_length: float = positive(0.12, "m", "length of the rod, longer than the crank")
    rod_thickness: float = positive(0.015, "m", "side of the rod's square section")
    rod_density: float = positive(7777.78, "kg/m^3", "density of the rod")
    E: float = positive(5e9, "Pa", "Young's modulus of a flexible rod; the paper has 5e9 and 2.07e15")
    elements: int = parameter(4, "", "elements of a flexible rod", at_least=1)
    slider_mass: float = positive(0.14, "kg", "mass of the slider")
    bore_radius: float = positive(0.02, "m", "radius of a guide with clearance, in which the slider is a piston")
    slider_length: float = positive(0.04, "m", "length of that piston")
    contact_mass: float = positive(0.14, "kg", "mass that linear contact laws return with the restitution")
    rpm: float = positive(5000.0, "1/min", "speed of the crank")
    bearing_radius: float = positive(0.0152, "m", "radius of the bearings")
    clearance: float = positive(2e-4, "m", "radial clearance: bearing less journal radius")
    gravity: float = parameter(9.81, "m/s^2", "gravity along -z")
    sliding: bool = parameter(False, "", "may journals slide along perfect bearings?")
    flexible: bool = parameter(True, "", "are crank and rod beams?")
    interpolation: str = parameter("cubic", "", "of the beams", choices=("hermite", "quadratic", "cubic"))
    formulation: str = parameter("structural", "", "of the beams", choices=("continuum", "enhanced", "structural"))

    def build(self) -> fm.Model:
        """Parts: crank, rod, slider, main bearing, crank pin, wrist pin, guide, motor."""
        r, l, speed = self.crank_length, self.rod_length, self.rpm * pi / 30.0
        if l <= r:
            raise fm.ModelError(f"{self.name}: rod_length = {l:g} m must be above crank_length = {r:g} m, or it jams.")
        m = fm.Model(self.name, gravity=(0.0, 0.0, -self.gravity))
        centre = m.ground.at(0, 0, 0)
        root, crank_pin = spatial_link(
            m, "crank", (0, 0, 0), (r, 0, 0), thickness=self.crank_thickness, density=self.crank_density,
            spin=(0, speed, 0), beam=self._beam(self.crank_E, self.crank_elements),
        )  # fmt: skip
        big_end, small_end = spatial_link(
            m, "rod", (r, 0, 0), (r + l, 0, 0), thickness=self.rod_thickness, density=self.rod_density,
            velocity=(0, 0, -speed * r), spin=(0, -speed * r / l, 0), beam=self._beam(self.E, self.elements),
        )  # fmt: skip
        inertia = cylinder_inertia(self.slider_mass, self.bearing_radius - self.clearance, self.bearing_length, axis=1)
        slider = m.add(fm.RigidBody("slider", mass=self.slider_mass, inertia=inertia, com=(r + l, 0, 0)))
        m.add(self._pin("main bearing", centre, root))
        m.add(self._pin("crank pin", crank_pin, big_end))
        if self.flexible or self.is_imperfect("wrist pin") or self.is_imperfect("guide"):
            m.add(self.cylindrical("wrist pin", small_end, slider.com, Y))
        else:  # rigid links keep the pins parallel by themselves: two equations of a cylindrical joint would be redundant
            m.add(fm.PointOnLine(small_end, slider.com, axis=Y, name="wrist pin"))
        if self.is_imperfect("guide"):
            bore: dict[str, Any] = {
                "bearing_radius": self.bore_radius,
                "clearance": self.clearance,
                "length": self.slider_length,
                **self.laws(),
            }
            m.add(fm.ClearanceCylindrical(centre, slider.com, axis=X, name="guide", **bore))
        else:
            m.add(fm.Prismatic(centre, slider.com, axis=X, name="guide"))
        m.add(fm.RotationDrive(centre, root, axis=Y, speed=speed, name="motor"))
        return m

    def _pin(self, name: str, bearing: fm.Marker, journal: fm.Marker) -> fm.Joint | fm.ClearanceCylindrical:
        if self.sliding or self.is_imperfect(name):
            return self.cylindrical(name, bearing, journal, Y)
        return fm.Revolute(bearing, journal, axis=Y, name=name)

    def _beam(self, E: float, elements: int) -> dict[str, Any] | None:
        if not self.flexible:
            return None
        return {"E": E, "elements": elements, "interpolation": self.interpolation, "formulation": self.formulation}

    @property
    def turn(self) -> float:
        """Time of one turn of the crank, s."""
        return 60.0 / self.rpm

    @property
    def t_end(self) -> float:
        return self.turn if self.joint == "dry" else 2.0 * self.turn

    def settings(self) -> dict[str, Any]:
        """An impact lasts about 2e-5 s."""
        frame = self.turn / 1200
        return {"step": frame / 10, "output_step": frame} if self.has_soft_impacts else {"step": frame}
