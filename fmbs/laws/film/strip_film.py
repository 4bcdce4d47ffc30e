"""Films whose pressure is known strip by strip: one compiled kernel for all of them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from fmbs.laws.film._strip_kernels import strip_action
from fmbs.laws.film.base import Array, Film, FilmAction, least_gap


@dataclass(frozen=True)
class StripFilm(Film):
    """A film without flow between its strips, or without flow around the journal."""

    @property
    @abstractmethod
    def code(self) -> int:
        """Its code in the kernels."""

    @abstractmethod
    def _peak(self, state: Array, mu: float, radius: float, length: float, clearance: float) -> float: ...

    def action(
        self, z: Array, radius: float, length: float, clearance: float, t: float = 0.0, tangent: bool = True
    ) -> FilmAction:
        mu = self.viscosity_at(t)
        out, jac = np.empty(6), np.empty((6, 9))
        strip_action(self.code, z, mu, radius, length, clearance, self.limit, self.shear, tangent, out, jac)
        peak = self._peak(z, mu, radius, length, clearance)
        return FilmAction(out[0:2], out[2:4], out[4:6], least_gap(z, clearance), peak, jac if tangent else None)
