"""A point that slides along a flexible link."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.equations import ByCoordinate, Equation, Term, fixed
from fmbs.core.errors import ModelError
from fmbs.core.optional import LineBody
from fmbs.core.own_coordinate import OwnCoordinate
from fmbs.core.vectors import FLAT, LINEAR, Vector
from fmbs.joints.base import Joint
from fmbs.math.coordinate_weights import PIECES
from fmbs.math.quadrature import gauss

Array = NDArray[np.float64]

INSIDE = np.array([0.15, 0.4, 0.65, 0.9])  # of an element: four places make a cubic


@dataclass(frozen=True, eq=False)
class PointOnBeam(Joint):
    """The point b slides without friction along the centre line of a flexible link: r_b - r(x, q) = 0.

    The place x, m along the reference length, is a coordinate of its own (`sol.coordinate(joint)`) and goes from element to
    element. A force without friction is normal to the line, and it bends the link wherever the point is.

    a: link.at(s), where the point is at t = 0: a Beam, PlanarBeam or Cable
    """

    def __post_init__(self) -> None:
        if getattr(self.a, "s", None) is None or not isinstance(getattr(self.a, "body", None), LineBody):
            raise ModelError(
                f"{self.label}: a = {self.a} is not a place on a flexible link; give beam.at(s), where the point starts."
            )
        super().__post_init__()
        if {term.kind for term in self._blocks} - {LINEAR, FLAT}:
            raise ModelError(f"{self.label}: the points of {self.a.body.name!r} are not sums of its coordinates.")

    @property
    def length(self) -> float:
        """Of the link, m."""
        x, w = gauss(6)
        return float((self._line.reference_speed(x) @ w).sum())

    @property
    def _line(self) -> Any:
        return self.a.body

    @cached_property
    def own_coordinates(self) -> tuple[OwnCoordinate]:
        assert self.a.s is not None
        return (
            OwnCoordinate(
                f"place of {self.label} at {self.b}", start=self.a.s * self.length, length=True, planar=self.a.planar
            ),
        )

    @cached_property
    def _pieces(self) -> dict[int, tuple[Vector, dict[int, Array]]]:
        """First coordinate of each nodal vector -> the vector, and its cubic share in r on the elements that have it."""
        line = self._line
        found: dict[int, tuple[Vector, dict[int, Array]]] = {}
        powers = np.linalg.inv(np.vander(INSIDE, 4, increasing=True))
        for element in range(line.elements):
            values: dict[int, Array] = {}
            for k, xi in enumerate(INSIDE):
                point = line.at((element + xi) / line.elements).point
                for share, block in zip(point.coefficients, point.blocks, strict=True):
                    values.setdefault(block, np.zeros(4))[k] = share
                    found.setdefault(block, (Vector(line, point.kind, (1.0,), (block,), is_point=True), {}))
            for block, shares in values.items():
                found[block][1][element] = powers @ shares
        return found

    @property
    def _blocks(self) -> list[Vector]:
        return [vector for vector, _ in self._pieces.values()]

    def equations(self) -> list[Equation]:
        (own,), line, size = self.own_coordinates, self._line, 2 if self.a.planar else 3
        shapes = []
        for vector, cubics in self._pieces.values():
            first, last = min(cubics), max(cubics)
            numbers = [self.length / line.elements, line.elements, first, last - first + 1]
            for element in range(first, last + 1):
                numbers += cubics.get(element, np.zeros(4)).tolist()
            shapes.append((vector, ByCoordinate(own, PIECES, shape=tuple(map(float, numbers)))))
        return [
            Equation(
                f"{axis} of the point",
                (Term(1.0, fixed(e), self.b.point), *(Term(-1.0, fixed(e), vector, by=by) for vector, by in shapes)),
            )
            for axis, e in zip("xyz"[:size], np.eye(3), strict=False)
        ]

    def limits(self, sol: Any) -> tuple[str, ...]:
        """Where the point left the link, in words."""
        x = sol.coordinate(self)
        off = np.flatnonzero((x < 0.0) | (x > self.length))
        if not off.size:
            return ()
        text = (
            f"{self.label}: from t = {sol.t[off[0]]:.6g} s on the point was beyond an end of {self.a.body.name!r}, at "
            f"{x[off[0]]:.4g} m of its {self.length:.4g} m: it slid on along the line that goes on there."
        )
        return (text,)
