"""Flexible pendulum: the smallest flexible model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import fmbs as fm
from fmbs.models.links import planar_link
from fmbs.models.mechanism import Mechanism
from fmbs.models.parameter import parameter, positive


@dataclass(frozen=True, kw_only=True)
class FlexiblePendulum(Mechanism):
    """One link on a pin with a rigid journal at its end, released from rest along +x, gravity along -y.

    A planar ANCF beam, for tutorials. Length, section and density are those of a link of Tian2010's double pendulum.
    """

    name: ClassVar[str] = "flexible_pendulum"
    title: ClassVar[str] = "one flexible link on a pin, the smallest flexible model"
    paper: ClassVar[str] = "Tian2010"
    joints: ClassVar[tuple[str, ...]] = ("pin",)
    quantities: ClassVar[tuple[str, ...]] = (
        "position(tip).x", "position(tip).y", "velocity(tip).y", "force(pin)", "eccentricity(pin)", "penetration(pin)",
    )  # fmt: skip

    imperfect: tuple[str, ...] = parameter(("pin",), "", "joints that have clearance", choices=joints)
    length: float = positive(0.5, "m", "length of the link")
    thickness: float = positive(0.01, "m", "side of its square section")
    density: float = positive(2700.0, "kg/m^3", "density of the link")
    E: float = positive(6.9e9, "Pa", "Young's modulus of the link")
    flexible: bool = parameter(True, "", "is the link a beam?")
    elements: int = parameter(4, "", "elements of the link", at_least=1)
    journal_mass: float = positive(0.1, "kg", "mass of the journal, a solid disc")
    gravity: float = parameter(9.81, "m/s^2", "gravity along -y")
    clearance: float = positive(1e-4, "m", "radial clearance: bearing less journal radius")

    def build(self) -> fm.Model:
        """Parts: link, journal, weld, pin."""
        m = fm.Model(self.name, gravity=(0.0, -self.gravity))
        mass = self.density * self.thickness**2 * self.length
        beam = {"E": self.E, "thickness": self.thickness, "elements": self.elements} if self.flexible else None
        root, _ = planar_link(
            m, "link", (0, 0), (self.length, 0), mass=mass, inertia=mass * self.length**2 / 12.0, velocity=(0, 0), spin=0.0,
            beam=beam,
        )  # fmt: skip
        radius = self.bearing_radius - self.clearance
        journal = m.add(
            fm.PlanarBody("journal", mass=self.journal_mass, inertia=0.5 * self.journal_mass * radius**2, com=(0, 0))
        )
        m.add(fm.Fixed(root, journal.com, name="weld"))
        m.add(self.revolute("pin", m.ground.at(0, 0), journal.com))
        return m

    def points(self, m: fm.Model) -> dict[str, fm.Marker]:
        return {"tip": m["link"].end if self.flexible else m["link"].at(self.length, 0)}

    @property
    def t_end(self) -> float:
        return 0.2 if self.joint == "dry" else 1.0

    def settings(self) -> dict[str, Any]:
        """An impact lasts about 1e-4 s."""
        return {"step": 1e-5 if self.has_soft_impacts else 1e-4, "output_step": 1e-4} if self.joint == "dry" else {"step": 1e-3}
