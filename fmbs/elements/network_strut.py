"""One strut of a beam network: places along it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import number
from fmbs.core.errors import ModelError
from fmbs.core.marker import Marker
from fmbs.core.optional import AtPlaces
from fmbs.core.vectors import FRAME, Vector
from fmbs.elements.interpolation import ShapeFunctions
from fmbs.elements.material import Material
from fmbs.elements.section import Section

if TYPE_CHECKING:
    from fmbs.elements.network import BeamNetwork

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Strut:
    """A strut by its number; `sol.section` gives its section forces."""

    body: BeamNetwork
    k: int

    @property
    def name(self) -> str:
        return f"{self.body.name}.strut({self.k})"

    @property
    def section(self) -> Section:
        section, _ = self.body.kinds[int(self.body.kind[self.k])]
        return section

    @property
    def material(self) -> Material:
        _, material = self.body.kinds[int(self.body.kind[self.k])]
        return material

    @property
    def length(self) -> float:
        """m."""
        return float(self.body.lengths[self.k])

    def at(self, s: float) -> Marker:
        """The marker on its axis at 0 <= s <= 1 of its length; at the ends that of the node."""
        body = self.body
        if not 0.0 <= number(self.name, "s", s) <= 1.0:
            raise ModelError(f"{self.name}: at(s = {s!r}) is outside [0, 1]; s is the share of the length.")
        if s in (0.0, 1.0):
            return body.node(int(body.struts[self.k, int(s)]))
        start = body.points[body.struts[self.k, 0]]
        return Marker(body, start + s * self.length * body.axes[self.k, 0], self.k + s)

    def shape_at(self, marker: Marker) -> tuple[int, ShapeFunctions]:
        """Element of a marker on it, and the shape functions there  # (vectors,)."""
        assert marker.s is not None
        place = (marker.s - self.k) * self.body.elements
        element = min(int(place), self.body.elements - 1)
        shape = self.body.interpolation.shape(np.array(place - element), 1.0)
        return self.k * self.body.elements + element, shape

    def centre(self, marker: Marker) -> tuple[Integers, Array]:
        """First coordinates of the nodes around a marker, and their shares in r."""
        element, shape = self.shape_at(marker)
        first = self.body.layout.first[element]
        places = first[[0, *range(4, first.size - 4, 3), first.size - 4]]
        keep = np.abs(shape.a[::3]) > 1e-14
        return places[keep], shape.a[::3][keep]

    def direction(self, marker: Marker, components: Array) -> Vector:
        """n in the orthonormal frame of the section's directors, which are sums over those of the nodes around."""
        element, shape = self.shape_at(marker)
        first, last = self.body.layout.first[element], self.body.layout.first.shape[1] - 4
        mix, share = self.body.layout.mix[element].reshape(2, 2, 3), shape.b[1::3]
        places, weights = [], []
        for k in range(2):  # y, z
            inner = np.arange(4, last, 3) + 1 + k
            weights.append(np.concatenate([share[0] * mix[0, k], share[1:-1], share[-1] * mix[1, k]]))
            places.append(np.concatenate([first[1:4], first[inner], first[last + 1 :]]))
        n = self.body.axes[self.k] @ components
        return Vector(
            self.body, FRAME, (*n.tolist(), *np.concatenate(weights).tolist()), tuple(np.concatenate(places).tolist())
        )

    def section_forces(self, s: Array, q: Array) -> AtPlaces:
        """At places 0 <= s <= 1 of its length, for q of the network in every frame."""
        from fmbs.elements.network_strains import strut_forces

        return strut_forces(self, s, q)
