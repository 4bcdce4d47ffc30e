"""Mass, centre of mass and inertia of what a closed surface holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.core.checks import positive, shown
from fmbs.core.described import Described
from fmbs.core.errors import ModelError
from fmbs.export.shapes import Shape

Array = NDArray[np.float64]

SAME = 1e-7  # of the size: points of a file that are one


@dataclass(frozen=True)
class MassProperties(Described, units={"volume": "m^3"}):
    """What `fm.RigidBody` asks for: RigidBody("housing", mass=p.mass, com=p.com, inertia=p.inertia).

    mass: kg; volume: m^3
    com: centre of mass in global coordinates at t = 0, m  # (3,)
    inertia: about the centre of mass along global axes, kg m^2  # (3, 3)
    """

    mass: float
    volume: float
    com: Array
    inertia: Array


def mass_properties(shape: Shape, density: float) -> MassProperties:
    """Of a shape filled with a material of this density, kg/m^3: integrals over the tetrahedra between each triangle and one
    point, int 1, int x, int x x^T dV, exact for the faces that the shape is drawn with.

    shape: fm.shapes.STL(...), or another one; its surface has to be closed
    """
    rho = positive("mass_properties", "density", density)
    if not callable(getattr(shape, "mesh", None)) or isinstance(shape, type):
        raise ModelError(f"mass_properties: {shown(shape)} is no shape; give fm.shapes.STL(path), Box, Cylinder, Sphere.")
    points, cells = shape.mesh(np.zeros(3))
    corners = points[cells.triangles()]  # (n, 3, 3)
    _check_closed(points, cells.triangles())
    middle = corners.reshape(-1, 3).mean(axis=0)
    a, b, c = np.moveaxis(corners - middle, 1, 0)
    six = np.einsum("ni,ni->n", a, np.cross(b, c))
    volume = float(six.sum()) / 6.0
    if volume == 0.0:
        raise ModelError(f"mass_properties: {shown(shape)} holds no volume.")
    sums = a + b + c
    first = (six[:, None] * sums).sum(axis=0) / 24.0 / volume
    second = sum(np.einsum("n,ni,nj->ij", six, x, x) for x in (a, b, c, sums)) / 120.0
    second = (second - volume * np.outer(first, first)) * rho * np.sign(volume)  # faces may all look inward
    inertia = np.trace(second) * np.eye(3) - second
    return MassProperties(rho * abs(volume), abs(volume), middle + first, inertia)


def _check_closed(points: Array, triangles: NDArray[np.int64]) -> None:
    """Every edge belongs to two faces that run along it in opposite directions."""
    size = float(np.ptp(points, axis=0).max()) or 1.0
    _, same = np.unique(np.round(points / (SAME * size)), axis=0, return_inverse=True)
    faces = same.ravel()[triangles]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    key, back = (edges[:, i] * (same.max() + 1) + edges[:, 1 - i] for i in (0, 1))
    open_edges = int((~np.isin(key, back)).sum()) + int(key.size - np.unique(key).size)
    if open_edges or not faces.size:
        raise ModelError(
            f"mass_properties: the surface is not closed: {open_edges} of {key.size} edges have no face beyond them, or one "
            "that looks to the other side. Repair it in a mesh program, or give mass, com and inertia."
        )
