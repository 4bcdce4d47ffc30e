"""High-speed press of Chen2020."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fmbs.models.laws import FRICTIONS
from fmbs.models.parameter import parameter, positive
from fmbs.models.slider_crank_planar import SliderCrankPlanar


@dataclass(frozen=True, kw_only=True)
class Press(SliderCrankPlanar):
    """A heavy slider-crank with clearance at both ends of its rod (Chen2020 sect. 3).

    Not printed in the paper and chosen here: bearings of 100 mm radius and length; uniform crank and rod; the speeds of the
    friction law; no gravity, since the paper's ideal acceleration has none and the weight of a press's slider is balanced.
    contact="Chen2020" takes the paper's own stiffness, with R_b + R_j (see docs/contact.md); it penetrates deeper than the
    10 um that the paper allows.
    """

    name: ClassVar[str] = "press"
    title: ClassVar[str] = "high-speed press with clearance at both ends of the rod"
    paper: ClassVar[str] = "Chen2020"

    imperfect: tuple[str, ...] = parameter(
        ("crank pin", "wrist pin"), "", "joints that have clearance", choices=SliderCrankPlanar.joints
    )
    crank_length: float = positive(0.025, "m", "length of the crank")
    crank_mass: float = positive(453.87, "kg", "mass of the crank")
    crank_inertia: float = positive(
        453.87 * 0.025**2 / 12.0, "kg m^2", "moment of inertia of the crank about its centre of mass"
    )
    rod_length: float = positive(1.02, "m", "length of the rod, longer than the crank")
    rod_mass: float = positive(2000.55, "kg", "mass of the rod")
    rod_inertia: float = positive(
        2000.55 * 1.02**2 / 12.0, "kg m^2", "moment of inertia of the rigid rod about its centre of mass"
    )
    slider_mass: float = positive(21594.71, "kg", "mass of the slider")
    slider_inertia: float = positive(1000.0, "kg m^2", "moment of inertia of the slider")
    slider_length: float = positive(1.0, "m", "length of the slider along its guide")
    slider_height: float = positive(1.0, "m", "height of the slider across its guide")
    slider_edge: float = positive(0.05, "m", "radius of the slider's edges, which touch the guide")
    contact_mass: float = positive(2e4, "kg", "mass that linear contact laws return with the restitution")
    rpm: float = positive(100.0, "1/min", "speed of the crank")
    gravity: float = parameter(0.0, "m/s^2", "gravity, along -y across the stroke or along it")
    hanging: bool = parameter(False, "", "does gravity act along the stroke, +x, the slider hanging from the crank?")
    bearing_radius: float = positive(0.1, "m", "radius of the bearings")
    bearing_length: float = positive(0.1, "m", "length of the bearings along their axis")
    clearance: float = positive(1e-4, "m", "radial clearance: bearing less journal radius")
    restitution: float = parameter(0.95, "", "coefficient of restitution", above=0.0, at_most=1.0)
    contact_E: float = positive(210e9, "Pa", "Young's modulus of journals and bearings")
    contact_density: float = positive(7960.0, "kg/m^3", "density of journals and bearings")
    friction: str = parameter("Ambrosio", "", "friction law of dry contact", choices=FRICTIONS)
    kinetic_friction: float = positive(0.01, "", "coefficient of sliding friction")
    E: float = positive(210e9, "Pa", "Young's modulus of flexible links")
    crank_thickness: float = positive(0.2, "m", "side of the square section of a flexible crank")
    thickness: float = positive(0.5, "m", "side of the square section of a flexible rod")

    @property
    def _weight(self) -> tuple[float, float]:
        return (self.gravity, 0.0) if self.hanging else (0.0, -self.gravity)
