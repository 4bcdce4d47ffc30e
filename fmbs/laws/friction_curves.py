"""Friction laws that follow a curve of the sliding speed, with or without a bristle: Ambrosio, Stribeck, LuGre."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fmbs.core.checks import flag, not_negative, positive
from fmbs.core.errors import ModelError
from fmbs.laws._friction_kernels import ambrosio, lugre, lugre_memory, stribeck
from fmbs.laws.friction_law import FrictionLaw


@dataclass(frozen=True)
class Ambrosio(FrictionLaw, kernel=ambrosio):
    """Coulomb's law with a dynamic correction: mu = c_f c_d, c_d = 0 below v0, 1 above v1, linear between.

    Ambrosio 2003; Flores2006 eqs 24-25, Chen2020 eqs 16-17. There is no friction below v0: nothing sticks.

    coefficient: c_f
    v0, v1: 0 <= v0 < v1, m/s
    """

    coefficient: float
    v0: float
    v1: float

    def __post_init__(self) -> None:
        not_negative("Ambrosio", "coefficient", self.coefficient)
        not_negative("Ambrosio", "v0", self.v0)
        positive("Ambrosio", "v1", self.v1)
        if self.v1 <= self.v0:
            raise ModelError(f"Ambrosio: v1 = {self.v1:g} must be above v0 = {self.v0:g}; the law rises from v0 to v1.")

    def parameters(self) -> Sequence[float]:
        return self.coefficient, self.v0, self.v1


@dataclass(frozen=True, kw_only=True)
class Stribeck(FrictionLaw, kernel=stribeck):
    """Friction that falls from static to kinetic with speed, smooth through zero:

        mu = {mu_k + (mu_s - mu_k) exp[-(|v|/v_s)^gamma]} tanh(|v|/v_0) + s_2 |v|

    It creeps instead of sticking, at speeds of the order of v_0.

    static, kinetic: mu_s >= mu_k > 0
    stribeck_speed: v_s, m/s
    exponent: gamma, 2 usually
    viscous: s_2, s/m
    smooth_speed: v_0, m/s; a hundredth of v_s if absent, which takes 0.2 % off the peak
    """

    static: float
    kinetic: float
    stribeck_speed: float
    exponent: float = 2.0
    viscous: float = 0.0
    smooth_speed: float | None = None

    def __post_init__(self) -> None:
        check_curve(type(self).__name__, self.static, self.kinetic, self.stribeck_speed, self.exponent, self.viscous)
        if self.smooth_speed is not None:
            positive(type(self).__name__, "smooth_speed", self.smooth_speed)

    def parameters(self) -> Sequence[float]:
        v_0 = 0.01 * self.stribeck_speed if self.smooth_speed is None else self.smooth_speed
        return self.kinetic, self.static - self.kinetic, self.stribeck_speed, self.exponent, self.viscous, v_0


@dataclass(frozen=True, kw_only=True)
class LuGre(Stribeck, kernel=lugre, memory=lugre_memory, units={"stiffness": "1/m", "damping": "s/m"}):
    """Friction of bending bristles z that stick, break away and slide:

        mu = s_0 z + s_1 z' + s_2 v,   z' = v - s_0 |v|/g(|v|) z,   g = mu_k + (mu_s - mu_k) exp[-(|v|/v_s)^gamma]

    Muvengei2012 eqs 27-28. z is a state of each contact, integrated with the step. The damping fades with speed,
    s_1 g/(g + s_1 |v|): a constant one makes energy above |v| = 4 g/s_1 (see `laws._friction_kernels.lugre`).

    static, kinetic, stribeck_speed, exponent, viscous: as in Stribeck
    stiffness: s_0, 1/m
    damping: s_1, s/m
    steady_state: Muvengei2012 eqs 29-32: z' = 0 at every speed, so that no state is left and mu is the Stribeck curve g (which
        decays: the plus sign in the paper's exponential is a misprint), smoothed through zero over `smooth_speed`
    """

    stiffness: float = 1e5
    damping: float = 400.0
    steady_state: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("LuGre", "stiffness", self.stiffness)
        not_negative("LuGre", "damping", self.damping)
        flag("LuGre", "steady_state", self.steady_state)
        if self.smooth_speed is not None and not self.steady_state:
            raise ModelError("LuGre: smooth_speed belongs to steady_state=True; the bristle needs no smoothing.")

    @property
    def kernel(self) -> Any:
        return stribeck if self.steady_state else super().kernel

    @property
    def memory(self) -> Any:
        return None if self.steady_state else super().memory

    def parameters(self) -> Sequence[float]:
        *curve, v_0 = super().parameters()
        return (*curve, v_0) if self.steady_state else (*curve, self.stiffness, self.damping)


def check_fall(part: str, static: float, kinetic: float) -> None:
    positive(part, "kinetic", kinetic)
    positive(part, "static", static)
    if static < kinetic:
        raise ModelError(f"{part}: static = {static:g} is below kinetic = {kinetic:g}; friction falls as sliding begins.")


def check_curve(part: str, static: float, kinetic: float, stribeck_speed: float, exponent: float, viscous: float) -> None:
    check_fall(part, static, kinetic)
    positive(part, "stribeck_speed", stribeck_speed)
    positive(part, "exponent", exponent)
    not_negative(part, "viscous", viscous)
