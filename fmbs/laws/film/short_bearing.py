"""Infinitely short bearing, misaligned."""

from __future__ import annotations

from dataclasses import dataclass

from fmbs.laws.film._short_kernels import short_field, short_peak
from fmbs.laws.film._strip_kernels import short_film
from fmbs.laws.film.base import Array, Film, places


@dataclass(frozen=True)
class ShortBearing(Film, kernel=short_film):
    """p = 3 mu (4 zeta^2 - B^2)/(4 h^3) [omega h_theta + 2 h_t], cut at zero (Guembel).

    Good up to length/diameter of about 0.5. Around the circumference the integrals are closed forms; along zeta they are
    Gauss points graded to the thin film: closed form as a whole for an aligned journal.
    Tian2010 eq 38, forces eqs 39-40, moments eqs 41-42 with the signs that docs/theory.md corrects.
    """

    def peak_pressure(self, state: Array, radius: float, length: float, clearance: float, t: float) -> float:
        return short_peak(state, self.viscosity_at(t), length, clearance, self.limit)

    def pressure_field(
        self, state: Array, radius: float, length: float, clearance: float, t: float, points: tuple[int, int] | None
    ) -> tuple[Array, Array, Array]:
        theta, s = places(points)
        return theta, 0.5 * length * s, short_field(state, theta, s, self.viscosity_at(t), length, clearance, self.limit)
