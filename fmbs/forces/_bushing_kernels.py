"""Kernels of bushings: six measures x of how b lies in the frame of a, F = K x + C x', and the forces on all vectors.

    x_i = d . a_i,   d = r_b - r_a;   theta_i = phi(c) w_i,   w = sin(angle) n = 1/2 (a_3.b_2 - a_2.b_3, ...),   c = cos(angle)

with the triads a_i and b_i; phi = angle/sin(angle), so that theta is the rotation vector of b in a. Forces g are conjugate to
the eight vectors of `fmbs.gaps`. Functions of plain algebra take real or complex vectors: tangents are complex steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.gaps.contact_kernels import VECTORS
from fmbs.gaps.joint_tables import LIFT, Layout
from fmbs.gaps.tangent_kernels import STEP, lift
from fmbs.jit.compiled import kernel
from fmbs.jit.tables import table
from fmbs.math.vector_kernels import curvature_values, pull, vector_rates, vector_values
from fmbs.math.vector_table import FIXED, VectorTable

Array = NDArray[np.float64]

NEAR = 1e-2  # of 1 - cos(angle): below it phi is a series


@table
class Bushings:
    """All bushings of a model, and room for what their kernels write."""

    vectors: VectorTable
    layout: Layout
    stiffness: Array  # (n, 6, 6)
    damping: Array  # (n, 6, 6)
    u: Array  # (8 n, 3) vectors, their rates and the forces on them
    du: Array
    g: Array
    x: Array  # (2, 6) measures and their rates
    beside: NDArray[np.complex128]  # (3, 8, 3) the same of one bushing, a complex step aside
    measures: NDArray[np.complex128]  # (2, 6)
    changes: Array  # (2, 8, 3) of vectors and rates of one bushing
    flat_changes: Array  # (2, 24) the same memory
    lifted: Array  # (2, columns, 24) du/dq and du'/dq of one bushing, transposed


@kernel(plain=True, part=True)
def opening(c: float) -> tuple[float, float, float]:
    """phi = acos(c)/sqrt(1 - c^2) and its two derivatives."""
    e = 1.0 - c
    if e < NEAR:
        phi = 1.0 + e * (1.0 / 3.0 + e * (2.0 / 15.0 + e * (2.0 / 35.0 + e * (8.0 / 315.0 + e * 8.0 / 693.0))))
        one = -(1.0 / 3.0 + e * (4.0 / 15.0 + e * (6.0 / 35.0 + e * (32.0 / 315.0 + e * 40.0 / 693.0))))
        return phi, one, 4.0 / 15.0 + e * (12.0 / 35.0 + e * (96.0 / 315.0 + e * 160.0 / 693.0))
    far = max(c, -1.0 + 1e-12)
    square = 1.0 - far * far
    phi = np.arccos(far) / np.sqrt(square)
    one = (far * phi - 1.0) / square
    return phi, one, (phi + 3.0 * far * one) / square


@kernel(plain=True, part=True)
def dotted(u: Any, i: int, w: Any, j: int) -> Any:
    return u[i, 0] * w[j, 0] + u[i, 1] * w[j, 1] + u[i, 2] * w[j, 2]


@kernel(plain=True, part=True)
def add_force(g: Any, i: int, factor: Any, u: Any, j: int) -> None:
    for c in range(3):
        g[i, c] += factor * u[j, c]


@kernel(plain=True, part=True)
def evaluate(stiffness: Array, damping: Array, u: Any, du: Any, f: int, phis: Any, x: Any, g: Any) -> None:
    """Measures x (2, 6) and forces g of the bushing whose vectors begin at f. phis: phi, phi', phi'' here, or 1 to be found."""
    cosine, rate = -0.5 + 0.0 * u[f, 0], 0.0 * u[f, 0]
    for i in range(3):
        x[0, i] = x[1, i] = 0.0 * u[f, 0]
        for c in range(3):
            d, dd = u[f + 4, c] - u[f, c], du[f + 4, c] - du[f, c]
            x[0, i] += d * u[f + 1 + i, c]
            x[1, i] += dd * u[f + 1 + i, c] + d * du[f + 1 + i, c]
        j, k = (i + 1) % 3, (i + 2) % 3
        x[0, 3 + i] = 0.5 * (dotted(u, f + 1 + k, u, f + 5 + j) - dotted(u, f + 1 + j, u, f + 5 + k))
        x[1, 3 + i] = 0.5 * (
            dotted(du, f + 1 + k, u, f + 5 + j) + dotted(u, f + 1 + k, du, f + 5 + j)
            - dotted(du, f + 1 + j, u, f + 5 + k) - dotted(u, f + 1 + j, du, f + 5 + k)
        )  # fmt: skip
        cosine += 0.5 * dotted(u, f + 1 + i, u, f + 5 + i)
        rate += 0.5 * (dotted(du, f + 1 + i, u, f + 5 + i) + dotted(u, f + 1 + i, du, f + 5 + i))
    phi = phis[0] + phis[1] * (cosine - phis[3])  # linear about the place where they were found: a complex step asks no more
    slope = phis[1] + phis[2] * (cosine - phis[3])
    turned = 0.0 * cosine
    for i in range(3, 6):
        x[1, i] = phi * x[1, i] + slope * rate * x[0, i]
    for i in range(3):
        force = moment = 0.0 * cosine
        for m in range(6):
            value = x[0, m] if m < 3 else phi * x[0, m]
            force += stiffness[i, m] * value + damping[i, m] * x[1, m]
            moment += stiffness[3 + i, m] * value + damping[3 + i, m] * x[1, m]
        add_force(g, f + 4, force, u, f + 1 + i)
        add_force(g, f, -force, u, f + 1 + i)
        add_force(g, f + 1 + i, force, u, f + 4)
        add_force(g, f + 1 + i, -force, u, f)
        turned += 0.5 * moment * slope * x[0, 3 + i]
        half, j, k = 0.5 * moment * phi, (i + 1) % 3, (i + 2) % 3
        add_force(g, f + 1 + k, half, u, f + 5 + j)
        add_force(g, f + 5 + j, half, u, f + 1 + k)
        add_force(g, f + 1 + j, -half, u, f + 5 + k)
        add_force(g, f + 5 + k, -half, u, f + 1 + j)
    for i in range(3):
        add_force(g, f + 1 + i, turned, u, f + 5 + i)
        add_force(g, f + 5 + i, turned, u, f + 1 + i)
        x[0, 3 + i] *= phi


