"""Planar ANCF beam."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.checks import vector
from fmbs.core.marker import Marker
from fmbs.core.vectors import FIXED, SLOPE, Vector
from fmbs.elements._checks import check_flexible
from fmbs.elements.centre_line import CentreLine, Curve, table_of_points
from fmbs.elements.elastic_line import ElasticLine
from fmbs.elements.flexible_link import RigidMotion
from fmbs.elements.material import Material
from fmbs.elements.section import Section

Array = NDArray[np.float64]


class PlanarBeam(ElasticLine):
    """A slender link in the x-y plane that stretches and bends, without shear: nodes with r, r_x, 8 coordinates an element.

    U = int 1/2 EA eps^2 + 1/2 EI (kappa - kappa_0)^2 ds,   eps = |r'| - 1,   kappa = (r' x r'')_z/|r'|^2

    It tends to the extensible elastica; kappa is the angle that the tangent turns per reference length, kappa_0 that of the
    drawn shape, both signed. Kelvin-Voigt damping follows the same two strains. Rotary inertia of the section included.

    section: its y axis lies in the plane, its z axis along the global z: I = Iz, and Rectangle(y=height, z=width)
    material: Material; elements: number of them, of equal length
    start, end: global coordinates (x, y), m; or curve: points (n, 2) or a function of s in [0, 1]
    rayleigh: (alpha, beta): damping alpha M + beta K on top of the material's, 1/s and s
    velocity, spin, about: rigid initial motion: velocity of the point `about` (default: the origin), m/s, and rad/s; what is
                           not given is completed from the joints and drives, and is zero where they ask for nothing
    """

    def __init__(
        self, name: str, *, section: Section, material: Material, elements: int, start: ArrayLike | None = None,
        end: ArrayLike | None = None, curve: Curve | None = None, velocity: ArrayLike | None = None, spin: float | None = None,
        about: ArrayLike = (0.0, 0.0), rayleigh: tuple[float, float] = (0.0, 0.0),
    ) -> None:  # fmt: skip
        count = check_flexible(name, section, material, elements)
        motion = RigidMotion.of(name, velocity, spin, about, 2)
        a, b = (None if x is None else _padded(name, argument, x) for argument, x in (("start", start), ("end", end)))
        line = CentreLine(name, a, b, None if curve is None else _padded_curve(name, curve), None)
        super().__init__(name, line, section, material, count, 2, motion, rayleigh)

    def direction(self, marker: Marker, components: Array) -> Vector:
        """Turns with the tangent."""
        if components[0] == components[1] == 0.0:  # the normal of the plane does not move
            return Vector(self, FIXED, tuple(components.tolist()))
        assert marker.s is not None
        starts, _, slope = self.shape_at(marker.s)
        keep = np.flatnonzero(np.abs(slope) > 1e-14)
        x, y = slope @ self.reference_vectors[self.locate(marker.s)[0]]  # the tangent at t = 0
        n = (x * components[0] + y * components[1], x * components[1] - y * components[0], components[2])
        coefficients = (*(float(c) for c in n), *slope[keep].tolist())
        return Vector(self, SLOPE, coefficients, tuple(starts[keep].tolist()))


def _padded(name: str, argument: str, value: ArrayLike) -> Array:
    return np.append(vector(name, argument, value, 2), 0.0)


def _padded_curve(name: str, curve: Curve) -> Curve:
    """The same curve in the plane z = 0."""
    if callable(curve):
        return lambda s: _padded(name, "curve(s)", curve(s))
    points = table_of_points(name, curve, 2)
    return np.column_stack([points, np.zeros(len(points))])
