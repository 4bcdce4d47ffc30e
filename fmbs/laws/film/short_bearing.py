"""Infinitely short bearing, misaligned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fmbs.laws.film._short_kernels import short_field, short_peak
from fmbs.laws.film._strip_kernels import SHORT
from fmbs.laws.film.base import Array
from fmbs.laws.film.strip_film import StripFilm


@dataclass(frozen=True)
class ShortBearing(StripFilm):
    """p = 3 mu (4 zeta^2 - B^2)/(4 h^3) [omega h_theta + 2 h_t], cut at zero (Guembel).

    Good up to length/diameter of about 0.5. Around the circumference the integrals are closed forms; along zeta they are
    Gauss points graded to the thin film: closed form as a whole for an aligned journal.
    Tian2010 eq 38, forces eqs 39-40, moments eqs 41-42 with the signs that docs/theory.md corrects.
    """

    @property
    def code(self) -> int:
        return SHORT

    def _peak(self, state: Array, mu: float, radius: float, length: float, clearance: float) -> float:
        return short_peak(state, mu, length, clearance, self.limit)

    def _field(
        self, state: Array, radius: float, length: float, clearance: float, t: float, points: tuple[int, int] | None
    ) -> tuple[Array, Array, Array]:
        n, k = points or (72, 17)
        theta, s = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False), np.linspace(-1.0, 1.0, k)
        return theta, 0.5 * length * s, short_field(state, theta, s, self.viscosity_at(t), length, clearance, self.limit)
