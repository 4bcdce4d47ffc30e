"""Spatial double pendulum of Tian2010."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any, ClassVar

import fmbs as fm
from fmbs.models.links import cylinder_inertia, spatial_link
from fmbs.models.mechanism import Mechanism
from fmbs.models.parameter import parameter, positive

Axis = tuple[float, float, float]
X: Axis = (1.0, 0.0, 0.0)
Y: Axis = (0.0, 1.0, 0.0)
Z: Axis = (0.0, 0.0, 1.0)
ARRANGEMENTS: dict[str, tuple[Axis, Axis]] = {  # link CD, axis of bearing B
    "spatial": (Y, X),
    "planar": (X, Y),
    "CD y, B z": (Y, Z),
    "CD x, B z": (X, Z),
}


@dataclass(frozen=True, kw_only=True)
class DoublePendulum(Mechanism):
    """Two flexible links QB and CD, each with a rigid journal at its first end, released from rest, gravity along -z.

    The journal of QB sits in a bearing of the ground, with clearance; that of CD in a perfect bearing at B (Tian2010
    sect. 5.1). Not printed in the paper and chosen here: the directions of links and axes; contact of steel, 207 GPa. The
    paper's element is interpolation="hermite", formulation="continuum", with 4, 12 and 16 of them for E = 6.9e11, 6.9e9 and
    6.9e8 Pa.

    QB lies along x and turns about y. arrangement="spatial": CD lies along y and swings about x, the axis of QB, which it
    bends, twists and tilts in its bearing. Of the arrangements that fit the paper's words this one needs 4, 12 and 16 elements
    as its Fig. 8 does and tilts the journal as in its Figs 11 and 16. arrangement="planar": CD lies along x and swings about y,
    so that nothing leaves the plane. The others are there to be compared: link CD and the axis of B along the directions named.

    The perfect bearing B holds the journal along its axis too. In a frictionless cylindrical one (sliding=True, the paper's
    word) the spatial link CD would slide off QB, and the planar motion is unstable: a journal that has slid by s twists QB
    by N s / k, the tilted bearing pushes it on with N^2 s / k, and disturbances grow with the rate N / sqrt(k m).
    """

    name: ClassVar[str] = "double_pendulum"
    title: ClassVar[str] = "spatial double pendulum of two flexible links on a cylindrical joint with clearance"
    paper: ClassVar[str] = "Tian2010"
    joints: ClassVar[tuple[str, ...]] = ("bearing Q", "bearing B")
    quantities: ClassVar[tuple[str, ...]] = (
        "position(D).x", "position(D).z", "velocity(D).z", "force(bearing Q)", "eccentricity(bearing Q)",
        "penetration(bearing Q)", "eccentricity(bearing B)",
    )  # fmt: skip

    arrangement: str = parameter("spatial", "", "directions of link CD and bearing B", choices=tuple(ARRANGEMENTS))
    imperfect: tuple[str, ...] = parameter(("bearing Q",), "", "joints that have clearance", choices=joints)
    length: float = positive(0.5, "m", "length of each link")
    thickness: float = positive(0.01, "m", "side of the links' square section")
    density: float = positive(2700.0, "kg/m^3", "density of the links")
    E: float = positive(6.9e9, "Pa", "Young's modulus of the links; the paper has 6.9e11, 6.9e9 and 6.9e8")
    journal_density: float = positive(7800.0, "kg/m^3", "density of the journals")
    bearing_radius: float = positive(0.0302, "m", "radius of the bearings")
    clearance: float = positive(2e-4, "m", "radial clearance: bearing less journal radius")
    bearing_length: float = positive(0.04, "m", "length of journals and bearings along their axis")
    gravity: float = parameter(9.81, "m/s^2", "gravity along -z")
    sliding: bool = parameter(False, "", "may the journal slide along the perfect bearing B?")
    contact_mass: float = positive(1.0, "kg", "mass that linear contact laws return with the restitution")
    flexible: bool = parameter(True, "", "are the links beams?")
    elements: int = parameter(4, "", "elements of each flexible link", at_least=1)
    interpolation: str = parameter("cubic", "", "of the beams", choices=("hermite", "quadratic", "cubic"))
    formulation: str = parameter("structural", "", "of the beams", choices=("continuum", "enhanced", "structural"))

    def build(self) -> fm.Model:
        """Parts: QB, CD, journal Q, journal C, weld Q, weld C, bearing Q, bearing B."""
        m = fm.Model(self.name, gravity=(0.0, 0.0, -self.gravity))
        beam = None
        if self.flexible:
            beam = {
                "E": self.E,
                "elements": self.elements,
                "interpolation": self.interpolation,
                "formulation": self.formulation,
            }
        l, axis = self.length, ARRANGEMENTS[self.arrangement][1]
        square: dict[str, Any] = {"thickness": self.thickness, "density": self.density, "beam": beam}
        q, b = spatial_link(m, "QB", (0, 0, 0), (l, 0, 0), **square)
        c, _ = spatial_link(m, "CD", (l, 0, 0), self._tip, **square)
        journals = []
        for name, link, about in (("journal Q", q, Y), ("journal C", c, axis)):
            journals.append(m.add(self._journal(name, link, about)).com)
            m.add(fm.Fixed(link, journals[-1], name=name.replace("journal", "weld")))
        m.add(self.cylindrical("bearing Q", m.ground.at(0, 0, 0), journals[0], Y))
        if self.sliding or self.is_imperfect("bearing B"):
            m.add(self.cylindrical("bearing B", b, journals[1], axis))
        else:
            m.add(fm.Revolute(b, journals[1], axis=axis, name="bearing B"))
        return m

    @property
    def _tip(self) -> Axis:
        """Point D at the start."""
        x, y, z = ARRANGEMENTS[self.arrangement][0]
        return self.length * (1.0 + x), self.length * y, self.length * z

    def _journal(self, name: str, place: fm.Marker, axis: Axis) -> fm.RigidBody:
        radius = self.bearing_radius - self.clearance
        mass = self.journal_density * pi * radius**2 * self.bearing_length
        inertia = cylinder_inertia(mass, radius, self.bearing_length, axis=axis.index(1.0))
        return fm.RigidBody(name, mass=mass, inertia=inertia, com=place.position)

    def points(self, m: fm.Model) -> dict[str, fm.Marker]:
        return {"D": m["CD"].end if self.flexible else m["CD"].at(*self._tip)}

    @property
    def t_end(self) -> float:
        return 0.2 if self.joint == "dry" else 2.0

    def settings(self) -> dict[str, Any]:
        """An impact lasts about 1e-4 s; the paper takes steps of 2e-6 s for dry and lubricated joints."""
        return {"step": 1e-5 if self.has_soft_impacts else 1e-4, "output_step": 1e-4} if self.joint == "dry" else {"step": 1e-3}
