"""Kernels of beams by structural strains: the director frame's axial, shear, torsion and bending strains.

Frame of the directors y = r_y, z = r_z: e_3 = z/|z|, e_2 = the part of y across e_3, normalised, e_1 = e_2 x e_3. With
b_i = e_i . b and ' = d/ds along the reference length:

    Gamma = (r'_1 - 1, r'_2, r'_3),   kappa = (-z'_2/z_3, z'_1/z_3, (-y'_1 + (y_3/z_3) z'_1)/y_2)
    U = int 1/2 sum_k D_k (eps_k - eps_k0)^2 ds,   D = (EA, k_y GA, k_z GA, GJ, EI_y, EI_z)          (Simo & Vu-Quoc 1986)
    plus int 1/2 D_s (E_yy^2 + E_zz^2 + (2 E_yz)^2 / 2) ds, E_yy = (y.y - 1)/2, ...                (Nachbagauer et al. 2013)

These strains do not change when y is replaced by (y - p z)/m or z by z/m, and their derivatives alike, for constants p, m.
With p = y_3/z_3, m = y_2, z_3 at the point, and components in its frame, they are functions of x = (r', y, z, y', z') at
y = (0, 1, 0), z = (0, 0, 1), where first and second derivatives have one term an entry: `director_strains` and
`add_curvature` in _director_kernels.py.

Contract: as in _station_kernels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import BlockTarget
from fmbs.elements._director_kernels import add_curvature, director_frame, director_strains, local_fields
from fmbs.elements._station_kernels import add_force, add_tangent, fields, gather, spread, vector_fields
from fmbs.math.compiled import kernel, kernel_part, plain_kernel
from fmbs.math.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@table
class Structures:
    """Elements and the tables of their points; element e uses table kind[e]. Points with a weight come first."""

    first: Integers  # (elements, nodes)
    per: int
    kind: Integers  # (elements,)
    shape: Array  # (tables, points, 5, vectors): a'/j, b, c, b'/j, c'/j
    weight: Array  # (tables, points): ds of the strain terms, 0 where a point serves the section term only
    section: Array  # (tables, points): ds of the section term, 0 where a point serves the others only
    start: Array  # (elements, points, 9): strains of the reference, the section's last
    stiffness: Array  # (tables, 7): D and D_s
    damping: Array  # (tables,)


@kernel_part
def _point(
    vectors: Array, rates: Array, shape: Array, per: int, start: Array, stiffness: Array, tau: float, x: Array, r: Array,
    local: Array, local_rate: Array, strain: Array, g: Array, stress: Array,
) -> tuple[float, float, float]:  # fmt: skip
    """Everything at one point: fields, frame, local fields, strains less the reference's, gradients, stress resultants."""
    fields(vectors, shape, per, x)
    p, y2, z3 = director_frame(x, r)
    local_fields(x, r, p, y2, z3, local)
    director_strains(local, strain, g)
    strain[0] -= 1.0
    for k in range(6):
        strain[k] -= start[k]
        stress[k] = stiffness[k] * strain[k]
    if tau != 0.0:
        fields(rates, shape, per, x)
        local_fields(x, r, p, y2, z3, local_rate)
        for k in range(6):
            rate = 0.0
            for m in range(15):
                rate += g[k, m] * local_rate[m // 3, m % 3]
            stress[k] += tau * stiffness[k] * rate
    return p, y2, z3


@kernel
def structural_force(beams: Structures, q: Array, v: Array, out: Array) -> None:
    """out += f."""
    first, per, kind, shape, weight = beams.first, beams.per, beams.kind, beams.shape, beams.weight
    section, start, stiffness, damping = beams.section, beams.start, beams.stiffness, beams.damping
    n = shape.shape[3]
    vectors, rates, force = np.empty((n, 3)), np.zeros((n, 3)), np.empty((n, 3))
    x, r, local, local_rate = np.empty((5, 3)), np.empty((3, 3)), np.empty((5, 3)), np.empty((5, 3))
    strain, g, stress, p = np.empty(6), np.empty((6, 15)), np.empty(6), np.empty((5, 3))
    f = np.empty(15)
    for e in range(first.shape[0]):
        k = kind[e]
        tau = damping[k]
        gather(q, first, e, per, vectors)
        if tau != 0.0:
            gather(v, first, e, per, rates)
        force[:, :] = 0.0
        for m in range(weight.shape[1]):
            p[:, :] = 0.0
            if weight[k, m] != 0.0:
                ratio, y2, z3 = _point(
                    vectors, rates, shape[k, m], per, start[e, m], stiffness[k], tau, x, r, local, local_rate, strain, g, stress
                )
                for i in range(15):
                    f[i] = 0.0
                    for c in range(6):
                        f[i] += stress[c] * g[c, i]
                for u in range(5):
                    for c in range(3):
                        p[u, c] = weight[k, m] * (r[0, c] * f[3 * u] + r[1, c] * f[3 * u + 1] + r[2, c] * f[3 * u + 2])
                _from_local(p, 0, 1, ratio, y2, z3)
            if section[k, m] != 0.0:
                fields(vectors, shape[k, m], per, x)
                d = section[k, m] * stiffness[k, 6]
                yy, zz, yz = _section_strains(x, start[e, m])
                if tau != 0.0:
                    fields(rates, shape[k, m], per, local_rate)
                    ryy, rzz, ryz = _section_rates(x, local_rate)
                    yy, zz, yz = yy + tau * ryy, zz + tau * rzz, yz + tau * ryz
                for c in range(3):
                    p[1, c] += d * (yy * x[1, c] + 0.5 * yz * x[2, c])
                    p[2, c] += d * (zz * x[2, c] + 0.5 * yz * x[1, c])
            spread(p, shape[k, m], per, force)
        add_force(force, first, e, per, out)


@kernel_part
def _from_local(p: Array, first: int, step: int, ratio: float, y2: float, z3: float) -> None:
    """Derivatives by the local fields -> by the fields, in place: those of y and z mix, and those of y' and z'.

    Field u is the row first + u step of p.
    """
    for u in range(1, 4, 2):
        y, z = first + u * step, first + (u + 1) * step
        for c in range(p.shape[1]):
            p[z, c] = p[z, c] / z3 - p[y, c] * (ratio / y2)
            p[y, c] /= y2


@kernel_part
def _section_strains(x: Array, start: Array) -> tuple[float, float, float]:
    """E_yy, E_zz, 2 E_yz less the reference's, which interpolation between the nodes of a curved beam makes non-zero."""
    yy = x[1, 0] ** 2 + x[1, 1] ** 2 + x[1, 2] ** 2
    zz = x[2, 0] ** 2 + x[2, 1] ** 2 + x[2, 2] ** 2
    yz = x[1, 0] * x[2, 0] + x[1, 1] * x[2, 1] + x[1, 2] * x[2, 2]
    return 0.5 * (yy - 1.0) - start[6], 0.5 * (zz - 1.0) - start[7], yz - start[8]


@kernel_part
def _section_rates(x: Array, rate: Array) -> tuple[float, float, float]:
    yy = x[1, 0] * rate[1, 0] + x[1, 1] * rate[1, 1] + x[1, 2] * rate[1, 2]
    zz = x[2, 0] * rate[2, 0] + x[2, 1] * rate[2, 1] + x[2, 2] * rate[2, 2]
    yz = 0.0
    for c in range(3):
        yz += x[1, c] * rate[2, c] + rate[1, c] * x[2, c]
    return yy, zz, yz


@kernel
def structural_tangent(
    beams: Structures, q: Array, v: Array, ck: float, cd: float, slots: NDArray[np.int32], data: Array
) -> None:
    """data += ck df/dq + cd df/dv: sum_k D_k g_k (ck (g_k + tau H_k x') + cd tau g_k)^T + ck sigma_k H_k, in global axes."""
    first, per, kind, shape, weight = beams.first, beams.per, beams.kind, beams.shape, beams.weight
    section, start, stiffness, damping = beams.section, beams.start, beams.stiffness, beams.damping
    n, points = shape.shape[3], weight.shape[1]
    vectors, rates, fields_of = np.empty((n, 3)), np.zeros((n, 3)), vector_fields(per, n)
    x, r, local, local_rate = np.empty((5, 3)), np.empty((3, 3)), np.empty((5, 3)), np.empty((5, 3))
    strain, g, stress, one = np.empty(6), np.empty((6, 15)), np.empty(6), np.empty(6)
    h, right, extra, blocks = np.empty((15, 15)), np.empty(15), np.empty((15, 15)), np.empty((points, 25, 9))
    for e in range(first.shape[0]):
        k = kind[e]
        tau = damping[k]
        gather(q, first, e, per, vectors)
        if tau != 0.0:
            gather(v, first, e, per, rates)
        full = 0
        for m in range(points):
            if weight[k, m] != 0.0:
                full = m + 1
                p, y2, z3 = _point(
                    vectors, rates, shape[k, m], per, start[e, m], stiffness[k], tau, x, r, local, local_rate, strain, g, stress
                )
                h[:, :] = 0.0
                for c in range(6):
                    one[c] = ck * stress[c]
                add_curvature(local, one, h)
                for i in range(15):
                    for j in range(i):
                        h[i, j] = h[j, i]
                for c in range(6):
                    for i in range(15):
                        right[i] = (ck + cd * tau) * g[c, i]
                    if tau != 0.0 and ck != 0.0:
                        one[:] = 0.0
                        one[c] = 1.0
                        extra[:, :] = 0.0
                        add_curvature(local, one, extra)
                        for i in range(15):
                            for j in range(15):
                                entry = extra[i, j] if i <= j else extra[j, i]
                                right[i] += ck * tau * entry * local_rate[j // 3, j % 3]
                    for i in range(15):
                        left = stiffness[k, c] * g[c, i]
                        if left != 0.0:
                            for j in range(15):
                                h[i, j] += left * right[j]
                _turn(h, r, weight[k, m], blocks[m])
                for u in range(5):
                    _from_local(blocks[m], 5 * u, 1, p, y2, z3)
                for u in range(5):
                    _from_local(blocks[m], u, 5, p, y2, z3)
            else:
                blocks[m] = 0.0
            if section[k, m] != 0.0:
                d = section[k, m] * stiffness[k, 6]
                fields(vectors, shape[k, m], per, x)
                local_rate[:, :] = 0.0
                if tau != 0.0:
                    fields(rates, shape[k, m], per, local_rate)
                _section_tangent(x, local_rate, start[e, m], d, tau, ck, cd, blocks[m])
        add_tangent(blocks, full, shape, k, fields_of, tau == 0.0, slots, e, per, data)


@plain_kernel
def add_structural_tangent(beams: Structures, q: Array, v: Array, ck: float, cd: float, target: BlockTarget) -> None:
    """The same for the compiled driver."""
    structural_tangent(beams, q, v, ck, cd, target.slots, target.data)


@kernel
def _turn(h: Array, r: Array, weight: float, out: Array) -> None:
    """weight R^T H_uv R for each of the 5 x 5 blocks  # (25, 9)."""
    for u in range(5):
        for v in range(5):
            for a in range(3):
                h0 = weight * (r[0, a] * h[3 * u, 3 * v] + r[1, a] * h[3 * u + 1, 3 * v] + r[2, a] * h[3 * u + 2, 3 * v])
                h1 = weight * (
                    r[0, a] * h[3 * u, 3 * v + 1] + r[1, a] * h[3 * u + 1, 3 * v + 1] + r[2, a] * h[3 * u + 2, 3 * v + 1]
                )
                h2 = weight * (
                    r[0, a] * h[3 * u, 3 * v + 2] + r[1, a] * h[3 * u + 1, 3 * v + 2] + r[2, a] * h[3 * u + 2, 3 * v + 2]
                )
                for c in range(3):
                    out[5 * u + v, 3 * a + c] = h0 * r[0, c] + h1 * r[1, c] + h2 * r[2, c]


@kernel_part
def _section_tangent(x: Array, rate: Array, start: Array, d: float, tau: float, ck: float, cd: float, h: Array) -> None:
    """Of the section term; gradients of E_yy, E_zz, 2 E_yz over (y, z) are (y, 0), (0, z), (z, y)."""
    yy, zz, yz = _section_strains(x, start)
    if tau != 0.0:
        ryy, rzz, ryz = _section_rates(x, rate)
        yy, zz, yz = yy + tau * ryy, zz + tau * rzz, yz + tau * ryz
    for a in range(3):
        for c in range(3):
            y = (ck + cd * tau) * x[1, c] + ck * tau * rate[1, c]
            z = (ck + cd * tau) * x[2, c] + ck * tau * rate[2, c]
            h[6, 3 * a + c] += d * (x[1, a] * y + 0.5 * x[2, a] * z)
            h[7, 3 * a + c] += d * 0.5 * x[2, a] * y
            h[11, 3 * a + c] += d * 0.5 * x[1, a] * z
            h[12, 3 * a + c] += d * (x[2, a] * z + 0.5 * x[1, a] * y)
        h[6, 4 * a] += d * ck * yy
        h[7, 4 * a] += 0.5 * d * ck * yz
        h[11, 4 * a] += 0.5 * d * ck * yz
        h[12, 4 * a] += d * ck * zz


@kernel
def structural_energy(beams: Structures, q: Array, v: Array) -> tuple[float, float]:
    """Stored energy, J, and dissipated power, W."""
    first, per, kind, shape, weight = beams.first, beams.per, beams.kind, beams.shape, beams.weight
    section, start, stiffness, damping = beams.section, beams.start, beams.stiffness, beams.damping
    n = shape.shape[3]
    vectors, rates = np.empty((n, 3)), np.zeros((n, 3))
    x, r, local, local_rate = np.empty((5, 3)), np.empty((3, 3)), np.empty((5, 3)), np.empty((5, 3))
    strain, g, stress = np.empty(6), np.empty((6, 15)), np.empty(6)
    stored = power = 0.0
    for e in range(first.shape[0]):
        k = kind[e]
        tau = damping[k]
        gather(q, first, e, per, vectors)
        gather(v, first, e, per, rates)
        for m in range(weight.shape[1]):
            if weight[k, m] != 0.0:
                _point(
                    vectors, rates, shape[k, m], per, start[e, m], stiffness[k], tau, x, r, local, local_rate, strain, g, stress
                )
                for c in range(6):
                    elastic = stiffness[k, c] * strain[c]
                    stored += 0.5 * weight[k, m] * elastic * strain[c]
                    if tau != 0.0:
                        power += weight[k, m] * (stress[c] - elastic) ** 2 / (tau * stiffness[k, c])
            if section[k, m] != 0.0:
                fields(vectors, shape[k, m], per, x)
                yy, zz, yz = _section_strains(x, start[e, m])
                stored += 0.5 * section[k, m] * stiffness[k, 6] * (yy * yy + zz * zz + 0.5 * yz * yz)
                if tau != 0.0:
                    fields(rates, shape[k, m], per, local_rate)
                    yy, zz, yz = _section_rates(x, local_rate)
                    power += tau * section[k, m] * stiffness[k, 6] * (yy * yy + zz * zz + 0.5 * yz * yz)
    return stored, power


@kernel
def structural_strains(
    q: Array, first: Integers, per: int, element: Integers, shape: Array, start: Array, out: Array, frames: Array
) -> None:
    """Strains less the reference's at one point of each listed element, and the director frames there (rows e_1, e_2, e_3)."""
    n = shape.shape[2]
    vectors = np.empty((n, 3))
    x, local, g = np.empty((5, 3)), np.empty((5, 3)), np.empty((6, 15))
    for m in range(element.size):
        gather(q, first, element[m], per, vectors)
        fields(vectors, shape[m], per, x)
        p, y2, z3 = director_frame(x, frames[m])
        local_fields(x, frames[m], p, y2, z3, local)
        director_strains(local, out[m], g)
        out[m, 0] -= 1.0
        out[m, 6], out[m, 7], out[m, 8] = _section_strains(x, np.zeros(9))
        for k in range(9):
            out[m, k] -= start[m, k]
