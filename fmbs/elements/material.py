"""Material of a link."""

from __future__ import annotations

from dataclasses import dataclass

from fmbs.core.checks import not_negative, number, positive
from fmbs.core.described import Described
from fmbs.core.errors import ModelError


@dataclass(frozen=True, kw_only=True)
class Material(Described):
    """Linear elastic and isotropic: S = lambda tr(E) 1 + 2 mu E, with Kelvin-Voigt damping S(E + damping E').

    E: Young's modulus, Pa
    nu: Poisson's ratio, in (-1, 0.5)
    density: kg/m^3
    damping: retardation time, s: ratio of viscous to elastic stiffness
    """

    E: float
    nu: float = 0.0
    density: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        positive("Material", "E", self.E)
        positive("Material", "density", self.density)
        not_negative("Material", "damping", self.damping)
        if not -1.0 < number("Material", "nu", self.nu) < 0.5:
            raise ModelError(f"Material: nu = {self.nu:g} is outside (-1, 0.5); steel has 0.3, the papers' links 0.")

    @property
    def G(self) -> float:
        """Shear modulus mu, Pa."""
        return self.E / (2.0 * (1.0 + self.nu))

    @property
    def lame(self) -> float:
        """Lame's first constant lambda, Pa."""
        return self.E * self.nu / ((1.0 + self.nu) * (1.0 - 2.0 * self.nu))
