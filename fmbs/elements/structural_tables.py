"""Tables of beams by structural strains: points along the axis, constants of the elements, and which blocks enter a tangent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.elements._structural_kernels import Structures, structural_strains
from fmbs.elements.interpolation import ShapeFunctions
from fmbs.math.quadrature import gauss

if TYPE_CHECKING:
    from fmbs.elements.beam import Beam
    from fmbs.elements.material import Material
    from fmbs.elements.section import Section

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

# Stiffness of a section's deformation in units of EA, 1 where nothing is said. It only has to keep the section's shape. With
# three points along a cubic element, directors that are longer and shorter from node to node seem to bend it less; where a
# thick element bends by more than half a radian EA alone no longer holds them: unstable directions that the rod has not.
SECTION = {"cubic": 6.0}


def structures(beams: Sequence[Beam], points: int, first: Integers) -> Structures:
    """All tables of a batch; beams whose shape functions are the same share them."""
    interpolation = beams[0].interpolation
    (x, w), (xs, ws) = gauss(points), gauss(interpolation.nodes.size)
    axis, weight = np.concatenate([x, xs]), np.concatenate([w, ws])
    every = np.concatenate([beam_shape(beam, axis, np.ones((1, axis.size))) for beam in beams])
    shape, kind = np.unique(every.reshape(len(beams), -1), axis=0, return_inverse=True)
    shape = shape.reshape(-1, *every.shape[1:])
    kind = np.repeat(kind.ravel(), [beam.elements for beam in beams])
    own = np.concatenate([_own(beam, axis) for beam in beams])
    terms = terms_of_pairs(shape, interpolation.per_node, points)
    return Structures(first, interpolation.per_node, kind, shape, weight, points, own, *terms)


def _own(beam: Beam, axis: Array) -> Array:  # (elements, 8 + 10 points)
    """Stiffness and damping, then ds/dxi and the strains of the reference at each point."""
    every = np.repeat(np.arange(beam.elements), axis.size)
    speed = np.broadcast_to(beam.reference_speed(axis), (beam.elements, axis.size))
    shape = beam_shape(beam, axis, speed)
    start, frames = np.empty((every.size, 9)), np.empty((every.size, 3, 3))
    structural_strains(
        beam.initial_position(), beam.nodes * beam.width, beam.interpolation.per_node, every,
        shape.reshape(-1, *shape.shape[2:]), np.zeros((every.size, 9)), start, frames,
    )  # fmt: skip
    constants = np.tile(np.append(section_stiffness(beam), beam.damping), (beam.elements, 1))
    points = np.concatenate([speed[:, :, None], start.reshape(beam.elements, axis.size, 9)], axis=2)
    return np.concatenate([constants, points.reshape(beam.elements, -1)], axis=1)


def terms_of_pairs(shape: Array, per: int, full: int) -> tuple[Integers, Integers, Integers, Array]:
    """Pairs of vectors, first term of each, the block it takes, and shape_ui shape_vj  # as in _lane_tangents.

    Strain points have 25 blocks, of which r' with y' and z' are zero, section points yy, yz, zy, zz. Pairs i <= j come first,
    and among them those of the same fields together: their blocks are still in the processor's first cache.
    """
    points, n = shape.shape[1], shape.shape[3]
    block = np.full((points, 5, 5), -1)
    block[:full] = 25 * np.arange(full)[:, None, None] + np.arange(25).reshape(5, 5)
    block[:full, 0, 3:] = block[:full, 3:, 0] = -1
    block[full:, 1:3, 1:3] = 25 * full + np.arange(4 * (points - full)).reshape(-1, 2, 2)
    i, j = np.divmod(np.arange(n * n), n)
    field = np.maximum(np.arange(n) % per - (per - 3), 0)
    order = np.lexsort((j, i, field[j], field[i], i > j))
    i, j = i[order], j[order]
    used = (shape != 0.0).any(axis=0)  # (points, 5, vectors)
    enters = used[:, :, None, i] & used[:, None, :, j] & (block >= 0)[..., None]
    t, m, u, v = np.nonzero(np.moveaxis(enters, -1, 0))
    begin = np.concatenate([[0], np.cumsum(np.bincount(t, minlength=n * n))])
    return np.stack([i, j], axis=1), begin, block[m, u, v], shape[:, m, u, i[t]] * shape[:, m, v, j[t]]


def beam_shape(beam: Beam, axis: Array, speed: Array) -> Array:  # (tables, points, 5, vectors)
    """a'/j, b, c, b'/j, c'/j at points of each table's element."""
    return over_speed(beam.interpolation.shape(axis, beam.element_length), speed)


def over_speed(s: ShapeFunctions, speed: Array) -> Array:  # (tables, points, 5, vectors)
    """a'/j, b, c, b'/j, c'/j for j = |dr/dxi| of each table  # (tables, points)."""
    j = speed[:, :, None]
    one = np.ones_like(j)
    return np.stack([s.da / j, s.b * one, s.c * one, s.db / j, s.dc / j], axis=2)


def section_stiffness(beam: Beam) -> Array:
    """Of a beam."""
    return stiffness_of(beam.section, beam.material, beam.interpolation.name)


def stiffness_of(s: Section, material: Material, interpolation: str) -> Array:
    """EA, k_y GA, k_z GA, GJ, EI_y, EI_z and that of the section's deformation."""
    k_y, k_z = s.shear_factors(material.nu)
    E, G = material.E, material.G
    own = SECTION.get(interpolation, 1.0) * E * s.area
    return np.array([E * s.area, k_y * G * s.area, k_z * G * s.area, G * s.J, E * s.Iy, E * s.Iz, own])
