"""Compiled contact laws: force, its derivatives, memory and stored energy of one contact, depth > 0.

Each is a kernel of the slot `law_kernels.CONTACT` with a row p of its own:

    power_contact     K d^n [1 + a d'/d'(-)]                       p = K, n, a
    impact_function   K d^n + C s(d/h) d'                        p = K, n, C, h
    kelvin_voigt      K d + c d'                                   p = K, c
    maxwell           K_0 d + spring K in series with damper c     p = K, c, K_0 (0, or > 0: standard linear solid)
    cylinder_contact  d = A F [ln(B / F) + 1], F [1 + a d'/d'(-)]  p = A, B, a

A force below zero is cut by whoever calls them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel, law

Array = NDArray[np.float64]

# Guard of hysteresis. In an impact d'/d'(-) falls from 1 to -e; where a mechanism goes on pushing it reaches 1.7 (Flores2006's
# slider-crank). A contact that begins almost at rest and is loaded afterwards has no such scale: the ratio would grow without
# bound, and the "damping" with it. So the ratio is exact up to EXACT_RATIO, levels off smoothly (twice differentiable) one
# above it, and d'(-) counts as SLOWEST_IMPACT at least.
EXACT_RATIO = 5.0
SLOWEST_IMPACT = 1e-5  # m/s


@kernel(plain=True, part=True)
def hysteresis(a: float, rate: float, impact_speed: float) -> tuple[float, float]:
    """1 + a d'/d'(-), guarded as above, and its derivative with respect to the rate."""
    speed = max(impact_speed, SLOWEST_IMPACT)
    ratio = rate / speed
    slope = a / speed
    excess = abs(ratio) - EXACT_RATIO
    if excess > 0.0:
        bend = math.tanh(excess)
        ratio = math.copysign(EXACT_RATIO + bend, ratio)
        slope *= 1.0 - bend * bend
    return 1.0 + a * ratio, slope


@law
def power_contact(
    p: Array, depth: float, rate: float, impact_speed: float, depth_0: float, memory_0: float, h: float, out: Array
) -> None:
    """F = K d^n [1 + a d'/d'(-)]; stored energy K d^(n+1) / (n+1)."""
    K, n = p[0], p[1]
    force = K * depth * math.sqrt(depth) if n == 1.5 else K * depth**n
    factor, factor_rate = hysteresis(p[2], rate, impact_speed)
    out[0], out[1], out[2] = force * factor, n * force / depth * factor, force * factor_rate
    out[4] = force * depth / (n + 1.0)


@law
def cylinder_contact(
    p: Array, depth: float, rate: float, impact_speed: float, depth_0: float, memory_0: float, h: float, out: Array
) -> None:
    """d = A F [ln(B/F) + 1], times [1 + a d'/d'(-)]: the branch on which force grows with depth.

    With u = ln(B/F) + 1 the equation is u - ln u = 1 - ln(d / AB), convex: Newton's method cannot miss. The branch ends at
    F = B, d = AB (4 clearances for ESDU-78035) with a vertical tangent; beyond F = B/2 the law continues along its tangent.
    """
    A, B = p[0], p[1]
    x = depth / (A * B)
    last = 0.5 * (1.0 + math.log(2.0))  # x at F = B/2
    beyond = max(x - last, 0.0)
    x = min(x, last)
    c = 1.0 - math.log(x)
    u = c + math.log(c)
    for _ in range(20):
        change = (u - math.log(u) - c) * u / (u - 1.0)
        u -= change
        if abs(change) < 1e-14 * u:
            break
    force = B * x / u
    slope = 1.0 / (A * (u - 1.0))
    stored = A * force * force * (0.5 * (u - 1.0) + 0.25)
    extra = beyond * A * B
    factor, factor_rate = hysteresis(p[2], rate, impact_speed)
    elastic = force + slope * extra
    out[0], out[1], out[2] = elastic * factor, slope * factor, elastic * factor_rate
    out[4] = stored + extra * (force + 0.5 * slope * extra)


@law
def impact_function(
    p: Array, depth: float, rate: float, impact_speed: float, depth_0: float, memory_0: float, h: float, out: Array
) -> None:
    """F = K d^n + C s(d/h) d'; stored energy K d^(n+1) / (n+1)."""
    K, n, C = p[0], p[1], p[2]
    elastic = K * depth**n
    x = min(depth / p[3], 1.0)
    ramp = x * x * (3.0 - 2.0 * x)
    out[0], out[1] = elastic + C * ramp * rate, n * elastic / depth + C * 6.0 * x * (1.0 - x) / p[3] * rate
    out[2] = C * ramp
    out[4] = elastic * depth / (n + 1.0)


@law
def kelvin_voigt(
    p: Array, depth: float, rate: float, impact_speed: float, depth_0: float, memory_0: float, h: float, out: Array
) -> None:
    """F = K d + c d'; stored energy K d^2 / 2."""
    out[0], out[1], out[2] = p[0] * depth + p[1] * rate, p[0], p[1]
    out[4] = 0.5 * p[0] * depth * depth


@kernel(plain=True, part=True)
def relaxation(x: float) -> float:
    """(1 - exp(-x)) / x."""
    return -math.expm1(-x) / x if x > 1e-12 else 1.0


@law
def maxwell(
    p: Array, depth: float, rate: float, impact_speed: float, depth_0: float, memory_0: float, h: float, out: Array
) -> None:
    """Memory is the force of the Maxwell branch, integrated exactly for a depth that changes linearly over the step:

        F_1 = F_0 exp(-h/tau) + K (depth - depth_0) (1 - exp(-h/tau)) / (h/tau), tau = c/K.

    Where the contact would pull, the surface gives up its memory: it follows the body that leaves.
    """
    K, K_0 = p[0], p[2]
    x = h * K / p[1]
    share = relaxation(x)
    memory = memory_0
    if h > 0.0:
        memory = memory_0 * math.exp(-x) + K * (depth - max(depth_0, 0.0)) * share
    force = K_0 * depth + memory
    if force < 0.0:
        memory = -K_0 * depth
    out[0], out[1], out[2], out[3] = force, K_0 + K * share, 0.0, memory
    out[4] = 0.5 * memory * memory / K + 0.5 * K_0 * depth * depth


@law
def maxwell_memory(p: Array, depth: float, rate: float, impact_speed: float, memory: float, out: Array) -> None:
    """F' = K (d' - F/c) of the branch; where the surface has let go and follows the body, F = -K_0 d."""
    out[0], out[1] = p[0] * (rate - memory / p[1]), -p[2] * rate
