"""A block of 27-node hexahedra as another program would export it: mass, stiffness, nodes. No element of fmbs is in it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array, kron


class Block(NamedTuple):
    mass: csr_array  # (3 nodes, 3 nodes), kg
    stiffness: csr_array  # (3 nodes, 3 nodes), N/m
    nodes: np.ndarray  # (nodes, 3), m
    elements: np.ndarray  # (elements, 27) its nodes, x fastest

    def where(self, condition) -> np.ndarray:
        """Numbers of the nodes that fulfil condition(x, y, z)."""
        return np.flatnonzero(condition(*self.nodes.T))


def block(cells, size, *, E=2e11, nu=0.3, density=7800.0, shape=None) -> Block:
    """cells, size: along x, y, z; the block begins at the origin. shape: where the nodes are moved to, (nodes, 3)."""
    counts = [2 * n + 1 for n in cells]
    axes = [np.linspace(0.0, length, count) for length, count in zip(size, counts)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    nodes = nodes if shape is None else shape(nodes)
    number = np.arange(len(nodes)).reshape(counts)
    first = np.stack(np.meshgrid(*(2 * np.arange(n) for n in cells), indexing="ij"), axis=-1).reshape(-1, 3)
    inner = np.stack(np.meshgrid(range(3), range(3), range(3), indexing="ij"), axis=-1).reshape(-1, 3)[:, ::-1]
    elements = number[tuple(np.moveaxis(first[:, None] + inner, 2, 0))]
    value, slope, weight = _shapes(inner)
    jacobian = np.einsum("ena,pnb->epab", nodes[elements], slope)
    gradient = np.einsum("pnb,epba->epna", slope, np.linalg.inv(jacobian))
    volume = np.linalg.det(jacobian) * weight
    lame, shear = E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))
    k = lame * np.einsum("ep,epia,epjb->eiajb", volume, gradient, gradient)
    k += shear * np.einsum("ep,epib,epja->eiajb", volume, gradient, gradient)
    k += shear * np.einsum("ep,epic,epjc,ab->eiajb", volume, gradient, gradient, np.eye(3))
    m = density * np.einsum("ep,pi,pj->eij", volume, value, value)
    places = 3 * elements[:, :, None] + np.arange(3)
    own = places.reshape(len(elements), -1)
    row, column = (np.broadcast_to(x, (len(own), 81, 81)).ravel() for x in (own[:, :, None], own[:, None, :]))
    stiffness = coo_array((k.reshape(row.shape), (row, column)), shape=(nodes.size,) * 2)
    row, column = (np.broadcast_to(x, m.shape).ravel() for x in (elements[:, :, None], elements[:, None, :]))
    mass = coo_array((m.ravel(), (row, column)), shape=(len(nodes),) * 2)
    return Block(csr_array(kron(mass, np.eye(3))), csr_array(stiffness), nodes, elements)


def _shapes(inner):
    """Values (27, 27), slopes (27, 27, 3) and weights (27,) at the points of Gauss's rule."""
    x, w = np.polynomial.legendre.leggauss(3)
    line = np.stack([x * (x - 1) / 2, 1 - x * x, x * (x + 1) / 2], axis=1)  # (points, nodes)
    bend = np.stack([x - 0.5, -2 * x, x + 0.5], axis=1)
    points = np.stack(np.meshgrid(range(3), range(3), range(3), indexing="ij"), axis=-1).reshape(-1, 3)
    pick = [[table[points[:, a]][:, inner[:, a]] for table in (line, bend)] for a in range(3)]
    value = pick[0][0] * pick[1][0] * pick[2][0]
    slope = np.stack([np.prod([pick[a][a == b] for a in range(3)], axis=0) for b in range(3)], axis=-1)
    return value, slope, np.prod(w[points], axis=1)
