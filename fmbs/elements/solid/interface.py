"""Interfaces of solids: sets of nodes that become a marker with a frame.

An interface has the 12 coordinates r, d_1, d_2, d_3 of a rigid body. Rigid: its nodes are x_i = r + sum_k X_ik d_k and have no
coordinates of their own. Averaged: it has no mass, r is the weighted mean of the nodes and its frame fits them best,

    r = sum_i w_i x_i,   sum_ik m_ik d_k x x_i = 0,   w_i = int N_i dA / A,   m_ik = int N_i X_k dA / A,

so that a force on it is a constant traction and a moment a linear one, and the nodes deform freely.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import ModelError
from fmbs.elements.solid.volume_mesh import VolumeMesh

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

KINDS = "rigid", "average"
NEEDLE = 1e-4  # width of an interface relative to its length from which on its roll is not determined


@dataclass(frozen=True, eq=False)
class Interface:
    """A set of nodes with a frame that was parallel to the global axes at t = 0.

    nodes: of the mesh; weights: w_i, sum 1; moments: m_ik, m  # (nodes, 3); position: its centre at t = 0, m
    """

    name: str
    kind: str
    nodes: Integers
    weights: Array
    moments: Array
    position: Array

    @property
    def rigid(self) -> bool:
        return self.kind == KINDS[0]

    @classmethod
    def of(cls, part: str, mesh: VolumeMesh, name: str, kind: str) -> Interface:
        nodes = mesh.nodes_of(part, name)
        share = np.zeros((len(mesh.points), 4))
        for facets in mesh.facets_of(part, name):
            np.add.at(share, facets.nodes, facets.shares(mesh.points))
        share = share[nodes]
        if share[:, 0].sum() <= 0.0:  # no faces: all nodes alike
            share = np.insert(mesh.points[nodes], 0, 1.0, axis=1)
        share = share / share[:, 0].sum()
        weights, position = share[:, 0], share[:, 1:].sum(axis=0)
        arms = mesh.points[nodes] - position
        spread = np.linalg.svd(arms, compute_uv=False) if nodes.size > 2 else np.zeros(3)
        if nodes.size < 3 or spread[1] < NEEDLE * spread[0]:
            raise ModelError(
                f"{part}: interface {name!r} has {nodes.size} nodes on a line or at a point, which do not say how it turns; "
                f"take a set of nodes with an area, or {part}.node(k) for a point without a frame."
            )
        return cls(name, kind, nodes, weights, share[:, 1:] - np.outer(weights, position), position)
