"""Strains and section forces of cables and planar beams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.optional import AtPlaces
from fmbs.elements.line_batch import AXIAL
from fmbs.math.hermite import hermite
from fmbs.math.quadrature import gauss
from fmbs.math.rotations import perpendicular

if TYPE_CHECKING:
    from fmbs.elements.elastic_line import ElasticLine
from fmbs.elements.fields.places import Places

Array = NDArray[np.float64]

BARLOW, _ = gauss(2)  # where the curvature of a cubic is one order better than elsewhere (Barlow 1976)


def line_section(line: ElasticLine, places: Places, q: Array) -> AtPlaces:
    """eps from the axial points of the elements, kappa and its slope, which gives the shear force, from two points of each.

    M' + r' x F = 0, so that F = N t + t x M'/|r'|.
    """
    starts = line.vector_starts()[places.element][:, :, None] + np.arange(line.dimension)
    vectors, drawn = _in_space(q[:, starts]), _in_space(line.initial_position()[None, starts])  # (frames, places, 4, 3)
    axial = np.einsum("sp,fsp->fs", places.weights(AXIAL[0]), _stretch(line, places, vectors))
    bending = _bending(line, places, vectors, drawn)
    kappa = np.einsum("sp,fspc->fsc", places.weights(BARLOW), bending)
    change = np.einsum("sp,fspc->fsc", places.weights(BARLOW, slope=True) / places.speed[:, None], bending)
    axes = _axes(line, places, vectors)
    ea, ei = line.material.E * line.section.area, line.material.E * line.inertia
    across = ei * np.cross(axes[..., 0], change) / (1.0 + axial)[..., None]
    force, curvature = (np.einsum("fsca,fsc->fsa", axes, x) for x in (across, kappa))
    force[..., 0], curvature[..., 0] = ea * axial, 0.0  # no twist; what is there comes from interpolating a vector
    strain = np.zeros_like(force)
    strain[..., 0] = axial
    return AtPlaces(strain, curvature, force, ei * curvature, axes)


def _in_space(vectors: Array) -> Array:
    return np.pad(vectors, ((0, 0), (0, 0), (0, 0), (0, 3 - vectors.shape[-1])))


def _stretch(line: ElasticLine, places: Places, vectors: Array) -> Array:  # (frames, places, points)
    """|r'| - 1."""
    slope = np.einsum("pi,fsic->fspc", line.slopes(AXIAL[0]), vectors)
    stretch: Array = np.linalg.norm(slope, axis=-1) / line.reference_speed(AXIAL[0])[places.element] - 1.0
    return stretch


def _bending(line: ElasticLine, places: Places, vectors: Array, drawn: Array) -> Array:  # (frames, places, points, 3)
    """(kappa - kappa_0) n with kappa n = r' x r''/|r'|^2; n is the normal of the plane, or in space the direction of that."""
    _, slope, second = hermite(BARLOW, line.element_length)
    speed = line.reference_speed(BARLOW)[places.element][:, :, None]

    def turning(e: Array) -> Array:
        return _turn(np.einsum("pi,fsic->fspc", slope, e), np.einsum("pi,fsic->fspc", second, e)) / speed

    kappa = turning(vectors)
    if line.line.straight:
        return kappa
    start = turning(drawn)
    if line.planar:
        return kappa - start
    size = np.linalg.norm(kappa, axis=-1, keepdims=True)
    bent: Array = kappa * (1.0 - np.linalg.norm(start, axis=-1, keepdims=True) / np.maximum(size, 1e-300))
    return bent


def _turn(g: Array, h: Array) -> Array:
    turn: Array = np.cross(g, h) / np.sum(g * g, axis=-1, keepdims=True)
    return turn


def _axes(line: ElasticLine, places: Places, vectors: Array) -> Array:
    """Columns: unit tangent t, y = z x t, z: normal of the plane, or what a cable bends about  # (frames, places, 3, 3)."""
    _, slope, second = hermite(places.xi, line.element_length)
    g, h = (np.einsum("si,fsic->fsc", x, vectors) for x in (slope, second))
    t = g / np.linalg.norm(g, axis=-1, keepdims=True)
    z = np.zeros_like(t)
    z[..., 2] = 1.0
    if not line.planar:
        turn = _turn(g, h)
        for place in np.ndindex(t.shape[:2]):
            size = np.linalg.norm(turn[place])
            z[place] = turn[place] / size if size > 1e-9 else perpendicular(t[place])[1]  # straight: any
    return np.stack([t, np.cross(z, t), z], axis=-1)
