"""Kernels of volume cells in total Lagrangian form, eight elements at a time (see `fmbs.jit.lanes`).

With the gradients g_i of the shape functions in the reference and the coordinates x_i of an element

    F = sum_i x_i g_i^T,   E = (F^T F - 1)/2,   f_i = sum_points w P g_i,   K_ij = sum_points w g_i^T A g_j,   A = dP/dF

    linear        P = F S,   S = lambda tr(e) 1 + 2 mu e,   e = E + tau E'                         (St. Venant-Kirchhoff)
    neo-Hookean   P = mu F + (lambda ln J - mu) F^-T + F S,   S as above of e = tau E'            (Bonet & Wood 2008, eq 6.28)

tau is the retardation time (Kelvin-Voigt). A force with the combination of stiffness and damping matrices varies e by
sym(G^T dF), where G = stiffness (F + tau F') + damping tau F, for neo-Hookean without the first term, so

    A_akbl = stiffness delta_ab S_kl + lambda F_ak G_bl + mu (F_al G_bk + (F G^T)_ab delta_kl) + of neo-Hookean
             stiffness [mu delta_ab delta_kl + (mu - lambda ln J) H_al H_bk + lambda H_ak H_bl],   H = F^-T.

A "node" of an element is whatever x_i it depends on: a node, a vector of a rigid interface, an internal mode. Arrays end in a
dimension of LANES; lanes after the last element repeat it, and nothing of them is added up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import BlockTarget
from fmbs.jit.compiled import kernel
from fmbs.jit.lanes import LANES, load, same, store
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@table
class VolumeTable:
    """Elements with the same number of nodes and points."""

    first: Integers  # (elements, nodes): first coordinate of each
    gradient: Array  # (groups of LANES, points, nodes, 3, LANES): g_i, 1/m
    weight: Array  # (groups, points, LANES): volume, m^3
    material: Array  # (groups, 3, LANES): lambda, mu, tau
    damped: Integers  # (groups,): has any of them a retardation time?
    neo: int  # 1: neo-Hookean


@kernel(plain=True, part=True)
def _gather(q: Array, first: Integers, e: int, count: int, out: Array) -> None:
    """Coordinates of the nodes  # (nodes, 3, LANES)."""
    for lane in range(LANES):
        element = e + min(lane, count - 1)
        for i in range(first.shape[1]):
            d = first[element, i]
            out[i, 0, lane], out[i, 1, lane], out[i, 2, lane] = q[d], q[d + 1], q[d + 2]


@kernel(plain=True, part=True)
def _deformation(x: Array, g: Array, f: Array) -> None:
    """F = sum_i x_i g_i^T  # (9, LANES), row by row."""
    for a in range(3):
        f0, f1, f2 = same(0.0), same(0.0), same(0.0)
        for i in range(x.shape[0]):
            c = load(x, i, a)
            f0, f1, f2 = f0 + c * load(g, i, 0), f1 + c * load(g, i, 1), f2 + c * load(g, i, 2)
        store(f, 3 * a, f0)
        store(f, 3 * a + 1, f1)
        store(f, 3 * a + 2, f2)


@kernel(plain=True, part=True)
def _strain(f: Array, rate: Array, material: Array, neo: int, damped: int, s: Array) -> None:
    """e, or S if `material` has stiffnesses: 11, 22, 33, 12, 13, 23  # (6, LANES)."""
    for m in range(6):
        k = m if m < 3 else (0 if m < 5 else 1)
        l = m if m < 3 else (m - 2 if m < 5 else 2)
        total = same(0.0)
        if neo == 0:
            for a in range(3):
                total = total + load(f, 3 * a + k) * load(f, 3 * a + l)
            if m < 3:
                total = total - 1.0
        if damped:
            turn = same(0.0)
            for a in range(3):
                turn = turn + load(f, 3 * a + k) * load(rate, 3 * a + l) + load(rate, 3 * a + k) * load(f, 3 * a + l)
            total = total + load(material, 2) * turn
        store(s, m, 0.5 * total)


@kernel(plain=True, part=True)
def _stiffen(material: Array, s: Array) -> None:
    """S = lambda tr(e) 1 + 2 mu e in place of e."""
    lame, two = load(material, 0), 2.0 * load(material, 1)
    pressure = lame * (load(s, 0) + load(s, 1) + load(s, 2))
    for m in range(6):
        value = two * load(s, m)
        if m < 3:
            value = value + pressure
        store(s, m, value)


