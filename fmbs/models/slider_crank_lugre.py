"""Planar slider-crank with stick-slip friction of Muvengei2012."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from fmbs.models.laws import FRICTIONS
from fmbs.models.parameter import parameter, positive
from fmbs.models.slider_crank_planar import SliderCrankPlanar


@dataclass(frozen=True, kw_only=True)
class SliderCrankLuGre(SliderCrankPlanar):
    """Slider-crank with LuGre friction in one clearance joint, at the crank pin or at the wrist pin (Muvengei2012 Table 1).

    The paper takes the bristle's steady state, friction="LuGre steady"; here the bristle is a real state. Its Stribeck speed is
    1 % of the largest sliding speed, about 1.5 m/s at 2500 rpm. Not printed and chosen here: the bearing's length, 20 mm; the
    slider's size and inertia, which count only if the guide has clearance; gravity, 9.81 m/s^2 along -y; the viscosity, as in
    Flores2006. A clearance of a tenth of the radius is too wide for oil: the film of lubricated runs is squeezed out.
    """

    name: ClassVar[str] = "slider_crank_lugre"
    title: ClassVar[str] = "planar slider-crank with stick-slip friction in a worn joint"
    paper: ClassVar[str] = "Muvengei2012"
    quantities: ClassVar[tuple[str, ...]] = (
        "position(slider).x", "velocity(slider).x", "acceleration(slider).x", "force(wrist pin)", "moment(motor)",
        "friction_force(crank pin)", "friction_force(wrist pin)", "eccentricity(crank pin)", "eccentricity(wrist pin)",
    )  # fmt: skip

    imperfect: tuple[str, ...] = parameter(("crank pin",), "", "joints that have clearance", choices=SliderCrankPlanar.joints)
    crank_mass: float = positive(17.9, "kg", "mass of the crank")
    crank_inertia: float = positive(0.460327, "kg m^2", "moment of inertia of the crank about its centre of mass")
    rod_length: float = positive(0.3, "m", "length of the rod, longer than the crank")
    rod_mass: float = positive(1.13, "kg", "mass of the rod")
    rod_inertia: float = positive(0.0153, "kg m^2", "moment of inertia of the rigid rod about its centre of mass")
    slider_mass: float = positive(1.013, "kg", "mass of the slider")
    slider_length: float = positive(0.1, "m", "length of the slider along its guide")
    slider_height: float = positive(0.05, "m", "height of the slider across its guide")
    contact_mass: float = positive(1.0, "kg", "mass that linear contact laws return with the restitution")
    rpm: float = positive(2500.0, "1/min", "speed of the crank")
    bearing_radius: float = positive(0.005, "m", "radius of the bearings")
    clearance: float = positive(5e-4, "m", "radial clearance: bearing less journal radius")
    friction: str = parameter("LuGre", "", "friction law of dry contact", choices=FRICTIONS)
    static_friction: float = positive(0.2, "", "coefficient of friction at rest (Stribeck, LuGre)")
    stribeck_speed: float = positive(0.015, "m/s", "Stribeck speed; Ambrosio's law is full there, none below a tenth")

    def settings(self) -> dict[str, Any]:
        """The film breaks through here (see above), so lubricated runs need error control."""
        if self.joint == "ideal" or self.has_beams:
            return super().settings()
        frame = self.turn / 4800
        return (
            {"step": self.turn / 24000 if self.has_soft_impacts else frame, "output_step": frame}
            if self.joint == "dry"
            else {"tolerance": 1e-4, "output_step": frame}
        )
