"""SmoothStep: its polynomial is the function."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

import fmbs as fm


def test_polynomial_is_the_function():
    step = fm.SmoothStep(0.2, 0.7, -1.0, 3.0)
    t = np.linspace(0.2, 0.7, 21)
    assert_allclose(step.polynomial(t), [step(x) for x in t], rtol=0, atol=1e-13)
    assert (step(0.0), step(0.2), step(0.7), step(9.0)) == (-1.0, -1.0, 3.0, 3.0)
    for derivative in (1, 2):
        assert_allclose(step.polynomial([0.2, 0.7], derivative), 0.0, rtol=0, atol=1e-11)
