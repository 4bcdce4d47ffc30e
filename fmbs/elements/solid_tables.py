"""Tables of beams as solids: quadrature points of the volume, and what they sum to at the stations along the axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fmbs.elements._solid_kernels import PAIR, Solids
from fmbs.math.quadrature import gauss

if TYPE_CHECKING:
    from fmbs.elements.beam import Beam

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

SECTION_POINTS = 2  # in each direction of the section
MANY = 100  # of the 225 entries of D: from here on the loops over all of them are faster
U, V = PAIR.T  # the products d_uv


class SolidTable(NamedTuple):
    """Points of the volume of each distinct element; point p lies in the axial point station[p], at y, z of its section."""

    gradient: Array  # (tables, points, vectors, 3)
    weight: Array  # (tables, points): volume, m^3
    modulus: Array  # (tables, points, 9): C_11, C_22, C_33, C_12, C_13, C_23, C_44 (23), C_55 (13), C_66 (12)
    local: Array  # (tables, points, 3, 3): d(xi, y, z)/d(local axes)
    station: Integers  # (points,)
    y: Array  # (points,)
    z: Array  # (points,)


def solid_table(beam: Beam, points: int) -> SolidTable:
    material, section = beam.material, beam.section
    x, w = gauss(points)
    y, z, area = section.points(SECTION_POINTS)
    station = np.repeat(np.arange(points), y.size)
    y, z, weight = np.tile(y, points), np.tile(z, points), np.outer(w, area).ravel()
    isotropic = _isotropic(material.lame, material.G)
    modulus = np.tile(isotropic, (station.size, 1))
    if beam.formulation == "enhanced":
        E, G, c = material.E, material.G, section.J / (section.Iy + section.Iz)
        k_y, k_z = section.shear_factors(material.nu)
        modulus[:] = np.array([E] * 3 + [0.0] * 3 + [G, c * G, c * G])
        on_axis = isotropic - np.array([E] * 3 + [0.0] * 3 + [G, (1.0 + c - k_z) * G, (1.0 + c - k_y) * G])
        modulus = np.concatenate([modulus, np.tile(on_axis, (points, 1))])
        station = np.concatenate([station, np.arange(points)])
        y, z, weight = np.append(y, 0.0 * x), np.append(z, 0.0 * x), np.append(weight, w * section.area)
    count = 1 if beam.line.uniform else beam.elements
    shape = beam.interpolation.shape(x[station], beam.element_length)
    slopes = np.stack([shape.da + y[:, None] * shape.db + z[:, None] * shape.dc, shape.b, shape.c], axis=-1)
    vectors = beam.reference_vectors[:count]
    jacobian = np.einsum("eic,pik->epck", vectors, slopes)  # dr/d(xi, y, z) of the reference
    frame = _frames(np.einsum("pi,eic->epc", shape.b, vectors), np.einsum("pi,eic->epc", shape.c, vectors))
    local = np.linalg.inv(jacobian) @ frame
    gradient = np.einsum("pik,epka->epia", slopes, local)
    volume = np.linalg.det(jacobian) * weight
    return SolidTable(gradient, volume, np.tile(modulus, (count, 1, 1)), local, station, y, z)


def _isotropic(lame: float, mu: float) -> Array:
    return np.array([lame + 2.0 * mu] * 3 + [lame] * 3 + [mu] * 3)


def _frames(y: Array, z: Array) -> Array:  # (..., 3, 3) columns e_1, e_2, e_3
    e3 = z / np.linalg.norm(z, axis=-1, keepdims=True)
    e2 = y - (y * e3).sum(axis=-1, keepdims=True) * e3
    e2 = e2 / np.linalg.norm(e2, axis=-1, keepdims=True)
    return np.stack([np.cross(e2, e3), e2, e3], axis=-1)


def solids(beams: Sequence[Beam], points: int, first: Integers, kind: Integers, damping: Array) -> Solids:
    """All tables of a batch. The entries of D kept are those that any station of any element has, or all."""
    stations = [_stations(beam, points) for beam in beams]
    shape, start = (np.concatenate([station[k] for station in stations]) for k in range(2))
    kept = np.any([(D != 0.0).any(axis=(0, 1)) for _, _, D in stations], axis=0)
    if kept.sum() > MANY:
        kept[:] = True
    row, column = np.nonzero(kept)
    modulus = np.concatenate([D[:, :, row, column] for _, _, D in stations])
    per, lengths = beams[0].interpolation.per_node, np.bincount(row, minlength=U.size)
    return Solids(first, per, kind, shape, start, damping, modulus, lengths, column)


def _stations(beam: Beam, points: int) -> tuple[Array, Array, Array]:
    """shape (tables, stations, 5, vectors), d_0 (tables, stations, 15) and D (tables, stations, 15, 15)."""
    table, (x, _) = solid_table(beam, points), gauss(points)
    count = len(table.weight)
    s = beam.interpolation.shape(x, beam.element_length)
    shape = np.stack([s.da, s.b, s.c, s.db, s.dc], axis=1)  # (stations, 5, vectors)
    x0 = np.einsum("sui,eic->esuc", shape, beam.reference_vectors[:count])
    start = np.einsum("esuc,esvc->esuv", x0, x0)[:, :, U, V] * np.where(U == V, 0.5, 1.0)
    D = np.zeros((count, points, U.size, U.size))
    for p, station in enumerate(table.station):
        # F_k = sum_u along_ku x_u for k along xi, y, z
        along = np.array([[1.0, 0.0, 0.0, table.y[p], table.z[p]], [0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0]])
        natural = 0.5 * (np.einsum("km,lm->klm", along[:, U], along[:, V]) + np.einsum("km,lm->klm", along[:, V], along[:, U]))
        strain = np.einsum("eka,klm,elb->eabm", table.local[:, p], natural, table.local[:, p], optimize=True)
        normal, shear = strain[:, [0, 1, 2], [0, 1, 2]], 2.0 * strain[:, [1, 0, 0], [2, 2, 1]]  # (tables, 3, 15)
        c = table.modulus[0, p]
        stress = np.concatenate([c[[[0, 3, 4], [3, 1, 5], [4, 5, 2]]] @ normal, c[6:, None] * shear], axis=1)
        D[:, station] += table.weight[:, p, None, None] * np.swapaxes(np.concatenate([normal, shear], axis=1), 1, 2) @ stress
    size = np.sqrt(np.einsum("esmm->esm", D))
    D[np.abs(D) < 1e-14 * size[..., :, None] * size[..., None, :]] = 0.0  # what symmetric sections cancel
    return np.tile(shape, (count, 1, 1, 1)), start, D
