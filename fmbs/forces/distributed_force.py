"""Force along a beam."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fmbs.core.checks import flag, shown
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import LineBody
from fmbs.forces.follower_force import FollowerForces
from fmbs.forces.load import Load, check_load, force_components
from fmbs.forces.point_force import PointForces
from fmbs.math.quadrature import gauss

POINTS = 4  # Gauss points an element: exact for cubic shape functions


@dataclass(frozen=True, eq=False)
class DistributedForce(Described, units={"force": "N/m"}):
    """Constant force per reference length on the centre line of a Beam, PlanarBeam or Cable: Q = int J^T f ds.

    force: N/m, three components in global axes (two on a planar beam), or a function of t that returns them
    follower: turn it with the sections, which a cable does not have; then the components are those at t = 0
    """

    beam: LineBody
    force: Load
    follower: bool = field(default=False, kw_only=True)
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        name = self.name or "DistributedForce"
        if not isinstance(self.beam, LineBody):
            raise ModelError(
                f"{name}: beam = {shown(self.beam)} is not a Beam, PlanarBeam or Cable; forces at a point are fm.PointForce."
            )
        check_load(name, force_components, self.force, self.beam.planar)
        if flag(name, "follower", self.follower):
            _ = self.beam.start.frame  # a cable has none and says so

    @property
    def batch(self) -> type[PointForces] | type[FollowerForces]:
        return FollowerForces if self.follower else PointForces

    @property
    def markers(self) -> list[Marker]:
        return [marker for marker, _ in self.places]

    @property
    def places(self) -> list[tuple[Marker, float]]:
        """Markers at Gauss points and the length that each stands for."""
        x, w = gauss(POINTS)
        s = ((np.arange(self.beam.elements)[:, None] + x) / self.beam.elements).ravel()
        lengths = (self.beam.reference_speed(x) * w).ravel()
        return [(self.beam.at(float(at)), float(length)) for at, length in zip(s, lengths, strict=True)]
