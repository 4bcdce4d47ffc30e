"""Kernels of beams by structural strains: the director frame's axial, shear, torsion and bending strains.

Frame of the directors y = r_y, z = r_z: e_3 = z/|z|, e_2 = the part of y across e_3, normalised, e_1 = e_2 x e_3. With
b_i = e_i . b and ' = d/ds along the reference length:

    Gamma = (r'_1 - 1, r'_2, r'_3),   kappa = (-z'_2/z_3, z'_1/z_3, (-y'_1 + (y_3/z_3) z'_1)/y_2)
    U = int 1/2 sum_k D_k (eps_k - eps_k0)^2 ds,   D = (EA, k_y GA, k_z GA, GJ, EI_y, EI_z)          (Simo & Vu-Quoc 1986)
    plus int 1/2 D_s (E_yy^2 + E_zz^2 + (2 E_yz)^2 / 2) ds, E_yy = (y.y - 1)/2, ...                (Nachbagauer et al. 2013)

These strains do not change when y is replaced by (y - p z)/m or z by z/m, and their derivatives alike, for constants p, m.
With p = y_3/z_3, m = y_2, z_3 at the point, and components in its frame, they are functions of x = (r', y, z, y', z') at
y = (0, 1, 0), z = (0, 0, 1), where first and second derivatives have one term an entry: GRADIENT in _director_kernels.py and
CURVATURE in _director_tangents.py.

Eight elements are worked on together, see `_lane_kernels`; arrays end in a dimension of LANES.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import BlockTarget
from fmbs.elements._director_kernels import director_forces, director_frame, director_rates, director_strains, local_fields
from fmbs.elements._director_tangents import damped_gradients, gradients, local_tangent, turn, turned_axes
from fmbs.elements._lane_kernels import (
    add_force,
    director_fields,
    fields,
    gather,
    gather_rows,
    spread,
    spread_directors,
    together,
)
from fmbs.elements._lane_tangents import add_tangent
from fmbs.elements._section_kernels import section_forces, section_rates, section_strains, section_tangent
from fmbs.jit.compiled import kernel
from fmbs.jit.lanes import LANES, load, store
from fmbs.jit.tables import table

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@table
class Structures:
    """Elements and the tables of their points: first those of the strain terms, then those of the section's.

    Element e uses shape functions kind[e]: all beams of a batch have the same but for the lengths of hermite elements. What
    else differs is in `own`, so that elements of curved beams, and of several beams, are worked on together.
    """

    first: Integers  # (elements, nodes)
    per: int
    kind: Integers  # (elements,)
    shape: Array  # (kinds, points, 5, vectors): a', b, c, b', c' over xi
    weight: Array  # (points,) of xi
    full: int  # points of the strain terms
    own: Array  # (elements, 8 + 10 points): D, D_s, damping; then of each point ds/dxi and the reference's 9 strains
    pair: Integers  # (vectors^2, 2), with begin (vectors^2 + 1,), place (terms,), factor (kinds, terms): see _lane_tangents
    begin: Integers
    place: Integers
    factor: Array


@kernel(plain=True, part=True)
def _take(beams: Structures, q: Array, v: Array, e: int, count: int, vectors: Array, rates: Array, own: Array) -> bool:
    """Vectors, rates and constants of the elements from e on; whether any of them has damping."""
    gather(q, beams.first, e, count, beams.per, vectors)
    gather_rows(beams.own, e, count, own)
    damped = False
    for lane in range(count):
        damped = damped or own[7, lane] != 0.0
    if damped:
        gather(v, beams.first, e, count, beams.per, rates)
    return damped


@kernel(plain=True, part=True)
def _strains(
    vectors: Array, rates: Array, shape: Array, per: int, point: Array, damped: bool, x: Array, r: Array, scale: Array,
    by_speed: Array, local: Array, local_rate: Array, strain: Array, rate: Array,
) -> None:  # fmt: skip
    """Strains less the reference's at a point, their rates if damped, and on the way frame and local fields."""
    store(by_speed, 0, 1.0 / load(point, 0))
    fields(vectors, shape, per, x)
    director_frame(x, r, scale)
    _over_length(by_speed, x)
    local_fields(x, r, scale, local)
    director_strains(local, strain)
    store(strain, 0, load(strain, 0) - 1.0)
    for k in range(6):
        store(strain, k, load(strain, k) - load(point, 1 + k))
    if damped:
        fields(rates, shape, per, x)
        _over_length(by_speed, x)
        local_fields(x, r, scale, local_rate)
        director_rates(local, local_rate, rate)


@kernel(plain=True, part=True)
def _over_length(by_speed: Array, x: Array) -> None:
    """d/dxi -> d/ds."""
    by = load(by_speed, 0)
    for c in range(3):
        store(x, 0, c, by * load(x, 0, c))
        store(x, 3, c, by * load(x, 3, c))
        store(x, 4, c, by * load(x, 4, c))