@kernel(plain=True, part=True)
def _inverse(f: Array, h: Array, log: Array) -> None:
    """H = F^-T  # (9, LANES) and ln J  # (1, LANES); NaN where J <= 0."""
    j = same(0.0)
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        for k in range(3):
            m, n = (k + 1) % 3, (k + 2) % 3
            store(h, 3 * a + k, load(f, 3 * b + m) * load(f, 3 * c + n) - load(f, 3 * b + n) * load(f, 3 * c + m))
    for k in range(3):
        j = j + load(f, k) * load(h, k)
    store(log, 0, j)
    one = same(1.0) / j
    for m in range(9):
        store(h, m, one * load(h, m))
    for lane in range(LANES):
        value = log[0, lane]
        log[0, lane] = np.log(value) if value > 0.0 else np.nan


SYMMETRIC = np.array([0, 3, 4, 3, 1, 5, 4, 5, 2])  # place of kl in the six numbers of a symmetric tensor


@kernel(plain=True, part=True)
def _piola(f: Array, s: Array, h: Array, log: Array, material: Array, neo: int, p: Array) -> None:
    """P  # (9, LANES)."""
    for a in range(3):
        for k in range(3):
            value = same(0.0)
            for m in range(3):
                value = value + load(f, 3 * a + m) * load(s, SYMMETRIC[3 * m + k])
            if neo == 1:
                mu = load(material, 1)
                value = value + mu * load(f, 3 * a + k) + (load(material, 0) * load(log, 0) - mu) * load(h, 3 * a + k)
            store(p, 3 * a + k, value)


@kernel
def volume_force(volumes: VolumeTable, q: Array, v: Array, out: Array) -> None:
    """out += f."""
    n, points = volumes.first.shape[1], volumes.weight.shape[1]
    x, xt, force = np.empty((n, 3, LANES)), np.empty((n, 3, LANES)), np.empty((n, 3, LANES))
    f, rate, h, p = np.empty((9, LANES)), np.zeros((9, LANES)), np.empty((9, LANES)), np.empty((9, LANES))
    s, log = np.empty((6, LANES)), np.empty((1, LANES))
    for group in range(volumes.weight.shape[0]):
        e = LANES * group
        count = min(LANES, volumes.first.shape[0] - e)
        damped, material = volumes.damped[group], volumes.material[group]
        _gather(q, volumes.first, e, count, x)
        if damped:
            _gather(v, volumes.first, e, count, xt)
        force[:, :, :] = 0.0
        for point in range(points):
            g = volumes.gradient[group, point]
            _deformation(x, g, f)
            if damped:
                _deformation(xt, g, rate)
            _strain(f, rate, material, volumes.neo, damped, s)
            _stiffen(material, s)
            if volumes.neo == 1:
                _inverse(f, h, log)
            _piola(f, s, h, log, material, volumes.neo, p)
            w = load(volumes.weight[group], point)
            for a in range(3):
                p0, p1, p2 = w * load(p, 3 * a), w * load(p, 3 * a + 1), w * load(p, 3 * a + 2)
                for i in range(n):
                    store(force, i, a, load(force, i, a) + p0 * load(g, i, 0) + p1 * load(g, i, 1) + p2 * load(g, i, 2))
        for lane in range(count):
            for i in range(n):
                d = volumes.first[e + lane, i]
                out[d] += force[i, 0, lane]
                out[d + 1] += force[i, 1, lane]
                out[d + 2] += force[i, 2, lane]


@kernel(plain=True, part=True)
def _moduli(
    f: Array, direction: Array, s: Array, h: Array, log: Array, w: Array, point: int, material: Array, stiffness: float,
    neo: int, fg: Array, out: Array,
) -> None:  # fmt: skip
    """w A_akbl  # (81, LANES), in the order of a, b, k, l; direction: G; fg (9, LANES): room for F G^T."""
    lame, mu, weight = load(material, 0), load(material, 1), load(w, point)
    for a in range(3):
        for b in range(3):
            value = same(0.0)
            for m in range(3):
                value = value + load(f, 3 * a + m) * load(direction, 3 * b + m)
            value = mu * value
            if neo == 1 and a == b:
                value = value + stiffness * mu
            store(fg, 3 * a + b, value)
    for a in range(3):
        for b in range(3):
            for k in range(3):
                for l in range(3):
                    value = lame * load(f, 3 * a + k) * load(direction, 3 * b + l)
                    value = value + mu * load(f, 3 * a + l) * load(direction, 3 * b + k)
                    if k == l:
                        value = value + load(fg, 3 * a + b)
                    if a == b:
                        value = value + stiffness * load(s, SYMMETRIC[3 * k + l])
                    if neo == 1:
                        turn = (mu - lame * load(log, 0)) * load(h, 3 * a + l) * load(h, 3 * b + k)
                        value = value + stiffness * (turn + lame * load(h, 3 * a + k) * load(h, 3 * b + l))
                    store(out, 9 * (3 * a + b) + 3 * k + l, weight * value)


