"""Contact laws of cylinders, implicit in the force."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from fmbs.laws import restitution as factors
from fmbs.laws._contact_kernels import cylinder_contact
from fmbs.laws.contact_law import DepthRange
from fmbs.laws.journal_law import JournalLaw


@dataclass(frozen=True, kw_only=True)
class CylinderLaw(JournalLaw, ABC, kernel=cylinder_contact):
    """Implicit law of a cylinder in a bore: d = A F [ln(B/F) + 1], A = (s1 + s2) / L. Arguments as in JournalLaw."""

    @abstractmethod
    def _limit(self, s: float, R_b: float, R_j: float, L: float) -> float:
        """B, the force at which the law ends, N."""

    def parameters(self) -> Sequence[float]:
        c, R_j, L, s = self.measures
        return s / L, self._limit(s, R_j + c, R_j, L), factors.calibrated(self.restitution)

    @property
    def depths(self) -> DepthRange:
        A, B, _ = self.parameters()
        return DepthRange(0.0, A * B * 0.5 * (1.0 + math.log(2.0)), "beyond it the formula ends, and its tangent is followed")


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


@dataclass(frozen=True, kw_only=True)
class Johnson(CylinderLaw):
    """d = F/(pi E* L) [ln(4 pi E* L c/F) - 1], 1/E* = s_1 + s_2: line contact, centre to centre. Johnson 1985, sect. 5.6.

    The law that Pereira et al. fit. ESDU-78035 has + 1 in place of - 1 and the same pi, which Muvengi2011 leaves out: as
    printed there it is three times as soft. Arguments as in JournalLaw.
    """

    def parameters(self) -> Sequence[float]:
        c, R_j, L, s = self.measures
        return s / (math.pi * L), self._limit(s, R_j + c, R_j, L), factors.calibrated(self.restitution)

    def _limit(self, s: float, R_b: float, R_j: float, L: float) -> float:
        return 4.0 * math.pi * L * (R_b - R_j) / s * math.exp(-2.0)

    @property
    def depths(self) -> DepthRange:
        return DepthRange(0.0, 0.25 * self.measures[0], "beyond it the contact spans more than 30 degrees to either side")
