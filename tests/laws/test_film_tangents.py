"""Every Jacobian against differences, for every film."""

from __future__ import annotations

import numpy as np
import pytest

import fmbs as fm
from tests.laws.film_cases import MU, act, differences, films, name, scales, states


def worst(film, cases, step):
    """Errors of the Jacobian, relative to the largest entry of each row, the worst of each case, sorted."""
    errors = []
    for z in cases:
        exact, numeric = act(film, z).jacobian * scales(z), differences(film, z, step)
        errors.append((np.abs(exact - numeric) / np.abs(numeric).max(axis=1, keepdims=True)).max())
    return np.sort(errors)


def has_kinks(film):
    """The closed long form has a second derivative on either side of e . u = 0, jfo a first one where the gap stands still."""
    return name(film) in ("LongBearing-closed", "FiniteBearing-jfo")


@pytest.mark.parametrize("film", films(shear=True), ids=name)
def test_tangent(film):
    """Fourth-order differences. A node of a grid may change sides within the step: one state in ten may miss."""
    grid = isinstance(film, fm.film.FiniteBearing)
    cases = states(31, 10 if grid else 30, 0.95, special=not has_kinks(film))
    errors = worst(film, cases, 1e-6 if grid else 2e-4)
    assert np.median(errors) < 1e-6
    assert errors[-1 - len(errors) // 10] < 1e-5


@pytest.mark.parametrize("film", films(shear=True, limit=0.01), ids=name)
def test_tangent_of_the_frozen_film(film):
    """Also where the film is frozen, up to and beyond contact."""
    grid = isinstance(film, fm.film.FiniteBearing)
    errors = worst(film, states(32, 12, 1.2, special=not has_kinks(film)), 1e-6 if grid else 1e-4)
    assert np.median(errors) < 1e-4


@pytest.mark.parametrize("film", films(), ids=name)
def test_without_shear_or_tangent(film):
    z = states(33, 1)[0]
    with_, without = act(film, z, True), act(film, z, False)
    assert without.jacobian is None
    np.testing.assert_allclose(with_.force, without.force, rtol=1e-13)
    assert (with_.shear == 0.0).all() and (with_.jacobian[4:6] == 0.0).all()


def test_supply_tangent():
    film = fm.film.FiniteBearing(MU, supply=fm.film.Groove(1.0, pressure=3e5, width=0.01, length=0.03), cavitation="reynolds")
    z = states(34, 1, 0.8)[0]
    numeric = differences(film, z, 1e-6)[:4]
    assert np.abs(act(film, z).jacobian[:4] * scales(z) - numeric).max() < 1e-6 * np.abs(numeric).max()
