"""What all ready-made mechanisms share: the choice of their joints, and how a joint is made of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import fmbs as fm
from fmbs.models.laws import CONTACTS, FILMS, FRICTIONS, JOINTS, RIGID, contact_law, film, friction_law, guide_law
from fmbs.models.parameter import parameter, parameters, positive
from fmbs.models.quantity import Quantity


@dataclass(frozen=True, kw_only=True)
class Block:
    """Slider in a guide with clearance: length along it, height across, radius of its edges, m."""

    length: float
    height: float
    corner_radius: float


@dataclass(frozen=True, kw_only=True)
class Mechanism(ABC):
    """A mechanism of a paper. A subclass sets other defaults, adds its own parameters, and gives `build`.

    name, title, paper: for lists; joints: those that can have clearance
    quantities: what is worth plotting and comparing, see models/quantity.py
    """

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    joints: ClassVar[tuple[str, ...]]
    quantities: ClassVar[tuple[str, ...]]

    joint: str = parameter("ideal", "", "kind of the imperfect joints", choices=tuple(JOINTS))
    imperfect: tuple[str, ...] = parameter((), "", "joints that have clearance")
    bearing_radius: float = positive(0.01, "m", "radius of the bearings")
    clearance: float = positive(5e-5, "m", "radial clearance: bearing less journal radius")
    bearing_length: float = positive(0.02, "m", "length of the bearings along their axis")
    contact: str = parameter("LankaraniNikravesh", "", "contact law", choices=CONTACTS)
    restitution: float = parameter(0.9, "", "coefficient of restitution", above=0.0, at_most=1.0)
    contact_E: float = positive(207e9, "Pa", "Young's modulus of journals and bearings")
    contact_nu: float = parameter(0.3, "", "Poisson's ratio of journals and bearings", at_least=0.0, at_most=0.5)
    contact_density: float = positive(7800.0, "kg/m^3", "density of journals and bearings")
    contact_mass: float = positive(0.1, "kg", "mass that linear contact laws return with the restitution")
    friction: str = parameter("none", "", "friction law of dry contact", choices=FRICTIONS)
    kinetic_friction: float = positive(0.1, "", "coefficient of sliding friction")
    static_friction: float = positive(0.15, "", "coefficient of friction at rest (Stribeck, LuGre)")
    stribeck_speed: float = positive(1e-2, "m/s", "Stribeck speed; Ambrosio's law is full there, none below a tenth")
    film: str = parameter("ShortBearing", "", "film law", choices=FILMS)
    viscosity: float = positive(0.4, "Pa s", "dynamic viscosity of the oil")

    def __post_init__(self) -> None:
        for item in parameters(self):
            item.check(self.name, getattr(self, item.name))

    @abstractmethod
    def build(self) -> fm.Model:
        """The model; m["..."] finds its parts by name."""

    @property
    @abstractmethod
    def t_end(self) -> float:
        """A duration that shows what the mechanism does, s."""

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """Options of `simulate` that run well for this kind of joint."""

    def points(self, m: fm.Model) -> dict[str, fm.Marker]:
        """Markers that the quantities name, besides the centres of mass of the rigid bodies."""
        return {}

    def outputs(self) -> list[Quantity]:
        """The quantities that this kind of joint has."""
        known = [Quantity.parse(text) for text in self.quantities]
        return [item for item in known if not item.needs_clearance or (self.joint != "ideal" and item.part in self.imperfect)]

    def laws(self) -> dict[str, Any]:
        """Of an imperfect joint: contact, friction, film."""
        dry = {"contact": contact_law(self), "friction": friction_law(self)} if self.joint in ("dry", "mixed") else {}
        oil = {"film": film(self)} if self.joint in ("lubricated", "mixed") else {}
        return {**dry, **oil}

    @property
    def has_soft_impacts(self) -> bool:
        """Are impacts resolved by steps, because surfaces are soft? Those between rigid ones (fm.impact) take no time."""
        return self.joint == "dry" and self.contact not in RIGID

    def is_imperfect(self, name: str) -> bool:
        return self.joint != "ideal" and name in self.imperfect

    def revolute(self, name: str, bearing: fm.Marker, journal: fm.Marker) -> fm.Revolute | fm.ClearanceRevolute:
        """A joint in the plane, ideal or with clearance."""
        if not self.is_imperfect(name):
            return fm.Revolute(bearing, journal, name=name)
        return fm.ClearanceRevolute(
            bearing, journal, bearing_radius=self.bearing_radius, clearance=self.clearance, length=self.bearing_length,
            name=name, **self.laws(),
        )  # fmt: skip

    def prismatic(self, name: str, guide: fm.Marker, slider: fm.Marker, block: Block) -> fm.Prismatic | fm.ClearancePrismatic:
        """A slider along x in the plane, ideal or with clearance; it has no film, whatever the kind of the joints."""
        if not self.is_imperfect(name):
            return fm.Prismatic(guide, slider, axis=(1, 0), name=name)
        return fm.ClearancePrismatic(
            guide, slider, axis=(1, 0), clearance=self.clearance, length=block.length, height=block.height,
            corner_radius=block.corner_radius, contact=guide_law(self), friction=friction_law(self), name=name,
        )  # fmt: skip

    def cylindrical(
        self, name: str, bearing: fm.Marker, journal: fm.Marker, axis: tuple[float, float, float]
    ) -> fm.Cylindrical | fm.ClearanceCylindrical:
        """A joint in space, ideal or with clearance."""
        if not self.is_imperfect(name):
            return fm.Cylindrical(bearing, journal, axis=axis, name=name)
        return fm.ClearanceCylindrical(
            bearing, journal, axis=axis, bearing_radius=self.bearing_radius, clearance=self.clearance,
            length=self.bearing_length, name=name, **self.laws(),
        )  # fmt: skip