@kernel(plain=True, part=True)
def _contract(moduli: Array, g: Array, y: Array) -> None:
    """y_j(ab)k = sum_l A_akbl g_jl  # (nodes, 27, LANES)."""
    for ab in range(9):
        for k in range(3):
            t = 9 * ab + 3 * k
            a0, a1, a2 = load(moduli, t), load(moduli, t + 1), load(moduli, t + 2)
            for j in range(g.shape[0]):
                store(y, j, 3 * ab + k, a0 * load(g, j, 0) + a1 * load(g, j, 1) + a2 * load(g, j, 2))


@kernel(plain=True, part=True)
def _add_pairs(g: Array, y: Array, symmetric: bool, block: Array) -> None:
    """K_ij += sum_k g_ik y_j(ab)k  # (nodes, nodes, 9, LANES), of pairs i <= j only where it is symmetric."""
    n = g.shape[0]
    for i in range(n):
        g0, g1, g2 = load(g, i, 0), load(g, i, 1), load(g, i, 2)
        for j in range(i if symmetric else 0, n):
            for ab in range(9):
                t = 3 * ab
                value = g0 * load(y, j, t) + g1 * load(y, j, t + 1) + g2 * load(y, j, t + 2)
                store(block, i, j, ab, load(block, i, j, ab) + value)


@kernel(plain=True, part=True)
def _scatter(block: Array, symmetric: bool, slots: NDArray[np.int32], e: int, count: int, data: Array) -> None:
    """Blocks into the compressed columns; slots (elements, columns, nodes) of the nodes' first rows."""
    n = block.shape[0]
    for lane in range(count):
        for i in range(n):
            for j in range(i if symmetric else 0, n):
                for b in range(3):
                    s = slots[e + lane, 3 * j + b, i]
                    data[s] += block[i, j, b, lane]
                    data[s + 1] += block[i, j, 3 + b, lane]
                    data[s + 2] += block[i, j, 6 + b, lane]
                if symmetric and i != j:
                    for a in range(3):
                        s = slots[e + lane, 3 * i + a, j]
                        data[s] += block[i, j, 3 * a, lane]
                        data[s + 1] += block[i, j, 3 * a + 1, lane]
                        data[s + 2] += block[i, j, 3 * a + 2, lane]


@kernel
def volume_tangent(volumes: VolumeTable, q: Array, v: Array, stiffness: float, damping: float, target: BlockTarget) -> None:
    """target += stiffness df/dq + damping df/dv."""
    n, points = volumes.first.shape[1], volumes.weight.shape[1]
    x, xt, block = np.empty((n, 3, LANES)), np.empty((n, 3, LANES)), np.empty((n, n, 9, LANES))
    f, rate, h, direction = np.empty((9, LANES)), np.zeros((9, LANES)), np.empty((9, LANES)), np.empty((9, LANES))
    s, log, fg, moduli, y = (
        np.empty((6, LANES)), np.empty((1, LANES)), np.empty((9, LANES)), np.empty((81, LANES)), np.empty((n, 27, LANES)),
    )  # fmt: skip
    for group in range(volumes.weight.shape[0]):
        e = LANES * group
        count = min(LANES, volumes.first.shape[0] - e)
        damped, material = volumes.damped[group], volumes.material[group]
        symmetric = damped == 0
        _gather(q, volumes.first, e, count, x)
        if damped:
            _gather(v, volumes.first, e, count, xt)
        block[:, :, :, :] = 0.0
        for point in range(points):
            g = volumes.gradient[group, point]
            _deformation(x, g, f)
            if damped:
                _deformation(xt, g, rate)
            _strain(f, rate, material, volumes.neo, damped, s)
            _stiffen(material, s)
            if volumes.neo == 1:
                _inverse(f, h, log)
            for m in range(9):
                tau = load(material, 2)
                value = stiffness * tau * load(rate, m) + damping * tau * load(f, m)
                if volumes.neo == 0:
                    value = value + stiffness * load(f, m)
                store(direction, m, value)
            _moduli(f, direction, s, h, log, volumes.weight[group], point, material, stiffness, volumes.neo, fg, moduli)
            _contract(moduli, g, y)
            _add_pairs(g, y, symmetric, block)
        _scatter(block, symmetric, target.slots, e, count, target.data)


