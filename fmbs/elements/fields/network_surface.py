"""Surface of a beam network with its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import QUAD, Cells, Snapshot
from fmbs.elements.network_strains import element_vectors, smooth, strains_at

if TYPE_CHECKING:
    from fmbs.elements.network import BeamNetwork

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class NetworkSurface:
    """The outline of every strut's section at slices along its elements; ends are open, they lie inside of nodes."""

    def __init__(self, network: BeamNetwork, per_element: int) -> None:
        self.body, self._axis = network, np.linspace(0.0, 1.0, per_element + 1)
        self._shape = network.interpolation.shape(self._axis, 1.0)
        self._rings = [section.outline() for section, _ in network.kinds]
        self._elements = [np.flatnonzero(network.element_kind == k) for k in range(len(network.kinds))]
        self._points, self._smooth = smooth(network, self._axis)
        self._start = network.reference_strains[:, : self._points.size, :6]
        self.cells = self._cells()

    def _cells(self) -> Cells:
        quads, first = [], 0
        for ring, elements in zip(self._rings, self._elements, strict=True):
            k, slices = len(ring), self._axis.size
            here, there = np.arange(k), (np.arange(k) + 1) % k
            wall = np.stack([here, there, there + k, here + k], axis=1)
            along = (wall + k * np.arange(slices - 1)[:, None, None]).reshape(-1, 4)
            quads.append((first + along + k * slices * np.arange(len(elements))[:, None, None]).reshape(-1, 4))
            first += k * slices * len(elements)
        every = np.concatenate(quads)
        return Cells(every.ravel(), 4 * np.arange(len(every) + 1), np.full(len(every), QUAD, np.uint8))

    def _placed(self, q: Array) -> Array:
        """Points, or their velocities."""
        found = []
        for ring, elements in zip(self._rings, self._elements, strict=True):
            u = element_vectors(self.body, elements, q)
            r, y, z = (np.einsum("pi,eic->epc", f, u)[:, :, None] for f in (self._shape.a, self._shape.b, self._shape.c))
            found.append((r + ring[:, :1] * y + ring[:, 1:] * z).reshape(-1, 3))
        return np.concatenate(found)

    def snapshot(self, q: Array, v: Array) -> Snapshot:
        """At the body's own coordinates; the fields are those of a beam."""
        parts: dict[str, list[Array]] = {}
        stiffness = self.body.constants[:, :6]
        for (section, material), ring, elements in zip(self.body.kinds, self._rings, self._elements, strict=True):
            strain = strains_at(self.body, elements, self._points, q)[0][..., :6] - self._start[elements]
            strain = np.einsum("sp,epc->esc", self._smooth, strain)  # (elements, slices, 6)
            force = stiffness[elements][:, None] * strain
            y, z = ring.T
            axial = strain[..., :1] + z * strain[..., 4:5] - y * strain[..., 5:6]
            shear = np.linalg.norm(force[..., 1:3], axis=-1)[..., None] / section.area
            torsion = material.G * np.abs(strain[..., 3:4]) * np.hypot(y, z)
            vectors = {"curvature": strain[..., 3:], "section_force": force[..., :3], "section_moment": force[..., 3:]}
            for name, values in vectors.items():
                every = np.broadcast_to(values[:, :, None], (*values.shape[:2], len(ring), 3))
                parts.setdefault(name, []).append(every.reshape(-1, 3))
            parts.setdefault("axial_strain", []).append(axial.ravel())
            stress = np.sqrt((material.E * axial) ** 2 + 3.0 * (shear + torsion) ** 2)
            parts.setdefault("von_mises", []).append(stress.ravel())
        fields = {name: np.concatenate(values) for name, values in parts.items()}
        return Snapshot(self._placed(q), {"velocity": self._placed(v), **fields})
