"""Cells of volume meshes and of their faces: where their nodes are, polynomials, quadrature.

N_i = sum_m c_mi x^a_m y^b_m z^c_m with N_i(node j) = delta_ij: nodes and monomials are all that a cell needs. Nodes are in the
order of VTK and meshio.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product

import numpy as np
import scipy
from numpy.typing import NDArray

from fmbs.math.quadrature import gauss

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Rule = tuple[Array, Array]  # points, weights


@dataclass(frozen=True, eq=False)
class CellShape:
    """One kind of cell, of a volume or (dimension 2) of a surface.

    name: as in meshio; vtk: VTK's number
    nodes: in the unit tetrahedron, triangle or cube, corners first  # (nodes, dimension)
    powers: of the monomials  # (nodes, dimension)
    corners: how many nodes are corners
    points, fine_points: give points and weights for stresses, and such that inertia is exact
    """

    name: str
    vtk: int
    nodes: Array
    powers: Integers
    corners: int
    points: Callable[[], Rule]
    fine_points: Callable[[], Rule]

    @cached_property
    def rule(self) -> Rule:
        return self.points()

    @cached_property
    def fine_rule(self) -> Rule:
        return self.fine_points()

    @property
    def size(self) -> int:
        return len(self.nodes)

    @property
    def linear(self) -> bool:
        return self.size == self.corners

    @cached_property
    def _coefficients(self) -> Array:
        made: Array = np.linalg.inv(_monomials(self.nodes, self.powers))
        return made

    def value(self, x: Array) -> Array:  # (points, nodes)
        """N_i at places x  # (points, dimension)."""
        value: Array = _monomials(x, self.powers) @ self._coefficients
        return value

    def slope(self, x: Array) -> Array:  # (points, nodes, dimension)
        """dN_i/dx."""
        slopes = []
        for k in range(x.shape[1]):
            lower = self.powers - np.eye(x.shape[1], dtype=np.int64)[k]
            slopes.append((self.powers[:, k] * _monomials(x, np.maximum(lower, 0))) @ self._coefficients)
        return np.stack(slopes, axis=-1)

    @cached_property
    def edges(self) -> Integers:
        """Pairs of corners with an edge, in the order of the nodes between them in cells of second order  # (edges, 2)."""
        return TETRAHEDRON_EDGES if self.corners == 4 else HEXAHEDRON_EDGES

    @cached_property
    def faces(self) -> list[Integers]:
        """Nodes of each face, in the order of the face's own shape, seen anticlockwise from outside."""
        found = []
        for corners in TETRAHEDRON_FACES if self.corners == 4 else HEXAHEDRON_FACES:
            plane = FACES[self.size]
            places = plane.value(plane.nodes)[:, : plane.corners] if plane.linear else _corner_shares(plane)
            wanted = places @ self.nodes[list(corners)]
            apart = np.linalg.norm(self.nodes[None] - wanted[:, None], axis=2)
            found.append(apart.argmin(axis=1))
        return found

    @property
    def face(self) -> CellShape:
        return FACES[self.size]


def _corner_shares(shape: CellShape) -> Array:
    """Nodes as linear or bilinear combinations of the corners  # (nodes, corners)."""
    flat = TRIANGLE3 if shape.corners == 3 else QUAD4
    return flat.value(shape.nodes)


def _monomials(x: Array, powers: Integers) -> Array:  # (points, monomials)
    values: Array = np.prod(x[:, None, :] ** powers, axis=2)
    return values


def _powers(dimension: int, keep: object) -> Integers:
    return np.array([p for p in product(range(3), repeat=dimension) if keep(p)])  # type: ignore[operator]


def _box_rule(n: int, dimension: int) -> Rule:
    x, w = gauss(n)
    return np.array(list(product(x, repeat=dimension))), np.prod(list(product(w, repeat=dimension)), axis=1)


def simplex_rule(n: int, dimension: int) -> Rule:
    """Conical product of Gauss-Jacobi rules on the unit triangle or tetrahedron, of degree 2 n - 1 (Stroud 1971)."""
    points, weights = np.zeros((1, 0)), np.ones(1)
    for k in range(dimension):
        x, w = scipy.special.roots_jacobi(n, k, 0.0)
        x, w = 0.5 * (x + 1.0), w / 2.0 ** (k + 1)
        rest = (1.0 - x)[:, None, None] * points  # the simplex of one dimension less, shrunk
        points = np.concatenate([np.broadcast_to(x[:, None, None], (*rest.shape[:2], 1)), rest], axis=2).reshape(-1, k + 1)
        weights = np.outer(w, weights).ravel()
    return points, weights


