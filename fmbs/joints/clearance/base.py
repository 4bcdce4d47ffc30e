"""What all clearance joints share: two markers, a gap, laws, and stations that may touch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import positive
from fmbs.core.described import Described
from fmbs.core.equations import planar
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.protocols import BatchKind
from fmbs.forces.load import check_marker
from fmbs.gaps.kinematics import BALL, FLAT, RADIAL, WALL
from fmbs.laws.contact import ContactLaw
from fmbs.laws.film.base import Film
from fmbs.laws.friction import FrictionLaw
from fmbs.laws.wear import Archard

if TYPE_CHECKING:
    from fmbs.joints.clearance.batch import ClearanceJoints

Array = NDArray[np.float64]

Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Station:
    """A place of the journal that may touch the bearing.

    end: its name in results, "A" and "W" for the two ends of a journal (Tian2010)
    offset: place on the journal, in the joint's triad, m; wall: normal of a plane wall, in the bearing's triad
    radius: of the journal's surface about that place, or its height towards a wall, m
    """

    end: str
    kind: int
    clearance: float
    radius: float
    contact: ContactLaw | None
    friction: FrictionLaw | None
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    wall: tuple[float, float, float] = (0.0, 0.0, 0.0)
    profile: Sequence[float] = ()  # of a cam, see `fmbs.gaps.profile_kernels`


@dataclass(frozen=True, eq=False)
class ClearanceJoint(Described, ABC):
    """A joint with a gap: a force element that removes no freedom. A subclass gives `stations`.

    bearing, journal: markers at the centres of the two surfaces
    clearance: radial gap c = R_b - R_j, m
    contact, friction: laws of fm.contact and fm.friction
    film: of fm.film; alone the joint is lubricated, with contact= too it is mixed: the film carries until the surfaces touch
    wear: fm.wear.Archard(...), or None
    """

    bearing: Marker
    journal: Marker
    clearance: float = field(kw_only=True)
    contact: ContactLaw | None = field(default=None, kw_only=True)
    friction: FrictionLaw | None = field(default=None, kw_only=True)
    film: Film | None = field(default=None, kw_only=True)
    wear: Archard | None = field(default=None, kw_only=True)
    name: str = field(default="", kw_only=True)

    flat: ClassVar[bool] = False  # joins planar bodies?
    gapped: ClassVar[bool] = True  # is the clearance that of the stations? Else it is a typical length of the contact
    cylinder: ClassVar[bool] = True  # is the bearing one, for a film and wear?
    film_ends: ClassVar[int] = 1  # stations between which the film lies: 2 where the journal may tilt

    def __post_init__(self) -> None:
        for argument, marker in (("bearing", self.bearing), ("journal", self.journal)):
            check_marker(self.label, argument, marker)
        if self.bearing.body is self.journal.body:
            raise ModelError(
                f"{self.label}: bearing and journal are both on {self.bearing.body.name!r}; a joint connects two bodies."
            )
        fits = planar(self.bearing, self.journal) if self.flat else not (self.bearing.planar and self.bearing.body.size)
        if not fits or (not self.flat and self.journal.planar and self.journal.body.size):
            spatial, flat = (
                "ClearanceCylindrical, ClearanceSpherical or ClearanceGuide",
                "ClearanceRevolute or ClearancePrismatic",
            )
            other = spatial if self.flat else flat
            raise ModelError(
                f"{self.label}: {type(self).__name__} joins {'planar' if self.flat else 'spatial'} bodies; "
                f"for {self.bearing} and {self.journal} take {other}."
            )
        positive(self.label, "clearance", self.clearance)
        self._check_laws()
        self._check_gap()

    def _check_laws(self) -> None:
        kinds = {"contact": ContactLaw, "friction": FrictionLaw, "film": Film, "wear": Archard}
        for argument, kind in kinds.items():
            law = getattr(self, argument)
            if law is not None and not isinstance(law, kind):
                raise ModelError(
                    f"{self.label}: {argument} = {law!r} is not of fm.{argument}; give for example {_EXAMPLE[argument]}."
                )
        if self.contact is None and self.film is None:
            raise ModelError(
                f"{self.label}: there is no law; give contact= (dry), film= (lubricated) or both, for example "
                f"contact={_EXAMPLE['contact']}."
            )
        if self.contact is None and (self.friction or self.wear):
            raise ModelError(f"{self.label}: friction and wear need a contact= law, whose normal force drives them.")
        if self.rigid and (self.film or self.wear):
            other = "film" if self.film else "wear"
            raise ModelError(
                f"{self.label}: contact = {self.contact!r} is for rigid surfaces and goes without {other}; leave {other}= out, "
                "or take a law of fm.contact."
            )
        if not self.cylinder and (self.film or self.wear):
            raise ModelError(f"{self.label}: film and wear are for cylindrical bearings; leave them out here.")

    def _check_gap(self) -> None:
        """Every station starts inside the gap."""
        x = np.array([direction @ (self.journal.position - self.bearing.position) for direction in self.triad])
        for station in self.stations:
            apart = station_distance(station, x)
            if apart > station.clearance + 1e-9 * abs(station.clearance) + 1e-15:
                raise ModelError(
                    f"{self.label}: the journal is outside the bearing at t = 0: with {self.journal} as drawn it is "
                    f"{apart - station.clearance:.4g} m in the wall, the clearance being {self.clearance:.4g} m; draw the "
                    "markers closer to each other."
                )

    @property
    def label(self) -> str:
        return self.name or type(self).__name__

    @property
    def rigid(self) -> bool:
        """Has the joint a law of fm.impact, for surfaces that are rigid?"""
        return self.contact is not None and self.contact.rigid

    @property
    def triad(self) -> tuple[Array, Array, Array]:
        """Global directions at t = 0 of the vectors e_1, e_2, e_3 that ride on both bodies; e_3 is the axis."""
        return right_handed(Z)

    @property
    @abstractmethod
    def stations(self) -> tuple[Station, ...]:
        """The places of the journal that may touch the bearing."""

    @property
    def film_length(self) -> float:
        """Of the bearing, m."""
        return 0.0

    @property
    def wear_rate(self) -> float:
        """Depth worn off a sector per newton and metre of sliding at a station, 1/N."""
        return 0.0

    @property
    def markers(self) -> tuple[Marker, Marker]:
        return self.bearing, self.journal

    @property
    def batch(self) -> BatchKind[ClearanceJoints]:
        from fmbs.joints.clearance.batch import ClearanceJoints

        return ClearanceJoints


_EXAMPLE = {
    "contact": "fm.contact.LankaraniNikravesh(restitution=0.9, stiffness=1e10)",
    "friction": "fm.friction.Ambrosio(0.1, v0=1e-3, v1=1e-2)",
    "film": "fm.film.ShortBearing(0.4)",
    "wear": "fm.wear.Archard(coefficient=1e-5, hardness=2e9)",
}


def right_handed(axis: Array) -> tuple[Array, Array, Array]:
    """e_1, e_2 and the axis, so that axis z has (x, y), axis x has (y, z) and axis y has (z, x) in its plane."""
    main = int(np.argmax(np.abs(axis)))
    helper = np.eye(3)[(main + 1) % 3]
    first = helper - (helper @ axis) * axis
    first /= np.linalg.norm(first)
    return first, np.cross(axis, first), axis


def station_distance(station: Station, x: Array) -> float:
    """Distance to compare with the clearance for a journal centre at x (triad coordinates), triads parallel."""
    place = x + station.offset
    if station.kind in (WALL, FLAT):
        return float(place @ station.wall)
    if station.kind == BALL:
        return -float(np.linalg.norm(place))
    return float(np.hypot(place[0], place[1]) if station.kind == RADIAL else np.linalg.norm(place))


def journal_radius(label: str, bearing_radius: float, clearance: float) -> float:
    """R_b - c, which must leave something of the journal."""
    if positive(label, "bearing_radius", bearing_radius) <= clearance:
        raise ModelError(
            f"{label}: clearance = {clearance:g} m leaves no journal in a bearing of radius {bearing_radius:g} m; "
            "the clearance is the small radial gap R_b - R_j."
        )
    return bearing_radius - clearance
