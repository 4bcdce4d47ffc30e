"""Forces of a film on a grid and their exact tangent: adjoint solutions of the discrete balances on the active set."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.laws.film._band_kernels import solve_transposed
from fmbs.laws.film._finite_kernels import JFO, Flags, Integers, balance, gap, middles, solve_film, squeeze, upstream
from fmbs.laws.film._shear_kernels import add_shear, clear, no_shear
from fmbs.laws.film._thin_kernels import frozen

Array = NDArray[np.float64]


@kernel
def finite_action(
    kind: int, z: Array, mu: float, R: float, B: float, c: float, limit: float, shear: bool, want_tangent: bool, angle: Array,
    between: Array, s: Array, rule: Array, fixed: Flags, place: Integers, P: Array, phi: Array, full: Flags, M: Array, x: Array,
    out: Array, jac: Array,
) -> int:  # fmt: skip
    """out: force, moment, shear (6,); jac (6, 9); P, phi and full of the film. Returns the number of solutions.

    angle, between: (cos, sin) at nodes and faces; s, rule: places 2 zeta/B and Simpson's weights; M, x: work
    """
    n, m = P.shape
    l = (R * 2.0 * np.pi / n / (0.5 * B * (s[1] - s[0]))) ** 2
    hx, hz, h, h_t = np.empty((n, m)), np.empty((n, m - 1)), np.empty((n, m)), np.empty((n, m))
    gap(z, s, between, c, limit, hx)
    gap(z, middles(s), angle, c, limit, hz)
    gap(z, s, angle, c, limit, h)
    squeeze(z, s, angle, h_t)
    count, band = solve_film(kind, z[8], c, l, hx, hz, h_t, fixed, place, P, phi, full, M, x)
    p0 = 6.0 * mu * R * R / c**3
    weights = np.empty((5, n, m))
    film_weights(p0, mu, R, B, angle, s, rule, h, weights)
    clear(out, jac)
    for i in range(n):
        for j in range(m):
            p = max(P[i, j], 0.0)
            for r in range(4):
                out[r] += weights[r, i, j] * p
            out[4] += weights[4, i, j] * phi[i, j] * z[8]
    if want_tangent:
        lam = adjoint(kind, z[8], weights, P, fixed, full, place, band, M)
        tangent(kind, z, c, l, limit, angle, between, s, hx, hz, h_t, P, phi, lam, jac)
        couette_tangent(z, c, limit, angle, s, h, phi, weights[4], jac[4])
    if shear:
        add_shear(z, B, want_tangent, out, jac)
    else:
        no_shear(out, jac)
    return count


@kernel(part=True)
def film_weights(p0: float, mu: float, R: float, B: float, angle: Array, s: Array, rule: Array, h: Array, w: Array) -> None:
    """w (5, n, m): force and moment a unit of P, Couette torque a unit of phi omega."""
    n, m = h.shape
    for i in range(n):
        for j in range(m):
            area, zeta = R * 2.0 * np.pi / n * 0.5 * B * rule[j], 0.5 * B * s[j]
            w[0, i, j], w[1, i, j] = -p0 * area * angle[i, 0], -p0 * area * angle[i, 1]
            w[2, i, j], w[3, i, j] = -zeta * w[1, i, j], zeta * w[0, i, j]
            w[4, i, j] = mu * R * R * area / h[i, j]


@kernel(part=True)
def adjoint(
    kind: int, spin: float, weights: Array, P: Array, fixed: Flags, full: Flags, place: Integers, b: int, M: Array
) -> Array:
    """lam (5, n, m) with J^T lam = d[force, moment, Couette torque]/dx; zero on nodes that have no balance."""
    n, m = P.shape
    k = m - 2
    X = np.zeros((5 if kind == JFO else 4, n * k))
    for i in range(n):
        for j in range(1, m - 1):
            row = place[i] * k + j - 1
            if fixed[i, j]:
                continue
            if full[i, j] and P[i, j] > 0.0:
                for r in range(4):
                    X[r, row] = weights[r, i, j]
            elif kind == JFO and not full[i, j]:
                X[4, row] = weights[4, i, j] * spin
    solve_transposed(M, b, X)
    lam = np.zeros((5, n, m))
    for i in range(n):
        for j in range(1, m - 1):
            if not fixed[i, j] and (full[i, j] or kind == JFO):
                for r in range(X.shape[0]):
                    lam[r, i, j] = X[r, place[i] * k + j - 1]
    return lam


@kernel
def tangent(
    kind: int, z: Array, c: float, l: float, limit: float, angle: Array, between: Array, s: Array, hx: Array, hz: Array,
    h_t: Array, P: Array, phi: Array, lam: Array, jac: Array,
) -> None:  # fmt: skip
    """jac (5, 9): lam times the derivative of the balances with respect to A, W, their rates and the spin."""
    n, m = P.shape
    a, spin = 2.0 * np.pi / n, z[8]
    for r in range(5 if kind == JFO else 4):
        L = lam[r]
        for j in range(1, m - 1):
            tx, ty, vx, vy, w = 0.0, 0.0, 0.0, 0.0, 0.0
            for i in range(n):
                nxt = (i + 1) % n
                share = phi[upstream(i, n, spin), j]
                jump = L[i, j] - L[nxt, j]
                g = jump * (3.0 * hx[i, j] ** 2 / c**3 * (P[nxt, j] - P[i, j]) - a * spin * share)
                tx -= g * between[i, 0]
                ty -= g * between[i, 1]
                w -= jump * a * share * hx[i, j]
                opening = phi[i, j] if kind == JFO and h_t[i, j] > 0.0 else 1.0
                g = -2.0 * a * a * opening * L[i, j]
                vx -= g * angle[i, 0]
                vy -= g * angle[i, 1]
            add_row(z, s[j], c, limit, tx, ty, vx, vy, jac[r])
            jac[r, 8] += w
        for j in range(m - 1):
            tx, ty = 0.0, 0.0
            for i in range(n):
                g = (L[i, j] - L[i, j + 1]) * l * 3.0 * hz[i, j] ** 2 / c**3 * (P[i, j + 1] - P[i, j])
                tx -= g * angle[i, 0]
                ty -= g * angle[i, 1]
            add_row(z, 0.5 * (s[j] + s[j + 1]), c, limit, tx, ty, 0.0, 0.0, jac[r])


@kernel
def add_row(z: Array, s: float, c: float, limit: float, tx: float, ty: float, vx: float, vy: float, row: Array) -> None:
    """Chain rule from the eccentricity and velocity at s to the journal's ends."""
    S = np.empty(4)
    a, b = 0.5 * (1.0 - s), 0.5 * (1.0 + s)
    frozen(a * z[0] + b * z[2], a * z[1] + b * z[3], c, limit, S)
    gx, gy = tx * S[0] + ty * S[2], tx * S[1] + ty * S[3]
    row[0] += a * gx
    row[1] += a * gy
    row[2] += b * gx
    row[3] += b * gy
    row[4] += a * vx
    row[5] += a * vy
    row[6] += b * vx
    row[7] += b * vy


