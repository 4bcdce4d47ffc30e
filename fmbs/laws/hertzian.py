"""Contact laws of the Hertz family: F = K d^n [1 + a d'/d'(-)]."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from fmbs.core.checks import flag, positive
from fmbs.core.errors import ModelError
from fmbs.laws import restitution as factors
from fmbs.laws._contact_kernels import power_contact
from fmbs.laws.contact_law import ContactLaw
from fmbs.laws.elastic import Elastic, check_materials, check_restitution, hertz_stiffness, wave_limit


@dataclass(frozen=True, kw_only=True)
class Hertz(ContactLaw, kernel=power_contact, units={"stiffness": "N/m^n"}):
    """Elastic contact: F = K d^n. Muvengi2011 eq 4.

    exponent: n; 1.5 for spheres and, in the papers, for metallic journals
    stiffness: K, N/m^n; `hertz_stiffness` of the joint's radii and the materials if absent
    materials: of bearing and journal; with a stiffness they only serve the speed limit
    """

    exponent: float = 1.5
    stiffness: float | None = None
    materials: tuple[Elastic, Elastic] | None = None

    def __post_init__(self) -> None:
        positive(self._name, "exponent", self.exponent)
        if self.stiffness is not None:
            positive(self._name, "stiffness", self.stiffness)
        check_materials(self._name, self.materials)

    def bound(
        self, part: str, bearing_radius: float | None = None, journal_radius: float | None = None, length: float | None = None
    ) -> Self:
        if self.stiffness is not None:
            return self
        missing = f"{part}: contact = {self._name} has no stiffness and"
        if self.materials is None:
            raise ModelError(f"{missing} no materials; give stiffness= in N/m^n or materials=(bearing, journal).")
        if bearing_radius is None or journal_radius is None:
            raise ModelError(f"{missing} the contact no radii to make one of; give stiffness= in N/m^n.")
        return replace(self, stiffness=hertz_stiffness(bearing_radius, journal_radius, *self.materials))

    def hysteresis(self) -> float:
        """Factor a of F = K d^n [1 + a d'/d'(-)]."""
        return 0.0

    def parameters(self) -> Sequence[float]:
        return self.bound(self._name).stiffness or 0.0, self.exponent, self.hysteresis()

    @property
    def speed_limit(self) -> float:
        return wave_limit(self.materials)

    @property
    def _name(self) -> str:
        return type(self).__name__


@dataclass(frozen=True, kw_only=True)
class HystereticLaw(Hertz, ABC):
    """restitution: e in (0, 1]. calibrated: deliver exactly e, in place of the paper's factor (see laws/restitution.py)."""

    restitution: float
    calibrated: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_restitution(self._name, self.restitution)
        flag(self._name, "calibrated", self.calibrated)

    def hysteresis(self) -> float:
        return factors.calibrated(self.restitution) if self.calibrated else self._classic(self.restitution)

    @abstractmethod
    def _classic(self, e: float) -> float:
        """The paper's factor a."""


@dataclass(frozen=True, kw_only=True)
class LankaraniNikravesh(HystereticLaw):
    """Hertz with hysteresis: F = K d^n [1 + 3/4 (1 - e^2) d'/d'(-)]. Tian2010 eq 22, Muvengi2011 eq 8.

    Bounces more than asked: 0.913 for e = 0.9, 0.725 for e = 0.5. `calibrated=True` delivers e. Other arguments as in Hertz.
    """

    def _classic(self, e: float) -> float:
        return factors.lankarani_nikravesh(e)


@dataclass(frozen=True, kw_only=True)
class HuntCrossley(HystereticLaw):
    """Hertz with hysteresis: F = K d^n [1 + 3/2 (1 - e) d'/d'(-)]. Hunt & Crossley 1975.

    Bounces more than asked: 0.909 for e = 0.9, 0.663 for e = 0.5. `calibrated=True` delivers e. Other arguments as in Hertz.
    """

    def _classic(self, e: float) -> float:
        return factors.hunt_crossley(e)


@dataclass(frozen=True, kw_only=True)
class Flores(HystereticLaw):
    """Hertz with hysteresis: F = K d^n [1 + 8 (1 - e) / (5 e) d'/d'(-)]. Flores et al. 2011; meant for soft materials too.

    Bounces less than asked: 0.894 for e = 0.9, 0.470 for e = 0.5. `calibrated=True` delivers e. Other arguments as in Hertz.
    """

    def _classic(self, e: float) -> float:
        return factors.flores(e)
