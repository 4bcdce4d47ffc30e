"""Shapes for rigid bodies: boxes, cylinders, spheres, STL files, and what is drawn where none is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fmbs.core.cells import Cells
from fmbs.core.checks import checked_path, positive, unit, vector
from fmbs.core.errors import ModelError
from fmbs.math.rotations import perpendicular, rotation

Array = NDArray[np.float64]

CORNERS = 16  # of a circle


class Shape(Protocol):
    """Points in global coordinates at t = 0, and faces between them."""

    def mesh(self, centre: Array) -> tuple[Array, Cells]:
        """centre: the body's centre of mass, where shapes without a place are put."""


@dataclass(frozen=True)
class Box:
    """Sides along the global axes at t = 0, m; centre: global coordinates, by default the centre of mass."""

    x: float
    y: float
    z: float
    centre: ArrayLike | None = None

    def __post_init__(self) -> None:
        for side in ("x", "y", "z"):
            positive("Box", side, getattr(self, side))
        if self.centre is not None:
            vector("Box", "centre", self.centre)

    def mesh(self, centre: Array) -> tuple[Array, Cells]:
        middle = centre if self.centre is None else vector("Box", "centre", self.centre)
        signs = np.array([[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]])
        faces = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
        return middle + 0.5 * signs * (self.x, self.y, self.z), Cells.of(faces)


@dataclass(frozen=True)
class Cylinder:
    """Between two points, global coordinates at t = 0, m."""

    start: ArrayLike
    end: ArrayLike
    radius: float

    def __post_init__(self) -> None:
        positive("Cylinder", "radius", self.radius)
        unit("Cylinder", "end - start", vector("Cylinder", "end", self.end) - vector("Cylinder", "start", self.start))

    def mesh(self, centre: Array) -> tuple[Array, Cells]:
        a, b = vector("Cylinder", "start", self.start), vector("Cylinder", "end", self.end)
        u, w = perpendicular((b - a) / np.linalg.norm(b - a))
        angle = 2.0 * np.pi * np.arange(CORNERS) / CORNERS
        ring = self.radius * (np.cos(angle)[:, None] * u + np.sin(angle)[:, None] * w)
        k = np.arange(CORNERS)
        sides = [(int(i), int(j), int(j + CORNERS), int(i + CORNERS)) for i, j in zip(k, np.roll(k, -1))]
        ends = [tuple(map(int, k[::-1])), tuple(map(int, k + CORNERS))]
        return np.concatenate([a + ring, b + ring]), Cells.of([*sides, *ends])


@dataclass(frozen=True)
class Sphere:
    """About a point, global coordinates at t = 0, by default the centre of mass, m."""

    radius: float
    centre: ArrayLike | None = None

    def __post_init__(self) -> None:
        positive("Sphere", "radius", self.radius)
        if self.centre is not None:
            vector("Sphere", "centre", self.centre)

    def mesh(self, centre: Array) -> tuple[Array, Cells]:
        middle = centre if self.centre is None else vector("Sphere", "centre", self.centre)
        rows = CORNERS // 2
        polar, angle = np.pi * np.arange(1, rows) / rows, 2.0 * np.pi * np.arange(CORNERS) / CORNERS
        ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        inner = [np.column_stack([np.sin(p) * ring, np.full(CORNERS, np.cos(p))]) for p in polar]
        points = np.concatenate([[[0.0, 0.0, 1.0]], *inner, [[0.0, 0.0, -1.0]]])
        faces: list[tuple[int, ...]] = []
        for i in range(CORNERS):
            j = (i + 1) % CORNERS
            faces += [(0, 1 + i, 1 + j), (len(points) - 1, len(points) - 1 - CORNERS + j, len(points) - 1 - CORNERS + i)]
            for row in range(rows - 2):
                at = 1 + row * CORNERS
                faces.append((at + i, at + CORNERS + i, at + CORNERS + j, at + j))
        return middle + self.radius * points, Cells.of(faces)


