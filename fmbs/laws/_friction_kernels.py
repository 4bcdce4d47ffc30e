"""Compiled friction laws: the coefficient as a vector in the tangent plane, its derivatives and the bristle.

Each is a kernel of the slot `law_kernels.FRICTION` with a row p of its own. Slip v has a circumferential and an axial
component; the friction force on the slipping body is -N mu(v).

    ambrosio  mu = c_f c_d v/|v|                          p = c_f, v_0, v_1
    stribeck  mu = g tanh(|v|/v_0) v/|v| + s_2 v          p = mu_k, mu_s - mu_k, v_s, gamma, s_2, v_0
    lugre     mu = s_0 z + s_1 z' + s_2 v                 p = mu_k, mu_s - mu_k, v_s, gamma, s_2, s_0, s_1
    g(|v|) = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^gamma)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel, law
from fmbs.laws._contact_kernels import relaxation

Array = NDArray[np.float64]


@kernel(plain=True, part=True)
def curve(p: Array, speed: float) -> tuple[float, float]:
    """g(|v|) and its derivative."""
    if speed == 0.0:
        return p[0] + p[1], 0.0
    x = speed / p[2]
    power = x * x if p[3] == 2.0 else x ** p[3]
    drop = p[1] * math.exp(-power)
    return p[0] + drop, -drop * p[3] * power / speed


@kernel(plain=True, part=True)
def along_slip(slip_c: float, slip_a: float, speed: float, secant: float, slope: float, out: Array) -> None:
    """mu = secant v of a coefficient that depends on the speed, and dmu/dv = secant I + (slope - secant) v v^T / |v|^2."""
    rest = 0.0 if speed == 0.0 else (slope - secant) / (speed * speed)
    out[0], out[1] = secant * slip_c, secant * slip_a
    out[2], out[3] = secant + rest * slip_c * slip_c, rest * slip_c * slip_a
    out[4], out[5] = out[3], secant + rest * slip_a * slip_a


@law
def ambrosio(
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
    """c_d = 0 below v_0, 1 above v_1, linear between."""
    speed = math.sqrt(slip_c * slip_c + slip_a * slip_a)
    secant, slope = 0.0, 0.0
    if speed >= p[2]:
        secant = p[0] / speed
    elif speed >= p[1]:
        slope = p[0] / (p[2] - p[1])
        secant = slope * (speed - p[1]) / speed if p[1] > 0.0 else slope
    along_slip(slip_c, slip_a, speed, secant, slope, out)


@law
def stribeck(
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
    """mu = g tanh(|v|/v_0) + s_2 |v|."""
    speed = math.sqrt(slip_c * slip_c + slip_a * slip_a)
    g, g_slope = curve(p, speed)
    x = speed / p[5]
    rise = math.tanh(x)
    steep = rise / x if x > 1e-8 else 1.0
    secant, slope = g * steep / p[5] + p[4], g_slope * rise + g * (1.0 - rise * rise) / p[5] + p[4]
    along_slip(slip_c, slip_a, speed, secant, slope, out)


@kernel(plain=True, part=True)
def relaxation_slope(x: float) -> float:
    """Derivative of (1 - exp(-x)) / x."""
    if x < 1e-3:
        return -0.5 + x / 3.0 - x * x / 8.0 + x * x * x / 30.0
    return (math.exp(-x) * (1.0 + x) - 1.0) / (x * x)


@law
def lugre(
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
    g, g_slope = curve(p, w)
    x = h * s_0 * w / g
    decay, share = math.exp(-x), h * relaxation(x)
    z_c, z_a = z0_c * decay + w_c * share, z0_a * decay + w_a * share
    # dz_1/dv_1: half of share I + (dz_1/dx) dx/dw w^T/|w|
    along = 0.0 if w == 0.0 else 0.5 * h * s_0 * (g - w * g_slope) / (g * g * w)
    bend = h * relaxation_slope(x)
    by_c, by_a = (w_c * bend - z0_c * decay) * along, (w_a * bend - z0_a * decay) * along

    v = math.sqrt(slip_c * slip_c + slip_a * slip_a)
    g, g_slope = curve(p, v)
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


@law
def lugre_memory(p: Array, slip_c: float, slip_a: float, z_c: float, z_a: float, out: Array) -> None:
    """z' = v - s_0 |v|/g z."""
    speed = math.sqrt(slip_c * slip_c + slip_a * slip_a)
    fading = p[5] * speed / curve(p, speed)[0]
    out[0], out[1] = slip_c - fading * z_c, slip_a - fading * z_a
