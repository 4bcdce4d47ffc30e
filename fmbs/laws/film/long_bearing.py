"""Infinitely long bearing; misaligned, strip by strip."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from fmbs.core.checks import choice
from fmbs.laws.film._long_kernels import long_field, long_peak
from fmbs.laws.film._strip_kernels import long_film, long_quadrature_film
from fmbs.laws.film.base import Array, Film, places

Integration = Literal["closed", "quadrature"]


@dataclass(frozen=True)
class LongBearing(Film, kernel=long_film):
    """No flow along zeta, oil on half of the circumference: Pinkus & Sternlicht's forces of a moving journal.

    Good from length/diameter of about 2 up. A misaligned journal takes every strip's own eccentricity.
    integration: "closed", Flores2006 eqs 29-33 (eq 31 with |eps'|); "quadrature", the integral of the half-film pressure,
        of which the closed form is an approximation when the eccentricity changes (equal for eps' = 0)
    """

    integration: Integration = field(default="closed", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self.part, "integration", self.integration, get_args(Integration))

    @property
    def kernel(self) -> Any:
        return super().kernel if self.integration == "closed" else long_quadrature_film

    def peak_pressure(self, state: Array, radius: float, length: float, clearance: float, t: float) -> float:
        return long_peak(state, self.viscosity_at(t), radius, clearance, self.limit)

    def pressure_field(
        self, state: Array, radius: float, length: float, clearance: float, t: float, points: tuple[int, int] | None
    ) -> tuple[Array, Array, Array]:
        theta, s = places(points)
        return theta, 0.5 * length * s, long_field(state, theta, s, self.viscosity_at(t), radius, clearance, self.limit)