@kernel(plain=True, part=True)
def opened(u: Array, f: int) -> tuple[float, float, float, float]:
    """phi, phi', phi'' and c of the bushing whose vectors begin at f."""
    c = -0.5
    for i in range(3):
        c += 0.5 * dotted(u, f + 1 + i, u, f + 5 + i)
    phi, one, two = opening(c)
    return phi, one, two, c


@kernel(plain=True)
def bushing_state(b: Bushings, q: Array, v: Array, x: Array) -> None:
    """Measures and their rates of all bushings  # x (n, 2, 6); b.g are the forces on their vectors."""
    vector_values(b.vectors, q, b.u)
    vector_rates(b.vectors, q, v, b.u, b.du)
    b.g[:, :] = 0.0
    for k in range(b.stiffness.shape[0]):
        evaluate(b.stiffness[k], b.damping[k], b.u, b.du, VECTORS * k, opened(b.u, VECTORS * k), x[k], b.g)


@kernel(plain=True)
def bushing_force(b: Bushings, q: Array, v: Array, out: Array) -> None:
    """out += f of all bushings."""
    vector_values(b.vectors, q, b.u)
    vector_rates(b.vectors, q, v, b.u, b.du)
    b.g[:, :] = 0.0
    for k in range(b.stiffness.shape[0]):
        evaluate(b.stiffness[k], b.damping[k], b.u, b.du, VECTORS * k, opened(b.u, VECTORS * k), b.x, b.g)
    for i in range(b.vectors.kind.size):
        if b.vectors.kind[i] != FIXED:
            pull(b.vectors, i, q, b.u, b.g[i, 0], b.g[i, 1], b.g[i, 2], out)


@kernel(plain=True, part=True)
def bushing_change(b: Bushings, k: int, phis: Any) -> None:
    """b.beside[2] is the force of bushing k a complex step aside, along b.changes."""
    u, du, g = b.beside[0], b.beside[1], b.beside[2]
    for i in range(VECTORS):
        for c in range(3):
            u[i, c] = complex(b.u[VECTORS * k + i, c], STEP * b.changes[0, i, c])
            du[i, c] = complex(b.du[VECTORS * k + i, c], STEP * b.changes[1, i, c])
    g[:, :] = 0.0
    evaluate(b.stiffness[k], b.damping[k], u, du, 0, phis, b.measures, g)


@kernel(plain=True)
def bushing_slopes(b: Bushings, q: Array, v: Array, stiffness: float, damping: float, out: Array) -> None:
    """out = stiffness df/dq + damping df/dv, in the order of `fmbs.gaps.tangent_kernels.pattern`."""
    vector_values(b.vectors, q, b.u)
    vector_rates(b.vectors, q, v, b.u, b.du)
    b.g[:, :] = 0.0
    layout, w, dw = b.layout, b.flat_changes[0], b.flat_changes[1]
    by_q, rate_by_q = b.lifted[0], b.lifted[1]
    p = 0
    for k in range(b.stiffness.shape[0]):
        first, count = VECTORS * k, layout.starts[k + 1] - layout.starts[k]
        phis = opened(b.u, first)
        evaluate(b.stiffness[k], b.damping[k], b.u, b.du, first, phis, b.x, b.g)
        local = layout.local[layout.local_starts[k] : layout.local_starts[k + 1]]
        lift(b.vectors, first, local, q, v, b.u, by_q, rate_by_q, layout.calls[LIFT])
        for column in range(count):
            for i in range(3 * VECTORS):
                w[i] = stiffness * by_q[column, i]
                dw[i] = stiffness * rate_by_q[column, i] + damping * by_q[column, i]
            bushing_change(b, k, phis)
            for row in range(count):
                total = 0.0
                for i in range(3 * VECTORS):
                    total += by_q[row, i] * b.beside[2, i // 3, i % 3].imag / STEP
                out[p + row * count + column] = total
        p += count * count
        for i in range(first, first + VECTORS):
            s = stiffness
            p = curvature_values(b.vectors, i, q, b.u, s * b.g[i, 0], s * b.g[i, 1], s * b.g[i, 2], out, p)
