"""Compiled friction laws that hold by a spring and let go: Karnopp's and the reset integrator.

Each is a kernel of the slot `law_kernels.FRICTION` with a row p of its own:

    karnopp  p = mu_s, mu_k, v_band, s_0, s_2
    reset    p = mu_s, mu_k, x_0, s_1, s_2

Whether a contact holds or slides is decided by the beginning of the step, so that within a step the force is a continuous
function of the slip and Newton's method finds it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel, law

Array = NDArray[np.float64]

AT_LIMIT = 1.0 - 1e-9  # of the largest deflection: from there on a contact slides


@kernel(plain=True, part=True)
def share(x_c: float, x_a: float, limit: float) -> float:
    """Factor that shortens a vector to `limit`, 1 where it is no longer."""
    size = math.sqrt(x_c * x_c + x_a * x_a)
    return limit / size if size > limit else 1.0


@law
def karnopp(
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
    """|v| >= v_band: mu_k v/|v| + s_2 v. Below: s_0 z + (mu_s/v_band) v, z' = v, cut at mu_s, is what holds the body."""
    mu_s, mu_k, band, s_0 = p[0], p[1], p[2], p[3]
    if math.sqrt(slip0_c * slip0_c + slip0_a * slip0_a) >= band:
        speed = math.sqrt(slip_c * slip_c + slip_a * slip_a)
        secant = mu_k / max(speed, band) + p[4]
        out[0], out[1] = secant * slip_c, secant * slip_a
        return
    z_c, z_a = z0_c + 0.5 * h * (slip0_c + slip_c), z0_a + 0.5 * h * (slip0_a + slip_a)
    short = share(z_c, z_a, mu_s / s_0)
    z_c, z_a = short * z_c, short * z_a
    f_c, f_a = s_0 * z_c + mu_s / band * slip_c, s_0 * z_a + mu_s / band * slip_a
    short = share(f_c, f_a, mu_s)
    out[0], out[1], out[6], out[7] = short * f_c, short * f_a, z_c, z_a


@law
def reset(
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
    """z' = v up to |z| = x_0, 0 beyond; mu = mu_s z/x_0 + s_1 z' before, mu_k z/x_0 there.

    A step that travels further than x_0 has slid most of its way: what static friction adds to kinetic friction fades with
    the travel, so that long steps find kinetic friction.
    """
    mu_s, mu_k, x_0 = p[0], p[1], p[2]
    z_c, z_a = z0_c + 0.5 * h * (slip0_c + slip_c), z0_a + 0.5 * h * (slip0_a + slip_a)
    short = share(z_c, z_a, x_0)
    if math.sqrt(z0_c * z0_c + z0_a * z0_a) < AT_LIMIT * x_0:
        f_c, f_a = mu_s / x_0 * z_c + p[3] * slip_c, mu_s / x_0 * z_a + p[3] * slip_a
        travel = math.sqrt((z_c - z0_c) ** 2 + (z_a - z0_a) ** 2)
        cut = share(f_c, f_a, mu_k + (mu_s - mu_k) * min(1.0, x_0 / max(travel, x_0)))
        out[0], out[1] = cut * f_c, cut * f_a
    else:
        out[0], out[1] = mu_k / x_0 * short * z_c, mu_k / x_0 * short * z_a
    out[0] += p[4] * slip_c
    out[1] += p[4] * slip_a
    out[6], out[7] = short * z_c, short * z_a
