"""Inertia and weight of beam networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.protocols import Triplets
from fmbs.math.quadrature import gauss

if TYPE_CHECKING:
    from fmbs.elements.network import BeamNetwork

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


def mixing(network: BeamNetwork) -> Array:  # (elements, vectors of an ordinary element, vectors)
    """T of u = T q, for each of three components the same."""
    mix = network.layout.mix.reshape(-1, 2, 2, 3)
    vectors = network.layout.first.shape[1]
    turn = np.zeros((len(mix), vectors - 2, vectors))
    turn[:, 0, 0] = turn[:, vectors - 5, vectors - 4] = 1.0
    inner = np.arange(4, vectors - 4)
    turn[:, inner - 1, inner] = 1.0
    turn[:, 1:3, 1:4], turn[:, -2:, -3:] = mix[:, 0], mix[:, 1]
    return turn


def mass_triplets(network: BeamNetwork) -> Triplets:
    x, w = gauss(network.interpolation.nodes.size + 2)
    shape = network.interpolation.shape(x, 1.0)
    units = []
    for section, material in network.kinds:
        rotary_y, rotary_z = section.rotary
        parts = ((section.area, shape.a), (rotary_z, shape.b), (rotary_y, shape.c))
        units.append(material.density * sum(m * np.einsum("p,pi,pj->ij", w, f, f) for m, f in parts))
    own = np.array(units)[network.element_kind]
    turn = mixing(network)
    blocks = network.element_length[:, None, None] * (np.swapaxes(turn, 1, 2) @ own @ turn)
    e, i, j = np.nonzero(blocks)
    first = network.layout.first.astype(np.int32)
    row, column = (first[e, k][:, None] + np.arange(3, dtype=np.int32) for k in (i, j))
    return Triplets(row.ravel(), column.ravel(), np.repeat(blocks[e, i, j], 3))


def shares_of(network: BeamNetwork) -> tuple[Integers, Array]:
    """First coordinates of the points of every element, and int rho A a ds there, kg  # (elements, nodes) each."""
    x, w = gauss(network.interpolation.nodes.size + 2)
    share = w @ network.interpolation.shape(x, 1.0).a[:, ::3]
    per = np.array([section.area * material.density for section, material in network.kinds])[network.element_kind]
    vectors = network.layout.first.shape[1]
    places = network.layout.first[:, [0, *range(4, vectors - 4, 3), vectors - 4]]
    return places, (per * network.element_length)[:, None] * share
