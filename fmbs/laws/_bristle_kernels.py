"""Compiled friction laws with several states a contact: Bliman and Sorine's, bristles, Leuven.

Each is a kernel of the slot `law_kernels.FRICTION` with a row p of its own:

    bliman_sorine  p = f_1, f_2, l_1, l_2, s_2                                                      states x_2
    bristles       p = s, s_2, count, d_1, ..., b_1, ...                                            states z_i
    leuven         p = mu_k, mu_s - mu_k, v_s, gamma, s_2, s_0, s_1, n, count, k_1, ..., W_1, ...   states f_i
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel, law
from fmbs.laws._contact_kernels import relaxation
from fmbs.laws._friction_kernels import curve
from fmbs.laws._stick_kernels import share

Array = NDArray[np.float64]

STATES = 8  # out[8] is the first further state
ITERATIONS = 60


@law
def bliman_sorine(
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
    """mu = x_1 - x_2 + s_2 v, l_i x_i' = f_i v - |v| x_i: exact for the mean slip w of the step, second order."""
    w_c, w_a = 0.5 * (slip0_c + slip_c), 0.5 * (slip0_a + slip_a)
    w = math.sqrt(w_c * w_c + w_a * w_a)
    one, two = h * w / p[2], h * w / p[3]
    keep_1, keep_2 = math.exp(-one), math.exp(-two)
    gain_1, gain_2 = p[0] * h / p[2] * relaxation(one), p[1] * h / p[3] * relaxation(two)
    out[6], out[7] = keep_1 * z0_c + gain_1 * w_c, keep_1 * z0_a + gain_1 * w_a
    out[STATES] = keep_2 * out[STATES] + gain_2 * w_c
    out[STATES + 1] = keep_2 * out[STATES + 1] + gain_2 * w_a
    out[0] = out[6] - out[STATES] + p[4] * slip_c
    out[1] = out[7] - out[STATES + 1] + p[4] * slip_a


@law
def bliman_sorine_memory(p: Array, slip_c: float, slip_a: float, x_c: float, x_a: float, out: Array) -> None:
    """l_i x_i' = f_i v - |v| x_i."""
    speed = math.sqrt(slip_c * slip_c + slip_a * slip_a)
    out[0], out[1] = (p[0] * slip_c - speed * x_c) / p[2], (p[0] * slip_a - speed * x_a) / p[2]
    out[2], out[3] = (p[1] * slip_c - speed * out[2]) / p[3], (p[1] * slip_a - speed * out[3]) / p[3]


@kernel(plain=True, part=True)
def sawtooth(y: float, b: float, d: float) -> float:
    """Integral from 0 to y of a deflection that grows from b with the way, and from b again whenever it has reached d."""
    rest = y % (d - b)
    return 0.5 * (b + d) * (y - rest) + (b + 0.5 * rest) * rest


@kernel(plain=True, part=True)
def path_integral(x: float, z: float, way: float, first: float, b: float, d: float) -> float:
    """Integral over the path from 0 to x of one component of a bristle's deflection: from z along the direction of slip, whose
    component is `way`, until it lets go at x = first; then from b to d again and again."""
    if x <= first:
        return z * x + 0.5 * way * x * x
    return z * first + 0.5 * way * first * first + way * sawtooth(x - first, b, d)


