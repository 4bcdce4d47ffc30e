"""Compiled laws of a journal that nearly fills its bearing; kernels of the slot `law_kernels.CONTACT`.

liu_contact       A d sqrt(d/(2 (c + d))), times [1 + a d'/d'(-)]                  p = A, c, a
winkler_contact   A (g/cos(g) - sin(g)), cos(g) = c/(c + d), times [1 + a d'/d'(-)]    p = A, c, a
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel, law
from fmbs.laws._contact_kernels import hysteresis

Array = NDArray[np.float64]

SMALL = 0.01  # depth over clearance below which energies are taken from their series: the closed forms cancel


@law
def liu_contact(
    p: Array, depth: float, rate: float, impact_speed: float, depth_0: float, memory_0: float, h: float, out: Array
) -> None:
    """With x = d/c: F = A c/sqrt(2) x^1.5 (1 + x)^-0.5; stored energy A c^2/sqrt(2) int x^1.5 (1 + x)^-0.5 dx."""
    c = p[1]
    x = depth / c
    force = p[0] * depth * math.sqrt(0.5 * x / (1.0 + x))
    slope = force / depth * (1.5 + x) / (1.0 + x)
    if x < SMALL:
        area = x * x * math.sqrt(x) * (0.4 + x * (-1.0 / 7.0 + x * (1.0 / 12.0 + x * (-5.0 / 88.0 + x * 35.0 / 832.0))))
    else:
        area = 0.25 * (math.sqrt(x * (1.0 + x)) * (2.0 * x - 3.0) + 3.0 * math.asinh(math.sqrt(x)))
    factor, factor_rate = hysteresis(p[2], rate, impact_speed)
    out[0], out[1], out[2] = force * factor, slope * factor, force * factor_rate
    out[4] = p[0] * c * c / math.sqrt(2.0) * area


@kernel(plain=True, part=True)
def arc_areas(y: float) -> tuple[float, float]:
    """y - sin(y) and y + y/2 cos(y) - 3/2 sin(y), which cancel to the orders 3 and 5."""
    if y > 0.6:
        return y - math.sin(y), y + 0.5 * y * math.cos(y) - 1.5 * math.sin(y)
    z = y * y
    first = y * z * (1.0 / 6.0 - z * (1.0 / 120.0 - z * (1.0 / 5040.0 - z * (1.0 / 362880.0 - z / 39916800.0))))
    second = y * z * z * (1.0 / 120.0 - z * (1.0 / 2520.0 - z * (1.0 / 120960.0 - z * (1.0 / 9979200.0 - z / 1245404160.0))))
    return first, second


@law
def winkler_contact(
    p: Array, depth: float, rate: float, impact_speed: float, depth_0: float, memory_0: float, h: float, out: Array
) -> None:
    """F = A (2 g - sin(2 g))/(2 cos(g)), dF/dd = A/c (g + sin(g) cos(g)).

    Stored energy: A c/2 [g (2 + cos(2 g)) - 3/2 sin(2 g)]/cos(g)^2.
    """
    c = p[1]
    angle = math.atan2(math.sqrt(depth * (2.0 * c + depth)), c)
    cos = c / (c + depth)
    first, second = arc_areas(2.0 * angle)
    force = 0.5 * p[0] * first / cos
    slope = p[0] / c * (angle + math.sin(angle) * cos)
    factor, factor_rate = hysteresis(p[2], rate, impact_speed)
    out[0], out[1], out[2] = force * factor, slope * factor, force * factor_rate
    out[4] = 0.5 * p[0] * c * second / (cos * cos)
