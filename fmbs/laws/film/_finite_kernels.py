"""Reynolds' equation on a grid of n angles and m places along zeta: finite volumes and three kinds of cavitation.

With p = p_cav + p0 P, p0 = 6 mu R^2/c^3, H = h/c, a = dtheta, l = (R dtheta/dzeta)^2, a node (i, j) has the balance
    sum_theta H^3 (P_nb - P) + l sum_zeta H^3 (P_nb - P) - a omega [phi_up h]_{i-1/2}^{i+1/2} - 2 a^2 phi' h_t = 0.
Thicknesses are taken on the faces; phi is the oil's share of the gap, carried downstream from node to node.
GUEMBEL: phi = 1, P < 0 is cut afterwards. REYNOLDS: phi = 1, P >= 0 where the balance is an equation, else P = 0.
JFO: P >= 0, phi <= 1, P (1 - phi) = 0 (Jakobsson, Floberg, Olsson): mass is conserved. phi' = phi where the gap opens,
1 where it closes (closing parts count as full: no history is carried), so that the matrix is an M-matrix.
A node's unknown x is P where `full`, else phi (JFO). Angles are numbered from one that couples to nothing, half bandwidth
m - 2, or if there is none folded (0, n-1, 1, n-2, ...), half bandwidth 2 (m - 2): four times the work.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.compiled import kernel
from fmbs.laws.film._band_kernels import factorize, solve
from fmbs.laws.film._thin_kernels import frozen

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]

GUEMBEL, REYNOLDS, JFO = 0, 1, 2


@kernel
def gap(z: Array, s: Array, angle: Array, c: float, limit: float, h: Array) -> None:
    """h (angles, places), from the frozen eccentricity at s."""
    S = np.empty(4)
    for j in range(s.size):
        a, b = 0.5 * (1.0 - s[j]), 0.5 * (1.0 + s[j])
        ex, ey = frozen(a * z[0] + b * z[2], a * z[1] + b * z[3], c, limit, S)
        for i in range(angle.shape[0]):
            h[i, j] = c - ex * angle[i, 0] - ey * angle[i, 1]


@kernel(part=True)
def middles(s: Array) -> Array:
    """Half way between neighbours."""
    half = np.empty(s.size - 1)
    for j in range(s.size - 1):
        half[j] = 0.5 * (s[j] + s[j + 1])
    return half


@kernel(part=True)
def squeeze(z: Array, s: Array, angle: Array, h_t: Array) -> None:
    """h_t = -v . n at the nodes, with the real velocity also where the film is frozen."""
    for j in range(s.size):
        a, b = 0.5 * (1.0 - s[j]), 0.5 * (1.0 + s[j])
        vx, vy = a * z[4] + b * z[6], a * z[5] + b * z[7]
        for i in range(angle.shape[0]):
            h_t[i, j] = -vx * angle[i, 0] - vy * angle[i, 1]


@kernel(part=True)
def upstream(i: int, n: int, spin: float) -> int:
    """The node that feeds the face i + 1/2."""
    return i if spin >= 0.0 else (i + 1) % n


@kernel(part=True)
def numbering(kind: int, fixed: Flags, full: Flags, place: Integers) -> int:
    """place: the number of each angle; returns the half bandwidth."""
    n, m = full.shape
    for i in range(n):
        free = False
        for j in range(1, m - 1):
            if not fixed[i, j] and (full[i, j] or kind == JFO):  # shares couple across dry angles
                free = True
                break
        if not free:
            for k in range(n):
                place[(i + k) % n] = k
            return m - 2
    for i in range(n):
        place[i] = 2 * i if 2 * i < n else 2 * (n - 1 - i) + 1
    return 2 * (m - 2)


@kernel
def assemble(
    kind: int, spin: float, c: float, l: float, hx: Array, hz: Array, h_t: Array, P: Array, fixed: Flags, full: Flags,
    place: Integers, b: int, M: Array, x: Array,
) -> None:  # fmt: skip
    """Matrix and right-hand side (in x) of the balances, all with a positive diagonal; b: half bandwidth."""
    n, m = P.shape
    k = m - 2
    a = 2.0 * np.pi / n
    for row in range(x.size):
        x[row] = 0.0
        for column in range(2 * b + 1):
            M[row, column] = 0.0
    for i in range(n):
        for j in range(1, m - 1):
            row = place[i] * k + j - 1
            if fixed[i, j] or (kind != JFO and not full[i, j]):
                M[row, b] = 1.0
                x[row] = P[i, j] if fixed[i, j] else 0.0
                continue
            for side in range(4):
                if side == 0:
                    ni, nj, w = (i + 1) % n, j, (hx[i, j] / c) ** 3
                elif side == 1:
                    ni, nj, w = (i - 1) % n, j, (hx[(i - 1) % n, j] / c) ** 3
                elif side == 2:
                    ni, nj, w = i, j + 1, l * (hz[i, j] / c) ** 3
                else:
                    ni, nj, w = i, j - 1, l * (hz[i, j - 1] / c) ** 3
                if full[i, j]:
                    M[row, b] += w
                if fixed[ni, nj]:
                    x[row] += w * P[ni, nj]
                elif full[ni, nj]:
                    M[row, b + place[ni] * k + nj - 1 - row] -= w
            for side in range(2):
                face = i if side == 0 else (i - 1) % n
                u = upstream(face, n, spin)
                flow = (a if side == 0 else -a) * spin * hx[face, j]
                if kind == JFO and not full[u, j] and not fixed[u, j]:
                    M[row, b + place[u] * k + j - 1 - row] += flow
                else:
                    x[row] -= flow
            if kind == JFO and not full[i, j] and h_t[i, j] > 0.0:
                M[row, b] += 2.0 * a * a * h_t[i, j]
            else:
                x[row] -= 2.0 * a * a * h_t[i, j]
            if not full[i, j]:  # no flow at all through this node: any share will do
                M[row, b] += 1e-14 * a * (abs(spin) * c + abs(h_t[i, j])) + 1e-300


@kernel
def balance(
    kind: int, spin: float, c: float, l: float, hx: Array, hz: Array, h_t: Array, P: Array, phi: Array, i: int, j: int
) -> float:
    """What flows into a node, in the units of the balances: positive where only pressure could drive it out again."""
    n = P.shape[0]
    a, r, q = 2.0 * np.pi / n, (i + 1) % n, (i - 1) % n
    flow = (hx[i, j] / c) ** 3 * (P[r, j] - P[i, j]) + (hx[q, j] / c) ** 3 * (P[q, j] - P[i, j])
    flow += l * ((hz[i, j] / c) ** 3 * (P[i, j + 1] - P[i, j]) + (hz[i, j - 1] / c) ** 3 * (P[i, j - 1] - P[i, j]))
    flow -= a * spin * (phi[upstream(i, n, spin), j] * hx[i, j] - phi[upstream(q, n, spin), j] * hx[q, j])
    opening = phi[i, j] if kind == JFO and h_t[i, j] > 0.0 else 1.0
    return float(flow - 2.0 * a * a * opening * h_t[i, j])


@kernel(part=True)
def solve_film(
    kind: int, spin: float, c: float, l: float, hx: Array, hz: Array, h_t: Array, fixed: Flags, place: Integers, P: Array,
    phi: Array, full: Flags, M: Array, x: Array,
) -> tuple[int, int]:  # fmt: skip
    """P, phi, full of the film, starting from the given `full`; returns the number of solutions, negative if it cycles, and
    the half bandwidth of the last.

    Nodes change sides all at once until none wants to: Newton's method for the complementarity, finite for M-matrices.
    """
    n, m = P.shape
    k = m - 2
    most = 200
    for iteration in range(1, most + 1):
        b = numbering(kind, fixed, full, place)
        assemble(kind, spin, c, l, hx, hz, h_t, P, fixed, full, place, b, M, x)
        factorize(M, b)
        solve(M, b, x)
        top = 0.0
        for i in range(n):
            for j in range(1, m - 1):
                if not fixed[i, j]:
                    value = x[place[i] * k + j - 1]
                    P[i, j] = value if full[i, j] else 0.0
                    phi[i, j] = 1.0 if full[i, j] or kind != JFO else value
                    top = max(top, abs(P[i, j]))
        if kind == GUEMBEL:
            return iteration, b
        changed = 0
        flow = 0.0
        for i in range(n):
            for j in range(m):
                flow = max(flow, 2.0 * np.pi / n * (abs(spin) * c + abs(h_t[i, j])))
        for i in range(n):
            for j in range(1, m - 1):
                if fixed[i, j]:
                    continue
                if full[i, j]:
                    other = P[i, j] < -1e-12 * top
                elif kind == REYNOLDS:
                    other = balance(kind, spin, c, l, hx, hz, h_t, P, phi, i, j) > 1e-12 * flow
                else:
                    other = phi[i, j] > 1.0 + 1e-12
                if other and (iteration < 60 or changed == 0 or (i + j + iteration) % 3 == 0):  # fewer at once if it cycles
                    full[i, j] = not full[i, j]
                    changed += 1
        if changed == 0:
            return iteration, b
    return -most, b
