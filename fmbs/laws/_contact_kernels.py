"""Compiled contact laws: force, its derivatives, memory and stored energy of one contact.

A law is an integer code and a row p of eight numbers (`ContactLaw.parameters`):

    POWER         K d^n                                        p = K, n, a
    KELVIN_VOIGT  K d + c d'                                   p = K, c
    MAXWELL       K_0 d + spring K in series with damper c     p = K, c, K_0 (0, or > 0: standard linear solid)
    CYLINDER      d = A F [ln(B / F) + 1]                      p = A, B, a

a is the hysteresis factor of POWER and CYLINDER: F = F_elastic(d) [1 + a d'/d'(-)]. Codes below zero are laws in Python.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel

Array = NDArray[np.float64]

USER, POWER, KELVIN_VOIGT, MAXWELL, CYLINDER = -1, 0, 1, 2, 3

# Guard of hysteresis. In an impact d'/d'(-) falls from 1 to -e; where a mechanism goes on pushing it reaches 1.7 (Flores2006's
# slider-crank). A contact that begins almost at rest and is loaded afterwards has no such scale: the ratio would grow without
# bound, and the "damping" with it. So the ratio is exact up to EXACT_RATIO, levels off smoothly (twice differentiable) one
# above it, and d'(-) counts as SLOWEST_IMPACT at least.
EXACT_RATIO = 5.0
SLOWEST_IMPACT = 1e-5  # m/s


@kernel(plain=True)
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


@kernel(plain=True)
def power(K: float, n: float, depth: float) -> tuple[float, float, float]:
    """F = K d^n, dF/dd, stored energy K d^(n+1) / (n+1)."""
    force = K * depth * math.sqrt(depth) if n == 1.5 else K * depth**n
    return force, n * force / depth, force * depth / (n + 1.0)


@kernel(plain=True)
def cylinder(A: float, B: float, depth: float) -> tuple[float, float, float]:
    """F of d = A F [ln(B/F) + 1], dF/dd, stored energy: the branch on which force grows with depth.

    With u = ln(B/F) + 1 the equation is u - ln u = 1 - ln(d / AB), convex: Newton's method cannot miss. The branch ends at
    F = B, d = AB (4 clearances for ESDU-78035) with a vertical tangent; beyond F = B/2 the law continues along its tangent.
    """
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
    return force + slope * extra, slope, stored + extra * (force + 0.5 * slope * extra)


@kernel(plain=True, part=True)
def relaxation(x: float) -> float:
    """(1 - exp(-x)) / x."""
    return -math.expm1(-x) / x if x > 1e-12 else 1.0


@kernel(plain=True)
def normal_force(
    code: int, p: Array, depth: float, rate: float, impact_speed: float, depth_0: float, memory_0: float, h: float
) -> tuple[float, float, float, float, float]:
    """Force >= 0, dF/ddepth, dF/drate, memory and stored elastic energy at the end of a step.

    depth, rate: penetration, m, and its rate, m/s, at the end of the step
    impact_speed: normal approach speed at the start of this contact, m/s
    depth_0, memory_0, h: penetration and memory at the beginning of the step, and its length, s; only MAXWELL looks at them.
        Memory is the force of its branch, integrated exactly for a depth that changes linearly over the step:
        F_1 = F_0 exp(-h/tau) + K (depth - depth_0) (1 - exp(-h/tau)) / (h/tau), tau = c/K.
        Where the contact would pull, the surface gives up its memory: it follows the body that leaves.
    """
    if depth <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    memory = 0.0
    if code in (POWER, CYLINDER):
        elastic, slope, stored = power(p[0], p[1], depth) if code == POWER else cylinder(p[0], p[1], depth)
        factor, factor_rate = hysteresis(p[2], rate, impact_speed)
        force, by_depth, by_rate = elastic * factor, slope * factor, elastic * factor_rate
    elif code == KELVIN_VOIGT:
        force, by_depth, by_rate = p[0] * depth + p[1] * rate, p[0], p[1]
        stored = 0.5 * p[0] * depth * depth
    else:
        K, K_0 = p[0], p[2]
        x = h * K / p[1]
        share = relaxation(x)
        memory = memory_0
        if h > 0.0:
            memory = memory_0 * math.exp(-x) + K * (depth - max(depth_0, 0.0)) * share
        force, by_depth, by_rate = K_0 * depth + memory, K_0 + K * share, 0.0
        if force < 0.0:
            memory = -K_0 * depth
        stored = 0.5 * memory * memory / K + 0.5 * K_0 * depth * depth
    if force < 0.0:
        return 0.0, 0.0, 0.0, memory, stored
    return force, by_depth, by_rate, memory, stored


@kernel(plain=True, part=True)
def steady_loading(p: Array, depth: float, rate: float) -> tuple[float, float, float]:
    """MAXWELL pressed in at a constant rate from first touch: K_0 d + c d' (1 - exp(-d K / (|d'| c)))."""
    K, c, K_0 = p[0], p[1], p[2]
    if depth <= 0.0:
        return 0.0, 0.0, 0.0
    if rate == 0.0:
        return K_0 * depth, K_0, c
    x = depth * K / (abs(rate) * c)
    force = K_0 * depth - c * rate * math.expm1(-x)
    if force < 0.0:
        return 0.0, 0.0, 0.0
    decay = math.exp(-x)
    return force, K_0 + math.copysign(K, rate) * decay, c * (1.0 - decay - x * decay)


@kernel(plain=True)
def normal_forces(code: int, p: Array, depth: Array, rate: Array, impact_speed: Array, out: Array) -> None:
    """Force, dF/ddepth and dF/drate of many contacts without history: out (3, n)."""
    for i in range(depth.size):
        if code == MAXWELL:
            out[0, i], out[1, i], out[2, i] = steady_loading(p, depth[i], rate[i])
        else:
            force, by_depth, by_rate, _, _ = normal_force(code, p, depth[i], rate[i], impact_speed[i], 0.0, 0.0, 0.0)
            out[0, i], out[1, i], out[2, i] = force, by_depth, by_rate
