"""A bearing of finite length in closed form."""

from __future__ import annotations

from dataclasses import dataclass

from fmbs.laws.film._impedance_kernels import impedance_film
from fmbs.laws.film.base import Film


@dataclass(frozen=True)
class Impedance(Film, kernel=impedance_film):
    """Finite length by Moes' mobility, turned round into an impedance: a force for a velocity, without a grid.

    The film fills half of the circumference, at ambient pressure elsewhere. It tends to the short bearing for a small
    length/diameter. docs/lubrication.md has its errors against `FiniteBearing`. It knows resultants, no pressures.
    Moes & Bosma 1971; Childs, Moes & van Leeuwen 1977.
    """