@dataclass(frozen=True)
class STL:
    """A surface from an STL file (or any file that meshio reads) in global coordinates at t = 0, m.

    scale: of the file's unit, 1e-3 for millimetres
    rotation: vector about which the scaled shape is turned, by its length, rad; shift: added afterwards, m
    """

    path: str | Path
    scale: float = 1.0
    shift: ArrayLike = (0.0, 0.0, 0.0)
    rotation: ArrayLike = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        checked_path("STL", "path", self.path)
        vector("STL", "rotation", self.rotation)
        positive("STL", "scale", self.scale)
        vector("STL", "shift", self.shift)

    def mesh(self, centre: Array) -> tuple[Array, Cells]:
        try:
            import meshio
        except ImportError:
            raise ModelError("STL: needs meshio; install it with pip install 'fmbs[viz]'.") from None
        try:
            found = meshio.read(self.path)
        except (Exception, SystemExit) as error:
            raise ModelError(f"STL: {self.path} cannot be read ({error}).") from None
        faces = [tuple(map(int, row)) for block in found.cells if block.type in ("triangle", "quad") for row in block.data]
        if not faces:
            raise ModelError(f"STL: {self.path} has no triangles.")
        points = self.scale * np.asarray(found.points, dtype=float) @ rotation(vector("STL", "rotation", self.rotation)).T
        return points + vector("STL", "shift", self.shift), Cells.of(faces)


def tube(inner: float, outer: float, half_length: float) -> tuple[Array, Cells]:
    """A bush about the z axis, from -half_length to half_length."""
    angle = 2.0 * np.pi * np.arange(2 * CORNERS) / (2 * CORNERS)
    circle, n = np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle]), angle.size
    rims = ((inner, -1), (outer, -1), (outer, 1), (inner, 1))
    points = np.concatenate([radius * circle + (0.0, 0.0, side * half_length) for radius, side in rims])
    faces = [
        (n * rim + k, n * rim + (k + 1) % n, n * ((rim + 1) % 4) + (k + 1) % n, n * ((rim + 1) % 4) + k)
        for rim in range(4)
        for k in range(n)
    ]
    return points, Cells.of(faces)


def bar(start: Array, end: Array, width: float, axis: Array, thickness: float) -> tuple[Array, Cells]:
    """A flat link with round ends about two points, across an axis: its outline is two half circles joined by lines."""
    along = (end - start) / np.linalg.norm(end - start)
    side = np.cross(axis, along)
    angle = np.pi * (np.arange(CORNERS + 1) / CORNERS - 0.5)
    cos, sin = 0.5 * width * np.cos(angle)[:, None], 0.5 * width * np.sin(angle)[:, None]
    outline = np.concatenate([end + cos * along + sin * side, start - cos * along - sin * side])
    n, half = len(outline), 0.5 * thickness * axis
    sides = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
    return np.concatenate([outline - half, outline + half]), Cells.of([*sides, tuple(range(n))[::-1], tuple(range(n, 2 * n))])


@dataclass(frozen=True)
class Link:
    """A flat bar with an eye where joints and forces take hold; a block where there are none.

    places: where they do; axis: of most of the joints, which the bar lies across; size: of the model, m
    """

    places: Sequence[Array]
    axis: Array
    size: float

    def mesh(self, centre: Array) -> tuple[Array, Cells]:
        near = 1e-6 * self.size
        places = [place for place in self.places if np.linalg.norm(place - centre) > near]
        if not places:
            sides = np.where(np.abs(self.axis) > 0.7, 0.05, 0.16) * self.size  # m, thin along the axis
            return Box(*map(float, sides)).mesh(centre)
        through = len(places) == 2 and np.linalg.norm(np.cross(places[0] - centre, places[1] - centre)) < near * self.size
        pairs = [(places[0], places[1])] if through else [(centre, place) for place in places]
        width = min(0.22 * max(float(np.linalg.norm(b - a)) for a, b in pairs), 0.05 * self.size)
        pieces = []
        for a, b in pairs:
            along = (b - a) / np.linalg.norm(b - a)
            across = self.axis - along * (self.axis @ along)
            far = np.linalg.norm(across)
            across = across / far if far > 0.1 else perpendicular(along)[0]
            pieces.append(bar(a, b, width, across, 0.4 * width))
        eyes = places if through else [centre, *places]
        pieces += [
            Cylinder(eye - 0.35 * width * self.axis, eye + 0.35 * width * self.axis, 0.3 * width).mesh(centre) for eye in eyes
        ]
        return np.concatenate([points for points, _ in pieces]), Cells.merged([(cells, len(p)) for p, cells in pieces])


def __getattr__(name: str) -> Any:
    """`fm.shapes.mass_properties`, which needs the shapes."""
    if name == "mass_properties":
        from fmbs.export.mass_properties import mass_properties

        return mass_properties
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