@kernel(plain=True, part=True)
def _section(
    vectors: Array, rates: Array, shape: Array, per: int, point: Array, damped: bool, x: Array, x_rate: Array, strain: Array,
    rate: Array,
) -> None:  # fmt: skip
    """The section's strains less the reference's, which interpolation between the nodes of a curved beam makes non-zero."""
    director_fields(vectors, shape, per, x)
    section_strains(x, strain)
    for k in range(3):
        store(strain, k, load(strain, k) - load(point, 7 + k))
    if damped:
        director_fields(rates, shape, per, x_rate)
        section_rates(x, x_rate, rate)


@kernel(plain=True, part=True)
def _moduli(own: Array, point: Array, weight: float, strains: bool, moduli: Array) -> None:
    """D ds of the six strains, or of the section's three  # (6, LANES)."""
    ds = weight * load(point, 0)
    if strains:
        for k in range(6):
            store(moduli, k, ds * load(own, k))
    else:
        store(moduli, 0, ds * load(own, 6))
        store(moduli, 1, ds * load(own, 6))
        store(moduli, 2, 0.5 * ds * load(own, 6))


@kernel(plain=True, part=True)
def _stresses(own: Array, moduli: Array, strain: Array, rate: Array, damped: bool, count: int, stress: Array) -> None:
    """D ds (strain + damping rate)."""
    for k in range(count):
        total = load(strain, k)
        if damped:
            total = total + load(own, 7) * load(rate, k)
        store(stress, k, load(moduli, k) * total)


@kernel
def structural_force(beams: Structures, q: Array, v: Array, out: Array) -> None:
    """out += f."""
    n, per = beams.shape.shape[3], beams.per
    vectors, rates, force = np.empty((n, 3, LANES)), np.empty((n, 3, LANES)), np.empty((n, 3, LANES))
    x, x_rate, p, r = np.empty((5, 3, LANES)), np.empty((5, 3, LANES)), np.empty((5, 3, LANES)), np.empty((3, 3, LANES))
    scale, by_speed, own = np.empty((3, LANES)), np.empty((1, LANES)), np.empty((beams.own.shape[1], LANES))
    local, local_rate, f = np.empty((15, LANES)), np.empty((15, LANES)), np.empty((15, LANES))
    strain, rate, stress, moduli = np.empty((6, LANES)), np.empty((6, LANES)), np.empty((6, LANES)), np.empty((6, LANES))
    e = 0
    while e < beams.kind.size:
        k, count = beams.kind[e], together(beams.kind, e)
        damped = _take(beams, q, v, e, count, vectors, rates, own)
        force[:, :, :] = 0.0
        for m in range(beams.weight.size):
            shape, point, strains = beams.shape[k, m], own[8 + 10 * m : 18 + 10 * m], m < beams.full
            _moduli(own, point, beams.weight[m], strains, moduli)
            if strains:
                _strains(
                    vectors, rates, shape, per, point, damped, x, r, scale, by_speed, local, local_rate, strain, rate
                )  # fmt: skip
                _stresses(own, moduli, strain, rate, damped, 6, stress)
                director_forces(local, stress, r, scale, by_speed, f, p)
                spread(p, shape, per, force)
            else:
                _section(vectors, rates, shape, per, point, damped, x, x_rate, strain, rate)
                _stresses(own, moduli, strain, rate, damped, 3, stress)
                section_forces(x, stress, p)
                spread_directors(p, shape, per, force)
        add_force(force, beams.first, e, count, per, out)
        e += count