@law
def bristles(
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
    """mu = s sum z_i + s_2 v, z_i' = v, and z_i = b_i v/|v| anew where |z_i| reaches d_i.

    Around the end of the step the deflections are averaged over a path as long as the step's own: exact where no bristle lets
    go, continuous where one does, and the mean of many for long steps.
    """
    w_c, w_a = 0.5 * (slip0_c + slip_c), 0.5 * (slip0_a + slip_a)
    w = math.sqrt(w_c * w_c + w_a * w_a)
    travel = h * w
    mu_c, mu_a, count = 0.0, 0.0, int(p[2])
    for i in range(count):
        d, b, z_c, z_a = p[3 + i], p[3 + count + i], out[STATES + 2 * i], out[STATES + 2 * i + 1]
        if travel < 1e-200:
            mu_c, mu_a = mu_c + z_c, mu_a + z_a
            continue
        n_c, n_a = w_c / w, w_a / w
        along = z_c * n_c + z_a * n_a
        first = math.sqrt(max(along * along + d * d - z_c * z_c - z_a * z_a, 0.0)) - along
        low, high = 0.5 * travel, 1.5 * travel
        mu_c += (path_integral(high, z_c, n_c, first, b, d) - path_integral(low, z_c, n_c, first, b, d)) / travel
        mu_a += (path_integral(high, z_a, n_a, first, b, d) - path_integral(low, z_a, n_a, first, b, d)) / travel
        if travel < first:
            z_c, z_a = z_c + travel * n_c, z_a + travel * n_a
        else:
            rest = b + (travel - first) % (d - b)
            z_c, z_a = rest * n_c, rest * n_a
        out[STATES + 2 * i], out[STATES + 2 * i + 1] = z_c, z_a
        out[6], out[7] = out[6] + z_c / count, out[7] + z_a / count
    out[0], out[1] = p[0] * mu_c + p[1] * slip_c, p[0] * mu_a + p[1] * slip_a


@kernel(plain=True, part=True)
def fitted(x: float) -> float:
    """1/(1 - exp(-x)) - 1/x: the weight of a step's end with which one linear equation is solved exactly."""
    return 0.5 + x / 12.0 if x < 1e-3 else -1.0 / math.expm1(-x) - 1.0 / x


@kernel(plain=True, part=True)
def hysteresis_force(p: Array, count: int, x_c: float, x_a: float, out: Array) -> tuple[float, float, float, float, float]:
    """Sum of the springs' forces after a move x, each cut at its limit, and its derivative (symmetric)."""
    f_c, f_a, cc, ca, aa = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(count):
        k, limit = p[9 + i], p[9 + count + i]
        t_c, t_a = out[STATES + 2 * i] + k * x_c, out[STATES + 2 * i + 1] + k * x_a
        cut = share(t_c, t_a, limit)
        f_c, f_a, cc, aa = f_c + cut * t_c, f_a + cut * t_a, cc + cut * k, aa + cut * k
        if cut < 1.0:
            size = math.sqrt(t_c * t_c + t_a * t_a)
            n_c, n_a = t_c / size, t_a / size
            cc, ca, aa = cc - cut * k * n_c * n_c, ca - cut * k * n_c * n_a, aa - cut * k * n_a * n_a
    return f_c, f_a, cc, ca, aa


@law
def leuven(
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
    """mu = F + s_1(v) z' + s_2 v, z' = v - |v| (|F|/g)^n F/|F|, F = sum f_i: springs k_i in parallel that slip at W_i.

    The move x of the bristle over a step, of which the slip goes the way s = h |w|:

        x = s [w/|w| - (1 - b) c(F_0) - b c(F(x))],  c(F) = (|F|/g)^n F/|F|,

    solved by Newton's method with halved steps. The weight b is the one with which a single spring and n = 1 is LuGre's
    exponential; F never passes that of steady sliding however long the step. s_1(v) fades as in `lugre`.
    """
    s_0, s_1, n, count = p[5], p[6], p[7], int(p[8])
    w_c, w_a = 0.5 * (slip0_c + slip_c), 0.5 * (slip0_a + slip_a)
    w = math.sqrt(w_c * w_c + w_a * w_a)
    x_c, x_a = 0.0, 0.0
    f_c, f_a, cc, ca, aa = hysteresis_force(p, count, 0.0, 0.0, out)
    if h > 0.0 and w > 0.0:
        g, _ = curve(p, w)
        way = h * w
        b = fitted(n * way * s_0 / g)
        size = math.sqrt(f_c * f_c + f_a * f_a)
        early = way * (1.0 - b) * (size / g) ** n / size if size > 0.0 else 0.0
        a_c, a_a = h * w_c - early * f_c, h * w_a - early * f_a
        worst = math.inf
        step_c, step_a = 0.0, 0.0
        for _ in range(ITERATIONS):
            f_c, f_a, cc, ca, aa = hysteresis_force(p, count, x_c, x_a, out)
            size = math.sqrt(f_c * f_c + f_a * f_a)
            creep = way * b * (size / g) ** n / size if size > 0.0 else 0.0
            r_c, r_a = x_c - a_c + creep * f_c, x_a - a_a + creep * f_a
            error = math.sqrt(r_c * r_c + r_a * r_a)
            if error > worst:
                step_c, step_a = 0.5 * step_c, 0.5 * step_a
                x_c, x_a = x_c + step_c, x_a + step_a
                continue
            worst = error
            # the derivative of creep F is creep (1 + (n - 1) e e^T), e = F/|F|; times that of F
            e_c, e_a = (f_c / size, f_a / size) if size > 0.0 else (0.0, 0.0)
            if n == 1.0 and size == 0.0:
                creep = way * b / g
            p_c, p_a = (n - 1.0) * (e_c * cc + e_a * ca), (n - 1.0) * (e_c * ca + e_a * aa)
            j_cc, j_ca = 1.0 + creep * (cc + e_c * p_c), creep * (ca + e_c * p_a)
            j_ac, j_aa = creep * (ca + e_a * p_c), 1.0 + creep * (aa + e_a * p_a)
            det = j_cc * j_aa - j_ca * j_ac
            step_c, step_a = (j_aa * r_c - j_ca * r_a) / det, (j_cc * r_a - j_ac * r_c) / det
            short = share(step_c, step_a, p[9 + 2 * count - 1] / p[9 + count - 1])  # the way in which all elements slip
            step_c, step_a = short * step_c, short * step_a
            x_c, x_a = x_c - step_c, x_a - step_a
            if abs(step_c) + abs(step_a) <= 1e-15 * (abs(x_c) + abs(x_a)):
                break
        f_c, f_a, cc, ca, aa = hysteresis_force(p, count, x_c, x_a, out)
        for i in range(count):
            t_c, t_a = out[STATES + 2 * i] + p[9 + i] * x_c, out[STATES + 2 * i + 1] + p[9 + i] * x_a
            cut = share(t_c, t_a, p[9 + count + i])
            out[STATES + 2 * i], out[STATES + 2 * i + 1] = cut * t_c, cut * t_a
    v = math.sqrt(slip_c * slip_c + slip_a * slip_a)
    g, _ = curve(p, v)
    size = math.sqrt(f_c * f_c + f_a * f_a)
    creep = v * (size / g) ** n / size if size > 0.0 else 0.0
    damping = s_1 * g / (g + s_1 * v)
    out[0] = f_c + damping * (slip_c - creep * f_c) + p[4] * slip_c
    out[1] = f_a + damping * (slip_a - creep * f_a) + p[4] * slip_a
    out[6], out[7] = z0_c + x_c, z0_a + x_a
