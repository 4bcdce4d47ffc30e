"""Compiled contact law of two branches: index and dtype contract in `law_kernels.CONTACT`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import law
from fmbs.laws._contact_kernels import SLOWEST_IMPACT

Array = NDArray[np.float64]


@law
def two_branch(
    p: Array, depth: float, rate: float, impact_speed: float, depth_0: float, memory_0: float, h: float, out: Array
) -> None:
    """F = K d [e + (1 - e) s(x)], s = 0 for x <= -1, 1 for x >= 1, x = d' / (b d'(-)); stored energy K d^2 / 2. p = K, e, b."""
    K, e = p[0], p[1]
    speed = p[2] * max(impact_speed, SLOWEST_IMPACT)
    x = rate / speed
    s, slope = (0.0, 0.0) if x <= -1.0 else (1.0, 0.0)
    if abs(x) < 1.0:
        u = 0.5 * (1.0 + x)
        s, slope = u * u * (3.0 - 2.0 * u), 3.0 * u * (1.0 - u) / speed
    factor = e + (1.0 - e) * s if x == x else x  # NaN stays NaN
    out[0], out[1], out[2] = K * depth * factor, K * factor, K * depth * (1.0 - e) * slope
    out[4] = 0.5 * K * depth * depth
