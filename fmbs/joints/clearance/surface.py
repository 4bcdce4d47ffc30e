"""Contact of two surfaces that are not a journal in a bearing: balls, cams, stops."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np

from fmbs.core.equations import planar
from fmbs.core.errors import ModelError
from fmbs.joints.clearance.base import ClearanceJoint, station_distance
from fmbs.laws.film.base import Film
from fmbs.laws.wear import Archard

TOUCHING = 1e-6  # of a typical length: as exactly as curves are drawn through points


@dataclass(frozen=True, eq=False)
class SurfaceContact(ClearanceJoint):
    """Two surfaces that may touch, with laws of fm.contact or fm.impact and fm.friction; bodies are planar or spatial.

    `sol.clearance(contact)` has penetrations, forces and impacts, `sol.reaction(contact)` what acts on the second body.
    """

    clearance: float = field(init=False, default=1.0)  # a typical length, m
    film: Film | None = field(init=False, default=None)
    wear: Archard | None = field(init=False, default=None)

    cylinder: ClassVar[bool] = False
    gapped: ClassVar[bool] = False

    def __post_init__(self) -> None:
        sides = {marker.planar for marker in self.markers if getattr(getattr(marker, "body", None), "size", 0)}
        if len(sides) == 2:
            raise ModelError(f"{self.label}: {self.bearing} and {self.journal} mix a planar and a spatial body; use one kind.")
        object.__setattr__(self, "clearance", self.measure())
        super().__post_init__()

    @property
    def flat(self) -> bool:  # type: ignore[override]
        return planar(self.bearing, self.journal)

    def _check_gap(self) -> None:
        """The surfaces start apart, or just in touch."""
        x = np.array([direction @ (self.journal.position - self.bearing.position) for direction in self.triad])
        self.check_apart(max(station_distance(station, x) - station.clearance for station in self.stations))

    def check_apart(self, depth: float) -> None:
        """depth: of the drawn surfaces in each other, m."""
        if depth > TOUCHING * self.clearance:
            raise ModelError(
                f"{self.label}: the surfaces are {depth:.4g} m in each other at t = 0, with {self.bearing} and {self.journal} "
                "as drawn; draw them apart, or just in touch."
            )

    @abstractmethod
    def measure(self) -> float:
        """A typical length of the contact, m; checks the arguments that it is made of."""

    def arguments(self) -> dict[str, Any]:
        return {x.name: getattr(self, x.name) for x in fields(self) if x.init}

    def _facts(self) -> dict[str, Any]:
        return {key: value for key, value in super()._facts().items() if key != "clearance"}
