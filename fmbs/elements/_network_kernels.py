"""Kernels of beam networks: elements whose end nodes are shared by beams of several directions.

A node where beams of different directions meet has r and three directors d_1, d_2, d_3; one where all run the same way has two.
The section directions of an element are constant combinations of them, so that its vectors are u = T q,

    r_y = sum_k m_k d_k,   r_z = sum_k n_k d_k    at both ends,      f = T^T f_u,   K = T^T K_u T

with the force f_u of an ordinary element. Three directors have a shape to keep:

    W = 1/2 k E : E,   E = 1/2 (D^T D - 1),   D = (d_1, d_2, d_3)

Contract: element e has vectors q[first[e, j] : + 3]: r and three directors of its start (a node of two repeats the second, with
weight zero), r, r_y, r_z of each inner node, and r and three directors of its end. mix (elements, 12): m and n of the start,
then of the end; hold (elements, 3): k of both ends, J, 0 at nodes of two directors, and the retardation time, s.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import BLOCK_TANGENT, FORCE, BlockTarget
from fmbs.elements._structural_kernels import Structures, structural_energy
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.slots import LINE, TABLE, Slot
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

CHUNK = 256  # elements that are worked on together: their matrices stay in the processor's cache
ENERGY = Slot("energy", TABLE, LINE, LINE, LINE)


@table
class NetworkTable:
    """Elements of a network, and tables of ordinary elements for CHUNK of them at a time."""

    first: Integers  # (elements, vectors)
    mix: Array  # (elements, 12)
    hold: Array  # (elements, 3)
    chunks: Integers  # addresses of Structures, whose elements have vectors of their own
    target: int  # address of a BlockTarget: their matrices, one after the other
    matrices: Array  # what it writes to
    u: Array  # room for the vectors of a chunk, their rates and forces
    rate: Array
    force: Array
    forces: int  # addresses of the kernels of ordinary elements
    tangents: int
    energies: int


@kernel
def energy_of(beams: Structures, q: Array, v: Array, out: Array) -> None:
    """out += stored energy, J, and dissipated power, W."""
    stored, power = structural_energy(beams, q, v)
    out[0] += stored
    out[1] += power


@kernel(plain=True, part=True)
def _expand(net: NetworkTable, q: Array, begin: int, end: int, u: Array) -> None:
    """u = T q of some elements."""
    last, p = net.first.shape[1] - 4, 0
    for e in range(begin, end):
        for side in range(2):
            j, m = side * last, 6 * side
            r = net.first[e, j]
            for c in range(3):
                u[p + c] = q[r + c]
                y = z = 0.0
                for k in range(3):
                    d = q[net.first[e, j + 1 + k] + c]
                    y += net.mix[e, m + k] * d
                    z += net.mix[e, m + 3 + k] * d
                u[p + 3 + c], u[p + 6 + c] = y, z
            p += 9
            if side == 0:
                for i in range(4, last):
                    d0 = net.first[e, i]
                    u[p], u[p + 1], u[p + 2] = q[d0], q[d0 + 1], q[d0 + 2]
                    p += 3


@kernel(plain=True, part=True)
def _contract(net: NetworkTable, f: Array, begin: int, end: int, out: Array) -> None:
    """out += T^T f_u."""
    last, p = net.first.shape[1] - 4, 0
    for e in range(begin, end):
        for side in range(2):
            j, m = side * last, 6 * side
            r = net.first[e, j]
            for c in range(3):
                out[r + c] += f[p + c]
                for k in range(3):
                    out[net.first[e, j + 1 + k] + c] += net.mix[e, m + k] * f[p + 3 + c] + net.mix[e, m + 3 + k] * f[p + 6 + c]
            p += 9
            if side == 0:
                for i in range(4, last):
                    d0 = net.first[e, i]
                    for c in range(3):
                        out[d0 + c] += f[p + c]
                    p += 3


@kernel(plain=True, part=True)
def _shape_of(net: NetworkTable, x: Array, e: int, side: int, d: Array) -> None:
    """The three directors of an end, or their rates, as rows."""
    j = side * (net.first.shape[1] - 4) + 1
    for k in range(3):
        p = net.first[e, j + k]
        for c in range(3):
            d[k, c] = x[p + c]


@kernel(plain=True, part=True)
def _strain(d: Array, rate: Array, tau: float, stress: Array) -> None:
    """E + tau E'."""
    for i in range(3):
        for j in range(3):
            s = w = 0.0
            for c in range(3):
                s += d[i, c] * d[j, c]
                w += rate[i, c] * d[j, c] + d[i, c] * rate[j, c]
            stress[i, j] = 0.5 * (s + tau * w)
        stress[i, i] -= 0.5


@kernel
def network_force(net: NetworkTable, q: Array, v: Array, out: Array) -> None:
    """out += f."""
    elements, d, rate, s = net.first.shape[0], np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    last = net.first.shape[1] - 4
    for chunk in range(net.chunks.size):
        begin = CHUNK * chunk
        end = min(begin + CHUNK, elements)
        _expand(net, q, begin, end, net.u)
        _expand(net, v, begin, end, net.rate)
        net.force[:] = 0.0
        call(FORCE, net.forces, net.chunks[chunk], net.u, net.rate, net.force)
        _contract(net, net.force, begin, end, out)
    for e in range(elements):
        for side in range(2):
            k = net.hold[e, side]
            if k != 0.0:
                _shape_of(net, q, e, side, d)
                _shape_of(net, v, e, side, rate)
                _strain(d, rate, net.hold[e, 2], s)
                for i in range(3):
                    p = net.first[e, side * last + 1 + i]
                    for c in range(3):
                        out[p + c] += k * (s[i, 0] * d[0, c] + s[i, 1] * d[1, c] + s[i, 2] * d[2, c])


