"""What contact laws of a journal in a bearing share: materials, radii, length, and how the force spreads around the bore."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from fmbs.core.checks import positive, whole
from fmbs.core.errors import ModelError
from fmbs.laws import persson
from fmbs.laws.contact_law import ContactLaw
from fmbs.laws.elastic import Elastic, check_materials, check_radii, check_restitution, compliance, wave_limit
from fmbs.laws.law import Array


@dataclass(frozen=True, kw_only=True)
class JournalLaw(ContactLaw, ABC):
    """Law of a journal that touches the bore of its bearing along a line, F(depth) times a hysteresis factor.

    materials: of bearing and journal
    restitution: e in (0, 1]; 1, the papers' elastic law, or hysteresis that delivers exactly e
    bearing_radius, journal_radius, length: m; from the joint if absent
    """

    materials: tuple[Elastic, Elastic]
    restitution: float = 1.0
    bearing_radius: float | None = None
    journal_radius: float | None = None
    length: float | None = None

    def __post_init__(self) -> None:
        name = type(self).__name__
        check_materials(name, self.materials)
        check_restitution(name, self.restitution)
        for argument in ("bearing_radius", "journal_radius", "length"):
            if getattr(self, argument) is not None:
                positive(name, argument, getattr(self, argument))

    def bound(
        self, part: str, bearing_radius: float | None = None, journal_radius: float | None = None, length: float | None = None
    ) -> Self:
        R_b, R_j, L = self._geometry(part, bearing_radius, journal_radius, length)
        return replace(self, bearing_radius=R_b, journal_radius=R_j, length=L)

    def _geometry(self, part: str, R_b: float | None, R_j: float | None, L: float | None) -> tuple[float, float, float]:
        """The law's own measures before the joint's."""
        R_b, R_j, L = self.bearing_radius or R_b, self.journal_radius or R_j, self.length or L
        if R_b is None or R_j is None or L is None:
            missing = "length" if L is None else "bearing_radius and a journal_radius"
            raise ModelError(f"{part}: contact = {type(self).__name__} needs a {missing}; give it to the joint or to the law.")
        check_radii(part, R_b, R_j)
        return R_b, R_j, L

    @property
    def measures(self) -> tuple[float, float, float, float]:
        """c, R_j, L, m, and s_1 + s_2, 1/Pa, of a law that knows them."""
        R_b, R_j, L = self._geometry(type(self).__name__, None, None, None)
        return R_b - R_j, R_j, L, compliance(*self.materials)

    @property
    def speed_limit(self) -> float:
        return wave_limit(self.materials)

    def half_angle(self, depth: ArrayLike) -> Array:
        """Half of the arc in contact, rad, at a depth, m, of a contact at rest: Persson's for the force there."""
        c, _, L, s = self.measures
        d = np.asarray(depth, dtype=float)
        force = np.atleast_1d(self.normal_force(d.ravel(), 0.0, 1.0))
        return np.array([persson.half_angle(load * s / (L * c)) for load in force]).reshape(d.shape)[()]

    def pressure(self, depth: float, points: int = 41) -> tuple[Array, Array]:
        """Angles from the deepest point, rad, and the pressure there, Pa, of a contact at rest at this depth."""
        _, R_j, L, _ = self.measures
        width = float(self.half_angle(positive(type(self).__name__, "depth", depth)))
        angles = width * np.linspace(-1.0, 1.0, whole(type(self).__name__, "points", points, 2))
        shape = self._profile(angles, width)
        force = float(self.normal_force(depth, 0.0, 1.0))
        return angles, force / (R_j * L) * shape

    def half_width(self, depth: ArrayLike) -> Array:
        """Half of the chord in contact, m: R_j sin(half angle)."""
        width: Array = self.measures[1] * np.sin(self.half_angle(depth))
        return width

    def _profile(self, angles: Array, width: float) -> Array:
        """p R L / F around the arc: int p cos(phi) R L dphi = F."""
        return persson.profile(angles, width)