@kernel
def volume_energy(volumes: VolumeTable, q: Array, v: Array) -> tuple[float, float]:
    """Stored energy, J, and dissipated power, W."""
    n, points = volumes.first.shape[1], volumes.weight.shape[1]
    x, xt = np.empty((n, 3, LANES)), np.empty((n, 3, LANES))
    f, rate, h = np.empty((9, LANES)), np.zeros((9, LANES)), np.empty((9, LANES))
    s, log = np.empty((6, LANES)), np.empty((1, LANES))
    stored, power = 0.0, 0.0
    for group in range(volumes.weight.shape[0]):
        e = LANES * group
        count = min(LANES, volumes.first.shape[0] - e)
        damped = volumes.damped[group]
        _gather(q, volumes.first, e, count, x)
        if damped:
            _gather(v, volumes.first, e, count, xt)
        for point in range(points):
            g = volumes.gradient[group, point]
            _deformation(x, g, f)
            if volumes.neo == 1:
                _inverse(f, h, log)
            _strain(f, rate, volumes.material[group], 0, 0, s)
            for lane in range(count):
                lame, mu = volumes.material[group, 0, lane], volumes.material[group, 1, lane]
                w, trace = volumes.weight[group, point, lane], s[0, lane] + s[1, lane] + s[2, lane]
                if volumes.neo == 1:
                    value = mu * (trace - log[0, lane]) + 0.5 * lame * log[0, lane] ** 2
                else:
                    value = 0.5 * lame * trace * trace + mu * _squares(s, lane)
                stored += w * value
            if damped:
                _deformation(xt, g, rate)
                _strain(f, rate, volumes.material[group], 1, 1, s)  # tau E'
                for lane in range(count):
                    lame, mu, tau = (
                        volumes.material[group, 0, lane],
                        volumes.material[group, 1, lane],
                        volumes.material[group, 2, lane],
                    )
                    if tau > 0.0:
                        w, trace = volumes.weight[group, point, lane], s[0, lane] + s[1, lane] + s[2, lane]
                        power += w * (lame * trace * trace + 2.0 * mu * _squares(s, lane)) / tau
    return stored, power


@kernel(plain=True, part=True)
def _squares(s: Array, lane: int) -> float:
    """s : s of one lane."""
    total = 0.0
    for m in range(6):
        total += (1.0 if m < 3 else 2.0) * s[m, lane] * s[m, lane]
    return total


@kernel
def volume_stress(volumes: VolumeTable, q: Array, out: Array) -> None:
    """Cauchy's stress F S F^T / J of the elastic part: 11, 22, 33, 12, 23, 13, Pa  # (elements, points, 6)."""
    n, points = volumes.first.shape[1], volumes.weight.shape[1]
    x, f, h, p = np.empty((n, 3, LANES)), np.empty((9, LANES)), np.empty((9, LANES)), np.empty((9, LANES))
    s, log = np.empty((6, LANES)), np.empty((1, LANES))
    row, column = (0, 1, 2, 0, 1, 0), (0, 1, 2, 1, 2, 2)
    for group in range(volumes.weight.shape[0]):
        e = LANES * group
        count = min(LANES, volumes.first.shape[0] - e)
        _gather(q, volumes.first, e, count, x)
        for point in range(points):
            _deformation(x, volumes.gradient[group, point], f)
            _strain(f, f, volumes.material[group], volumes.neo, 0, s)
            _stiffen(volumes.material[group], s)
            _inverse(f, h, log)
            _piola(f, s, h, log, volumes.material[group], volumes.neo, p)
            for lane in range(count):
                size = np.exp(log[0, lane])
                for m in range(6):
                    total = 0.0
                    for k in range(3):
                        total += p[3 * row[m] + k, lane] * f[3 * column[m] + k, lane]
                    out[e + lane, point, m] = total / size
