"""Strains and section forces of beams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.optional import AtPlaces
from fmbs.elements._structural_kernels import structural_strains
from fmbs.elements.beam_batch import AXIAL_POINTS
from fmbs.elements.fields.places import Places
from fmbs.elements.solid_tables import solid_table
from fmbs.elements.structural_tables import beam_shape, section_stiffness
from fmbs.math.quadrature import gauss

if TYPE_CHECKING:
    from fmbs.elements.beam import Beam

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


def beam_section(beam: Beam, places: Places, q: Array) -> AtPlaces:
    """From the axial Gauss points of the elements; q (frames, coordinates of the beam)."""
    x, _ = gauss(AXIAL_POINTS[beam.interpolation.name, beam.formulation])
    elements, row = np.unique(places.element, return_inverse=True)
    at_points = _Directors(beam, Places.inside(beam, np.repeat(elements, x.size), np.tile(x, elements.size)))
    at_places = _Directors(beam, places)
    solid = None if beam.formulation == "structural" else Stresses(beam, elements, x.size)
    smooth, stiffness = places.weights(x), section_stiffness(beam)[:6]
    strain, force = np.empty((2, len(q), row.size, 6))
    axes = np.empty((len(q), row.size, 3, 3))
    for k, frame in enumerate(q):
        strains, frames = at_points.evaluate(frame)
        strain[k] = np.einsum("sp,spc->sc", smooth, strains.reshape(-1, x.size, 6)[row])
        axes[k] = np.swapaxes(at_places.evaluate(frame)[1], 1, 2)
        if solid is None:
            force[k] = stiffness * strain[k]
        else:
            resultants = solid.resultants(frame, frames.reshape(-1, x.size, 3, 3))
            force[k] = np.einsum("sp,spc->sc", smooth, resultants[row])
    return AtPlaces(strain[..., :3], strain[..., 3:], force[..., :3], force[..., 3:], axes)


class _Directors:
    """Strains of the directors less those of the drawn shape, and their frames, at one point of each listed element."""

    def __init__(self, beam: Beam, at: Places) -> None:
        self._first, self._per, self._element = beam.nodes * beam.width, beam.interpolation.per_node, at.element
        shape = [beam_shape(beam, np.array([x]), np.array([[j]]))[0, 0] for x, j in zip(at.xi, at.speed, strict=True)]
        self._shape, self._start = np.array(shape).reshape(at.xi.size, 5, -1), np.zeros((at.xi.size, 9))
        self._start[:, :6] = self.evaluate(beam.initial_position())[0]

    def evaluate(self, q: Array) -> tuple[Array, Array]:  # (points, 6), (points, 3, 3) with rows e_1, e_2, e_3
        strains, frames = np.empty((self._element.size, 9)), np.empty((self._element.size, 3, 3))
        structural_strains(q, self._first, self._per, self._element, self._shape, self._start, strains, frames)
        return strains[:, :6], frames


class Stresses:
    """Resultants of the first Piola-Kirchhoff stress P over the sections at the axial points of the listed elements.

    N = int P grad(xi) j dA,   M = int (y r_y + z r_z) x P grad(xi) j dA,   j = |dr/dxi|: conjugate to r' and to the directors'
    """

    def __init__(self, beam: Beam, elements: Integers, points: int) -> None:
        table, (x, w) = solid_table(beam, points), gauss(points)
        kind = elements if len(table.weight) > 1 else 0 * elements
        gradient = table.gradient[kind]  # (elements, points, vectors, 3)
        self._gradient = np.ascontiguousarray(gradient.transpose(0, 2, 1, 3)).reshape(*gradient.shape[0::2], -1)
        self._along, self._modulus = table.local[kind][:, :, 0], table.modulus[kind]
        self._area = table.weight[kind] / w[table.station]
        shape = beam.interpolation.shape(x[table.station], beam.element_length)
        self._arm = table.y[:, None] * shape.b + table.z[:, None] * shape.c  # (points, vectors)
        self._station = np.eye(points)[:, table.station]  # (axial points, points)
        self._vectors = beam.vector_starts()[elements][:, :, None] + np.arange(3)

    def resultants(self, q: Array, frames: Array) -> Array:  # (elements, axial points, 6), in the frames' axes (rows)
        vectors = q[self._vectors]  # (elements, vectors, 3)
        f = (np.swapaxes(vectors, 1, 2) @ self._gradient).reshape(len(vectors), 3, -1, 3).transpose(0, 2, 1, 3)
        stress = second_piola(0.5 * (np.swapaxes(f, -1, -2) @ f - np.eye(3)), self._modulus)
        traction = self._area[..., None] * (f @ (stress @ self._along[..., None]))[..., 0]  # (elements, points, 3)
        moment = np.cross(self._arm @ vectors, traction)
        both = self._station @ np.concatenate([traction, moment], axis=2)  # (elements, axial points, 6)
        local = both.reshape(*both.shape[:2], 2, 3) @ np.swapaxes(frames, -1, -2)
        flat: Array = local.reshape(*local.shape[:2], 6)
        return flat


def second_piola(strain: Array, c: Array) -> Array:
    """S of Green's strain, with moduli in the order of SolidTable  # (..., 3, 3)."""
    normal = np.einsum("...ij,...jj->...i", c[..., [[0, 3, 4], [3, 1, 5], [4, 5, 2]]], strain)
    shear = 2.0 * c[..., [[0, 8, 7], [8, 0, 6], [7, 6, 0]]] * strain
    stress: Array = np.where(np.eye(3, dtype=bool), normal[..., None, :], shear)
    return stress