@kernel(part=True)
def couette_tangent(
    z: Array, c: float, limit: float, angle: Array, s: Array, h: Array, phi: Array, w: Array, row: Array
) -> None:
    """Derivative of sum w phi omega by the thickness (w ~ 1/h) and the spin, added to `row` (9,)."""
    n, m = h.shape
    for j in range(m):
        tx, ty = 0.0, 0.0
        for i in range(n):
            row[8] += w[i, j] * phi[i, j]
            g = -w[i, j] * phi[i, j] * z[8] / h[i, j]
            tx -= g * angle[i, 0]
            ty -= g * angle[i, 1]
        add_row(z, s[j], c, limit, tx, ty, 0.0, 0.0, row)


@kernel
def film_flows(
    kind: int, z: Array, R: float, B: float, c: float, limit: float, angle: Array, between: Array, s: Array, fixed: Flags,
    P: Array, phi: Array, flow: Array,
) -> None:  # fmt: skip
    """flow (5,), m^3/s: out of the ends, in from the supply, displaced by the closing gap, largest imbalance of a free node."""
    n, m = P.shape
    a, dz = 2.0 * np.pi / n, 0.5 * B * (s[1] - s[0])
    l, unit = (R * a / dz) ** 2, 0.5 * R * dz / a
    hx, hz, h_t = np.empty((n, m)), np.empty((n, m - 1)), np.empty((n, m))
    gap(z, s, between, c, limit, hx)
    gap(z, middles(s), angle, c, limit, hz)
    squeeze(z, s, angle, h_t)
    for k in range(5):
        flow[k] = 0.0
    for i in range(n):
        for end in range(2):
            row, inner, face = (0, 1, 0) if end == 0 else (m - 1, m - 2, m - 2)
            flow[end] += unit * l * (hz[i, face] / c) ** 3 * (P[i, inner] - P[i, row])
            if kind != JFO and P[i, inner] <= 0.0:
                continue
            q = (i - 1) % n  # the last half of a cell has the share of its neighbour
            drawn = phi[upstream(i, n, z[8]), inner] * hx[i, row] - phi[upstream(q, n, z[8]), inner] * hx[q, row]
            opened = 2.0 * a * a * h_t[i, row] * (phi[i, inner] if kind == JFO and h_t[i, row] > 0.0 else 1.0)
            flow[3] -= 0.5 * unit * opened
            if fixed[i, inner]:
                flow[2] += 0.5 * unit * (a * z[8] * drawn + opened)
            else:
                flow[end] -= 0.5 * unit * (a * z[8] * drawn + opened)
        for j in range(1, m - 1):
            into = unit * balance(kind, z[8], c, l, hx, hz, h_t, P, phi, i, j)
            opening = phi[i, j] if kind == JFO and h_t[i, j] > 0.0 else 1.0
            flow[3] -= 2.0 * a * a * unit * opening * h_t[i, j]
            if fixed[i, j]:
                flow[2] -= into
            else:
                flow[4] = max(flow[4], abs(into))
