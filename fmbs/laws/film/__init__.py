"""Films of oil between journal and bearing: short, long and finite bearings, their pressure, force and tangent."""

from fmbs.laws.film.base import Film, FilmAction
from fmbs.laws.film.long_bearing import LongBearing
from fmbs.laws.film.short_bearing import ShortBearing

__all__ = ["Film", "FilmAction", "LongBearing", "ShortBearing"]
