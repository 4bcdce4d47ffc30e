"""Bad input is refused with the film's name, the argument, the value and what is allowed."""

from __future__ import annotations

import numpy as np
import pytest

import fmbs as fm
from tests.laws.film_cases import BEARING, MU, REST, aligned


@pytest.mark.parametrize("kind", [fm.film.ShortBearing, fm.film.LongBearing, fm.film.FiniteBearing])
@pytest.mark.parametrize("viscosity", [0.0, -0.4, np.nan, "thick"])
def test_viscosity(kind, viscosity):
    with pytest.raises(fm.ModelError, match=rf"{kind.__name__}: viscosity"):
        kind(viscosity)


def test_viscosity_function_is_checked_when_used():
    film = fm.film.ShortBearing(lambda t: 1.0 - t)
    assert film.resultant(aligned(0.5), aligned(0.5), REST, REST, 1.0, **BEARING)[0].any()
    with pytest.raises(fm.ModelError, match=r"viscosity\(t = 2\) = -1 must be positive"):
        film.resultant(aligned(0.5), aligned(0.5), REST, REST, 1.0, **BEARING, t=2.0)


@pytest.mark.parametrize("argument", ["radius", "length", "clearance"])
@pytest.mark.parametrize("value", [0.0, -1e-3, np.inf])
def test_geometry(argument, value):
    film = fm.film.ShortBearing(MU)
    with pytest.raises(fm.ModelError, match=f"ShortBearing: {argument}"):
        film.resultant(REST, REST, REST, REST, 1.0, **{**BEARING, argument: value})
    with pytest.raises(fm.ModelError, match=f"ShortBearing: {argument}"):
        fm.film.coefficients(film, load=(0, -1), spin=1.0, **{**BEARING, argument: value})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cavitation": "none"}, "cavitation = 'none' is unknown. Known: gumbel, jfo"),
        ({"grid": (72, 16)}, r"grid = \(72, 16\) must be two integers"),
        ({"grid": (6, 17)}, "at least 8 angles"),
        ({"grid": 72}, "grid = 72"),
        ({"cavitation_pressure": 1e5}, "must not exceed 0"),
        ({"supply": fm.film.Groove(0.0, pressure=-1e3)}, "below the cavitation pressure"),
        ({"supply": 3.0}, "supply = 3.0"),
        ({"limit": 0.0}, "limit = 0"),
        ({"limit": 0.5}, "limit = 0.5"),
    ],
)
def test_finite_options(options, words):
    with pytest.raises(fm.ModelError, match=words):
        fm.film.FiniteBearing(MU, **options)


def test_other_options():
    with pytest.raises(fm.ModelError, match=r"integration = 'exact' is unknown. Known: closed"):
        fm.film.LongBearing(MU, integration="exact")
    with pytest.raises(fm.ModelError, match=r"A = \(1, 2, 3\) has shape"):
        fm.film.ShortBearing(MU).resultant((1, 2, 3), REST, REST, REST, 1.0, **BEARING)
    with pytest.raises(fm.ModelError, match="its own grid"):
        fm.film.FiniteBearing(MU).pressure(REST, REST, REST, REST, 1.0, **BEARING, points=(10, 10))
    with pytest.raises(fm.ModelError, match="Hole: diameter"):
        fm.film.Hole(0.0, diameter=0.0)
    with pytest.raises(fm.ModelError, match="Groove: width"):
        fm.film.Groove(0.0, width=-1.0)
    with pytest.raises(fm.ModelError, match="both different from zero"):
        fm.film.coefficients(fm.film.ShortBearing(MU), load=(0.0, -1.0), spin=0.0, **BEARING)
