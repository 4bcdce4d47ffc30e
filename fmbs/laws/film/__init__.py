"""Films of oil between journal and bearing: short, long and finite bearings, impedance, their pressure, force and tangent."""

from fmbs.laws.film.base import Film, FilmAction
from fmbs.laws.film.coefficients import BearingCoefficients, coefficients
from fmbs.laws.film.finite_bearing import FilmFlow, FiniteBearing
from fmbs.laws.film.impedance import Impedance
from fmbs.laws.film.long_bearing import LongBearing
from fmbs.laws.film.short_bearing import ShortBearing
from fmbs.laws.film.supply import Groove, Hole

__all__ = [
    "BearingCoefficients",
    "Film",
    "FilmAction",
    "FilmFlow",
    "FiniteBearing",
    "Groove",
    "Hole",
    "Impedance",
    "LongBearing",
    "ShortBearing",
    "coefficients",
]
