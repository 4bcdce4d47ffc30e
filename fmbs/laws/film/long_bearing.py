"""Infinitely long bearing; misaligned, strip by strip."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np

from fmbs.core.errors import ModelError
from fmbs.laws.film._long_kernels import long_field, long_peak
from fmbs.laws.film._strip_kernels import LONG, LONG_QUADRATURE
from fmbs.laws.film.base import Array
from fmbs.laws.film.strip_film import StripFilm

Integration = Literal["closed", "quadrature"]


@dataclass(frozen=True)
class LongBearing(StripFilm):
    """No flow along zeta, oil on half of the circumference: Pinkus & Sternlicht's forces of a moving journal.

    Good from length/diameter of about 2 up. A misaligned journal takes every strip's own eccentricity.
    integration: "closed", Flores2006 eqs 29-33 (eq 31 with |eps'|); "quadrature", the integral of the half-film pressure,
        of which the closed form is an approximation when the eccentricity changes (equal for eps' = 0)
    """

    integration: Integration = field(default="closed", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.integration not in get_args(Integration):
            raise ModelError(f"{self.part}: integration = {self.integration!r} must be one of {get_args(Integration)}.")

    @property
    def code(self) -> int:
        return LONG if self.integration == "closed" else LONG_QUADRATURE

    def _peak(self, state: Array, mu: float, radius: float, length: float, clearance: float) -> float:
        return long_peak(state, mu, radius, clearance, self.limit)

    def _field(
        self, state: Array, radius: float, length: float, clearance: float, t: float, points: tuple[int, int] | None
    ) -> tuple[Array, Array, Array]:
        n, k = points or (72, 17)
        theta, s = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False), np.linspace(-1.0, 1.0, k)
        return theta, 0.5 * length * s, long_field(state, theta, s, self.viscosity_at(t), radius, clearance, self.limit)
