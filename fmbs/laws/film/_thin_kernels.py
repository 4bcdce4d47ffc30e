"""The thin film: the eccentricity of a strip is frozen smoothly before the journal touches the wall.

eps' = eps for eps <= eps1 = 1 - 8 limit, else eps1 + d tanh((eps - eps1)/d) with d = 7 limit: twice continuously
differentiable, always below 1 - limit, so that h stays above limit c.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]


@kernel(part=True)
def frozen(ex: float, ey: float, c: float, limit: float, S: Array) -> tuple[float, float]:
    """The eccentricity the film sees, and S (4,) = its derivative, row by row."""
    start, d = 1.0 - 8.0 * limit, 7.0 * limit
    eps = np.sqrt(ex * ex + ey * ey) / c
    if eps <= start:
        S[0], S[1], S[2], S[3] = 1.0, 0.0, 0.0, 1.0
        return ex, ey
    t = np.tanh((eps - start) / d)
    ratio, slope = (start + d * t) / eps, 1.0 - t * t
    nx, ny = ex / (eps * c), ey / (eps * c)
    S[0], S[1] = ratio + (slope - ratio) * nx * nx, (slope - ratio) * nx * ny
    S[2], S[3] = S[1], ratio + (slope - ratio) * ny * ny
    return ratio * ex, ratio * ey


@kernel(part=True)
def strip_state(z: Array, s: float, c: float, limit: float, strip: Array, S: Array) -> float:
    """strip = [e, u] (4,) at s with e frozen; returns |e|^2."""
    a, b = 0.5 * (1.0 - s), 0.5 * (1.0 + s)
    ex, ey = frozen(a * z[0] + b * z[2], a * z[1] + b * z[3], c, limit, S)
    strip[0], strip[1] = ex, ey
    strip[2] = 2.0 * (a * z[4] + b * z[6]) + z[8] * ey
    strip[3] = 2.0 * (a * z[5] + b * z[7]) - z[8] * ex
    return float(ex * ex + ey * ey)
