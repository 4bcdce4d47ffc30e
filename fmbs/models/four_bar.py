"""Planar four-bar linkage, the other standard mechanism of Muvengi2011's review."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any, ClassVar

import numpy as np

import fmbs as fm
from fmbs.models.links import planar_link
from fmbs.models.mechanism import Mechanism
from fmbs.models.parameter import parameter, positive


@dataclass(frozen=True, kw_only=True)
class FourBar(Mechanism):
    """Crank at constant speed, coupler and rocker, gravity along -y; any of the four joints may have clearance.

    Crank from A(0, 0) to B, coupler from B to C, rocker from D(base, 0) to C. It starts with the crank along +x, C above,
    and the velocities of ideal joints. Muvengi2011 names the mechanism and gives no data: all of them are chosen here.
    """

    name: ClassVar[str] = "four_bar"
    title: ClassVar[str] = "planar four-bar linkage, any of its joints with clearance"
    paper: ClassVar[str] = "Muvengi2011"
    joints: ClassVar[tuple[str, ...]] = ("joint A", "joint B", "joint C", "joint D")
    quantities: ClassVar[tuple[str, ...]] = (
        "position(C).x", "velocity(C).x", "acceleration(C).x", "force(joint C)", "moment(motor)",
        "eccentricity(joint A)", "eccentricity(joint B)", "eccentricity(joint C)", "eccentricity(joint D)",
    )  # fmt: skip

    imperfect: tuple[str, ...] = parameter(("joint C",), "", "joints that have clearance", choices=joints)
    crank_length: float = positive(0.05, "m", "length of the crank A-B")
    coupler_length: float = positive(0.12, "m", "length of the coupler B-C")
    rocker_length: float = positive(0.08, "m", "length of the rocker D-C")
    base_length: float = positive(0.10, "m", "distance of the fixed joints A-D")
    crank_mass: float = positive(0.30, "kg", "mass of the crank, a uniform rod")
    coupler_mass: float = positive(0.21, "kg", "mass of the coupler, a uniform rod")
    rocker_mass: float = positive(0.14, "kg", "mass of the rocker, a uniform rod")
    rpm: float = positive(600.0, "1/min", "speed of the crank")
    gravity: float = parameter(9.81, "m/s^2", "gravity along -y")
    flexible: bool = parameter(False, "", "are coupler and rocker beams, of the same mass?")
    flexible_crank: bool = parameter(False, "", "is the crank a beam, of the same mass?")
    elements: int = parameter(4, "", "elements of each flexible link", at_least=1)
    E: float = positive(207e9, "Pa", "Young's modulus of flexible links")
    thickness: float = positive(0.01, "m", "side of the square section of flexible links")

    def build(self) -> fm.Model:
        """Parts: crank, coupler, rocker, joint A, joint B, joint C, joint D, motor."""
        speed = self.rpm * pi / 30.0
        b, d = np.array([self.crank_length, 0.0]), np.array([self.base_length, 0.0])
        c = self._apex(b, d)
        moving = speed * np.array([0.0, self.crank_length])  # velocity of B
        coupler_spin, rocker_spin = _spins(c - b, c - d, moving)
        section = {"E": self.E, "thickness": self.thickness, "elements": self.elements}
        beam = section if self.flexible else None
        m = fm.Model(self.name, gravity=(0.0, -self.gravity))
        crank, crank_pin = planar_link(
            m, "crank", (0, 0), b, mass=self.crank_mass, inertia=self.crank_mass * self.crank_length**2 / 12.0,
            velocity=(0, 0), spin=speed, beam=section if self.flexible_crank else None,
        )  # fmt: skip
        coupler, coupler_end = planar_link(
            m, "coupler", b, c, mass=self.coupler_mass, inertia=self.coupler_mass * self.coupler_length**2 / 12.0,
            velocity=moving, spin=coupler_spin, beam=beam,
        )  # fmt: skip
        rocker, rocker_end = planar_link(
            m, "rocker", d, c, mass=self.rocker_mass, inertia=self.rocker_mass * self.rocker_length**2 / 12.0,
            velocity=(0, 0), spin=rocker_spin, beam=beam,
        )  # fmt: skip
        centre = m.ground.at(0, 0)
        m.add(self.revolute("joint A", centre, crank))
        m.add(self.revolute("joint B", crank_pin, coupler))
        m.add(self.revolute("joint C", coupler_end, rocker_end))
        m.add(self.revolute("joint D", m.ground.at(*d), rocker))
        m.add(fm.RotationDrive(centre, crank, speed=speed, name="motor"))
        return m

    def points(self, m: fm.Model) -> dict[str, fm.Marker]:
        rocker = m["rocker"]
        apex = self._apex(np.array([self.crank_length, 0.0]), np.array([self.base_length, 0.0]))
        return {"C": rocker.end if self.flexible else rocker.at(*apex)}

    def _apex(self, b: np.ndarray[Any, Any], d: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """C: at the coupler's length from B and the rocker's from D, above both."""
        gap = d - b
        distance = float(np.hypot(*gap))
        along = (distance**2 + self.coupler_length**2 - self.rocker_length**2) / (2.0 * distance)
        height = self.coupler_length**2 - along**2
        shortest, *middle, longest = sorted([self.crank_length, self.coupler_length, self.rocker_length, self.base_length])
        if height <= 0.0 or shortest + longest >= sum(middle) or shortest not in (self.crank_length, self.base_length):
            raise fm.ModelError(
                f"{self.name}: with these lengths the crank cannot turn around; shortest + longest = {shortest + longest:g} m "
                f"must stay below the sum of the other two, {sum(middle):g} m, and the crank or the base be the shortest."
            )
        unit = gap / distance
        apex: np.ndarray[Any, Any] = b + along * unit + np.sqrt(height) * np.array([-unit[1], unit[0]])
        return apex

    @property
    def t_end(self) -> float:
        return 120.0 / self.rpm

    def settings(self) -> dict[str, Any]:
        """Impacts take tens of small steps, cheaper than error control."""
        frame = 60.0 / self.rpm / 1200
        if not self.has_soft_impacts:
            return {"step": frame}
        return {"step": frame / (10 if self.flexible or self.flexible_crank else 20), "output_step": frame}


def _spins(coupler: np.ndarray[Any, Any], rocker: np.ndarray[Any, Any], moving: np.ndarray[Any, Any]) -> tuple[float, float]:
    """The loop closes at velocity level: v_B + w_c x coupler = w_r x rocker."""
    turned = np.array([[-coupler[1], rocker[1]], [coupler[0], -rocker[0]]])
    coupler_spin, rocker_spin = np.linalg.solve(turned, -moving)
    return float(coupler_spin), float(rocker_spin)
