"""Time derivatives of the constraints against differences of Phi along a motion."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.conformance.cases import CONSTRAINTS, SETTINGS, Case, draw

TIMES = (0.03, 0.41, 0.83, 1.3)  # before, in and after the smooth steps, and away from the knots of the tables


@pytest.mark.parametrize(("case", "sides"), [x for x in SETTINGS if x[0] in CONSTRAINTS], ids=str)
def test_rates_are_derivatives_of_phi(case: Case, sides: str):
    """On q + s v the acceleration is zero, so that both rates are total derivatives of Phi(t + s, q + s v)."""
    rng = np.random.default_rng(3)
    system = draw(case, sides).model.system()
    for t in TIMES:
        q = system.initial_position + 0.1 * rng.standard_normal(system.size)
        v = rng.standard_normal(system.size)
        h = 2e-3
        phi = np.array([system.constraints(t + k * h, q + k * h * v) for k in range(-3, 4)])
        first, second = system.equations.rates(t, q, v), system.equations.accelerations(t, q, v)
        assert_allclose(first, np.array([-1, 9, -45, 0, 45, -9, 1]) @ phi / (60 * h), rtol=1e-9, atol=1e-9)
        assert_allclose(second, np.array([2, -27, 270, -490, 270, -27, 2]) @ phi / (180 * h * h), rtol=0, atol=1e-7)