def _serendipity_rule() -> Rule:
    """14 points of degree 5 in the unit cube (Irons 1971)."""
    a, b = np.sqrt(19.0 / 30.0), np.sqrt(19.0 / 33.0)
    points = np.concatenate([a * np.vstack([np.eye(3), -np.eye(3)]), b * np.array(list(product((-1.0, 1.0), repeat=3)))])
    weights = np.array([320.0 / 361.0] * 6 + [121.0 / 361.0] * 8)
    return 0.5 * (points + 1.0), weights / 8.0


def _middle_rule() -> Rule:
    """One point, of degree 1."""
    return np.full((1, 3), 0.25), np.full(1, 1.0 / 6.0)


def _tetrahedron_rule() -> Rule:
    """Four points of degree 2."""
    near = (5.0 - np.sqrt(5.0)) / 20.0
    return near + (1.0 - 4.0 * near) * np.vstack([np.zeros(3), np.eye(3)]), np.full(4, 1.0 / 24.0)


TETRAHEDRON_EDGES = np.array([(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)])
TETRAHEDRON_FACES = (0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)
HEXAHEDRON_EDGES = np.array(
    [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
)  # fmt: skip
HEXAHEDRON_FACES = (0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)

_TRIANGLE = np.array([(0, 0), (1, 0), (0, 1)], float)
_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
_CORNERS = np.vstack([np.zeros(3), np.eye(3)])
_CUBE = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)], float)
_LOOP = np.array([(0, 1), (1, 2), (2, 3), (3, 0)])


def _with_middles(corners: Array, edges: Integers, *further: tuple[float, ...]) -> Array:
    return np.vstack([corners, corners[edges].mean(axis=1), *further])


TRIANGLE3 = CellShape(
    "triangle", 5, _TRIANGLE, _powers(2, lambda p: sum(p) <= 1), 3, partial(simplex_rule, 2, 2), partial(simplex_rule, 2, 2)
)  # fmt: skip
TRIANGLE6 = CellShape(
    "triangle6", 22, _with_middles(_TRIANGLE, _LOOP[:3] % 3), _powers(2, lambda p: sum(p) <= 2), 3, partial(simplex_rule, 3, 2),
    partial(simplex_rule, 3, 2),
)  # fmt: skip
QUAD4 = CellShape("quad", 9, _SQUARE, _powers(2, lambda p: max(p) <= 1), 4, partial(_box_rule, 2, 2), partial(_box_rule, 2, 2))
QUAD8 = CellShape(
    "quad8", 23, _with_middles(_SQUARE, _LOOP), _powers(2, lambda p: sum(x for x in p if x > 1) <= 2), 4,
    partial(_box_rule, 3, 2), partial(_box_rule, 3, 2),
)  # fmt: skip
QUAD9 = CellShape(
    "quad9", 28, _with_middles(_SQUARE, _LOOP, (0.5, 0.5)), _powers(2, lambda p: True), 4,
    partial(_box_rule, 3, 2), partial(_box_rule, 3, 2),
)  # fmt: skip

TETRA4 = CellShape(
    "tetra", 10, _CORNERS, _powers(3, lambda p: sum(p) <= 1), 4, _middle_rule,
    partial(simplex_rule, 2, 3),
)  # fmt: skip
TETRA10 = CellShape(
    "tetra10", 24, _with_middles(_CORNERS, TETRAHEDRON_EDGES), _powers(3, lambda p: sum(p) <= 2), 4, _tetrahedron_rule,
    partial(simplex_rule, 4, 3),
)  # fmt: skip
HEXA8 = CellShape(
    "hexahedron", 12, _CUBE, _powers(3, lambda p: max(p) <= 1), 8, partial(_box_rule, 2, 3), partial(_box_rule, 3, 3)
)
HEXA20 = CellShape(
    "hexahedron20", 25, _with_middles(_CUBE, HEXAHEDRON_EDGES), _powers(3, lambda p: sum(x for x in p if x > 1) <= 2), 8,
    _serendipity_rule, partial(_box_rule, 4, 3),
)  # fmt: skip
HEXA27 = CellShape(
    "hexahedron27", 29,
    _with_middles(
        _CUBE, HEXAHEDRON_EDGES, (0, 0.5, 0.5), (1, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 1, 0.5), (0.5, 0.5, 0), (0.5, 0.5, 1),
        (0.5, 0.5, 0.5),
    ),
    _powers(3, lambda p: True), 8, partial(_box_rule, 3, 3), partial(_box_rule, 4, 3),
)  # fmt: skip

FACES = {4: TRIANGLE3, 10: TRIANGLE6, 8: QUAD4, 20: QUAD8, 27: QUAD9}  # of cells with so many nodes
VOLUMES = {shape.name: shape for shape in (TETRA4, TETRA10, HEXA8, HEXA20, HEXA27)}
