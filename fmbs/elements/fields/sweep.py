"""Section outlines swept along a line: slices, rings of points, faces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fmbs.core.cells import POLYGON, QUAD, Cells
from fmbs.elements.section import Section

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class SweptSurface:
    """Where the surface of a flexible body is sampled.

    elements: of the body; per_element: slices along each
    section: its outline is drawn, for pipes the inner wall too
    """

    elements: int
    per_element: int
    section: Section

    @cached_property
    def axis(self) -> Array:
        """Stations of an element, both ends included  # (per_element + 1,)."""
        return np.linspace(0.0, 1.0, self.per_element + 1)

    @cached_property
    def slices(self) -> Integers:
        """Rows of a table (elements, per_element + 1) that are slices: an inner node belongs to the element after it."""
        table = np.arange(self.elements * self.axis.size).reshape(self.elements, -1)
        return np.append(table[:, :-1].ravel(), table[-1, -1])

    @cached_property
    def element(self) -> Integers:
        """Of each slice."""
        return self.slices // self.axis.size

    @cached_property
    def xi(self) -> Array:
        """Of each slice, in its element."""
        xi: Array = self.axis[self.slices % self.axis.size]
        return xi

    @cached_property
    def s(self) -> Array:
        """Stations as shares of the length."""
        return np.arange(self.slices.size) / (self.slices.size - 1)

    @cached_property
    def rings(self) -> list[Array]:
        """Closed outlines, (y, z) of their points  # (k, 2) each."""
        return [self.section.outline(), *self.section.holes()]

    @cached_property
    def ring(self) -> Array:
        """All points of a slice, outer ring first  # (points, 2)."""
        return np.concatenate(self.rings)

    @property
    def point_count(self) -> int:
        return int(self.slices.size * len(self.ring))

    @cached_property
    def cells(self) -> Cells:
        """Walls and both ends; points are numbered slice by slice."""
        slices, per = self.slices.size, len(self.ring)
        faces = []
        for number, ring in enumerate(self.rings):
            k = len(ring)
            here = number * k + np.arange(k)
            there = number * k + (np.arange(k) + 1) % k
            wall = np.stack([here, there, there + per, here + per], axis=1)  # outward on the outer ring
            wall = wall[:, ::-1] if number else wall
            faces.append((wall + per * np.arange(slices - 1)[:, None, None]).reshape(-1, 4))
        k, last = len(self.rings[0]), per * (slices - 1)
        if len(self.rings) == 2:
            i, j = np.arange(k), (np.arange(k) + 1) % k
            cap = np.stack([i, k + i, k + j, j], axis=1)
            faces += [cap, last + cap[:, ::-1]]
        quads = np.concatenate(faces)
        sides = Cells(quads.ravel(), 4 * np.arange(len(quads) + 1), np.full(len(quads), QUAD, np.uint8))
        if len(self.rings) == 2:
            return sides
        around = np.arange(k)
        ends = np.concatenate([around[::-1], last + around])
        return Cells(
            np.concatenate([sides.connectivity, ends]),
            np.concatenate([sides.offsets, sides.offsets[-1] + k * np.array([1, 2])]),
            np.concatenate([sides.types, np.full(2, QUAD if k == 4 else POLYGON, np.uint8)]),
        )

    def spread(self, values: Array) -> Array:
        """Values of slices to all points of their rings."""
        return np.repeat(values, len(self.ring), axis=0)