@kernel(plain=True, part=True)
def _sources(net: NetworkTable, e: int, one: Integers, two: Integers, a: Array, b: Array) -> None:
    """Of each vector j of an element: the vectors of u that it is in, one[j] with weight a[j] and two[j] with b[j]."""
    vectors = net.first.shape[1]
    for j in range(vectors):
        one[j] = two[j] = j - 1
        a[j], b[j] = 1.0, 0.0
    inner = vectors - 2
    for side in range(2):
        j, u, m = side * (vectors - 4), side * (inner - 3), 6 * side
        one[j] = two[j] = u
        for k in range(3):
            one[j + 1 + k], two[j + 1 + k] = u + 1, u + 2
            a[j + 1 + k], b[j + 1 + k] = net.mix[e, m + k], net.mix[e, m + 3 + k]


@kernel(plain=True, part=True)
def _fold(
    matrix: Array, size: int, one: Integers, two: Integers, a: Array, b: Array, half: Array, block: Array
) -> None:  # fmt: skip
    """block = T^T K_u T; both by columns, half: room for K_u T."""
    vectors = one.size
    for j in range(vectors):
        for c in range(3):
            p, s = (3 * one[j] + c) * size, (3 * two[j] + c) * size
            for i in range(size):
                half[3 * j + c, i] = a[j] * matrix[p + i] + b[j] * matrix[s + i]
    for column in range(3 * vectors):
        for j in range(vectors):
            p, s = 3 * one[j], 3 * two[j]
            for c in range(3):
                block[column, 3 * j + c] = a[j] * half[column, p + c] + b[j] * half[column, s + c]


@kernel(plain=True, part=True)
def _add_node(d: Array, rate: Array, s: Array, ck: float, cd: float, tau: float, place: int, block: Array) -> None:
    """block += ck df/dq + cd df/dv of W; ck, cd times k, from this row and column on.

    f_i = sum_l S_il d_l, dE_il = (d_i . dd_l + d_l . dd_i)/2, dE'_il = (d_i' . dd_l + d_l' . dd_i)/2 at constant rates
    """
    for i in range(3):
        for j in range(3):
            for r in range(3):
                for c in range(3):
                    value = ck * s[i, j] if r == c else 0.0
                    value += 0.5 * d[j, r] * ((ck + cd * tau) * d[i, c] + ck * tau * rate[i, c])
                    if i == j:
                        for l in range(3):
                            value += 0.5 * d[l, r] * ((ck + cd * tau) * d[l, c] + ck * tau * rate[l, c])
                    block[place + 3 * j + c, place + 3 * i + r] += value


@kernel
def network_tangent(net: NetworkTable, q: Array, v: Array, stiffness: float, damping: float, target: BlockTarget) -> None:
    """target += stiffness df/dq + damping df/dv."""
    elements, vectors = net.first.shape
    size, slots, data = 3 * (vectors - 2), target.slots, target.data
    d, rate, s = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    one, two, a, b = np.empty(vectors, np.int64), np.empty(vectors, np.int64), np.empty(vectors), np.empty(vectors)
    half, block = np.empty((3 * vectors, size)), np.empty((3 * vectors, 3 * vectors))
    for chunk in range(net.chunks.size):
        begin = CHUNK * chunk
        end = min(begin + CHUNK, elements)
        _expand(net, q, begin, end, net.u)
        _expand(net, v, begin, end, net.rate)
        net.matrices[:] = 0.0
        call(BLOCK_TANGENT, net.tangents, net.chunks[chunk], net.u, net.rate, stiffness, damping, net.target)
        for e in range(begin, end):
            place = (e - begin) * size * size
            _sources(net, e, one, two, a, b)
            _fold(net.matrices[place : place + size * size], size, one, two, a, b, half, block)
            tau = net.hold[e, 2]
            for side in range(2):
                k = net.hold[e, side]
                if k != 0.0:
                    _shape_of(net, q, e, side, d)
                    _shape_of(net, v, e, side, rate)
                    _strain(d, rate, tau, s)
                    _add_node(d, rate, s, k * stiffness, k * damping, tau, 3 * (side * (vectors - 4) + 1), block)
            for column in range(3 * vectors):
                for j in range(vectors):
                    p = slots[e, column, j]
                    data[p] += block[column, 3 * j]
                    data[p + 1] += block[column, 3 * j + 1]
                    data[p + 2] += block[column, 3 * j + 2]


@kernel
def network_energy(net: NetworkTable, q: Array, v: Array) -> tuple[float, float]:
    """Stored energy, J, and dissipated power, W."""
    elements, d, rate, s = net.first.shape[0], np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    out = np.zeros(2)
    for chunk in range(net.chunks.size):
        begin = CHUNK * chunk
        end = min(begin + CHUNK, elements)
        _expand(net, q, begin, end, net.u)
        _expand(net, v, begin, end, net.rate)
        call(ENERGY, net.energies, net.chunks[chunk], net.u, net.rate, out)
    for e in range(elements):
        tau = net.hold[e, 2]
        for side in range(2):
            k = net.hold[e, side]
            if k != 0.0:
                _shape_of(net, q, e, side, d)
                _shape_of(net, v, e, side, rate)
                _strain(d, rate, 0.0, s)
                for i in range(3):
                    for j in range(3):
                        out[0] += 0.5 * k * s[i, j] * s[i, j]
                        if tau != 0.0:
                            w = 0.0
                            for c in range(3):
                                w += 0.5 * (rate[i, c] * d[j, c] + d[i, c] * rate[j, c])
                            out[1] += tau * k * w * w
    return out[0], out[1]
