"""Compiled friction laws: the coefficient as a vector in the tangent plane, its derivatives and the bristle.

A law is an integer code and a row p of eight numbers (`FrictionLaw.parameters`). Slip v has a circumferential and an axial
component; the friction force on the slipping body is -N mu(v).

    NONE      mu = 0
    AMBROSIO  mu = c_f c_d v/|v|                          p = c_f, v_0, v_1
    STRIBECK  mu = g tanh(|v|/v_0) v/|v| + s_2 v          p = mu_k, mu_s - mu_k, v_s, gamma, s_2, v_0
    LUGRE     mu = s_0 z + s_1 z' + s_2 v                 p = mu_k, mu_s - mu_k, v_s, gamma, s_2, s_0, s_1
    g(|v|) = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^gamma)

Codes below zero are laws in Python.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.laws._contact_kernels import relaxation

Array = NDArray[np.float64]

USER, NONE, AMBROSIO, STRIBECK, LUGRE = -1, 0, 1, 2, 3


@kernel(plain=True, part=True)
def stribeck(p: Array, speed: float) -> tuple[float, float]:
    """g(|v|) and its derivative."""
    if speed == 0.0:
        return p[0] + p[1], 0.0
    x = speed / p[2]
    power = x * x if p[3] == 2.0 else x ** p[3]
    drop = p[1] * math.exp(-power)
    return p[0] + drop, -drop * p[3] * power / speed


@kernel(plain=True)
def coefficient(code: int, p: Array, speed: float) -> tuple[float, float, float]:
    """Steady sliding: mu(|v|), mu/|v| and dmu/d|v|."""
    if code == AMBROSIO:
        if speed < p[1]:
            return 0.0, 0.0, 0.0
        if speed >= p[2]:
            return p[0], p[0] / speed, 0.0
        slope = p[0] / (p[2] - p[1])
        mu = slope * (speed - p[1])
        return mu, (mu / speed if p[1] > 0.0 else slope), slope
    if code == STRIBECK:
        g, slope = stribeck(p, speed)
        x = speed / p[5]
        rise = math.tanh(x)
        secant = rise / x if x > 1e-8 else 1.0
        mu = g * rise + p[4] * speed
        return mu, g * secant / p[5] + p[4], slope * rise + g * (1.0 - rise * rise) / p[5] + p[4]
    if code == LUGRE and speed > 0.0:
        g, slope = stribeck(p, speed)
        mu = g + p[4] * speed
        return mu, mu / speed, slope + p[4]
    return 0.0, 0.0, 0.0


@kernel(plain=True, part=True)
def relaxation_slope(x: float) -> float:
    """Derivative of (1 - exp(-x)) / x."""
    if x < 1e-3:
        return -0.5 + x / 3.0 - x * x / 8.0 + x * x * x / 30.0
    return (math.exp(-x) * (1.0 + x) - 1.0) / (x * x)


@kernel(plain=True, part=True)
def lugre(
    p: Array, slip_c: float, slip_a: float, slip0_c: float, slip0_a: float, z0_c: float, z0_a: float, h: float, out: Array
) -> None:
    """LuGre over one step: the bristle exactly for the mean slip w, the coefficient at the end of the step.

    z' = v - s_0 |v|/g z  ->  z_1 = z_0 exp(-x) + w h (1 - exp(-x))/x,  x = h s_0 |w|/g(|w|),  w = (v_0 + v_1)/2:
    second order, and z never passes the bristle of steady sliding however long the step. mu is then

        s_0 z + s_1(v) z' + s_2 v = g/(g + s_1 |v|) (s_0 z + s_1 v) + s_2 v   with  s_1(v) = s_1 g/(g + s_1 |v|).

    With a constant s_1 the model is passive only where s_1 |v| < 4 g (2 mm/s with Muvengei2012's 400 s/m), and a contact that
    begins while sliding would feel mu = s_1 |v|, hundreds. The decaying s_1(v) is the same model at small speeds; at large
    ones it keeps mu between the bristle's s_0 z and the Stribeck curve's g, and the model is passive everywhere.
    """
    s_0, s_1, s_2 = p[5], p[6], p[4]
    w_c, w_a = 0.5 * (slip0_c + slip_c), 0.5 * (slip0_a + slip_a)
    w = math.sqrt(w_c * w_c + w_a * w_a)
    g, g_slope = stribeck(p, w)
    x = h * s_0 * w / g
    decay, share = math.exp(-x), h * relaxation(x)
    z_c, z_a = z0_c * decay + w_c * share, z0_a * decay + w_a * share
    # dz_1/dv_1: half of share I + (dz_1/dx) dx/dw w^T/|w|
    along = 0.0 if w == 0.0 else 0.5 * h * s_0 * (g - w * g_slope) / (g * g * w)
    bend = h * relaxation_slope(x)
    by_c, by_a = (w_c * bend - z0_c * decay) * along, (w_a * bend - z0_a * decay) * along

    v = math.sqrt(slip_c * slip_c + slip_a * slip_a)
    g, g_slope = stribeck(p, v)
    q = g + s_1 * v
    part = g / q
    part_slope = 0.0 if v == 0.0 else s_1 * (g_slope * v - g) / (q * q * v)
    f_c, f_a = s_0 * z_c + s_1 * slip_c, s_0 * z_a + s_1 * slip_a
    own = part * (0.5 * s_0 * share + s_1) + s_2
    out[0] = part * f_c + s_2 * slip_c
    out[1] = part * f_a + s_2 * slip_a
    out[2] = own + part * s_0 * by_c * w_c + f_c * part_slope * slip_c
    out[3] = part * s_0 * by_c * w_a + f_c * part_slope * slip_a
    out[4] = part * s_0 * by_a * w_c + f_a * part_slope * slip_c
    out[5] = own + part * s_0 * by_a * w_a + f_a * part_slope * slip_a
    out[6] = z_c
    out[7] = z_a


@kernel(plain=True)
def friction(
    code: int,
    p: Array,
    slip_c: float,
    slip_a: float,
    slip0_c: float,
    slip0_a: float,
    z0_c: float,
    z0_a: float,
    h: float,
    out: Array,
) -> None:
    """out (8,) = mu_c, mu_a, dmu_c/dslip_c, dmu_c/dslip_a, dmu_a/dslip_c, dmu_a/dslip_a, z_c, z_a at the end of a step.

    slip, slip0: relative velocity in the tangent plane at the end and at the beginning of the step, m/s
    z0, h: bristle at the beginning, m, and length of the step, s; only LUGRE looks at them. h = 0: as things stand.
    """
    if code == LUGRE:
        lugre(p, slip_c, slip_a, slip0_c, slip0_a, z0_c, z0_a, h, out)
        return
    speed = math.sqrt(slip_c * slip_c + slip_a * slip_a)
    _, secant, slope = coefficient(code, p, speed)
    # mu = secant v: dmu/dv = secant I + (slope - secant) v v^T / |v|^2
    rest = 0.0 if speed == 0.0 else (slope - secant) / (speed * speed)
    out[0] = secant * slip_c
    out[1] = secant * slip_a
    out[2] = secant + rest * slip_c * slip_c
    out[3] = rest * slip_c * slip_a
    out[4] = out[3]
    out[5] = secant + rest * slip_a * slip_a
    out[6] = 0.0
    out[7] = 0.0


@kernel(plain=True)
def coefficients(code: int, p: Array, slip: Array, out: Array) -> None:
    """Signed coefficient of steady sliding for many slip speeds: out (n,)."""
    for i in range(slip.size):
        out[i] = math.copysign(coefficient(code, p, abs(slip[i]))[0], slip[i])
