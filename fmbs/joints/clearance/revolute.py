"""Revolute joint with clearance in the plane."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from fmbs.core.checks import positive
from fmbs.core.errors import ModelError
from fmbs.gaps.kinematics import RADIAL
from fmbs.joints.clearance.base import ClearanceJoint, Station, journal_radius


@dataclass(frozen=True, eq=False)
class ClearanceRevolute(ClearanceJoint):
    """Journal in a bearing in the plane: delta = |r_j - r_b| - c (Flores2006 eqs 1-9, Muvengei2012 eqs 8-17).

    bearing_radius: R_b, m; the journal's is R_b - clearance
    length: of the bearing along its axis, m; for laws and films that need it
    """

    bearing_radius: float = field(kw_only=True)
    length: float | None = field(default=None, kw_only=True)

    flat: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.length is not None:
            positive(self.label, "length", self.length)
        elif self.wear is not None or self.film is not None:
            raise ModelError(f"{self.label}: a film and wear need the bearing's length=, m, along its axis.")
        super().__post_init__()

    @property
    def stations(self) -> tuple[Station, ...]:
        radius = journal_radius(self.label, self.bearing_radius, self.clearance)
        contact = self.contact and self.contact.bound(self.label, self.bearing_radius, radius, self.length)
        return (Station("A", RADIAL, self.clearance, radius, contact, self.friction),)

    @property
    def wear_rate(self) -> float:
        return 0.0 if self.wear is None else self.wear.rate(self.bearing_radius, self.length or 0.0)

    @property
    def film_length(self) -> float:
        return self.length or 0.0