@kernel
def structural_tangent(
    beams: Structures, q: Array, v: Array, stiffness: float, damping: float, slots: NDArray[np.int32], data: Array
) -> None:
    """data += stiffness df/dq + damping df/dv, straight into the sparse matrix."""
    n, per, full = beams.shape.shape[3], beams.per, beams.full
    vectors, rates = np.empty((n, 3, LANES)), np.empty((n, 3, LANES))
    x, x_rate, r, axes = np.empty((5, 3, LANES)), np.empty((5, 3, LANES)), np.empty((3, 3, LANES)), np.empty((5, 3, 3, LANES))
    scale, by_speed, own = np.empty((3, LANES)), np.empty((1, LANES)), np.empty((beams.own.shape[1], LANES))
    local, local_rate, along, of_rate = np.empty((15, LANES)), np.empty((15, LANES)), np.empty((1, LANES)), np.empty((1, LANES))
    strain, rate, stress, moduli = np.empty((6, LANES)), np.empty((6, LANES)), np.empty((6, LANES)), np.empty((6, LANES))
    left, right, local_h = np.empty((6, 15, LANES)), np.empty((6, 15, LANES)), np.zeros((15, 15, LANES))
    half, h = np.empty((15, 5, 3, LANES)), np.empty((25 * full + 4 * (beams.weight.size - full), 9, LANES))
    block = np.empty((9, LANES))
    e, before = 0, False
    while e < beams.kind.size:
        k, count = beams.kind[e], together(beams.kind, e)
        damped = _take(beams, q, v, e, count, vectors, rates, own)
        if before and not damped:
            local_h[:, :, :] = 0.0  # damping fills entries that are zero without
        before = damped
        store(along, 0, stiffness + damping * load(own, 7))
        store(of_rate, 0, stiffness * load(own, 7))
        for m in range(beams.weight.size):
            shape, point, strains = beams.shape[k, m], own[8 + 10 * m : 18 + 10 * m], m < full
            _moduli(own, point, beams.weight[m], strains, moduli)
            if strains:
                _strains(
                    vectors, rates, shape, per, point, damped, x, r, scale, by_speed, local, local_rate, strain, rate
                )  # fmt: skip
                _stresses(own, moduli, strain, rate, damped, 6, stress)
                for c in range(6):
                    store(stress, c, stiffness * load(stress, c))
                gradients(local, moduli, left)
                if damped:
                    damped_gradients(local, local_rate, along, of_rate, right)
                else:
                    for c in range(6):
                        store(moduli, c, load(along, 0))
                    gradients(local, moduli, right)
                local_tangent(local, stress, left, right, not damped, local_h)
                turned_axes(r, scale, by_speed, axes)
                turn(local_h, axes, scale, not damped, half, h[25 * m : 25 * m + 25])
            else:
                _section(vectors, rates, shape, per, point, damped, x, x_rate, strain, rate)
                _stresses(own, moduli, strain, rate, damped, 3, stress)
                for c in range(3):
                    store(stress, c, stiffness * load(stress, c))
                for u in range(1, 3):
                    for c in range(3):
                        total = load(along, 0) * load(x, u, c)
                        if damped:
                            total = total + load(of_rate, 0) * load(x_rate, u, c)
                        store(x_rate, u, c, total)
                at = 25 * full + 4 * (m - full)
                section_tangent(x, x_rate, stress, moduli, h[at : at + 4])
        add_tangent(
            h, beams.pair, beams.begin, beams.place, beams.factor[k], not damped, slots, e, count, n, per, block, data
        )  # fmt: skip
        e += count


@kernel(plain=True)
def add_structural_tangent(
    beams: Structures, q: Array, v: Array, stiffness: float, damping: float, target: BlockTarget
) -> None:
    """The same for the time loop."""
    structural_tangent(beams, q, v, stiffness, damping, target.slots, target.data)


@kernel
def structural_energy(beams: Structures, q: Array, v: Array) -> tuple[float, float]:
    """Stored energy, J, and dissipated power, W."""
    n, per = beams.shape.shape[3], beams.per
    vectors, rates = np.empty((n, 3, LANES)), np.empty((n, 3, LANES))
    x, x_rate, r = np.empty((5, 3, LANES)), np.empty((5, 3, LANES)), np.empty((3, 3, LANES))
    scale, by_speed, own = np.empty((3, LANES)), np.empty((1, LANES)), np.empty((beams.own.shape[1], LANES))
    local, local_rate = np.empty((15, LANES)), np.empty((15, LANES))
    strain, rate, moduli = np.empty((6, LANES)), np.empty((6, LANES)), np.empty((6, LANES))
    stored, power, e = 0.0, 0.0, 0
    while e < beams.kind.size:
        k, count = beams.kind[e], together(beams.kind, e)
        damped = _take(beams, q, v, e, count, vectors, rates, own)
        for m in range(beams.weight.size):
            shape, point, strains = beams.shape[k, m], own[8 + 10 * m : 18 + 10 * m], m < beams.full
            _moduli(own, point, beams.weight[m], strains, moduli)
            if strains:
                _strains(
                    vectors, rates, shape, per, point, damped, x, r, scale, by_speed, local, local_rate, strain, rate
                )  # fmt: skip
            else:
                _section(vectors, rates, shape, per, point, damped, x, x_rate, strain, rate)
            for c in range(6 if strains else 3):
                for lane in range(count):
                    stored += 0.5 * moduli[c, lane] * strain[c, lane] ** 2
                    if damped:
                        power += own[7, lane] * moduli[c, lane] * rate[c, lane] ** 2
        e += count
    return stored, power


@kernel
def structural_strains(
    q: Array, first: Integers, per: int, element: Integers, shape: Array, start: Array, out: Array, frames: Array
) -> None:
    """Strains less the reference's at one point of each listed element, and the director frames there (rows e_1, e_2, e_3).

    shape: over the reference length. All points differ, so all lanes work on the same one.
    """
    vectors, x, r = np.empty((shape.shape[2], 3, LANES)), np.empty((5, 3, LANES)), np.empty((3, 3, LANES))
    scale, local, strain = np.empty((3, LANES)), np.empty((15, LANES)), np.empty((9, LANES))
    for m in range(element.size):
        gather(q, first, element[m], 1, per, vectors)
        fields(vectors, shape[m], per, x)
        director_frame(x, r, scale)
        local_fields(x, r, scale, local)
        director_strains(local, strain)
        section_strains(x, strain[6:])
        for k in range(9):
            out[m, k] = strain[k, 0] - start[m, k]
        out[m, 0] -= 1.0
        for i in range(3):
            for c in range(3):
                frames[m, i, c] = r[i, c, 0]
