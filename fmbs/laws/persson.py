"""A pin in a bore of nearly its own radius, plane elasticity: Persson's solution for bodies of like elasticity.

With b = tan(half angle / 2), load Q a length, clearance c and 1/E* = s_1 + s_2 (Persson 1964; Ciavarella & Decuzzi 2001):

    E* c / Q = [2 - 2 b^4 - ln(1 + b^2)] / [2 pi b^2 (1 + b^2)]
    p R / Q = 2/(pi sqrt(1 + b^2)) sqrt(b^2 - y^2)/(1 + y^2) + 1/(2 pi b^2 (1 + b^2)) ln[(S + w)/(S - w)]

    y = tan(phi/2), S = sqrt(1 + b^2), w = sqrt(b^2 - y^2)

It tends to Hertz's line contact for small loads, and to half an angle of 85 degrees when the load makes the gap unimportant.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from fmbs.laws.law import Array

FULL = 0.8346152454776573  # b^2 at which E* c/Q vanishes


def looseness(b2: float) -> float:
    """E* c / Q of a contact with b^2."""
    return (2.0 - 2.0 * b2 * b2 - math.log1p(b2)) / (2.0 * math.pi * b2 * (1.0 + b2))


def half_angle(load: float) -> float:
    """Of the arc in contact, rad, under Q / (E* c)."""
    if load <= 0.0:
        return 0.0
    low = min(0.25 * math.pi * load, FULL) * 1e-3  # b^2 = pi Q / (E* c) / ... as in Hertz's contact, and far below
    if looseness(FULL * (1.0 - 1e-12)) * load > 1.0:
        return 2.0 * math.atan(math.sqrt(FULL))
    b2 = scipy.optimize.brentq(lambda x: looseness(x) * load - 1.0, low, FULL, xtol=1e-18, rtol=1e-12)
    return 2.0 * math.atan(math.sqrt(b2))


def profile(angles: Array, width: float) -> Array:
    """p R / Q at angles from the deepest point of a contact of this half angle."""
    b2 = math.tan(0.5 * width) ** 2
    y2 = np.tan(0.5 * angles) ** 2
    S, w = math.sqrt(1.0 + b2), np.sqrt(np.maximum(b2 - y2, 0.0))
    shape: Array = 2.0 * w / (math.pi * S * (1.0 + y2)) + np.log((S + w) / (S - w)) / (2.0 * math.pi * b2 * (1.0 + b2))
    return shape
