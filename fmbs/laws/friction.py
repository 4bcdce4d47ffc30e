"""Friction laws: `fm.friction.Ambrosio(0.1, v0=1e-3, v1=1e-2)`.

The friction force is N mu(v) against the slip v, a vector in the tangent plane. docs/contact.md tells which law to choose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from fmbs.core.checks import flag, not_negative, positive
from fmbs.core.errors import ModelError
from fmbs.jit.slots import Slot
from fmbs.laws._friction_kernels import ambrosio, lugre, lugre_memory, stribeck
from fmbs.laws.law import Array, Law
from fmbs.laws.law_kernels import DIFFERENCE, FRICTION, FRICTION_MEMORY, friction_coefficients

__all__ = ["Ambrosio", "FrictionLaw", "LuGre", "Stribeck"]


class FrictionLaw(Law):
    """Coefficient of friction as a function of slip.

    A law of your own in Python overrides `mu`. A compiled one has a kernel, `fmbs.laws.law_kernels` has its signature:
    class Mine(fm.friction.FrictionLaw, kernel=my_kernel), with `parameters` if it has any.
    """

    slot: ClassVar[Slot] = FRICTION
    memory_slot: ClassVar[Slot | None] = FRICTION_MEMORY
    formula: ClassVar[str] = "mu"

    def mu(self, slip: ArrayLike) -> Array:
        """Coefficient of steady sliding at these signed slip speeds, m/s; it has the sign of the slip."""
        if self.kernel is None:
            raise ModelError(f"{type(self).__name__}: a friction law defines mu(slip).")
        v = np.array(slip, dtype=float)
        out = np.empty(v.size)
        friction_coefficients(self.address(), self.row(), v.ravel(), np.empty(8), out)
        values: Array = out.reshape(v.shape)[()]
        return values

    def differentiated(self, slip: ArrayLike) -> tuple[Array, Array]:
        """mu as a vector along the slip (2,), and its derivative with respect to the slip (2, 2), by central differences."""
        v = np.array(slip, dtype=float)
        step = DIFFERENCE * max(float(np.linalg.norm(v)), 1e-6)

        def vector(x: Array) -> Array:
            speed = float(np.linalg.norm(x))
            return float(self.mu(speed)) * x / speed if speed > 0.0 else np.zeros(2)

        columns = [(vector(v + e) - vector(v - e)) / (2.0 * step) for e in step * np.eye(2)]
        return vector(v), np.array(columns).T


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
        _check_curve(type(self).__name__, self.static, self.kinetic, self.stribeck_speed, self.exponent, self.viscous)
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


def _check_curve(part: str, static: float, kinetic: float, stribeck_speed: float, exponent: float, viscous: float) -> None:
    positive(part, "kinetic", kinetic)
    positive(part, "static", static)
    if static < kinetic:
        raise ModelError(f"{part}: static = {static:g} is below kinetic = {kinetic:g}; friction falls as sliding begins.")
    positive(part, "stribeck_speed", stribeck_speed)
    positive(part, "exponent", exponent)
    not_negative(part, "viscous", viscous)
