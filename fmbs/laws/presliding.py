"""Friction laws that yield a little before they slide: Karnopp, Dahl, reset integrator, bristles, Leuven, Bliman-Sorine.

All have a deflection that a contact remembers, so that they stick. Stiffness is that of the coefficient, 1/m: the tangential
stiffness of the contact divided by its normal force.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import scipy

from fmbs.core.checks import not_negative, number, positive, whole
from fmbs.core.errors import ModelError
from fmbs.laws._bristle_kernels import bliman_sorine, bliman_sorine_memory, bristles, leuven
from fmbs.laws._friction_kernels import lugre, lugre_memory
from fmbs.laws._stick_kernels import karnopp, reset
from fmbs.laws.friction_curves import check_curve, check_fall
from fmbs.laws.friction_law import FrictionLaw

GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)  # its multiples, less their whole parts, fill the interval evenly in any number


class RememberingLaw(FrictionLaw):
    """A friction law with a state."""

    @property
    def remembers(self) -> bool:
        return True


@dataclass(frozen=True)
class Dahl(RememberingLaw, kernel=lugre, memory=lugre_memory, units={"stiffness": "1/m"}):
    """Coulomb friction that is reached along a path: mu = s_0 z + s_2 v, z' = v - s_0 |v|/mu_k z (Dahl 1968, exponent 1).

    LuGre's law without damping and without a Stribeck peak: it depends on the way, not on the speed.

    coefficient: mu_k
    stiffness: s_0, 1/m
    viscous: s_2, s/m
    """

    coefficient: float
    stiffness: float = field(default=1e5, kw_only=True)
    viscous: float = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        positive("Dahl", "coefficient", self.coefficient)
        positive("Dahl", "stiffness", self.stiffness)
        not_negative("Dahl", "viscous", self.viscous)

    def parameters(self) -> Sequence[float]:
        return self.coefficient, 0.0, 1.0, 2.0, self.viscous, self.stiffness, 0.0


@dataclass(frozen=True, kw_only=True)
class Karnopp(RememberingLaw, kernel=karnopp, units={"stiffness": "1/m", "band": "m/s"}):
    """Sticking below a speed, sliding above (Karnopp 1985): mu = mu_k + s_2 |v| where |v| >= band.

    Below it the contact holds with whatever keeps it in place, up to mu_s.

    Karnopp takes what keeps a mass in place from the forces on it, which a law does not know. Here a spring and a damper hold
    it, mu = s_0 z + (mu_s/band) v with z the way since sticking began.

    static, kinetic: mu_s >= mu_k > 0
    band: speed below which it sticks, m/s
    stiffness: s_0, 1/m
    viscous: s_2, s/m
    """

    static: float
    kinetic: float
    band: float
    stiffness: float = 1e5
    viscous: float = 0.0

    def __post_init__(self) -> None:
        check_fall("Karnopp", self.static, self.kinetic)
        positive("Karnopp", "band", self.band)
        positive("Karnopp", "stiffness", self.stiffness)
        not_negative("Karnopp", "viscous", self.viscous)

    def parameters(self) -> Sequence[float]:
        return self.static, self.kinetic, self.band, self.stiffness, self.viscous


@dataclass(frozen=True, kw_only=True)
class ResetIntegrator(RememberingLaw, kernel=reset, units={"stiffness": "1/m", "damping": "s/m"}):
    """A deflection that is integrated up to a limit and held there (Haessig & Friedland 1991):

        z' = v while |z| < x_0 or z . v < 0, else 0
        mu = (1 + a) s_0 z + s_1 z' + s_2 v while z moves, s_0 z + s_2 v while it is held

    with x_0 = mu_k/s_0 and 1 + a = mu_s/mu_k.

    static, kinetic: mu_s >= mu_k > 0
    stiffness: s_0, 1/m
    damping: s_1, s/m, while it sticks
    viscous: s_2, s/m
    """

    static: float
    kinetic: float
    stiffness: float = 1e5
    damping: float = 0.0
    viscous: float = 0.0

    def __post_init__(self) -> None:
        check_fall("ResetIntegrator", self.static, self.kinetic)
        positive("ResetIntegrator", "stiffness", self.stiffness)
        not_negative("ResetIntegrator", "damping", self.damping)
        not_negative("ResetIntegrator", "viscous", self.viscous)

    def parameters(self) -> Sequence[float]:
        return self.static, self.kinetic, self.kinetic / self.stiffness, self.damping, self.viscous


@dataclass(frozen=True, kw_only=True)
class Bristles(RememberingLaw, kernel=bristles, units={"stiffness": "1/m"}):
    """Bonds that stretch, snap and form anew (bristle model of Haessig & Friedland 1991):

        mu = s_0/n sum z_i + s_2 v,   z_i' = v,   z_i = b_i v/|v| where |z_i| has reached d_i

    Where a new bond forms is random in the paper. Here strengths d_i lie evenly between (1 - spread) d and (1 + spread) d, and
    new bonds begin with a share of up to half of them, the same every time, so that runs can be repeated. d makes mu_k the mean
    of sliding, about which mu scatters; break-away from rest is the higher above it the smaller the spread.

    kinetic: mu_k
    stiffness: s_0 of all bonds together, 1/m
    count: n
    spread: of their strengths, between 0 and 1
    viscous: s_2, s/m
    """

    kinetic: float
    stiffness: float = 1e5
    count: int = 20
    spread: float = 0.4
    viscous: float = 0.0

    def __post_init__(self) -> None:
        positive("Bristles", "kinetic", self.kinetic)
        positive("Bristles", "stiffness", self.stiffness)
        whole("Bristles", "count", self.count, 1)
        not_negative("Bristles", "viscous", self.viscous)
        if not 0.0 <= number("Bristles", "spread", self.spread) < 1.0:
            raise ModelError(f"Bristles: spread = {self.spread:g} is outside [0, 1): no bond is weaker than nothing.")

    @property
    def further_states(self) -> int:
        return 2 * self.count

    def parameters(self) -> Sequence[float]:
        n = self.count
        strengths = [1.0 + self.spread * ((2 * i + 1) / n - 1.0) for i in range(n)]
        shares = [0.5 * ((i + 1) * GOLDEN % 1.0) for i in range(n)]
        mean = sum(0.5 * (1.0 + b) * d for d, b in zip(strengths, shares, strict=True)) / n
        lengths = [self.kinetic / (self.stiffness * mean) * d for d in strengths]
        return self.stiffness / n, self.viscous, n, *lengths, *(b * d for d, b in zip(lengths, shares, strict=True))


@dataclass(frozen=True, kw_only=True)
class Leuven(RememberingLaw, kernel=leuven, units={"stiffness": "1/m", "damping": "s/m"}):
    """LuGre with a hysteresis that knows where it was turned (Swevers et al. 2000, as modified by Lampaert et al. 2002):

        mu = F + s_1 z' + s_2 v,   z' = v - |v| (|F|/g)^n F/|F|,   F = sum f_i,   f_i' = k_i z' while |f_i| < W_i

    with the Stribeck curve g(|v|) as in LuGre. The Maxwell slip elements have equal limits W_i = mu_s/count and stiffnesses
    k_i ~ 1/i that add up to s_0. The damping fades with speed as LuGre's does.

    static, kinetic, stribeck_speed, gamma, viscous: of g, as in Stribeck (there: exponent)
    stiffness: s_0 of all elements together, 1/m
    damping: s_1, s/m
    exponent: n
    count: of elements
    """

    static: float
    kinetic: float
    stribeck_speed: float
    gamma: float = 2.0
    viscous: float = 0.0
    stiffness: float = 1e5
    damping: float = 400.0
    exponent: float = 1.0
    count: int = 4

    def __post_init__(self) -> None:
        check_curve("Leuven", self.static, self.kinetic, self.stribeck_speed, self.gamma, self.viscous)
        positive("Leuven", "stiffness", self.stiffness)
        not_negative("Leuven", "damping", self.damping)
        whole("Leuven", "count", self.count, 1)
        if not number("Leuven", "exponent", self.exponent) >= 1.0:
            raise ModelError(f"Leuven: exponent = {self.exponent:g} is below 1; 1 is LuGre's.")

    @property
    def further_states(self) -> int:
        return 2 * self.count

    def parameters(self) -> Sequence[float]:
        n = self.count
        first = self.stiffness / sum(1.0 / (i + 1) for i in range(n))
        stiffness, limits = [first / (i + 1) for i in range(n)], [self.static / n] * n
        curve = self.kinetic, self.static - self.kinetic, self.stribeck_speed, self.gamma, self.viscous
        return *curve, self.stiffness, self.damping, self.exponent, n, *stiffness, *limits


@dataclass(frozen=True, kw_only=True)
class BlimanSorine(RememberingLaw, kernel=bliman_sorine, memory=bliman_sorine_memory, units={"length": "m"}):
    """Two of Dahl's models, a fast and strong one less a slow and weak one (Bliman & Sorine 1995, second order):

        mu = x_1 - x_2 + s_2 v,   l_i x_i' = f_i v - |v| x_i,   l_1 = ratio l_2,   f_1 - f_2 = mu_k

    Friction of the way, not of the speed: from rest it climbs to mu_s and falls to mu_k; after sliding the other way it climbs
    to 2 mu_s - mu_k. The law is passive for any ratio below 1.

    static, kinetic: mu_s >= mu_k > 0
    length: l_2 over which the peak fades, m
    ratio: l_1/l_2, between 0 and 1
    viscous: s_2, s/m
    """

    static: float
    kinetic: float
    length: float = 1e-5
    ratio: float = 0.1
    viscous: float = 0.0

    def __post_init__(self) -> None:
        check_fall("BlimanSorine", self.static, self.kinetic)
        positive("BlimanSorine", "length", self.length)
        not_negative("BlimanSorine", "viscous", self.viscous)
        if not 0.0 < number("BlimanSorine", "ratio", self.ratio) < 1.0:
            raise ModelError(f"BlimanSorine: ratio = {self.ratio:g} is outside (0, 1); the first model is the faster one.")

    @property
    def further_states(self) -> int:
        return 2

    def parameters(self) -> Sequence[float]:
        f_2 = self._slow()
        return self.kinetic + f_2, f_2, self.ratio * self.length, self.length, self.viscous

    def _slow(self) -> float:
        """f_2, for which mu climbs from rest to mu_s."""

        def peak(f: float) -> float:
            ways = self.ratio / (1.0 - self.ratio) * math.log((self.kinetic + f) / (self.ratio * f))  # in lengths
            return (self.kinetic + f) * -math.expm1(-ways / self.ratio) + f * math.expm1(-ways)

        if self.static == self.kinetic:
            return 0.0
        top = self.static
        while peak(top) < self.static:
            top *= 2.0
        return float(scipy.optimize.brentq(lambda f: peak(f) - self.static, 1e-12 * self.kinetic, top, xtol=1e-16, rtol=1e-14))
