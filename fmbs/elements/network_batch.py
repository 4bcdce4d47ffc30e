"""Elements of beam networks as a batch: tables for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from fmbs.core.element_batch import CompiledElements
from fmbs.core.protocols import BLOCK_TANGENT, FORCE, BlockTarget, Offsets
from fmbs.elements._network_kernels import (
    CHUNK,
    ENERGY,
    NetworkTable,
    energy_of,
    network_energy,
    network_force,
    network_tangent,
)
from fmbs.elements._structural_kernels import Structures, add_structural_tangent, structural_force
from fmbs.elements.beam_batch import AXIAL_POINTS
from fmbs.elements.interpolation import INTERPOLATIONS
from fmbs.elements.structural_tables import over_speed, terms_of_pairs
from fmbs.jit.tables import address
from fmbs.math.quadrature import gauss

if TYPE_CHECKING:
    from fmbs.elements.network import BeamNetwork

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class NetworkKind:
    """What networks must share to be one batch."""

    interpolation: str

    def build(self, parts: Sequence[BeamNetwork], offsets: Offsets) -> NetworkElements:
        first = np.concatenate([offsets[part] + part.layout.first for part in parts])
        mix, hold = (np.concatenate(rows) for rows in zip(*((part.layout.mix, part.hold) for part in parts), strict=True))
        constants = np.concatenate([part.constants for part in parts])  # (elements, 8): D, D_s, damping
        length = np.concatenate([part.element_length for part in parts])
        strains = np.concatenate([part.reference_strains for part in parts])
        own = np.concatenate([constants, point_rows(length, strains)], axis=1)
        order = np.argsort(first[:, (0, -4)].min(axis=1), kind="stable")  # neighbours lie together, as threads want them
        return NetworkElements(self.interpolation, first[order], mix[order], hold[order], own[order])


def axis_points(interpolation: str) -> tuple[Array, Array, int]:
    """Places along an element, their weights, and how many of them are for the strains: the others for the sections."""
    points = AXIAL_POINTS[interpolation, "structural"]
    (x, w), (xs, ws) = gauss(points), gauss(INTERPOLATIONS[interpolation].nodes.size)
    return np.concatenate([x, xs]), np.concatenate([w, ws]), points


def point_rows(length: Array, strains: Array) -> Array:  # (elements, 10 points)
    """ds/dxi and the strains of the reference at each point  # (elements,), (elements, points, 9)."""
    speed = np.broadcast_to(length[:, None, None], (*strains.shape[:2], 1))
    rows: Array = np.concatenate([speed, strains], axis=2).reshape(len(length), 10 * strains.shape[1])
    return rows


def ordinary(interpolation: str, own: Array) -> Structures:
    """Straight elements with vectors of their own, one after the other."""
    kind, count = INTERPOLATIONS[interpolation], len(own)
    axis, weight, full = axis_points(interpolation)
    shape = over_speed(kind.shape(axis, 1.0), np.ones((1, axis.size)))
    first = 9 * np.arange(count * kind.nodes.size).reshape(count, kind.nodes.size)
    terms = terms_of_pairs(shape, kind.per_node, full)
    return Structures(first, kind.per_node, np.zeros(count, np.int64), shape, weight, full, own, *terms)


class NetworkElements(CompiledElements):
    """Elements of all networks of one interpolation."""

    force, tangent, stored = staticmethod(network_force), staticmethod(network_tangent), staticmethod(network_energy)
    rows = ("first", "mix", "hold")

    def __init__(
        self, interpolation: str, first: Integers, mix: Array, hold: Array, own: Array, damped: bool | None = None
    ) -> None:  # fmt: skip
        """damped: of a subset, whether the whole batch is: ranks decide alike."""
        self._made_of = interpolation, first, mix, hold, own
        pattern = ordinary(interpolation, own[:CHUNK])
        count, nodes = pattern.first.shape
        size = 9 * nodes
        self._chunks = [
            replace(pattern, first=pattern.first[: len(rows)], kind=pattern.kind[: len(rows)], own=rows)
            for rows in (own[begin : begin + CHUNK] for begin in range(0, len(own), CHUNK))
        ]
        columns, matrices = np.arange(size)[:, None] * size + 9 * np.arange(nodes), np.zeros(count * size * size)
        slots = (np.arange(count)[:, None, None] * size * size + columns).astype(np.int32)
        self._target = BlockTarget(slots, matrices)
        table = NetworkTable(
            first, mix, hold, np.array([address(chunk) for chunk in self._chunks], np.int64), address(self._target), matrices,
            np.zeros(count * size), np.zeros(count * size), np.zeros(count * size), FORCE.address(structural_force, pattern),
            BLOCK_TANGENT.address(add_structural_tangent, pattern, self._target), ENERGY.address(energy_of, pattern),
        )  # fmt: skip
        vars(table)["_owners"] = self._chunks, self._target  # the table has their addresses only, and may outlive this batch
        super().__init__(table, 3, damped=bool(hold[:, 2].any()) if damped is None else damped)

    def subset(self, elements: Integers) -> Self:
        interpolation, first, mix, hold, own = self._made_of
        return type(self)(interpolation, first[elements], mix[elements], hold[elements], own[elements], self._damped)

    def viscous(self) -> NetworkElements:
        return self._viscous

    @cached_property
    def _viscous(self) -> NetworkElements:
        interpolation, first, mix, hold, own = self._made_of
        hold, own = hold.copy(), own.copy()
        hold[:, 2], own[:, 7] = 1.0, 1.0
        return type(self)(interpolation, first, mix, hold, own)
