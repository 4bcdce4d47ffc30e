"""Elements of a solid that are alike: cells of one shape, with or without nodes on rigid interfaces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fmbs.elements.solid.layout import SolidLayout
from fmbs.elements.solid.shapes import CellShape

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

MODES = 3  # internal modes of an 8-node cell, one for each direction of the unit cube
CENTRE = np.full((1, 3), 0.5)


@dataclass(frozen=True, eq=False)
class Piece:
    """Cells with the same number of blocks.

    places: nodes and internal modes of each cell; x: its nodes at t = 0, m
    blocks: what each cell depends on  # (cells, blocks of each), the first repeated where there are fewer
    share: x_place = sum share y_block; None: they are the same  # (cells, places of each, blocks of each)
    """

    shape: CellShape
    places: Integers
    x: Array
    blocks: Integers
    share: Array | None

    def __len__(self) -> int:
        return len(self.places)

    def gradient(self, some: slice = slice(None)) -> tuple[Array, Array]:
        """g_b of the blocks, 1/m, and volumes, m^3, at the rule's points  # (cells, points, blocks, 3), (cells, points)."""
        points, weights = self.shape.rule
        g, volume = _gradients(self.shape, self.x[some], points, self.places.shape[1] - self.shape.size)
        if self.share is not None:
            g = np.einsum("epic,eib->epbc", g, self.share[some])
        return g, volume * weights


def _gradients(shape: CellShape, x: Array, points: Array, modes: int) -> tuple[Array, Array]:
    """g_i and the volume of the unit cell there; modes: with those of `mode_values`.

    Of a mode the gradient is (j_0/j) J_0^-T dM/dxi with J_0 in the centre: it is zero on average, so constant stresses do
    no work on it (Taylor, Beresford & Wilson 1976).
    """
    slope = shape.slope(points)
    jacobian = np.einsum("pik,eic->epck", slope, x)  # dx_c/dxi_k
    inverse, volume = np.linalg.inv(jacobian), np.linalg.det(jacobian)
    g = np.einsum("pik,epkc->epic", slope, inverse)
    if modes:
        centre = np.einsum("pik,eic->eck", shape.slope(CENTRE), x)
        ratio = np.linalg.det(centre)[:, None] / volume
        bump = (4.0 - 8.0 * points)[None, :, :, None] * np.linalg.inv(centre)[:, None]  # (cells, points, modes, 3)
        g = np.concatenate([g, ratio[..., None, None] * bump], axis=2)
    return g, volume


def mode_values(points: Array) -> Array:
    """M_k = 4 xi_k (1 - xi_k): what lets a cell of 8 nodes bend  # (points, 3)."""
    return 4.0 * points * (1.0 - points)


def mass_blocks(shape: CellShape, x: Array, modes: int, density: float) -> Array:
    """int rho N_i N_j dV, kg  # (cells, places of each, places of each)."""
    points, weights = shape.fine_rule
    value = shape.value(points)
    if modes:
        value = np.hstack([value, mode_values(points)])
    volume = np.linalg.det(np.einsum("pik,eic->epck", shape.slope(points), x))
    pairs = (value[:, :, None] * value[:, None, :]).reshape(len(points), -1)
    mass: Array = (density * volume * weights) @ pairs
    return mass.reshape(len(x), value.shape[1], value.shape[1])


def pieces_of(shape: CellShape, places: Integers, points: Array, layout: SolidLayout) -> list[Piece]:
    """Cells of one kind: those that depend on their own blocks only, and those on a rigid interface."""
    carriers = layout.carriers
    own = np.diff(carriers.indptr) == 1
    first = np.append(carriers.indices, 0)[carriers.indptr[:-1]]
    weight = np.append(carriers.data, 0.0)[carriers.indptr[:-1]]
    own &= (weight == 1.0) & layout.is_length[first]
    plain = own[places].all(axis=1)
    found = []
    if plain.any():
        blocks = first[places[plain]].astype(np.int64)
        order = np.argsort(blocks.min(axis=1), kind="stable")  # neighbours in memory too
        some = places[plain][order]
        found.append(Piece(shape, some, points[some[:, : shape.size]], blocks[order], None))
    if not plain.all():
        some = places[~plain]
        blocks, share = _shares(some, layout)
        found.append(Piece(shape, some, points[some[:, : shape.size]], blocks, share))
    return found


def _shares(places: Integers, layout: SolidLayout) -> tuple[Integers, Array]:
    """Blocks and shares of cells that touch a rigid interface."""
    rows = layout.carriers[places.ravel()].tocoo()
    cell, place = np.divmod(rows.row.astype(np.int64), places.shape[1])
    width = layout.carriers.shape[1]
    once, number = np.unique(cell * width + rows.col, return_inverse=True)
    owner = once // width
    count = np.bincount(owner, minlength=len(places))
    start = np.cumsum(count) - count
    blocks = np.repeat((once % width)[start][:, None], count.max(), axis=1)
    blocks[owner, np.arange(once.size) - start[owner]] = once % width
    share = np.zeros((len(places), places.shape[1], int(count.max())))
    share[cell, place, number - start[cell]] = rows.data
    return blocks, share
