"""Impact laws, for surfaces that are rigid: `fm.impact.Newton(restitution=0.9)` in place of a law of fm.contact.

An impact takes no time. With G the rates of gaps and slips as functions of velocities, and P the impulses,

    M (v+ - v-) + G^T P + Phi_q^T L = 0,   Phi_q v+ + Phi_t = 0,   P_N >= 0,   |P_T| <= mu P_N

(Muvengi2011 sect. II.B.2; Glocker & Pfeiffer 1995). The laws differ in when the bodies part. mu is that of the joint's
friction= law. Where bounces accumulate the surfaces stay together, with a reaction that pushes, sticks or slides, until it
would pull.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fmbs.core.checks import number
from fmbs.core.errors import ModelError
from fmbs.laws.contact_law import ContactLaw
from fmbs.laws.friction import FrictionLaw
from fmbs.laws.law import RIGID, Array

__all__ = ["ImpactLaw", "Newton", "Poisson", "Stronge"]


@dataclass(frozen=True, kw_only=True)
class ImpactLaw(ContactLaw):
    """What impact laws share.

    restitution: e, 0 (the bodies stay together) to 1 (elastic)
    """

    restitution: float

    rigid = True
    rule: ClassVar[str] = ""  # what ends an impact

    def __post_init__(self) -> None:
        kind = type(self).__name__
        if not 0.0 <= number(kind, "restitution", self.restitution) <= 1.0:
            raise ModelError(
                f"{kind}: restitution = {self.restitution:g} is outside [0, 1]; 1 is elastic, 0 keeps the bodies together."
            )

    def normal_force(self, depth: object, rate: object, impact_speed: object) -> Array:
        raise ModelError(f"{type(self).__name__}: rigid surfaces have impulses, not a force that depends on the depth.")

    @property
    def place(self) -> int:
        return RIGID


class Newton(ImpactLaw):
    """The rate of the gap turns round: g'+ = -e g'-. With friction it may create energy (Kane & Levinson 1985): a warning."""

    rule = "speed"


class Poisson(ImpactLaw):
    """The impulse of restitution is e times that of compression."""

    rule = "impulse"


class Stronge(ImpactLaw):
    """The normal impulse does -e^2 times the work of compression in restitution (Stronge 1990): it never creates energy."""

    rule = "work"


def coulomb(friction: FrictionLaw | None) -> float:
    """The coefficient of sliding, as impacts and resting contacts take it: it does not depend on speed there."""
    if friction is None:
        return 0.0
    for argument in ("coefficient", "kinetic"):
        if hasattr(friction, argument):
            return float(getattr(friction, argument))
    return abs(float(friction.mu(1.0)))
