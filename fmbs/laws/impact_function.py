"""Contact as the impact functions of Adams and other programs have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fmbs.core.checks import not_negative, positive
from fmbs.laws._contact_kernels import impact_function
from fmbs.laws.hertzian import Hertz


@dataclass(frozen=True, kw_only=True)
class ImpactFunction(Hertz, kernel=impact_function, units={"damping": "N s/m"}):
    """Spring with an exponent, and a damper that is ramped in: F = K d^n + C s(d/h) d', s(x) = x^2 (3 - 2 x), 1 beyond x = 1.

    The ramp keeps the force from jumping at first touch, as it does in Kelvin-Voigt's law; F is cut at zero. The IMPACT
    function of Adams (Muvengi2011 II.A). Its restitution depends on mass and speed.

    damping: C, N s/m
    full_depth: h, m, where the damper is fully there
    exponent, stiffness, materials: as in Hertz
    """

    damping: float
    full_depth: float

    def __post_init__(self) -> None:
        super().__post_init__()
        not_negative(self._name, "damping", self.damping)
        positive(self._name, "full_depth", self.full_depth)

    def parameters(self) -> Sequence[float]:
        K, n, _ = super().parameters()
        return K, n, self.damping, self.full_depth
