"""Exact Newton matrices against both the package's and this file's own differences."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fmbs.assembly.system import Coefficients, System
from tests.conformance.cases import SETTINGS, Case, draw

Array = np.ndarray


@pytest.mark.parametrize(("case", "sides"), SETTINGS, ids=str)
def test_newton_matrix(case: Case, sides: str):
    """At a random place off the constraints, with random velocities, multipliers and coefficients."""
    rng = np.random.default_rng(7)
    system = draw(case, sides).model.system()
    q = system.initial_position + 0.1 * rng.standard_normal(system.size)
    v, lam = rng.standard_normal(system.size), rng.standard_normal(system.multipliers)
    c = Coefficients(*rng.uniform(0.5, 2.0, 4))
    exact = system.jacobian(0.37, q, v, lam, c).toarray()
    allowed = 1e-6 * np.abs(exact).max()
    assert_allclose(exact, differenced(system, 0.37, q, v, lam, c), rtol=0, atol=allowed)
    assert_allclose(exact, system.jacobian(0.37, q, v, lam, c, "numerical").toarray(), rtol=0, atol=allowed)


def differenced(system: System, t: float, q: Array, v: Array, lam: Array, c: Coefficients, h: float = 1e-5) -> Array:
    """The Newton matrix from central differences of the residual."""
    n, a = system.size, np.zeros(system.size)
    by_q = _differences(lambda x: system.residual(t, x, v, a, lam), q, h)
    by_v = _differences(lambda x: system.residual(t, q, x, a, lam), v, h)
    by_a = _differences(lambda x: system.residual(t, q, v, x, lam), a, h)
    by_lam = _differences(lambda x: system.residual(t, q, v, a, x), lam, h)
    top = c.mass * by_a[:n] + c.damping * by_v[:n] + c.stiffness * by_q[:n]
    return np.block([[top, c.constraint * by_lam[:n]], [c.constraint * by_q[n:], by_lam[n:]]])


def _differences(function, x: Array, h: float) -> Array:
    derivative = np.empty((function(x).size, x.size))
    for i, e in enumerate(np.eye(x.size)):
        derivative[:, i] = (function(x + h * e) - function(x - h * e)) / (2.0 * h)
    return derivative
