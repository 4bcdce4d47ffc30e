"""Contact laws of cylinders, implicit in the force."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from fmbs.core.checks import positive
from fmbs.core.errors import ModelError
from fmbs.laws import restitution as factors
from fmbs.laws._contact_kernels import cylinder_contact
from fmbs.laws.contact_law import ContactLaw
from fmbs.laws.elastic import Elastic, check_materials, check_radii, check_restitution, compliance, wave_limit


@dataclass(frozen=True, kw_only=True)
class CylinderLaw(ContactLaw, ABC, kernel=cylinder_contact):
    """Implicit law of a cylinder in a bore: d = A F [ln(B/F) + 1], A = (s1 + s2) / L.

    materials: of bearing and journal
    bearing_radius, journal_radius, length: m; from the joint if absent
    restitution: e in (0, 1]; 1, the papers' elastic law, or hysteresis that delivers exactly e
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

    @abstractmethod
    def _limit(self, s: float, R_b: float, R_j: float, L: float) -> float:
        """B, the force at which the law ends, N."""

    def parameters(self) -> Sequence[float]:
        R_b, R_j, L = self._geometry(type(self).__name__, None, None, None)
        s = compliance(*self.materials)
        return s / L, self._limit(s, R_b, R_j, L), factors.calibrated(self.restitution)

    @property
    def speed_limit(self) -> float:
        return wave_limit(self.materials)


@dataclass(frozen=True, kw_only=True)
class DubowskyFreudenstein(CylinderLaw):
    """d = F (s1 + s2)/L [ln(L^3 (R_b - R_j) / (F R_b R_j (s1 + s2))) + 1]. Muvengi2011 eq 9, (s1 - s2) corrected.

    Valid well below d = c L^2 / (R_b R_j), where force stops to grow with depth; see `laws._contact_kernels.cylinder_contact`.
    """

    def _limit(self, s: float, R_b: float, R_j: float, L: float) -> float:
        return L**3 * (R_b - R_j) / (R_b * R_j * s)


@dataclass(frozen=True, kw_only=True)
class ESDU78035(CylinderLaw):
    """d = F (s1 + s2)/L [ln(4 L (R_b - R_j) / (F (s1 + s2))) + 1]. Muvengi2011 eq 10.

    Valid well below d = 4 c, where force stops to grow with depth; see `laws._contact_kernels.cylinder_contact`.
    """

    def _limit(self, s: float, R_b: float, R_j: float, L: float) -> float:
        return 4.0 * L * (R_b - R_j) / s
