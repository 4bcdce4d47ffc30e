"""Strains and section forces of beam networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.optional import AtPlaces
from fmbs.elements._structural_kernels import structural_strains
from fmbs.elements.beam_batch import AXIAL_POINTS
from fmbs.elements.structural_tables import over_speed
from fmbs.math.quadrature import gauss

if TYPE_CHECKING:
    from fmbs.elements.network import BeamNetwork
    from fmbs.elements.network_strut import Strut

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


def element_vectors(network: BeamNetwork, elements: Integers, q: Array) -> Array:  # (elements, ordinary vectors, 3)
    """u = T q."""
    layout = network.layout
    vectors = q[layout.first[elements][:, :, None] + np.arange(3)]
    u = np.empty((len(elements), layout.first.shape[1] - 2, 3))
    mix = layout.mix[elements].reshape(-1, 2, 2, 3)
    u[:, 0], u[:, -3] = vectors[:, 0], vectors[:, -4]
    u[:, 3:-3] = vectors[:, 4:-4]
    u[:, 1:3], u[:, -2:] = mix[:, 0] @ vectors[:, 1:4], mix[:, 1] @ vectors[:, -3:]
    return u


def strains_at(network: BeamNetwork, elements: Integers, axis: Array, q: Array) -> tuple[Array, Array]:
    """Strains of directors and sections, and the directors' frames (rows e_1, e_2, e_3), at places along some elements."""
    u = np.ascontiguousarray(element_vectors(network, elements, q)).ravel()
    kind, count = network.interpolation, len(elements)
    first = 9 * np.arange(count * kind.nodes.size).reshape(count, kind.nodes.size)
    length = network.element_length[elements]
    shape = over_speed(kind.shape(axis, 1.0), np.repeat(length[:, None], axis.size, axis=1))
    every = np.repeat(np.arange(count), axis.size)
    strains, frames = np.empty((every.size, 9)), np.empty((every.size, 3, 3))
    flat = np.ascontiguousarray(shape.reshape(-1, *shape.shape[2:]))
    structural_strains(u, first, kind.per_node, every, flat, np.zeros((every.size, 9)), strains, frames)
    return strains.reshape(count, axis.size, 9), frames.reshape(count, axis.size, 3, 3)


def smooth(network: BeamNetwork, xi: Array) -> tuple[Array, Array]:
    """Axial Gauss points, and the weights of their values at places xi for the polynomial through them  # (places, points)."""
    x, _ = gauss(AXIAL_POINTS[network.interpolation.name, "structural"])
    k = np.arange(x.size)
    return x, (xi[:, None] ** k) @ np.linalg.inv(x[:, None] ** k)


def strut_forces(strut: Strut, s: Array, q: Array) -> AtPlaces:
    """At places along one strut in every frame; see `SectionForces`."""
    network, place = strut.body, s * strut.body.elements
    inside = np.minimum(place.astype(np.int64), network.elements - 1)
    element, xi = strut.k * network.elements + inside, place - inside
    x, weights = smooth(network, xi)
    start = network.reference_strains[element][:, : x.size, :6]
    stiffness = network.constants[element][:, :6]
    shape = (len(q), s.size, 3)
    strain, axes = np.empty((*shape[:2], 6)), np.empty((*shape, 3))
    for k, frame in enumerate(q):
        strain[k] = np.einsum("pg,pgc->pc", weights, strains_at(network, element, x, frame)[0][..., :6] - start)
        for j in range(s.size):
            axes[k, j] = strains_at(network, element[j : j + 1], xi[j : j + 1], frame)[1][0, 0].T
    force = stiffness * strain
    return AtPlaces(strain[..., :3], strain[..., 3:], force[..., :3], force[..., 3:], axes)
