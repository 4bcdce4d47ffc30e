"""Motion inside a step: polynomials through what is known at its two ends. x is the fraction of the step h."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]


@kernel(plain=True)
def cubic(q_0: Array, v_0: Array, q_1: Array, v_1: Array, h: float, x: float, q: Array, v: Array) -> None:
    """q and v of the cubic through q and v at both ends (Tian2010 eq 45)."""
    for i in range(q.size):
        change = q_1[i] - q_0[i]
        b, c = 3.0 * change - h * (2.0 * v_0[i] + v_1[i]), h * (v_0[i] + v_1[i]) - 2.0 * change
        q[i] = q_0[i] + x * (h * v_0[i] + x * (b + x * c))
        v[i] = v_0[i] + x * (2.0 * b + 3.0 * x * c) / h


@kernel(plain=True)
def quintic(
    q_0: Array, v_0: Array, a_0: Array, q_1: Array, v_1: Array, a_1: Array, h: float, x: float, q: Array, v: Array, a: Array
) -> None:
    """q, v and a of the quintic through q, v and a at both ends."""
    for i in range(q.size):
        first, second = h * v_0[i], h * h * a_0[i]
        d = q_1[i] - q_0[i] - first - 0.5 * second
        e, f = h * v_1[i] - first - second, h * h * a_1[i] - second
        c3, c4, c5 = 10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f
        q[i] = q_0[i] + x * (first + x * (0.5 * second + x * (c3 + x * (c4 + x * c5))))
        v[i] = (first + x * (second + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / h
        a[i] = (second + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))) / (h * h)
